"""What stands on the Judge screen."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.timer import Timer
from textual.widgets import Static

from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.event import Event
from judge_tui.campaign.store.set_aside import pairs_set_aside
from judge_tui.campaign.store.statistics import recent_seconds
from judge_tui.errors import CampaignError
from judge_tui.model import Document, Query
from judge_tui.tui.document.place import Place
from judge_tui.tui.pace import LookTimer
from judge_tui.tui.pair_content import (
    need_text,
    pair_pieces,
    progress_content,
    query_content,
    title_content,
)
from judge_tui.tui.query_words import query_words
from judge_tui.tui.reading import has_rendering
from judge_tui.tui.screens.grading import EMPTY_TEXT, Grading
from judge_tui.tui.screens.judge.foresight import Foresight
from judge_tui.tui.screens.route import Route
from judge_tui.tui.shown import counted_aside, foreign, state_text
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

WIDE = 160
"""Columns from which on the guidelines have room beside the document."""

NO_TEXT = "The text of this document is not loaded: judge it by what is known of it, or press {}."
ALL_DONE = (
    "Everything on your desk is judged. Thank you.\n\n"
    "{aside}{} goes back through the documents, {} takes the last grade back, {} leaves."
)
QUERY_CHANGED = "the query was changed meanwhile: please read it again"
DESK_CHANGED = "what is on your desk was changed meanwhile"
# Seconds between two looks whether there is more, once everything is judged.
_MORE_EVERY = 1.0


class Showing(Grading):
    """The query, its need, the pairs, one document, what was said, the scale."""

    CSS_PATH = "judge.tcss"
    ROOM = "judge"
    PAGER = "judge"
    WHOLE = "judge.whole-need"
    GIVES = "grade"
    LEGEND = (
        ("undo", "undo"),
        ("skip", "skip"),
        ("guidelines", "guidelines"),
    )

    def __init__(self, desk: Desk, tastes: Keeper | None = None) -> None:
        super().__init__(desk.campaign.settings, tastes)
        self.campaign = desk.campaign
        self.desk = desk
        self.route = Route(desk)
        self.timer = LookTimer()
        self._foresight = Foresight()
        self._more_timer: Timer | None = None
        self._is_new = True
        self._query: Query | None = None
        self._document: tuple[Document, bool] | None = None
        self._version = -1
        self._ranks: list[tuple[str, int]] = []
        self.has_guidelines = bool(desk.campaign.settings.guidelines.strip())
        self.beside = self.has_guidelines and self.tastes.now.beside

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

    def begin(self) -> None:
        self.go(lambda: self.route.resume() or self._as_left())

    def fit(self, size: Size) -> None:
        self.show_legend(size.width)
        self.show_beside(size.width)

    def show_anew(self) -> None:
        if self._query is not None:
            self._show_query(self._query)

    @property
    def in_front(self) -> Document | None:
        return self._document[0] if self._document is not None else None

    def _as_left(self) -> str | None:
        """What is not shown as it would be by itself: who left it so may have forgotten."""
        pair = self.route.pair
        has_room = self.has_guidelines and self.app.size.width >= WIDE
        told = self.tastes.now.told(self.keys, guidelines=has_room)
        return told if told and (pair is None or not pair.state.note) else None

    def go(
        self,
        move: Callable[[], str | None],
        *,
        done: Event | None = None,
        told: Content | None = None,
    ) -> bool:
        """Move, show where that led, and say what the move has to say; False where that failed.

        `done`: what the judge has just done, which is no change by others; `told`: what was said of
        it, which stays beside what others changed.
        """
        try:
            if done is not None:
                self.route.to_event(done)
            changed = self._catch_up()
            said = move()
            self._show_pair()
        except CampaignError as error:
            # What is on screen need not be what the route points at: nothing can be graded.
            self._show_nothing("")
            self.say_error("CANNOT READ", error)
            return False
        if said:
            self.say(Content(said))
        elif changed:
            self.say(Content(DESK_CHANGED) if told is None else told + f"  {DESK_CHANGED}")
        return True

    def _catch_up(self) -> bool:
        """Whether others changed what is on the desk, which is then read anew."""
        is_old = self._query is not None and self.desk.campaign.version() != self._version
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
        version, before = self.desk.campaign.version(), self._query
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
            is_at_end = self.route.all_judged and self.is_current
            if is_at_end and self.desk.campaign.version() != self._version:
                self.go(self.route.to_next_undecided)

    def _aside(self) -> str:
        """What there may be to come back to, and how."""
        aside = pairs_set_aside(self.desk)
        if not aside:
            return ""
        return f"{counted_aside(aside)}: {self.keys['judge.flags']} lists them.\n\n"

    def show_document(self, place: Place | None = None) -> None:
        """Show the document in front of the judge, from its beginning or near a place in it."""
        pair = self.route.pair
        if self._document is None or pair is None:
            return
        document, loaded = self._document
        self.guard.expect()
        head = self.head_of(document, state_text(pair.state, self.scale))
        reading = self._foresight.reading_of(document, raw=self.raw, room=self.view.room)
        note = EMPTY_TEXT if loaded else NO_TEXT.format(self.keys["judge.cannot"])
        self.show_reading(document, reading, head=head, note=note, place=place)

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

    def _draw_pair(self, index: int) -> list[Piece]:
        here = index == self.route.index
        return pair_pieces(self.route.pairs[index], self.scale, here=here)
