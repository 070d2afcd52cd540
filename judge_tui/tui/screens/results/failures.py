"""The queries for which a run has nothing relevant at the top, and what came instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.content import Content

from judge_tui.analysis.misses import Miss, Misses, RankedDocument, find_misses
from judge_tui.analysis.warnings import of_results
from judge_tui.counts import counted
from judge_tui.errors import UsageError
from judge_tui.report import Report
from judge_tui.tui.cells import widest
from judge_tui.tui.names import by_name
from judge_tui.tui.screens.results.columns import Column, Laid
from judge_tui.tui.screens.results.figures import queries
from judge_tui.tui.screens.results.findings import Findings
from judge_tui.tui.screens.results.rankings import UNJUDGED, RankingsView
from judge_tui.tui.screens.results.view import Spot, View
from judge_tui.tui.shown import foreign, grade_class, grade_content
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

_SHOWN = 3
"""Documents that came instead, below their query; and relevant ones that are named."""
_GREATEST_NAME = 100
_NAME = "query, and what came instead"
_COLUMNS = (
    Column("first relevant", 14),
    Column("unjudged", 8, rank=1),
    Column("known relevant", 14, rank=2),
)


class FailuresView(View):
    """A row for each query, and below it one for each of the first documents that came."""

    hints: ClassVar[Sequence[tuple[str, ...]]] = (
        ("list.choose", "look closer", "closer"),
        ("results.pool", "to the pool", "pool"),
        ("results.next", "next run", "next"),
        ("results.export", "export"),
    )

    def __init__(self, findings: Findings, tag: str) -> None:
        super().__init__(findings)
        self._tag = tag
        self._found: Misses | None = None
        self._rows: list[tuple[Miss, RankedDocument | None]] = []

    @property
    def name(self) -> str:
        return f"failures-{self._tag}"

    @property
    def run(self) -> str | None:
        return self._tag

    @property
    def title(self) -> Content:
        found = self._found
        if found is None:
            return Content.styled("Failures", "bold $accent")
        return Content.assemble(
            ("Failures  ", "bold $accent"),
            by_name(self._tag, "bold"),
            f"  {len(found.rows):,} of {queries(found.queries)}: no grade ≥1 in top {found.k}",
        )

    def look(self) -> None:
        findings = self.findings
        asked = findings.asked
        findings.stated.refuse_deep_top(self._tag)
        self._found = find_misses(findings.judged, self._tag, asked.k)
        self._rows = [
            (miss, came) for miss in self._found.rows for came in (None, *miss.top[:_SHOWN])
        ]
        self._named = findings.named(came.document for _, came in self._rows if came is not None)
        self._widest = widest(
            _GREATEST_NAME, (findings.called(one.query_id) for one in self._found.rows)
        )
        self.name_rows([(miss.query_id, came and came.rank) for miss, came in self._rows])

    def find_warnings(self) -> tuple[str, ...]:
        return of_results(self.findings.judged, self.findings.stated, [self._tag])

    @property
    def empty(self) -> str:
        if self._found is not None and not self._found.queries:
            return "No query has a final grade: settle what the judges differ about."
        k = self.findings.asked.k
        return f"No failures: each judged query has something relevant in the top {k}."

    def _laid(self, width: int) -> Laid:
        return self.lay(_COLUMNS, width, max(self._widest, len(_NAME)), least=30, cuts_end=True)

    def head(self, width: int) -> str:
        return self._laid(width).head(_NAME) if self._rows else ""

    def draw(self, row: int, width: int) -> list[Piece]:
        miss, came = self._rows[row]
        if came is not None:
            return self._draw_came(came)
        cells: list[Piece] = [
            (_first(miss), ""),
            (f"{miss.unjudged:,}", "list--fair" if miss.unjudged else "list--faint"),
            (f"{len(miss.relevant):,}", ""),
        ]
        return self._laid(width).row((self.findings.called(miss.query_id), "list--strong"), cells)

    def _draw_came(self, came: RankedDocument) -> list[Piece]:
        named = self._named.get(came.document)
        called = "" if named is None else f"{named.doc_id}  {named.title}".rstrip()
        if came.grade is None:
            mark = (UNJUDGED, "list--faint")
        else:
            scale = self.findings.campaign.settings.scale
            mark = (str(came.grade), f"list--{grade_class(came.grade, scale)}")
        return [(f"{came.rank:>5} ", "list--faint"), mark, (f"  {visible_line(called)}", "")]

    def below(self, row: int) -> Content:
        miss, came = self._rows[row]
        lines = [
            foreign(self.findings.called(miss.query_id), "bold"),
            _missed(miss, self.findings),
        ]
        if came is not None:
            named = self._named.get(came.document)
            scale = self.findings.campaign.settings.scale
            grade = (
                Content.styled("unjudged", "$text-warning")
                if came.grade is None
                else grade_content(came.grade, scale)
            )
            called = "" if named is None else f"{named.doc_id}  {named.title}".rstrip()
            lines[0] = Content.assemble(grade, f"  rank {came.rank}  ", foreign(called))
        return Content("\n").join([*lines, _proven(miss)])

    def opened(self, row: int) -> View | None:
        """A query leads to its ranking: beside that of the run that found most of what is missing
        here at the best rank, else the baseline's, else alone."""
        miss, came = self._rows[row]
        if came is not None:
            return None
        first = [_finder(miss), self.findings.baseline, *self.findings.tags]
        others = [tag for tag in first if tag is not None and tag != self._tag]
        ids = [one.query_id for one in self._found.rows] if self._found is not None else []
        tags = (*others[:1], self._tag)
        return RankingsView(self.findings, tags, ids, ids.index(miss.query_id))

    def spot(self, row: int) -> Spot | None:
        miss, came = self._rows[row]
        if came is None:
            return None
        return Spot(self.findings.query(miss.query), came.document, came.grade is not None)

    def turned(self, by: int) -> bool:
        tags = self.findings.tags
        if self._tag not in tags or len(tags) < 2:
            return False
        self._tag = tags[(tags.index(self._tag) + by) % len(tags)]
        return True

    def report(self) -> Report:
        from judge_tui.report.results import misses_report  # noqa: PLC0415 - few export

        findings, found = self.findings, self._found
        if found is None:
            raise UsageError("the runs are still being read")
        documents = {document for row in found.rows for document in row.documents}
        return misses_report(
            found,
            self.stated,
            findings.queries.texts,
            findings.named(documents),
        )


