"""How the runs do on each kind of query, and which kinds of relevant documents they find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import ClassVar, NamedTuple

from textual.content import Content

from judge_tui.analysis.document_slices import kind_slices, length_slices
from judge_tui.analysis.run_slices import (
    SPREAD,
    Consistency,
    RunSlice,
    RunSlices,
    ShareFound,
    Spread,
    measures_by,
    query_slices,
)
from judge_tui.errors import UsageError
from judge_tui.report import Report
from judge_tui.scoring import Measure
from judge_tui.tui.cells import widest
from judge_tui.tui.names import by_name
from judge_tui.tui.screens.results.columns import Column, Laid
from judge_tui.tui.screens.results.deltas import Part
from judge_tui.tui.screens.results.figures import UNDEFINED, figure, queries
from judge_tui.tui.screens.results.findings import Findings
from judge_tui.tui.screens.results.own_values import per_query
from judge_tui.tui.screens.results.view import View
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

_GREATEST_TAG = 40
_KIND, _LENGTH = "document.kind", "document.length"
_COLUMNS = (
    Column("n", 6),
    Column("least", 6, rank=1),
    Column("median", 6),
    Column("mean", 6),
    Column("greatest", 8, rank=2),
    Column("sd", 6),
    Column("of slices", 9, rank=1),
)


class _Row(NamedTuple):
    """A slice (no run), or a run in it. `measure`: the one that its queries declare."""

    slice: str | None
    tag: str | None
    spread: Spread | None
    said: str = ""
    measure: Measure | None = None


class SlicesView(View):
    """First all queries, then slice by slice, a row for each run."""

    hints: ClassVar[Sequence[tuple[str, ...]]] = (
        ("results.next", "next field", "next"),
        ("results.measure", "measure"),
        ("list.choose", "per query", "queries"),
        ("results.export", "export"),
    )

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings)
        self._by: str | None = None
        self._found: tuple[RunSlices[Measure], ...] | RunSlices[ShareFound] | None = None
        self._parts: dict[str, frozenset[str]] = {}
        self._left_out: Mapping[str, str] = {}
        self._rows: list[_Row] = []
        self._consistency: dict[str, Consistency] = {}

    @property
    def name(self) -> str:
        return f"by-{self._by}"

    @property
    def _fields(self) -> list[str]:
        return [*self.findings.queries.fields, _KIND, _LENGTH]

    @property
    def title(self) -> Content:
        of = (
            f"share of relevant documents in the top {self.findings.asked.k}"
            if self._by in (_KIND, _LENGTH)
            else f"{self.findings.measure}"
        )
        place = self._fields.index(self._by) + 1 if self._by in self._fields else 0
        return Content.assemble(
            ("By ", "bold $accent"),
            by_name(self._by or "", "bold $accent"),
            f"  {of}",
            (f"   field {place} of {len(self._fields)}", "dim"),
        )

    def look(self) -> None:
        findings, measure = self.findings, self.findings.measure
        if measure is None:
            raise findings.missing
        judged, asked = findings.judged, findings.asked
        fields = self._fields
        by = self._by = self._by if self._by in fields else fields[0]
        self._found, self._rows, self._parts, self._consistency = None, [], {}, {}
        if by in (_KIND, _LENGTH):
            findings.stated.refuse_deep_top()
            facts = findings.facts()
            if facts is None:
                self.name_rows(())
                return
            slices_of = kind_slices if by == _KIND else length_slices
            self._found = of_documents = slices_of(judged, facts, asked.k)
            self._show_documents(of_documents)
        else:
            of_query = findings.queries.fields[by]
            declared, stated = measures_by(by, findings.queries.queries, of_query, findings.stated)
            self._left_out = stated.left_out
            self._found = found = query_slices(judged, [measure], by, of_query, declared)
            self._show_queries(found, declared)
        self._widest = 2 + max(3, widest(_GREATEST_TAG, findings.tags))
        self.name_rows([(row.slice, row.tag) for row in self._rows])

    def _show_queries(
        self, found: tuple[RunSlices[Measure], ...], declared: Mapping[str, Sequence[Measure]]
    ) -> None:
        self._show_consistency(found[0].consistency)
        parts = [(part, one.measure) for one in found for part in one.slices]
        for one, measure in sorted(parts, key=lambda part: (not part[0].name, part[0].name)):
            count = max((spread.n for spread in one.runs.values()), default=0)
            own = measure if one.name in declared else None
            self._show_slice(one, f"{own}  {queries(count)}" if own else queries(count), own)

    def _show_documents(self, found: RunSlices[ShareFound]) -> None:
        self._show_consistency(found.consistency)
        for one in found.slices:
            self._show_slice(one, f"{one.relevant:,} relevant for {queries(one.queries)}")

    def _show_slice(self, one: RunSlice, said: str, measure: Measure | None = None) -> None:
        self._parts[one.name] = self._parts.get(one.name, frozenset()).union(one.query_ids)
        self._rows.append(_Row(one.name, None, None, said))
        self._rows += [_Row(one.name, tag, its, measure=measure) for tag, its in one.runs.items()]

    def _show_consistency(self, consistency: Sequence[Consistency]) -> None:
        self._consistency = {one.tag: one for one in consistency}
        if consistency:
            self._rows.append(_Row(None, None, None))
        self._rows += [_Row(None, one.tag, one.overall) for one in consistency]

    @property
    def empty(self) -> str:
        return "Reading the documents …" if self._found is None else "No query has a final grade."

    @property
    def run(self) -> str | None:
        return self._rows[self.cursor].tag if self.cursor < len(self._rows) else None

    def _laid(self, width: int) -> Laid:
        return self.lay(_COLUMNS, width, self._widest)

    def head(self, width: int) -> str:
        return self._laid(width).head("run") if self._rows else ""

    def draw(self, row: int, width: int) -> list[Piece]:
        one = self._rows[row]
        if one.tag is None:
            name = "all queries" if one.slice is None else _named(one.slice)
            return [(f" {name}", "list--strong"), (f"  {one.said}", "list--faint")]
        spread = one.spread
        values = [
            None if spread is None else value
            for value in (
                (spread.least, spread.median, spread.mean, spread.greatest, spread.sd)
                if spread is not None
                else (None,) * 5
            )
        ]
        between = self._consistency[one.tag].between.sd if one.slice is None else None
        cells: list[Piece] = [
            (UNDEFINED if spread is None else f"{spread.n:,}", ""),
            *((figure(value), "") for value in values[:2]),
            (figure(values[2]), "list--strong"),
            *((figure(value), "") for value in values[3:]),
            (figure(between) if one.slice is None else "", ""),
        ]
        return self._laid(width).row((f"  {visible_line(one.tag)}", ""), cells)

    def below(self, row: int) -> Content:
        one = self._rows[row]
        lines = [
            Content.styled(f"sd: {SPREAD}", "dim"),
            Content.styled("of slices: the sd of their means", "dim"),
        ]
        if one.tag is not None:
            known = self._consistency.get(one.tag)
            said = Content.assemble(by_name(one.tag, "bold"))
            if known is not None and known.best is not None and known.worst is not None:
                said = Content.assemble(
                    said,
                    "  best ",
                    by_name(_named(known.best), "$text-success"),
                    "  worst ",
                    by_name(_named(known.worst), "$text-error"),
                    f"  sd of slice means {figure(known.between.sd)}",
                )
            lines.insert(0, said)
        return Content("\n").join(lines)

    def opened(self, row: int) -> View | None:
        name, tag, measure = self._rows[row].slice, self._rows[row].tag, self._rows[row].measure
        if tag is None:
            return None
        if name is None:
            return per_query(self.findings, tag)
        part = Part(self._by or "", name, lambda: self._queries_of(name), measure)
        return per_query(self.findings, tag, part)

    def closed(self, row: int) -> str:
        return "go to a run below: it leads to its queries"

    def _queries_of(self, name: str) -> Set[str]:
        self.look()
        if self._found is None:
            raise UsageError("the documents are still being read", "again in a moment")
        return self._parts.get(name, frozenset())

    def turned(self, by: int) -> bool:
        fields = self._fields
        at = fields.index(self._by) if self._by in fields else 0
        self._by = fields[(at + by) % len(fields)]
        self.cursor = 0
        return True

    def report(self) -> Report:
        from judge_tui.report.results import document_slices_report, query_slices_report  # noqa: PLC0415 - few export

        found = self._found
        if found is None:
            raise UsageError("the documents are still being read", "again in a moment")
        if isinstance(found, tuple):
            return query_slices_report(found, replace(self.stated, left_out=self._left_out))
        return document_slices_report(found, self.stated)


def _named(name: str) -> str:
    return visible_line(name) if name else "(none)"
