"""The same answers and queries are about the same in every command."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.as_typed import judge_tui
from tests.evaluating import SYSTEM

ANSWERS = "query,result1,class\none,d1,a\ntwo,d2,b\nthree,d3,b\n"
# Numbered as if by place, in another order.
QUERIES = (
    '{"query_id": "q002", "text": "one", "lang": "py"}\n'
    '{"query_id": "q001", "text": "two", "subset": "hard"}\n'
    '{"query_id": "q009", "text": "nine"}\n'
)
LEFT_OUT = "answers to queries that are not in q.jsonl, left out: 1 ('three')"
BOTH = ("--answers", "ans.csv", "--queries", "q.jsonl")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("ans.csv", ANSWERS), ("q.jsonl", QUERIES), ("s.toml", SYSTEM)):
        (tmp_path / name).write_text(text)
    return tmp_path


def ranks(*words: str) -> dict[str, float]:
    """Query by query, the reciprocal rank that a command finds for `b`."""
    document = json.loads(judge_tui(*words, "-m", "RR", "-f", "json").stdout)
    run = document["runs"][0]
    return {query_id: values["RR"] for query_id, values in run["per_query"].items()}


def test_a_run_that_evaluate_wrote_is_scored_alike_by_the_same_files(folder):
    judge_tui("evaluate", "s.toml", *BOTH, "-o", "out")
    (system,) = json.loads((folder / "out/results.json").read_text())["systems"]
    # By hand: d1 is first, for `one`, which is q002, and d2 second, for `two`.
    assert ranks("score", *BOTH, "out/b.run", "-q") == {"q001": 0.5, "q002": 1.0}
    assert system["mean"]["RR@10"] == 0.75
    by_class = judge_tui("score", *BOTH, "out/b.run", "--by", "class", "-m", "RR").stdout
    assert LEFT_OUT in by_class
    rows = [line.split() for line in by_class.splitlines() if line.startswith(("a ", "b "))]
    assert [(row[0], row[-1]) for row in rows] == [
        ("b", "0.7500"),
        ("a", "1.0000"),
        ("b", "0.5000"),
    ]
    (folder / "c.run").write_text((folder / "out/b.run").read_text())
    compared = judge_tui("compare", *BOTH, "out/b.run", "c=c.run", "-m", "RR").stdout
    assert LEFT_OUT in compared
    assert "0.7500  0.7500" in compared
    (folder / "q.jsonl").unlink()
    refused = judge_tui("compare", *BOTH[:2], "out/b.run", "c=c.run", code=2).stderr
    assert refused == (
        "error: ans.csv:2: query 'q001' is 'one' here, by its place, and 'two' in"
        " out/b.answers.jsonl; give the queries that the run was asked, with --queries FILE, or ask"
        " anew\n"
    )


def test_what_a_campaign_grades_is_the_same(folder):
    judge_tui("evaluate", "s.toml", *BOTH, "-o", "out")
    judge_tui("init")
    for words in (
        ("queries", "q.jsonl"),
        ("run", "out/b.run"),
        ("answers", "ans.csv", "--judge", "sheet", "--skip-unknown"),
    ):
        judge_tui("load", *words)
    judge_tui("pool", "--depth", "5")
    assert ranks("score", "--db", "campaign.db", "-q") == {"q001": 0.5, "q002": 1.0}


def test_ids_by_place_are_told_unless_it_is_known_what_was_asked(folder):
    told = (
        "ans.csv has no query_id, so its queries are q001 to q003, by their places; if the runs"
        " call other queries so, give the file of these with --queries\n"
    )
    judge_tui("evaluate", "s.toml", "--answers", "ans.csv", "-o", "out")
    words = ("score", "--answers", "ans.csv", "out/b.run")
    assert told not in judge_tui(*words).stdout
    # What is there by this name may be somebody's own.
    for text in ('{"query": "x", "expected": "y"}\n', None):
        beside = folder / "out/b.answers.jsonl"
        beside.unlink() if text is None else beside.write_text(text)
        assert told in judge_tui(*words).stdout
    assert told not in judge_tui("score", *BOTH, "out/b.run").stdout
    own = ANSWERS.replace("query,", "query_id,query,").replace("\n", "\nq00", 3)
    own = (
        own.replace("q00one", "q001,one").replace("q00two", "q002,two").replace("q00th", "q003,th")
    )
    (folder / "ans.csv").write_text(own)
    assert told not in judge_tui(*words).stdout


def test_a_run_of_other_ids_takes_the_queries(folder):
    (folder / "q.jsonl").write_text(QUERIES.replace("q00", "x"))
    judge_tui("evaluate", "s.toml", *BOTH, "-o", "out")
    words = ("score", "--answers", "ans.csv")
    assert judge_tui(*words, "out/b.run", code=2).stderr == (
        "error: ans.csv:2: query 'q001' is 'one' here, by its place, and query 'x2' in"
        " out/b.answers.jsonl; give the queries that the run was asked, with --queries FILE, or ask"
        " anew\n"
    )
    (folder / "out/b.answers.jsonl").unlink()
    refused = judge_tui(*words, "out/b.run", code=2).stderr
    assert refused.endswith("or give the queries that it was asked with --queries, or ask anew\n")
    assert ranks("score", *BOTH, "out/b.run", "-q") == {"x1": 0.5, "x2": 1.0}


def test_runs_that_name_queries_by_their_texts_go_with_a_queries_file(folder):
    """Two queries of one text are one there."""
    more = QUERIES + '{"query_id": "q010", "text": " one"}\n'
    (folder / "q.jsonl").write_text(more)
    (folder / "b.csv").write_text(
        "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
        "b,2026-01-01,7,one,d1,1\nb,2026-01-01,7,two,d1,1\nb,2026-01-01,7,two,d2,2\n"
    )
    assert ranks("score", *BOTH, "b.csv", "-q") == {"one": 1.0, "two": 0.5}


@pytest.mark.parametrize("header", ["query_id,query", "query"])
@pytest.mark.parametrize("command", ["score", "compare"])
def test_the_queries_say_which_there_are_as_for_evaluate(folder, header, command):
    """An answer to another one is left out and told, with an id or without."""
    with_ids = header.startswith("query_id")
    rows = ["q002,one,d1", "x y,else,d2", "q001,two,d2"]
    rows = rows if with_ids else [row.partition(",")[2] for row in rows]
    (folder / "ans.csv").write_text("\n".join([f"{header},result1", *rows, ""]))
    judge_tui("evaluate", "s.toml", *BOTH, "-o", "out")
    (system,) = json.loads((folder / "out/results.json").read_text())["systems"]
    # By hand: d1 is first, for `one`, and d2 second, for `two`.
    assert system["mean"]["RR@10"] == 0.75
    (folder / "old.run").write_text((folder / "out/b.run").read_text() + "x%20y Q0 d2 1 1 b\n")
    runs = ["out/b.run", "old=old.run"][: 1 if command == "score" else 2]
    words = (command, *BOTH, *runs, "--complete", "-m", "RR")
    left_out = "x y" if with_ids else "'else'"
    told = f"answers to queries that are not in q.jsonl, left out: 1 ({left_out})"
    assert told in judge_tui(*words).output
    found = json.loads(judge_tui(*words, "-f", "json").stdout)
    if command == "score":
        assert [(run["queries"], run["mean"]["RR"]) for run in found["runs"]] == [(2, 0.75)]
    else:
        (one,) = found["comparisons"]
        assert (one["queries"], one["baseline_mean"], one["mean"]) == (2, 0.75, 0.75)


def test_several_answers_to_one_text_are_told_apart_by_their_places(folder):
    (folder / "ans.csv").write_text("query,result1\none,d1\none,d2\n")
    (folder / "q.jsonl").write_text(
        "".join(f'{{"query_id": "q00{n}", "text": "one"}}\n' for n in (1, 2))
    )
    (folder / "b.run").write_text("q001 Q0 d1 1 1 b\nq002 Q0 d1 1 1 b\nq002 Q0 d2 2 0 b\n")
    assert ranks("score", *BOTH, "b.run", "-q") == {"q001": 1.0, "q002": 0.5}
    # One alone is about both.
    (folder / "ans.csv").write_text("query,result1\none,d1\n")
    assert ranks("score", *BOTH, "b.run", "-q") == {"q001": 1.0, "q002": 1.0}
    # Two in one line of JSON are still two.
    (folder / "q.jsonl").write_text('{"query_id": "x", "text": "one"}\n')
    (folder / "ans.json").write_text(
        '[{"query": "one", "expected": "a"}, {"query": "one", "expected": "b"}]'
    )
    refused = judge_tui("score", "--answers", "ans.json", *BOTH[2:], "b.run", code=2).stderr
    assert "query 'x' has answers in line 1 already; put them together" in refused


def test_ids_that_came_into_the_answers_are_found_by_the_texts_of_queries_without(folder):
    judge_tui("evaluate", "s.toml", "--answers", "ans.csv", "-o", "out")
    (folder / "then.csv").write_text(ANSWERS)
    rows = ANSWERS.splitlines()
    # In another order, with an id that a place has, and a query that nobody asked.
    numbered = [f"query_id,{rows[0]}", f"k2,{rows[2]}", f"q001,{rows[1]}", f"k3,{rows[3]}"]
    (folder / "ans.csv").write_text("\n".join([*numbered, "k4,four,d4,b", ""]))
    words = ("score", "--answers", "ans.csv", "out/b.run", "-q", "--complete")
    # By hand: d1 is first, for `one`, d2 second, for `two`; d3 is nowhere.
    found = {"q001": 1.0, "q002": 0.5, "q003": 0.0}
    assert ranks(*words, "--queries", "then.csv") == found
    told = "answers to queries that are not in then.csv, left out: 1 (k4)"
    assert told in judge_tui(*words, "--queries", "then.csv").output
    judge_tui("evaluate", "s.toml", "--answers", "ans.csv", "--queries", "then.csv", "-o", "out")
    assert ranks(*words, "--queries", "then.csv") == found
    # The same text twice is asked twice, and an id that has another text there is refused.
    (folder / "ans.csv").write_text("query_id,query,result1\nk1,one,d1\nk2,one,d2\n")
    (folder / "then.csv").write_text("query,result1\none,d1\none,d2\n")
    judge_tui("evaluate", "s.toml", "--answers", "then.csv", "-o", "out")
    assert ranks(*words, "--queries", "then.csv") == {"q001": 1.0, "q002": 0.5}
    (folder / "ans.csv").write_text("query_id,query,result1\nq001,two,d2\n")
    refused = judge_tui(*words, "--queries", "then.csv", code=2).stderr
    assert "query 'q001' is 'one' in then.csv:2, and 'two' here; mend the id or the text" in refused


def test_a_run_over_a_file_that_was_numbered_anew_is_of_what_was_asked(folder):
    judge_tui("init")
    judge_tui("load", "queries", "ans.csv")
    (folder / "ans.csv").write_text(ANSWERS.replace("one,", "new,d2,a\none,", 1))
    judge_tui("evaluate", "s.toml", "--answers", "ans.csv", "-o", "out")
    refused = judge_tui("load", "run", "out/b.run", code=2).stderr
    assert (
        "b.run:1: query 'q001' was asked as 'new', which is not in the campaign and not its 'one';"
        " load its queries first (judge-tui load queries FILE), or leave such rows out with"
        " --skip-unknown; if its text is another one now, ask anew: collect or evaluate again\n"
    ) in refused
    judge_tui("load", "queries", "ans.csv")
    told = judge_tui("load", "run", "out/b.run").stderr
    assert (
        "b.answers.jsonl says what was asked, and the campaign has other ids for 4 of these queries"
        " (q001 is q005, 'new'; q002 is q001, 'one'; q003 is q002, 'two'; …)"
    ) in told
    judge_tui("load", "answers", "ans.csv", "--judge", "sheet")
    # By hand: d1 is first, for `one`, and d2 second, for `new` and `two`; nothing has d3.
    by_id = {"q001": 1.0, "q002": 0.5, "q003": 0.0, "q005": 0.5}
    assert ranks("score", "--db", "campaign.db", "-q") == by_id
    assert "there already" in judge_tui("load", "run", "out/b.run").stdout
    # What is there by this name and says nothing of this run is to lie elsewhere.
    (folder / "out/b.answers.jsonl").write_text('{"judge_tui": 1}\n{"query_id": "x", "query": "y"}')
    refused = judge_tui("load", "run", "out/b.run", code=2).stderr
    assert "b.run: query 'q001' is not in out/b.answers.jsonl: the run was not written" in refused


def test_a_text_that_was_mended_since_keeps_its_run(folder):
    judge_tui("init")
    judge_tui("load", "queries", "ans.csv")
    judge_tui("evaluate", "s.toml", "--answers", "ans.csv", "-o", "out")
    judge_tui("load", "run", "out/b.run")
    (folder / "ans.csv").write_text(ANSWERS.replace("one,", "one now,"))
    judge_tui("load", "queries", "ans.csv", "--replace")
    again = judge_tui("load", "run", "out/b.run")
    assert "there already" in again.stdout
    assert "another text than the campaign has now: q001 as 'one', now 'one now'" in again.stderr
    new = judge_tui("load", "run", "out/b.run", "--tag", "c")
    assert "q001 as 'one', now 'one now'; results are of what was asked" in new.stderr


def test_a_text_that_comes_to_be_a_query_is_told_with_the_runs_that_were_asked_it(
    folder,
):
    judge_tui("init")
    (folder / "ans.csv").write_text("query,result1\nread a file,d1\ntwo,d2\n")
    judge_tui("load", "queries", "ans.csv")
    (folder / "ans.csv").write_text("query,result1\nread a file 2,d2\ntwo,d2\n")
    judge_tui("evaluate", "s.toml", "--answers", "ans.csv", "-o", "out")
    asked = judge_tui("load", "run", "out/b.run").stderr
    assert "q001 as 'read a file 2', now 'read a file'; results are of what was asked" in asked
    judge_tui("load", "run", "out/b.run", "--tag", "c")
    (folder / "more.tsv").write_text("x\tunheard of\n")
    assert judge_tui("load", "queries", "more.tsv").stderr == ""
    told = judge_tui("load", "queries", "ans.csv").stderr
    assert (
        "note: runs were asked what is a new query now, and what they found, or that they found"
        " nothing, counts for another one still: b, c for q001, asked as 'read a file 2', which is"
        " q004 now; load b, c again with --replace\n"
    ) in told
    judge_tui("load", "run", "out/b.run", "--replace")
    judge_tui("load", "answers", "ans.csv", "--judge", "sheet")
    assert ranks("score", "--db", "campaign.db", "b", "-q") == {"q002": 0.5, "q004": 0.5}


def test_so_are_runs_that_were_asked_it_and_found_nothing(folder):
    judge_tui("init")
    nothing = SYSTEM.replace(".b]", ".nothing]").replace('[\\"d1\\", \\"d2\\"]', "[]")
    assert "[]" in nothing
    (folder / "s.toml").write_text(SYSTEM + nothing)
    (folder / "ans.csv").write_text("query,result1\nread a file,d1\n")
    judge_tui("load", "queries", "ans.csv")
    (folder / "ans.csv").write_text("query,result1\nread a file 2,d2\n")
    judge_tui("evaluate", "s.toml", "--answers", "ans.csv", "-o", "out")
    runs = ("load", "run", "out/b.run", "out/nothing.run")
    judge_tui(*runs)
    told = judge_tui("load", "queries", "ans.csv").stderr
    assert (
        "still: b, nothing for q001, asked as 'read a file 2', which is q002 now; load b, nothing"
        " again with --replace\n"
    ) in told
    judge_tui(*runs, "--replace")
    judge_tui("load", "answers", "ans.csv", "--judge", "sheet")
    scored = ("score", "--db", "campaign.db", "-q")
    assert [ranks(*scored, tag) for tag in ("b", "nothing")] == [{"q002": 0.5}, {"q002": 0.0}]


def test_a_text_that_was_mended_and_moved_since_keeps_its_run(folder):
    judge_tui("init")
    (folder / "ans.csv").write_text("query,result1\nhow to regsiter,d2\ntwo,d2\none,d1\n")
    judge_tui("evaluate", "s.toml", "--answers", "ans.csv", "-o", "out")
    (folder / "ans.csv").write_text("query,result1\none,d1\ntwo,d2\nhow to register,d2\n")
    judge_tui("load", "queries", "ans.csv")
    loaded = judge_tui("load", "run", "out/b.run").stderr
    assert loaded == (
        "note: b.answers.jsonl says what was asked, and the campaign has other ids for 2 of these"
        " queries (q001 is q003, 'how to register'; q003 is q001, 'one'): results count for the"
        " query that was asked\n"
        "note: asked with another text than the campaign has now: q003 as 'how to regsiter', now"
        " 'how to register'; results are of what was asked\n"
    )
    judge_tui("load", "answers", "ans.csv", "--judge", "sheet")
    # By hand: d1 is first, for `one`, and d2 second, for the others.
    by_id = {"q001": 1.0, "q002": 0.5, "q003": 0.5}
    assert ranks("score", "--db", "campaign.db", "-q") == by_id
    # Which of two it is nobody knows.
    (folder / "more.jsonl").write_text('{"query_id": "x", "text": "how to register it"}\n')
    judge_tui("load", "queries", "more.jsonl")
    refused = judge_tui("load", "run", "out/b.run", code=2).stderr
    assert "query 'q001' was asked as 'how to regsiter', which is not in the campaign" in refused
    assert "; if its text is another one now, ask anew: collect or evaluate again\n" in refused


def test_of_two_texts_that_one_may_be_mended_none_is_taken(folder):
    judge_tui("init")
    (folder / "ans.csv").write_text("query,result1\nhow to regsiter,d1\nhow to registre,d1\n")
    judge_tui("evaluate", "s.toml", "--answers", "ans.csv", "-o", "out")
    (folder / "ans.csv").write_text("query,result1\nelse,d1\nhow to register,d1\n")
    judge_tui("load", "queries", "ans.csv")
    assert "was asked as 'how to regsiter'" in judge_tui("load", "run", "out/b.run", code=2).stderr


def test_the_same_run_of_other_queries_takes_the_place_of_itself_on_request(folder):
    judge_tui("init")
    judge_tui("load", "queries", "ans.csv")
    (folder / "ans.csv").write_text("query,result1\nthree,d1\none,d1\n")
    system = r"""[systems.b]
