"""How far the judges agree: the tables that `judge-tui agreement` prints, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Footer, Tab, Tabs

from judge_tui.agreement.ratings import too_few_judges
from judge_tui.agreement.study import SliceAgreement, agreement_by, study
from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.agreement import orders_now, read_ratings
from judge_tui.campaign.overview.disagreements import SWAPS_BY
from judge_tui.campaign.store.judges import all_judges
from judge_tui.campaign.store.queries import query_names
from judge_tui.errors import JudgeTuiError
from judge_tui.report import layout
from judge_tui.report.agreement import agreement_report
from judge_tui.tui.on_disk import read_beside
from judge_tui.tui.screens.letters import Letters
from judge_tui.tui.text import foreign
from judge_tui.tui.widgets.sized_screen import SizedScreen
from judge_tui.tui.widgets.status_line import StatusLine
from judge_tui.tui.widgets.table import Heading, Table

_TABS = {
    "all": "All",
    "pairs": "Two judges",
    "others": "Each judge",
    "repeats": "Repeats",
    "gold": "Gold",
    "by-query": "By query",
    "systems": "Systems",
    "best-system": "Best system",
    "": "No value",
}
"""The tab of each table, by its name; the matrices of two judges have a screen of their own."""


def agreement_tables(
    campaign: Campaign, letters: Letters, *, include_models: bool | None
) -> list[layout.Table]:
    """What readers get of the agreement of judges, query by query too. Raises `UsageError` where
    there are no two judges."""
    with campaign.reading():
        settings = campaign.settings
        data = read_ratings(campaign, include_models=include_models)
        called = {one.name: letters.call(one) for one in letters.in_order(all_judges(campaign))}
        judges = [name for name in called if name in data.judges]
        data = data.only(judges)
        if not data.comparable:
            raise too_few_judges(len(data.judges))
        orders = orders_now(campaign, SWAPS_BY, judges=judges, include_models=include_models)
        texts = {query.query_id: query.text for query in query_names(campaign).values()}
    data = replace(data, judges=tuple(called[name] for name in judges))
    found = study(data, seed=settings.seed)
    slices = agreement_by(data, "query", resamples=0)
    least_first = sorted(slices, key=lambda name: _alpha(slices[name]))
    found = replace(found, by="query", slices={name: slices[name] for name in least_first})
    report = agreement_report(found, settings.scale, orders=orders.called(called), texts=texts)
    return [table.compact() for table in report.for_readers() if table.rows]


def _alpha(found: SliceAgreement) -> float:
    """Infinite where there is none."""
    return inf if found.alpha.value is None else found.alpha.value


class AgreementScreen(SizedScreen[None]):
    """A tab for each table."""

    BINDING_GROUP_TITLE = "Agreement"
    AUTO_FOCUS = "Table"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(at), f"view({at})", "view", id=f"agreement.view-{at}", show=False)
            for at in range(1, 10)
        ),
        Binding("q,escape,a", "dismiss", "back", id="agreement.leave"),
    ]

    def __init__(
        self, campaign: Campaign, letters: Letters, *, include_models: bool | None
    ) -> None:
        super().__init__()
        self._campaign = campaign
        self._letters = letters
        self._include_models = include_models
        self._tables: dict[str, layout.Table] = {}

    def compose(self) -> ComposeResult:
        yield Tabs()
        yield Table()
        yield StatusLine()
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(StatusLine).say("working out how far the judges agree …")
        self._work_out()

    @work(exclusive=True)
    async def _work_out(self) -> None:
        def read(reader: Campaign) -> list[layout.Table]:
            return agreement_tables(reader, self._letters, include_models=self._include_models)

        try:
            tables = await read_beside(self._campaign, read)
        except JudgeTuiError as error:
            self.query_one(StatusLine).fail("NOT WORKED OUT", error)
        else:
            self._show_tabs(tables)

    def _show_tabs(self, tables: Sequence[layout.Table]) -> None:
        for table in tables:
            if table.name in _TABS:
                at = len(self._tables) + 1
                self._tables[f"view-{at}"] = table
                self.query_one(Tabs).add_tab(Tab(f"{at} {_TABS[table.name]}", id=f"view-{at}"))

    def action_view(self, number: int) -> None:
        if f"view-{number}" in self._tables:
            self.query_one(Tabs).active = f"view-{number}"

    @on(Tabs.TabActivated)
    def _show(self, message: Tabs.TabActivated) -> None:
        table = self._tables[message.tab.id or ""]
        widget = self.query_one(Table)
        widget.border_title = foreign(table.title)
        headings = [Heading(column.title or "", right=column.right) for column in table.columns]
        if not table.columns[-1].right:
            headings[-1] = replace(headings[-1], fill=True)
        widget.show(headings, len(table.rows), lambda row: _cells(table, row))
        self.query_one(StatusLine).say()


def _cells(table: layout.Table, row: int) -> list[Content]:
    return [
        foreign("–" if cell is None else column.show(cell))
        for column, cell in zip(table.columns, table.rows[row], strict=True)
    ]
