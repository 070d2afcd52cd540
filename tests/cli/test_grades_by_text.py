"""Grades that name queries by their texts, as Quepid's do, beside a file of queries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.as_typed import judge_tui
from tests.evaluating import SYSTEM

RATINGS = "query,docid,rating\nread a file,d1,1\ntwo,d2,1\n"
# White space makes no other text.
TEXTS = "query,class\nread  a file,x\ntwo,y\n"
IDS = "query_id,query,class\nb1,two,y\nb2,read a file,x\nb3,three,z\n"
RANKED = "{0} Q0 d1 1 2 s\n{1} Q0 d1 1 2 s\n{1} Q0 d2 2 1 s\n"
BY_TEXT = "query,docid,score\nread a file,d1,2\ntwo,d1,2\ntwo,d2,1\n"
SNAPSHOT = (
    "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    "s,now,1,read a file,d1,1\ns,now,1,two,d1,1\ns,now,1,two,d2,2\n"
)
DETAILED = (
    "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\n"
    "t,c,1,read a file,d1,1,,1\nt,c,1,two,d1,1,,0\nt,c,1,two,d2,2,,1\n"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ratings.csv").write_text(RATINGS)
    return tmp_path


@pytest.mark.parametrize(
    ("run", "queries"),
    [
        (BY_TEXT, TEXTS),
        (BY_TEXT, IDS),
        (SNAPSHOT, TEXTS),
        (SNAPSHOT, IDS),
        (RANKED.format("q001", "q002"), TEXTS),
        (RANKED.format("b2", "b1"), IDS),
    ],
)
def test_the_queries_are_those_of_the_texts_whatever_the_runs_call_them(folder, run, queries):
    for name in ("s.run", "t.run"):
        (folder / name).write_text(run)
    (folder / "queries.csv").write_text(queries)
    words = ("ratings.csv", "s.run", "--by", "class", "--queries", "queries.csv")
    document = json.loads(judge_tui("score", *words, "-m", "RR", "-f", "json").stdout)
    slices = document["runs"][0]["slices"]
    assert {name: its["mean"]["RR"] for name, its in slices.items()} == {"x": 1.0, "y": 0.5}
    shown = judge_tui("score", *words).stdout
    assert ("queries of queries.csv without grades, left out: 1" in shown) == (queries == IDS)
    compared = judge_tui("compare", "ratings.csv", "a=s.run", "b=t.run", *words[2:], "-f", "json")
    found = json.loads(compared.stdout)["comparisons"]
    assert {one["slice"] for one in found} == {"x", "y"}


def test_results_with_grades_beside_them_are_joined_alike(folder):
    (folder / "both.csv").write_text(DETAILED)
    (folder / "queries.csv").write_text(TEXTS)
    words = ("both.csv", "--by", "class", "--queries", "queries.csv", "-m", "RR", "-f", "json")
    slices = json.loads(judge_tui("score", *words).stdout)["runs"][0]["slices"]
    assert {name: its["mean"]["RR"] for name, its in slices.items()} == {"x": 1.0, "y": 0.5}


@pytest.mark.parametrize(("queries", "ids"), [(TEXTS, ["q001", "q002"]), (IDS, ["b2", "b1"])])
def test_evaluate_asks_the_queries_of_the_texts(folder, queries, ids):
    (folder / "s.toml").write_text(SYSTEM)
    (folder / "queries.csv").write_text(queries)
    words = ("--qrels", "ratings.csv", "--queries", "queries.csv", "-m", "RR", "-o", "out")
    shown = judge_tui("evaluate", "s.toml", *words).stdout
    assert "by their places" not in shown
    found = json.loads((folder / "out/results.json").read_text())["queries"]
    ranks = {one["query_id"]: one["systems"]["b"]["first_rank"] for one in found}
    assert ranks == dict(zip(ids, [1, 2], strict=True))


def test_grades_of_a_text_are_those_of_all_queries_that_have_it(folder):
    (folder / "ratings.csv").write_text(RATINGS.replace("read a file,d1,1\n", ""))
    (folder / "s.run").write_text(RANKED.format("b1", "b2"))
    (folder / "queries.csv").write_text("query_id,query,class\nb1,two,x\nb2,two,y\n")
    words = ("ratings.csv", "s.run", "--by", "class", "--queries", "queries.csv", "-m", "RR")
    slices = json.loads(judge_tui("score", *words, "-f", "json").stdout)["runs"][0]["slices"]
    # Of `two` d2 is right, which b2 alone has, behind d1.
    assert {name: its["mean"]["RR"] for name, its in slices.items()} == {"x": 0.0, "y": 0.5}


def test_other_texts_are_refused(folder):
    (folder / "s.run").write_text(BY_TEXT)
    (folder / "queries.csv").write_text("query,class\nnine,x\n")
    words = ("ratings.csv", "s.run", "--by", "class", "--queries", "queries.csv")
    assert judge_tui("score", *words, code=2).stderr == (
        "error: queries.csv: none of its queries is in ratings.csv, such as 'nine' here and"
        " 'read a file' there; look at the texts\n"
    )


TWO_NAMES = "query,docid,rating\nread a file,d1,1\nb2,d2,1\ntwo,d2,1\n"


@pytest.mark.parametrize("source", ["ratings.csv", "-"])
def test_a_query_has_the_grades_by_its_text_and_by_its_id(folder, source):
    """From a pipe, too, which cannot be looked into beforehand."""
    (folder / "ratings.csv").write_text(TWO_NAMES)
    given = TWO_NAMES if source == "-" else ""
    (folder / "s.run").write_text(RANKED.format("b2", "b1") + "b2 Q0 d2 2 1 s\n")
    (folder / "queries.csv").write_text(IDS)
    words = ("--by", "class", "--queries", "queries.csv", "-m", "P@2", "-f", "json")
    scored = judge_tui("score", source, "s.run", *words, given=given).stdout
    slices = json.loads(scored)["runs"][0]["slices"]
    assert {name: its["mean"]["P@2"] for name, its in slices.items()} == {"x": 1.0, "y": 0.5}
    (folder / "s.toml").write_text(SYSTEM)
    words = ("--qrels", source, "--queries", "queries.csv", "-m", "P@2", "-o", "out")
    judge_tui("evaluate", "s.toml", *words, given=given)
    found = json.loads((folder / "out/results.json").read_text())["queries"]
    values = {one["query_id"]: one["systems"]["b"]["values"]["P@2"] for one in found}
    assert values == {"b1": 0.5, "b2": 1.0}


def test_two_grades_of_one_document_by_both_names_are_refused(folder):
    (folder / "ratings.csv").write_text("query,docid,rating\nread a file,d1,1\nb2,d1,0\n")
    (folder / "s.run").write_text(RANKED.format("b2", "b1"))
    (folder / "queries.csv").write_text(IDS)
    (folder / "s.toml").write_text(SYSTEM)
    refusal = (
        "error: ratings.csv: 'd1' is graded 1 for query 'read a file', and 0 for 'b2', which are"
        " one query; remove one of the two grades\n"
    )
    words = ("--queries", "queries.csv")
    by_class = (*words, "--by", "class")
    assert judge_tui("score", "ratings.csv", "s.run", *by_class, code=2).stderr == refusal
    words = ("--qrels", "ratings.csv", *words, "-o", "out")
    assert judge_tui("evaluate", "s.toml", *words, code=2).stderr == refusal


def test_two_names_of_a_query_are_one_however_the_runs_call_it(folder):
    """As by ids: grades go together, or contradict each other; two lists cannot be one."""
    (folder / "queries.csv").write_text(IDS)
    (folder / "ids.run").write_text(RANKED.format("b2", "b1") + "b2 Q0 d2 2 1 s\n")
    (folder / "texts.csv").write_text(SNAPSHOT + "s,now,1,read a file,d2,2\n")
    words = ("--by", "class", "--queries", "queries.csv", "-m", "P@2", "-q", "-f", "json")
    (folder / "ratings.csv").write_text(TWO_NAMES)
    by_ids, by_texts = (
        json.loads(judge_tui("score", "ratings.csv", run, *words).stdout)["runs"][0]
        for run in ("ids.run", "texts.csv")
    )
    assert by_ids == by_texts
    assert {name: its["P@2"] for name, its in by_ids["per_query"].items()} == {"b1": 0.5, "b2": 1.0}
    (folder / "ratings.csv").write_text("query,docid,rating\nread a file,d1,1\nb2,d1,0\n")
    for run in ("ids.run", "texts.csv"):
        refused = judge_tui("score", "ratings.csv", run, *words, code=2).stderr
        assert "which are one query; remove one of the two grades" in refused
    (folder / "ratings.csv").write_text(TWO_NAMES)
    (folder / "texts.csv").write_text(SNAPSHOT + "s,now,1,b2,d2,2\n")
    assert judge_tui("score", "ratings.csv", "texts.csv", *words, code=2).stderr == (
        "error: texts.csv: there are results for 'read a file' and for 'b2', which are one query;"
        " call it by one of the two, or leave one of them out\n"
    )


ALIKE = ("query,class\ntwo,x\ntwo,y\nread a file,x\n", "query_id,{}b1,{}b2,{}b3,{}")


@pytest.mark.parametrize("queries", [ALIKE[0], ALIKE[1].format(*ALIKE[0].splitlines(True))])
def test_results_of_a_text_are_those_of_all_queries_that_have_it(folder, queries):
    (folder / "queries.csv").write_text(queries)
    (folder / "ratings.csv").write_text("query,docid,rating\nread a file,d1,1\ntwo,d2,1\n")
    (folder / "s.csv").write_text(SNAPSHOT)
    words = ("score", "ratings.csv", "s.csv", "--by", "class", "--queries", "queries.csv")
    slices = json.loads(judge_tui(*words, "-m", "RR", "-f", "json").stdout)["runs"][0]["slices"]
    # Of `two` d2 is right, which comes second.
    assert {name: its["mean"]["RR"] for name, its in slices.items()} == {"x": 0.75, "y": 0.5}
    judge_tui(*words, "-m", "RR", "--require", "x/RR>=0.9", code=1)
    assert "by their places" not in judge_tui(*words).stdout


BY_ID = "b2 0 d1 1\nb1 0 d2 1\n"


@pytest.mark.parametrize("grades", [RATINGS, BY_ID, "read%20a%20file 0 d1 1\ntwo 0 d2 1\n"])
def test_runs_by_ids_and_by_texts_stand_beside_each_other(folder, grades):
    (folder / "grades").write_text(grades)
    (folder / "queries.csv").write_text(IDS)
    (folder / "ids.run").write_text(RANKED.format("b2", "b1"))
    (folder / "s.csv").write_text(SNAPSHOT)
    (folder / "texts.csv").write_text(BY_TEXT)
    runs = ("a=ids.run", "b=s.csv", "c=texts.csv")
    words = ("grades", *runs, "--by", "class", "--queries", "queries.csv", "-m", "RR", "-f", "json")
    for run in json.loads(judge_tui("score", *words, "-q").stdout)["runs"]:
        assert run["missing"] == {"run": 0, "qrels": 0}
        assert run["per_query"] == {"b1": {"RR": 0.5}, "b2": {"RR": 1.0}}
        slices = {name: its["mean"]["RR"] for name, its in run["slices"].items()}
        assert slices == {"x": 1.0, "y": 0.5}
    compared = json.loads(judge_tui("compare", *words).stdout)["comparisons"]
    assert {(one["tag"], one["slice"]) for one in compared} == {
        *(("b", "x"), ("b", "y"), ("c", "x"), ("c", "y")),
    }
    assert {one["ties"] for one in compared} == {1}


@pytest.mark.parametrize("run", [RANKED.format("b2", "b1"), BY_TEXT])
@pytest.mark.parametrize("grades", [RATINGS, BY_ID])
def test_queries_without_slices_join_what_is_by_ids_and_by_texts(folder, grades, run):
    (folder / "grades").write_text(grades)
    (folder / "queries.csv").write_text(IDS)
    (folder / "s.run").write_text(run)
    (folder / "t.run").write_text(RANKED.format("b2", "b1"))
    words = ("grades", "s=s.run", "t=t.run", "--queries", "queries.csv", "-m", "RR", "-f", "json")
    for found in json.loads(judge_tui("score", *words, "-q").stdout)["runs"]:
        assert found["per_query"] == {"b1": {"RR": 0.5}, "b2": {"RR": 1.0}}
        assert "slices" not in found
    (compared,) = json.loads(judge_tui("compare", *words).stdout)["comparisons"]
    assert (compared["queries"], compared["ties"]) == (2, 2)


def test_queries_that_join_nothing_change_nothing_and_are_held_to_what_was_asked(folder):
    (folder / "grades").write_text(BY_ID)
    (folder / "s.run").write_text(RANKED.format("b2", "b1"))
    # What they demand is measured by slices alone.
    (folder / "queries.jsonl").write_text(
        '{"query_id": "b1", "text": "two", "class": "modern", "prefer": ["^d2", "^d1"]}\n'
        '{"query_id": "b2", "text": "read a file"}\n'
    )
    words = ("grades", "s.run", "-m", "RR", "-f", "json")
    alone = json.loads(judge_tui("score", *words).stdout)
    assert json.loads(judge_tui("score", *words, "--queries", "queries.jsonl").stdout) == alone
    (folder / "queries.csv").write_text("query_id,query\nb7,seven\n")
    assert judge_tui("score", *words, "--queries", "queries.csv", code=2).stderr == (
        "error: queries.csv: none of its queries is in grades, such as 'b7' here and 'b2' there;"
        " look at the ids\n"
    )
    (folder / "s.run").write_text(RANKED.format("q001", "q002"))
    (folder / "grades").write_text("q001 0 d1 1\n")
    (folder / "queries.csv").write_text(TEXTS)
    noted = judge_tui("score", *words[:2], "--queries", "queries.csv").stdout
    assert "queries.csv has no query_id, so its queries are q001 to q002, by their places" in noted


def test_what_has_no_query_in_common_says_how_it_is_joined(folder):
    (folder / "s.run").write_text(RANKED.format("b2", "b1"))
    assert "or give the queries that have both ids and texts with --queries" in (
        judge_tui("score", "ratings.csv", "s.run", code=2).stderr
    )


def test_standard_input_is_one_file(folder):
    (folder / "s.toml").write_text(SYSTEM)
    words = ("--qrels", "-", "--queries", "-", "-o", "out")
    refused = judge_tui("evaluate", "s.toml", *words, code=2, given=RATINGS)
    assert "standard input cannot be both" in refused.stderr


@pytest.mark.parametrize(
    ("name", "grades"),
    [
        ("table.csv", "query,doc_id,relevance\nread a file,d1,1\ntwo,d2,1\n"),
        ("pairs.json", '{"read a file": {"d1": 1}, "two": {"d2": 1}}'),
    ],
)
def test_evaluate_tells_texts_in_forms_that_may_have_ids_too(folder, name, grades):
    (folder / name).write_text(grades)
    (folder / "s.toml").write_text(SYSTEM)
    (folder / "queries.csv").write_text(IDS)
    words = ("--qrels", name, "--queries", "queries.csv", "-m", "RR", "-o", "out")
    judge_tui("evaluate", "s.toml", *words)
    found = json.loads((folder / "out/results.json").read_text())["queries"]
    ranks = {one["query_id"]: one["systems"]["b"]["first_rank"] for one in found}
    assert ranks == {"b1": 2, "b2": 1}


@pytest.mark.parametrize("first", ["other", "b1"])
def test_the_first_name_of_a_file_decides_nothing(folder, first):
    """One that no query has, or an id before texts."""
    (folder / "queries.csv").write_text("query_id,query\nb1,two\nb2,read a file\n")
    (folder / "ids.qrels").write_text("b1 0 d1 1\nb2 0 d2 1\n")
    rows = [f"{first},d1,9", *([] if first == "b1" else ["two,d1,8"]), "read a file,d2,7"]
    (folder / "s.csv").write_text("\n".join(["query,docid,score", *rows, ""]))
    words = ("ids.qrels", "s.csv", "--queries", "queries.csv", "-m", "RR", "-f", "json")
    (run,) = json.loads(judge_tui("score", *words).stdout)["runs"]
    assert (run["queries"], run["mean"]["RR"]) == (2, 1.0)
    graded = [f"{first},d1,1", "two,d1,1", "read a file,d2,1"]
    (folder / "g.csv").write_text("\n".join(["query_id,doc_id,grade", *graded, ""]))
    (run,) = json.loads(judge_tui("score", "g.csv", *words[1:]).stdout)["runs"]
    # One that the table lacks is in both files.
    assert (run["queries"], run["mean"]["RR"]) == (3 if first == "other" else 2, 1.0)
