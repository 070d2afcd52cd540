"""A screen is as large as the terminal is now."""

from __future__ import annotations

from textual import events
from textual.screen import Screen, ScreenResultType


class SizedScreen(Screen[ScreenResultType]):
    """A screen to which every size means the one that the terminal has when it is dealt with.

    `App._check_resize` tells a screen its size, and `Screen._screen_resized` tells it once more. Of
    two changes in haste the first one's echo comes behind the second: the screen would be laid out
    for either in turn, without end and without a moment for a key.
    """

    def on_compose(self) -> None:
        """Have the classes of the size before the first paint: Textual has them behind it, and then
        lays out and paints everything again."""
        for side, kinds in (
            (self.app.size.width, self.HORIZONTAL_BREAKPOINTS or self.app.HORIZONTAL_BREAKPOINTS),
            (self.app.size.height, self.VERTICAL_BREAKPOINTS),
        ):
            fitting = [kind for kind in kinds or () if kind[0] <= side]
            if fitting:
                self.add_class(max(fitting)[1])

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Resize) and event.size != self.app.size:
            event = events.Resize(self.app.size, self.app.size)
        await super().on_event(event)
