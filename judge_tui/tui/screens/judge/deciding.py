"""Grades and what else a judge does to a pair: each is one event, committed before the screen moves
on."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from judge_tui.campaign.store.desk import Desk, DeskPair
from judge_tui.campaign.store.event import Event
from judge_tui.errors import CampaignError
from judge_tui.tui.screens.judge.moving import Moving
from judge_tui.tui.screens.speaking import unsaved_line
from judge_tui.tui.shown import event_content, foreign
from judge_tui.tui.tastes import Keeper

_JUDGE = Binding.Group("Judge")


class Deciding(Moving):
    """Every key here means the document that was painted when it was pressed, or nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(digit), f"grade({digit})", "grade", id=f"judge.grade-{digit}", group=_JUDGE)
            for digit in range(10)
        ),
        Binding("u", "undo", "undo", id="judge.undo", group=_JUDGE),
        Binding("ctrl+r", "redo", "redo", id="judge.redo", group=_JUDGE),
        Binding("s", "skip", "skip", id="judge.skip", group=_JUDGE),
        Binding("x", "cannot", "cannot be judged", id="judge.cannot", group=_JUDGE),
        Binding("f", "flag", "flag to come back to", id="judge.flag", group=_JUDGE),
        Binding("c", "comment", "comment", id="judge.comment", group=_JUDGE),
    ]

    def __init__(self, desk: Desk, tastes: Keeper | None = None) -> None:
        super().__init__(desk, tastes)
        # Query, document and text of comments, by slot.
        self._unsaved: dict[tuple[int, int], tuple[str, str, str]] = {}

    @property
    def unsaved(self) -> list[str]:
        return [unsaved_line("comment", *one) for one in self._unsaved.values() if one[-1]]

    def give(self, grade: int) -> None:
        self._decide("grade", grade)

    def action_skip(self) -> None:
        self._decide("skip")

    def action_cannot(self) -> None:
        self._decide("cannot")

    def _decide(self, action: str, grade: int | None = None) -> None:
        pair = self.may_write()
        if pair is None:
            return

        def decided(event: Event) -> None:
            told = Content.assemble(
                event_content(event, self.scale), "  ", foreign(pair.doc_id, "dim")
            )
            self.say(told)
            self.go(self.route.to_next_undecided, done=event, told=told)

        self._record(action, pair, decided, grade=grade)

    def action_flag(self) -> None:
        pair = self.may_write()
        if pair is not None:
            action = "unflag" if pair.state.flagged else "flag"
            said = "flag taken off" if pair.state.flagged else "flagged to come back to"
            self._record(action, pair, lambda _event: self._stay(said))

    def action_comment(self) -> None:
        pair = self.may_write(typing=True)
        if pair is not None:
            # What was typed and could not be written is there again.
            known = pair.state.note
            *_, typed = self._unsaved.get(pair.slot, (known,))
            self._ask_comment(pair, typed, known)

    def _ask_comment(
        self, pair: DeskPair, typed: str, known: str, elsewhere: str | None = None
    ) -> None:
        """Let the judge write, who knows the comment as `known`."""
        from judge_tui.tui.screens.comment import CommentOverlay  # noqa: PLC0415

        def write(note: str | None) -> None:
            if note is not None and note != known:
                self._write_comment(pair, note, known)
            elif elsewhere is not None:
                self._stay("")

        self.app.push_screen(CommentOverlay(typed, elsewhere=elsewhere), write)

    def _write_comment(self, pair: DeskPair, note: str, known: str) -> None:
        """Write it; where another window has changed what it would replace, ask first."""
        self._unsaved[pair.slot] = self.route.query_id, pair.doc_id, note
        try:
            now = self.desk.state(pair).note
        except CampaignError as error:
            self.give_up(error)
            return
        if now not in (known, note):
            self._ask_comment(pair, note, now, elsewhere=now)
            return

        def written(_event: Event) -> None:
            del self._unsaved[pair.slot]
            # A comment that is there is shown with the pair's state.
            self._stay("" if note else "comment taken off")

        self._record("comment", pair, written, note=note)

    def _stay(self, said: str) -> None:
        """Show the pair's new state where it is; the document stays as it was scrolled."""
        try:
            self.route.reread()
        except CampaignError as error:
            self.say_error("CANNOT READ", error)
            return
        self.show_state()
        if said:
            self.say(Content(said))

    def action_undo(self) -> None:
        self._take_back(self.desk.undo, "undone", "nothing to undo")

    def action_redo(self) -> None:
        self._take_back(self.desk.redo, "done again", "nothing to redo")

    def _take_back(self, change: Callable[[], Event | None], done: str, nothing: str) -> None:
        # Taking back needs no document, but a key that outran the screen must not take back more.
        if not (self.guard.counts or self.route.all_judged):
            return

        def taken_back(event: Event | None) -> None:
            if event is None:
                self.say(Content(nothing))
                return
            self.route.all_judged = False
            if self.go(lambda: self.route.to_event(event), done=event):
                self.say(Content.assemble(f"{done}: ", event_content(event, self.scale)))

        self.write(change, taken_back)

    def _record(
        self,
        action: str,
        pair: DeskPair,
        then: Callable[[Event], None],
        *,
        grade: int | None = None,
        note: str = "",
    ) -> None:
        """Write and commit one event, then go on; what fails is on the screen in words."""
        looked = round(self.timer.seconds(monotonic()), 3)
        painted_at = self.guard.painted_at
        self.write(
            lambda: self.desk.record(
                action, pair, grade=grade, note=note, looked=looked, painted_at=painted_at
            ),
            then,
        )
