"""The campaign's guidelines, over the screen."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from judge_tui.campaign import Settings
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.widgets import GuidelinesView


class GuidelinesOverlay(Overlay[None]):
    """Guidelines over the Judge screen, or over Home."""

    AUTO_FOCUS = ""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i,I,q", "close", "close", id="guidelines.close"),
    ]

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel tall"):
            yield GuidelinesView(self._settings)
            yield Static(f"{self.closing} closes", classes="hint", markup=False)

    def on_resize(self) -> None:
        self.call_after_refresh(self._tell)

    @on(GuidelinesView.Rendered)
    def _tell(self) -> None:
        more = self.query_one(GuidelinesView).has_more
        self.tell_scrolling(self.query_one(".panel"), scrolls=more)

    def action_scroll(self, by: int) -> None:
        self.query_one(GuidelinesView).move(by)

    def action_page(self, by: int) -> None:
        view = self.query_one(GuidelinesView)
        view.move(by * max(1, view.size.height - 2))

    def action_top(self) -> None:
        self.query_one(GuidelinesView).to_start()

    def action_bottom(self) -> None:
        self.query_one(GuidelinesView).to_end()