def _first(miss: Miss) -> str:
    """Where the first relevant document stands, or why there is none."""
    if miss.failed:
        return "failed"
    if not miss.answered:
        return "no result"
    return "none kept" if miss.first is None else f"rank {miss.first:,}"


def _finder(miss: Miss) -> str | None:
    """The run that has a relevant document of the query at the best rank."""
    found = [(rank, tag) for missed in miss.relevant for tag, rank in missed.found_by]
    return min(found)[1] if found else None


def _missed(miss: Miss, findings: Findings) -> Content:
    """The relevant documents that are known, and who found each of them."""
    if not miss.relevant:
        return Content.styled("No document is known to be relevant to it.", "dim")
    first = miss.relevant[:_SHOWN]
    named = findings.named(one.document for one in first)
    told = []
    for one in first:
        called = named[one.document].doc_id if one.document in named else ""
        finders = Content(", ").join(
            Content.assemble(by_name(tag), f" at {rank}") for tag, rank in one.found_by[:3]
        )
        told.append(
            Content.assemble(
                by_name(called),
                f" (grade {one.grade}), found by ",
                finders or Content("no other run"),
            )
        )
    if more := len(miss.relevant) - len(first):
        told.append(Content(f"and {more:,} more"))
    return Content.assemble("relevant: ", Content("; ").join(told))


def _proven(miss: Miss) -> Content:
    if miss.failed:
        return Content.assemble(
            ("The system failed: ", "$text-warning"), foreign(miss.failed, "$text-warning")
        )
    if not miss.answered:
        return Content.styled("The run returned nothing.", "$text-warning")
    if miss.proven:
        return Content.styled("All of the top is judged.", "dim")
    unjudged = counted(miss.unjudged, "document there is", "documents there are")
    return Content.styled(f"Not proven: {unjudged} unjudged.", "$text-warning")
