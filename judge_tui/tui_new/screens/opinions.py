"""What judges are called on the lead's screens, and what they said of a case."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Sequence
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
from judge_tui.tui_new.pace import seconds_text
from judge_tui.tui_new.screens.settle_queue import UNKNOWN, Case, SettleQueue
from judge_tui.tui_new.text import (
    ACTIONS,
    foreign,
    foreign_lines,
    grade_content,
    grade_digit,
    middle_ellipsis,
    need_content,
)
from judge_tui.tui_new.widgets.table import Heading
from judge_tui.visible import visible_line

_GLYPHS = {NOT_DECIDED: "·", SKIPPED: "s", CANNOT: "x"}
_GREATEST_NAME = 12
_NAMED = 200
_MANY_JUDGES = 8
"""More judges than this share a column, which counts their grades."""


class Letters:
    """What judges are called: letters, until the lead asks for names.

    The same at every start, and neither in the order of names nor of their coming. A judge who
    comes while the screen is open gets the next letter.
    """

    def __init__(self, settings: Settings, judges: Iterable[Judge]) -> None:
        self._salt = f"{settings.seed} {settings.name}"
        self._letters: dict[int, str] = {}
        self.revealed = False
        self.meet(judges)

    def meet(self, judges: Iterable[Judge]) -> None:
        """Give letters to those who have none yet."""
        new = [judge for judge in judges if judge.key not in self._letters]
        for judge in sorted(new, key=self._drawn):
            self._letters[judge.key] = _letters(len(self._letters))

    def of(self, judge: Judge) -> str:
        """What a judge is called now, visible, on one line."""
        return visible_line(judge.name) if self.revealed else self._letters[judge.key]

    def in_order(self, judges: Sequence[Judge]) -> list[int]:
        """Places of the judges, by their letters; names change nothing about it."""
        rank = {key: place for place, key in enumerate(self._letters)}
        return sorted(range(len(judges)), key=lambda place: rank[judges[place].key])

    def called(self, judges: Sequence[Judge]) -> dict[int, str]:
        """Key -> what the judge is called now, in the order of their letters."""
        return {judges[at].key: self.of(judges[at]) for at in self.in_order(judges)}

    def _drawn(self, judge: Judge) -> bytes:
        text = f"{self._salt} {judge.first_name}"
        return blake2b(text.encode("utf-8", "surrogatepass")).digest()


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
        judges, grades = queue.cases.judges, queue.cases.grades[queue.rows]
        order = letters.in_order(judges)
        self._judges = [at for at in order if (grades[:, at] != NOT_DECIDED).any()]
        called = [middle_ellipsis(letters.of(judges[at]), _GREATEST_NAME) for at in self._judges]
        self._are_counted = len(called) > _MANY_JUDGES
        self.names = [
            "query",
            *(["grades"] if self._are_counted else called),
            "lead",
            *(["swaps", "change"] if queue.is_weighed else []),
            "spread",
            "document",
        ]
        """What stands above the columns."""

    @property
    def headings(self) -> list[Heading]:
        numbers, last = ("swaps", "change", "spread"), self.names[-1]
        return [
            Heading(name, right=name in numbers, fill=name == last, middle=name == last)
            for name in self.names
        ]

    def cells(self, place: int) -> list[Content]:
        """One case; ids are foreign."""
        case = self._queue[place]
        style = "" if case.settled is None else "dim"
        swaps, change = "", ""
        if case.swaps != UNKNOWN:
            swaps, change = f"{case.swaps:,}", f"{case.change:.3f}".removeprefix("0")
        numbers = [*([swaps, change] if self._queue.is_weighed else []), str(case.spread or "")]
        return [
            foreign(self._queue.queries[case.query].query_id, style or "bold"),
            *self._grades(case),
            Content("") if case.settled is None else grade_digit(case.settled, self._scale),
            *(Content.styled(number, style) for number in numbers),
            foreign(self._doc_id(place, case.document), style),
        ]

    def _doc_id(self, place: int, document: int) -> str:
        """Read with those around it, and kept."""
        if document not in self._doc_ids:
            around = self._queue.rows[max(0, place - _NAMED) : place + _NAMED]
            keys = self._queue.cases.documents[around].tolist()
            with contextlib.suppress(CampaignError):
                self._doc_ids |= doc_ids_by_key(self._campaign, keys)
        return self._doc_ids.get(document, "")

    def _grades(self, case: Case) -> list[Content]:
        grades = [case.grades[at] for at in self._judges]
        if not self._are_counted:
            return [decision_mark(grade, self._scale) for grade in grades]
        counts = sorted(Counter(grade for grade in grades if grade >= 0).items())
        each = [Content.assemble(grade_digit(one, self._scale), f"×{n}") for one, n in counts]
        return [Content(" ").join(each)]


@dataclass(frozen=True, slots=True)
class OpenCase:
    """All that is on screen of one case, and that a grade is given in the light of."""

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


def open_case(campaign: Campaign, case: Case, *, include_models: bool | None) -> OpenCase:
    """All of it, of one moment. Raises `CampaignError`."""
    with campaign.reading():
        document, has_text = document_by_key(campaign, case.document)
        return OpenCase(
            case.pair,
            query_by_key(campaign, case.query),
            document,
            has_text,
            tuple(opinions_of(campaign, case.pair, include_models=include_models)),
            tuple(settlements_of(campaign, case.pair)),
        )


def decision_mark(decided: int, scale: Scale) -> Content:
    """One character: the grade's digit, `s` skipped, `x` cannot be judged, `·` nothing."""
    if decided >= 0:
        return grade_digit(decided, scale)
    return Content.styled(_GLYPHS[decided], "dim")


