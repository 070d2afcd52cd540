"""From document to document, and from query to query."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content

from judge_tui.campaign.store.desk import DeskPair
from judge_tui.campaign.store.set_aside import pairs_set_aside
from judge_tui.errors import CampaignError
from judge_tui.tui.screens.judge.meaning import Meaning
from judge_tui.tui.widgets import LineList, SaidLine

_GO = Binding.Group("Go")


class Moving(Meaning):
    """Moves never wait for painting: they grade nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right_square_bracket", "step(1)", "next document", id="judge.next", group=_GO),
        Binding(
            "left_square_bracket", "step(-1)", "previous document", id="judge.previous", group=_GO
        ),
        Binding(
            "tab",
            "next_unjudged",
            "next document not judged yet",
            id="judge.next-unjudged",
            priority=True,
            group=_GO,
        ),
        Binding("o", "jump", "jump to a query", id="judge.jump", group=_GO),
        Binding(
            "F", "flags", "what is flagged, skipped or has a comment", id="judge.flags", group=_GO
        ),
    ]

    def move(self, move: Callable[[], str | None]) -> None:
        """Go where `move` leads."""
        self.route.all_judged = False
        self.query_one(SaidLine).clear()
        self.go(move)

    def action_step(self, by: int) -> None:
        # From the note at the end, back is the document that was judged last.
        at_end = self.route.all_judged and by < 0
        self.move(lambda: None if at_end else self.route.step(by))

    def action_next_unjudged(self) -> None:
        # A key with priority comes even before there is anything on screen.
        if self.has_begun:
            self.move(self.route.to_next_undecided)

    def action_jump(self) -> None:
        from judge_tui.tui.screens.jump import JumpOverlay  # noqa: PLC0415

        def jump(visit: tuple[int, int] | None) -> None:
            if visit is not None:
                self.move(lambda: self.route.to_query(visit))

        self.app.push_screen(JumpOverlay(self.route.queries(), self.route.visit), jump)

    def action_flags(self) -> None:
        from judge_tui.tui.screens.flags import FlagsOverlay  # noqa: PLC0415

        try:
            aside = pairs_set_aside(self.desk)
        except CampaignError as error:
            self.say_error("CANNOT READ", error)
            return
        if not aside:
            flag = self.keys["judge.flag"]
            self.say(
                Content(f"nothing is flagged, skipped or has a comment; {flag} flags a document")
            )
            return

        def go(pair: DeskPair | None) -> None:
            if pair is not None:
                self.move(lambda: self.route.to_slot(pair.slot))

        self.app.push_screen(FlagsOverlay(aside, self.scale, self.route.pair), go)

    @on(LineList.Chosen, "#pairs")
    def _chosen(self, message: LineList.Chosen) -> None:
        self.move(lambda: self.route.to_index(message.index))
