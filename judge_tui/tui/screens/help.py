"""The keys of a screen, read from its bindings, so that the help cannot be out of date."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.shown import foreign

__all__ = ["HelpOverlay", "keys_of"]

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

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,q", "close", "close", id="help.close"),
    ]

    def __init__(self, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._keys = keys

    def compose(self) -> ComposeResult:
        lines = [
            Content.assemble((f"{keys:<{_KEY_WIDTH}}", "bold"), foreign(what))
            for keys, what in self._keys
        ]
        with VerticalScroll(classes="panel"):
            yield Static("Keys", classes="heading", markup=False)
            yield Static(Content("\n").join(lines), markup=False)
            yield Static("esc closes", classes="hint", markup=False)


def keys_of(screen: Screen[Any], room: str) -> list[tuple[str, str]]:
    """The keys of the bindings whose id begins with `room.`, and what each does."""
    keys: dict[str, list[str]] = {}
    for key, binding in screen._bindings:
        if (binding.id or "").startswith(f"{room}."):
            keys.setdefault(binding.description, []).append(_SHOWN_AS.get(key, key))
    return [(", ".join(names), what) for what, names in keys.items()]
