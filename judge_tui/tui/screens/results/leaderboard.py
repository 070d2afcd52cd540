"""The leaderboard: what each run is worth, how far that can be trusted, and whether it is better
than the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.content import Content

from judge_tui.analysis.leaderboard import RankedRun
from judge_tui.analysis.warnings import of_results
from judge_tui.percent import percent
from judge_tui.report import Report
from judge_tui.scoring import Measure, judged_among
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

    _rows: tuple[RankedRun, ...] = ()
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
        ranking, scores = self.findings.ranking, self.findings.scores
        if ranking is None or scores is None:
            return
        self._ranking, self._rows, measure = ranking, ranking.runs, ranking.measure
        self._others = [one for one in self.findings.measures if one != measure]
        shares = judged_among(scores.measures)
        self._share = next(
            (s for s in shares if s.cutoff == measure.cutoff), next(iter(shares), None)
        )
        over = (f" over {one.common:,}" for one in self._rows if one.common is not None)
        self._over_width = max(map(len, over), default=0)
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
        run, ranking = self._rows[row], self._ranking
        share = None if self._share is None else run.run.means.get(self._share.name)
        verdict = self._verdict(run)
        cells: list[Piece] = [
            (self._mean(run, ranking.measure), "list--strong"),
            (TO_COME if ranking.intervals is None else between(run.interval), ""),
            (UNDEFINED if share is None else percent(share, short=True), ""),
            (TO_COME if ranking.bounds is None else between(run.bounds), ""),
            (self._delta(run), ""),
            (verdict, _TONES.get(verdict, "list--faint")),
            (f"{run.queries:,}", ""),
            *((self._mean(run, one), "") for one in self._others),
        ]
        return self._laid(width).row((visible_line(run.tag), "list--strong"), cells)

    def _mean(self, run: RankedRun, measure: Measure) -> str:
        means = run.run.means
        return figure(means[measure.name]) if measure.name in means else TO_COME

    def _delta(self, run: RankedRun) -> str:
        """With the number of queries, in a board where it is not that of each mean."""
        if run.compared is None:
            return ""
        said = "" if run.common is None else f" over {run.common:,}"
        return f"{signed(run.compared.delta)}{said:{self._over_width}}"

    def _verdict(self, run: RankedRun) -> str:
        if run.tag == self.findings.baseline:
            return "baseline"
        unknown = TO_COME if self._ranking.verdicts is None else UNDEFINED
        return self._ranking.verdict(run) or unknown

    @property
    def run(self) -> str | None:
        return self._rows[self.cursor].tag if self.cursor < len(self._rows) else None

    def opened(self, row: int) -> View | None:
        from judge_tui.tui.screens.results.own_values import per_query  # noqa: PLC0415

        if self.findings.now is None:
            return None
        return per_query(self.findings, self._rows[row].tag)

    def below(self, row: int) -> Content:
        return run_content(self._rows[row], self._ranking, self.findings)

    def closed(self, row: int) -> str:
        return str(self.findings.missing)

    def report(self) -> Report:
        from judge_tui.report.results import leaderboard_report  # noqa: PLC0415 - few export

        findings, basis = self.findings, self.stated
        if findings.scores is None or findings.measure is None:
            raise findings.missing
        return leaderboard_report(
            findings.scores,
            basis,
            intervals=findings.intervals,
            bounds=findings.bounds,
            verdicts=findings.verdicts,
            by=findings.measure,
        )
