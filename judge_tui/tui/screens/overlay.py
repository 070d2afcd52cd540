"""What every overlay has in common: it lies over the screen below, escape closes it, and what is
longer than the screen scrolls by the keys that scroll a document, and says so."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget

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
        Binding("g,home", "top", "to the top", show=False, id="overlay.top"),
        Binding("G,end", "bottom", "to the end", show=False, id="overlay.bottom"),
    ]

    @property
    def closing(self) -> str:
        """The key that closes it, as it is shown."""
        return keys_on(self)["overlay.close"]

    def on_mount(self) -> None:
        for panel in self.query(VerticalScroll):
            self.watch(panel, "show_vertical_scrollbar", self._tell_scrolling)

    def _tell_scrolling(self) -> None:
        for panel in self.query(VerticalScroll):
            self.tell_scrolling(panel, scrolls=panel.show_vertical_scrollbar)

    def tell_scrolling(self, panel: Widget, *, scrolls: bool) -> None:
        """Say on the border of a panel by what keys it scrolls, where it does."""
        keys = keys_on(self)
        names = ("down", "up", "page-down", "page-up", "top", "bottom")
        shown = " ".join(keys[f"overlay.{name}"] for name in names)
        panel.border_subtitle = Content(f"there is more: {shown} scroll") if scrolls else None

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Once: a key pressed before it was gone must not take the screen below with it."""
        if self.is_active:
            return super().dismiss(result)
        return AwaitComplete()

    def action_close(self) -> None:
        self.dismiss(None)

    def action_scroll(self, by: int) -> None:
        for panel in self.query(VerticalScroll):
            panel.scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        for panel in self.query(VerticalScroll):
            panel.scroll_relative(y=by * max(1, panel.size.height - 2), animate=False)

    def action_top(self) -> None:
        for panel in self.query(VerticalScroll):
            panel.scroll_home(animate=False)

    def action_bottom(self) -> None:
        for panel in self.query(VerticalScroll):
            panel.scroll_end(animate=False)
