"""At which rank each run has its first relevant document: a histogram in a row for each run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.content import Content

from judge_tui.analysis.misses import FirstRelevant, RankHistogram, first_relevant
from judge_tui.errors import UsageError
from judge_tui.percent import percent
from judge_tui.report import Report
from judge_tui.tui.cells import widest
from judge_tui.tui.names import by_name
from judge_tui.tui.screens.results.columns import Column, Laid
from judge_tui.tui.screens.results.failures import FailuresView
from judge_tui.tui.screens.results.figures import queries
from judge_tui.tui.screens.results.view import View
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

_GREATEST_TAG = 30
_EIGHTHS = " ▁▂▃▄▅▆▇█"


class RanksView(View):
    """Each cell has a count and a bar, whose whole height is all queries of the run."""

    hints: ClassVar[Sequence[tuple[str, ...]]] = (
        ("list.choose", "failures"),
        ("results.export", "export"),
    )

    _found: RankHistogram | None = None
    _columns: tuple[Column, ...] = ()
    _widest = 0

    @property
    def name(self) -> str:
        return "first-relevant"

    @property
    def title(self) -> Content:
        return Content.assemble(
            ("First relevant  ", "bold $accent"),
            "queries by the rank of the first relevant document",
        )

    @property
    def run(self) -> str | None:
        if self._found is None or self.cursor >= len(self._found.runs):
            return None
        return self._found.runs[self.cursor].tag

    def look(self) -> None:
        self._found = first_relevant(self.findings.judged)
        counts = [run.queries for run in self._found.runs]
        width = len(f"{max(counts, default=0):,}") + 1
        last = len(self._found.labels) - 1
        self._columns = (
            *(
                Column(label, max(width, len(label)), rank=2 if 2 < place < last else 1)
                for place, label in enumerate(self._found.labels)
            ),
            Column("none", max(width, 4)),
            Column("median", 6, rank=1),
        )
        tags = [run.tag for run in self._found.runs]
        self._widest = max(3, widest(_GREATEST_TAG, tags))
        self.name_rows(tags)

    def _laid(self, width: int) -> Laid:
        return self.lay(self._columns, width, self._widest)

    def head(self, width: int) -> str:
        return self._laid(width).head("run")

    def draw(self, row: int, width: int) -> list[Piece]:
        if self._found is None:
            return []
        run = self._found.runs[row]
        cells: list[Piece] = [
            *((_cell(count, run.queries), "" if count else "list--faint") for count in run.counts),
            (_cell(run.none, run.queries), "list--poor" if run.none else "list--faint"),
            ("–" if run.median is None else f"{run.median:g}", "list--strong"),
        ]
        return self._laid(width).row((visible_line(run.tag), "list--strong"), cells)

    def below(self, row: int) -> Content:
        if self._found is None:
            return Content("")
        run = self._found.runs[row]
        lines = [Content.assemble(by_name(run.tag, "bold"), f"  {_told(run)}")]
        unknown = self._found.nothing_known
        left_out = [
            *([f"to {queries(unknown)} nothing relevant is known"] if unknown else []),
            *([f"no median: {run.why}"] if run.why else []),
        ]
        if left_out:
            lines.append(Content.styled("; ".join(left_out), "dim"))
        if run.open:
            verb = "has" if run.open == 1 else "have"
            said = f"{queries(run.open)} {verb} an unjudged document before that rank"
            lines.append(Content.styled(f"{said}, which may be less", "$text-warning"))
        return Content("\n").join(lines)

    def opened(self, row: int) -> View | None:
        if self._found is None:
            return None
        return FailuresView(self.findings, self._found.runs[row].tag)

    def report(self) -> Report:
        from judge_tui.report.results import histogram_report  # noqa: PLC0415 - few export

        if self._found is None:
            raise UsageError("the runs are still being read")
        return histogram_report(self._found, self.stated)


def _cell(count: int, of: int) -> str:
    """A count, and how much of all that is."""
    eighths = -(-8 * count // of) if of else 0
    return f"{count:,}{_EIGHTHS[eighths]}"


def _told(run: FirstRelevant) -> str:
    share = "" if run.share_none is None else f" ({percent(run.share_none)})"
    return f"{queries(run.queries)}, {run.none:,}{share} with nothing relevant kept"
