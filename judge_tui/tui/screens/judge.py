"""The Judge screen: one document, one key, one committed event.

What it promises: blind; a grade counts only once its document was looked at; an event is on disk
before the screen moves on; what could not be written is said, and stays to be done.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Footer

from judge_tui.campaign.store.desk import Desk, DeskPair, DeskPairs
from judge_tui.campaign.store.event import DECISIONS, Event
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.set_aside import pairs_set_aside
from judge_tui.campaign.store.statistics import recent_seconds
from judge_tui.errors import CampaignError
from judge_tui.model import Document, Query, Scale
from judge_tui.tui.cells import shortened
from judge_tui.tui.pace import LookTimer
from judge_tui.tui.rendering import query_terms
from judge_tui.tui.screens.desk_cursor import DeskCursor
from judge_tui.tui.screens.desk_panes import (
    DocumentList,
    QueryPane,
)
from judge_tui.tui.session import About, Session
from judge_tui.tui.text import (
    document_title,
    event_content,
    foreign,
    foreign_lines,
    grade_digit,
    need_content,
    state_content,
)
from judge_tui.tui.widgets.document_view import DocumentView
from judge_tui.tui.widgets.grade_bar import GradeBar
from judge_tui.tui.widgets.sized_screen import SizedScreen
from judge_tui.tui.widgets.status_line import StatusLine
from judge_tui.tui.widgets.table import Table
from judge_tui.visible import visible_line

WIDE = 160
"""Columns from which on the guidelines have room beside the document."""

GREATEST_COMMENT = 2000

EMPTY_TEXT = "This document is empty."
NO_TEXT = (
    "The text of this document is not loaded: judge it by what is known of it, or mark it with x."
)
UNREADABLE = (
    "CANNOT READ this document: {}.\n\ns skips it, x marks it as one that cannot be judged."
)
ALL_DONE = (
    "Everything on your desk is judged. Thank you.\n\n{}"
    "[ goes back through the documents, u takes the last grade back, q leaves."
)
NOTHING_HERE = "all judged, and no document is shown: [ goes back to the last one"
NO_ROOM = "no room for the document: enlarge the terminal"
NOT_PAINTED = "not yet: the document was not on screen when you pressed the key"
QUERY_CHANGED = "the query was changed meanwhile: please read it again"
DOCUMENT_CHANGED = "this document was changed meanwhile: please read it again"
STATE_CHANGED = "changed in another window meanwhile: please look again"
DESK_CHANGED = "what is on your desk was changed meanwhile"

# Seconds between two looks whether there is more, once everything is judged.
_MORE_EVERY = 1.0
# Cells of the list of pairs that are not an id: borders, scrollbar, marks.
_BESIDE_IDS = 9


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the judge has seen of a pair: a key that means another one is refused."""

    query: Query
    document: Document
    note: str = ""
    readable: bool = True


