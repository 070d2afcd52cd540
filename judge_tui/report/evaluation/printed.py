"""An evaluation as it is printed: details first, for the summary is to stay on the screen."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.analysis.evaluation import (
    HISTOGRAM,
    EvaluatedQuery,
    Found,
    missed,
)
from judge_tui.report.classes import demand_notes
from judge_tui.report.collected import reason_line
from judge_tui.report.comparisons import comparison_report
from judge_tui.report.evaluation import closer, tables
from judge_tui.report.evaluation.document import document_of
from judge_tui.report.evaluation.evaluated import AUDIT_FILE, Evaluated
from judge_tui.report.evaluation.value_rows import header_of, rows_of
from judge_tui.report.layout import Cell, Column, Grid, Report
from judge_tui.scoring import NO_COMPOSITE, Scores, shown_slice

__all__ = ["evaluation_report"]

_CAME = 3
_FAILURES = 10
"""Queries whose failure is shown, of each system."""

_APART = 5

_TEXT, _ID = 50, 70
"""In characters: longer ones would push everything else off the screen."""


def evaluation_report(evaluated: Evaluated, *, queries: bool = True) -> Report:
    """`queries`: whether the tables for readers have those about single queries, too."""
    evaluation = evaluated.evaluation
    grids = list(_about_queries(evaluated)) if queries else []
    grids += _summary(evaluated, queries=queries)
    more = sum(
        max(0, len(missed(evaluation, tag)) - _FAILURES) for tag in evaluation.tags if queries
    )
    told = [f"failures not shown here: {more:,}; {AUDIT_FILE} has all"] if more else []
    told += [evaluated.about_credit] if evaluated.credit and evaluation.answered else []
    if evaluated.unlike:
        told.append(NO_COMPOSITE.replace("slices", "classes"))
    if evaluated.demanded is not None:
        told += demand_notes(evaluated.demanded)
    over = [f"gate {one.gate} is {one.over}" for one in evaluated.required if one.over]
    return Report(
        document=document_of(evaluated),
        header=header_of(evaluated),
        rows=list(rows_of(evaluated)),
        grids=[grid for grid in grids if grid.rows],
        notes=[*_about_tests(evaluated), *told, *evaluated.notes, *over],
        warnings=evaluated.warnings,
    )


def _about_queries(evaluated: Evaluated) -> Iterator[Grid]:
    evaluation = evaluated.evaluation
    yield tables.queries(
        "Query by query: the rank of the first right result",
        evaluation.answered,
        evaluation.tags,
        _beginning,
    )
    yield tables.demanding(evaluated, "Query by query: what comes first, and its rank", _beginning)
    for tag in evaluation.tags:
        yield _failures(evaluated, tag)
    yield tables.queries(
        f"The worst queries, by RR@{HISTOGRAM}{evaluated.left_out}",
        evaluated.worst,
        evaluation.tags,
        _beginning,
    )
    if evaluated.closer is not None:
        yield from closer.disagreement(evaluated.closer, evaluated.texts, _APART)


def _summary(evaluated: Evaluated, *, queries: bool) -> Iterator[Grid]:
    yield tables.ranks(evaluated)
    yield tables.classes(evaluated)
    yield from tables.of_classes(evaluated)
    if (look := evaluated.closer) is not None:
        yield from closer.documents(look)
        yield closer.consistency(look, str if queries else None)
    if evaluated.comparisons is not None:
        nothing = Scores((), (), complete=True, judged_only=False)
        for grid in comparison_report(evaluated.comparisons, nothing).grids:
            of_first = [row for row in grid.rows if row[0] == evaluated.first.name]
            rows = grid.rows if evaluated.own_terms else of_first
            why = evaluated.rests_on_failures
            yield Grid(f"{grid.title} ({why})" if why else grid.title, grid.columns, rows)
        yield tables.other_measures(evaluated)
    yield from tables.systems(evaluated, "The systems")


def _about_tests(evaluated: Evaluated) -> Iterator[str]:
    comparisons = evaluated.comparisons
    if comparisons is None:
        return
    settings = comparisons.settings
    yield (
        f"verdict by {settings.tests[0]}, {settings.alternative}, correction {settings.correction}"
        f" over a family of {evaluated.family} ({_family_of(evaluated)}), alpha"
        f" {settings.alpha:g};"
        f" seed {settings.seed}"
    )
    why: dict[tuple[str, str], list[str]] = {}
    shown = comparisons if evaluated.own_terms else evaluated.compared(evaluated.first)
    for one in shown:
        where = "" if one.slice is None else f"{shown_slice(one.slice)}, "
        who = f"{where}{one.measure}"
        for name, result in one.tests.items():
            if result.p is None:
                why.setdefault((who, f"no {name} p: {result.why}"), []).append(one.tag)
        for name, reason in one.why.items():
            why.setdefault((who, f"no {name.replace('_', ' ')}: {reason}"), []).append(one.tag)
    yield from (f"{who}, {', '.join(tags)}: {why}" for (who, why), tags in why.items())


def _family_of(evaluated: Evaluated) -> str:
    if not evaluated.own_terms and evaluated.demanded is None:
        return "systems by measures"
    return "all tests of all classes"


def _failures(evaluated: Evaluated, tag: str) -> Grid:
    failed = missed(evaluated.evaluation, tag)
    shown = failed[:_FAILURES]
    beginning = f" (the first {len(shown)} of {len(failed)})" if len(shown) < len(failed) else ""
    if without := evaluated.without_right:
        beginning += f", without {without}"
    return Grid(
        f"{tag}: nothing right among the first {HISTOGRAM}{beginning}",
        [
            *tables.left("query", "text"),
            Column("first right"),
            *tables.left("expected", "came instead"),
        ],
        [row for query in shown for row in _failure(query, query.found[tag])],
    )


def _failure(query: EvaluatedQuery, found: Found) -> Iterator[list[Cell]]:
    """As many lines as it takes: an id that others stand beside is hard to copy."""
    expected = [_end(what) for what, _ in query.expected[:_CAME]]
    more = len(query.expected) - len(expected)
    expected += [f"and {more} more"] if more else []
    came = [_end(doc_id) for doc_id, _ in found.top[:_CAME]]
    if found.failed:
        came = [f"failed: {reason_line(found.failed)}"]
    for place in range(max(len(expected), len(came), 1)):
        head: list[Cell] = ["", "", ""]
        if not place:
            head = [query.query_id, _beginning(query.query), found.first]
        yield [
            *head,
            expected[place] if place < len(expected) else ("" if place else None),
            came[place] if place < len(came) else ("" if place else "nothing"),
        ]


def _beginning(text: str) -> str:
    return text if len(text) <= _TEXT else f"{text[: _TEXT - 1]}…"


def _end(doc_id: str) -> str:
    """Paths differ where they end."""
    return doc_id if len(doc_id) <= _ID else f"…{doc_id[1 - _ID :]}"
