"""What every overlay has in common: it lies over the screen below, escape closes it, and what is
longer than the screen scrolls by the keys that scroll a document."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen

from judge_tui.tui.keymap import keys_on

__all__ = ["Overlay"]

Result = TypeVar("Result")


class Overlay(ModalScreen[Result | None]):
    """Closed with escape, giving None."""

    CSS_PATH = "overlay.tcss"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close", id="overlay.close"),
        Binding("j,down", "scroll(1)", "down", show=False, id="overlay.down"),
        Binding("k,up", "scroll(-1)", "up", show=False, id="overlay.up"),
        Binding("space,pagedown", "page(1)", "page down", show=False, id="overlay.page-down"),
        Binding("b,pageup", "page(-1)", "page up", show=False, id="overlay.page-up"),
    ]

    @property
    def closing(self) -> str:
        """The key that closes it, as it is shown."""
        return keys_on(self)["overlay.close"]

    def action_close(self) -> None:
        self.dismiss(None)

    def action_scroll(self, by: int) -> None:
        for panel in self.query(VerticalScroll):
            panel.scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        for panel in self.query(VerticalScroll):
            panel.scroll_relative(y=by * max(1, panel.size.height - 2), animate=False)