def opinions_content(case: OpenCase, letters: Letters, scale: Scale) -> Content:
    """What each judge said, their comments, and how leads settled it, the last first."""
    letters.meet(one.judge for one in case.opinions)
    order = letters.in_order([one.judge for one in case.opinions])
    named = [(letters.of(case.opinions[at].judge), case.opinions[at]) for at in order]
    said = [_said(name, one, scale) for name, one in named]
    lines = [Content("   ").join(said)] if said else [Content.styled("not judged", "dim")]
    for name, one in named:
        if one.note:
            lines.append(Content.assemble((f"{name}: ", "bold"), foreign_lines(one.note)))
    lines += [_settled(one, scale) for one in reversed(case.settlements) if one.reason]
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
    name = middle_ellipsis(visible_line(one.judge.name), 2 * _GREATEST_NAME)
    return Content.assemble(grade_content(one.grade, scale), (f" by {name}", "dim"))


def settled_content(one: Settlement | None, scale: Scale) -> Content:
    """Whether a case is settled, as what, and by whom."""
    if one is None:
        return Content.styled("not settled", "dim")
    return Content.assemble(("settled ", "bold"), settled_as(one, scale))


def _settled(one: Settlement, scale: Scale) -> Content:
    word = ("reason: ", "bold $text-accent") if one.holds else ("before: ", "dim")
    return Content.assemble(word, settled_as(one, scale), "  ", foreign_lines(one.reason))


class CasePane(VerticalScroll, can_focus=True):
    """The query, what the judges said of the case, and how it is settled."""

    DEFAULT_CLASSES = "pane"

    def compose(self) -> ComposeResult:
        yield Static(id="opinions", markup=False)
        yield Static(id="need", markup=False)

    def show(self, case: OpenCase | None, letters: Letters, scale: Scale, *, need: bool) -> None:
        """`need`: whether the description and the narrative of the query stand there, too."""
        self.display = case is not None
        if case is None:
            return
        query = case.query
        self.border_title = Content.assemble(
            foreign(query.query_id), "  ", foreign(query.text, "not bold")
        )
        self.border_subtitle = settled_content(case.settlement, scale)
        self.query_one("#opinions", Static).update(opinions_content(case, letters, scale))
        shown = need_content(query, scale)
        narrative = self.query_one("#need", Static)
        narrative.update(shown)
        narrative.display = need and bool(shown.plain)
        self.scroll_home(animate=False)
