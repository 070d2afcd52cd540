"""A table of one-line rows that draws only what is on screen: 100,000 rows open at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from judge_tui.tui.cells import Keep, shortened

MEASURED_ROWS = 500
"""So many rows say how wide a column is."""

_CACHED_ROWS = 1000
_GAP = 2
# A column that takes the room that is left, or an id that may be shortened, keeps so much.
_LEAST = 12


@dataclass(frozen=True, slots=True)
class Heading:
    """A column: `width` in cells, or None for the widest of the title and the first rows.

    `right` aligns it at its right end; `fill` takes the room that is left; `keep` says which part
    of a cell stays where the room is short. Ids, which differ at an end, give way to other columns.
    """

    title: str = ""
    width: int | None = None
    right: bool = False
    fill: bool = False
    keep: Keep = "start"


Cells = Callable[[int], Sequence[Content]]
"""The cells of a row, one for each heading."""


@dataclass
class _TableMessage(Message):
    table: Table

    @property
    def control(self) -> Table:
        """By this, `@on` knows one table from another."""
        return self.table


class Table(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows under a cursor. A callable gives the cells of a row, so that the table holds no data.

    The first column stays while the others scroll sideways. A column that does not fit whole is not
    shown: no number is cut.
    """

    ALLOW_MAXIMIZE = False
    BINDING_GROUP_TITLE = "Table"
    COMPONENT_CLASSES: ClassVar[set[str]] = {"table--header", "table--cursor"}
    DEFAULT_CLASSES = "pane"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "cursor(1)", "down", show=False, id="table.down"),
        Binding("up,k", "cursor(-1)", "up", show=False, id="table.up"),
        Binding("pagedown,space", "page(1)", "page down", show=False, id="table.page-down"),
        Binding("pageup,b", "page(-1)", "page up", show=False, id="table.page-up"),
        Binding("home,g", "first", "first row", show=False, id="table.first"),
        Binding("end,G", "last", "last row", show=False, id="table.last"),
        Binding("left,h", "sideways(-1)", "columns left", show=False, id="table.left"),
        Binding("right,l", "sideways(1)", "columns right", show=False, id="table.right"),
        Binding("enter", "open", "open", show=False, id="table.open"),
    ]

    @dataclass
    class Moved(_TableMessage):
        """The user moved the cursor."""

        row: int

    @dataclass
    class Opened(_TableMessage):
        """Enter, or a click on the row under the cursor."""

        row: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._headings: Sequence[Heading] = ()
        self._header = 0
        self._widths: list[int] = []
        self._count = 0
        self._cells: Cells = lambda _: ()
        self._empty = ""
        self._cursor = 0
        # The first of the columns that scroll sideways; of those on screen the number, x and width.
        self._left = 1
        self._places: list[tuple[int, int, int]] = []
        self._more_right = False
        self._laid_out = 0
        self._strips: LRUCache[tuple[int, bool], Strip] = LRUCache(_CACHED_ROWS)
        self._styles = [Style.null()] * 3

    @property
    def cursor(self) -> int:
        """The row under the cursor."""
        return self._cursor

    def show(
        self,
        headings: Sequence[Heading],
        count: int,
        cells: Cells,
        *,
        cursor: int = 0,
        empty: str = "",
    ) -> None:
        """Show `count` rows with the cursor on one of them; `empty` stands there if there are none.

        Where nothing but cells changed, `redraw` is quicker.
        """
        self._headings, self._count, self._cells = headings, count, cells
        self._empty = empty
        self._header = int(any(heading.title for heading in headings))
        self._widths = self._measured()
        # Without its watcher, which would lay out the whole screen anew.
        self.set_reactive(Widget.virtual_size, Size(0, count + self._header))
        if self.size:
            self.vertical_scrollbar.window_virtual_size = self.virtual_size.height
        self._lay_out()
        self._scroll(self.scroll_offset.y)
        self.move(cursor)

    @property
    def whole_width(self) -> int:
        """Cells that all of its columns would take, with the borders and the scrollbar."""
        return sum(self._widths) + _GAP * (len(self._widths) - 1) + 5

    def move(self, row: int) -> None:
        """Put the cursor on a row and bring that row on screen, in the middle if it was far off."""
        row = max(0, min(self._count - 1, row))
        self._cursor = row
        top, height = self.scroll_offset.y, self._height
        if not top <= row < top + height:
            edge = row if row < top else row - height + 1
            self._scroll(edge if abs(edge - top) <= height else row - height // 2)
        # This refreshes all of it, which costs little: what was drawn is kept.
        self._tell_position()

    def _tell_position(self) -> None:
        """On the border: which row, and while keys come here, that there are more columns."""
        position = f"{self._cursor + 1:,} of {self._count:,}" if self._count else ""
        is_wide = self.has_focus and self._count and (self._more_right or self._left > 1)
        self.border_subtitle = f"h l more columns · {position}" if is_wide else position

    def redraw(self, *rows: int) -> None:
        """Draw these rows anew, all where none is named: their cells changed."""
        for row in rows:
            self._strips.discard((row, True))
            self._strips.discard((row, False))
        if not rows:
            self._strips.clear()
        self.refresh()

    def action_cursor(self, by: int) -> None:
        self._user_moves(self._cursor + by)

    def action_page(self, by: int) -> None:
        self._user_moves(self._cursor + by * max(1, self._height - 1))

    def action_first(self) -> None:
        self._user_moves(0)

    def action_last(self) -> None:
        self._user_moves(self._count - 1)

    def action_open(self) -> None:
        if self._count:
            self.post_message(self.Opened(self, self._cursor))

    def action_sideways(self, by: int) -> None:
        if by < 0 or self._more_right:
            self._left += by
            self._lay_out()
            self.refresh()

    def _user_moves(self, row: int) -> None:
        before = self._cursor
        self.move(row)
        if self._cursor != before:
            self.post_message(self.Moved(self, self._cursor))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or offset.y < self._header:
            return
        row = self.scroll_offset.y + offset.y - self._header
        if row == self._cursor:
            self.action_open()
        elif row < self._count:
            self._user_moves(row)

    def on_resize(self) -> None:
        self.move(self._cursor)

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self._tell_position()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()

    def render_lines(self, crop: Region) -> list[Strip]:
        # Once for all lines: Textual puts the styles together anew each time it is asked.
        cursor = self.get_visual_style("table--cursor")
        if self.get_component_styles("table--cursor").text_style.reverse:
            cursor += Style(reverse=True)  # it leaves that out
        self._styles = [self.visual_style, cursor, self.get_visual_style("table--header")]
        if self._laid_out != self._width:
            self._lay_out()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        if y < self._header:
            return self._header_strip()
        row = self.scroll_offset.y + y - self._header
        if row >= self._count:
            note = f" {self._empty}" if not self._count and y == self._header else ""
            return self._strip([Segment(note, self._styles[2].rich_style)], self._styles[0])
        key = row, row == self._cursor
        strip = self._strips.get(key)
        if strip is None:
            style = self._styles[key[1]]
            segments = self._segments(self._cells(row), style, is_cursor=key[1])
            strip = self._strips[key] = self._strip(segments, style)
        return strip

    @property
    def _height(self) -> int:
        """Lines that rows can stand on."""
        return max(1, self.size.height - self._header)

    @property
    def _width(self) -> int:
        """Cells that a row has, beside the scrollbar."""
        return self.scrollable_size.width

    def _scroll(self, top: int) -> None:
        if self.size:
            self.scroll_to(y=max(0, min(top, self.max_scroll_y)), animate=False, force=True)

    def _measured(self) -> list[int]:
        """How wide each column is by itself."""
        widths = [
            _LEAST if heading.fill else heading.width or cell_len(heading.title)
            for heading in self._headings
        ]
        free = [at for at, one in enumerate(self._headings) if one.width is None and not one.fill]
        if free:
            for row in range(min(self._count, MEASURED_ROWS)):
                cells = self._cells(row)
                for column in free:
                    widths[column] = max(widths[column], cells[column].cell_length)
        return widths

    def _lay_out(self) -> None:
        """Decide which columns are where."""
        self._strips.clear()
        self._laid_out = self._width
        room = self._laid_out - 2
        widths = list(self._widths)
        spare = room - sum(widths) - _GAP * (len(widths) - 1)
        fills = [at for at, heading in enumerate(self._headings) if heading.fill]
        for at, column in enumerate(fills):
            widths[column] += max(0, spare) // len(fills) + (at < max(0, spare) % len(fills))
            if spare < 0:
                widths[column] = max(widths[column], room // 4)
        for at, heading in enumerate(self._headings):
            if heading.keep != "start" and spare < 0:
                less = min(-spare, max(0, widths[at] - _LEAST))
                widths[at] -= less
                spare += less
        self._left = 1 if spare >= 0 else max(1, min(self._left, len(widths) - 1))
        if spare < 0 and len(widths) > 1:
            widths[0] = min(widths[0], max(_LEAST, room // 2))
        self._places, self._more_right = [], False
        x = 1
        for column in [0, *range(self._left, len(widths))][: len(widths)]:
            if x + widths[column] > room + 1 and len(self._places) > 1:
                self._more_right = True
                break
            width = max(1, min(widths[column], room + 1 - x))
            self._places.append((column, x, width))
            x += width + _GAP
        self._tell_position()

    def _header_strip(self) -> Strip:
        """The titles; at either end, whether columns are hidden there."""
        style = self._styles[2]
        titles = [Content(heading.title) for heading in self._headings]
        _blank, *segments = self._segments(titles, style)
        middle = Strip(segments).adjust_cell_length(self._width - 2, style.rich_style)
        left, right = "‹" if self._left > 1 else " ", "›" if self._more_right else " "
        return Strip([Segment(left, style.rich_style), *middle, Segment(right, style.rich_style)])

    def _strip(self, segments: list[Segment], style: Style) -> Strip:
        return Strip(segments).adjust_cell_length(self._width, style.rich_style)

    def _segments(
        self, cells: Sequence[Content], style: Style, *, is_cursor: bool = False
    ) -> list[Segment]:
        """The cells in their places; on the cursor their colours give way."""
        segments = []
        end = 0
        for column, x, width in self._places:
            cell = _fitted(cells[column], self._headings[column], width)
            segments.append(Segment(" " * (x - end), style.rich_style))
            for text, own in cell.render(end="", parse_style=self.app.stylesheet.parse_style):
                calm = Style(bold=own.bold, italic=own.italic, underline=own.underline)
                part = style + (calm if is_cursor else own)
                segments.append(Segment(text, part.rich_style))
            end = x + width
        return segments


class SideList(Table):
    """Rows beside what they are about: a click there leaves the focus where it is."""

    FOCUS_ON_CLICK = False


def _fitted(cell: Content, heading: Heading, width: int) -> Content:
    """A cell in exactly so many cells of the terminal."""
    cell = shortened(cell, width, heading.keep)
    space = width - cell.cell_length
    return cell.pad_left(space) if heading.right else cell.pad_right(space)
