"""A judge's own numbers, over the Judge screen."""

from __future__ import annotations

from statistics import fmean
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Footer, ProgressBar, Sparkline, Static

from judge_tui.agreement.coefficients import cohen_kappa
from judge_tui.campaign.store.statistics import REPEATS_AT_ONCE, JudgeStatistics
from judge_tui.model import Scale
from judge_tui.percent import percent
from judge_tui.tui.pace import IDLE_SECONDS, LEAST_DOCUMENTS, duration, seconds_text, time_left
from judge_tui.tui.text import foreign, grade_style
from judge_tui.tui.widgets.dialogs import Dialog
from judge_tui.tui.widgets.status_line import StatusLine

_BAR = 24
_LABEL = 20


class StatisticsPanel(Dialog[None]):
    """Progress, pace, grades, and agreement with oneself."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "close", "close", show=False, id="dialog.back"),
    ]

    def __init__(self, numbers: JudgeStatistics, scale: Scale, done: int, total: int) -> None:
        """`total` documents are on the judge's desk, and `done` of them decided."""
        super().__init__("Your work so far")
        self._numbers, self._scale = numbers, scale
        self._done, self._total = done, total

    def compose(self) -> ComposeResult:
        with self.pane():
            yield ProgressBar(self._total, show_eta=False)
            yield Static(id="work", markup=False)
            yield Sparkline()
            yield Static(id="grades", markup=False)
            yield Static(id="repeats", markup=False)
        yield StatusLine()
        yield Footer()

    def on_mount(self) -> None:
        numbers, scale = self._numbers, self._scale
        self.query_one(ProgressBar).update(progress=self._done)
        self.query_one("#work", Static).update(self._work(numbers))
        pace = self.query_one(Sparkline)
        pace.display = len(numbers.recent) >= LEAST_DOCUMENTS
        pace.data = numbers.recent[::-1]
        self.query_one("#grades", Static).update(_grades(numbers, scale))
        self.query_one("#repeats", Static).update(_repeats(numbers, scale))

    def _work(self, numbers: JudgeStatistics) -> Content:
        left = self._total - self._done
        counts = (
            (numbers.graded, "graded"),
            (numbers.skipped, "skipped"),
            (numbers.cannot, "cannot be judged"),
            (numbers.flagged, "flagged"),
            (numbers.decided - self._done, "no longer on your desk"),
        )
        done = "   ".join(f"{count:,} {what}" for count, what in counts if count > 0)
        looked = f"{duration(numbers.looked)} at documents; a pause counts as at most"
        lines = [
            f"{self._done:,} of {self._total:,} judged, {left:,} left",
            done,
            f"{looked} {duration(IDLE_SECONDS)}",
        ]
        recent = numbers.recent
        if len(recent) < LEAST_DOCUMENTS:
            lines.append(f"the pace is known after {LEAST_DOCUMENTS} documents")
        else:
            mean, slowest = seconds_text(fmean(recent)), seconds_text(max(recent))
            rest = f"; so the rest takes {time_left(fmean(recent), left)}" if left else ""
            lines.append(f"the last {len(recent)} took {mean} each, the slowest {slowest}{rest}")
        return Content("\n".join(lines))


def _grades(numbers: JudgeStatistics, scale: Scale) -> Content:
    counts = numbers.by_grade
    most = max((one.count for one in counts.values()), default=1)
    lines = [Content.styled(f"{'grade':<{_LABEL + _BAR}}  documents  median", "dim")]
    for grade, label in scale.labels.items():
        count = counts[grade].count if grade in counts else 0
        seconds = counts[grade].seconds if grade in counts else None
        name = foreign(f"{grade} {label}".rstrip()).truncate(_LABEL - 1, ellipsis=True)
        lines.append(
            Content.assemble(
                name.pad_right(_LABEL - name.cell_length),
                (f"{'█' * -(-_BAR * count // most):<{_BAR}}", grade_style(grade, scale)),
                f"  {count:>9,}  {'–' if seconds is None else seconds_text(seconds):>6}",
            )
        )
    return Content("\n").join(lines)


def _repeats(numbers: JudgeStatistics, scale: Scale) -> Content:
    """What the grades of documents that came twice say; never which these were."""
    repeats = numbers.repeats
    if not repeats:
        why = f"undefined: fewer than {REPEATS_AT_ONCE} came to you twice so far"
        return Content.assemble("with yourself  ", (why, "dim"))
    places = {grade: place for place, grade in enumerate(scale.grades)}
    confusion = [[0] * len(places) for _ in places]
    for first, again in repeats:
        if first in places and again in places:
            confusion[places[first]][places[again]] += 1
    plain, quadratic = (cohen_kappa(confusion, weights).value for weights in ("none", "quadratic"))
    same = fmean(first == again for first, again in repeats)
    kappa = "kappa undefined: one grade"
    if plain is not None and quadratic is not None:
        kappa = f"kappa {plain:.2f}, quadratic {quadratic:.2f}"
    return Content(f"of {len(repeats)} that came to you twice {percent(same)} the same, {kappa}")
