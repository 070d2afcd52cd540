"""The queue of cases above the document, and what is said about it."""

from __future__ import annotations

import contextlib

from textual.content import Content
from textual.widgets import Static

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.documents import doc_ids_by_key
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.queries import query_names
from judge_tui.errors import CampaignError
from judge_tui.tui.screens.grading import Grading
from judge_tui.tui.screens.review.about import Known, agreement_content, cases_content
from judge_tui.tui.screens.review.docket import Docket
from judge_tui.tui.screens.review.faces import Faces
from judge_tui.tui.screens.review.queue_rows import QueueColumns
from judge_tui.tui.screens.review.weighing import cases_now
from judge_tui.tui.tastes import Keeper
from judge_tui.tui.widgets import LineList, SplitLine
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

# The documents named at once.
_NAMED = 100


class Queueing(Grading):
    """Which cases there are, in which order, and what their judges are called."""

    def __init__(
        self,
        campaign: Campaign,
        lead: Judge,
        tastes: Keeper | None = None,
        *,
        include_models: bool | None = None,
    ) -> None:
        super().__init__(campaign.settings, tastes)
        self.campaign = campaign
        self.lead = lead
        self.include_models = include_models
        with campaign.reading():
            self.version = campaign.version()
            self.queries = query_names(campaign)
            now = cases_now(campaign, include_models=include_models)
        self.models = now.models
        classes = {key: query.query_class for key, query in self.queries.items()}
        self.docket = Docket(now.cases, classes)
        self.faces = Faces(campaign.settings, now.cases.judges)
        self.now = now
        self.known = Known()
        self._doc_ids: dict[int, str] = {}

    def filter_said(self) -> str:
        """The filter in words, visible, judges as they are called now."""
        names_of = {judge.key: self.faces.of(judge) for judge in self.docket.cases.judges}
        queries = {key: query.query_id for key, query in self.queries.items()}
        return visible_line(self.docket.filter.said(names_of, queries))

    def progress(self) -> Content:
        """Where one is among the cases, and how many of them are settled."""
        docket = self.docket
        if not len(docket):
            return Content("")
        settled = len(docket) - docket.open
        return Content(f"{docket.index + 1:,} of {len(docket):,}   {settled:,} settled")

    def show_about(self) -> None:
        """Which cases these are, in which order, and how far the judges agree."""
        docket = self.docket
        asked = "" if docket.filter.is_off else self.filter_said()
        left = cases_content(
            len(docket),
            asked,
            self.known,
            models=self.now.models,
            order_key=self.keys["review.order"],
        )
        # With the edges of the line, and what keeps its two parts apart.
        room = self.app.size.width - 4
        width = min(room // 2, room - left.cell_length)
        agreement = agreement_content(self.known.overall, width)
        self.query_one("#about", SplitLine).show(left, agreement)

    def show_queue(self) -> None:
        """The cases as they are now, with the judges as they are called now."""
        docket = self.docket
        judges = docket.cases.judges
        order = self.faces.in_order(judges)
        called = [self.faces.of(judges[place]) for place in order]
        self._columns = QueueColumns(called, order, self.app.size.width - 2)
        self.query_one("#queue-header", Static).update(self._columns.header())
        queue = self.query_one("#queue", LineList)
        queue.show(len(docket), self._draw_case, cursor=docket.index)

    def _draw_case(self, index: int) -> list[Piece]:
        case = self.docket[index]
        return self._columns.pieces(
            case,
            self.queries[case.query].query_id if case.query in self.queries else "",
            self._doc_id(index, case.document),
            here=index == self.docket.index,
            scale=self.scale,
        )

    def _doc_id(self, index: int, key: int) -> str:
        """Read with those around it, and kept."""
        if key not in self._doc_ids:
            around = self.docket.documents(index - _NAMED // 2, index + _NAMED // 2)
            with contextlib.suppress(CampaignError):
                self._doc_ids |= doc_ids_by_key(self.campaign, around)
        return self._doc_ids.get(key, "")
