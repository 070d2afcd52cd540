"""Who confused what with what: two judges at a time, and each cell opens its cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from judge_tui.agreement.coefficients import cohen_kappa
from judge_tui.agreement.estimates import enough_for_kappa
from judge_tui.campaign.overview.cases import Cases
from judge_tui.campaign.store.judges import Judge
from judge_tui.model import Scale
from judge_tui.percent import percent
from judge_tui.tui.keymap import keys_on
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.screens.review.faces import Faces
from judge_tui.tui.screens.review.filters import Cell
from judge_tui.tui.shown import foreign, keys_content

_LABEL = 20
_LEAST_CELL = 7


class Matrix(Widget):
    """A square of counts with a cursor on one of them."""

    DEFAULT_CSS = "Matrix { height: auto; width: 1fr; }"

    @dataclass
    class Chosen(Message):
        """A cell was clicked."""

        row: int
        column: int

    def __init__(self, scale: Scale) -> None:
        super().__init__()
        self._scale = scale
        self._counts: list[list[int]] = [[0] * len(scale.grades) for _ in scale.grades]
        self._cell_width = _LEAST_CELL
        self.row = 0
        self.column = 1

    def show(self, counts: list[list[int]]) -> None:
        """Show other counts; the cursor stays."""
        self._counts = counts
        greatest = max(map(max, counts))
        self._cell_width = max(_LEAST_CELL, len(f"{greatest:,}") + 2)
        self.refresh()

    @property
    def count(self) -> int:
        """What stands under the cursor."""
        return self._counts[self.row][self.column]

    def move(self, down: int, right: int) -> None:
        last = len(self._counts) - 1
        self.row = max(0, min(last, self.row + down))
        self.column = max(0, min(last, self.column + right))
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        row, column = event.y - 1, (event.x - _LABEL) // self._cell_width
        inside = range(len(self._counts))
        if row in inside and column in inside and event.x >= _LABEL:
            event.stop()
            self.row, self.column = row, column
            self.refresh()
            self.post_message(self.Chosen(row, column))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return 1 + len(self._counts)

    def render(self) -> Content:
        head = "".join(f"{grade:>{self._cell_width - 1}} " for grade in self._scale.grades)
        lines = [Content.styled(f"{'':{_LABEL}}{head}", "bold")]
        for row, (grade, counts) in enumerate(zip(self._scale.grades, self._counts, strict=True)):
            label = Content.assemble(
                (str(grade), "bold"), " ", foreign(self._scale.labels[grade], "dim")
            ).truncate(_LABEL - 1, ellipsis=True)
            pad = " " * (_LABEL - label.cell_length)
            cells = [self._cell(row, column, count) for column, count in enumerate(counts)]
            lines.append(Content.assemble(label, pad, *cells))
        return Content("\n").join(lines)

    def _cell(self, row: int, column: int, count: int) -> Content:
        is_here = (row, column) == (self.row, self.column)
        room = self._cell_width - 2
        text = f"{count:>{room},} " if count or is_here else f"{'·':>{room}} "
        style = "reverse" if is_here else "" if row == column else "bold"
        return Content.assemble(" ", (text, style if count or is_here else "dim"))


class ConfusionOverlay(Overlay[Cell], inherit_bindings=False):
    """Gives the cell that was entered."""

    AUTO_FOCUS = ""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1, 0)", "up", id="confusion.up"),
        Binding("down,j", "move(1, 0)", "down", id="confusion.down"),
        Binding("left,h", "move(0, -1)", "left", id="confusion.left"),
        Binding("right,l", "move(0, 1)", "right", id="confusion.right"),
        Binding("enter", "open", "open the cases of a cell", id="confusion.open"),
        Binding(
            "tab,n", "other(1)", "the next two judges", id="confusion.next-judges", priority=True
        ),
        Binding(
            "shift+tab,N",
            "other(-1)",
            "the two judges before",
            id="confusion.previous-judges",
            priority=True,
        ),
        Binding("escape,M,q", "close", "close", id="confusion.close"),
    ]

    def __init__(
        self, cases: Cases, faces: Faces, scale: Scale, between: tuple[int, int] | None
    ) -> None:
        """`between`: the judges, by key, to begin with."""
        super().__init__()
        self._cases = cases
        self._faces = faces
        self._scale = scale
        graded = [bool((of_judge >= 0).any()) for of_judge in cases.grades.T]
        order = [place for place in faces.in_order(cases.judges) if graded[place]]
        self._pairs = list(combinations(order, 2))
        keys = [tuple(cases.judges[place].key for place in pair) for pair in self._pairs]
        self._at = keys.index(between) if between in keys else 0

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static(id="who", classes="heading", markup=False)
            yield Matrix(self._scale)
            yield Static(id="kappa", classes="part", markup=False)
            yield Static(id="said", classes="hint", markup=False)

    def on_mount(self) -> None:
        self._keys = keys_on(self)
        self._show()

    @property
    def has_judges(self) -> bool:
        """Whether there are two judges to compare."""
        return bool(self._pairs)

    def action_move(self, down: int, right: int) -> None:
        self.query_one(Matrix).move(down, right)

    def action_other(self, by: int) -> None:
        self._at = (self._at + by) % max(1, len(self._pairs))
        self._show()

    def action_open(self) -> None:
        matrix = self.query_one(Matrix)
        if not matrix.count or not self._pairs:
            self._say("no case there")
            return
        one, other = self._judges
        grades = self._scale.grades
        self.dismiss((one.key, other.key, grades[matrix.row], grades[matrix.column]))

    @on(Matrix.Chosen)
    def _clicked(self) -> None:
        self.action_open()

    @property
    def _judges(self) -> Sequence[Judge]:
        return [self._cases.judges[place] for place in self._pairs[self._at]]

    def _show(self) -> None:
        one, other = (self._faces.of(judge) for judge in self._judges)
        who = self.query_one("#who", Static)
        which = f"   {self._at + 1:,} of {len(self._pairs):,} pairs of judges"
        who.update(
            Content.assemble(
                "Confusion: rows ", (one, "bold"), ", columns ", (other, "bold"), (which, "dim")
            )
        )
        counts = self._counts()
        self.query_one(Matrix).show(counts)
        total = sum(map(sum, counts))
        same = sum(counts[place][place] for place in range(len(counts)))
        if not total:
            self.query_one("#kappa", Static).update(Content("no pair was graded by both"))
        else:
            kappa = cohen_kappa(counts, "quadratic")
            said = f"both graded {total:,}, {percent(same / total)} the same"
            if kappa.value is None:
                said += f"   weighted kappa undefined: {kappa.why}"
            else:
                interval = f" ({kappa.ci95[0]:.2f} to {kappa.ci95[1]:.2f})" if kappa.ci95 else ""
                if kappa.ci95 and total < enough_for_kappa(len(counts)):
                    interval = f"{interval[:-1]}, from too few)"
                said += f"   quadratic kappa {kappa.value:.2f}{interval}"
            self.query_one("#kappa", Static).update(Content(said))
        self._say("")

    def _say(self, said: str) -> None:
        names = (
            ("open", "opens its cases"),
            ("next-judges", "other judges"),
            ("close", "closes"),
        )
        keys = keys_content([(self._keys[f"confusion.{name}"], what) for name, what in names])
        left = Content.styled(f"{said}   ", "bold") if said else Content("arrows go to a cell  ")
        self.query_one("#said", Static).update(Content.assemble(left, keys))

    def _counts(self) -> list[list[int]]:
        scale = self._scale.grades
        one, other = (self._cases.grades[:, place] for place in self._pairs[self._at])
        both = np.isin(one, scale) & np.isin(other, scale)
        cells = np.searchsorted(scale, one[both]) * len(scale) + np.searchsorted(scale, other[both])
        counts = np.bincount(cells, minlength=len(scale) ** 2).reshape(len(scale), len(scale))
        rows: list[list[int]] = counts.tolist()
        return rows
