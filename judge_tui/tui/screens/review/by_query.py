"""Agreement query by query, those on which the judges agree least first; enter opens the cases of a
query."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from judge_tui.agreement.study import SliceAgreement
from judge_tui.agreement.wording import shown_alpha, strength_of
from judge_tui.campaign.store.queries import QueryName
from judge_tui.tui.cells import padded, widest
from judge_tui.tui.keymap import keys_on
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.screens.review.agreeing import Agreeing
from judge_tui.tui.shown import error_content
from judge_tui.tui.widgets import LineList
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

_LOOK_EVERY = 0.1
_GREATEST_ID = 20


class ByQueryOverlay(Overlay[int], inherit_bindings=False):
    """Gives the key of the query that was chosen."""

    AUTO_FOCUS = "LineList"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,p,q", "close", "close", id="by-query.close"),
    ]

    def __init__(self, current: Callable[[], Agreeing], queries: Mapping[int, QueryName]) -> None:
        super().__init__()
        self._current = current
        self._keys = {query.query_id: key for key, query in queries.items()}
        self._texts = {query.query_id: query.text for query in queries.values()}
        self._rows: list[tuple[str, SliceAgreement]] = []
        self._width = widest(_GREATEST_ID, self._texts)
        self._shown: Mapping[str, SliceAgreement] | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel tall"):
            yield Static("Agreement, query by query", classes="heading", markup=False)
            yield Static(self._header(), id="columns", markup=False)
            yield LineList()
            yield Static("", classes="hint", markup=False)

    def on_mount(self) -> None:
        self._say(Content.styled("working it out …", "dim"))
        self._look()
        self.set_interval(_LOOK_EVERY, self._look)

    @property
    def working(self) -> bool:
        """Whether what is on screen is still to come."""
        return self._shown is None

    def _header(self) -> Content:
        text = f" {'query':{self._width}}  pairs  shared   alpha  agreed  kappa (quadratic)"
        return Content.styled(text, "dim")

    def _look(self) -> None:
        """Once: rows must not change places under the cursor."""
        work = self._current()
        if work.error is not None:
            self._shown = {}
            self._say(error_content("NOT WORKED OUT", work.error))
        elif work.found is not None and not self._rows:
            self._shown = work.found.by_query
            self._rows = sorted(self._shown.items(), key=_least_first)
            self.query_one(LineList).show(len(self._rows), self._draw)
            closing = keys_on(self)["by-query.close"]
            self._say(Content(f"enter opens the cases of a query   {closing} closes"))

    def _say(self, said: Content) -> None:
        self.query_one(".hint", Static).update(said)

    def _draw(self, index: int) -> list[Piece]:
        query_id, found = self._rows[index]
        alpha = found.alpha.value
        colour = "faint" if alpha is None else "poor" if strength_of(alpha) == "weak" else "good"
        return [
            (f" {padded(visible_line(query_id), self._width)}  ", "list--strong"),
            (f"{found.pairs:>5,}  {found.pairs_shared:>6,}  ", ""),
            (f"{'–' if alpha is None else shown_alpha(alpha):>6}  ", f"list--{colour}"),
            (f"{_value(found.agreement.value):>6}  {_value(found.kappa_quadratic.value):>6}", ""),
            (f"   {visible_line(self._texts.get(query_id, ''))}", "list--faint"),
        ]

    @on(LineList.Chosen)
    def _chosen(self, message: LineList.Chosen) -> None:
        if self._rows:
            self.dismiss(self._keys.get(self._rows[message.index][0]))


def _least_first(row: tuple[str, SliceAgreement]) -> tuple[bool, float]:
    alpha = row[1].alpha.value
    return alpha is None, alpha if alpha is not None else 0.0


def _value(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
