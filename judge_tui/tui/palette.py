"""The palette: everything that a key does on the screen, to be found by what it does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.await_complete import AwaitComplete
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.css.query import NoMatches

from judge_tui.tui.key_names import shown_keys
from judge_tui.tui.keymap import bound_of
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from textual.message import Message

    from judge_tui.tui.app import JudgeTuiApp

__all__ = ["KeyCommands", "KeyPalette"]

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


class KeyPalette(CommandPalette):
    """Textual's palette, left once however fast one types.

    Enter that is pressed twice before it is gone would take the screen below with it, and what
    still waits for it then looks for lists that are not there any more.
    """

    def dismiss(self, result: Any = None) -> AwaitComplete:
        if self.is_active:
            return super().dismiss(result)
        return AwaitComplete()

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)
        except NoMatches:
            if self.is_active:
                raise

    def _watch__list_visible(self) -> None:
        # Set by a search too, which runs beside the messages.
        if self.is_active:
            super()._watch__list_visible()

    async def _watch__show_busy(self) -> None:
        if self.is_active:
            await super()._watch__show_busy()


def _prompt(what: str, keys: str) -> Content:
    return Content.assemble(what, "   ", (keys, "dim"))
