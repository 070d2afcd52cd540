"""Loading files into a campaign: whole or not at all, twice as good as once, ids as they are."""

from __future__ import annotations

import json
import os
import resource
import threading

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.loading.runs import load_runs
from judge_tui.campaign.store.runs import all_runs
from judge_tui.errors import InputError, UsageError
from tests.campaign.copies import kept_rankings
from tests.loading_runs import load_run


def counts(campaign: Campaign) -> dict[str, int]:
    tables = ("queries", "documents", "runs", "results", "pool", "judges", "events")
    return {table: campaign.row(f"SELECT count(*) FROM {table}")[0] for table in tables}


def test_loading_everything_again_changes_nothing(campaign, files):
    before = counts(campaign)
    assert load_queries(campaign, files / "queries.jsonl").unchanged == 2
    assert load_run(campaign, files / "alpha.run")[1].unchanged == 1
    assert load_document_files(campaign, [files / "documents.jsonl"])[0].unchanged == 5
    assert extend_pool(campaign, depth=10) == 0
    assert counts(campaign) == before


def test_text_is_stored_as_it_came(campaign, files):
    hostile = "\x1b]0;title\x07 \u202e [/] \x00 é\r\n\ttab"
    path = files / "hostile.jsonl"
    path.write_text(json.dumps({"doc_id": "sorted", "text": hostile}))
    load_document_files(campaign, [path], replace=True)
    row = campaign.rows("SELECT text FROM documents WHERE doc_id = 'sorted'")
    assert row == [(hostile,)]


def test_runs_keep_their_top_in_trec_order(campaign, files):
    """Score descending, then doc_id descending; the rank column plays no part (trec_eval)."""
    run = files / "ties.run"
    run.write_text("q1 Q0 a 1 1.0 ties\nq1 Q0 b 2 1.0 ties\nq1 Q0 c 3 2.0 ties\n")
    load_run(campaign, run, depth=2)
    assert kept_rankings(campaign)["ties"] == {"q1": ["c", "b"]}


def test_a_changed_run_is_refused_and_replaced_on_request(campaign, files):
    run = files / "alpha.run"
    run.write_text("q1 Q0 sorted 1 1.0 alpha\n")
    with pytest.raises(InputError, match=r"run 'alpha' is in the campaign already"):
        load_run(campaign, run)
    assert set(kept_rankings(campaign)["alpha"]) == {"q1", "q2"}
    load_run(campaign, run, replace=True)
    assert kept_rankings(campaign)["alpha"] == {"q1": ["sorted"]}
    assert [record.tag for record in all_runs(campaign)] == ["beta", "alpha"]


def test_the_same_run_deeper_is_read_again(campaign, files):
    run = files / "deep.run"
    run.write_text("".join(f"q1 Q0 d{i} {i} {-i} deep\n" for i in range(1, 9)))
    load_run(campaign, run, depth=3)
    with pytest.raises(UsageError, match="goes deeper than the 3 results kept of run 'deep'"):
        extend_pool(campaign, depth=5)
    # Under the tag that it has in the campaign, or a second run would come of it.
    load_run(campaign, run, tag="the same", depth=4)
    load_run(campaign, run, depth=5)
    with pytest.raises(UsageError, match=r"load run .*FILE --tag 'the same' --depth 5$"):
        extend_pool(campaign, depth=5)
    load_run(campaign, run, tag="the same", depth=5)
    assert extend_pool(campaign, depth=5)
    load_run(campaign, run, depth=100)
    assert len(kept_rankings(campaign)["deep"]["q1"]) == 8
    # Nothing of it was cut: the pool may go as deep as it likes.
    load_run(campaign, run, tag="the same", depth=8)
    assert extend_pool(campaign, depth=200) == 3
    # A shallower load of the same file takes nothing away.
    load_run(campaign, run, depth=2)
    assert len(kept_rankings(campaign)["deep"]["q1"]) == 8


def test_a_run_of_unknown_queries(campaign, files):
    run = files / "wide.run"
    run.write_text("q1 Q0 sorted 1 1.0 wide\nq9 Q0 sorted 1 1.0 wide\n")
    before = counts(campaign)
    with pytest.raises(InputError, match=r"wide\.run:2: query 'q9' is not in the campaign"):
        load_run(campaign, run)
    assert counts(campaign) == before
    _, loaded = load_run(campaign, run, skip_unknown=True)
    assert loaded.left_out == 1


