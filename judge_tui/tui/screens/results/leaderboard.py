"""The leaderboard: what each run is worth, how far that can be trusted, and whether it is better
than the baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.content import Content

from judge_tui.analysis.leaderboard import RunRow
from judge_tui.analysis.warnings import of_results
from judge_tui.comparison.comparison import Comparison
from judge_tui.percent import percent
from judge_tui.report import Report
from judge_tui.scoring import Measure
from judge_tui.tui.cells import widest
from judge_tui.tui.names import by_name
from judge_tui.tui.screens.results.columns import Column, Laid
from judge_tui.tui.screens.results.figures import (
    TO_COME,
    UNDEFINED,
    between,
    figure,
    signed,
)
from judge_tui.tui.screens.results.run_content import run_content
from judge_tui.tui.screens.results.view import View
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

__all__ = ["LeaderboardView"]

_GREATEST_TAG = 40
_TONES = {"better": "list--good", "worse": "list--poor"}


class LeaderboardView(View):
    """A row for each run, by the measure that they are sorted by."""

    hints: ClassVar[Sequence[tuple[str, ...]]] = (
        ("list.choose", "per query", "queries"),
        ("results.measure", "measure"),
        ("results.sort", "sort"),
        ("results.export", "export"),
        ("results.baseline", "baseline"),
    )

    _rows: tuple[RunRow, ...] = ()
    _columns: tuple[Column, ...] = ()

    @property
    def name(self) -> str:
        return "leaderboard"

    @property
    def title(self) -> Content:
        measure, order = self.findings.measure, self.findings.sorted_by
        parts = [Content.styled("Leaderboard", "bold $accent")]
        if measure is not None:
            parts.append(Content(f"  {measure}"))
        if self.findings.baseline is not None and self.count > 1:
            parts += [Content(" against "), by_name(self.findings.baseline)]
        if order is None:
            parts.append(Content.styled(", runs as they were loaded", "dim"))
        elif order != measure:
            parts.append(Content.styled(f", sorted by {order}", "dim"))
        return Content("").join(parts)

    def look(self) -> None:
        board, measure = self.findings.board, self.findings.measure
        if board is None or measure is None:
            return
        order = self.findings.sorted_by
        known = order is not None and order in board.measures
        self._rows = board.by(order) if order is not None and known else board.rows
        self._measure = measure
        self._others = [one for one in self.findings.measures if one != measure]
        shares = board.shares
        self._share = next(
            (s for s in shares if s.cutoff == measure.cutoff), next(iter(shares), None)
        )
        self._columns = self._columns_of(measure)
        self._widest = widest(_GREATEST_TAG, (row.tag for row in self._rows))
        self.name_rows([row.tag for row in self._rows])

    def find_warnings(self) -> tuple[str, ...]:
        known = self.findings.verdicts
        comparisons = None if known is None else known.comparisons
        judged, stated = self.findings.judged, self.findings.stated
        return of_results(judged, stated, comparisons=comparisons)

    def _columns_of(self, measure: Measure) -> tuple[Column, ...]:
        judged = str(self._share) if self._share is not None else "Judged"
        return (
            Column(measure.name, max(6, len(measure.name))),
            Column("95 %", 9, rank=3),
            Column(judged, max(6, len(judged)), rank=1),
            Column("bounds", 9, rank=4),
            Column("delta", 7 + self._over_width, rank=2),
            Column("verdict", 19, rank=1, right=False),
            Column("queries", 7, rank=6),
            *(Column(one.name, max(6, len(one.name)), rank=5) for one in self._others),
        )

    def _laid(self, width: int) -> Laid:
        return self.lay(self._columns, width, self._widest)

    def head(self, width: int) -> str:
        return self._laid(width).head("run") if self._rows else ""

    def draw(self, row: int, width: int) -> list[Piece]:
        run = self._rows[row]
        share = None if self._share is None else run.means.get(self._share.name)
        verdict = self._verdict(run.tag)
        comparison = self._comparison(run.tag)
        cells: list[Piece] = [
            (self._mean(run, self._measure), "list--strong"),
            (self._interval(run.tag), ""),
            (UNDEFINED if share is None else percent(share, short=True), ""),
            (self._bounds(run.tag), ""),
            (self._delta(comparison), ""),
            (verdict, _TONES.get(verdict, "list--faint")),
            (f"{run.queries:,}", ""),
            *((self._mean(run, one), "") for one in self._others),
        ]
        return self._laid(width).row((visible_line(run.tag), "list--strong"), cells)

    def _mean(self, run: RunRow, measure: Measure) -> str:
        if measure.name not in run.means:
            return TO_COME
        return figure(run.means[measure.name])

    def _interval(self, tag: str) -> str:
        known = self.findings.intervals
        return TO_COME if known is None else between(known.of[self._measure.name][tag])

    def _bounds(self, tag: str) -> str:
        known = self.findings.bounds
        if known is None:
            return TO_COME
        return between(known.of.get(self._measure.name, {}).get(tag))

    def _delta(self, comparison: Comparison | None) -> str:
        """With the number of queries, in a board where it is not that of each mean."""
        if comparison is None:
            return ""
        over = self._common.get(comparison.tag)
        said = "" if over is None else f" over {over:,}"
        return f"{signed(comparison.delta)}{said:{self._over_width}}"

    @property
    def _common(self) -> Mapping[str, int]:
        known = self.findings.verdicts
        return {} if known is None else known.common

    @property
    def _over_width(self) -> int:
        return max((len(f" over {count:,}") for count in self._common.values()), default=0)

    def _verdict(self, tag: str) -> str:
        if tag == self.findings.baseline:
            return "baseline"
        if self.findings.verdicts is None:
            return TO_COME
        found = self._comparison(tag)
        return UNDEFINED if found is None else str(found.verdict)

    def _comparison(self, tag: str) -> Comparison | None:
        known = self.findings.verdicts
        return None if known is None else known.of.get((tag, self._measure.name))

    @property
    def run(self) -> str | None:
        return self._rows[self.cursor].tag if self.cursor < len(self._rows) else None

    def opened(self, row: int) -> View | None:
        from judge_tui.tui.screens.results.own_values import per_query  # noqa: PLC0415

        if self.findings.now is None:
            return None
        return per_query(self.findings, self._rows[row].tag)

    def below(self, row: int) -> Content:
        return run_content(self._rows[row], self._measure, self.findings)

    def closed(self, row: int) -> str:
        return str(self.findings.missing)

    def report(self) -> Report:
        from judge_tui.report.results import leaderboard_report  # noqa: PLC0415 - few export

        findings = self.findings
        basis, board, measure = self.stated, findings.board, findings.measure
        if board is None or measure is None:
            raise findings.missing
        return leaderboard_report(
            board,
            basis,
            intervals=findings.intervals,
            bounds=findings.bounds,
            verdicts=findings.verdicts,
            by=measure,
        )
