"""One case, whole: the query with its narrative, every judge with the whole note, the settling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from judge_tui.campaign.overview.cases import Opinion
from judge_tui.campaign.store.adjudication import Settlement
from judge_tui.model import Query, Scale
from judge_tui.tui.pace import seconds_text
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.screens.review.opinions import decision_content
from judge_tui.tui.shown import grade_content
from judge_tui.visible import visible, visible_line


class WholeCaseOverlay(Overlay[None]):
    """Everything that the Review screen may have had to cut."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e,q", "close", "close", id="whole-case.close"),
    ]

    def __init__(
        self,
        query: Query,
        opinions: Sequence[tuple[str, Opinion]],
        settlements: Sequence[Settlement],
        scale: Scale,
    ) -> None:
        """`opinions`: what each judge is called, visible, and what that judge said; `settlements`:
        oldest first."""
        super().__init__()
        self._query = query
        self._opinions = opinions
        self._settlements = settlements
        self._scale = scale

    def compose(self) -> ComposeResult:
        query = self._query
        with VerticalScroll(classes="panel"):
            heading = f"{query.query_id}  {query.text}"
            yield Static(Content(visible(heading)), classes="heading", markup=False)
            for part in (query.description, query.narrative):
                if part:
                    yield Static(Content(visible(part)), classes="part", markup=False)
            for name, one in self._opinions:
                yield Static(self._said(name, one), classes="part", markup=False)
            yield Static(self._settled(), classes="part", markup=False)
            yield Static(f"{self.closing} closes", classes="hint", markup=False)

    def _said(self, name: str, one: Opinion) -> Content:
        looked = "" if one.seconds is None else f"  {seconds_text(one.seconds)}"
        said = Content.assemble(
            (f"{name}  ", "bold"), decision_content(one, self._scale), (looked, "dim")
        )
        return Content.assemble(said, "\n", Content(visible(one.note))) if one.note else said

    def _settled(self) -> Content:
        if not self._settlements:
            return Content.styled("not settled", "dim")
        return Content("\n").join(map(self._settling, reversed(self._settlements)))

    def _settling(self, one: Settlement) -> Content:
        word = ("settled  ", "bold") if one.holds else ("before   ", "dim")
        said = Content.assemble(
            word, grade_content(one.grade, self._scale), f" by {visible_line(one.judge.name)}"
        )
        return Content.assemble(said, "\n", Content(visible(one.reason))) if one.reason else said
