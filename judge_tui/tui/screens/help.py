"""The keys of the screen below, read from its bindings, so that it cannot be out of date."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from judge_tui.tui.screens.overlay import Overlay

__all__ = ["HelpOverlay"]

_SHOWN_AS = {
    "right_square_bracket": "]",
    "left_square_bracket": "[",
    "question_mark": "?",
    "pagedown": "page down",
    "pageup": "page up",
}
_KEY_WIDTH = 20


class HelpOverlay(Overlay[None]):
    """One line a binding: its keys and what it does."""

    AUTO_FOCUS = "VerticalScroll"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,q", "close", "close", id="help.close"),
    ]

    def __init__(self, below: Screen[Any]) -> None:
        super().__init__()
        self._below = below

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="panel"):
            yield Static("Keys", classes="heading", markup=False)
            yield Static(Content("\n").join(self._lines()), markup=False)
            yield Static("esc closes", classes="hint", markup=False)

    def _lines(self) -> list[Content]:
        keys: dict[str, list[str]] = {}
        for key, binding in self._below._bindings:
            if binding.description and not binding.system:
                keys.setdefault(binding.description, []).append(_SHOWN_AS.get(key, key))
        return [
            Content.assemble((f"{', '.join(names):<{_KEY_WIDTH}}", "bold"), description)
            for description, names in keys.items()
        ]
