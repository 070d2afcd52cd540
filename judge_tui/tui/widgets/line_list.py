"""A list of one-line rows that draws only what is on screen: 100,000 rows open at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.geometry import Region
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from judge_tui.tui.cells import shortened

Piece = tuple[str, str]
"""A text, already visible, and the component class it is drawn in ("" is the plain one)."""

Draw = Callable[[int], Sequence[Piece]]
"""The pieces of a row, left to right."""

Drawn = tuple[tuple[Piece, ...], bool, int]
"""What a row looks like: its pieces, whether the cursor is on it, its width."""

_CACHED_ROWS = 1000


class LineList(ScrollView, inherit_bindings=False):
    """Rows under a cursor. The rows are drawn by a callable, so that the list holds no data."""

    ALLOW_MAXIMIZE = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "list--cursor",
        "list--faint",
        "list--good",
        "list--fair",
        "list--found",
        "list--poor",
        "list--strong",
    }

    DEFAULT_CSS = """
    LineList {
        scrollbar-size: 0 0;
        overflow: hidden scroll;
    }
    LineList > .list--cursor { text-style: reverse; }
    LineList > .list--faint { color: $foreground 50%; }
    LineList > .list--good { color: $text-success; }
    LineList > .list--fair { color: $text-warning; }
    LineList > .list--poor { color: $text-error; }
    LineList > .list--found { text-style: bold underline; }
    LineList > .list--strong { text-style: bold; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "cursor(1)", "down", show=False, id="list.down"),
        Binding("up,k", "cursor(-1)", "up", show=False, id="list.up"),
        Binding("pagedown,space", "page(1)", "page down", show=False, id="list.page-down"),
        Binding("pageup,b", "page(-1)", "page up", show=False, id="list.page-up"),
        Binding("home,g", "first", "first", show=False, id="list.first"),
        Binding("end,G", "last", "last", show=False, id="list.last"),
        Binding("enter", "choose", "choose", show=False, id="list.choose"),
    ]

    @dataclass
    class Chosen(Message):
        """A row was entered or clicked."""

        line_list: LineList
        index: int

        @property
        def control(self) -> LineList:
            return self.line_list

    def __init__(
        self,
        *,
        id: str | None = None,
        can_focus: bool = True,
        cut: Literal["end", "middle"] = "end",
    ) -> None:
        """A row that is too wide is cut at its end, or in the middle of its last piece."""
        super().__init__(id=id)
        self._cut = cut
        self.can_focus = can_focus
        self._count = 0
        self._draw: Draw = _nothing
        self._cursor = 0
        self._base = Style()
        # What stands on each line of the screen, and the strips of what stood there lately.
        self._drawn: dict[int, Drawn] = {}
        self._strips: LRUCache[Drawn, Strip] = LRUCache(_CACHED_ROWS)

    @property
    def cursor(self) -> int:
        """The row under the cursor."""
        return self._cursor

    def show(self, count: int, draw: Draw, *, cursor: int = 0) -> None:
        """Show `count` rows drawn by `draw`, with the cursor on one of them. Only rows that look
        otherwise than before are painted."""
        self._count = count
        self._draw = draw
        self.move(cursor)
        top = self.scroll_offset.y
        for y in range(self.size.height):
            if self._drawn.get(y) != self._drawing(top + y):
                self.refresh_line(top + y)

    @property
    def max_scroll_y(self) -> int:
        """How far down one can go; rows are counted here and not in `virtual_size`, each change of
        which would lay out the whole screen anew."""
        return max(0, self._count - self.size.height)

    def move(self, to: int) -> None:
        """Put the cursor on a row and bring that row on screen, near the middle if it was off."""
        to = max(0, min(self._count - 1, to))
        before, self._cursor = self._cursor, to
        top, height = self.scroll_offset.y, max(1, self.size.height)
        if not top <= to < top + height:
            self.scroll_to(0, max(0, to - height // 2), animate=False, force=True, immediate=True)
            self.refresh()
        if to != before:
            self.refresh_line(before)
            self.refresh_line(to)

    def action_cursor(self, by: int) -> None:
        self.move(self._cursor + by)

    def action_page(self, by: int) -> None:
        self.move(self._cursor + by * max(1, self.size.height - 1))

    def action_first(self) -> None:
        self.move(0)

    def action_last(self) -> None:
        self.move(self._count - 1)

    def action_choose(self) -> None:
        if self._count:
            self.post_message(self.Chosen(self, self._cursor))

    def on_click(self, event: events.Click) -> None:
        row = self.scroll_offset.y + event.y
        if 0 <= row < self._count:
            self.move(row)
            self.post_message(self.Chosen(self, row))

    def on_resize(self, _event: events.Resize) -> None:
        self.move(self._cursor)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()

    def render_lines(self, crop: Region) -> list[Strip]:
        # Once for all lines: Textual puts the style together anew each time it is asked for.
        if (base := self.rich_style) != self._base:
            self._base = base
            self._strips.clear()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        row = self.scroll_offset.y + y
        drawn = self._drawn[y] = self._drawing(row)
        strip = self._strips.get(drawn)
        if strip is None:
            strip = self._strips[drawn] = self._strip(*drawn)
        return strip

    def _drawing(self, row: int) -> Drawn:
        """All that a row on screen depends on."""
        if row >= self._count:
            return (), False, self.size.width
        return tuple(self._draw(row)), row == self._cursor, self.size.width

    def _strip(self, pieces: tuple[Piece, ...], is_cursor: bool, width: int) -> Strip:
        base = self._base
        if is_cursor:
            base += self.get_component_rich_style("list--cursor", partial=True)
        if pieces and self._cut == "middle":
            *others, (last, kind) = pieces
            room = width - sum(cell_len(text) for text, _ in others)
            pieces = (*others, (shortened(last, room), kind))
        segments = [Segment(" " * width, base)] if not pieces else []
        for text, name in pieces:
            style = base + self.get_component_rich_style(name, partial=True) if name else base
            segments.append(Segment(text, style))
        return _fitted(segments, width).adjust_cell_length(width, base)


def _fitted(segments: list[Segment], width: int) -> Strip:
    """Cut with an ellipsis where the row is too wide."""
    strip = Strip(segments, sum(cell_len(segment.text) for segment in segments))
    if strip.cell_length <= width:
        return strip
    return Strip.join([strip.crop(0, max(0, width - 1)), Strip([Segment("…", segments[-1].style)])])


def _nothing(_row: int) -> Sequence[Piece]:
    return ()
