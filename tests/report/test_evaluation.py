"""The page of an evaluation, built in memory: which system to take, and what stands on it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from judge_tui.analysis.live_systems import system_lists
from judge_tui.comparison.compare import compare_scores, measures_needed
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.evaluation.gates import check_gates, parse_gates
from judge_tui.evaluation.live import AskedSystem, Evaluation
from judge_tui.model import Query, Run
from judge_tui.report import FORMS, render
from judge_tui.report.evaluation import evaluation_report
from judge_tui.report.layout import Table
from judge_tui.report.page import page_html, page_markdown
from judge_tui.report.page.evaluation import evaluation_page
from judge_tui.scoring import parse_measures
from judge_tui.scoring.slices import slice_scores
from tests.scored import score_runs

QRELS = {f"q{n}": {"right": 1} for n in range(1, 9)}
MEASURES = parse_measures(["RR@10", "P@1"])
HOSTILE = "\x1b[31m<script>alert(1)</script>\u202e|`x`[a](javascript:b)\n# h"


def evaluation(
    ranks: Mapping[str, Sequence[int]],
    *,
    failed: Mapping[str, int] | None = None,
    gates: Sequence[str] = (),
    classes: Mapping[str, Sequence[str]] | None = None,
    text: str = "a query",
) -> Evaluation:
    """System -> the rank of the right result of each query, 0 for nowhere; `failed`: at how many
    of the last queries it failed; `classes`: class -> what it declares, the queries in turn."""
    failed, scored = failed or {}, []
    lists: dict[str, dict[str, list[str]]] = {}
    for tag, its in ranks.items():
        lists[tag] = {
            query_id: [*(f"{text}{n}" for n in range(1, rank or 4)), *(["right"] if rank else [])]
            for query_id, rank in zip(QRELS, its, strict=True)
        }
        for query_id in list(QRELS)[len(QRELS) - failed.get(tag, 0) :]:
            lists[tag][query_id] = []
        found = {q: {one: -at for at, one in enumerate(its)} for q, its in lists[tag].items()}
        scored.append(Run(tag, found))
    scored_by = measures_needed(MEASURES)
    scores = score_runs(QRELS, scored, scored_by, complete=True).only(MEASURES)
    settings, compared = ComparisonSettings(), None
    names = list(classes or ())
    of_query = {q: names[n % len(names)] for n, q in enumerate(QRELS)} if classes else {}
    declared = {name: parse_measures(its) for name, its in (classes or {}).items() if its}
    if classes:
        scores = replace(scores, slices=slice_scores(scores, "class", of_query, declared))
    if len(ranks) > 1:
        cut = replace(scores.only(MEASURES[:1]), slices=None)
        if declared:
            cut = replace(cut, slices=slice_scores(cut, "class", of_query, declared))
        compared = compare_scores(cut, settings)
    return Evaluation(
        systems=[AskedSystem(tag, "http", "", 8, failed.get(tag, 0), 0, 0) for tag in ranks],
        queries=[Query(q, text, query_class=of_query.get(q, "")) for q in QRELS],
        right=QRELS,
        lists=system_lists(
            [*QRELS],
            lists,
            QRELS,
            {
                tag: {q: f"{text} 500" for q, found in its.items() if not found}
                for tag, its in lists.items()
            },
        ),
        scores=scores,
        main=MEASURES[0],
        comparisons=compared,
        gates=check_gates(parse_gates(gates), scores, compared),
        failures=[],
        warnings=[text],
        depth=50,
        files={"answers": "answers.json"},
    )


OLD = [2] * 8
NEW = [1] * 7 + [3]
LIKE = [2] * 6 + [1, 3]


@pytest.mark.parametrize(
    ("ranks", "failed", "first"),
    [
        ({"old": OLD, "new": NEW}, {}, "Take new: "),
        ({"new": NEW, "old": OLD}, {}, "Keep new: "),
        ({"old": OLD, "like": LIKE}, {}, "Keep old: "),
        ({"old": OLD, "like": LIKE, "new": NEW}, {}, "Take new: "),
        ({"old": OLD, "best": [1] * 8, "new": NEW}, {}, "Take best: "),
        ({"old": OLD}, {}, "old is strong: "),
        ({"old": [0] * 8}, {}, "old is poor: "),
        ({"old": OLD, "new": NEW}, {"old": 1}, "No decision: old "),
        ({"old": OLD, "new": NEW}, {"new": 1, "old": 2}, "No decision: old, new "),
    ],
)
def test_which_system_to_take(ranks: Any, failed: Any, first: str) -> None:
    found = evaluation(ranks, failed=failed)
    assert evaluation_page(found).answer[0].startswith(first)
    assert f"**{first.rstrip()}" in page_markdown(evaluation_page(found))


def test_classes_with_different_measures_have_no_number_over_them() -> None:
    found = evaluation(
        {"old": OLD, "new": NEW}, classes={"lookup": ["P@1"], "other": []}, gates=["lookup/P@1>=1"]
    )
    assert not evaluation_page(found).answer[0].startswith(("Take", "Keep"))
    document = json.loads(render(evaluation_report(found), "json", colour=False))
    old, new = document["systems"]
    assert (old["mean"], old["band"], document["consistency"]) == (None, None, [])
    assert new["slices"]["lookup"]["mean"] == {"P@1": 1.0}  # q1, q3, q5, q7
    assert new["slices"]["other"]["mean"] == {"RR@10": (3 + 1 / 3) / 4, "P@1": 0.75}
    compared = {(one["slice"], one["measure"]) for one in document["comparisons"]}
    assert compared == {("lookup", "P@1"), ("other", "RR@10")}
    assert [(one["tag"], one["met"]) for one in document["gates"]] == [
        ("old", False),
        ("new", True),
    ]


def test_everything_is_on_the_page_and_for_programs() -> None:
    found = evaluation(
        {"old": [*OLD[:6], 0, 12], "new": NEW}, classes={"odd": [], "even": []}, gates=["RR@10>=.5"]
    )
    report = evaluation_report(found)
    document = json.loads(render(report, "json", colour=False))
    old, _ = document["systems"]
    assert old["histogram"]["2"] == 6
    assert old["histogram"]["not found"] == 2
    assert {q["query_id"]: q["systems"]["old"]["first_rank"] for q in document["queries"]} == {
        **dict.fromkeys(list(QRELS)[:6], 2),
        "q7": None,
        "q8": 12,
    }
    assert old["slices"]["odd"]["queries"] == 4
    assert document["queries"][7]["systems"]["new"]["values"] == {"RR@10": 1 / 3, "P@1": 0.0}
    titles = {table.title for table in report.for_readers()}
    assert {"The systems", "By class", "Compared with old"} <= titles
    page = evaluation_page(found)
    text = page_markdown(page)
    assert page.answer[-1].startswith("But RR@10>=.5 is required and not met: old ")
    assert text.index("**Take new") < text.index("## The systems") < text.index("What was required")


def test_answers_do_not_say_what_is_unjudged() -> None:
    found = replace(evaluation({"old": [0] * 8, "new": NEW}), credit="once")
    for text in (page_markdown(evaluation_page(found)), render(evaluation_report(found), "md")):
        assert "unjudged |" not in text
        assert "unjudged before it" not in text


def test_few_failures_are_printed_and_the_page_has_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge_tui.report.evaluation._PRINTED", 3)
    found = evaluation({"old": [0] * 8, "new": NEW})
    report = evaluation_report(found)
    tables = report.for_readers()
    (table,) = (one for one in tables if one.title.startswith("old: nothing relevant"))
    assert len(table.rows) == 3
    assert table.title.endswith("the first 3 of 8")
    assert page_markdown(evaluation_page(found)).count("| a query1, a query2, a query3 |") == 8


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def test_foreign_text_does_nothing_anywhere() -> None:
    found = evaluation({"old": OLD, "new": [0] * 8}, failed={"new": 1}, text=HOSTILE)
    page, report = evaluation_page(found), evaluation_report(found)
    tags = Tags()
    tags.feed(page_html(page))
    assert not {"script", "a"} & {tag for tag, _ in tags.seen}
    texts = [page_markdown(page), page_html(page)]
    texts += [render(report, form, colour=False) for form in FORMS]
    for text in texts:
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_a_page_has_no_table_without_rows() -> None:
    page = evaluation_page(evaluation({"old": [1] * 8, "new": [2] * 8}))
    blocks = [one for part in page.parts for one in part.blocks] + [*page.systems]
    assert all(one.rows for one in blocks if isinstance(one, Table))
