"""What Settle is put together from: the queue as a table, what can be chosen of it, and a case."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.cases import Cases, Opinion, opinions_of
from judge_tui.campaign.store.adjudication import Adjudication, adjudications_of
from judge_tui.campaign.store.arrays import CANNOT, NOT_DECIDED, SKIPPED
from judge_tui.campaign.store.desk import PairState
from judge_tui.campaign.store.documents import doc_ids_by_key, document_by_key
from judge_tui.campaign.store.queries import query_by_key
from judge_tui.counts import counted
from judge_tui.errors import CampaignError
from judge_tui.model import Document, Query, Scale
from judge_tui.tui.cells import shortened
from judge_tui.tui.pace import seconds_text
from judge_tui.tui.screens.letters import Letters
from judge_tui.tui.screens.settle_queue import Called, Filter, SettleQueue
from judge_tui.tui.text import (
    foreign,
    foreign_lines,
    grade_content,
    grade_digit,
    need_content,
    state_content,
    state_mark,
)
from judge_tui.tui.widgets.dialogs import Picker
from judge_tui.tui.widgets.table import Heading, SideList
from judge_tui.visible import visible_line

NOTHING_READ = "Nothing is read yet: r reads it."
_DONE = """\
The queue is done: {} settled.

[ goes back to the last one, F shows others, a agreement, q leaves."""
_NOTHING_ASKED = """\
No case is: {}.

F and enter show all disagreements."""
_NOTHING_JUDGED = "Nobody has judged anything yet: there is nothing to settle."
_NOTHING_DISPUTED = """\
No two judges disagree about any document.

F shows what is flagged, has a comment or cannot be judged; a shows agreement."""
_NOTHING_AGAINST = """\
People grade nothing otherwise than {} does.

A puts people beside another model, or beside each other."""

_GREATEST_NAME = 24
_GREATEST_HEADING = 12
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
        is_active = (queue.cases.grades[queue.rows] != NOT_DECIDED).any(axis=0)
        judges = [one for one, acts in zip(queue.cases.judges, is_active, strict=True) if acts]
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
            *map(Heading, ["query", *(_heading(letters.letter(one)) for one in judges), "lead"]),
            Heading("document", fill=True, keep="ends"),
            *(
                Heading(name, right=True)
                for name in (("swaps", "change") if queue.is_weighed else ("spread",))
            ),
        ]
        self.show(headings, len(queue), cells, cursor=cursor)


def _heading(name: str) -> str:
    return shortened(Content(name), _GREATEST_HEADING, "ends").plain


def _state(code: int) -> PairState:
    if code >= 0:
        return PairState(decision="grade", grade=int(code))
    return PairState(decision=_DECISIONS.get(code))


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


def why_nothing(queue: SettleQueue, asked: str) -> str:
    """What stands in the place of a document where none is open; `asked`: the filter in words."""
    if len(queue):
        return _DONE.format(counted(len(queue), "case"))
    if queue.filter:
        return _NOTHING_ASKED.format(asked)
    if against := queue.cases.against:
        return _NOTHING_AGAINST.format(visible_line(against.name))
    return _NOTHING_DISPUTED if (queue.cases.grades >= 0).any() else _NOTHING_JUDGED


@dataclass(frozen=True, slots=True)
class Case:
    """All that is on screen of one pair (a key), and that a grade is given in the light of, as the
    file had it at that version."""

    pair: int
    query: Query
    document: Document
    has_text: bool
    opinions: tuple[Opinion, ...]
    adjudications: tuple[Adjudication, ...]
    version: int = field(compare=False)

    @property
    def adjudication(self) -> Adjudication | None:
        """The one that holds."""
        return self.adjudications[-1] if self.adjudications else None


def read_case(campaign: Campaign, cases: Cases, pair: int, *, include_models: bool) -> Case:
    """All of it, of one moment; the pair is among the cases. Raises `CampaignError`."""
    row = cases.pairs.searchsorted(pair)
    version = campaign.version()
    with campaign.reading():
        document, has_text = document_by_key(campaign, int(cases.documents[row]))
        return Case(
            pair,
            query_by_key(campaign, int(cases.queries[row])),
            document,
            has_text,
            tuple(
                opinions_of(campaign, pair, include_models=include_models, against=cases.against)
            ),
            tuple(adjudications_of(campaign, pair)),
            version,
        )


class CasePane(VerticalScroll, can_focus=True):
    """The query, what the judges said of the case, and how it is settled."""

    DEFAULT_CLASSES = "pane"
    _query: Query | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="opinions", markup=False)
        yield Static(id="need", markup=False)

    def show(self, case: Case | None, letters: Letters, scale: Scale) -> None:
        self.display = case is not None
        if case is None:
            return
        query_id = foreign(case.query.query_id)
        self.border_title = Content.assemble(query_id, "  ", foreign(case.query.text, "not bold"))
        settled = case.adjudication
        self.border_subtitle = Content("not settled")
        if settled is not None:
            self.border_subtitle = Content.assemble("settled ", settled_as(settled, scale))
        self.query_one("#opinions", Static).update(_opinions(case, letters, scale))
        place = self.query_one("#need", Static)
        if case.query != self._query:
            self._query = case.query
            place.update(need_content(case.query, scale))
        place.set_class(not (case.query.description or case.query.narrative), "-none")
        self.scroll_home(animate=False)


def _opinions(case: Case, letters: Letters, scale: Scale) -> Content:
    """What each judge said, their comments, and the reasons of leads, the last first."""
    by_judge = {one.judge: one for one in case.opinions}
    opinions = [by_judge[judge] for judge in letters.in_order(by_judge)]
    grades = [_opinion(letters.call(one.judge), one, scale) for one in opinions]
    lines = [Content("   ").join(grades)] if grades else [Content.styled("not judged", "dim")]
    for one in opinions:
        if one.note:
            name = letters.call(one.judge)
            lines.append(Content.assemble((f"{name}: ", "bold"), foreign_lines(one.note)))
    for settled in reversed(case.adjudications):
        if settled.reason:
            word = ("reason: ", "bold $text-accent") if settled.holds else ("before: ", "dim")
            reason = foreign_lines(settled.reason)
            lines.append(Content.assemble(word, settled_as(settled, scale), "  ", reason))
    return Content("\n").join(lines)


def _opinion(name: str, one: Opinion, scale: Scale) -> Content:
    state = PairState(decision=one.decision, grade=one.grade, flagged=one.flagged)
    looked = "" if one.seconds is None else f" ({seconds_text(one.seconds)})"
    decided = state_content(state, scale) or Content.styled("·", "dim")
    return Content.assemble((f"{name} ", "bold"), decided, (looked, "dim"))


def settled_as(one: Adjudication, scale: Scale) -> Content:
    """As what, and by whom: a lead's name is not a secret."""
    name = shortened(foreign(one.judge.name, "dim"), _GREATEST_NAME, "ends")
    return Content.assemble(grade_content(one.grade, scale), (" by ", "dim"), name)
