"""What stands on the Judge screen, and which keys can mean it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from time import monotonic

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from judge_tui.campaign.desk import Desk, DeskPair
from judge_tui.campaign.flags import pairs_set_aside
from judge_tui.campaign.pace import recent_seconds
from judge_tui.errors import CampaignError
from judge_tui.model import Document, Query
from judge_tui.tui.document.place import Place
from judge_tui.tui.keymap import grade_keys, keys_on, quit_keys
from judge_tui.tui.pace import LookTimer
from judge_tui.tui.paint_guard import PaintGuard
from judge_tui.tui.pair_content import (
    name_content,
    names,
    need_text,
    pair_pieces,
    progress_content,
    query_content,
    title_content,
)
from judge_tui.tui.patience import Patience
from judge_tui.tui.query_words import QueryWords, query_words
from judge_tui.tui.reading import PlainReading, has_rendering, metadata_text
from judge_tui.tui.screens.judge.foresight import Foresight
from judge_tui.tui.screens.route import Route
from judge_tui.tui.shown import (
    counted_aside,
    error_content,
    fitting,
    foreign,
    keys_content,
    legends,
    pressable,
    state_text,
)
from judge_tui.tui.tastes import Keeper
from judge_tui.tui.widgets import (
    DocumentView,
    GuidelinesView,
    LineList,
    Need,
    SaidLine,
    SplitLine,
)
from judge_tui.tui.widgets.line_list import Piece

__all__ = ["NO_ROOM", "QUERY_CHANGED", "WIDE", "Showing"]

WIDE = 160
"""Columns from which on the guidelines have room beside the document."""

NO_TEXT = "The text of this document is not loaded: judge it by what is known of it, or press {}."
EMPTY_TEXT = "This document is empty."
ALL_DONE = (
    "Everything on your desk is judged. Thank you.\n\n"
    "{aside}{} goes back through the documents, {} takes the last grade back, {} leaves."
)
NOTHING_HERE = "all judged, and no document is shown: {} goes back to the last one"
QUERY_CHANGED = "the query was changed meanwhile: please read it again"
DESK_CHANGED = "what is on your desk was changed meanwhile"
NO_ROOM = "no room for the document: enlarge the terminal"
# Seconds between two steps of making the next document ready: keys go first.
_PAUSE = 0.001
# And after the last one, before the rest of the document on screen is made ready.
_REST_LATER = 0.1
# Seconds between two looks whether there is more, once everything is judged.
_MORE_EVERY = 1.0
_LEGEND = (
    ("help", "keys"),
    ("undo", "undo"),
    ("skip", "skip"),
    ("guidelines", "guidelines"),
    ("leave", "back"),
)


class Showing(Screen[None]):
    """The query, its need, the pairs, one document, what was said, the scale."""

    CSS_PATH = "judge.tcss"
    AUTO_FOCUS = "#document"

    def __init__(self, desk: Desk, tastes: Keeper | None = None) -> None:
        super().__init__()
        self.desk = desk
        self.tastes = tastes or Keeper()
        self.scale = desk.campaign.settings.scale
        self.route = Route(desk)
        self.guard = PaintGuard()
        self.patience = Patience(self, lambda: quit_keys(self.app))
        self.timer = LookTimer()
        self._foresight = Foresight()
        self._ahead_timer: Timer | None = None
        self._more_timer: Timer | None = None
        self._unpainted = contextlib.ExitStack()
        self._size_at_start = Size(0, 0)
        self._is_new = True
        self.has_begun = False
        self._query: Query | None = None
        self._marks: QueryWords | None = None
        self._document: tuple[Document, bool] | None = None
        self._version = -1
        self._ranks: list[tuple[str, int]] = []
        self.raw = self.tastes.now.raw
        self.has_guidelines = bool(desk.campaign.settings.guidelines.strip())
        self.beside = self.has_guidelines and self.tastes.now.beside
        self.keys: dict[str, str] = {}
        self.grade_keys: dict[int, str] = {}

    def compose(self) -> ComposeResult:
        yield SplitLine(id="query")
        yield Need(id="need")
        with Horizontal(id="desk"):
            yield LineList(id="pairs", can_focus=False, cut="middle")
            with Vertical(id="column"):
                yield SplitLine(id="title")
                yield DocumentView(id="document")
            with Vertical(id="beside"):
                yield Static("Guidelines", id="beside-title", markup=False)
                yield GuidelinesView(self.desk.campaign.settings)
        yield SaidLine(foreign(self.desk.judge.name, "dim"))
        yield SplitLine(id="legend", keep="left")

    def on_mount(self) -> None:
        self.keys = keys_on(self)
        self.grade_keys = grade_keys(self)
        need, liked = self.query_one(Need), self.tastes.now
        need.more_key = self.keys["judge.whole-need"]
        if liked.folded:
            need.fold()
        if not liked.wraps:
            self.view.toggle_wrap()
        if not liked.marks:
            self.view.toggle_marks()
        self._show_legend(self.app.size.width)
        self.show_beside(self.app.size.width)
        # Once the screen is laid out: what has room in the title line is known only then. Nothing
        # is painted before, as it would be painted twice.
        self._size_at_start = self.app.size
        self._unpainted.enter_context(self.app.batch_update())
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.has_begun = True
        with self._unpainted:
            self.go(lambda: self.route.resume() or self._as_left())

    def _as_left(self) -> str | None:
        """What is not shown as it would be by itself: who left it so may have forgotten."""
        pair = self.route.pair
        has_room = self.has_guidelines and self.app.size.width >= WIDE
        told = self.tastes.now.told(self.keys, guidelines=has_room)
        return told if told and (pair is None or not pair.state.note) else None

    def on_screen_resume(self) -> None:
        # None where the app ends before the screen has begun.
        for view in self.query("#document"):
            view.focus()

    def on_resize(self, event: events.Resize) -> None:
        if event.size != self._size_at_start:
            # Textual lays out two sizes in turn, without end, where nothing is painted.
            self._unpainted.close()
        self._show_legend(event.size.width)
        self.show_beside(event.size.width)
        if self._query is not None:
            self._show_query(self._query)
        self.expect_anew()
        self.query_one(SaidLine).clear()

    @property
    def view(self) -> DocumentView:
        """Where the document stands."""
        return self.query_one("#document", DocumentView)

    # What was painted, and when

    def displayed(self) -> None:
        """Called by the app after each update was handed to the terminal."""
        # Before the screen has begun, what was handed over is the one below.
        if self.guard.waiting and self.is_mounted and self.view.drawn:
            at = monotonic()
            self.guard.painted(at)
            if self._is_new:
                self.timer.start(at)
                self._is_new = False
                # What the next key is likely to bring comes before the rest of this document.
                self.view.rest()
                self._then(_PAUSE, self._look_ahead)

    def _then(self, delay: float, step: Callable[[], None]) -> None:
        """The next step of making ready what is not on screen; it takes the place of the one that
        was to come, which another document may have been for."""
        if self._ahead_timer is not None:
            self._ahead_timer.stop()
        self._ahead_timer = self.set_timer(delay, step)

    def _look_ahead(self) -> None:
        """Begin with the document that comes next, if nothing else is shown meanwhile."""
        if self._is_new:
            return
        view, pair = self.view, self.route.likely_next
        # What cannot be read now is told when it is its turn.
        with contextlib.suppress(CampaignError):
            if pair is not None:
                document, _ = self.desk.document(pair)
                room, screen = view.room, view.size
                self._foresight.begin(document, raw=self.raw, room=room, screen=screen)
        self._go_on()

    def _go_on(self) -> None:
        if self._foresight.go_on():
            self._then(_PAUSE, self._go_on)
        else:
            # Who goes on at once does not wait for it, and nobody can have scrolled so far yet.
            self._then(_REST_LATER, self.view.go_on)

    def key_pressed(self, at: float) -> None:
        """Called by the app with the time of the key, or click, that is acted on next."""
        self.guard.pressed(at)
        self.timer.active(at)

    def on_mouse_move(self) -> None:
        self.timer.active(monotonic())

    def expect_anew(self) -> None:
        """The same document is about to be painted otherwise: what was painted may have no room any
        more. The time looked at it goes on."""
        self.guard.expect()
        self.view.draw_anew()

    def may_write(self) -> DeskPair | None:
        """The pair that a key may do something to, None where it may not; says why if need be."""
        if self.patience.waiting:
            return None
        if self.route.all_judged:
            # There may be more meanwhile.
            if self.go(self.route.to_next_undecided) and self.route.all_judged:
                self.say(Content(NOTHING_HERE.format(self.keys["judge.previous"])))
            return None
        if self.guard.late and self._document is not None:
            self.query_one(SaidLine).say_whole(Content(NO_ROOM), stays=False)
            return None
        pair = self.route.pair if self.guard.counts else None
        return pair if pair is not None and self.is_as_shown(pair) else None

    def is_as_shown(self, pair: DeskPair) -> bool:
        """Whether the file still holds what the judge has seen; else it is shown anew, and said."""
        try:
            if self.desk.version() == self._version:
                return True
            query = self.desk.query(self.route.query_key)
            document, state = self.desk.document(pair), self.desk.state(pair)
        except CampaignError as error:
            if self.patience.waiting:
                # What waits to be written is told not to be.
                raise
            self.say_error("CANNOT READ", error)
            return False
        if query != self._query:
            self.go(lambda: QUERY_CHANGED)
        elif document != self._document:
            self.go(lambda: "this document was changed meanwhile: please read it again")
        elif state != pair.state:
            self.go(lambda: "changed in another window meanwhile: please look again")
        else:
            return True
        return False

    # Showing

    def go(self, move: Callable[[], str | None]) -> bool:
        """Move, show where that led, and say what the move has to say; False where that failed."""
        try:
            changed = self._catch_up()
            said = move()
            self._show_pair()
        except CampaignError as error:
            # What is on screen need not be what the route points at: nothing can be graded.
            self._show_nothing("")
            self.say_error("CANNOT READ", error)
            return False
        if said or changed:
            self.say(Content(said or DESK_CHANGED))
        return True

    def _catch_up(self) -> bool:
        """Whether others changed what is on the desk, which is then read anew."""
        is_old = self._query is not None and self.desk.version() != self._version
        return is_old and self.route.catch_up()

    def _show_nothing(self, note: str) -> None:
        self.guard.expect()
        self._document = None
        self.query_one("#title", SplitLine).show(Content(""))
        self.view.clear(note)

    def _show_pair(self) -> None:
        pair = self.route.pair
        if pair is None:
            self._show_nothing("")
            return
        # What is known so far is as old as the query's opening: others may have written since.
        version, before = self.desk.version(), self._query
        if before is None or before.query_id != self.route.query_id or version != self._version:
            self._query = self.desk.query(self.route.query_key)
            self._marks = query_words(self._query.text)
        self._version = version
        pair = self.route.reread()
        self._document = self.desk.document(pair)
        self._ranks = self.desk.ranks_of(pair)
        if self.route.all_judged:
            keys = (self.keys[f"judge.{name}"] for name in ("previous", "undo", "leave"))
            self._show_nothing(ALL_DONE.format(*keys, aside=self._aside()))
            if self._more_timer is None:
                self._more_timer = self.set_interval(_MORE_EVERY, self._look_for_more)
        else:
            self._is_new = True
            self.show_document()
        self.show_state()
        if before and before.query_id == self.route.query_id and before != self._query:
            self.say(Content(QUERY_CHANGED))

    def _look_for_more(self) -> None:
        """Who is thanked for everything must not go home while more is given out."""
        with contextlib.suppress(CampaignError):
            is_at_end = self.route.all_judged and self.is_current and not self.patience.waiting
            if is_at_end and self.desk.version() != self._version:
                self.go(self.route.to_next_undecided)

    def _aside(self) -> str:
        """What there may be to come back to, and how."""
        aside = pairs_set_aside(self.desk)
        if not aside:
            return ""
        return f"{counted_aside(aside)}: {self.keys['judge.flags']} lists them.\n\n"

    def show_document(self, place: Place | None = None) -> None:
        """Show the document in front of the judge, from its beginning or near a place in it."""
        if self._document is None:
            return
        document, loaded = self._document
        self.guard.expect()
        head = self._head(document)
        reading = self._foresight.reading_of(document, raw=self.raw, room=self.view.room)
        note = EMPTY_TEXT if loaded else NO_TEXT.format(self.keys["judge.cannot"])
        if not document.text.strip() and (known := metadata_text(document)):
            # Nothing but what is known of it.
            head = "\n\n".join(filter(None, (head, note)))
            reading = PlainReading(known)
        self.view.show(reading, self._marks, head=head, note=note, place=place)

    def show_beside(self, width: int) -> None:
        """Guidelines beside the document, where there is room and the judge wants them."""
        self.query_one("#beside").display = self.beside and width >= WIDE

    def show_state(self) -> None:
        """Everything but the document: where one is, and what is known of the pair."""
        pair = self.route.pair
        if pair is None or self._query is None:
            return
        pairs = self.query_one("#pairs", LineList)
        pairs.show(len(self.route.pairs), self._draw_pair, cursor=self.route.index)
        self._show_query(self._query)
        title = self.query_one("#title", SplitLine)
        if self._document is not None:
            document = self._document[0]
            raw = self.raw and has_rendering(document)
            named = title_content(document, self._ranks, raw=raw)
            title.show(named, state_text(pair.state, self.scale))
        if pair.state.note:
            self.say(Content.assemble(("comment: ", "dim"), foreign(pair.state.note)))

    def _show_query(self, query: Query) -> None:
        line = self.query_one("#query", SplitLine)
        done, total = self.route.progress
        line.show(query_content(query), progress_content(done, total, self._pace()))
        self.query_one(Need).show(need_text(query, with_text=line.cuts))

    def _pace(self) -> list[float]:
        """Nothing where it cannot be read: a resize asks for it too, when the file may be lost."""
        try:
            return recent_seconds(self.desk.campaign, self.desk.judge.key)
        except CampaignError:
            return []

    def _head(self, document: Document) -> str:
        """What the title line has no room for stands above the text, and scrolls with it."""
        pair = self.route.pair
        if pair is None:
            return ""
        title = self.query_one("#title", SplitLine)
        title.show(name_content(document), state_text(pair.state, self.scale))
        return "\n".join(names(document)) if title.cuts else ""

    def _draw_pair(self, index: int) -> list[Piece]:
        here = index == self.route.index
        return pair_pieces(self.route.pairs[index], self.scale, here=here)

    def _show_legend(self, width: int) -> None:
        known = [
            pressable(keys_content([(self.keys[f"judge.{name}"], what)]), name)
            for name, what in _LEGEND
        ]
        keys = [Content("  ").join(known[:count]) for count in range(len(known), 0, -1)]
        room = width - 2
        legend = fitting(legends(self.scale, self.grade_keys), room - keys[-1].cell_length - 2)
        shown = fitting(keys, room - legend.cell_length - 2)
        self.query_one("#legend", SplitLine).show(legend, shown)

    @on(SplitLine.Pressed)
    async def _pressed(self, message: SplitLine.Pressed) -> None:
        """The mouse on the legend does what the key does."""
        await self.run_action(message.action)

    # Saying

    def say(self, said: Content) -> None:
        """Put one line above the legend, where the screen has one already."""
        for line in self.query(SaidLine):
            line.say(said)

    def say_error(self, start: str, error: CampaignError) -> None:
        """Put an error above the legend, whole, where the screen has a place for it already."""
        for line in self.query(SaidLine):
            line.say_whole(error_content(start, error))
