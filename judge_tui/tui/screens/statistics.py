"""A judge's own numbers, over the Judge screen."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from judge_tui.agreement.coefficients import cohen_kappa
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.statistics import (
    REPEATS_AT_ONCE,
    JudgeStatistics,
    judge_statistics,
)
from judge_tui.errors import CampaignError
from judge_tui.model import Scale
from judge_tui.percent import percent
from judge_tui.tui.pace import IDLE_SECONDS, LEAST_DOCUMENTS, duration, seconds_text, time_left
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.shown import error_content, foreign, grade_style

_BAR = 20
_LABEL = 22
_NAME = 10
_GAP = "   "
# Cells of a line that there is room for on 80 columns: those of the table of grades.
_WIDTH = 63


class StatisticsOverlay(Overlay[None]):
    """Progress, pace, time, grades, and agreement with oneself."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t,q", "close", "close", id="statistics.close"),
    ]

    def __init__(self, desk: Desk, done: int, total: int) -> None:
        """`total` documents are on the judge's desk, and `done` of them decided."""
        super().__init__()
        self._campaign = desk.campaign
        self._judge = desk.judge.key
        self._scale = desk.campaign.settings.scale
        self._done, self._left = done, total - done

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="panel"):
            yield Static("Your work so far", classes="heading", markup=False)
            yield Static(id="numbers", markup=False)
            yield Static(
                f"{self.closing} closes   seconds are medians; a pause counts as at most"
                f" {duration(IDLE_SECONDS)}",
                classes="hint",
                markup=False,
            )

    def on_mount(self) -> None:
        try:
            self._show(judge_statistics(self._campaign, self._judge))
        except CampaignError as error:
            self.query_one("#numbers", Static).update(error_content("CANNOT READ", error))

    def _show(self, numbers: JudgeStatistics) -> None:
        told = _Told(numbers, self._scale, self._left, numbers.decided - self._done)
        self.query_one("#numbers", Static).update(told.content())


@dataclass(frozen=True, slots=True)
class _Told:
    """The numbers in words."""

    _numbers: JudgeStatistics
    _scale: Scale
    _left: int
    _outside: int

    def content(self) -> Content:
        """What was done, the grades, and agreement with oneself."""
        return Content("\n\n").join([self._work(), self._grades(), self._repeats()])

    def _work(self) -> Content:
        numbers = self._numbers
        others = [
            f"{count:,} {what}"
            for count, what in (
                (numbers.skipped, "skipped"),
                (numbers.cannot, "cannot be judged"),
                (numbers.flagged, "flagged"),
                (self._outside, "no longer on your desk"),
            )
            if count > 0
        ]
        return Content("\n").join(
            [
                _line("decided", f"{numbers.decided:,}", f"{self._left:,} left", *others),
                _line("pace", *self._pace()),
                _line("left", *self._time_left()),
                _line("time", duration(numbers.looked), "at documents", *self._an_hour()),
            ]
        )

    def _pace(self) -> list[str]:
        numbers = self._numbers
        if not self._is_paced or numbers.median is None:
            return ["–", f"known after {LEAST_DOCUMENTS} documents"]
        return [
            seconds_text(median(numbers.recent)),
            f"median of the last {len(numbers.recent)} documents",
            f"{seconds_text(numbers.median)} of all",
        ]

    def _an_hour(self) -> list[str]:
        numbers = self._numbers
        if not self._is_paced or numbers.looked < 1:
            return []
        return [f"{numbers.decided / numbers.looked * 3600:,.0f} documents an hour"]

    def _time_left(self) -> list[str]:
        if not self._left:
            return ["nothing"]
        if not self._is_paced:
            return ["–"]
        return [time_left(median(self._numbers.recent), self._left), "at that pace"]

    @property
    def _is_paced(self) -> bool:
        return len(self._numbers.recent) >= LEAST_DOCUMENTS

    def _grades(self) -> Content:
        counts = self._numbers.by_grade
        most = max((one.count for one in counts.values()), default=0)
        head = Content.styled(
            f"{'grades that hold now':<{_LABEL + _BAR}}  documents   seconds", "dim"
        )
        lines = [head]
        for grade in self._scale.grades:
            count = counts[grade].count if grade in counts else 0
            seconds = counts[grade].seconds if grade in counts else None
            label = foreign(f"{grade} {self._scale.labels[grade]}".rstrip())
            label = label.truncate(_LABEL - 2, ellipsis=True)
            bar = "▇" * (-(-_BAR * count // most) if most else 0)
            lines.append(
                Content.assemble(
                    label,
                    " " * (_LABEL - label.cell_length),
                    (f"{bar:<{_BAR}}", grade_style(grade, self._scale)),
                    f"  {count:>9,}",
                    f"{seconds_text(seconds) if seconds is not None else '–':>10}",
                )
            )
        return Content("\n").join(lines)

    def _repeats(self) -> Content:
        """What the grades of documents that came twice say; never which these were."""
        repeats = self._numbers.repeats
        if not repeats:
            said = f"undefined: fewer than {REPEATS_AT_ONCE} came to you twice so far"
            return Content.assemble(("with yourself  ", "bold"), (said, "dim"))
        same = sum(first == again for first, again in repeats)
        places = {grade: place for place, grade in enumerate(self._scale.grades)}
        confusion = [[0] * len(places) for _ in places]
        for first, again in repeats:
            if first in places and again in places:
                confusion[places[first]][places[again]] += 1
        plain, quadratic = (
            cohen_kappa(confusion, weights).value for weights in ("none", "quadratic")
        )
        kappa = (
            "kappa undefined: one grade throughout"
            if plain is None or quadratic is None
            else f"kappa {plain:.2f}, quadratic {quadratic:.2f}"
        )
        share = f"{same} of {len(repeats)} the same ({percent(same / len(repeats))})"
        return Content.assemble(
            ("with yourself  ", "bold"),
            f"{share}   {kappa}\n",
            ("of documents that came to you twice", "dim"),
        )


def _line(name: str, first: str, *others: str) -> Content:
    """Items in a line, or in several of which each begins with a whole one."""
    content = Content.assemble((f"{name:<{_NAME}}", "dim"), (first, "bold"))
    used = content.cell_length
    for other in others:
        needed = len(_GAP) + len(other)
        fits = used + needed <= _WIDTH
        content = Content.assemble(content, _GAP if fits else f"\n{'':<{_NAME}}", other)
        used = used + needed if fits else _NAME + len(other)
    return content
