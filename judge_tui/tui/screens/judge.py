"""The Judge screen: one document, one key, one committed event.

What it promises: blind; a grade counts only once its document was painted; an event is on disk
before the screen moves on; what could not be written is said and stays to be done.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen

from judge_tui.campaign.desk import Desk, DeskPair, PairState
from judge_tui.campaign.events import Event
from judge_tui.errors import CampaignError
from judge_tui.model import Query
from judge_tui.tui.pace import LookTimer, pace_text
from judge_tui.tui.query_words import query_words
from judge_tui.tui.screens.route import Route
from judge_tui.tui.shown import foreign, grade_class, grade_content, state_glyph, state_text
from judge_tui.tui.widgets import DocumentView, LineList, Need, SplitLine
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    import re

__all__ = ["JudgeScreen"]

NO_TEXT = (
    "The text of this document has not been loaded: judge it by what is known above, or press x."
)
EMPTY_TEXT = "This document is empty."


class JudgeScreen(Screen[None]):
    """Grade the documents of one judge's desk."""

    CSS_PATH = "judge.tcss"
    AUTO_FOCUS = "DocumentView"

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                str(digit),
                f"grade({digit})",
                f"grade {digit}",
                show=False,
                id=f"judge.grade-{digit}",
            )
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
        Binding("d", "fold", "unfold or fold the narrative", id="judge.fold"),
        Binding("j,down", "scroll(1)", "down", id="judge.down"),
        Binding("k,up", "scroll(-1)", "up", id="judge.up"),
        Binding("space,pagedown", "page(1)", "page down", id="judge.page-down"),
        Binding("b,pageup", "page(-1)", "page up", id="judge.page-up"),
        Binding("g,home", "top", "top", id="judge.top"),
        Binding("G,end", "bottom", "bottom", id="judge.bottom"),
        Binding("i", "guidelines", "guidelines", id="judge.guidelines"),
        Binding("question_mark", "help", "keys", id="judge.help"),
        Binding("q", "leave", "back", id="judge.leave"),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.scale = desk.campaign.settings.scale
        self.route = Route(desk)
        self._query: Query | None = None
        self._marks: re.Pattern[str] | None = None
        self._painted: float | None = None
        self._painted_at: str | None = None
        self._timer = LookTimer()
        self._key_time = 0.0

    def compose(self) -> ComposeResult:
        yield SplitLine(id="query")
        yield Need(id="need")
        with Horizontal(id="desk"):
            yield LineList(id="pairs", can_focus=False)
            with DeskColumn(id="column"):
                yield SplitLine(id="title")
                yield DocumentView(id="document")
        yield SplitLine(id="said")
        yield SplitLine(id="legend", keep="left")

    def on_mount(self) -> None:
        self.query_one("#legend", SplitLine).show(self._legend(), self._keys())
        self._say(Content(""))
        self._go(self.route.resume)

    def on_screen_resume(self) -> None:
        self.query_one(DocumentView).focus()

    # What was painted, and when

    def displayed(self) -> None:
        """Called by the app after each update was handed to the terminal."""
        if self._painted is None and self.is_current and self.query_one(DocumentView).drawn:
            self._painted = monotonic()
            self._painted_at = datetime.now(UTC).isoformat(timespec="milliseconds")
            self._timer.start(self._painted)

    def key_pressed(self, event: events.Key) -> None:
        """Called by the app with the key whose binding runs next."""
        self._key_time = event.time
        self._timer.active(event.time)

    def on_mouse_move(self) -> None:
        self._timer.active(monotonic())

    @property
    def seen(self) -> bool:
        """Whether the key just pressed can mean the document on screen: it came after painting."""
        return self._painted is not None and self._key_time >= self._painted

    # Decisions

    def action_grade(self, grade: int) -> None:
        if grade in self.scale:
            self._decide("grade", grade)
        else:
            grades = ", ".join(map(str, self.scale.grades))
            self._say(Content(f"{grade} is not on the scale ({grades})"))

    def action_skip(self) -> None:
        self._decide("skip")

    def action_cannot(self) -> None:
        self._decide("cannot")

    def _decide(self, action: str, grade: int | None = None) -> None:
        pair = self.route.pair
        if pair is None or not self.seen:
            return
        event = self._record(action, pair, grade=grade)
        if event is None:
            return
        said = (
            grade_content(event.grade, self.scale)
            if event.grade is not None
            else Content({"skip": "skipped", "cannot": "cannot be judged"}[action])
        )
        self._say(Content.assemble(said, "  ", foreign(pair.doc_id, "dim")))
        self._go(self._next)

    def _next(self) -> str | None:
        self.route.reread()
        return self.route.to_next_undecided()

    def action_flag(self) -> None:
        pair = self.route.pair
        if pair is None:
            return
        action = "unflag" if pair.state.flagged else "flag"
        if self._record(action, pair) is not None:
            self.route.reread()
            self._say(
                Content("flag taken off" if action == "unflag" else "flagged to come back to")
            )
            self._show_state()

    def action_comment(self) -> None:
        from judge_tui.tui.screens.comment import CommentOverlay  # noqa: PLC0415

        pair = self.route.pair
        if pair is None:
            return

        def write(note: str | None) -> None:
            if note is None or note == pair.state.note:
                return
            if self._record("comment", pair, note=note) is not None:
                self._stay("comment kept" if note else "comment taken off")

        self.app.push_screen(CommentOverlay(pair.state.note), write)

    def _stay(self, said: str) -> None:
        """Show the pair's new state, where it is."""
        try:
            self.route.reread()
        except CampaignError as error:
            self._say_error(error)
            return
        self._say(Content(said))
        self._show_state()

    def action_undo(self) -> None:
        self._take_back(self.desk.undo, "undone", "nothing to undo")

    def action_redo(self) -> None:
        self._take_back(self.desk.redo, "done again", "nothing to redo")

    def _take_back(self, change: Callable[[], Event | None], done: str, nothing: str) -> None:
        try:
            event = change()
        except CampaignError as error:
            self._say_error(error)
            return
        if event is None:
            self._say(Content(nothing))
            return
        self._go(lambda: self.route.to_pair(event.pair))
        what = (
            grade_content(event.grade, self.scale)
            if event.grade is not None
            else Content(_NAMES[event.action])
        )
        self._say(Content.assemble(f"{done}: ", what))

    def _record(
        self, action: str, pair: DeskPair, *, grade: int | None = None, note: str = ""
    ) -> Event | None:
        """Write and commit; None where that failed, which is then on the screen in words."""
        looked = None
        if self._painted is not None:
            looked = round(self._timer.seconds(monotonic()), 3)
        try:
            return self.desk.record(
                action, pair.key, grade=grade, note=note, looked=looked, painted_at=self._painted_at
            )
        except CampaignError as error:
            self._say_error(error)
            return None

    # Moving

    def action_step(self, by: int) -> None:
        self._go(lambda: self.route.step(by))

    def action_next_unjudged(self) -> None:
        self._go(self.route.to_next_undecided)

    def action_jump(self) -> None:
        from judge_tui.tui.screens.jump import JumpOverlay  # noqa: PLC0415

        def jump(query: int | None) -> None:
            if query is not None:
                self._go(lambda: self.route.to_query(query))

        self.app.push_screen(JumpOverlay(self.route.queries(), self.route.query_key), jump)

    @on(LineList.Chosen, "#pairs")
    def _chosen(self, message: LineList.Chosen) -> None:
        self._go(lambda: self.route.to_index(message.index))

    def action_scroll(self, by: int) -> None:
        self.query_one(DocumentView).scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        view = self.query_one(DocumentView)
        view.scroll_relative(y=by * max(1, view.size.height - 2), animate=False)

    def action_top(self) -> None:
        self.query_one(DocumentView).scroll_home(animate=False)

    def action_bottom(self) -> None:
        self.query_one(DocumentView).scroll_end(animate=False)

    def action_fold(self) -> None:
        self.query_one(Need).fold()

    def action_guidelines(self) -> None:
        from judge_tui.tui.screens.guidelines import GuidelinesOverlay  # noqa: PLC0415

        self.app.push_screen(GuidelinesOverlay(self.desk.campaign.settings))

    def action_help(self) -> None:
        from judge_tui.tui.screens.help import HelpOverlay, keys_of  # noqa: PLC0415

        grades = [
            (str(grade), f"grade: {label}" if label else "grade")
            for grade, label in self.scale.labels.items()
        ]
        others = [(key, what) for key, what in keys_of(self, "judge") if not key.isdigit()]
        self.app.push_screen(HelpOverlay([*grades, *others]))

    def action_leave(self) -> None:
        self.dismiss()

    def _go(self, move: Callable[[], str | None]) -> None:
        """Move, show where that led, and say what the move has to say."""
        try:
            said = move()
            self._show_pair()
        except CampaignError as error:
            # What is on screen need not be what the route points at: nothing can be graded.
            self._painted = None
            self.query_one(DocumentView).clear()
            self._say(Content.assemble(("CANNOT READ  ", "bold $text-error"), foreign(str(error))))
            return
        if said:
            self._say(Content(said))

    # Showing

    def _show_pair(self) -> None:
        self._painted = None
        pair = self.route.pair
        view = self.query_one(DocumentView)
        if pair is None:
            view.clear()
            return
        if self._query is None or self._query.query_id != self.route.query_id:
            self._query = self.desk.query(self.route.query_key)
            self._marks = query_words(self._query.text)
            self._show_need()
        document, loaded = self.desk.document(pair.key)
        self._show_title(document.title, document.url, document.kind)
        note = EMPTY_TEXT if loaded else NO_TEXT
        view.show(document.text, self._marks, note=note)
        self._show_state()

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
            self._say(Content.assemble(("comment: ", "dim"), foreign(pair.state.note)))

    def _show_query(self, query: Query) -> None:
        left = Content.assemble(
            foreign(query.query_id, "bold $accent"), "  ", foreign(query.text, "bold")
        )
        done, total = self.route.progress
        pace = pace_text(self.desk.pace(), total - done)
        right = Content("   ").join(
            [Content(f"{done}/{total}"), *([Content(pace)] if pace else [])]
        )
        self.query_one("#query", SplitLine).show(left, right)

    def _show_need(self) -> None:
        query = self._query
        text = "\n".join(filter(None, (query.description, query.narrative))) if query else ""
        self.query_one(Need).show(text)

    def _show_title(self, title: str, url: str, kind: str) -> None:
        pair = self.route.pair
        doc_id = pair.doc_id if pair else ""
        parts = [foreign(title or doc_id, "bold")]
        if title and title != doc_id and not title.startswith(doc_id):
            parts.append(foreign(doc_id, "dim"))
        parts.extend(foreign(part, "dim") for part in (kind, url) if part)
        if pair is not None and (ranks := self.desk.ranks_of(pair.key)):
            parts.append(foreign(", ".join(f"{tag} {rank}" for tag, rank in ranks), "dim"))
        self._title = Content("  ").join(parts)

    def _draw_pair(self, index: int) -> list[Piece]:
        pair = self.route.pairs[index]
        return [
            ("▸" if index == self.route.index else " ", "list--strong"),
            (state_glyph(pair.state), self._state_class(pair.state)),
            ("!", "list--fair") if pair.state.flagged else (" ", ""),
            (f" {visible_line(pair.doc_id)}", ""),
        ]

    def _state_class(self, state: PairState) -> str:
        if state.decision == "grade" and state.grade is not None:
            return f"list--{grade_class(state.grade, self.scale)}"
        return "list--faint"

    def _legend(self) -> Content:
        parts = [grade_content(grade, self.scale) for grade in self.scale.grades]
        return Content("   ").join(parts)

    def _keys(self) -> Content:
        keys = (("?", "keys"), ("u", "undo"), ("s", "skip"), ("i", "guidelines"), ("q", "back"))
        return Content("  ").join(Content.assemble((key, "bold"), f" {name}") for key, name in keys)

    def _say(self, said: Content) -> None:
        self.query_one("#said", SplitLine).show(said, foreign(self.desk.judge.name, "dim"))

    def _say_error(self, error: CampaignError) -> None:
        self._say(Content.assemble(("NOT SAVED  ", "bold $text-error"), foreign(str(error))))


class DeskColumn(Horizontal):
    """The title above the document."""


_NAMES = {
    "grade": "grade",
    "skip": "skip",
    "cannot": "cannot be judged",
    "flag": "flag",
    "unflag": "flag taken off",
    "comment": "comment",
}
