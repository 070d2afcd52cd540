"""Runs into a campaign: whole or not at all, twice as good as once, and what they were asked."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading import LoadCounts
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.loading.runs import RunLoad, load_runs
from judge_tui.campaign.overview.progress import AskedRun, asked_runs
from judge_tui.errors import InputError, UsageError
from judge_tui.scoring import parse_measure
from tests.campaign.copies import graded, kept_rankings, whole
from tests.campaigns import load_run

HEAD = "query_id,seconds,tries,results,repeated,failure\n"
API = "q1 Q0 csv.reader 1 2 api\nq1 Q0 csv.writer 2 1 api\n"
ASKED = f"{HEAD}q1,0.5,1,2,0,\nq2,30.0,3,0,0,timed out after 30 s\n"
RR = parse_measure("RR")
BOTH = [("q1", 0.5, ""), ("q2", 30.0, "timed out after 30 s")]
CASE = (
    "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\r\n"
    "T,C,7,read a CSV file,csv.reader,1,t,\r\nT,C,7,sort lists\r\n"
)


def write_run(folder: Path, tag: str, text: str) -> Path:
    path = folder / f"{tag}.run"
    path.write_text("".join(f"{line} {tag}\n" for line in text.splitlines()))
    return path


def test_loading_everything_again_changes_nothing(campaign, files):
    before = whole(campaign.path)
    assert load_queries(campaign, files / "queries.jsonl").unchanged == 2
    assert load_run(campaign, files / "alpha.run")[1].unchanged == 1
    assert load_document_files(campaign, [files / "documents.jsonl"])[0].unchanged == 5
    assert extend_pool(campaign, depth=10).added == 0
    assert whole(campaign.path) == before


def test_runs_keep_their_top_in_trec_order(campaign, files):
    """Score descending, then doc_id descending; the rank column plays no part (trec_eval)."""
    run = write_run(files, "ties", "q1 Q0 a 1 1.0\nq1 Q0 b 2 1.0\nq1 Q0 c 3 2.0")
    load_run(campaign, run, depth=2)
    assert kept_rankings(campaign)["ties"] == {"q1": ["c", "b"]}


def test_the_same_run_deeper_is_read_again(campaign, files):
    run = write_run(files, "deep", "\n".join(f"q1 Q0 d{i} {i} {-i}" for i in range(1, 9)))
    load_run(campaign, run, tag="the same", depth=3)
    with pytest.raises(UsageError, match=r"load run .*FILE --tag 'the same' --depth 5$"):
        extend_pool(campaign, depth=5)
    load_run(campaign, run, tag="the same", depth=5)
    assert extend_pool(campaign, depth=5).added == 5
    # Where nothing of it was cut, the pool may go as deep as it likes.
    load_run(campaign, run, tag="the same", depth=8)
    assert extend_pool(campaign, depth=200).added == 3
    # A shallower load of the same file takes nothing away.
    load_run(campaign, run, tag="the same", depth=2)
    assert len(kept_rankings(campaign)["the same"]["q1"]) == 8


def test_a_run_of_unknown_queries_is_refused_or_completed_later(campaign, files):
    lines = [f"{q} Q0 {q}d{i} {i} {-i}" for q in ("q1", "q9") for i in range(1, 151)]
    run = write_run(files, "wide", "\n".join(lines))
    before = whole(campaign.path)
    with pytest.raises(InputError, match=r"wide\.run:151: query 'q9' is not in the campaign"):
        load_run(campaign, run)
    assert whole(campaign.path) == before
    assert load_run(campaign, run, depth=150, skip_unknown=True)[1].left_out == 1
    (files / "q9.tsv").write_text("q9\tlate\n")
    load_queries(campaign, files / "q9.tsv")
    load_run(campaign, run)
    kept = kept_rankings(campaign)["wide"]
    assert {query: len(docs) for query, docs in kept.items()} == {"q1": 150, "q9": 150}


def test_a_fault_in_one_of_several_runs_loads_none(campaign, files):
    before = whole(campaign.path)
    good = write_run(files, "good", "q1 Q0 sorted 1 2.0")
    same = files / "same.run"
    same.write_text("q1 Q0 json.load 1 1.0 good\n")
    changed = write_run(files, "alpha", "q1 Q0 sorted 1 2.0")
    for paths, options, error, what in (
        ([good, write_run(files, "bad", "q1 Q0 sorted 1 two")], {}, InputError, "'two'"),
        ([good, changed], {}, InputError, "run 'alpha' is in the campaign already"),
        ([good, same], {"replace": True}, UsageError, "have the same tag 'good'"),
        ([good], {"depth": 0}, UsageError, "keeps nothing"),
    ):
        with pytest.raises(error, match=what):
            load_runs(campaign, paths, **options)
        assert whole(campaign.path) == before
    load_runs(campaign, [good, changed], replace=True)
    assert kept_rankings(campaign)["alpha"] == {"q1": ["sorted"]}


def test_a_run_may_come_through_a_pipe(campaign, files):
    os.mkfifo(files / "pipe")
    text = "q1 Q0 sorted 1 2.0 piped\nq9 Q0 sorted 1 1.0 piped\n"
    thread = threading.Thread(target=lambda: (files / "pipe").write_text(text))
    thread.start()
    with pytest.raises(InputError, match=r"pipe:2: query 'q9' is not in the campaign"):
        load_run(campaign, files / "pipe")
    thread.join()


def test_judges_write_while_a_run_is_read(campaign, files):
    run = write_run(files, "gamma", "q1 Q0 sorted 1 2.0\nq1 Q0 json.load 2 1.0")
    grades = iter((1, 2, 3))
    with open_campaign(campaign.path) as other:
        other.wait_at_most(0)

        def judge(_bytes: int) -> None:
            graded(other, "ann", "sorted", next(grades))

        assert load_runs(campaign, [run], on_bytes=judge)[0].counts.added == 1
        assert other.rows("SELECT count(*) > 0 FROM events") == [(1,)]
    assert kept_rankings(campaign)["gamma"] == {"q1": ["sorted", "json.load"]}


@pytest.fixture
def api(files: Path) -> Path:
    """api.run, which answers q1 alone, with what it was asked beside it."""
    (files / "api.run").write_text(API)
    (files / "api.latency.csv").write_text(ASKED)
    return files / "api.run"


def load(campaign: Campaign, path: Path, **options: object) -> RunLoad:
    (loaded,) = load_runs(campaign, [path], **options)  # type: ignore[arg-type]
    return loaded


def asked_in(campaign: Campaign, tag: str = "api") -> list[tuple[str, float | None, str]]:
    return campaign.rows(
        "SELECT query_id, seconds, failure FROM asked AS a JOIN runs AS r ON r.id = a.run"
        " JOIN queries AS q ON q.id = a.query WHERE tag = ? ORDER BY query_id",
        (tag,),
    )


def test_what_was_asked_comes_with_the_run(campaign, api):
    loaded = load(campaign, api)
    counts = LoadCounts(added=1)
    assert loaded == RunLoad("api", str(api), counts, loaded.queries, loaded.results, 1, 1)
    assert 0 < loaded.queries <= loaded.results
    assert asked_in(campaign) == BOTH
    assert asked_runs(campaign)["api"] == AskedRun(2, 1, 1, 0.5, 0.5)
    assert load(campaign, api).counts == LoadCounts(unchanged=1)


def test_what_comes_later_or_has_changed_is_taken_over(campaign, api):
    beside = api.with_name("api.latency.csv")
    beside.rename(api.with_name("kept"))
    load(campaign, api)
    assert asked_in(campaign) == []
    api.with_name("kept").rename(beside)
    assert load(campaign, api).counts == LoadCounts(replaced=1)
    assert asked_in(campaign) == BOTH
    # What is known stays where there is no such file any more, but not of another run.
    beside.unlink()
    assert load(campaign, api).counts == LoadCounts(unchanged=1)
    assert load(campaign, api, depth=200).counts == LoadCounts(replaced=1)
    assert len(asked_in(campaign)) == 2
    api.write_text("q1 Q0 sorted 1 2 api\n")
    assert load(campaign, api, replace=True).counts == LoadCounts(replaced=1)
    assert asked_in(campaign) == []


def test_of_a_run_that_was_cut_off_nobody_knows_what_else_it_found(campaign, api):
    api.with_name("api.latency.csv").write_text(f"{HEAD}q1,0.5,1,2,0,\nq2,1.0,1,4,0,\n")
    assert load(campaign, api).nothing_found == 0
    assert asked_in(campaign) == [("q1", 0.5, "")]


def test_a_bad_row_beside_keeps_the_run_out(campaign, api):
    api.with_name("api.latency.csv").write_text(f"{ASKED}q9,0.5,1,0,0,\n")
    with pytest.raises(InputError, match=r"api\.latency\.csv:4: query 'q9' is not in"):
        load(campaign, api)
    assert "api" not in kept_rankings(campaign)
    load(campaign, api, skip_unknown=True)
    assert asked_in(campaign) == BOTH


def test_a_file_may_name_queries_without_documents_itself(campaign, files):
    """A case of Quepid's does, which names queries by their texts, and ranx's JSON."""
    (files / "case.csv").write_text(CASE, newline="")
    (files / "sparse.json").write_text('{"q1": {"csv.reader": 2.5}, "q2": {}}')
    for path, form in ((files / "case.csv", "quepid"), (files / "sparse.json", None)):
        loaded = load(campaign, path, layout=form)
        assert (loaded.nothing_found, loaded.failed) == (1, 0)
        assert asked_in(campaign, loaded.tag) == [("q1", None, ""), ("q2", None, "")]
        assert load(campaign, path, layout=form).counts == LoadCounts(unchanged=1)
