"""One run query by query, each value as a bar: what there is to see of a run that is compared with
no other."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import ClassVar

from textual.content import Content

from judge_tui.analysis.queries import OwnValue, OwnValues, own_values
from judge_tui.analysis.warnings import of_results
from judge_tui.report import Report
from judge_tui.scoring import Measure
from judge_tui.tui.cells import widest
from judge_tui.tui.names import by_name, without_results
from judge_tui.tui.screens.results.columns import Column, Laid
from judge_tui.tui.screens.results.deltas import DeltasView, Part
from judge_tui.tui.screens.results.figures import figure, queries, worth
from judge_tui.tui.screens.results.findings import Findings
from judge_tui.tui.screens.results.rankings import RankingsView
from judge_tui.tui.screens.results.view import View
from judge_tui.tui.shown import foreign
from judge_tui.tui.widgets.line_list import Piece

_GREATEST_NAME = 80
_BAR = 20
_COLUMNS = (Column("value", 8), Column("", _BAR, rank=1, right=False))


def per_query(findings: Findings, tag: str, part: Part | None = None) -> View:
    """The queries of a run, of all or of a part: beside the baseline, or its own where it is that
    itself."""
    if tag == findings.baseline:
        return OwnValuesView(findings, tag, part)
    return DeltasView(findings, tag, part)


class OwnValuesView(View):
    """A row for each query, of all or of a part, that the run is scored for, least value first."""

    hints: ClassVar[Sequence[tuple[str, ...]]] = (
        ("list.choose", "ranking"),
        ("results.next", "next run", "next"),
        ("results.measure", "measure"),
        ("results.export", "export"),
    )

    def __init__(self, findings: Findings, tag: str, part: Part | None = None) -> None:
        super().__init__(findings)
        self._tag = tag
        self._part = part
        self._among: Set[str] | None = None
        self._found: OwnValues | None = None
        self._rows: tuple[OwnValue, ...] = ()

    @property
    def name(self) -> str:
        return f"values-{self._tag}" if self._part is None else f"values-{self._tag}-{self._part}"

    @property
    def run(self) -> str | None:
        return self._tag

    @property
    def title(self) -> Content:
        of = () if self._part is None else self._part.content
        return Content.assemble(
            ("Per query", "bold $accent"),
            *of,
            ("  ", "bold $accent"),
            by_name(self._tag, "bold"),
            ", the baseline" if self._compared_with else "",
            f"  {self.measure}",
        )

    @property
    def measure(self) -> Measure | None:
        """What the queries declare, else what is chosen."""
        declared = None if self._part is None else self._part.measure
        return declared or self.findings.measure

    @property
    def _compared_with(self) -> bool:
        """Whether it is the one that others are compared with."""
        return self._tag == self.findings.baseline and len(self.findings.tags) > 1

    def look(self) -> None:
        findings, measure = self.findings, self.measure
        if measure is None:
            raise findings.missing
        among = self._among = None if self._part is None else self._part.query_ids()
        self._found = own_values(findings.judged, measure, self._tag, among)
        self._rows = self._found.rows
        # Most measures end at 1: a full bar is that, or the greatest value.
        self._full = max(1.0, *(row.value for row in self._rows), 0.0)
        ids = [row.query_id for row in self._rows]
        self._widest = widest(_GREATEST_NAME, map(findings.called, ids))
        self.name_rows(ids)

    def find_warnings(self) -> tuple[str, ...]:
        judged, stated = self.findings.judged, self.findings.stated
        return of_results(judged, stated, [self._tag], among=self._among)

    @property
    def empty(self) -> str:
        return "The run answers no judged query."

    def _laid(self, width: int) -> Laid:
        return self.lay(_COLUMNS, width, max(self._widest, len("query")), least=26, cuts_end=True)

    def head(self, width: int) -> str:
        return self._laid(width).head("query") if self._rows else ""

    def draw(self, row: int, width: int) -> list[Piece]:
        one = self._rows[row]
        cells: list[Piece] = [
            (worth(one.value, [one.nothing]), "list--strong"),
            (self._bar(one.value), ""),
        ]
        return self._laid(width).row((self.findings.called(one.query_id), ""), cells)

    def _bar(self, value: float) -> str:
        """Half a cell is the least that is drawn: what is not 0 is seen."""
        halves = max(round(2 * _BAR * value / self._full), 1 if value > 0 else 0)
        return f"{'█' * (halves // 2)}{'▌' * (halves % 2)}"

    def below(self, row: int) -> Content:
        found, one = self._found, self._rows[row]
        if found is None:
            return Content("")
        text = self.findings.queries.texts.get(one.query_id, "")
        last = f"{queries(found.zeros)} at 0" if found.zeros else "no query at 0"
        if self._compared_with:
            last += "; to compare this run, make another one the baseline"
        return Content("\n").join(
            [
                Content.assemble(foreign(one.query_id, "bold"), "  ", foreign(text)),
                Content(f"mean {figure(found.mean)} over {queries(len(self._rows))}"),
                without_results([(self._tag, one.nothing)])
                if one.nothing
                else Content.styled(last, "dim"),
            ]
        )

    def opened(self, row: int) -> View | None:
        ids = [one.query_id for one in self._rows]
        return RankingsView(self.findings, (self._tag,), ids, row)

    def turned(self, by: int) -> bool:
        tags = self.findings.tags
        if self._tag not in tags or len(tags) < 2:
            return False
        self._tag = tags[(tags.index(self._tag) + by) % len(tags)]
        return True

    def report(self) -> Report:
        from judge_tui.report.results import own_values_report  # noqa: PLC0415 - few export

        if self._found is None:
            raise self.findings.missing
        among = "" if self._part is None else f"{self._part.by}={self._part.name}"
        return own_values_report(self._found, self.stated, self.findings.queries.texts, among=among)
