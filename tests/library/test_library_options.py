"""The options of `score` and `compare`: each the same as at the command line, by the command."""

from __future__ import annotations

import csv
import io
import json

import pandas as pd
import pytest
from click.testing import CliRunner

import judge_tui
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.cli import cli
from judge_tui.errors import CampaignError
from judge_tui.formats.whole_files import read_qrels, read_run
from judge_tui.model import Query
from tests.campaigns import grade_by_file

QRELS = """q1 0 a 2
q1 0 b 1
q1 0 c -1
q2 0 a 1
q3 0 d 3
q4 0 a 0
q5 0 a 1
"""

# Scores that differ in 64 bits and are tied in 32; unjudged documents; a query of nobody's.
OLD = """q1 Q0 a 1 1.00000002 old
q1 Q0 b 2 1.00000001 old
q1 Q0 x 3 0.5 old
q2 Q0 y 1 2 old
q2 Q0 a 2 1 old
q3 Q0 x 1 3 old
q3 Q0 c 2 2 old
q3 Q0 d 3 1 old
q4 Q0 a 1 1 old
q9 Q0 a 1 1 old
"""
NEW = (
    OLD.replace(" old", " new")
    .replace("q3 Q0 d 3 1", "q3 Q0 d 3 9")
    .replace("q1 Q0 x 3", "q1 Q0 c 3")
)

QUERIES = [
    {"query_id": "q1", "text": "t", "class": "known-item", "hard": True},
    {"query_id": "q2", "text": "t", "class": "survey", "hard": False},
    {"query_id": "q3", "text": "t", "class": "survey"},
    {"query_id": "q4", "text": "t", "class": "known-item"},
]
RUNS = ["old.run", "new.run"]
BY_CLASS = {"by": "class", "queries": "queries.jsonl"}


def jsonl(records):
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    declared = [
        {**query, "measures": ["P@1"]} if query["class"] == "known-item" else query
        for query in QUERIES
    ]
    for name, content in (
        ("qrels", QRELS),
        ("old.run", OLD),
        ("new.run", NEW),
        ("queries.jsonl", jsonl(QUERIES)),
        ("declared.jsonl", jsonl(declared)),
    ):
        (tmp_path / name).write_text(content)
    return tmp_path


def printed(*words, form="json"):
    done = CliRunner().invoke(cli, [*words, "-f", form], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout) if form == "json" else list(csv.reader(io.StringIO(done.stdout)))


def sources():
    """The same qrels and runs, as files and in memory."""
    runs = [read_run(name) for name in RUNS]
    yield "qrels", RUNS
    yield read_qrels("qrels"), runs
    rows = [
        (run.tag, q, d, s) for run in runs for q, of in run.scores.items() for d, s in of.items()
    ]
    yield read_qrels("qrels"), pd.DataFrame(rows, columns=["tag", "query_id", "doc_id", "score"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, ""),
        ({"complete": True}, "-c"),
        ({"judged_only": True, "depth": 2, "complete": True}, "-J -M 2 -c"),
        ({"rel": 2}, "-l 2"),
        ({"precision": 32}, "--score-precision 32"),
        ({"bounds": True}, "--bounds"),
        (BY_CLASS, "--by class --queries queries.jsonl"),
        ({**BY_CLASS, "by": "hard"}, "--by hard --queries queries.jsonl"),
        ({**BY_CLASS, "queries": "declared.jsonl"}, "--by class --queries declared.jsonl"),
    ],
)
@pytest.mark.usefixtures("here")
def test_score_says_what_the_command_prints(options, words):
    measures = ["nDCG@2", "RR", "AP(rel=2)", "Judged@2"]
    asked = ["score", "qrels", *RUNS, "-q", *words.split()]
    asked += [word for measure in measures for word in ("-m", measure)]
    expected = printed(*asked)
    expected.pop("gates", None)
    for qrels, runs in sources():
        document = judge_tui.score(qrels, runs, measures, **options).to_dict(per_query=True)
        assert document == expected
        assert list(document["runs"][0]) == list(expected["runs"][0])
        assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_rows_are_those_of_the_csv(here):
    options = {**BY_CLASS, "queries": "declared.jsonl"}
    scores = judge_tui.score("qrels", RUNS, ["nDCG@2", "RR"], **options)
    words = "score qrels old.run new.run nDCG@2 RR -q --by class --queries declared.jsonl"
    header, *cells = printed(*words.split(), form="csv")
    rows = [dict(zip(header, row, strict=True)) for row in cells]
    # There is no mean over all, and those of the slices stand in its place.
    assert sorted((*row[:3], repr(row[3])) for row in scores.to_rows(per_query=True)) == sorted(
        (
            row["tag"],
            row["slice" if row["query_id"] == "all" else "query_id"],
            row["measure"],
            row["value"],
        )
        for row in rows
        if row["value"]
    )
    assert sorted((f"class={row[0]}", *map(str, row[1:4])) for row in scores.slices.to_rows()) == (
        sorted(
            (row["slice"], row["tag"], row["queries"], row["measure"])
            for row in rows
            if row["query_id"] == "all"
        )
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, ""),
        ({"baseline": "new", "tests": "sign"}, "--baseline new -t sign"),
        ({"all_pairs": True, "tukey": True}, "--all-pairs --tukey"),
        (
            {"by": "class", "queries": "declared.jsonl", "correction": "bh"},
            "--by class --queries declared.jsonl --correction bh",
        ),
        (
            {"alternative": "greater", "alpha": 0.1, "seed": 3, "tests": ["t", "bootstrap"]},
            "--alternative greater --alpha .1 --seed 3 -t t -t bootstrap",
        ),
    ],
)
@pytest.mark.usefixtures("here")
def test_compare_says_what_the_command_prints(options, words):
    asked = ["compare", "qrels", *RUNS, "-m", "nDCG@2", "-m", "RR", *words.split()]
    expected = printed(*asked)
    expected["settings"].pop("by", None)
    expected.pop("gates")
    header, *rows = printed(*asked, form="csv")
    for qrels, runs in sources():
        result = judge_tui.compare(qrels, runs, ["nDCG@2", "RR"], **options)
        assert result.to_dict() == expected
        assert list(result.columns) == header
        shown = [
            ["" if c is None else c if isinstance(c, str) else repr(c) for c in row]
            for row in result.to_rows()
        ]
        assert shown == rows


