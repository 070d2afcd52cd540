"""What judges are called on the lead's screens, and what they said of a case."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from string import ascii_uppercase

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from judge_tui.campaign import Campaign, Settings
from judge_tui.campaign.overview.cases import Opinion, opinions_of
from judge_tui.campaign.store.adjudication import Settlement, settlements_of
from judge_tui.campaign.store.arrays import CANNOT, NOT_DECIDED, SKIPPED
from judge_tui.campaign.store.documents import doc_ids_by_key, document_by_key
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.queries import query_by_key
from judge_tui.errors import CampaignError
from judge_tui.model import Document, Query, Scale
from judge_tui.tui.cells import shortened
from judge_tui.tui.pace import seconds_text
from judge_tui.tui.screens.settle_queue import UNKNOWN, SettleQueue
from judge_tui.tui.text import (
    ACTIONS,
    foreign,
    foreign_lines,
    grade_content,
    grade_digit,
    need_content,
)
from judge_tui.tui.widgets.table import Heading
from judge_tui.visible import visible_line

_GLYPHS = {NOT_DECIDED: "·", SKIPPED: "s", CANNOT: "x"}
_GREATEST_NAME = 12
# Documents whose ids are read at once, on either side of a row.
_NAMED = 200


class Letters:
    """What judges are called: letters, until the lead asks for names. The same at every start, and
    neither in the order of names nor of their coming."""

    def __init__(self, settings: Settings, judges: Sequence[Judge]) -> None:
        self._salt = f"{settings.seed} {settings.name}"
        self.revealed = False
        self.draw(judges)

    def draw(self, judges: Sequence[Judge]) -> None:
        """Give each of the judges a letter."""

        def drawn(judge: Judge) -> bytes:
            text = f"{self._salt} {judge.first_name}"
            return blake2b(text.encode("utf-8", "surrogatepass")).digest()

        self.judges = sorted(judges, key=drawn)

    @property
    def called(self) -> dict[int, str]:
        """Key -> what the judge is called now, visible, on one line."""
        return {
            judge.key: visible_line(judge.name) if self.revealed else _letters(number)
            for number, judge in enumerate(self.judges)
        }


def _letters(number: int) -> str:
    """A to Z, then AA to ZZ, and so on."""
    text = ""
    while number >= 0:
        number, digit = divmod(number, len(ascii_uppercase))
        text, number = ascii_uppercase[digit] + text, number - 1
    return text


class QueueRows:
    """The queue as a table. A column in which nothing is said of any case is left out."""

    def __init__(self, campaign: Campaign, queue: SettleQueue, letters: Letters) -> None:
        self._campaign = campaign
        self._queue = queue
        self._scale = campaign.settings.scale
        self._doc_ids: dict[int, str] = {}
        keys = [judge.key for judge in queue.cases.judges]
        named = [(name, keys.index(key)) for key, name in letters.called.items() if key in keys]
        said = (queue.cases.grades[queue.rows] != NOT_DECIDED).any(axis=0)
        self._columns = [column for _, column in named if said[column]]
        names = [
            shortened(Content(name), _GREATEST_NAME, "ends").plain
            for name, column in named
            if said[column]
        ]
        weights = ["swaps", "change"] if queue.is_weighed else []
        self.headings = [
            *map(Heading, ["query", *names, "lead"]),
            Heading("document", fill=True, middle=True),
            *(Heading(name, right=True) for name in [*weights, "spread"]),
        ]

    def cells(self, place: int) -> list[Content]:
        """One case; ids are foreign."""
        queue, row, scale = self._queue, self._queue.rows[place], self._scale
        settled = int(queue.cases.settled[row])
        style = "" if settled == NOT_DECIDED else "dim"
        query = queue.queries[int(queue.cases.queries[row])].query_id
        grades = queue.cases.grades[row].tolist()
        numbers = [str(queue.spread[row] or "")]
        if queue.is_weighed:
            is_known = queue.swaps[row] != UNKNOWN
            change = f"{queue.change[row]:.3f}".removeprefix("0")
            numbers = [*((f"{queue.swaps[row]:,}", change) if is_known else ("", "")), *numbers]
        return [
            foreign(query, style or "bold"),
            *(_mark(grades[column], scale) for column in self._columns),
            Content("") if settled == NOT_DECIDED else grade_digit(settled, scale),
            foreign(self._doc_id(place), style),
            *(Content.styled(number, style) for number in numbers),
        ]

    def _doc_id(self, place: int) -> str:
        """Read with those around it, and kept."""
        rows, documents = self._queue.rows, self._queue.cases.documents
        key = int(documents[rows[place]])
        if key not in self._doc_ids:
            around = documents[rows[max(0, place - _NAMED) : place + _NAMED]].tolist()
            with contextlib.suppress(CampaignError):
                self._doc_ids |= doc_ids_by_key(self._campaign, around)
        return self._doc_ids.get(key, "")


def _mark(decided: int, scale: Scale) -> Content:
    """One character: the grade's digit, `s` skipped, `x` cannot be judged, `·` nothing."""
    if decided >= 0:
        return grade_digit(decided, scale)
    return Content.styled(_GLYPHS[decided], "dim")


