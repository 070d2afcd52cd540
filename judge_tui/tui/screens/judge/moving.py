"""From document to document, and from query to query."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from judge_tui.tui.screens.judge.showing import Showing
from judge_tui.tui.widgets import LineList, SaidLine

__all__ = ["Moving"]


class Moving(Showing):
    """Moves never wait for painting: they grade nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right_square_bracket", "step(1)", "next", id="judge.next"),
        Binding("left_square_bracket", "step(-1)", "previous", id="judge.previous"),
        Binding("tab", "next_unjudged", "next unjudged", id="judge.next-unjudged", priority=True),
        Binding("o", "jump", "jump to a query", id="judge.jump"),
    ]

    def move(self, move: Callable[[], str | None]) -> None:
        """Go where `move` leads, unless something is still to be written here."""
        if not self.patience.waiting:
            self.route.all_judged = False
            self.query_one(SaidLine).clear()
            self.go(move)

    def action_step(self, by: int) -> None:
        # From the note at the end, back is the document that was judged last.
        at_end = self.route.all_judged and by < 0
        self.move(lambda: None if at_end else self.route.step(by))

    def action_next_unjudged(self) -> None:
        self.move(self.route.to_next_undecided)

    def action_jump(self) -> None:
        from judge_tui.tui.screens.jump import JumpOverlay  # noqa: PLC0415

        def jump(visit: tuple[int, int] | None) -> None:
            if visit is not None:
                self.move(lambda: self.route.to_query(visit))

        self.app.push_screen(JumpOverlay(self.route.queries(), self.route.visit), jump)

    @on(LineList.Chosen, "#pairs")
    def _chosen(self, message: LineList.Chosen) -> None:
        self.move(lambda: self.route.to_index(message.index))
