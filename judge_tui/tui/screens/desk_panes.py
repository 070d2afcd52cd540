"""What shows a judge's desk: the query, its documents, and lists to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import ProgressBar, Static

from judge_tui.campaign.store.desk import DeskPair, DeskPairs, DeskQuery
from judge_tui.campaign.store.set_aside import SetAside
from judge_tui.model import Query, Scale
from judge_tui.tui.cells import shortened
from judge_tui.tui.pace import pace_text
from judge_tui.tui.screens.desk_cursor import DeskCursor
from judge_tui.tui.text import foreign, need_content, state_mark
from judge_tui.tui.widgets.dialogs import Picker
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


def query_picker(queries: Sequence[DeskQuery], here: int) -> Picker:
    """Choose a query; `here`: the key of the one that is open."""
    headings = [Heading("query"), Heading("judged", right=True), Heading("text", fill=True)]
    rows = []
    for one in queries:
        count = f"{one.decided:,}/{one.pairs:,}"
        style = "$text-success" if one.decided >= one.pairs else "dim"
        cells = foreign(one.query_id, "bold"), Content.styled(count, style), foreign(one.text)
        rows.append(cells)
    keys = [one.key for one in queries]
    return Picker(
        "Go to a query",
        headings,
        rows,
        cursor=keys.index(here) if here in keys else 0,
        words=[f"{one.query_id} {one.text}" for one in queries],
    )


def aside_picker(aside: Sequence[SetAside], scale: Scale, here: DeskPair | None) -> Picker:
    """Choose one of the pairs that were set aside."""
    slots = [one.pair.slot for one in aside]
    return Picker(
        "Set aside to come back to",
        [Heading("query"), Heading("document"), Heading("comment", fill=True)],
        [
            (
                foreign(one.query_id, "bold"),
                pair_content(one.pair, scale, 40),
                foreign(one.pair.state.note, "dim"),
            )
            for one in aside
        ],
        cursor=slots.index(here.slot) if here is not None and here.slot in slots else 0,
        words=[f"{one.query_id} {one.pair.doc_id} {one.pair.state.note}" for one in aside],
    )
