"""What the person behind a query needs: its description and narrative."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from judge_tui.tui.wrapping import wrap
from judge_tui.visible import visible

__all__ = ["Need"]

_MORE = " … d shows all"


class Need(Widget):
    """Takes at most a third of the screen; unfolded, as much as it needs; folded, nothing."""

    DEFAULT_CSS = "Need { height: auto; width: 1fr; }"

    STATES = ("short", "whole", "folded")

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._text = ""
        self._state = "short"

    def show(self, text: str) -> None:
        """Show another foreign text, as far folded as the one before."""
        self._text = visible(text)
        self._changed()

    def fold(self) -> None:
        """From short to whole to folded and back; where short is whole, that step is left out."""
        at = self.STATES.index(self._state)
        self._state = self.STATES[(at + 1) % len(self.STATES)]
        if self._state == "whole" and len(self._rows(self.content_size.width)) <= self._room():
            self._state = "folded"
        self._changed()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        rows = len(self._rows(width))
        return rows if self._state == "whole" else min(rows, self._room())

    def render(self) -> Content:
        rows = self._rows(self.content_size.width)
        room = self.content_size.height
        if len(rows) <= room:
            return Content("\n".join(rows))
        last = Content(rows[room - 1]).truncate(self.content_size.width - len(_MORE))
        return Content.assemble("\n".join((*rows[: room - 1], "")), last, (_MORE, "dim"))

    def _changed(self) -> None:
        self.display = bool(self._text) and self._state != "folded"
        self.refresh(layout=True)

    def _rows(self, width: int) -> list[str]:
        return [self._text[start:end] for start, end in wrap(self._text, width)]

    def _room(self) -> int:
        return max(2, self.app.size.height // 3)
