"""The ranking of one query in a run, or in two side by side: what each has where, and where the
other has it."""

from __future__ import annotations

from textual.content import Content

from judge_tui.analysis.misses import RankedDocument
from judge_tui.campaign.overview.findings import Findings
from judge_tui.model import Document
from judge_tui.report.layout import Cell, plain
from judge_tui.report.layout import short_number as number
from judge_tui.report.results import views
from judge_tui.tui.screens.results.document_at import DocumentAt
from judge_tui.tui.screens.results.view import View
from judge_tui.tui.text import document_title, foreign, grade_content, grade_digit
from judge_tui.visible import visible_line

_MOVES = {"↑": "$text-success", "↓": "$text-error", "n": "$text-warning", "g": "$text-warning"}
_RIGHT = ("other_doc_id", "other_grade", "move")


def rankings(findings: Findings, *, tags: tuple[str, ...], query_id: str) -> View:
    """A row for each rank of the query in one run or in two."""
    scale = findings.campaign.settings.scale
    made, report = views.rankings(findings, query_id, *tags, whole=True)
    found, query = made.lists, made.query

    def grade(_row: int, cell: Cell) -> Content:
        if isinstance(cell, int):
            return grade_digit(cell, scale)
        # Behind the end of the shorter list there is nothing; what has a word waits in the pool.
        mark = "" if cell == "" else "·" if cell is None else "·+"
        return Content.styled(mark, "$text-warning" if mark == "·+" else "dim")

    def moved(_row: int, cell: Cell) -> Content:
        move = plain(cell or "")
        return Content.styled(move, _MOVES.get(move[:1], "dim"))

    def opened(row: int, side: int) -> DocumentAt | None:
        one = found.rows[row][side]
        return None if one is None else DocumentAt(query, one.document, one.grade)

    def detail(row: int, side: int) -> Content:
        one = found.rows[row][side]
        if one is None:
            why = found.nothing[side]
            return foreign(f"{tags[side]} {why}" if why else "the list is shorter", "$text-warning")
        named = made.names[one.document]
        where = f"rank {one.rank} in {tags[side]}"
        if len(tags) > 1:
            there = "not in what is kept of" if one.other_rank is None else f"{one.other_rank} in"
            where += f", {there} {tags[1 - side]}"
        name = document_title(Document(named.doc_id, title=named.title))
        return Content.assemble(state(one), "   ", foreign(where), "\n", name)

    def state(one: RankedDocument) -> Content:
        if one.grade is not None:
            return grade_content(one.grade, scale)
        words = "unjudged: in the pool, and not judged yet"
        if one.document not in made.pooled:
            words = "unjudged, and not in the pool: p sends it there"
        elif one.document in findings.unresolved(query):
            words = "unresolved: judged, but without a final grade; counts as unjudged"
        return Content.styled(words, "$text-warning")

    worth = findings.judged.values_of_query(findings.measure, found.query, tags)
    text = findings.queries.texts.get(query_id, "")
    reasons = (f"{tag}: {why}" for tag, why in zip(tags, found.nothing, strict=True))
    return View(
        report=report,
        name=f"rankings-{query_id}",
        path=Content.assemble(foreign(query_id, "bold"), " ", foreign(text)),
        keys=range(len(found.rows)),
        open=opened,
        detail=detail,
        tag=tags[-1],
        titles=[
            f"{tag}  {findings.measure} {'-' if value is None else number(value)}"
            for tag, value in zip(tags, worth, strict=True)
        ],
        right=_RIGHT if len(tags) > 1 else (),
        fill=("doc_id", "other_doc_id"),
        looks={"grade": grade, "other_grade": grade, "now_at": moved, "move": moved},
        empty=visible_line("; ".join(reasons)),
    )
