"""The ranking of one query in a run, or in two side by side: what each has where, and where the
other has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from textual.content import Content

from judge_tui.analysis.misses import RankedDocument, side_by_side
from judge_tui.analysis.warnings import of_query
from judge_tui.campaign.store.pool import pooled_documents
from judge_tui.report.layout import Cell, plain
from judge_tui.report.results import rankings_report
from judge_tui.tui_new.screens.results.findings import Findings
from judge_tui.tui_new.screens.results.view import DocumentAt, Place, View, because_empty, lines
from judge_tui.tui_new.text import foreign, grade_content, grade_digit
from judge_tui.visible import visible_line

_MOVES = {"↑": "$text-success", "↓": "$text-error", "n": "$text-warning", "g": "$text-warning"}
_SPLIT = 4
"""Rank, document, grade and where the other run has it: behind them begins the other run."""


def rankings(
    findings: Findings, *, tags: tuple[str, ...], query_ids: Sequence[str], at: int
) -> View:
    """A row for each rank of the query at that place; there is a way to the others."""
    judged, basis = findings.judged, findings.basis
    query_id = query_ids[at]
    place = judged.lists.index_of_query(query_id)
    depth = judged.lists.documents.shape[2]
    found = side_by_side(judged, place, *tags, depth=depth)
    query = findings.query_key(place)
    pooled = pooled_documents(findings.campaign, query)
    unresolved = findings.unresolved(query)
    names = findings.named(one.document for row in found.rows for one in row if one is not None)
    scale = findings.campaign.settings.scale
    text = findings.queries.texts.get(query_id, "")

    def grade(_row: int, cell: Cell) -> Content:
        if isinstance(cell, int):
            return grade_digit(cell, scale)
        # Behind the end of the shorter list there is nothing; what has a word waits in the pool.
        mark = "" if cell == "" else "·" if cell is None else "·+"
        return Content.styled(mark, "$text-warning" if mark == "·+" else "dim")

    def moved(_row: int, cell: Cell) -> Content:
        said = plain(cell or "")
        return Content.styled(said, _MOVES.get(said[:1], "dim"))

    def one_at(row: int, side: int) -> RankedDocument | None:
        return found.rows[row][side] if row < len(found.rows) else None

    def opened(row: int, side: int) -> DocumentAt | None:
        one = one_at(row, side)
        return None if one is None else DocumentAt(query, one.document, one.grade)

    def detail(row: int, side: int) -> Content:
        one = one_at(row, side)
        if one is None:
            if why := found.nothing[side]:
                return because_empty([(tags[side], why)])
            return Content.styled("Nothing at this rank: the list is shorter.", "dim")
        named = names.get(one.document)
        title = "" if named is None else f"{named.doc_id}  {named.title}".rstrip()
        where = f"rank {one.rank} in {tags[side]}"
        if len(tags) > 1:
            other = tags[1 - side]
            there = "not in what is kept of" if one.other_rank is None else f"{one.other_rank} in"
            where += f", {there} {other}"
        if one.grade is not None:
            state = grade_content(one.grade, scale)
        else:
            state = Content.styled(_unjudged(one.document, pooled, unresolved), "$text-warning")
        return lines(foreign(title, "bold"), foreign(where), state)

    def turned(by: int) -> Place:
        to = (at + by) % len(query_ids)
        return partial(rankings, tags=tags, query_ids=query_ids, at=to)

    report = rankings_report(
        found,
        replace(basis, warnings=of_query(judged, basis, query_id, tags)),
        findings.queries.texts,
        names,
        pooled,
        values={
            one.name: judged.values_of_query(one, place, tags)
            for one in (*basis.measures, *basis.shares)
        },
    )
    reasons = [*zip(tags, found.nothing, strict=True)]
    return View(
        name=f"rankings-{query_id}",
        path=Content.assemble(foreign(query_id, "bold"), " ", foreign(text)),
        report=report,
        keys=range(len(found.rows)),
        detail=detail,
        open=opened,
        turn=turned if len(query_ids) > 1 else None,
        tag=tags[-1],
        fill="doc_id",
        looks={"grade": grade, "other_grade": grade, "now_at": moved, "move": moved},
        empty=visible_line("; ".join(f"{tag}: {why}" for tag, why in reasons)),
        split=_SPLIT if len(tags) > 1 else 0,
    )


def _unjudged(document: int, pooled: frozenset[int], unresolved: frozenset[int]) -> str:
    """Why a document has no final grade, in words."""
    if document not in pooled:
        return "unjudged, and not in the pool: p sends it there"
    if document in unresolved:
        return "unresolved: judged, but without a final grade; counts as unjudged"
    return "unjudged: in the pool, and not judged yet"
