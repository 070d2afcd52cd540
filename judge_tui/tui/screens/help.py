"""The keys of a screen, read from its bindings, so that the help cannot be out of date."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from judge_tui.tui.key_names import shown_keys
from judge_tui.tui.keymap import Bound, bound_of, keymap_of
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.shown import foreign

Keys = Sequence[tuple[str, str]]
"""Keys, and what they do."""

_LEAST_KEY_WIDTH = 8
_GREATEST_KEY_WIDTH = 20
# From so many columns on, the sections stand side by side.
_TWO_COLUMNS = 96


class HelpOverlay(Overlay[None]):
    """One line a binding: its keys and what it does, in sections where they have titles."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,q", "close", "close", id="help.close"),
    ]

    def __init__(self, keys: Keys | Mapping[str, Keys]) -> None:
        super().__init__()
        self._sections = dict(keys) if isinstance(keys, Mapping) else {"Keys": keys}
        widths = [len(names) for section in self._sections.values() for names, _what in section]
        widest = max(widths, default=0)
        self._key_width = 2 + max(_LEAST_KEY_WIDTH, min(_GREATEST_KEY_WIDTH, widest))

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="panel"):
            with Horizontal(id="columns"):
                yield Static(id="left", markup=False)
                yield Static(id="right", markup=False)
            yield Static(
                f"{self.closing} closes   judge-tui keys lists what a config file can change",
                classes="hint",
                markup=False,
            )

    def on_mount(self) -> None:
        self._arrange(self.app.size.width)

    def on_resize(self, event: events.Resize) -> None:
        self._arrange(event.size.width)

    def _arrange(self, width: int) -> None:
        sections = [self._section(title, keys) for title, keys in self._sections.items()]
        heights = [section.plain.count("\n") + 2 for section in sections]
        two = width >= _TWO_COLUMNS and len(sections) > 1
        # The left column gets the sections that make the higher of the two least high.
        cut = (
            min(range(1, len(sections)), key=lambda at: max(sum(heights[:at]), sum(heights[at:])))
            if two
            else len(sections)
        )
        for name, part in (("left", sections[:cut]), ("right", sections[cut:])):
            column = self.query_one(f"#{name}", Static)
            column.display = bool(part)
            column.update(Content("\n\n").join(part))

    def _section(self, title: str, keys: Keys) -> Content:
        lines = [
            Content.assemble((f"{names:<{self._key_width}}", "bold"), foreign(what))
            for names, what in keys
        ]
        return Content("\n").join([Content.styled(title, "bold $accent"), *lines])


def keys_of(screen: Screen[Any], room: str) -> list[tuple[str, str]]:
    """The keys of the bindings whose id begins with `room.`, and what each does."""
    return [
        (shown_keys(bound.keys), bound.what)
        for bound in bound_of(type(screen), keymap_of(screen))
        if bound.id.startswith(f"{room}.")
    ]


def keys_by_group(
    screen: Screen[Any],
    name_of: Callable[[Bound], str] = lambda bound: bound.what,
    sections: Mapping[str, Keys] | None = None,
) -> dict[str, list[tuple[str, str]]]:
    """The keys of a screen's bindings and what each does, by group; those that `name_of` says
    nothing of are left out. `sections`: those that come first, with what they begin with."""
    found = {title: list(keys) for title, keys in (sections or {}).items()}
    for bound in bound_of(type(screen), keymap_of(screen)):
        if what := name_of(bound):
            found.setdefault(bound.group, []).append((shown_keys(bound.keys), what))
    return found
