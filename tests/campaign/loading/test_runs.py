"""Runs into a campaign, and what they were asked: from the file beside them, or their own, and
into every mean."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.loading import LoadCounts
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.loading.runs import RunLoad, load_runs
from judge_tui.campaign.overview.disagreements import ordered_cases
from judge_tui.campaign.overview.progress import AskedRun, asked_runs
from judge_tui.campaign.overview.qrels_and_runs import qrels_and_runs
from judge_tui.campaign.overview.standing import results_now
from judge_tui.errors import InputError
from judge_tui.scoring import parse_measure
from tests.campaign.copies import graded, kept_rankings
from tests.loading_runs import load_run

HEAD = "query_id,seconds,tries,results,repeated,failure\n"
API = "q1 Q0 csv.reader 1 2 api\nq1 Q0 csv.writer 2 1 api\n"
ASKED = f"{HEAD}q1,0.5,1,2,0,\nq2,30.0,3,0,0,timed out after 30 s\n"
RR = parse_measure("RR")
BOTH = [("q1", 0.5, ""), ("q2", 30.0, "timed out after 30 s")]
CASE = (
    "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\r\n"
    "T,C,7,read a CSV file,csv.reader,1,t,\r\nT,C,7,sort lists\r\n"
)


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
    assert loaded == RunLoad("api", str(api), LoadCounts(added=1), nothing_found=1, failed=1)
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
    beside.write_text(ASKED.replace("30.0", "20.0"))
    assert load(campaign, api).counts == LoadCounts(replaced=1)
    # What is known stays where there is no such file any more, but not of another run.
    beside.unlink()
    assert load(campaign, api).counts == LoadCounts(unchanged=1)
    assert load(campaign, api, depth=200).counts == LoadCounts(replaced=1)
    assert len(asked_in(campaign)) == 2
    api.write_text("q1 Q0 sorted 1 2 api\n")
    assert load(campaign, api, replace=True).counts == LoadCounts(replaced=1)
    assert asked_in(campaign) == []


@pytest.mark.parametrize("form", ["gz", "json"])
def test_it_comes_with_a_packed_run_and_with_another_form(campaign, api, form):
    run = api.with_name(f"api.{'run.gz' if form == 'gz' else 'json'}")
    run.write_bytes(
        gzip.compress(API.encode())
        if form == "gz"
        else json.dumps({"q1": {"csv.reader": 2, "csv.writer": 1}}).encode()
    )
    api.unlink()
    assert load(campaign, run).nothing_found == 1
    assert asked_in(campaign) == BOTH


def test_of_a_run_that_was_cut_off_nobody_knows_what_else_it_found(campaign, api):
    api.with_name("api.latency.csv").write_text(f"{HEAD}q1,0.5,1,2,0,\nq2,1.0,1,4,0,\n")
    assert load(campaign, api).nothing_found == 0
    assert asked_in(campaign) == [("q1", 0.5, "")]


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("q9,0.5,1,0,0,\n", "4: query 'q9' is not in the campaign"),
        ("q1,x,1,0,0,\n", "4: 'x' is no number of seconds"),
    ],
)
def test_a_bad_row_beside_keeps_the_run_out(campaign, api, row, what):
    api.with_name("api.latency.csv").write_text(ASKED + row)
    with pytest.raises(InputError) as refused:
        load(campaign, api)
    assert f"api.latency.csv:{what}" in str(refused.value)
    assert "api" not in kept_rankings(campaign)
    if "q9" in row:
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
    with (files / "case.csv").open("a", newline="") as file:
        file.write("T,C,7,what is new\r\n")
    with pytest.raises(InputError, match=r"case.csv:4: query 'what is new' is not in the campaign"):
        load(campaign, files / "case.csv", layout="quepid", tag="new")
    left = load(campaign, files / "case.csv", layout="quepid", tag="new", skip_unknown=True)
    assert left.counts == LoadCounts(added=1, left_out=1)


def test_each_snapshot_of_a_file_is_a_run(campaign, files):
    head = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\r\n"
    rows = (
        "Now,1,7,read a CSV file,csv.reader,1\r\nThen,0,7,read a CSV file,csv.writer,1\r\n"
        "Now,1,7,sort lists,sorted,1\r\nThen,0,7,sort lists,sorted,1\r\n"
    )
    (files / "snapshots.csv").write_text(head + rows, newline="")
    loaded = load_runs(campaign, [files / "snapshots.csv"])
    assert [one.tag for one in loaded] == ["Now", "Then"]
    assert kept_rankings(campaign)["Then"] == {"q1": ["csv.writer"], "q2": ["sorted"]}
    (one,) = load_runs(campaign, [files / "snapshots.csv"], tag="Now")
    assert one.counts == LoadCounts(unchanged=1)


def test_a_run_that_was_asked_other_texts_is_refused(campaign, files):
    (files / "out").mkdir()
    (files / "out" / "api.run").write_text(API)
    (files / "out" / "collect.json").write_text("{}")
    queries = files / "out" / "queries.jsonl"
    queries.write_text('{"query_id": "q1", "text": "read  a CSV file"}\n')
    assert load(campaign, files / "out" / "api.run").counts.added == 1
    queries.write_text('{"query_id": "q1", "text": "read a TSV file"}\n')
    with pytest.raises(InputError, match=r"queries.jsonl:1: query 'q1' is 'read a CSV file'"):
        load(campaign, files / "out" / "api.run", replace=True)
    load_queries(campaign, queries, replace=True)
    assert load(campaign, files / "out" / "api.run").counts.unchanged == 1


@pytest.fixture
def judged(campaign: Campaign) -> Campaign:
    """Both queries have a right answer: csv.reader, and sorted."""
    for doc_id in ("csv.reader", "sorted"):
        graded(campaign, "ann", doc_id, 1)
    return campaign


def mean_of(campaign: Campaign, tag: str) -> float:
    judged = results_now(campaign).now.judged
    return judged.means(RR).tolist()[judged.lists.tags.index(tag)]


def test_a_run_of_nothing_at_all(judged, api):
    api.write_text("")
    api.with_name("api.latency.csv").write_text(f"{HEAD}q1,0.5,1,0,0,\nq2,0.5,1,0,0,\n")
    assert load_run(judged, api)[0] == "api"
    assert mean_of(judged, "api") == 0.0
    api.with_name("api.latency.csv").unlink()
    with pytest.raises(InputError, match="the file is empty"):
        load_run(judged, api)


def test_every_number_of_the_campaign_counts_it(judged, api):
    load_run(judged, api)
    # q1: first at rank 1; q2: nothing. (1 + 0) / 2.
    assert mean_of(judged, "api") == 0.5
    found = qrels_and_runs(judged, ["api"])
    assert found.runs[0].asked == {"q1", "q2"}
    assert found.failed == {"api": {"q2": "timed out after 30 s"}}


def test_the_order_of_disagreements_counts_it(judged, api):
    graded(judged, "bob", "csv.reader", 0)
    load_run(judged, api)

    def change() -> float:
        effects = ordered_cases(judged, RR).effects
        assert effects is not None
        return float(effects.change[0])

    # By bob's grade, api's mean falls from 1/2 to 0, beta's from 3/4 to 1/2, alpha's from 3/4 to
    # 1/4: api and alpha fall alike. Were q2 left out of api's, it would fall by 1.
    counted = change()
    with judged.writing():
        judged.execute("DELETE FROM asked")
    assert (counted, change()) == (0.25, 0.75)
