"""The queries on which the systems are furthest apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.content import Content

from judge_tui.analysis.queries import LEVEL, DivergentQueries, DivergentQuery, most_divergent
from judge_tui.report import Report
from judge_tui.tui.cells import padded, widest
from judge_tui.tui.names import by_name, without_results
from judge_tui.tui.screens.results.columns import Column, Laid
from judge_tui.tui.screens.results.figures import UNDEFINED, figure, worth
from judge_tui.tui.screens.results.rankings import RankingsView
from judge_tui.tui.screens.results.view import View
from judge_tui.tui.shown import foreign
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

_GREATEST_NAME = 80
_TAG = 14
_NAMED = 3
_COLUMNS = (
    Column("sd", 6),
    Column("least", 6, rank=3),
    Column("greatest", 8, rank=3),
    Column("worst", _TAG, rank=2, right=False),
    Column("best", _TAG, rank=2, right=False),
    Column("overlap", 7, rank=1),
)


class DividedView(View):
    """A row for each query, greatest spread of the runs' values first."""

    hints: ClassVar[Sequence[tuple[str, ...]]] = (
        ("list.choose", "worst and best"),
        ("results.measure", "measure"),
        ("results.export", "export"),
    )

    _found: DivergentQueries | None = None
    _rows: tuple[DivergentQuery, ...] = ()

    @property
    def name(self) -> str:
        return "disagreements"

    @property
    def title(self) -> Content:
        return Content.assemble(
            ("Where the systems disagree  ", "bold $accent"), f"{self.findings.measure}"
        )

    def look(self) -> None:
        measure = self.findings.measure
        if measure is None:
            raise self.findings.missing
        self.findings.stated.refuse_deep_top()
        judged, k = self.findings.judged, self.findings.asked.k
        self._found = most_divergent(judged.lists, judged.values(measure), measure, k)
        self._rows = self._found.rows
        ids = [row.query_id for row in self._rows]
        self._widest = widest(_GREATEST_NAME, map(self.findings.called, ids))
        self.name_rows(ids)

    @property
    def empty(self) -> str:
        return "No query is answered by two runs and judged."

    def _laid(self, width: int) -> Laid:
        return self.lay(_COLUMNS, width, max(self._widest, len("query")), least=26, cuts_end=True)

    def head(self, width: int) -> str:
        return self._laid(width).head("query") if self._rows else ""

    def draw(self, row: int, width: int) -> list[Piece]:
        one = self._rows[row]
        cells: list[Piece] = [
            (figure(one.sd), "list--strong"),
            *(
                (worth(value, [one.nothing.get(tag, "") for tag in tags]), "")
                for value, tags in ((one.least, one.worst), (one.greatest, one.best))
            ),
            (padded(LEVEL if one.level else _runs(one.worst), _TAG), "list--poor"),
            (padded(LEVEL if one.level else _runs(one.best), _TAG), "list--good"),
            (UNDEFINED if one.overlap is None else f"{one.overlap:.2f}", ""),
        ]
        return self._laid(width).row((self.findings.called(one.query_id), ""), cells)

    def below(self, row: int) -> Content:
        one = self._rows[row]
        text = self.findings.queries.texts.get(one.query_id, "")
        alike = (
            "fewer than two runs have results"
            if one.overlap is None
            else f"mean Jaccard index of the tops {self.findings.asked.k}: {one.overlap:.2f}"
        )
        return Content("\n").join(
            [
                Content.assemble(foreign(one.query_id, "bold"), "  ", foreign(text)),
                Content(f"all level at {figure(one.greatest)}")
                if one.level
                else Content.assemble(
                    f"best {figure(one.greatest)} ",
                    _named(one.best, "$text-success"),
                    f"   worst {figure(one.least)} ",
                    _named(one.worst, "$text-error"),
                ),
                without_results(one.nothing.items())
                or Content.styled(f"{one.runs:,} runs; {alike}", "dim"),
            ]
        )

    def opened(self, row: int) -> View | None:
        one = self._rows[row]
        others = [tag for tag in self.findings.tags if tag != one.best[0]]
        if not others:
            return None
        worst = one.worst[0] if one.worst[0] != one.best[0] else others[0]
        ids = [row.query_id for row in self._rows]
        return RankingsView(self.findings, (worst, one.best[0]), ids, row)

    def report(self) -> Report:
        from judge_tui.report.results import divergent_report  # noqa: PLC0415 - few export

        findings = self.findings
        if self._found is None:
            raise findings.missing
        return divergent_report(
            self._found,
            self.stated,
            findings.queries.texts,
        )


def _named(tags: Sequence[str], style: str) -> Content:
    more = [f"{len(tags) - _NAMED:,} more"] if len(tags) > _NAMED else []
    names = [by_name(tag, style) for tag in tags[:_NAMED]]
    return Content(", ").join([*names, *(Content.styled(one, style) for one in more)])


def _runs(tags: Sequence[str]) -> str:
    more = f" +{len(tags) - 1}" if len(tags) > 1 else ""
    return f"{visible_line(tags[0])}{more}"
