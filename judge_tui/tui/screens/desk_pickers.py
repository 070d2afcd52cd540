"""What a judge may go to: a query of the desk, or a pair that was set aside."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from judge_tui.campaign.store.desk import DeskPair, DeskQuery, SetAside
from judge_tui.model import Scale
from judge_tui.tui.screens.desk_panes import pair_marks, pair_name
from judge_tui.tui.text import foreign, one_line
from judge_tui.tui.widgets.dialogs import Picker
from judge_tui.tui.widgets.table import Heading


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
        [
            Heading("query"),
            Heading(width=3),
            Heading("document", keep="end"),
            Heading("comment", fill=True),
        ],
        [
            (
                foreign(one.query_id, "bold"),
                pair_marks(one.pair, scale),
                pair_name(one.pair),
                one_line(one.pair.state.note).stylize_before("dim"),
            )
            for one in aside
        ],
        cursor=slots.index(here.slot) if here is not None and here.slot in slots else 0,
        words=[f"{one.query_id} {one.pair.doc_id} {one.pair.state.note}" for one in aside],
    )
