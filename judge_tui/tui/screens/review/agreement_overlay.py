"""How far the judges agree: all that is known of it, as `judge-tui agreement` prints it, kept up
with what the judges do."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from judge_tui.model import Scale
from judge_tui.report.agreement import agreement_report
from judge_tui.report.table import fit_to_width, render
from judge_tui.tui.keymap import keys_on
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.screens.review.agreeing import Agreeing, Agreements
from judge_tui.tui.shown import error_content
from judge_tui.visible import visible

_LOOK_EVERY = 0.1


class AgreementOverlay(Overlay[bool]):
    """Gives True where the lead goes on to agreement query by query."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "by_query", "query by query", id="agreement.by-query"),
        Binding("q", "close", "close", id="agreement.close"),
    ]

    def __init__(self, current: Callable[[], Agreeing], scale: Scale) -> None:
        """`current`: what is being worked out, or was; it begins anew where others wrote."""
        super().__init__(classes="agreement")
        self._current = current
        self._scale = scale
        # What is on screen, whether all of it is there, and the cells of a line.
        self._shown: tuple[Agreements | None, bool, int] | None = None

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="panel"):
            yield Static("Agreement", classes="heading", markup=False)
            yield Static(Content.styled("working it out …", "dim"), id="numbers", markup=False)
            by_query = keys_on(self)["agreement.by-query"]
            hint = f"{by_query} query by query   {self.closing} closes"
            yield Static(hint, classes="hint", markup=False)

    def on_mount(self) -> None:
        self._look()
        self.set_interval(_LOOK_EVERY, self._look)

    @property
    def working(self) -> bool:
        """Whether something is being worked out that is not on screen yet, or stands there as wide
        as another screen is: what is longer than the screen takes a cell for its scrollbar."""
        if self._shown is None:
            return True
        _, done, width = self._shown
        return not done or width != self.query_one("#numbers").size.width

    def action_by_query(self) -> None:
        self.dismiss(result=True)

    def _look(self) -> None:
        work = self._current()
        width = self.query_one("#numbers").size.width
        if work.error is not None:
            self._shown = (None, True, width)
            self._put(error_content("NOT WORKED OUT", work.error))
        # What is being worked out anew takes the place of what stands there when it is known.
        # Before it is laid out there is no width.
        elif work.found is not None and width and self._shown != (work.found, work.done, width):
            self._shown = (work.found, work.done, width)
            self._put(self._told(work.found, width, done=work.done))

    def _told(self, found: Agreements, width: int, *, done: bool) -> Content:
        report = agreement_report(found.study, self._scale, orders=found.orders)
        text = render(fit_to_width(report, width), colour=False)
        said = visible(text.rstrip())
        if not done and found.orders is None:
            said += "\n\nworking out what it does to the order of the systems …"
        return Content(said)

    def _put(self, said: Content) -> None:
        for place in self.query("#numbers").results(Static):
            place.update(said)
