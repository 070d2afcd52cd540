"""The lead's last word on a case, and its reason: each is one event, committed before the screen
moves on. What the judges said stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from judge_tui.campaign.store.adjudication import (
    Settlement,
    redo_settling,
    settle,
    settlement_of,
    undo_settling,
)
from judge_tui.campaign.store.event import Event
from judge_tui.errors import CampaignError
from judge_tui.tui.screens.review.docket import Case
from judge_tui.tui.screens.review.filters import Filter
from judge_tui.tui.screens.review.meaning import Meaning
from judge_tui.tui.screens.review.opinions import settling_content
from judge_tui.tui.screens.review.reasons import Reasons
from judge_tui.tui.shown import foreign, grade_content

_SETTLE = Binding.Group("Settle")


class Settling(Meaning):
    """Every key here means the case that was painted when it was pressed, or nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                str(digit),
                f"grade({digit})",
                "settle with this grade",
                id=f"review.grade-{digit}",
                group=_SETTLE,
            )
            for digit in range(10)
        ),
        Binding("c", "reason", "give the reason", id="review.reason", group=_SETTLE),
        Binding("u", "undo", "undo what you settled last", id="review.undo", group=_SETTLE),
        Binding("ctrl+r", "redo", "redo", id="review.redo", group=_SETTLE),
    ]

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.reasons = Reasons(self.lead)

    def show_case(self) -> None:
        super().show_case()
        self.reasons.shown(self._pair)

    def give(self, grade: int) -> None:
        case = self.may_settle()
        if case is None:
            return
        doc_id = self._seen.document.doc_id if self._seen else ""
        settled = self._seen.settlement if self._seen else None
        reason = self.reasons.with_grade(case, grade, settled)
        if settled is not None and (settled.grade, settled.reason) == (grade, reason):
            so = settling_content(settled, self.scale)
            self.say(Content.assemble("settled so already: ", so))
            return
        instead = Content.assemble(self._with(reason, settled), self._in_place_of(settled))

        def go_on() -> None:
            self.docket.to_open()
            self.docket.leave_out_settled()
            self.show_case()
            said = Content.assemble(
                "settled: ", grade_content(grade, self.scale), instead, "  ", foreign(doc_id, "dim")
            )
            if not self.docket.open:
                said = Content.assemble(said, ("  all of these cases are settled", "bold"))
            self.say(said)

        self._settle(case, grade, reason, go_on)

    def _settle(self, case: Case, grade: int, reason: str, then: Callable[[], None]) -> None:
        def settled(_event: Event) -> None:
            self.reasons.done_with(case.pair)
            self.docket.settle(case.pair, grade)
            then()

        self.write(lambda: settle(self.campaign, self.lead, case.pair, grade, reason), settled)

    def _with(self, reason: str, settled: Settlement | None) -> str:
        """What became of the lead's reason; empty where there was none."""
        if reason:
            return ", with your reason"
        if settled is not None and settled.reason and self.reasons.is_own(settled):
            return f", without your reason for {settled.grade}"
        return ""

    def _in_place_of(self, settled: Settlement | None) -> Content:
        """That another lead's word is about to be replaced; empty where it is not."""
        if settled is None or self.reasons.is_own(settled):
            return Content("")
        return Content.assemble((", in place of ", "bold"), settling_content(settled, self.scale))

    def action_reason(self) -> None:
        """For the lead's own grade that holds, or for the one to come."""
        from judge_tui.tui.screens.comment import CommentOverlay  # noqa: PLC0415

        case = self.may_settle(typing=True)
        if case is None or self._seen is None:
            return
        typed = self.reasons.to_edit(case, self._seen.settlement)
        named = self._seen.query.query_id, self._seen.document.doc_id

        def keep(reason: str | None) -> None:
            if reason is None or reason == typed:
                return
            self.reasons.typed(case, named, reason)
            here = self.docket.here
            if here is None or here.pair != case.pair or self._seen is None:
                self.say(Content("the case is no longer among these: its reason is kept"))
                return
            # As it is now: others may have settled it while the reason was typed.
            settled = self._seen.settlement
            if settled is None or not self.reasons.is_own(settled):
                if not reason:
                    self.reasons.done_with(case.pair)
                self.say(self._waits(reason, settled))
            elif self.is_as_shown():
                self._settle(case, settled.grade, reason, lambda: self._stay(reason))

        self.app.push_screen(CommentOverlay(typed, what="reason"), keep)

    def _waits(self, reason: str, settled: Settlement | None) -> Content:
        if not reason:
            return Content("no reason")
        said = f"kept until you settle it: {self._digits()}"
        return Content.assemble(said, self._in_place_of(settled) or " settle with this reason")

    def _stay(self, reason: str) -> None:
        """Show the settling where it is; the document stays as it was scrolled."""
        case = self.docket.here
        try:
            if case is not None:
                self._seen = self._read(case)
        except CampaignError as error:
            self.say_error("CANNOT READ", error)
            return
        self.show_state()
        self.say(Content("reason kept" if reason else "no reason"))

    def _digits(self) -> str:
        keys = (self.grade_keys.get(grade, str(grade)) for grade in self.scale.grades)
        return " ".join(keys)

    def action_undo(self) -> None:
        self._take_back(undo_settling, "undone", "nothing that you settled is left to undo")

    def action_redo(self) -> None:
        self._take_back(redo_settling, "done again", "nothing to redo")

    def _take_back(self, change: Callable[..., Event | None], done: str, nothing: str) -> None:
        # Taking back needs no document, but a key that outran the screen must not take back more.
        if not (self.guard.counts or self._seen is None):
            return

        def taken_back(event: Event | None) -> None:
            if event is None:
                self.say(Content(nothing))
                return
            try:
                now = settlement_of(self.campaign, event.pair)
            except CampaignError as error:
                self.say_error("CANNOT READ", error)
                return
            self.docket.settle(event.pair, now.grade if now is not None else None)
            shown_all = self._bring(event.pair)
            self.show_case()
            what = (
                grade_content(event.grade, self.scale) if event.grade is not None else Content("")
            )
            said = Content.assemble(f"{done}: ", what)
            if event.note:
                said = Content.assemble(said, "  ", foreign(event.note, "dim"))
            if shown_all:
                said = Content.assemble(said, ("  filters are off to show it", "dim"))
            self.say(said)

        self.write(lambda: change(self.campaign, self.lead), taken_back)

    def _bring(self, pair: int) -> bool:
        """Go to a case; whether filters had to be taken off for that."""
        docket = self.docket
        docket.show(docket.filter)
        if docket.to_pair(pair):
            return False
        for wider in (Filter(), Filter(agreed=True)):
            docket.show(wider)
            if docket.to_pair(pair):
                break
        return True
