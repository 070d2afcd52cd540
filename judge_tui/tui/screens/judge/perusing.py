"""Through one document: scrolling, and how it is shown."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from judge_tui.tui.screens.judge.deciding import Deciding

__all__ = ["Perusing"]


class Perusing(Deciding):
    """The keys of a pager."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll(1)", "down", id="judge.down"),
        Binding("k,up", "scroll(-1)", "up", id="judge.up"),
        Binding("space,pagedown", "page(1)", "page down", id="judge.page-down"),
        Binding("b,pageup", "page(-1)", "page up", id="judge.page-up"),
        Binding("g,home", "top", "top", id="judge.top"),
        Binding("G,end", "bottom", "bottom", id="judge.bottom"),
    ]

    def action_scroll(self, by: int) -> None:
        self.view.move(by)

    def action_page(self, by: int) -> None:
        self.view.move(by * max(1, self.view.size.height - 2))

    def action_top(self) -> None:
        self.view.scroll_home(animate=False)

    def action_bottom(self) -> None:
        self.view.to_end()
