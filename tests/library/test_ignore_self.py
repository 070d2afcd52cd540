"""`ignore_self`: the scores are those of the same runs without the queries' own documents."""

import json
import random

import pytest

from judge_tui.api import compare, score
from judge_tui.model import Run
from judge_tui.scoring import DEFAULT_MEASURES
from tests.as_typed import judge_tui
from tests.small_files import read_small

DRAW = random.Random(7)
IDS = [f"d{number}" for number in range(60)]
QUERIES = IDS[:25]
MEASURES = [*DEFAULT_MEASURES, "nDCG", "Rprec", "NumRet", "infAP", "P(judged_only=True)@5"]


def of_query(query_id, take):
    """Documents with the query's own among them, or not, or alone."""
    others = DRAW.sample([one for one in IDS if one != query_id], take)
    return DRAW.sample([*others, *DRAW.choice([[query_id], []])], k=len(others)) or [query_id]


# Many ties; some queries have only themselves; the qrels know some of the own documents.
RUN = {q: {d: float(DRAW.randrange(6)) for d in of_query(q, DRAW.randrange(20))} for q in QUERIES}
QRELS = {q: {d: DRAW.randrange(-1, 4) for d in of_query(q, 8)} for q in QUERIES[2:]}
ROWS = [(query, doc, score) for query, its in RUN.items() for doc, score in its.items()]
WITHOUT = {q: {d: s for d, s in its.items() if d != q} for q, its in RUN.items()}


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "r.run"
    path.write_text("".join(f"{query} Q0 {doc} 1 {score} r\n" for query, doc, score in ROWS))
    return path


def values(runs, **options):
    scored = score(QRELS, runs, MEASURES, **options)["r"]
    return (*map(dict, [scored.values]), scored.query_ids, scored.missing_run)


@pytest.mark.parametrize("options", [{}, {"complete": True, "depth": 3}, {"judged_only": True}])
def test_in_every_form_of_a_run(file, monkeypatch, options):
    expected = values({"r": WITHOUT}, **options)
    assert expected != values({"r": RUN}, **options)
    for source in ({"r": RUN}, [Run("r", RUN)], {"r": ROWS}, {"r": str(file)}):
        assert values(source, ignore_self=True, **options) == expected
    read_small(monkeypatch, fast=True, block=300)
    assert values(str(file), ignore_self=True, **options) == expected
    assert values(str(file), ignore_self=True, jobs=2, **options) == expected


def test_compared_and_bounded_alike():
    two = {"r": RUN, "s": {q: dict(reversed(its.items())) for q, its in RUN.items()}}
    mine = compare(QRELS, two, "nDCG@5", ignore_self=True)
    theirs = {
        tag: {q: {d: s for d, s in its.items() if d != q} for q, its in run.items()}
        for tag, run in two.items()
    }
    assert mine == compare(QRELS, theirs, "nDCG@5")
    bounds = score(QRELS, two, "nDCG@5", bounds=True, ignore_self=True)["r"].bounds
    assert bounds == score(QRELS, theirs, "nDCG@5", bounds=True)["r"].bounds


def test_of_a_campaign_whose_runs_are_kept_one_result_less_deep(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.tsv").write_text("a\tfind it\n")
    (tmp_path / "r.run").write_text("a Q0 a 1 3 r\na Q0 b 2 2 r\na Q0 c 3 1 r\n")
    (tmp_path / "qrels").write_text("a 0 b 1\n")
    for words in ("init", "load queries q.tsv", "load run r.run --depth 2"):
        judge_tui(*words.split())
    judge_tui("load", "qrels", "qrels", "--judge", "ann")
    asked = ("score", "--db", "campaign.db", "--ignore-self")
    document = json.loads(judge_tui(*asked, "-m", "RR@1", "-f", "json").stdout)
    assert document["runs"][0]["mean"] == {"RR@1": 1.0}
    refused = judge_tui(*asked, "-m", "P@2", code=2).stderr
    assert "P@2 looks deeper than the 2 results a query kept of run 'r'" in refused
