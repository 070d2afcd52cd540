"""Everything that a key does on the screen, for Textual's palette."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from judge_tui.tui.key_names import shown_keys
from judge_tui.tui.keymap import bound_of
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.tui.app import JudgeTuiApp


class KeyCommands(Provider):
    """What the keys of the screen and of the app do there, each with its keys as the help."""

    async def discover(self) -> Hits:
        for what, keys, run in self._commands():
            yield DiscoveryHit(Content(what), run, text=what, help=keys)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for what, keys, run in self._commands():
            if (score := matcher.match(what)) > 0:
                yield Hit(score, matcher.highlight(what), run, text=what, help=keys)

    def _commands(self) -> Iterator[tuple[str, str, Callable[[], Any]]]:
        app, screen = cast("JudgeTuiApp", self.app), self.screen
        name_of = getattr(screen, "name_of", lambda bound: bound.what)
        for node in (screen, app):
            for bound in bound_of(type(node), app.config.keymap):
                what = visible_line(name_of(bound))
                if what and bound.id != "app.palette":
                    yield what, shown_keys(bound.keys), partial(app.run_action, bound.action, node)
        yield "change the theme", "", app.search_themes
