"""The queue of Settle as a table, and what can be chosen of it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from textual.content import Content

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.arrays import CANNOT, NOT_DECIDED, SKIPPED
from judge_tui.campaign.store.desk import PairState
from judge_tui.campaign.store.documents import doc_ids_by_key
from judge_tui.campaign.store.queries import QueryName
from judge_tui.errors import CampaignError
from judge_tui.tui.screens.letters import Letters
from judge_tui.tui.screens.settle_queue import Called, Filter, SettleQueue
from judge_tui.tui.text import foreign, grade_digit, state_mark
from judge_tui.tui.widgets.dialogs import Picker
from judge_tui.tui.widgets.table import Heading, SideList

_DECISIONS = {SKIPPED: "skip", CANNOT: "cannot"}
# Documents whose ids are read at once, on either side of a row.
_NAMED = 200


class QueueTable(SideList):
    """A case a row: what each judge did, the lead's grade, the document, and what hangs on it."""

    def show_queue(
        self, campaign: Campaign, queue: SettleQueue, letters: Letters, cursor: int
    ) -> None:
        """Rows came, went or moved. A judge who did nothing with any of the cases is left out."""
        scale, doc_ids = campaign.settings.scale, dict[int, str]()
        said = (queue.cases.grades[queue.rows] != NOT_DECIDED).any(axis=0)
        judges = [one for one, says in zip(queue.cases.judges, said, strict=True) if says]
        judges = letters.in_order(judges)
        columns = [queue.cases.judges.index(one) for one in judges]

        def doc_id(place: int) -> str:
            """Read with those around it, and kept."""
            documents = queue.cases.documents
            key = int(documents[queue.rows[place]])
            if key not in doc_ids:
                around = queue.rows[max(0, place - _NAMED) : place + _NAMED]
                with contextlib.suppress(CampaignError):
                    doc_ids.update(doc_ids_by_key(campaign, documents[around].tolist()))
            return doc_ids.get(key, "")

        def cells(place: int) -> list[Content]:
            row = queue.rows[place]
            settled = int(queue.cases.settled[row])
            style = "" if settled == NOT_DECIDED else "dim"
            numbers = [str(queue.spread[row] or "")]
            if queue.is_weighed:
                change = f"{queue.change[row]:.3f}".removeprefix("0")
                numbers = [f"{queue.swaps[row]:,}", change] if queue.spread[row] else ["", ""]
            return [
                foreign(queue.queries[int(queue.cases.queries[row])].query_id, style or "bold"),
                *(state_mark(_state(queue.cases.grades[row, at]), scale) for at in columns),
                Content("") if settled == NOT_DECIDED else grade_digit(settled, scale),
                foreign(doc_id(place), style),
                *(Content.styled(number, style) for number in numbers),
            ]

        headings = [
            *map(Heading, ["query", *map(letters.letter, judges), "lead"]),
            Heading("document", fill=True, keep="ends"),
            *(
                Heading(name, right=True)
                for name in (("swaps", "change") if queue.is_weighed else ("spread",))
            ),
        ]
        self.show(headings, len(queue), cells, cursor=cursor)


def _state(code: int) -> PairState:
    if code >= 0:
        return PairState(decision="grade", grade=int(code))
    return PairState(decision=_DECISIONS.get(code))


def query_picker(queries: Sequence[QueryName]) -> Picker:
    """Choose a query."""
    return Picker(
        "Go to a query",
        [Heading("query"), Heading("text", fill=True)],
        [[foreign(one.query_id, "bold"), foreign(one.text)] for one in queries],
        words=[f"{one.query_id} {one.text}" for one in queries],
    )


def filter_picker(choices: Sequence[tuple[int, Filter | None]], called: Called) -> Picker:
    """Choose one of `SettleQueue.choices`."""
    rows = [
        (f"{count:,}", one.words(called) if one else "all disagreements", one.detail if one else "")
        for count, one in choices
    ]
    return Picker(
        "Filter the cases",
        [Heading("cases", right=True), Heading("what"), Heading(fill=True)],
        [[Content(count), foreign(what), foreign(detail, "dim")] for count, what, detail in rows],
        words=[f"{what} {detail}" for _, what, detail in rows],
    )
