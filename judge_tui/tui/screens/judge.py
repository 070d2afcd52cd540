"""The Judge screen: one document, one key, one committed event.

What it promises: blind; a grade counts only once its document was looked at; an event is on disk
before the screen moves on; what could not be written is said, and stays to be done.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Footer

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.desk import Desk, DeskPair, PairState, pairs_set_aside
from judge_tui.campaign.store.event import DECISIONS, Event
from judge_tui.campaign.store.events import append_event, redo, undo
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.leases import TakenError
from judge_tui.campaign.store.statistics import judge_statistics, recent_seconds
from judge_tui.errors import CampaignError
from judge_tui.model import Scale
from judge_tui.tui.on_disk import OnDisk
from judge_tui.tui.pace import LookTimer
from judge_tui.tui.rendering import query_terms
from judge_tui.tui.screens.desk_cursor import DeskCursor
from judge_tui.tui.screens.desk_panes import DocumentList, QueryPane, pair_name
from judge_tui.tui.screens.desk_sight import (
    NextSight,
    Sight,
    all_done,
    new_query,
    old_decision,
    read_sight,
    rest_held,
)
from judge_tui.tui.screens.grading import (
    grade_keys,
    has_key,
    is_as_seen,
    may_take_back,
    show_guidelines,
    show_need,
)
from judge_tui.tui.screens.judge_comments import Comments
from judge_tui.tui.session import Session
from judge_tui.tui.text import (
    document_title,
    event_content,
    foreign,
    one_line,
    state_content,
)
from judge_tui.tui.widgets.document_view import DocumentView
from judge_tui.tui.widgets.grade_bar import GradeBar
from judge_tui.tui.widgets.sized_screen import SizedScreen
from judge_tui.tui.widgets.status_line import StatusLine
from judge_tui.tui.widgets.table import Table

NOTHING_HERE = "all judged, and no document is shown: [ goes back to the last one"
LEFT_FOR_LONG = "you did nothing for long: somebody else is at that query now"
DESK_CHANGED = "what is on your desk was changed meanwhile"

_HOLDS_EVERY = 60
"""Seconds; a small part of a lease."""


class JudgeScreen(SizedScreen[None]):
    """Grade the documents of one judge's desk."""

    AUTO_FOCUS = "#document"
    BINDING_GROUP_TITLE = "Judge"
    VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-high")]  # noqa: RUF012
    HELP = """\
## The documents of a query

Before each stands what you did: its grade, `s` skipped, `x` cannot be judged, `·` nothing yet; then
`f` where it is flagged, and `c` where it has a comment.
"""

    BINDINGS: ClassVar[list[BindingType]] = [
        *grade_keys("judge", "grade"),
        *(
            Binding(key, action, what, id=f"judge.{name}", show=is_shown, priority=key == "tab")
            for key, action, what, name, is_shown in (
                ("u", "undo", "undo", "undo", True),
                ("ctrl+r", "redo", "redo", "redo", False),
                ("s", "skip", "skip", "skip", True),
                ("x", "cannot", "cannot be judged", "cannot", False),
                ("f", "flag", "flag", "flag", True),
                ("c", "comment", "comment", "comment", True),
                ("C", "comment_last", "comment on the one before", "comment-last", False),
                ("tab", "next_unjudged", "next unjudged", "unjudged", False),
                ("right_square_bracket", "step(1)", "next document", "next", False),
                ("left_square_bracket", "step(-1)", "previous document", "previous", False),
                ("o", "jump", "go to a query", "jump", False),
                ("F", "set_aside", "what was set aside", "set-aside", False),
                ("D", "need", "query and narrative, whole", "need", False),
                ("i", "guidelines", "guidelines", "guidelines", False),
                ("t", "statistics", "statistics", "statistics", False),
                ("q", "leave", "back", "leave", True),
            )
        ),
    ]

    def __init__(self, session: Session, judge: Judge) -> None:
        super().__init__()
        self._session = session
        self._desk = Desk(session.campaign, judge)
        self._cursor = DeskCursor(self._desk)
        self._scale: Scale = session.campaign.settings.scale
        self._timer = LookTimer()
        self._sight: Sight | None = None
        self._next = NextSight(self._desk)
        # Query id and pair of the decision that was the last key.
        self._last: tuple[str, DeskPair] | None = None
        self._is_active = True

    def compose(self) -> ComposeResult:
        self._pane, self._list = QueryPane(id="query"), DocumentList(id="pairs")
        self._view = DocumentView(self._session.guard, id="document")
        self._status, self._bar = StatusLine(), GradeBar(self._scale)
        yield self._pane
        with Horizontal(id="desk"):
            yield from (self._list, self._view)
        yield from (self._status, self._bar, Footer())

    def on_mount(self) -> None:
        self._comments = Comments(
            self._session, self._desk, self._status, self._write_comment, self._stay
        )
        self._go(self._cursor.resume)
        self.set_interval(_HOLDS_EVERY, self._hold)

    def on_unmount(self) -> None:
        # Nobody is left to tell: who comes next waits until the lease ends.
        with contextlib.suppress(CampaignError):
            self._desk.release()

    def _hold(self) -> None:
        """Of a shared pool: keep the query of a judge who is there, look for more where nothing is
        left."""
        if not self._desk.is_shared:
            return
        if self._cursor.all_judged or self._cursor.pair is None:
            self._go(self._cursor.to_next_undecided)
        elif self._is_active and self._session.read(self._cursor.hold, self._status) is False:
            self._go(self._cursor.leave_taken, Content(LEFT_FOR_LONG))
        self._is_active = False

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return has_key(action, parameters, self._scale)

    def on_key(self, event: events.Key) -> None:
        self._timer.active(event.time)
        self._is_active = True
        is_free = event.key.isdigit() and event.key not in self.active_bindings
        if is_free and event.key not in map(str, self._scale.grades):
            grades = ", ".join(map(str, self._scale.grades))
            self._status.warn(f"{event.key} is not on the scale ({grades})")

    def on_mouse_move(self) -> None:
        self._timer.active(monotonic())
        self._is_active = True

    @on(DocumentView.Painted)
    def _start_timer(self, message: DocumentView.Painted) -> None:
        """Once a document, which may be painted again."""
        if self._sight is not None and not self._sight.is_painted:
            self._sight.is_painted = True
            self._timer.start(message.at)
            if (pair := self._cursor.next_undecided) is not None:
                self._next.read(self._cursor.visit.key, pair, self._version())

    @on(OnDisk)
    def _look_for_more(self) -> None:
        """Who is thanked for everything must not go home while more is given out."""
        is_read = self._sight is None or self._version() == self._sight.version
        if self._cursor.all_judged and not is_read:
            self._go(self._cursor.to_next_undecided)

    # --- decisions: each is one event, committed before the screen moves on

    def action_grade(self, grade: int) -> None:
        self._decide("grade", grade)

    def action_skip(self) -> None:
        self._decide("skip")

    def action_cannot(self) -> None:
        self._decide("cannot")

    def _decide(self, action: str, grade: int | None = None) -> None:
        pair = self._meant(self._session.guard.refusal)
        if pair is None:
            return
        if grade is not None and self._sight is not None and not self._sight.is_readable:
            self._status.warn("this document cannot be read: s skips it, x marks it")
            return
        event = self._record(action, pair, grade=grade)
        if event is not None:
            self._last = self._cursor.visit.query_id, pair
            change = old_decision(pair.state, event, self._scale)
            # What is decided in the app holds.
            state = replace(pair.state, decision=action, grade=grade)
            self._go_on(event, change, self._cursor.to_next_undecided, state)

    def _meant(self, refusal: str) -> DeskPair | None:
        """The pair that the key pressed last means, None where it means none or has a `refusal`;
        that is said."""
        pair = self._cursor.pair
        if self._cursor.all_judged:
            # There may be more meanwhile.
            if self._go(self._cursor.to_next_undecided) and self._cursor.all_judged:
                self._status.say(NOTHING_HERE)
        elif pair is None or self._view.document is None:
            pass
        elif refusal:
            self._status.warn(refusal)
        elif self._is_as_seen(pair):
            return pair
        return None

    def _is_as_seen(self, pair: DeskPair) -> bool:
        sight = self._sight
        return sight is not None and is_as_seen(
            self._session,
            self._status,
            sight.version,
            lambda: (now := self._read(pair, sight.version)) == sight and now.state == pair.state,
            lambda: self._go(lambda: ""),
            self._desk.judge.key,
        )

    def _record(
        self, action: str, pair: DeskPair, *, grade: int | None = None, note: str = ""
    ) -> Event | None:
        looked = round(self._timer.seconds(monotonic()), 3)
        painted_at = self._session.guard.painted_at
        return self._write(
            lambda: append_event(
                self._session.campaign,
                judge=self._desk.judge.key,
                pair=pair.key,
                turn=pair.turn,
                action=action,
                grade=grade,
                note=note,
                looked=looked,
                painted_at=painted_at,
            )
        )

    def _write(self, change: Callable[[], Event | None]) -> Event | None:
        """As `Session.write`; from what others have judged meanwhile go on, and say so."""
        try:
            return self._session.write(change, self._status)
        except TakenError as error:
            self._go(self._cursor.leave_taken, Content(error.what))
            return None

    def action_undo(self) -> None:
        self._take_back(undo, "undo", "undone: ", goes_on=False)

    def action_redo(self) -> None:
        # The next key must not change a decision that was done again.
        self._take_back(redo, "redo", "done again: ", goes_on=True)

    def _take_back(
        self,
        change: Callable[[Campaign, int], Event | None],
        verb: str,
        start: str,
        *,
        goes_on: bool,
    ) -> None:
        if not may_take_back(self._session, self._status, is_shown=not self._cursor.all_judged):
            return
        judge = self._desk.judge.key
        try:
            event = self._session.write(lambda: change(self._session.campaign, judge), self._status)
        except TakenError as error:
            self._status.warn(error.what)
            return
        if event is not None:
            self._last = None
            # It may be of the pair that was read ahead.
            self._next.forget()
            goes_on = goes_on and event.action in DECISIONS
            move = self._cursor.to_next_undecided if goes_on else None
            self._go_on(event, Content(start), move)
        elif not self._session.failure:
            self._status.say(f"nothing to {verb}")

    # --- flags and comments: the document stays as it was scrolled

    def action_flag(self) -> None:
        pair = self._meant_after_glance()
        if pair is not None:
            action = "unflag" if pair.state.flagged else "flag"
            if self._record(action, pair) is not None:
                self._stay("flag taken off" if pair.state.flagged else "flagged to come back to")

    def action_comment(self) -> None:
        pair = self._meant_after_glance()
        if pair is not None:
            self._comments.ask(self.app, self._cursor.visit.query_id, pair, "c")

    def _meant_after_glance(self) -> DeskPair | None:
        """The same for a key that is not a decision: its document need only be on screen."""
        guard = self._session.guard
        return self._meant("" if guard.takes_back else guard.refusal)

    def action_comment_last(self) -> None:
        if self._last is None:
            self._status.say("no document was judged just before this one")
        else:
            self._comments.ask(self.app, *self._last, "C")

    def _write_comment(self, pair: DeskPair, text: str) -> bool:
        if self._record("comment", pair, note=text) is None:
            return False
        self._cursor.reread_pair(pair)
        return True

    def _stay(self, sentence: Content | str) -> None:
        """Show the pair's new state where it is; the document stays as it was scrolled."""

        def show() -> bool:
            if self._cursor.pair is not None:
                self._show_state(self._cursor.reread())
            return True

        if self._session.read(show, self._status):
            self._status.say(sentence)

    # --- from document to document; moves never wait for painting: they grade nothing

    def action_step(self, by: int) -> None:
        self._go(lambda: self._cursor.step(by))

    def action_next_unjudged(self) -> None:
        self._go(self._cursor.to_next_undecided)

    @on(Table.Moved, "#pairs")
    def _go_to_row(self, message: Table.Moved) -> None:
        # One that came late, after the screen has gone on, means nothing any more.
        if message.row == message.table.cursor != self._cursor.index:
            self._go(lambda: self._cursor.to_index(message.row))

    def action_jump(self) -> None:
        from judge_tui.tui.screens.desk_pickers import query_picker  # noqa: PLC0415

        queries = self._cursor.queries()

        def jump(row: int | None) -> None:
            if row is not None:
                self._go(lambda: self._cursor.to_query(queries[row].visit))

        if queries:
            self.app.push_screen(query_picker(queries, self._cursor.visit.key), jump)

    def action_set_aside(self) -> None:
        """What was flagged, skipped, cannot be judged or has a comment, over the whole desk."""
        from judge_tui.tui.screens.desk_pickers import aside_picker  # noqa: PLC0415

        aside = self._session.read(lambda: pairs_set_aside(self._desk), self._status)
        if aside is None:
            return

        def go(row: int | None) -> None:
            if row is not None:
                self._go(lambda: self._cursor.to_slot(aside[row].pair.slot))

        if aside:
            self.app.push_screen(aside_picker(aside, self._scale, self._cursor.pair), go)
        else:
            self._status.say("nothing is flagged, skipped or has a comment; f flags a document")

    # --- what can be looked up

    def action_need(self) -> None:
        if self._sight is not None:
            show_need(self.app, self._sight.query, self._scale)

    def action_guidelines(self) -> None:
        show_guidelines(self.app, self._session)

    def action_statistics(self) -> None:
        from judge_tui.tui.screens.statistics import StatisticsPanel  # noqa: PLC0415

        campaign, judge = self._session.campaign, self._desk.judge.key
        numbers = self._session.read(lambda: judge_statistics(campaign, judge), self._status)
        if numbers is not None:
            panel = StatisticsPanel(numbers, self._scale, *self._cursor.progress)
            self.app.push_screen(panel)

    def action_leave(self) -> None:
        self.app.pop_screen()

    # --- what stands on the screen

    def _go_on(
        self,
        event: Event,
        start: Content,
        move: Callable[[], str] | None = None,
        state: PairState | None = None,
    ) -> None:
        """Go to where the judge has just done something, which is no change by others, and on from
        there; what was done is said, with `start` before it. `state`: of the pair, where known."""
        is_gone = self._move(lambda: self._cursor.to_slot((event.pair, event.turn), state))
        if is_gone is None:
            return
        pair = self._cursor.pair
        parts = [Content.assemble(start, event_content(event, self._scale))]
        if pair is not None and not is_gone:
            parts.append(pair_name(pair).stylize_before("dim"))
        self._go(move or (lambda: is_gone), Content("  ").join(parts))

    def _go(self, move: Callable[[], str], sentence: Content | None = None) -> bool:
        """Move, show where that led, and say the sentence and what the move has to say; False where
        the file cannot be read."""
        before = self._sight

        def show() -> str:
            is_behind = before is not None and self._version() != before.version
            is_changed = is_behind and self._cursor.catch_up()
            place = move()
            self._show_pair()
            return place or (DESK_CHANGED if is_changed else "")

        place = self._move(show)
        if place is None:
            return False
        query = new_query(before, self._sight, self._cursor)
        self._pane.set_class(bool(query), "-new")
        parts = [sentence, query, Content(place)]
        if not any(parts) and self._cursor.pair is not None and self._cursor.pair.state.note:
            parts = [Content.assemble(("comment: ", "dim"), one_line(self._cursor.pair.state.note))]
        self._status.say(Content("   ").join(part for part in parts if part))
        return True

    def _move(self, move: Callable[[], str]) -> str | None:
        """Run a move; None where the file cannot be read. Then what is on screen need not be what
        the cursor points at: nothing can be graded."""
        place = self._session.read(move, self._status)
        if place is None:
            self._show_nothing("")
        return place

    def _show_pair(self) -> None:
        if self._cursor.pair is None:
            self._show_nothing(f"Nothing is on your desk.{rest_held(self._desk)}")
            return
        # The cursor knows the pair as it was when its query was opened: others may have written.
        version = self._version()
        ahead = self._next.take(self._cursor.pair, version)
        self._sight = sight = ahead or self._read(self._cursor.pair, version)
        pair = self._cursor.put(sight.state)
        if self._cursor.all_judged:
            self._show_nothing(all_done(self._desk))
        else:
            self._view.border_title = document_title(sight.document)
            marks = query_terms(sight.query.text)
            self._view.show(sight.document, marks=marks, note=sight.note)
        self._show_state(pair)

    def _version(self) -> int:
        """Of what there is on the desk."""
        return self._session.campaign.version(self._desk.judge.key)

    def _read(self, pair: DeskPair, version: int) -> Sight:
        return read_sight(self._desk, self._cursor.visit.key, pair, version)

    def _show_nothing(self, note: str) -> None:
        self._view.border_title = self._view.border_subtitle = ""
        self._view.clear(note)

    def _show_state(self, pair: DeskPair) -> None:
        """Everything but the document: where one is, and what is known of the pair."""
        self._show_query()
        self._list.show_pairs(self._cursor.pairs, self._scale, self._cursor.index)
        if self._cursor.all_judged:
            self._bar.show(None)
            return
        self._bar.show(pair.state.grade)
        state = state_content(pair.state, self._scale) or Content("not judged yet")
        ranks = ", ".join(f"{tag} {rank}" for tag, rank in self._desk.ranks_of(pair))
        parts = [foreign(ranks), state] if ranks else [state]
        self._view.border_subtitle = Content(" · ").join(parts)

    def _show_query(self) -> None:
        if self._sight is None:
            return
        seconds: list[float] = []
        # A pace that cannot be read is no reason to stop.
        with contextlib.suppress(CampaignError):
            seconds = recent_seconds(self._session.campaign, self._desk.judge.key)
        self._pane.show(self._sight.query, self._scale, self._cursor, seconds)
