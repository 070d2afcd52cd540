"""The Judge screen: one document, one key, one committed event.

What it promises: blind; a grade counts only once its document was painted; an event is on disk
before the screen moves on; what could not be written is said and stays to be done.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from time import monotonic
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen

from judge_tui.campaign.desk import Desk, DeskPair
from judge_tui.campaign.events import Event
from judge_tui.errors import CampaignError
from judge_tui.model import Document, Query
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
from judge_tui.tui.query_words import query_words
from judge_tui.tui.reading import PlainReading
from judge_tui.tui.screens.route import Route
from judge_tui.tui.shown import (
    error_content,
    event_content,
    fitting,
    foreign,
    keys_content,
    legends,
    state_text,
)
from judge_tui.tui.widgets import DocumentView, LineList, Need, SaidLine, SplitLine
from judge_tui.tui.widgets.line_list import Piece

__all__ = ["JudgeScreen"]

NO_TEXT = "The text of this document is not loaded: judge it by what is known above, or press x."
EMPTY_TEXT = "This document is empty."
ALL_DONE = (
    "Everything on your desk is judged. Thank you.\n\n"
    "[ goes back through the documents, u takes the last grade back, q leaves."
)
QUERY_CHANGED = "the query was changed meanwhile: please read it again"
NO_ROOM = "no room for the document: enlarge the terminal"
_KEYS = (("?", "keys"), ("u", "undo"), ("s", "skip"), ("i", "guidelines"), ("q", "back"))


class JudgeScreen(Screen[None]):
    """Grade the documents of one judge's desk."""

    CSS_PATH = "judge.tcss"
    AUTO_FOCUS = "DocumentView"

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(digit), f"grade({digit})", "grade", show=False, id=f"judge.grade-{digit}")
            for digit in range(10)
        ),
        Binding("u", "undo", "undo", id="judge.undo"),
        Binding("ctrl+r", "redo", "redo", id="judge.redo"),
        Binding("s", "skip", "skip", id="judge.skip"),
        Binding("x", "cannot", "cannot be judged", id="judge.cannot"),
        Binding("f", "flag", "flag", id="judge.flag"),
        Binding("c", "comment", "comment", id="judge.comment"),
        Binding("right_square_bracket", "step(1)", "next", id="judge.next"),
        Binding("left_square_bracket", "step(-1)", "previous", id="judge.previous"),
        Binding("tab", "next_unjudged", "next unjudged", id="judge.next-unjudged", priority=True),
        Binding("o", "jump", "jump to a query", id="judge.jump"),
        Binding("j,down", "scroll(1)", "down", id="judge.down"),
        Binding("k,up", "scroll(-1)", "up", id="judge.up"),
        Binding("space,pagedown", "page(1)", "page down", id="judge.page-down"),
        Binding("b,pageup", "page(-1)", "page up", id="judge.page-up"),
        Binding("g,home", "top", "top", id="judge.top"),
        Binding("G,end", "bottom", "bottom", id="judge.bottom"),
        Binding("d", "fold", "fold or unfold the narrative", id="judge.fold"),
        Binding("e", "whole_need", "the whole query and narrative", id="judge.whole-need"),
        Binding("i", "guidelines", "guidelines", id="judge.guidelines"),
        Binding("question_mark", "help", "keys", id="judge.help"),
        Binding("q", "leave", "back", id="judge.leave"),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.scale = desk.campaign.settings.scale
        self.route = Route(desk)
        self.guard = PaintGuard()
        self.patience = Patience(self)
        self._timer = LookTimer()
        self._query: Query | None = None
        self._marks: re.Pattern[str] | None = None
        self._document: tuple[Document, bool] | None = None
        self._version = -1
        self._unsaved: dict[tuple[int, int], str] = {}
        self._title = Content("")

    def compose(self) -> ComposeResult:
        yield SplitLine(id="query")
        yield Need(id="need")
        with Horizontal(id="desk"):
            yield LineList(id="pairs", can_focus=False)
            with Vertical(id="column"):
                yield SplitLine(id="title")
                yield DocumentView(id="document")
        yield SaidLine(foreign(self.desk.judge.name, "dim"))
        yield SplitLine(id="legend", keep="left")

    def on_mount(self) -> None:
        self._show_legend(self.app.size.width)
        # Once the screen is laid out: what has room in the title line is known only then.
        self.call_after_refresh(self._go, self.route.resume)

    def on_screen_resume(self) -> None:
        self.query_one(DocumentView).focus()

    def on_resize(self, event: events.Resize) -> None:
        self._show_legend(event.size.width)
        if self._query is not None:
            self._show_query(self._query)
        # What was painted may have no room any more.
        self.guard.expect()
        self.query_one(DocumentView).draw_anew()
        self.query_one(SaidLine).clear()

    # What was painted, and when

    def displayed(self) -> None:
        """Called by the app after each update was handed to the terminal."""
        if self.guard.waiting and self.query_one(DocumentView).drawn:
            at = monotonic()
            self.guard.painted(at)
            self._timer.start(at)

    def key_pressed(self, event: events.Key) -> None:
        """Called by the app with the key whose binding runs next."""
        self.guard.pressed(event.time)
        self._timer.active(event.time)

    def on_mouse_move(self) -> None:
        self._timer.active(monotonic())

    def _may_write(self) -> DeskPair | None:
        """The pair that a key may do something to, None where it may not; says why if need be."""
        if self.patience.waiting:
            return None
        if self.guard.late and self._document is not None:
            self.query_one(SaidLine).say_whole(Content(NO_ROOM), stays=False)
            return None
        pair = self.route.pair if self.guard.counts else None
        return pair if pair is not None and self._is_as_shown(pair) else None

    # Decisions

    def action_grade(self, grade: int) -> None:
        if grade in self.scale:
            self._decide("grade", grade)
        else:
            grades = ", ".join(map(str, self.scale.grades))
            self.say(Content(f"{grade} is not on the scale ({grades})"))

    def action_skip(self) -> None:
        self._decide("skip")

    def action_cannot(self) -> None:
        self._decide("cannot")

    def _decide(self, action: str, grade: int | None = None) -> None:
        pair = self._may_write()
        if pair is None:
            return

        def decided(event: Event) -> None:
            self.say(
                Content.assemble(
                    event_content(event, self.scale), "  ", foreign(pair.doc_id, "dim")
                )
            )
            self._go(self._next)

        self._write(action, pair, decided, grade=grade)

    def _next(self) -> str | None:
        self.route.reread()
        return self.route.to_next_undecided()

    def _is_as_shown(self, pair: DeskPair) -> bool:
        """Whether the file still holds what the judge has seen; else it is shown anew, and said."""
        try:
            if self.desk.version() == self._version:
                return True
            query = self.desk.query(self.route.query_key)
            document, state = self.desk.document(pair), self.desk.state(pair)
        except CampaignError as error:
            self.say_error("CANNOT READ", error)
            return False
        if query != self._query:
            self._go(lambda: QUERY_CHANGED)
        elif document != self._document:
            self._go(lambda: "this document was changed meanwhile: please read it again")
        elif state != pair.state:
            self._go(lambda: "changed in another window meanwhile: please look again")
        else:
            return True
        return False

    def action_flag(self) -> None:
        pair = self._may_write()
        if pair is not None:
            action = "unflag" if pair.state.flagged else "flag"
            said = "flag taken off" if pair.state.flagged else "flagged to come back to"
            self._write(action, pair, lambda _event: self._stay(said))

    def action_comment(self) -> None:
        from judge_tui.tui.screens.comment import CommentOverlay  # noqa: PLC0415

        pair = self._may_write()
        if pair is None:
            return

        def write(note: str | None) -> None:
            if note is not None and note != pair.state.note:
                # A comment that is there is shown with the pair's state.
                said = "" if note else "comment taken off"
                self._unsaved[pair.slot] = note

                def written(_event: Event) -> None:
                    del self._unsaved[pair.slot]
                    self._stay(said)

                self._write("comment", pair, written, note=note)

        # What was typed and could not be written is there again.
        self.app.push_screen(CommentOverlay(self._unsaved.get(pair.slot, pair.state.note)), write)

    def _stay(self, said: str) -> None:
        """Show the pair's new state where it is; the document stays as it was scrolled."""
        try:
            self.route.reread()
        except CampaignError as error:
            self.say_error("CANNOT READ", error)
            return
        self._show_state()
        if said:
            self.say(Content(said))

    def action_undo(self) -> None:
        self._take_back(self.desk.undo, "undone", "nothing to undo")

    def action_redo(self) -> None:
        self._take_back(self.desk.redo, "done again", "nothing to redo")

    def _take_back(self, change: Callable[[], Event | None], done: str, nothing: str) -> None:
        # Taking back needs no document, but a key that outran the screen must not take back more.
        if self.patience.waiting or not (self.guard.counts or self.route.all_judged):
            return

        def taken_back(event: Event | None) -> None:
            if event is None:
                self.say(Content(nothing))
                return
            self.route.all_judged = False
            if self._go(lambda: self.route.to_event(event)):
                self.say(Content.assemble(f"{done}: ", event_content(event, self.scale)))

        self.patience.attempt(change, taken_back)

    def _write(
        self,
        action: str,
        pair: DeskPair,
        then: Callable[[Event], None],
        *,
        grade: int | None = None,
        note: str = "",
    ) -> None:
        """Write and commit one event, then go on; what fails is on the screen in words."""
        looked = round(self._timer.seconds(monotonic()), 3)
        painted_at = self.guard.painted_at
        waited = False

        def record() -> Event | None:
            nonlocal waited
            # Whoever held the file meanwhile may have changed what was decided on.
            if waited and not self._is_as_shown(pair):
                return None
            waited = True
            return self.desk.record(
                action, pair, grade=grade, note=note, looked=looked, painted_at=painted_at
            )

        self.patience.attempt(record, lambda event: then(event) if event else None)

    # Moving

    def action_step(self, by: int) -> None:
        # From the note at the end, back is the document that was judged last.
        at_end = self.route.all_judged and by < 0
        self._move(lambda: None if at_end else self.route.step(by))

    def action_next_unjudged(self) -> None:
        self._move(self.route.to_next_undecided)

    def action_jump(self) -> None:
        from judge_tui.tui.screens.jump import JumpOverlay  # noqa: PLC0415

        def jump(query: int | None) -> None:
            if query is not None:
                self._move(lambda: self.route.to_query(query))

        self.app.push_screen(JumpOverlay(self.route.queries(), self.route.query_key), jump)

    @on(LineList.Chosen, "#pairs")
    def _chosen(self, message: LineList.Chosen) -> None:
        self._move(lambda: self.route.to_index(message.index))

    def _move(self, move: Callable[[], str | None]) -> None:
        if not self.patience.waiting:
            self.route.all_judged = False
            self.query_one(SaidLine).clear()
            self._go(move)

    def _go(self, move: Callable[[], str | None]) -> bool:
        """Move, show where that led, and say what the move has to say; False where that failed."""
        try:
            said = move()
            self._show_pair()
        except CampaignError as error:
            # What is on screen need not be what the route points at: nothing can be graded.
            self._show_nothing("")
            self.say_error("CANNOT READ", error)
            return False
        if said:
            self.say(Content(said))
        return True

    def action_scroll(self, by: int) -> None:
        self.query_one(DocumentView).move(by)

    def action_page(self, by: int) -> None:
        view = self.query_one(DocumentView)
        view.move(by * max(1, view.size.height - 2))

    def action_top(self) -> None:
        self.query_one(DocumentView).scroll_home(animate=False)

    def action_bottom(self) -> None:
        self.query_one(DocumentView).to_end()

    def action_fold(self) -> None:
        self.query_one(Need).fold()

    def action_whole_need(self) -> None:
        from judge_tui.tui.screens.whole_need import WholeNeedOverlay  # noqa: PLC0415

        if self._query is not None:
            self.app.push_screen(WholeNeedOverlay(self._query))

    def action_guidelines(self) -> None:
        from judge_tui.tui.screens.guidelines import GuidelinesOverlay  # noqa: PLC0415

        self.app.push_screen(GuidelinesOverlay(self.desk.campaign.settings))

    def action_help(self) -> None:
        from judge_tui.tui.screens.help import HelpOverlay, keys_of  # noqa: PLC0415

        grades = [
            (str(grade), f"grade: {label}" if label else "grade")
            for grade, label in self.scale.labels.items()
        ]
        others = [(keys, what) for keys, what in keys_of(self, "judge") if what != "grade"]
        everywhere = [("ctrl+p", "palette"), ("ctrl+q", "end the app")]
        self.app.push_screen(HelpOverlay([*grades, *others, *everywhere]))

    def action_leave(self) -> None:
        if not self.patience.waiting:
            self.dismiss()

    # Showing

    def _show_nothing(self, note: str) -> None:
        self.guard.expect()
        self._document = None
        self.query_one(DocumentView).clear(note)

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
        self._document = document, loaded = self.desk.document(pair)
        self._title = title_content(document, self.desk.ranks_of(pair))
        if self.route.all_judged:
            self._show_nothing(ALL_DONE)
        else:
            self.guard.expect()
            self.query_one(DocumentView).show(
                PlainReading(document.text),
                self._marks,
                head=self._head(pair, document),
                note=EMPTY_TEXT if loaded else NO_TEXT,
            )
        self._show_state()
        if before and before.query_id == self.route.query_id and before != self._query:
            self.say(Content(QUERY_CHANGED))

    def _show_state(self) -> None:
        """Everything but the document: where one is, and what is known of the pair."""
        pair = self.route.pair
        if pair is None or self._query is None:
            return
        pairs = self.query_one("#pairs", LineList)
        pairs.show(len(self.route.pairs), self._draw_pair, cursor=self.route.index)
        self._show_query(self._query)
        title = self.query_one("#title", SplitLine)
        title.show(self._title, state_text(pair.state, self.scale))
        if pair.state.note:
            self.say(Content.assemble(("comment: ", "dim"), foreign(pair.state.note)))

    def _show_query(self, query: Query) -> None:
        line = self.query_one("#query", SplitLine)
        done, total = self.route.progress
        line.show(query_content(query), progress_content(done, total, self.desk.pace()))
        self.query_one(Need).show(need_text(query, with_text=line.cuts))

    def _head(self, pair: DeskPair, document: Document) -> str:
        """What the title line has no room for stands above the text, and scrolls with it."""
        title = self.query_one("#title", SplitLine)
        title.show(name_content(document), state_text(pair.state, self.scale))
        if not title.cuts:
            return ""
        return "\n".join(names(document))

    def _draw_pair(self, index: int) -> list[Piece]:
        here = index == self.route.index
        return pair_pieces(self.route.pairs[index], self.scale, here=here)

    def _show_legend(self, width: int) -> None:
        keys = [keys_content(_KEYS[:count]) for count in range(len(_KEYS), 0, -1)]
        room = width - 2
        legend = fitting(legends(self.scale), room - keys[-1].cell_length - 2)
        shown = fitting(keys, room - legend.cell_length - 2)
        self.query_one("#legend", SplitLine).show(legend, shown)

    def say(self, said: Content) -> None:
        """Put one line above the legend."""
        self.query_one(SaidLine).say(said)

    def say_error(self, start: str, error: CampaignError) -> None:
        """Put an error above the legend, whole."""
        self.query_one(SaidLine).say_whole(error_content(start, error))