kind = "command"
argv = ["sh", "-c", "test $1 = one && echo '[\"d1\"]' || echo '[\"d2\", \"d1\"]'", "sh", "{query}"]
results = "@"
id = "@"
"""
    (folder / "s.toml").write_text(system)
    judge_tui("evaluate", "s.toml", "--answers", "ans.csv", "-o", "out")
    (folder / "b.run").write_text((folder / "out/b.run").read_text())
    judge_tui("load", "run", "b.run")
    judge_tui("load", "answers", "ans.csv", "--judge", "sheet")
    # By places: what was found for `three` counts for `one`, and what was for `one` for `two`.
    by_place = {"q001": 0.5, "q003": 0.0}
    assert ranks("score", "--db", "campaign.db", "-q", "--complete") == by_place
    refused = judge_tui("load", "run", "out/b.run", code=2).stderr
    assert refused == (
        "error: out/b.run: run 'b' is in the campaign already, from the same file, but its ids of"
        " queries mean others now, so that other results, if any, would count for 2 of the"
        " campaign's (q001 'one'; q002 'two'); if NAME.answers.jsonl was beside it then, put it"
        " there again; or let its results count as they would now with --replace\n"
    )
    assert ranks("score", "--db", "campaign.db", "-q", "--complete") == by_place
    assert "1 replaced" in judge_tui("load", "run", "out/b.run", "--replace").stdout
    truth = {"q001": 1.0, "q003": 0.5}
    assert ranks("score", "--db", "campaign.db", "-q", "--complete") == truth
    assert "there already" in judge_tui("load", "run", "out/b.run").stdout
    # The way back takes what was asked with it: nobody knows it of the queries that it is of then.
    assert "put it there again" in judge_tui("load", "run", "b.run", code=2).stderr
    judge_tui("load", "run", "b.run", "--replace")
    assert ranks("score", "--db", "campaign.db", "-q", "--complete") == by_place
    with sqlite3.connect("campaign.db") as connection:
        assert connection.execute("SELECT count(*) FROM asked").fetchone() == (0,)


def test_ids_that_no_place_gives_are_those_of_the_campaign_whatever_was_asked(folder):
    judge_tui("init")
    (folder / "q.tsv").write_text("a\tone\nb\ttwo\n")
    judge_tui("load", "queries", "q.tsv")
    # Written out by another model, say: the needs are the same.
    (folder / "q.tsv").write_text("a\ttwo\nb\tall about two\n")
    judge_tui("collect", "s.toml", "--queries", "q.tsv", "-o", "out")
    loaded = judge_tui("load", "run", "out/b.run")
    assert loaded.stdout == "out/b.run: run b: 1 loaded\n"
    assert loaded.stderr == (
        "note: b.answers.jsonl says that other texts were asked than the campaign has by these ids:"
        " 2 (a: 'two' there, 'one' here; b: 'all about two' there, 'two' here); if these are other"
        " queries, give them ids of their own\n"
    )
    judge_tui("export", "run", "--tag", "b", "-o", "back.run")
    assert [row.split()[0] for row in (folder / "back.run").read_text().splitlines()] == [
        *("a", "a", "b", "b")
    ]


def test_other_texts_under_ids_are_told_however_alike_they_are(folder):
    judge_tui("init")
    (folder / "q.tsv").write_text("a\tread a file\nb\tread a file fast\n")
    judge_tui("load", "queries", "q.tsv")
    (folder / "q.tsv").write_text("a\tread a file fast\nb\tread a file\n")
    judge_tui("collect", "s.toml", "--queries", "q.tsv", "-o", "out")
    assert (
        "by these ids: 2 (a: 'read a file fast' there, 'read a file' here; b: 'read a file' there,"
        " 'read a file fast' here)"
    ) in judge_tui("load", "run", "out/b.run").stderr


def test_queries_that_qrels_may_call_otherwise_by_their_places_are_told(folder):
    (folder / "a.qrels").write_text("q001 0 d1 1\nq002 0 d1 1\n")
    (folder / "b.run").write_text("q001 Q0 d1 1 1 b\nq002 Q0 d2 1 1 b\n")
    told = (
        "{} has no query_id, so its queries are q001 to q003, by their places; if a.qrels calls"
        " other queries so, write the ids into it"
    )
    words = ("score", "a.qrels", "b.run", "--queries")
    assert told.format("ans.csv") in judge_tui(*words, "ans.csv", "--by", "class").stdout
    assert "by their places" not in judge_tui(*words, "q.jsonl", "--by", "subset").stdout
    ask = ("evaluate", "s.toml", "--qrels", "a.qrels", "--queries")
    assert told.format("ans.csv") in judge_tui(*ask, "ans.csv", "-o", "out").stdout
    assert "by their places" not in judge_tui(*ask, "q.jsonl", "-o", "own").stdout


def test_a_campaign_with_other_ids_asks_for_them_in_the_file(folder):
    judge_tui("init")
    judge_tui("load", "queries", "ans.csv")
    (folder / "b.run").write_text("q001 Q0 d1 1 1 b\n")
    judge_tui("load", "run", "b.run")
    judge_tui("load", "answers", "ans.csv", "--judge", "sheet")
    words = ("score", "--db", "campaign.db", "--by", "class", "--queries", "ans.csv")
    assert "by their places" not in judge_tui(*words).stdout
    (folder / "ans.csv").write_text(ANSWERS.replace("one,", "new,d2,a\none,", 1))
    assert "write the ids into it, as query_id" in judge_tui(*words, code=2).stderr
