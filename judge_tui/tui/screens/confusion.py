"""Who gave which grade where the other gave another: two judges at a time."""

from __future__ import annotations

from itertools import combinations
from typing import ClassVar

import numpy as np
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Footer, Static

from judge_tui.agreement.coefficients import cohen_kappa
from judge_tui.arrays import Ints
from judge_tui.campaign.overview.cases import Cases
from judge_tui.model import Scale
from judge_tui.percent import percent
from judge_tui.tui.screens.settle_queue import Called, Cell, grades_of
from judge_tui.tui.text import grade_content, grade_digit
from judge_tui.tui.widgets.dialogs import Dialog
from judge_tui.tui.widgets.status_line import StatusLine

_LABEL = 20
_CURSOR = "bold $block-cursor-foreground on $block-cursor-background"


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
    """How often two judges gave the same grade, and their weighted kappa."""
    total = int(counts.sum())
    if not total:
        return "no pair was graded by both"
    words = f"both graded {total:,}, {percent(int(counts.trace()) / total)} the same"
    kappa = cohen_kappa(counts.tolist(), "quadratic").value
    return words if kappa is None else f"{words}, quadratic kappa {kappa:.2f}"


class ConfusionScreen(Dialog[Cell | None]):
    """A square of counts with a cursor on one of them; gives the cell that was entered."""

    BINDING_GROUP_TITLE = "Confusion"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open its cases", id="confusion.open"),
        Binding("tab,n", "other(1)", "other judges", id="confusion.next", priority=True),
        Binding("up,k", "move(-1, 0)", "up", id="confusion.up", show=False),
        Binding("down,j", "move(1, 0)", "down", id="confusion.down", show=False),
        Binding("left,h", "move(0, -1)", "left", id="confusion.left", show=False),
        Binding("right,l", "move(0, 1)", "right", id="confusion.right", show=False),
        Binding("M,q", "close", "close", id="confusion.close", show=False),
    ]

    def __init__(
        self, cases: Cases, called: Called, scale: Scale, between: tuple[int, int] | None
    ) -> None:
        """`between`: the judges, by key, to begin with."""
        super().__init__("Confusion")
        self._cases = cases
        self._called = called
        self._scale = scale
        graded = [key for key in called if (grades_of(cases, key) >= 0).any()]
        self.pairs = list(combinations(graded, 2))
        self._at = self.pairs.index(between) if between in self.pairs else 0
        self._row, self._column = 0, 1

    def compose(self) -> ComposeResult:
        with self.pane():
            yield Static(id="matrix", markup=False)
            yield Static(id="kappa", markup=False)
            yield StatusLine()
        yield Footer()

    def on_mount(self) -> None:
        self._show()

    def action_other(self, by: int) -> None:
        self._at = (self._at + by) % len(self.pairs)
        self._show()

    def action_move(self, down: int, right: int) -> None:
        last = len(self._counts) - 1
        self._row = max(0, min(last, self._row + down))
        self._column = max(0, min(last, self._column + right))
        self._show()

    def action_open(self) -> None:
        if not self._counts[self._row, self._column]:
            self.query_one(StatusLine).say("no case there: no pair has these two grades")
            return
        one, other = self.pairs[self._at]
        grades = self._scale.grades
        self.dismiss((one, other, grades[self._row], grades[self._column]))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self.query_one("#matrix"))
        if offset is None:
            return
        row, column = offset.y - 1, (offset.x - _LABEL) // self._width
        size = range(len(self._counts))
        if row in size and column in size:
            self._row, self._column = row, column
            self._show()
            self.action_open()

    def _show(self) -> None:
        one, other = self.pairs[self._at]
        self._counts = counts = confusion_counts(self._cases, one, other, self._scale)
        self._width = max(7, len(f"{counts.max():,}") + 2)
        pane = self.query_one(".dialog")
        pane.border_title = Content(
            f"Confusion: rows {self._called[one]}, columns {self._called[other]}"
        )
        if len(self.pairs) > 1:
            pane.border_subtitle = f"{self._at + 1:,} of {len(self.pairs):,} pairs of judges"
        lines = [[grade_digit(grade, self._scale).pad_right(1) for grade in self._scale.grades]]
        lines += [
            [self._cell(row, column) for column in range(len(counts))] for row in range(len(counts))
        ]
        labels = [Content(""), *(grade_content(grade, self._scale) for grade in self._scale.grades)]
        self.query_one("#matrix", Static).update(
            Content("\n").join(
                Content.assemble(
                    label.truncate(_LABEL, ellipsis=True, pad=True),
                    *(cell.pad_left(self._width - cell.cell_length) for cell in cells),
                )
                for label, cells in zip(labels, lines, strict=True)
            )
        )
        self.query_one("#kappa", Static).update(Content(agreement_words(counts)))
        self.query_one(StatusLine).say()

    def _cell(self, row: int, column: int) -> Content:
        count = int(self._counts[row, column])
        style = "dim" if not count else "$text-success" if row == column else "bold"
        if (row, column) == (self._row, self._column):
            return Content.styled(f" {count:,} ", _CURSOR)
        return Content.styled(f"{count:,} " if count else "· ", style)