def test_ids_are_one_token_whatever_the_form(campaign, files):
    (files / "q.tsv").write_text("q 2\ttwo words\n")
    load_queries(campaign, files / "q.tsv")
    (files / "space.run").write_text("q%202 Q0 my%20file.txt 1 1.0 space\n")
    (files / "blank.json").write_text('{"q 2": {"my file.txt": 1.0}}')
    (files / "d.jsonl").write_text('{"doc_id": "my file.txt", "text": "x"}\n')
    load_runs(campaign, [files / "space.run", files / "blank.json"])
    assert load_document_files(campaign, [files / "d.jsonl"])[0].added == 1
    kept = kept_rankings(campaign)
    assert kept["space"] == kept["blank"] == {"q%202": ["my%20file.txt"]}


def test_a_run_completed_later_keeps_its_depth(campaign, files):
    lines = [f"{q} Q0 {q}d{i} {i} {-i} deep\n" for q in ("q1", "q9") for i in range(1, 151)]
    (files / "deep.run").write_text("".join(lines))
    load_run(campaign, files / "deep.run", depth=150, skip_unknown=True)
    (files / "q9.tsv").write_text("q9\tlate\n")
    load_queries(campaign, files / "q9.tsv")
    load_run(campaign, files / "deep.run")
    kept = kept_rankings(campaign)["deep"]
    assert {query: len(docs) for query, docs in kept.items()} == {"q1": 150, "q9": 150}


def test_one_tag_twice_in_one_command_is_refused(campaign, files):
    (files / "x.run").write_text("q1 Q0 sorted 1 1.0 same\n")
    (files / "y.run").write_text("q1 Q0 json.load 1 1.0 same\n")
    before = counts(campaign)
    with pytest.raises(UsageError, match="have the same tag 'same'"):
        load_runs(campaign, [files / "x.run", files / "y.run"], replace=True)
    assert counts(campaign) == before


@pytest.mark.parametrize("query", ["q2", "q9"])
def test_a_run_may_come_through_a_pipe(campaign, files, query):
    os.mkfifo(files / "pipe")
    text = f"q1 Q0 sorted 1 2.0 piped\n{query} Q0 sorted 1 1.0 piped\n"
    thread = threading.Thread(target=lambda: (files / "pipe").write_text(text))
    thread.start()
    if query == "q2":
        assert load_run(campaign, files / "pipe")[1].added == 1
        (files / "file").write_text(text)
        assert load_run(campaign, files / "file")[1].unchanged == 1
    else:
        with pytest.raises(InputError, match=r"pipe:2: query 'q9' is not in the campaign"):
            load_run(campaign, files / "pipe")
    thread.join()


def test_a_full_temporary_folder_is_said_in_words(campaign, files):
    file = files / "big.jsonl"
    lines = (json.dumps({"doc_id": f"d{place}", "text": "x" * 10_000}) for place in range(200))
    file.write_text("\n".join(lines))
    before = counts(campaign)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, limits[1]))
    try:
        with pytest.raises(UsageError, match="cannot be kept in the temporary folder"):
            load_document_files(campaign, [file], keep_all=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert counts(campaign) == before


def test_judges_go_on_while_documents_are_read(campaign, files):
    """The file is held for the moment of taking over, not while a slow source is read."""
    os.mkfifo(files / "slow")
    written: list[str] = []

    def judge() -> None:
        with (files / "slow").open("w") as pipe, open_campaign(campaign.path) as other:
            other.wait_at_most(50)
            pipe.write('{"doc_id": "sorted", "text": "Returns a sorted list."}\n')
            pipe.flush()
            with other.writing():
                other.execute(
                    "INSERT INTO judges (name, role, kind) VALUES ('eve', 'judge', 'human')"
                )
            written.append("eve")

    thread = threading.Thread(target=judge)
    thread.start()
    load_document_files(campaign, [files / "slow"])
    thread.join()
    assert written == ["eve"]
