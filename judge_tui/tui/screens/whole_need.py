"""The whole query, with its description and narrative, however long they are."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from judge_tui.model import Query
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.visible import visible


class WholeNeedOverlay(Overlay[None]):
    """Query, description and narrative over the Judge screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e,q", "close", "close", id="whole-need.close"),
    ]

    def __init__(self, query: Query) -> None:
        super().__init__()
        self._query = query

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="panel"):
            yield Static(Content(visible(self._query.text)), classes="heading", markup=False)
            for part in (self._query.description, self._query.narrative):
                if part:
                    yield Static(Content(visible(part)), classes="part", markup=False)
            yield Static(f"{self.closing} closes", classes="hint", markup=False)
