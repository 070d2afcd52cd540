"""The palette: everything that a key does on the screen, to be found by what it does."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding, BindingType
from textual.screen import Screen

from judge_tui.tui.cells import padded, widest
from judge_tui.tui.key_names import shown_keys
from judge_tui.tui.keymap import bound_of
from judge_tui.tui.screens.choosing import ChoiceOverlay
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.tui.app import JudgeTuiApp

__all__ = ["Command", "KeyPalette", "commands_of", "matched", "themes_of"]

_GREATEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Command:
    """What can be done, in visible words; its keys; and how it is done."""

    what: str
    keys: str
    run: Callable[[], object]


def commands_of(screen: Screen[Any], app: JudgeTuiApp) -> list[Command]:
    """What the keys of a screen and of the app do there, in the order of the help."""
    name_of = getattr(screen, "name_of", lambda bound: bound.what)

    def run(action: str, node: Any) -> Callable[[], Awaitable[bool]]:
        return partial(app.run_action, action, node)

    commands = [
        Command(what, shown_keys(bound.keys), run(bound.action, node))
        for node in (screen, app)
        for bound in bound_of(type(node), app.config.keymap)
        if (what := visible_line(name_of(bound))) and bound.id != "app.palette"
    ]
    return [*commands, Command("change the theme", "", run("app.change_theme", app))]


def themes_of(app: JudgeTuiApp) -> list[Command]:
    """The themes that there are, the one of now marked."""

    def choose(name: str) -> None:
        app.theme = name

    return [
        Command(name, "in use" if name == app.theme else "", partial(choose, name))
        for name in sorted(app.available_themes)
    ]


class KeyPalette(ChoiceOverlay[Command]):
    """Gives the command that was chosen."""

    enter_does = "does it"
    nothing = "nothing is called so"

    # The input has the focus: what moves the list must not be a letter.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", "down", show=False, id="palette.down", priority=True),
        Binding("up", "move(-1)", "up", show=False, id="palette.up", priority=True),
        Binding(
            "pagedown", "page(1)", "page down", show=False, id="palette.page-down", priority=True
        ),
        Binding("pageup", "page(-1)", "page up", show=False, id="palette.page-up", priority=True),
    ]

    def __init__(self, commands: Sequence[Command], placeholder: str) -> None:
        super().__init__()
        self.placeholder = placeholder
        self._commands = commands
        self._found: list[tuple[Command, list[int]]] = []
        self._width = widest(_GREATEST_NAME, (command.what for command in commands))

    def seek(self, typed: str) -> int:
        found = [
            (rank, number, command, places)
            for number, command in enumerate(self._commands)
            for rank, places in [matched(typed, command.what)]
            if rank is not None
        ]
        found.sort(key=lambda one: one[:2])
        self._found = [(command, places) for _rank, _number, command, places in found]
        return len(self._found)

    def choose(self, index: int) -> None:
        self.dismiss(self._found[index][0])

    def draw(self, index: int) -> list[Piece]:
        command, places = self._found[index]
        what = padded(command.what, self._width)
        marked = set(places)
        pieces = [
            ("".join(what[at] for at in run), "list--found" if is_marked else "")
            for is_marked, run in groupby(range(len(what)), marked.__contains__)
        ]
        return [(" ", ""), *pieces, (f"  {command.keys}", "list--faint")]


def matched(typed: str, name: str) -> tuple[int | None, list[int]]:
    """How well a name matches what was typed (0 is best, None not at all), and the places of the
    characters that were typed.

    Each word typed begins a word of the name, the first one the name itself (0) or not (1); or
    stands anywhere in it (2). Else letters come in that order, each at the beginning of a word (3),
    as `wl` does for "wrap lines", or the first one of them (4).
    """
    words = [re.escape(word) for word in typed.split()]
    for rank, border in ((1, r"(?<!\w)"), (2, "")):
        spans = [re.search(border + word, name, re.IGNORECASE) for word in words]
        if all(spans):
            places = [at for span in spans if span for at in range(*span.span())]
            return (0 if not places or not places[0] else rank), places
    letters = "".join(typed.lower().split())
    folded = name.lower()
    if len(folded) == len(name):
        begins = [found.start() for found in re.finditer(r"\b\w", folded)]
        if (initials := _in_order(letters, folded, begins)) is not None:
            return 3, initials
        for begin in begins:
            scattered = _in_order(letters, folded, range(begin, len(folded)))
            if scattered is not None and scattered[0] == begin:
                return 4, scattered
    return None, []


def _in_order(letters: str, name: str, allowed: Iterable[int]) -> list[int] | None:
    """Where these letters stand one after the other, among the places allowed."""
    left = iter(allowed)
    places = [next((at for at in left if name[at] == letter), None) for letter in letters]
    return [at for at in places if at is not None] if None not in places else None
