"""A case of Settle: the query, what each judge said of the document, and how it is settled."""

from __future__ import annotations

from dataclasses import dataclass, field

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.cases import Cases, Opinion, opinions_of
from judge_tui.campaign.store.adjudication import Settlement, settlements_of
from judge_tui.campaign.store.desk import PairState
from judge_tui.campaign.store.documents import document_by_key
from judge_tui.campaign.store.queries import query_by_key
from judge_tui.model import Document, Query, Scale
from judge_tui.tui.cells import shortened
from judge_tui.tui.pace import seconds_text
from judge_tui.tui.screens.letters import Letters
from judge_tui.tui.text import (
    foreign,
    foreign_lines,
    grade_content,
    need_content,
    state_content,
)

_GREATEST_NAME = 24


@dataclass(frozen=True, slots=True)
class Case:
    """All that is on screen of one pair (a key), and that a grade is given in the light of, as the
    file had it at that version."""

    pair: int
    query: Query
    document: Document
    has_text: bool
    opinions: tuple[Opinion, ...]
    settlements: tuple[Settlement, ...]
    version: int = field(compare=False)

    @property
    def settlement(self) -> Settlement | None:
        """The one that holds."""
        return self.settlements[-1] if self.settlements else None


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
            tuple(opinions_of(campaign, pair, include_models=include_models)),
            tuple(settlements_of(campaign, pair)),
            version,
        )


class CasePane(VerticalScroll, can_focus=True):
    """The query, what the judges said of the case, and how it is settled."""

    DEFAULT_CLASSES = "pane"
    _query: Query | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="opinions", markup=False)
        yield Static(id="need", markup=False)

    def show(self, case: Case | None, letters: Letters, scale: Scale, *, need: bool) -> None:
        """`need`: whether the description and the narrative of the query stand there, too."""
        self.display = case is not None
        if case is None:
            return
        query_id = foreign(case.query.query_id)
        self.border_title = Content.assemble(query_id, "  ", foreign(case.query.text, "not bold"))
        settled = case.settlement
        self.border_subtitle = Content("not settled")
        if settled is not None:
            self.border_subtitle = Content.assemble("settled ", settled_as(settled, scale))
        self.query_one("#opinions", Static).update(_opinions(case, letters, scale))
        place = self.query_one("#need", Static)
        if case.query != self._query:
            self._query = case.query
            place.update(need_content(case.query, scale))
        place.display = need and bool(case.query.description or case.query.narrative)
        self.scroll_home(animate=False)


def _opinions(case: Case, letters: Letters, scale: Scale) -> Content:
    """What each judge said, their comments, and the reasons of leads, the last first."""
    opinions = sorted(case.opinions, key=lambda one: letters.letter(one.judge))
    said = [_opinion(letters.call(one.judge), one, scale) for one in opinions]
    lines = [Content("   ").join(said)] if said else [Content.styled("not judged", "dim")]
    for one in opinions:
        if one.note:
            name = letters.call(one.judge)
            lines.append(Content.assemble((f"{name}: ", "bold"), foreign_lines(one.note)))
    for settled in reversed(case.settlements):
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


def settled_as(one: Settlement, scale: Scale) -> Content:
    """As what, and by whom: a lead's name is no secret."""
    name = shortened(foreign(one.judge.name, "dim"), _GREATEST_NAME, "ends")
    return Content.assemble(grade_content(one.grade, scale), (" by ", "dim"), name)
