"""What every overlay has in common: it lies over the screen below, escape closes it, and what is
longer than the screen scrolls by the keys that scroll a document, and says so."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import ClassVar, TypeVar

from textual import events
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget

from judge_tui.tui.keymap import keys_on
from judge_tui.tui.screens.terminal_sized import TerminalSized

Result = TypeVar("Result")


class Overlay(ModalScreen[Result | None], TerminalSized[Result | None]):
    """Closed with escape, giving None."""

    # Whole: Textual would look for it beside the module of each overlay.
    CSS_PATH = Path(__file__).with_name("overlay.tcss")

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close", id="overlay.close"),
        Binding("j,down", "scroll(1)", "down", show=False, id="overlay.down"),
        Binding("k,up", "scroll(-1)", "up", show=False, id="overlay.up"),
        Binding("space,pagedown", "page(1)", "page down", show=False, id="overlay.page-down"),
        Binding("b,pageup", "page(-1)", "page up", show=False, id="overlay.page-up"),
        Binding("g,home", "top", "to the top", show=False, id="overlay.top"),
        Binding("G,end", "bottom", "to the end", show=False, id="overlay.bottom"),
    ]

    writes = False
    """Whether it has a line to write in."""

    def __init__(self, *, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        # When there was a line to write in, and the keys for it that came before.
        self._since: float | None = None
        self._ahead: list[events.Key] = []
        self._written: list[events.Key] = []

    def takes(self, key: events.Key) -> bool:
        """Whether a key is for the line to write in, though it was pressed when the line was not
        there yet; it is then written there, as soon as the line is."""
        is_ahead = self._since is None or key.time < self._since
        if not self.writes or not is_ahead or any(key is one for one in self._written):
            return False
        self._ahead.append(key)
        self._write_ahead()
        return True

    def on_descendant_focus(self) -> None:
        if self._since is None:
            self._since = monotonic()
        self._write_ahead()

    def _write_ahead(self) -> None:
        if self._since is not None and self.focused is not None:
            for key in self._ahead:
                # Another one: this one has been on its way up, and goes no further down.
                written = events.Key(key.key, key.character)
                self._written.append(written)
                self.focused._forward_event(written)
            self._ahead.clear()

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
