"""What hangs on the cases, and what others do meanwhile: taken in without moving what one reads."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import Any

from textual.content import Content
from textual.timer import Timer

from judge_tui.counts import counted
from judge_tui.errors import CampaignError, JudgeTuiError
from judge_tui.tui.screens.review.about import own_content
from judge_tui.tui.screens.review.showing import Showing
from judge_tui.tui.screens.review.weighing import CasesNow, Weighing, is_small

# Seconds between two looks at what was worked out beside, and whether others wrote.
_LOOK_EVERY = 0.1


class KeepingUp(Showing):
    """Weighs the cases once they are on screen, and again when others wrote."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._weighing: Weighing | None = None
        # Whether the weights of this weighing were taken in.
        self._taken_in = False
        self._next = 0.0
        self._looking: Timer | None = None

    def begin(self) -> None:
        # An error that is met as it begins takes its place.
        self.say(own_content(self.docket.cases, self.lead))
        try:
            if is_small(self.campaign):
                self._weigh(self.now)
                self._take_in()
        except CampaignError as error:
            self.say_error("CANNOT READ", error)
        super().begin()
        self._looking = self.set_interval(_LOOK_EVERY, self._look)

    def on_unmount(self) -> None:
        if self._weighing is not None:
            self._weighing.stop()

    @property
    def weighing(self) -> bool:
        """Whether something is being worked out that is not on screen yet."""
        return self._weighing is not None or not self._next

    def order_anew(self) -> None:
        """Read and weigh everything once more, and then put the cases in order."""
        try:
            if self._weighing is None:
                self._weigh()
        except CampaignError as error:
            self.say_error("CANNOT READ", error)
            return
        self.known = replace(self.known, ordering=True)
        self.show_about()

    def _weigh(self, now: CasesNow | None = None) -> None:
        if now is None:
            self.version = self.campaign.version()
        self._taken_in = False
        self.docket.reads_anew()
        self._weighing = Weighing(self.campaign, include_models=self.include_models, now=now)

    def _look(self) -> None:
        """Show what has been worked out since the last look; begin anew where others wrote."""
        try:
            if self._weighing is not None:
                self._take_in()
            elif not self._next:
                # Not before the first case is painted: it would wait for that.
                if not self.guard.waiting or self.in_front is None or self.guard.late:
                    self._weigh(self.now)
            elif monotonic() >= self._next and self.campaign.version() != self.version:
                self._weigh()
        except CampaignError as error:
            self.say_error("CANNOT READ", error)
            # Said once is enough: the next key that needs the file says it again.
            if self._looking is not None:
                self._looking.stop()

    def _take_in(self) -> None:
        work = self._weighing
        if work is None:
            return
        done = work.done
        if not self._taken_in and (work.weights is not None or work.why):
            self._taken_in = True
            self._take_in_weights(work)
        if work.overall is not None:
            self.known = replace(self.known, overall=work.overall)
        if not done:
            return
        self._weighing = None
        self._next = work.rests_until
        if work.error is not None:
            # Weighed before, the cases stand in the order that they had.
            why = self.known.why if self.known.weighed else "not worked out"
            self.known = replace(self.known, weighed=True, ordering=False, why=why)
            self._say_not_worked_out(work.error)
        self.show_about()

    def _say_not_worked_out(self, error: JudgeTuiError) -> None:
        # That a key is not saved is said already, and matters more.
        if not self.failed:
            self.say_error("NOT WORKED OUT", error)

    def _take_in_weights(self, work: Weighing) -> None:
        is_first, is_asked = not self.known.weighed, self.known.ordering
        self.known = replace(self.known, weighed=True, ordering=False, why=work.why)
        new, now = 0, work.now
        if now is not None and now is not self.now:
            self.now, self.models = now, now.models
            self.faces.meet(now.cases.judges)
            new = self.docket.renew(now.cases)
        if work.weights is not None:
            self.docket.weigh(work.weights)
        if is_asked:
            self._to_the_first_in_order()
            self.say(Content("in order again, as the grades are now"))
        elif is_first and not self.touched:
            self._to_the_first_in_order()
        else:
            self._look_again()
            if new:
                key = self.keys["review.order"]
                cases = counted(new, "new case")
                said = f"others went on meanwhile: {cases}; {key} puts them in order"
                self.say(Content(said))

    def _to_the_first_in_order(self) -> None:
        self.known = replace(self.known, ordered=True)
        self.docket.put_in_order()
        self.docket.to_first_open()
        # Not before the first case is shown: that comes by itself.
        if self._next or self.in_front is not None:
            self.show_case()

    def _look_again(self) -> None:
        """Show what others did to the case of now, where it is."""
        case = self.docket.here
        if self._pair is None and case is None:
            self.show_state()
            return
        if case is None or case.pair != self._pair:
            self.show_case()
            if case is not None:
                self.say(Content("the case that was here is no longer among these"))
            return
        before, self._seen = self._seen, self._read(case)
        if self._seen != before:
            # What is decided on is no longer what was on screen.
            self.expect_anew()
        self.show_state()
