"""What the person behind a query needs: its description and narrative."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from judge_tui.tui.wrapping import wrap
from judge_tui.visible import visible

# The least room for the document.
_LEAST_DOCUMENT = 3


class Need(Widget):
    """Takes at most a part of the screen, and never the room that the document needs.

    `more_key` is the key that shows all of it.
    """

    DEFAULT_CSS = "Need { height: auto; width: 1fr; }"

    def __init__(self, *, id: str | None = None, part: int = 3, other_lines: int = 7) -> None:
        """At most one `part`th of the screen, of which `other_lines` are neither need nor
        document."""
        super().__init__(id=id)
        self._part = part
        self._other_lines = other_lines
        self._text = ""
        self._folded = False
        self.more_key = "e"
        self.display = False

    @property
    def has_text(self) -> bool:
        """Whether there is something to show or to fold."""
        return bool(self._text)

    def show(self, text: str) -> None:
        """Show another foreign text, folded or not as the one before."""
        if (text := visible(text)) != self._text:
            self._text = text
            self._changed()

    def fold(self) -> bool:
        """Fold or unfold. Whether it is folded."""
        self._folded = not self._folded
        self._changed()
        return self._folded

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return min(len(self._rows(width)), self._room())

    def render(self) -> Content:
        width, room = self.content_size.width, self.content_size.height
        rows = self._rows(width)
        if len(rows) <= room or not room:
            return Content("\n".join(rows[:room]))
        more = f" … {self.more_key} shows all"
        last = Content(rows[room - 1]).truncate(max(0, width - len(more)))
        return Content.assemble("\n".join((*rows[: room - 1], "")), last, (more, "dim"))

    def _changed(self) -> None:
        self.display = bool(self._text) and not self._folded
        self.refresh(layout=True)

    def _rows(self, width: int) -> list[str]:
        return [self._text[start:end] for start, end in wrap(self._text, width)]

    def _room(self) -> int:
        height = self.app.size.height
        return max(0, min(height // self._part, height - self._other_lines - _LEAST_DOCUMENT))