@dataclass(frozen=True, slots=True)
class Case:
    """All that is on screen of one pair (a key), and that a grade is given in the light of."""

    pair: int
    query: Query
    document: Document
    has_text: bool
    opinions: tuple[Opinion, ...]
    settlements: tuple[Settlement, ...]

    @property
    def settlement(self) -> Settlement | None:
        """The one that holds."""
        return self.settlements[-1] if self.settlements else None


def read_case(campaign: Campaign, queue: SettleQueue, place: int, *, include_models: bool) -> Case:
    """All of it, of one moment. Raises `CampaignError`."""
    row = queue.rows[place]
    pair = queue.pair(place)
    with campaign.reading():
        document, has_text = document_by_key(campaign, int(queue.cases.documents[row]))
        return Case(
            pair,
            query_by_key(campaign, int(queue.cases.queries[row])),
            document,
            has_text,
            tuple(opinions_of(campaign, pair, include_models=include_models)),
            tuple(settlements_of(campaign, pair)),
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
    called = letters.called
    of_judge = {one.judge.key: one for one in case.opinions}
    # Who has judged for the first time meanwhile comes last.
    keys = sorted(of_judge, key=lambda key: [*called, key].index(key))
    named = [(called.get(key, "new"), of_judge[key]) for key in keys]
    said = [_said(name, one, scale) for name, one in named]
    lines = [Content("   ").join(said)] if said else [Content.styled("not judged", "dim")]
    for name, one in named:
        if one.note:
            lines.append(Content.assemble((f"{name}: ", "bold"), foreign_lines(one.note)))
    for settled in reversed(case.settlements):
        if settled.reason:
            word = ("reason: ", "bold $text-accent") if settled.holds else ("before: ", "dim")
            reason = foreign_lines(settled.reason)
            lines.append(Content.assemble(word, settled_as(settled, scale), "  ", reason))
    return Content("\n").join(lines)


def _said(name: str, one: Opinion, scale: Scale) -> Content:
    decided = Content.styled(ACTIONS.get(one.decision or "", "·"), "dim")
    if one.decision == "grade" and one.grade is not None:
        decided = grade_content(one.grade, scale)
    parts = [Content.assemble((f"{name} ", "bold"), decided)]
    if one.seconds is not None:
        parts.append(Content.styled(seconds_text(one.seconds), "dim"))
    if one.flagged:
        parts.append(Content.styled("flagged", "bold $text-warning"))
    return Content(" ").join(parts)


def settled_as(one: Settlement, scale: Scale) -> Content:
    """As what, and by whom: a lead's name is no secret."""
    name = shortened(foreign(one.judge.name, "dim"), 2 * _GREATEST_NAME, "ends")
    return Content.assemble(grade_content(one.grade, scale), (" by ", "dim"), name)
