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

MEASURED_ROWS = 500
"""So many rows say how wide a column is."""

_CACHED_ROWS = 1000
_GAP = 2
# A column that takes the room that is left, or an id that may be shortened, keeps so much.
_LEAST = 12


@dataclass(frozen=True, slots=True)
class Heading:
    """A column: `width` in cells, or None for the widest of the title and the first rows.

    `right` aligns it at its right end; `fill` takes the room that is left; `middle` is an id,
    shortened in the middle where the room is short.
    """

    title: str = ""
    width: int | None = None
    right: bool = False
    fill: bool = False
    middle: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a column stands on the row."""

    column: int
    x: int
    width: int


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
    COMPONENT_CLASSES: ClassVar[set[str]] = {"table--header", "table--cursor", "table--empty"}
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

    @dataclass
    class HeadingPressed(_TableMessage):
        """The mouse was pressed on the title of a column."""

        column: int

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._headings: Sequence[Heading] = ()
        self._widths: list[int] = []
        self._count = 0
        self._cells: Cells = _no_cells
        self._empty = ""
        self._cursor = 0
        # The first of the columns that scroll sideways, and where each one is.
        self._left = 1
        self._places: list[_Place] = []
        self._more_right = False
        self._laid_out = 0
        self._strips: LRUCache[tuple[int, bool], Strip] = LRUCache(_CACHED_ROWS)
        self._styles: tuple[Style, Style] = (Style.null(), Style.null())

    @property
    def cursor(self) -> int:
        """The row under the cursor."""
        return self._cursor

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self._count

    @property
    def position(self) -> str:
        """Where the cursor is, in words."""
        return f"{self._cursor + 1:,} of {self._count:,}" if self._count else ""

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

        Where nothing but some rows changed, `redraw` is quicker.
        """
        if len(headings) != len(self._headings):
            self._left = 1
        self._headings, self._count, self._cells = headings, count, cells
        self._empty = empty
        self._widths = self._measured()
        # Without its watcher, which would lay out the whole screen anew.
        self.set_reactive(Widget.virtual_size, Size(0, count + self._header))
        if self.size:
            self.vertical_scrollbar.window_virtual_size = self.virtual_size.height
        self._lay_out()
        self._scroll(self.scroll_offset.y)
        self.move(cursor)
        self._tell_position()
        self.refresh()

    def move(self, row: int) -> None:
        """Put the cursor on a row and bring that row on screen, in the middle if it was far off."""
        row = max(0, min(self._count - 1, row))
        before, self._cursor = self._cursor, row
        top, height = self.scroll_offset.y, self._height
        if not top <= row < top + height:
            edge = row if row < top else row - height + 1
            self._scroll(edge if abs(edge - top) <= height else row - height // 2)
        if row != before:
            self._tell_position()

    def redraw(self, row: int | None = None) -> None:
        """Draw a row anew, or all of them: their cells changed."""
        if row is None:
            self._strips.clear()
            self.refresh()
        else:
            for is_cursor in (False, True):
                self._strips.discard((row, is_cursor))
            y = row - self.scroll_offset.y + self._header
            self.refresh(Region(0, y, self._width, 1))

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
            self._left = max(1, self._left + by)
            self._lay_out()
            self.refresh()

    def _user_moves(self, row: int) -> None:
        before = self._cursor
        self.move(row)
        if self._cursor != before:
            self.post_message(self.Moved(self, self._cursor))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        if offset.y < self._header:
            for place in self._places:
                if place.x - 1 <= offset.x <= place.x + place.width:
                    self.post_message(self.HeadingPressed(self, place.column))
            return
        row = self.scroll_offset.y + offset.y - self._header
        if row == self._cursor:
            self.action_open()
        elif row < self._count:
            self._user_moves(row)

    def on_mouse_scroll_right(self) -> None:
        self.action_sideways(1)

    def on_mouse_scroll_left(self) -> None:
        self.action_sideways(-1)

    def on_resize(self) -> None:
        self.move(self._cursor)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()

    def render_lines(self, crop: Region) -> list[Strip]:
        # Once for all lines: Textual puts the styles together anew each time it is asked.
        if self._laid_out != self._width:
            self._lay_out()
        cursor = self.get_visual_style("table--cursor")
        if self.get_component_styles("table--cursor").text_style.reverse:
            cursor += Style(reverse=True)  # it leaves that out
        styles = self.visual_style, cursor
        if styles != self._styles:
            self._styles = styles
            self._strips.clear()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        if y < self._header:
            return self._header_strip()
        row = self.scroll_offset.y + y - self._header
        if row >= self._count:
            return self._empty_strip(shows=y == self._header and not self._count)
        key = row, row == self._cursor
        strip = self._strips.get(key)
        if strip is None:
            strip = self._strips[key] = self._strip(*key)
        return strip

    @property
    def _header(self) -> int:
        """Lines that the titles take."""
        return int(any(heading.title for heading in self._headings))

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

    def _tell_position(self) -> None:
        self.border_subtitle = self.position

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
        if spare > 0 and fills:
            for at in fills:
                widths[at] += spare // len(fills)
            widths[fills[0]] += spare % len(fills)
        for at, heading in enumerate(self._headings):
            if spare < 0 and heading.middle:
                given = min(-spare, max(0, widths[at] - _LEAST))
                widths[at] -= given
                spare += given
        if spare >= 0:
            self._left = 1
        elif len(widths) > 1:
            widths[0] = min(widths[0], max(_LEAST, room // 2))
        self._place(widths, room)

    def _place(self, widths: Sequence[int], room: int) -> None:
        self._places = []
        x = 1
        self._more_right = False
        columns = [0, *range(self._left, len(widths))] if widths else []
        for column in columns:
            width = widths[column]
            # Behind all but the last there may stand a sign that there are more.
            end = room + (column == len(widths) - 1)
            if x + width > end and len(self._places) > 1:
                self._more_right = True
                break
            width = max(1, min(width, room + 1 - x))
            self._places.append(_Place(column, x, width))
            x += width + _GAP

    def _header_strip(self) -> Strip:
        base = self._styles[0]
        style = self.get_visual_style("table--header")
        cells = [Content(heading.title) for heading in self._headings]
        segments = self._segments(cells, style, plain=False)
        strip = Strip(segments).adjust_cell_length(self._width, style.rich_style)
        signs = []
        if self._left > 1 and self._places:
            signs.append((self._places[0].x + self._places[0].width, "‹"))
        if self._more_right:
            signs.append((self._width - 1, "›"))
        for x, sign in signs:
            mark = Strip([Segment(sign, (base + style + Style(bold=True)).rich_style)])
            strip = Strip.join([strip.crop(0, x), mark, strip.crop(x + 1)])
        return strip

    def _empty_strip(self, *, shows: bool) -> Strip:
        text = f" {self._empty}" if shows else ""
        style = self.get_visual_style("table--empty") if shows else self._styles[0]
        return Strip([Segment(text, style.rich_style)]).adjust_cell_length(
            self._width, self._styles[0].rich_style
        )

    def _strip(self, row: int, is_cursor: bool) -> Strip:
        style = self._styles[is_cursor]
        segments = self._segments(self._cells(row), style, plain=is_cursor)
        return Strip(segments).adjust_cell_length(self._width, style.rich_style)

    def _segments(self, cells: Sequence[Content], style: Style, *, plain: bool) -> list[Segment]:
        """The cells in their places; `plain` leaves out their colours."""
        rich_style = style.rich_style
        segments = []
        x = 0
        for place in self._places:
            cell = _fitted(cells[place.column], self._headings[place.column], place.width)
            segments.append(Segment(" " * (place.x - x), rich_style))
            parts = cell.render(style, end="", parse_style=self.app.stylesheet.parse_style)
            for text, part in parts:
                shown = style + _without_colours(part) if plain else style + part
                segments.append(Segment(text, shown.rich_style))
            x = place.x + place.width
        return segments


def _fitted(cell: Content, heading: Heading, width: int) -> Content:
    """A cell in exactly so many cells of the terminal."""
    if cell.cell_length > width:
        cell = _shortened(cell, width, middle=heading.middle)
    space = width - cell.cell_length
    return cell.pad_left(space) if heading.right else cell.pad_right(space)


def _shortened(cell: Content, width: int, *, middle: bool) -> Content:
    """Shortened at its end, or in its middle: ids differ most at their ends."""
    text = cell.plain
    tail = (width - 1) // 2 if middle else 0
    head = min(len(text), width - 1 - tail)
    while cell_len(text[:head]) > width - 1 - tail:
        head -= 1
    start = len(text) - tail
    while cell_len(text[start:]) > tail:
        start += 1
    return Content.assemble(cell[:head], "…", cell[start:])


def _without_colours(style: Style) -> Style:
    return Style(bold=style.bold, italic=style.italic, underline=style.underline)


def _no_cells(_row: int) -> Sequence[Content]:
    return ()