class JudgeScreen(SizedScreen[None]):
    """Grade the documents of one judge's desk."""

    AUTO_FOCUS = "#document"
    BINDING_GROUP_TITLE = "Judge"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide"), (WIDE, "-beside")]  # noqa: RUF012 - as Textual's is

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(digit), f"grade({digit})", "grade", show=False, id=f"judge.grade-{digit}")
            for digit in range(10)
        ),
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
                ("d", "fold", "narrative", "narrative", False),
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
        self._options = session.options.of(judge.name)
        self._scale: Scale = session.campaign.settings.scale
        self._guidelines = Document(
            "guidelines", text=session.campaign.settings.guidelines.strip(), kind="markdown"
        )
        self._timer = LookTimer()
        self._more: Timer | None = None
        self._shown: _Shown | None = None
        self._listed: DeskPairs | None = None
        self._version = -1
        self._is_new = True
        # Query id and pair of what was decided last.
        self._previous: tuple[str, DeskPair] | None = None

    def compose(self) -> ComposeResult:
        self._pane, self._list = QueryPane(id="query"), DocumentList(id="pairs")
        self._view = DocumentView(self._options, self._session.guard, id="document")
        self._beside = DocumentView(id="guidelines")
        self._status, self._bar = StatusLine(), GradeBar(self._scale)
        yield self._pane
        with Horizontal(id="desk"):
            yield from (self._list, self._view, self._beside)
        yield from (self._status, self._bar, Footer())

    def on_mount(self) -> None:
        self._beside.border_title = Content.assemble("Guidelines", ("  i", "not bold dim"))
        self._beside.set_class(not (self._guidelines.text and self._options.guidelines), "-off")
        self._beside.show(self._guidelines)
        self.go(self._cursor.resume)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "grade" or parameters[0] in self._scale

    # --- what stands on the screen

    def go(
        self, move: Callable[[], str], *, done: Event | None = None, said: Content | None = None
    ) -> bool:
        """Move, show where that led, and say `said` and what the move has to say; False where that
        failed. `done`: what the judge has just done, which is no change by others."""
        before = self._shown
        try:
            if done is not None:
                self._cursor.to_event(done)
            is_behind = before is not None and self._session.campaign.version() != self._version
            changed = is_behind and self._cursor.catch_up()
            sentence = move()
            self._show_pair()
        except CampaignError as error:
            # What is on screen need not be what the cursor points at: nothing can be graded.
            self._show_nothing("")
            self._status.fail("CANNOT READ", error)
            return False
        query, parts = self._shown.query if self._shown else None, [said] if said else []
        if before is not None and query is not None and query != before.query:
            is_same = query.query_id == before.query.query_id
            parts.append(Content(QUERY_CHANGED) if is_same else self._next_query(query))
        self._pane.set_class(len(parts) > (said is not None), "-new")
        if sentence or changed:
            parts.append(Content(sentence or DESK_CHANGED))
        note = self._cursor.pair.state.note if self._cursor.pair and not parts else ""
        if note:
            parts.append(Content.assemble(("comment: ", "dim"), foreign(note)))
        self._status.say(Content("   ").join(parts))
        return True

    def _next_query(self, query: Query) -> Content:
        number, count = self._cursor.query_number
        return Content.assemble(
            (f"{visible_line(query.query_id)}, {number:,} of {count:,}: ", "bold $text-accent"),
            foreign(query.text),
        )

    def _show_pair(self) -> None:
        if self._cursor.pair is None:
            self._show_nothing("Nothing is on your desk.")
            return
        # What is known so far is as old as the query's opening: others may have written since.
        self._version = self._session.campaign.version()
        pair = self._cursor.reread()
        self._shown = shown = self._read(pair)
        if self._cursor.all_judged:
            self._show_nothing(ALL_DONE.format(self._aside()))
            if self._more is None:
                self._more = self.set_interval(_MORE_EVERY, self._look_for_more)
            self._show_state(pair)
            return
        self._show_state(pair)
        self._is_new = True
        self._view.border_title = document_title(shown.document)
        self._view.show(
            self._with_whole_title(shown.document),
            marks=query_terms(shown.query.text),
            note=shown.note,
        )

    def _read(self, pair: DeskPair) -> _Shown:
        """The pair's query and document as the file has them now. A text that cannot be read is no
        reason to be stuck."""
        query = self._desk.query(self._cursor.visit.key)
        try:
            document, is_loaded = self._desk.document(pair)
        except CampaignError as error:
            note = UNREADABLE.format(error.what)
            return _Shown(query, Document(pair.doc_id), note, readable=False)
        return _Shown(query, document, EMPTY_TEXT if is_loaded else NO_TEXT)

    def _show_nothing(self, note: str) -> None:
        self._view.border_title = self._view.border_subtitle = ""
        self._view.clear(note)

    def _show_state(self, pair: DeskPair) -> None:
        """Everything but the document: where one is, and what is known of the pair."""
        self._show_query()
        if self._listed is self._cursor.pairs:
            self._list.redraw()
            self._list.move(self._cursor.index)
        else:
            self._listed = self._cursor.pairs
            self._list.show_pairs(self._listed, self._scale, self._cursor.index)
        if self._cursor.all_judged:
            self._bar.show(None)
            return
        self._bar.show(pair.state.grade)
        state = state_content(pair.state, self._scale) or Content("not judged yet")
        ranks = ", ".join(f"{tag} {rank}" for tag, rank in self._desk.ranks_of(pair))
        parts = [foreign(ranks), state] if ranks else [state]
        self._view.border_subtitle = Content(" · ").join(parts)

    def _show_query(self) -> None:
        if self._shown is None:
            return
        looked: list[float] = []
        # A pace that cannot be read is no reason to stop.
        with contextlib.suppress(CampaignError):
            looked = recent_seconds(self._session.campaign, self._desk.judge.key)
        folded = not self._options.narrative
        self._pane.show(self._shown.query, self._scale, self._cursor, looked, folded=folded)

    def _with_whole_title(self, document: Document) -> Document:
        """The document, with its names above its text where the border cuts them."""
        width = self._list.styles.width
        room = self.app.size.width - int(width.value if width else 0) - 6
        if document_title(document).cell_length <= room:
            return document
        names = {"title": document.title, "id": document.doc_id}
        return replace(document, meta={**{k: v for k, v in names.items() if v}, **document.meta})

    def _aside(self) -> str:
        """What there may be to come back to, and how."""
        count = len(pairs_set_aside(self._desk))
        return (
            f"{count:,} set aside (flagged, skipped, commented on): F lists them.\n\n"
            if count
            else ""
        )

    def _look_for_more(self) -> None:
        """Who is thanked for everything must not go home while more is given out."""
        if self._cursor.all_judged and self.is_current:
            with contextlib.suppress(CampaignError):
                if self._session.campaign.version() != self._version:
                    self.go(self._cursor.to_next_undecided)

    @on(DocumentView.Painted)
    def _painted(self, message: DocumentView.Painted) -> None:
        if self._is_new:
            self._timer.start(message.at)
            self._is_new = False

    def on_key(self, event: events.Key) -> None:
        self._timer.active(event.time)
        is_free = event.key.isdigit() and event.key not in self.active_bindings
        if is_free and event.key not in map(str, self._scale.grades):
            grades = ", ".join(map(str, self._scale.grades))
            self._status.say(f"{event.key} is not on the scale ({grades})")

    def on_mouse_move(self) -> None:
        self._timer.active(monotonic())

    def on_resize(self) -> None:
        if self._listed is not None:
            self._list.show_pairs(self._listed, self._scale, self._cursor.index)

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
        if grade is not None and self._shown is not None and not self._shown.readable:
            self._status.say("this document cannot be read: s skips it, x marks it")
            return

        event = self._record(action, pair, grade=grade)
        if event is not None:
            self._previous = self._cursor.visit.query_id, pair
            said = Content.assemble(
                self._before(pair, event),
                event_content(event, self._scale),
                "  ",
                shortened(foreign(pair.doc_id, "dim"), 40, "end"),
            )
            self.go(self._cursor.to_next_undecided, done=event, said=said)

    def _before(self, pair: DeskPair, event: Event) -> Content:
        """What a decision replaces, where it does."""
        state = pair.state
        if state.decision is None or (state.decision, state.grade) == (event.action, event.grade):
            return Content("")
        old = state_content(replace(state, flagged=False), self._scale)
        if state.grade is not None:
            old = grade_digit(state.grade, self._scale)
        return Content.assemble(old, " → ")

    def _meant(self, refusal: str) -> DeskPair | None:
        """The pair that the key pressed last means, None where it means none or has a `refusal`;
        that is said."""
        if self._cursor.all_judged:
            # There may be more meanwhile.
            if self.go(self._cursor.to_next_undecided) and self._cursor.all_judged:
                self._status.say(NOTHING_HERE)
            return None
        pair = self._cursor.pair
        if pair is None or self._view.document is None:
            return None
        if not (self._view.size and self._view.region.intersection(self.region)):
            self._status.say(NO_ROOM)
        elif refusal:
            self._status.say(refusal)
        elif self._is_as_shown(pair):
            return pair
        return None

    def _is_as_shown(self, pair: DeskPair) -> bool:
        """Whether the file still holds what the judge has seen; else it is shown anew, and said."""
        try:
            if self._session.campaign.version() == self._version:
                return True
            now, state = self._read(pair), self._desk.state(pair)
        except CampaignError as error:
            self._session.not_saved(error, self._status)
            return False
        if self._shown is not None and now.query != self._shown.query:
            self.go(lambda: "")
        elif now != self._shown:
            self.go(lambda: DOCUMENT_CHANGED)
        elif state != pair.state:
            self.go(lambda: STATE_CHANGED)
        else:
            return True
        return False

    def _record(
        self, action: str, pair: DeskPair, *, grade: int | None = None, note: str = ""
    ) -> Event | None:
        looked = round(self._timer.seconds(monotonic()), 3)
        painted_at = self._session.guard.painted_at
        return self._session.write(
            lambda: self._desk.record(
                action, pair, grade=grade, note=note, looked=looked, painted_at=painted_at
            ),
            self._status,
        )

    def action_undo(self) -> None:
        if self._session.guard.takes_back or self._cursor.all_judged:
            event = self._session.write(self._desk.undo, self._status)
            if event is not None:
                self._take_back(event, "undone", lambda: self._cursor.to_event(event))
            elif not self._session.failure:
                self._status.say("nothing to undo")

    def action_redo(self) -> None:
        if self._session.guard.takes_back or self._cursor.all_judged:
            event = self._session.write(self._desk.redo, self._status)
            if event is None:
                if not self._session.failure:
                    self._status.say("nothing to redo")
            elif event.action in DECISIONS:
                # The next key must not change what was done again.
                self._take_back(event, "done again", self._cursor.to_next_undecided)
            else:
                self._take_back(event, "done again", lambda: self._cursor.to_event(event))

    def _take_back(self, event: Event, what: str, move: Callable[[], str]) -> None:
        self._previous = None
        self._cursor.all_judged = False
        said = Content.assemble(f"{what}: ", event_content(event, self._scale))
        self.go(move, done=event, said=said)

    # --- flags and comments: the document stays as it was scrolled

    def action_flag(self) -> None:
        pair = self._meant("" if self._session.guard.takes_back else NOT_PAINTED)
        if pair is not None:
            action = "unflag" if pair.state.flagged else "flag"
            said = "flag taken off" if pair.state.flagged else "flagged to come back to"
            if self._record(action, pair) is not None:
                self._stay(said)

    def action_comment(self) -> None:
        pair = self._meant("" if self._session.guard.takes_back else NOT_PAINTED)
        if pair is not None:
            self._ask_comment(self._cursor.visit.query_id, pair, pair.state.note)

    def action_comment_last(self) -> None:
        if self._previous is None:
            self._status.say("no document was judged just before this one")
            return
        query_id, pair = self._previous
        try:
            known = self._desk.state(pair).note
        except CampaignError as error:
            self._status.fail("CANNOT READ", error)
            return
        self._ask_comment(query_id, pair, known)

    def _ask_comment(
        self, query_id: str, pair: DeskPair, known: str, hint: Content | str = ""
    ) -> None:
        """Let the judge write, who knows the comment as `known`."""
        # Dialogs are imported where they open: the first document waits for none of them.
        from judge_tui.tui.widgets.dialogs import TextPrompt  # noqa: PLC0415

        drafts, about = self._session.drafts, About("comment", query_id, pair.doc_id, pair.turn)

        def write(text: str | None) -> None:
            if text is None:
                is_draft = drafts.known(about) is not None
                self._stay("the comment is not written: c has it again" if is_draft else "")
            elif text == known:
                drafts.forget(about)
            else:
                self._write_comment(about, pair, text, known)

        self.app.push_screen(
            TextPrompt(
                f"Comment on {pair.doc_id}  ({query_id})",
                draft=drafts.known(about) or known,
                hint=hint,
                limit=GREATEST_COMMENT,
                keep=lambda text: drafts.keep(about, text, written=known),
            ),
            write,
        )

    def _write_comment(self, about: About, pair: DeskPair, text: str, known: str) -> None:
        """Write it; where another window has changed what it would replace, ask first."""
        try:
            now = self._desk.state(pair).note
        except CampaignError as error:
            self._session.not_saved(error, self._status)
            return
        if now not in (known, text):
            hint = Content.assemble(
                ("CHANGED  ", "bold $text-warning"),
                "in another window meanwhile. It is now: ",
                foreign_lines(now) if now else "none",
            )
            self._ask_comment(about.query_id, pair, now, hint)
        elif self._record("comment", pair, note=text) is not None:
            self._session.drafts.forget(about)
            self._cursor.reread_pair(pair)
            of = shortened(foreign(pair.doc_id), 40, "end").plain
            self._stay(f"{'comment written' if text else 'comment taken off'}  {of}")

    def _stay(self, said: str) -> None:
        """Show the pair's new state where it is; the document stays as it was scrolled."""
        try:
            if self._cursor.pair is not None:
                self._show_state(self._cursor.reread())
        except CampaignError as error:
            self._status.fail("CANNOT READ", error)
            return
        self._status.say(said)

    # --- from document to document; moves never wait for painting: they grade nothing

    def _move(self, move: Callable[[], str]) -> None:
        self._cursor.all_judged = False
        self.go(move)

    def action_step(self, by: int) -> None:
        # From the note at the end, back is the document that was judged last.
        at_end = self._cursor.all_judged and by < 0
        self._move(lambda: "" if at_end else self._cursor.step(by))

    def action_next_unjudged(self) -> None:
        self._move(self._cursor.to_next_undecided)

    @on(Table.Moved, "#pairs")
    def _row_moved(self, message: Table.Moved) -> None:
        # One that came late, after the screen has gone on, means nothing any more.
        if message.row == message.table.cursor != self._cursor.index:
            self._move(lambda: self._cursor.to_index(message.row))

    @on(Table.Opened, "#pairs")
    def _row_opened(self) -> None:
        self._view.focus()

    def action_jump(self) -> None:
        from judge_tui.tui.screens.desk_pickers import query_picker  # noqa: PLC0415

        queries = self._cursor.queries()

        def jump(row: int | None) -> None:
            if row is not None:
                self._move(lambda: self._cursor.to_query(queries[row].visit))

        if queries:
            self.app.push_screen(query_picker(queries, self._cursor.visit.key), jump)

    def action_set_aside(self) -> None:
        """What was flagged, skipped, cannot be judged or has a comment, over the whole desk."""
        from judge_tui.tui.screens.desk_pickers import aside_picker  # noqa: PLC0415

        try:
            aside = pairs_set_aside(self._desk)
        except CampaignError as error:
            self._status.fail("CANNOT READ", error)
            return

        def go(row: int | None) -> None:
            if row is not None:
                self._move(lambda: self._cursor.to_slot(aside[row].pair.slot))

        if aside:
            self.app.push_screen(aside_picker(aside, self._scale, self._cursor.pair), go)
        else:
            self._status.say("nothing is flagged, skipped or has a comment; f flags a document")

    # --- what can be looked up

    def action_fold(self) -> None:
        self._options.narrative = not self._options.narrative
        self._options.save()
        self._show_query()
        folded = "" if self._options.narrative else "narratives are folded: d shows them"
        self._status.say(folded)

    def action_need(self) -> None:
        """The query, its description and narrative, however long they are."""
        if self._shown is not None:
            query = self._shown.query
            text = f"{query.text}\n\n{need_content(query, self._scale).plain}"
            self._read_page(query.query_id, Document(query.query_id, text=text))

    def action_guidelines(self) -> None:
        """Beside the document where there is room, else over it."""
        if not self._guidelines.text:
            self._status.say("this campaign has no guidelines")
        elif self.app.size.width < WIDE:
            self._read_page("Guidelines", self._guidelines)
        else:
            self._options.guidelines = not self._options.guidelines
            self._options.save()
            self._beside.set_class(not self._options.guidelines, "-off")

    def _read_page(self, title: str, page: Document) -> None:
        from judge_tui.tui.widgets.text_panel import TextPanel  # noqa: PLC0415

        self.app.push_screen(TextPanel(title, page))

    def action_statistics(self) -> None:
        from judge_tui.tui.screens.statistics import StatisticsPanel  # noqa: PLC0415

        self.app.push_screen(StatisticsPanel(self._desk, *self._cursor.progress))

    def action_leave(self) -> None:
        # A second key, pressed before the screen was gone, must not take Home with it.
        if self.is_current:
            self.app.pop_screen()
