"""Of two rows of one text the first is taken out of a sheet: everything that knows queries by their
texts takes the row that stayed for what it was, or says that it does not know."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.as_typed import judge_tui
from tests.evaluating import SYSTEM

# The system finds d1, then d2: RR is 1, .5 and 0.
SHEET = "query,class,result1\nopen,x,d1\nsort,x,d1\nsort,y,d2\nread,x,d3\n"
WITHOUT_CLASSES = re.sub(",(class|x|y),", ",", SHEET)
CAMPAIGN = ("score", "--db", "c.db", "-m", "RR", "--policy", "judge:sheet")
SCORE = ("score", "--answers", "sheet.csv", "out/b.run", "-m", "RR", "--complete")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_TUI_DB", "c.db")
    (tmp_path / "s.toml").write_text(SYSTEM)
    return tmp_path


def asked(sheet: str) -> None:
    Path("sheet.csv").write_text(sheet)
    judge_tui("evaluate", "s.toml", "--answers", "sheet.csv", "-o", "out")


def loaded(sheet: str) -> None:
    """A campaign of the sheet, of what it asked and of what it says is right."""
    asked(sheet)
    judge_tui("init", "--name", "c")
    for words in (("queries", "sheet.csv"), ("run", "out/b.run")):
        judge_tui("load", *words)
    judge_tui("load", "answers", "sheet.csv", "--judge", "sheet")


def without_first(sheet: str) -> str:
    """The sheet without the first row of the two."""
    lines = sheet.splitlines(keepends=True)
    return "".join([*lines[:2], *lines[3:]])


def values(*words: str) -> dict[str, float]:
    """RR by query_id, as `score` with these words has it."""
    shown = judge_tui(*words, "-q", "-f", "json").stdout
    return {
        query_id: its["RR"] for query_id, its in json.loads(shown)["runs"][0]["per_query"].items()
    }


def test_a_campaign_keeps_results_and_answers_of_the_row_that_stayed():
    loaded(SHEET)
    before = {"q001": 1.0, "q002": 1.0, "q003": 0.5, "q004": 0.0}
    assert values(*CAMPAIGN) == before
    asked(without_first(SHEET))
    assert "3 there already" in judge_tui("load", "queries", "sheet.csv").output
    judge_tui("load", "run", "out/b.run", "--replace")
    judge_tui("load", "answers", "sheet.csv", "--judge", "sheet", "--replace")
    # Of the one that was taken out the run has nothing now.
    del before["q002"]
    assert values(*CAMPAIGN) == before
    assert values(*SCORE) == {"q001": 1.0, "q002": 0.5, "q003": 0.0}


def test_what_was_said_of_queries_is_kept_with_the_run_though_nothing_is_asked_anew():
    asked(SHEET)
    asked(SHEET)
    replies = Path("out/b.answers.jsonl").read_text().splitlines()
    asked(SHEET.replace("sort,x", "sort,z"))
    added = Path("out/b.answers.jsonl").read_text().splitlines()[len(replies) :]
    said = {"q001": "x", "q002": "z", "q003": "y", "q004": "x"}
    classes = {query_id: {"class": its} for query_id, its in said.items()}
    assert list(map(json.loads, added)) == [{"judge_tui": 1, "written": True, "said": classes}]


def test_the_row_that_stayed_is_held_against_what_it_was():
    asked(SHEET)
    judge_tui(*SCORE, "--save", "base.json")
    asked(without_first(SHEET))
    beside = judge_tui(*SCORE, "--against", "base.json", "--allow-other-qrels", "-f", "json")
    found = json.loads(beside.stdout)
    (change,) = found["against"]["changes"]
    assert (change["queries"], change["ties"]) == (3, 3)
    assert any(told.endswith("the first is 'q002, sort'") for told in found["warnings"])


def test_where_nothing_tells_which_row_stayed_it_is_said_and_nothing_is_taken():
    loaded(WITHOUT_CLASSES)
    judge_tui(*SCORE, "--save", "base.json")
    asked(without_first(WITHOUT_CLASSES))
    beside = judge_tui(*SCORE, "--against", "base.json", "--allow-other-qrels", "-f", "json")
    found = json.loads(beside.stdout)
    (change,) = found["against"]["changes"]
    assert (change["queries"], change["ties"]) == (2, 2)
    assert (
        "1 text that several queries have, and not as many as in the earlier result (such as"
        " 'sort': q002, q003 then, q002 now): nothing says which is which, so that they are paired"
        " with none; ids of their own or classes tell them apart"
    ) in found["warnings"]
    told = judge_tui("load", "queries", "sheet.csv").stderr
    assert (
        "rows that ask what several queries of the campaign do, and nothing says which of them they"
        " are: 'sort' in line 3, q002 or q003; nothing is taken from them"
    ) in told
    refused = judge_tui("load", "run", "out/b.run", "--replace", code=2).stderr
    assert refused == (
        "error: out/b.run:3: 2 queries of the campaign are 'sort': q002, q003; nothing says which"
        " of them was asked: write the ids of the campaign into the file of queries, as query_id,"
        " and ask anew\n"
    )
    answers = ("load", "answers", "sheet.csv", "--judge", "sheet", "--replace")
    assert "2 queries of the campaign are 'sort'" in judge_tui(*answers, code=2).stderr
    # The way out leads out.
    asked("query_id,query,result1\nq001,open,d1\nq003,sort,d2\nq004,read,d3\n")
    assert "note" not in judge_tui("load", "queries", "sheet.csv").stderr
    judge_tui("load", "run", "out/b.run", "--replace")
    judge_tui(*answers)
    assert values(*CAMPAIGN) == {"q001": 1.0, "q003": 0.5, "q004": 0.0}


def test_rows_of_one_text_are_told_by_the_ids_that_their_queries_have():
    loaded(SHEET)
    # Behind one that was last, the two the other way round: q004, q003, q002, q001.
    head, *rows = SHEET.splitlines(keepends=True)
    Path("sheet.csv").write_text("".join([head, *reversed(rows)]))
    again = judge_tui("load", "answers", "sheet.csv", "--judge", "sheet").stderr
    assert "lines 3 and 4 ask the same, 'sort', and count as two queries, q003 and q002: " in again
    # And by those of a file of queries that calls them otherwise.
    Path("q.csv").write_text("query_id,query,class\na,open,x\nb,sort,x\nc,sort,y\nd,read,x\n")
    Path("x.run").write_text("a Q0 d1 1 1 x\n")
    both = ("--answers", "sheet.csv", "--queries", "q.csv")
    for words in (("score", *both, "x.run"), ("evaluate", "s.toml", *both, "-o", "elsewhere")):
        done = judge_tui(*words)
        told = " ".join((done.stdout + done.stderr).split())
        assert "lines 3 and 4 ask the same, 'sort', and count as two queries, c and b: " in told


def test_queries_without_right_answers_are_told_by_the_ids_that_runs_have():
    Path("sheet.csv").write_text("query,result1\nopen,d1:1-3:0\nread,d2\n")
    Path("q.csv").write_text("query_id,query\na,open\nb,read\n")
    Path("x.run").write_text("a Q0 d1 1 1 x\nb Q0 d2 1 1 x\n")
    told = judge_tui("score", "--answers", "sheet.csv", "--queries", "q.csv", "x.run").stdout
    assert "nothing is right for 1 of 2 queries (a): " in told


def test_a_row_more_of_a_text_is_said_to_be_the_new_one():
    loaded(without_first(WITHOUT_CLASSES))
    Path("sheet.csv").write_text(WITHOUT_CLASSES)
    assert (
        "rows that ask the same, and nothing says which of them the campaign has: 'sort' in lines"
        " 3, 4, q002; the first ones are taken for its queries, in their order, and the rest for"
        " new ones, unless the ids of the queries are written into the file, as query_id"
    ) in judge_tui("load", "queries", "sheet.csv").stderr
    assert "which of them" not in judge_tui("load", "queries", "sheet.csv").stderr
