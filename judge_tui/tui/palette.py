"""The palette: everything that a key does on the screen, to be found by what it does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from judge_tui.tui.key_names import shown_keys
from judge_tui.tui.keymap import bound_of
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.tui.app import JudgeTuiApp

__all__ = ["KeyCommands"]

Command = tuple[str, str, Callable[[], Awaitable[Any]]]
"""What it does, its keys, and how it is done."""


class KeyCommands(Provider):
    """The bindings of the screen below and of the app, in the order of the help.

    What they are called may hold foreign text, such as the labels of a scale; Textual would read
    markup from it, so that everything here is `Content`.
    """

    async def discover(self) -> Hits:
        for what, keys, run in self._commands():
            yield DiscoveryHit(_prompt(what, keys), run, what)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for what, keys, run in self._commands():
            score, offsets = matcher.fuzzy_search.match(query, what)
            if score > 0:
                prompt = _prompt(what, keys)
                for offset in offsets:
                    prompt = prompt.stylize("bold underline", offset, offset + 1)
                yield Hit(score, prompt, run, text=what)

    def _commands(self) -> Iterator[Command]:
        app: JudgeTuiApp = self.app  # type: ignore[assignment]
        name_of = getattr(self.screen, "name_of", lambda bound: bound.what)
        for node in (self.screen, app):
            for bound in bound_of(type(node), app.config.keymap):
                what = visible_line(name_of(bound))
                if what and bound.id != "app.palette":
                    yield what, shown_keys(bound.keys), partial(app.run_action, bound.action, node)
        yield "change the theme", "", partial(app.run_action, "app.change_theme", app)


def _prompt(what: str, keys: str) -> Content:
    return Content.assemble(what, "   ", (keys, "dim"))
