"""The evaluation of live systems in its forms: readable alone, and deaf to foreign texts."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from judge_tui.analysis.demands import demanded
from judge_tui.analysis.evaluation import Bands, Evaluation
from judge_tui.collect import Collected, Hit, Reply
from judge_tui.expectations import expectations_of
from judge_tui.report import FORMS, render
from judge_tui.report.evaluation import (
    Evaluated,
    evaluation_page,
    evaluation_report,
    tables,
)
from judge_tui.report.layout import Toned
from judge_tui.report.page import page_markdown
from judge_tui.scoring import Required, parse_measures
from judge_tui.scoring.demands import Demands, meet
from judge_tui.scoring.prefer import Prefer
from judge_tui.significance import Settings, compare_scores, measures_needed

HOSTILE = (
    "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egpj.exe\u200b|a|`b`\n# <script>x</script>"
    " [l](u) **c** $m$ &lt;"
)


def told(
    folder: Path,
    found: Mapping[str, Sequence[Sequence[str] | str]],
    *,
    query: str = "what is it",
    right: str = "right",
    foreign: str = "",
    count: int = 3,
) -> Evaluated:
    """System -> of each query what it found, or, as a text, why it failed. `foreign` stands
    wherever a text of others may."""
    path = folder / "answers.json"
    entries = [
        {"query": f"{query} {n}", "expected": [f"{right}{foreign}"], "class": f"k{n % 2}{foreign}"}
        for n in range(count)
    ]
    path.write_text(json.dumps(entries), encoding="utf-8")
    right_ones = expectations_of(queries=None, answers=path)
    collected = []
    for tag, lists in found.items():
        replies = [
            Reply(one.query_id, one.text, failure=its)
            if isinstance(its, str)
            else Reply(
                one.query_id,
                one.text,
                tuple(Hit(f"{doc_id}{foreign}", title=f"T{foreign}") for doc_id in its),
            )
            for one, its in zip(right_ones.queries, lists, strict=True)
        ]
        collected.append(Collected(tag, right_ones.queries, tuple(replies), f"v1 {foreign}"))
    measures = parse_measures(["nDCG@10", "RR@10", "AP"])
    scores = right_ones.scores([one.run() for one in collected], measures_needed(measures))
    queries = tuple(
        right_ones.looked_at(
            one,
            {c.name: [hit.doc_id for hit in c.replies[n].hits] for c in collected},
            {c.name: c.replies[n].failure for c in collected if c.replies[n].failure},
        )
        for n, one in enumerate(right_ones.queries)
    )
    return Evaluated(
        Evaluation(queries, scores.only(measures), Bands()),
        tuple(collected),
        dict.fromkeys(found, "http"),
        compare_scores(scores, measures, Settings()) if len(found) > 1 else None,
        (
            Required("RR@10>=0.9", ("RR@10>=0.9: old has 0.5",)),
            Required("no-regression", ()),
        ),
        50,
        "answers",
        {"answers": f"answers{foreign}.json"},
        "once",
        (f"a note {foreign}",) if foreign else (),
    )


SOME: dict[str, Sequence[Sequence[str] | str]] = {
    "old": [["right", "b"], [*"abcdefghijk", "right"], "timed out after 30 s"],
    "new": [["b", "right"], ["right"], []],
}


def audit(evaluated: Evaluated) -> str:
    return page_markdown(evaluation_page(evaluated))


def tokens(text: str) -> list[Token]:
    return MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)


def shape(text: str) -> list[str]:
    """What Markdown makes of it, without what is said: headings, tables with their cells, lists."""
    return [
        one.type + (f" {[child.type for child in one.children or ()]}" if one.children else "")
        for one in tokens(text)
    ]


# The page


def test_the_page_stands_alone(tmp_path):
    text = audit(told(tmp_path, SOME))
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert text.startswith(
        "# Evaluation of old and new\n\n## The answer\n\n**old is usable (RR@10 0."
    )
    assert headings == [
        "The answer",
        "What was asked",
        "The systems",
        "The differences",
        "How far down",
        "Nothing right among the first 10",
        "The worst queries",
        "Query by query",
        "How the numbers were made",
        "The files beside this one",
    ]
    for said in (
        "- By nDCG@10, beside old: new: too few queries to tell.",
        r"- RR@10\>=0.9: not met; old has 0.5",
        "- no-regression: held",
        "- 3 queries are fewer than 30: any of these numbers may be chance.",
        "Each system was asked 3 queries, for the first 50 results of each.",
        "- **File of answers**: answers.json",
        "| old | http | v1 |",
        "strong from 0.4 on, usable from 0.2 on, poor below.",
        "- **nDCG@10**: Normalised discounted cumulative gain.",
        "- **results.json**: All of this for programs, at full precision.",
    ):
        assert said in text, said


def test_the_tests_are_those_that_were_asked_for(tmp_path):
    evaluated = told(tmp_path, SOME)
    assert "- **Tests**: Paired by query, two-sided: Wilcoxon's signed-rank test, which" in audit(
        evaluated
    )
    assert evaluated.comparisons is not None
    other = Settings(tests=("permutation",), alternative="greater")
    text = audit(replace(evaluated, comparisons=replace(evaluated.comparisons, settings=other)))
    method = text[text.index("## How the numbers were made") :]
    assert "- **Tests**: Paired by query, greater: the permutation test (sign flips; 10" in method
    assert "Wilcoxon" not in method


def test_failures_say_what_was_expected_what_came_and_where_the_first_right_one_was(tmp_path):
    text = audit(told(tmp_path, SOME))
    assert "### old: 2 of 3 queries" in text
    assert "| q002 what is it 1 | right | 1. a (T); 2. b (T); 3. c (T) | 12 |" in text
    assert "| q003 what is it 2 | right | failed: timed out after 30 s | - |" in text
    assert "### new: 1 of 3 queries" in text
    assert "| q003 what is it 2 | right | nothing | - |" in text


def test_demands_say_what_came_first_that_nothing_was_found_or_that_a_system_failed(tmp_path):
    evaluated = told(tmp_path, SOME)
    prefer = Prefer(re.compile("right"), re.compile("^b"))
    demands = Demands({one.query_id: {"prefer": prefer} for one in evaluated.evaluation.queries})
    met = {
        one.name: meet(demands, {a.query_id: [hit.doc_id for hit in a.hits] for a in one.replies})
        for one in evaluated.collected
    }
    found = demanded(demands, met, [], Settings())
    rows = tables.demanding(replace(evaluated, demanded=found), "", str).rows
    assert [tuple(row) for row in rows] == [
        (
            *("q001", "what is it 0", "prefer", "modern wins: modern 1, legacy 2"),
            Toned("legacy wins: legacy 1, modern 2", "bad"),
        ),
        (
            *("q002", "what is it 1", "prefer"),
            Toned("legacy wins: legacy 2, modern 12", "bad"),
            "only modern: modern 1",
        ),
        (
            *("q003", "what is it 2", "prefer"),
            Toned("failed", "bad"),
            Toned("nothing found", "bad"),
        ),
    ]


def test_where_nothing_was_missed_that_is_said(tmp_path):
    text = audit(told(tmp_path, {"it": [["right"]] * 3}))
    assert "it: none." in text
    assert "The worst queries" not in text
    assert "The differences" not in text


def test_missed_is_the_same_wherever_it_is_said(tmp_path):
    """None among all results asked for: at rank 12 one is found, if not among the first ten."""
    evaluated = told(tmp_path, SOME | {"third": [[*"abcdefghij", "right"], ["a"], ["right"]]})
    (table,) = [grid for grid in evaluation_report(evaluated).grids if "third" in grid.title]
    assert [row[0] for row in table.rows if row[0]] == ["q001", "q002"]
    systems = evaluation_report(evaluated).document["systems"]
    assert {one["tag"]: one["missed"] for one in systems} == {
        "old": ["q003"],
        "new": ["q003"],
        "third": ["q002"],
    }
    assert systems[2]["histogram"]["not found"] == 2
    queries = tables.queries("", evaluated.evaluation.answered, ("third",), str)
    assert [row[2] for row in queries.rows] == [11, Toned("missed", "bad"), 1]


def test_no_system_is_written_with_a_capital(tmp_path):
    """Names are what they are, at the start of a sentence, too."""
    text = audit(told(tmp_path, SOME))
    assert not re.search(r"\b(Old|New)\b", text)


# Foreign texts


def obeyed(text: str) -> set[str]:
    unsafe = ("Cc", "Cf", "Cs", "Zl", "Zp")
    return {char for char in text if unicodedata.category(char) in unsafe and char != "\n"}


@pytest.fixture
def hostile(tmp_path: Path) -> Evaluated:
    lists = {
        tag: [one if isinstance(one, list) else HOSTILE for one in its] for tag, its in SOME.items()
    }
    return told(tmp_path, lists, query=f"what {HOSTILE}", foreign=HOSTILE)


@pytest.mark.parametrize("form", FORMS)
def test_no_terminal_obeys_what_a_system_says(form, hostile):
    text = render(evaluation_report(hostile), form, colour=False)
    assert obeyed(text) == set()
    if form in ("table", "json"):
        assert "owned" in text


def test_in_a_table_each_line_stays_one_line_and_colour_is_ours(hostile):
    lines = render(evaluation_report(hostile), "table", colour=True).splitlines()
    assert sum(line.startswith("q00") for line in lines) == 3 + 3 + 2 + 1
    codes = set(re.findall(r"\x1b\[[0-9;]*[a-zA-Z]", "\n".join(lines)))
    assert codes <= {"\x1b[31m", "\x1b[32m", "\x1b[0m"}


def test_markdown_is_shaped_by_nothing_foreign(tmp_path, hostile):
    """The same headings, tables, cells and lists as with harmless texts, and no HTML."""
    (tmp_path / "plain").mkdir()
    harmless = told(tmp_path / "plain", SOME, foreign=" x")
    text = audit(hostile)
    assert obeyed(text) == set()
    kinds = {one.type for top in tokens(text) for one in (top, *(top.children or ()))}
    assert not kinds & {"html_block", "html_inline", "link_open", "code_inline", "image", "fence"}
    tables = [one for one in shape(text) if one.startswith(("t", "heading", "bullet", "hr"))]
    assert tables == [
        one for one in shape(audit(harmless)) if one.startswith(("t", "heading", "bullet", "hr"))
    ]


def test_json_and_csv_keep_every_character_or_make_it_visible(hostile):
    report = evaluation_report(hostile)
    document: dict[str, Any] = json.loads(render(report, "json"))
    entry = document["queries"][0]
    assert entry["query"] == f"what {HOSTILE} 0"
    assert entry["systems"]["old"]["top"][0]["doc_id"] == f"right{HOSTILE}"
    assert document["queries"][2]["systems"]["old"]["failed"] == HOSTILE
    header, *rows = csv.reader(io.StringIO(render(report, "csv")))
    assert header == ["tag", "query_id", "measure", "value"]
    assert {len(row) for row in rows} == {4}


def test_long_texts_are_cut_on_a_terminal_and_long_paths_at_their_beginning(tmp_path):
    path = "src/" + "deep/" * 40 + "file.md"
    evaluated = told(tmp_path, {"it": [[path]] * 3}, query="why " * 60)
    text = render(evaluation_report(evaluated), "table")
    assert max(len(line) for line in text.splitlines() if "warning: " not in line) < 170
    assert "deep/file.md\n" in text
    assert path in audit(evaluated)
    assert path in render(evaluation_report(evaluated), "json")
