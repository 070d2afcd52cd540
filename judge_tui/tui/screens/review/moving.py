"""From case to case, and which of them are in the queue."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content

from judge_tui.tui.screens.review.filters import Filter
from judge_tui.tui.screens.review.settling import Settling
from judge_tui.tui.widgets import LineList

_GO = Binding.Group("Go")
_CASES = Binding.Group("Which cases")


class Moving(Settling):
    """Moves never wait for painting: they settle nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right_square_bracket", "step(1)", "next case", id="review.next", group=_GO),
        Binding(
            "left_square_bracket", "step(-1)", "previous case", id="review.previous", group=_GO
        ),
        Binding(
            "tab",
            "next_open",
            "next case not settled yet",
            id="review.next-open",
            priority=True,
            group=_GO,
        ),
        Binding("ctrl+d", "leap(1)", "a screen of cases on", id="review.leap", group=_GO),
        Binding("ctrl+u", "leap(-1)", "a screen of cases back", id="review.leap-back", group=_GO),
        Binding("F", "filter", "filter the cases", id="review.filter", group=_CASES),
        Binding("A", "all", "all disagreements again", id="review.all", group=_CASES),
        Binding(
            "z", "hide_settled", "hide what is settled, or not", id="review.hide", group=_CASES
        ),
        Binding("s", "order", "weigh and order anew", id="review.order", group=_CASES),
        Binding("r", "names", "names of the judges, or letters", id="review.names", group=_CASES),
    ]

    def action_step(self, by: int) -> None:
        self.go(lambda: self.docket.to(self.docket.index + by))

    def action_leap(self, by: int) -> None:
        height = max(1, self.query_one("#queue", LineList).size.height - 1)
        self.action_step(by * height)

    def action_next_open(self) -> None:
        # A key with priority comes even before there is anything on screen.
        if not self.has_begun:
            return
        found = True

        def move() -> None:
            nonlocal found
            found = self.docket.to_open()

        self.go(move)
        if not found:
            self.say(Content("all of these cases are settled"))

    @on(LineList.Chosen, "#queue")
    def _chosen(self, message: LineList.Chosen) -> None:
        self.go(lambda: self.docket.to(message.index))

    def action_filter(self) -> None:
        from judge_tui.tui.screens.review.filter_overlay import (  # noqa: PLC0415
            FilterOverlay,
            filter_choices,
        )

        choices = filter_choices(self.docket, self.queries, self.faces)

        def choose(chosen: Filter | None) -> None:
            if chosen is not None:
                self.narrow(Filter() if chosen.is_off else self.docket.filter.but(chosen))

        self.app.push_screen(FilterOverlay(choices), choose)

    def narrow(self, filter: Filter) -> None:
        """Show the cases that a filter lets through, from the first open one on."""

        def move() -> None:
            self.docket.show(filter)
            self.docket.to_first_open()

        self.go(move)
        if self.docket.here is not None and not filter.is_off:
            self.say(Content(f"{self.keys['review.all']} shows all disagreements again"))

    def action_all(self) -> None:
        """The case of now stays, where it is a disagreement."""
        self.go(lambda: self.docket.show(Filter()))

    def action_hide_settled(self) -> None:
        hidden = self.docket.filter.settled is False
        wanted = None if hidden else False
        kept = replace(self.docket.filter, settled=wanted)
        self.go(lambda: self.docket.show(kept))
        self.say(Content("settled cases are shown" if hidden else "settled cases are hidden"))

    def action_order(self) -> None:
        self.order_anew()

    def action_names(self) -> None:
        self.faces.named = not self.faces.named
        self.show_state()
        key = self.keys["review.names"]
        self.say(Content(f"names are shown: {key} hides them" if self.faces.named else "letters"))
