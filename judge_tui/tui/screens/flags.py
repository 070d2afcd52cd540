"""What the judge flagged, skipped, found impossible to judge or commented on, over the whole desk;
enter goes there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from judge_tui.campaign.store.desk import DeskPair
from judge_tui.campaign.store.set_aside import SetAside
from judge_tui.model import Scale
from judge_tui.tui.cells import padded, widest
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.shown import counted_aside, grade_class, state_glyph
from judge_tui.tui.widgets import LineList
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

_QUERY = 16
_DOCUMENT = 32


class FlagsOverlay(Overlay[DeskPair]):
    """Gives the pair that was chosen."""

    AUTO_FOCUS = "LineList"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("F,q", "close", "close", id="flags.close"),
    ]

    def __init__(self, aside: Sequence[SetAside], scale: Scale, here: DeskPair | None) -> None:
        super().__init__()
        self._aside = aside
        self._scale = scale
        self._here = here
        self._query_width = widest(_QUERY, (one.query_id for one in aside))
        self._document_width = widest(_DOCUMENT, (one.pair.doc_id for one in aside))

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel list"):
            yield Static(counted_aside(self._aside), classes="heading", markup=False)
            yield LineList()
            yield Static(f"enter goes there   {self.closing} closes", classes="hint", markup=False)

    def on_mount(self) -> None:
        slots = [one.pair.slot for one in self._aside]
        cursor = slots.index(self._here.slot) if self._here and self._here.slot in slots else 0
        rows = self.query_one(LineList)
        rows.styles.height = max(1, len(slots))
        rows.show(len(slots), self._draw, cursor=cursor)

    @on(LineList.Chosen)
    def _chosen(self, message: LineList.Chosen) -> None:
        self.dismiss(self._aside[message.index].pair)

    def _draw(self, index: int) -> list[Piece]:
        one = self._aside[index]
        pair, state = one.pair, one.pair.state
        colour = "faint" if state.grade is None else grade_class(state.grade, self._scale)
        pieces = [
            (f" {padded(visible_line(one.query_id), self._query_width)}  ", "list--strong"),
            (state_glyph(state), f"list--{colour}"),
            ("!", "list--fair") if state.flagged else (" ", ""),
            (f" {padded(visible_line(pair.doc_id), self._document_width)}", ""),
        ]
        if state.note:
            pieces.append((f"  {visible_line(state.note)}", "list--faint"))
        return pieces
