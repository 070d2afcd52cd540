"""What shows a judge's desk: the query and its documents."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import ProgressBar, Static

from judge_tui.campaign.store.desk import DeskPair, DeskPairs
from judge_tui.model import Query, Scale
from judge_tui.tui.cells import shortened
from judge_tui.tui.pace import pace_text
from judge_tui.tui.screens.desk_cursor import DeskCursor
from judge_tui.tui.text import foreign, need_content, state_mark
from judge_tui.tui.widgets.table import MEASURED_ROWS, Heading, Table

# Cells of the list of documents that are not an id: borders, scrollbar, marks.
_BESIDE_IDS = 9


class QueryPane(Vertical):
    """The query and what is needed, how far the judge is, and how long the rest takes."""

    DEFAULT_CLASSES = "pane"

    _shown: tuple[Query, int, int, bool] | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="question"):
            yield Static(id="text", markup=False)
            yield ProgressBar(id="progress", show_percentage=False, show_eta=False)
            yield Static(id="pace", markup=False)
        with VerticalScroll(id="need", can_focus=False):
            yield Static(markup=False)

    def show(
        self, query: Query, scale: Scale, at: DeskCursor, looked: Sequence[float], *, folded: bool
    ) -> None:
        """`looked`: seconds of the last documents; `folded` hides the description and narrative."""
        number, count = at.query_number
        done, total = at.progress
        self.border_subtitle = (
            f"{at.visit.decided:,} of {at.visit.pairs:,} in this query"
            f" · {done:,} of {total:,} in all"
        )
        self.query_one(ProgressBar).update(total=total, progress=done)
        # Laying out the screen anew costs as much as painting it.
        pace = self.query_one("#pace", Static)
        pace.update(pace_text(looked, total - done), layout=False)
        if (query, number, count, folded) == self._shown:
            return
        self._shown = query, number, count, folded
        need = need_content(query, scale)
        keys = "o queries · d folds · D whole" if need else "o queries"
        self.border_title = Content.assemble(
            foreign(query.query_id),
            (f"  query {number:,} of {count:,}", "not bold"),
            (f"   {keys}", "not bold dim"),
        )
        self.query_one("#text", Static).update(foreign(query.text))
        self.query_one("#need Static", Static).update(need)
        self.query_one("#need").display = bool(need) and not folded


class DocumentList(Table):
    """The documents of a query: what was decided, `f` flagged, `c` commented on, the id."""

    def show_pairs(self, pairs: DeskPairs, scale: Scale, cursor: int) -> None:
        """As wide as the ids are, but at most three tenths of the terminal."""
        widest = max((cell_len(pair.doc_id) for pair in pairs[:MEASURED_ROWS]), default=0)
        width = max(20, min(widest + _BESIDE_IDS, self.app.size.width * 3 // 10))
        self.styles.width = width
        self.border_title = Content.assemble("Documents", ("  [ ]", "not bold dim"))

        def cells(row: int) -> list[Content]:
            return [pair_content(pairs[row], scale, width - _BESIDE_IDS)]

        self.show([Heading(fill=True)], len(pairs), cells, cursor=cursor)


def pair_content(pair: DeskPair, scale: Scale, room: int) -> Content:
    """A pair's state, flag and comment, and so much of its id."""
    return Content.assemble(
        state_mark(pair.state, scale),
        ("f", "bold $text-warning") if pair.state.flagged else " ",
        ("c", "bold $text-accent") if pair.state.note else " ",
        " ",
        shortened(foreign(pair.doc_id), room, "end"),
    )
