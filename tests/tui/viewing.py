"""One document on the whole screen, and what a reader sees of it."""

from __future__ import annotations

from textual import on
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from judge_tui.tui.widgets import DocumentView

_SIGNS = " ▐╴◂"


class Viewer(App[None]):
    """A document view, and what it says without being asked."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def compose(self) -> ComposeResult:
        yield DocumentView()

    @on(DocumentView.Found)
    def _found(self, message: DocumentView.Found) -> None:
        self.said.append(message.said)

    @property
    def view(self) -> DocumentView:
        return self.query_one(DocumentView)

    @property
    def top(self) -> int:
        """The row at the top of the screen."""
        return self.view.scroll_offset.y

    def lines(self) -> list[str]:
        """What is on screen, without the gutter."""
        return [self.view.render_line(y).text[:-2].rstrip() for y in range(self.view.size.height)]

    def gutter(self) -> list[str]:
        """The gutter that is on screen."""
        return [self.view.render_line(y).text[-2:] for y in range(self.view.size.height)]

    def rows(self) -> list[str]:
        """What a reader sees, row by row, who scrolls to the end."""
        seen = []
        for row in range(len(self.view._document.rows)):
            self.view.scroll_to(0, row, animate=False, force=True, immediate=True)
            offset = row - self.view.scroll_offset.y
            seen.append(self.view.render_line(offset).text[1:].rstrip(_SIGNS))
        return seen

    def styled(self, name: str) -> list[str]:
        """The texts on screen in the style of a part."""
        style = self.view.look_of(name)
        return [
            segment.text
            for y in range(self.view.size.height)
            for segment in self.view.render_line(y)
            if segment.style and segment.style + style == segment.style
        ]


async def settled(pilot: Pilot[None]) -> None:
    """Wait until the whole document is ready, what was looked for is found, and the gutter tells
    of all of it."""
    app = pilot.app
    assert isinstance(app, Viewer)
    for _ in range(5000):
        await pilot.pause()
        if app.view.settled and app.view._gutter_timer is None:
            break
    assert app.view.settled
    await pilot.pause()