@pytest.mark.usefixtures("here")
def test_slices_by_a_mapping_or_a_column():
    by_class = {query["query_id"]: query["class"] for query in QUERIES}
    expected = judge_tui.score("qrels", "old.run", "RR", **BY_CLASS)
    scores = judge_tui.score("qrels", "old.run", "RR", slices=by_class)
    assert scores.slices.to_rows() == expected.slices.to_rows()
    assert scores.to_dict()["settings"]["by"] == "slice"
    queries = [Query(q["query_id"], "t", query_class=q["class"]) for q in QUERIES]
    scores = judge_tui.score("qrels", "old.run", "RR", by="class", queries=queries)
    assert scores.slices.to_rows() == expected.slices.to_rows()
    compared = judge_tui.compare("qrels", RUNS, "RR", slices=by_class)
    assert [c.slice for c in compared.comparisons] == ["known-item", "survey"]
    # A column of a frame, with a gap.
    words = pd.Series([2, None, 3], index=[1, 2, 3])
    qrels = {1: {"a": 1}, 2: {"a": 1}, 3: {"a": 1}}
    for slices in (words, dict(words.items())):
        scores = judge_tui.score(qrels, qrels, "RR", slices=slices)
        assert [one.name for one in scores.slices.slices] == ["2.0", "3.0", ""]


def test_grades_by_text_are_joined_to_the_queries_as_by_the_command(here):
    (here / "basic.csv").write_text("query,docid,rating\nfirst  one,a,2\nsecond,a,0\nsecond,b,1\n")
    (here / "ql.csv").write_text("query_id,query,lang\nq1,first one,en\nq2,second,de\n")
    (here / "r.run").write_text("q1 Q0 a 1 2 r\nq2 Q0 a 1 2 r\nq2 Q0 b 2 1 r\n")
    words = "score basic.csv r.run --queries ql.csv --by lang -m RR -q"
    expected = printed(*words.split())["runs"]
    for runs in ("r.run", read_run("r.run"), {"r": "r.run"}):
        found = judge_tui.score("basic.csv", runs, "RR", by="lang", queries="ql.csv")
        assert found.to_dict(per_query=True)["runs"] == expected
    both = {"a": "r.run", "b": "r.run"}
    sides = judge_tui.compare("basic.csv", both, "RR", queries="ql.csv")
    assert [(one.queries, one.ties) for one in sides] == [(2, 2)]


@pytest.fixture
def judged(campaign, files):
    """Two judges who differ about one pair, and two queries of unlike classes."""
    grade_by_file(campaign, "ann", "q1 0 csv.reader 3\nq1 0 csv.writer 0\nq2 0 sorted 2\n")
    grade_by_file(campaign, "bob", "q1 0 csv.reader 3\nq1 0 csv.writer 1\n")
    classes = {"q1": "lookup", "q2": "attribute"}
    lines = [{"query_id": q, "text": "t", "class": name} for q, name in classes.items()]
    (files / "classes.jsonl").write_text(jsonl(lines))
    load_queries(campaign, files / "classes.jsonl", replace=True)
    return campaign


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, ""),
        ({"runs": "beta", "measures": ["P@2", "Judged@2"]}, "beta -m P@2 -m Judged@2"),
        ({"runs": ["beta", "alpha"], "policy": "max"}, "beta alpha --policy max"),
        ({"by": "class", "measures": "P@2"}, "--by class -m P@2"),
        # The greatest grade is that of the scale.
        ({"measures": ["P@2", "ERR@2"], "bounds": True}, "-m P@2 -m ERR@2 --bounds"),
    ],
)
def test_a_campaign_is_scored_as_by_the_command(judged, options, words):
    scores = judge_tui.score(judged, **options)
    expected = printed("score", "-q", *words.split(), "--db", str(judged.path))
    document = scores.to_dict(per_query=True)
    assert document["runs"] == expected["runs"]
    assert document["warnings"] == expected["warnings"]
    assert list(map(str, scores.measures)) == expected["measures"]


@pytest.mark.parametrize("by", [None, "class"])
def test_a_campaign_is_compared_as_by_the_command(judged, by):
    result = judge_tui.compare(judged, ["beta", "alpha"], by=by).to_dict()
    words = ["--by", by] if by else []
    expected = printed("compare", "beta", "alpha", *words, "--db", str(judged.path))
    assert result["comparisons"] == expected["comparisons"]
    assert result["warnings"] == expected["warnings"]


def test_a_campaign_is_opened_and_its_judges_compared(judged, files):
    judged.close()
    with judge_tui.open_campaign(files / "campaign.db") as opened:
        agreement = judge_tui.agree(grades_by_judge(opened), opened.settings.scale.grades)
    assert agreement.judges == ("ann", "bob")
    assert (agreement.pairs_judged, agreement.pairs_shared) == (3, 2)
    assert agreement.between[0].estimates["agreement"].value == 0.5
    for name in ("none.db", "alpha.run"):
        with pytest.raises(CampaignError, match=name):
            judge_tui.open_campaign(files / name)
