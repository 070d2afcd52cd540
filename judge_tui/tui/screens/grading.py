"""A screen on which digits give grades to the document that was painted when they were pressed."""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.content import Content
from textual.geometry import Size

from judge_tui.campaign import Settings
from judge_tui.model import Document
from judge_tui.tui.document.place import Place
from judge_tui.tui.key_names import shown_keys
from judge_tui.tui.keymap import Bound, bound_of, grade_keys, keymap_of, keys_on
from judge_tui.tui.paint_guard import PaintGuard
from judge_tui.tui.pair_content import name_content, names
from judge_tui.tui.query_words import QueryWords
from judge_tui.tui.reading import PlainReading, Reading, metadata_text
from judge_tui.tui.screens.pager import Pager
from judge_tui.tui.screens.speaking import Speaking
from judge_tui.tui.shown import Hint, fitting, foot, grade_content, legends
from judge_tui.tui.tastes import Keeper
from judge_tui.tui.widgets import Need, SaidLine, SplitLine

if TYPE_CHECKING:
    from judge_tui.tui.screens.help import Keys

EMPTY_TEXT = "This document is empty."
_NO_ROOM = "no room for the document: enlarge the terminal"
_DIGITS = "0123456789"
_ALWAYS = (("help", "keys"), ("leave", "back"))


class Grading(Speaking, Pager):
    """What the screens of judges and leads have in common: the scale, what was painted, the legend,
    and a beginning without a flicker."""

    AUTO_FOCUS = "#document"

    ROOM: ClassVar[str]
    """What the ids of its bindings begin with."""
    WHOLE: ClassVar[str]
    """The binding that shows the query's need whole."""
    GIVES: ClassVar[str]
    """What a digit does, before its grade."""
    LEGEND: ClassVar[tuple[tuple[str, str], ...]]
    """Bindings and what the legend calls them where there is room; the first ones matter most."""
    SECTIONS: ClassVar[Mapping[str, Keys]]
    """Those of the help, and what they explain before their keys."""

    def __init__(self, settings: Settings, tastes: Keeper | None) -> None:
        super().__init__()
        self.tastes = tastes or Keeper()
        self.scale = settings.scale
        self.raw = self.tastes.now.raw
        self.keys: dict[str, str] = {}
        self.grade_keys: dict[int, str] = {}
        self.guard = PaintGuard()
        self.has_begun = False
        self._marks: QueryWords | None = None
        self._unpainted = contextlib.ExitStack()

    @abstractmethod
    def begin(self) -> None:
        """The screen is laid out: show the first document."""

    @abstractmethod
    def fit(self, size: Size) -> None:
        """Share out the room of a terminal."""

    @abstractmethod
    def show_anew(self) -> None:
        """Show what may be cut otherwise in another room."""

    @abstractmethod
    def give(self, grade: int) -> None:
        """What the key of a grade on the scale does."""

    def on_mount(self) -> None:
        self.keys = keys_on(self)
        self.grade_keys = grade_keys(self)
        need = self.query_one(Need)
        need.more_key = self.keys[self.WHOLE]
        if self.tastes.now.folded:
            need.fold()
        self.as_liked()
        self.fit(self.app.size)
        # Once the screen is laid out: what has room in the title line is known only then. Nothing
        # is painted before, as it would be painted twice.
        self._unpainted.enter_context(self.app.batch_update())
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.has_begun = True
        with self._unpainted:
            self.begin()

    def on_screen_resume(self) -> None:
        # None where the app ends before the screen has begun.
        for view in self.query("#document"):
            view.focus()

    def on_resize(self, event: events.Resize) -> None:
        self.fit(event.size)
        self.show_anew()
        self.expect_anew()
        self.query_one(SaidLine).clear()

    # The document

    def expect_anew(self) -> None:
        """The same document is about to be painted otherwise: what was painted may have no room any
        more. The time looked at it goes on."""
        self.guard.expect()
        self.view.draw_anew()

    def lacks_room(self) -> bool:
        """Whether the document has no room to be painted in; says so then."""
        lacks = self.guard.late and self.in_front is not None
        if lacks:
            self.say_whole(Content(_NO_ROOM), stays=False)
        return lacks

    def head_of(self, document: Document, right: Content) -> str:
        """What the title line has no room for beside `right`: that stands above the text, and
        scrolls with it."""
        title = self.query_one("#title", SplitLine)
        title.show(name_content(document), right)
        return "\n".join(names(document)) if title.cuts else ""

    def show_reading(
        self, document: Document, reading: Reading, *, head: str, note: str, place: Place | None
    ) -> None:
        """Show a document; `note` where it has no text, above what else is known of it."""
        if not document.text.strip() and (known := metadata_text(document)):
            head = "\n\n".join(filter(None, (head, note)))
            reading = PlainReading(known)
        self.view.show(reading, self._marks, head=head, note=note, place=place)

    # The scale

    def on_key(self, event: events.Key) -> None:
        """A digit that gives nothing here any more says what gives its grade."""
        digit = int(event.key) if event.key in _DIGITS else None
        if digit not in self.grade_keys or digit not in self.scale:
            return
        if event.key not in self.active_bindings:
            key, grade = self.grade_keys[digit], grade_content(digit, self.scale)
            said = (f"{digit} does nothing here: ", (key, "bold"), " gives grade ", grade)
            self.say(Content.assemble(*said))

    def action_grade(self, grade: int) -> None:
        if grade in self.scale:
            self.give(grade)
        else:
            grades = ", ".join(map(str, self.scale.grades))
            self.say(Content(f"{grade} is not on the scale ({grades})"))

    # The keys

    def show_legend(self, width: int) -> None:
        """Of the scale and of the keys what has room in so many columns."""
        hints, always = (
            [Hint(self.keys[f"{self.ROOM}.{name}"], what, name) for name, what in known]
            for known in (self.LEGEND, _ALWAYS)
        )
        room = width - 2
        least = foot((), always, room)
        legend = fitting(legends(self.scale, self.grade_keys), room - least.cell_length - 2)
        shown = foot(hints, always, room - legend.cell_length - 2)
        self.query_one("#legend", SplitLine).show(legend, shown)

    def name_of(self, bound: Bound) -> str:
        """What a key does here; "" for what this scale has no use for."""
        name, _, digit = bound.id.partition(f"{self.ROOM}.grade-")
        if name or not digit:
            return bound.what
        label = self.scale.labels.get(int(digit))
        if label is None:
            return ""
        return f"{self.GIVES} {digit}: {label}" if label else f"{self.GIVES} {digit}"

    def action_help(self) -> None:
        from judge_tui.tui.screens.help import HelpOverlay, keys_by_group  # noqa: PLC0415

        sections = keys_by_group(self, self.name_of, self.SECTIONS)
        sections["Everywhere"] = [
            (shown_keys(bound.keys), bound.what)
            for bound in bound_of(type(self.app), keymap_of(self))
            if bound.what
        ]
        self.app.push_screen(HelpOverlay(sections))
