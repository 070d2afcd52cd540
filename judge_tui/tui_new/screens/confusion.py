"""Who gave which grade where the other gave another: two judges at a time."""

from __future__ import annotations

from itertools import combinations
from typing import ClassVar

import numpy as np
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Footer, Static

from judge_tui.agreement.coefficients import cohen_kappa
from judge_tui.agreement.estimates import enough_for_kappa
from judge_tui.arrays import Ints
from judge_tui.campaign.overview.cases import Cases
from judge_tui.model import Scale
from judge_tui.percent import percent
from judge_tui.tui_new.screens.opinions import Letters
from judge_tui.tui_new.screens.settle_queue import Cell, grades_of
from judge_tui.tui_new.text import grade_content, grade_style
from judge_tui.tui_new.widgets.dialogs import Dialog
from judge_tui.tui_new.widgets.status_line import StatusLine

_LABEL = 20
_LEAST_CELL = 7


def confusion_counts(cases: Cases, one: int, other: int, scale: Scale) -> Ints:
    """int64[grades, grades]: how often a judge (a key) gave the grade of the row where the other
    gave that of the column."""
    grades = np.asarray(scale.grades)
    of_one, of_other = (grades_of(cases, judge) for judge in (one, other))
    counts: Ints = np.zeros((len(grades), len(grades)), dtype=np.int64)
    both = np.isin(of_one, grades) & np.isin(of_other, grades)
    rows, columns = (np.searchsorted(grades, of[both]) for of in (of_one, of_other))
    np.add.at(counts, (rows, columns), 1)
    return counts


def agreement_words(counts: Ints) -> str:
    """How often two judges gave the same grade, and weighted kappa with its interval."""
    total = int(counts.sum())
    if not total:
        return "no pair was graded by both"
    kappa = cohen_kappa(counts.tolist(), "quadratic")
    same = percent(int(counts.trace()) / total)
    words = f"both graded {total:,}, {same} the same"
    if kappa.value is None:
        return f"{words}\nweighted kappa undefined: {kappa.why}"
    words = f"{words}\nquadratic kappa {kappa.value:.2f}"
    if kappa.ci95 is None:
        return words
    few = ", from too few" if total < enough_for_kappa(len(counts)) else ""
    return f"{words} ({kappa.ci95[0]:.2f} to {kappa.ci95[1]:.2f}{few})"


class Matrix(Static, can_focus=True):
    """A square of counts with a cursor on one of them."""

    BINDING_GROUP_TITLE = "Confusion"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1, 0)", "up", id="confusion.up", show=False),
        Binding("down,j", "move(1, 0)", "down", id="confusion.down", show=False),
        Binding("left,h", "move(0, -1)", "left", id="confusion.left", show=False),
        Binding("right,l", "move(0, 1)", "right", id="confusion.right", show=False),
        Binding("enter", "open", "open its cases", id="confusion.open"),
    ]

    class Opened(Message):
        """A cell was entered, or clicked."""

        def __init__(self, row: int, column: int, count: int) -> None:
            super().__init__()
            self.row, self.column, self.count = row, column, count

    def __init__(self, scale: Scale) -> None:
        super().__init__()
        self._scale = scale
        self._counts: Ints = np.zeros((len(scale.grades),) * 2, dtype=np.int64)
        self._row, self._column = 0, 1

    def show(self, counts: Ints) -> None:
        """Show other counts; the cursor stays."""
        self._counts = counts
        self._draw()

    def action_move(self, down: int, right: int) -> None:
        last = len(self._counts) - 1
        self._row = max(0, min(last, self._row + down))
        self._column = max(0, min(last, self._column + right))
        self._draw()

    def action_open(self) -> None:
        count = int(self._counts[self._row, self._column])
        self.post_message(self.Opened(self._row, self._column, count))

    def on_click(self, event: events.Click) -> None:
        row, column = event.y - 1, (event.x - _LABEL) // self._width
        size = range(len(self._counts))
        if event.x >= _LABEL and row in size and column in size:
            self._row, self._column = row, column
            self._draw()
            self.action_open()

    @property
    def _width(self) -> int:
        return max(_LEAST_CELL, len(f"{self._counts.max():,}") + 2)

    def _draw(self) -> None:
        grades, width = self._scale.grades, self._width
        styles = [f"bold {grade_style(one, self._scale)}" for one in grades]
        head = [
            Content.styled(f"{one:>{width - 1}} ", style)
            for one, style in zip(grades, styles, strict=True)
        ]
        lines = [Content.assemble(" " * _LABEL, *head)]
        for row, (grade, counts) in enumerate(zip(grades, self._counts.tolist(), strict=True)):
            label = grade_content(grade, self._scale).truncate(_LABEL - 1, ellipsis=True)
            pad = " " * (_LABEL - label.cell_length)
            cells = [self._cell(row, column, count) for column, count in enumerate(counts)]
            lines.append(Content.assemble(label, pad, *cells))
        self.update(Content("\n").join(lines))

    def _cell(self, row: int, column: int, count: int) -> Content:
        text = f"{count:,}" if count else "·"
        style = "dim" if not count else "$text-success" if row == column else "bold"
        if (row, column) == (self._row, self._column):
            style = "bold $block-cursor-foreground on $block-cursor-background"
            text = f"{count:,}"
        return Content.styled(f"{text:>{self._width - 1}} ", style)


class ConfusionScreen(Dialog[Cell | None]):
    """Gives the cell that was entered."""

    BINDING_GROUP_TITLE = "Confusion"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,n", "other(1)", "other judges", id="confusion.next", priority=True),
        Binding(
            "shift+tab,N",
            "other(-1)",
            "the judges before",
            id="confusion.previous",
            priority=True,
            show=False,
        ),
        Binding("M,q", "close", "close", id="confusion.close", show=False),
    ]

    def __init__(
        self, cases: Cases, letters: Letters, scale: Scale, between: tuple[int, int] | None
    ) -> None:
        """`between`: the judges, by key, to begin with."""
        super().__init__("Confusion")
        self._cases = cases
        self._scale = scale
        graded = [one for one in cases.judges if (grades_of(cases, one.key) >= 0).any()]
        self._called = letters.called(graded)
        self.pairs = list(combinations(self._called, 2))
        self._at = self.pairs.index(between) if between in self.pairs else 0

    def compose(self) -> ComposeResult:
        with self.pane():
            yield Matrix(self._scale)
            yield Static(id="kappa", markup=False)
            yield StatusLine()
        yield Footer()

    def on_mount(self) -> None:
        self._show()

    def action_other(self, by: int) -> None:
        self._at = (self._at + by) % len(self.pairs)
        self._show()

    def _show(self) -> None:
        one, other = self.pairs[self._at]
        counts = confusion_counts(self._cases, one, other, self._scale)
        pane = self.query_one(".dialog")
        who = f"Confusion: rows {self._called[one]}, columns {self._called[other]}"
        pane.border_title = Content(who)
        if len(self.pairs) > 1:
            pane.border_subtitle = f"{self._at + 1:,} of {len(self.pairs):,} pairs of judges"
        self.query_one(Matrix).show(counts)
        self.query_one("#kappa", Static).update(Content(agreement_words(counts)))
        self.query_one(StatusLine).say()

    @on(Matrix.Opened)
    def _opened(self, message: Matrix.Opened) -> None:
        if not message.count:
            self.query_one(StatusLine).say("no case there: no pair has these two grades")
            return
        one, other = self.pairs[self._at]
        grades = self._scale.grades
        self.dismiss((one, other, grades[message.row], grades[message.column]))
