"""What shows a judge's desk: the query and its documents."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import ProgressBar, Static

from judge_tui.campaign.store.desk import DeskPair, DeskPairs, PairState
from judge_tui.model import Query, Scale
from judge_tui.tui.cells import shortened
from judge_tui.tui.pace import pace_text
from judge_tui.tui.screens.desk_cursor import DeskCursor
from judge_tui.tui.text import foreign, need_content, state_mark
from judge_tui.tui.widgets.table import Heading, Table


class QueryPane(Vertical):
    """The query and what is needed, how far the judge is, and how long the rest takes."""

    DEFAULT_CLASSES = "pane"

    _top: tuple[Query, int, int] | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="question"):
            yield Static(id="text", markup=False)
            yield ProgressBar(id="progress", show_percentage=False, show_eta=False)
        with VerticalScroll(id="need", can_focus=False):
            yield Static(markup=False)

    def show(self, query: Query, scale: Scale, at: DeskCursor, seconds: Sequence[float]) -> None:
        """`seconds` that the last documents took."""
        number, count = at.query_number
        done, total = at.progress
        parts = (
            pace_text(seconds, total - done),
            f"{at.visit.decided:,}/{at.visit.pairs:,} in this query",
            f"{done:,}/{total:,} in all",
        )
        self.border_subtitle = " · ".join(part for part in parts if part)
        self.query_one(ProgressBar).update(total=total, progress=done)
        # Laying out the screen anew costs as much as painting it.
        if (query, number, count) == self._top:
            return
        self._top = query, number, count
        need = need_content(query, scale)
        keys = "o queries · D whole" if need else "o queries"
        self.border_title = Content.assemble(
            foreign(query.query_id),
            (f"  query {number:,} of {count:,}", "not bold"),
            (f"   {keys}", "not bold dim"),
        )
        self.query_one("#text", Static).update(foreign(query.text))
        self.query_one("#need Static", Static).update(need)
        self.query_one("#need").display = bool(need)


class DocumentList(Table, can_focus=False):
    """The documents of a query; a click chooses one, and the keys stay with the document."""

    _pairs: DeskPairs | None = None
    _states: Sequence[PairState] = ()

    def show_pairs(self, pairs: DeskPairs, scale: Scale, cursor: int) -> None:
        """As wide as the ids are, as far as the style sheet lets it."""
        before, self._states = self._states, [pair.state for pair in pairs]
        if pairs is self._pairs:
            states = enumerate(zip(before, self._states, strict=True))
            if changed := [row for row, (old, new) in states if old != new]:
                self.redraw(*changed)
            self.move(cursor)
            return
        self._pairs = pairs
        self.border_title = Content.assemble("Documents", ("  [ ]", "not bold dim"))

        def cells(row: int) -> tuple[Content, Content]:
            return pair_marks(pairs[row], scale), foreign(pairs[row].doc_id)

        headings = [Heading(width=3), Heading(keep="end")]
        self.show(headings, len(pairs), cells, cursor=cursor)
        self.styles.width = self.whole_width


def pair_name(pair: DeskPair) -> Content:
    """What a document is called in a sentence."""
    return shortened(foreign(pair.doc_id), 40, "end")


def pair_marks(pair: DeskPair, scale: Scale) -> Content:
    """What was decided, `f` flagged, `c` commented on."""
    return Content.assemble(
        state_mark(pair.state, scale),
        ("f", "bold $text-warning") if pair.state.flagged else " ",
        ("c", "bold $text-accent") if pair.state.note else " ",
    )
