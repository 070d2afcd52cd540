"""Choosing which cases are in the queue, by typing part of what they have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType

from judge_tui.campaign.store.queries import QueryName
from judge_tui.tui.screens.choosing import ChoiceOverlay
from judge_tui.tui.screens.review.docket import Docket
from judge_tui.tui.screens.review.faces import Faces
from judge_tui.tui.screens.review.filters import MARKS, Filter
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line


@dataclass(frozen=True, slots=True)
class Choice:
    """A filter, what it is called (visible), and how many cases it lets through by itself."""

    filter: Filter
    what: str
    count: int


def filter_choices(docket: Docket, queries: Mapping[int, QueryName], faces: Faces) -> list[Choice]:
    """What there is to filter by; queries and classes without a disagreement are left out."""
    cases = docket.cases
    judges = [cases.judges[place] for place in faces.in_order(cases.judges)]
    wanted = [
        (Filter(), "all disagreements: no filter"),
        (Filter(settled=False), "not settled yet"),
        (Filter(settled=True), "settled"),
        *((Filter(mark=mark), f"{mark.words}, agreed or not") for mark in MARKS.values()),
        (Filter(agreed=True), "everything that was judged, agreed ones, too"),
        *((Filter(apart=one.key), f"judge {faces.of(one)} stands apart") for one in judges),
        *((Filter(graded=one.key), f"graded by {faces.of(one)}") for one in judges),
    ]
    classes = {key: query.query_class for key, query in queries.items()}
    choices = [Choice(one, what, int(one.keeps(cases, classes).sum())) for one, what in wanted]
    disputed = cases.queries[cases.disputed].tolist()
    of_query: dict[int, int] = {}
    for key in disputed:
        of_query[key] = of_query.get(key, 0) + 1
    of_class: dict[str, int] = {}
    for key, count in of_query.items():
        name = classes.get(key, "")
        of_class[name] = of_class.get(name, 0) + count
    for name in sorted(of_class):
        what = f"class {visible_line(name)}" if name else "queries of no class"
        choices.append(Choice(Filter(query_class=name), what, of_class[name]))
    for key, query in queries.items():
        if key in of_query:
            what = visible_line(f"query {query.query_id}  {query.text}")
            choices.append(Choice(Filter(query=key), what, of_query[key]))
    return choices


class FilterOverlay(ChoiceOverlay[Filter]):
    """Gives what is to be asked for beside what is asked for already."""

    placeholder = "part of a query, a class, settled, flagged, note, a judge …"
    enter_does = "filters by it, too"
    nothing = "nothing to filter by has all of this in it"

    # The input has the focus: what moves the list must not be a letter.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", "down", show=False, id="filter.down", priority=True),
        Binding("up", "move(-1)", "up", show=False, id="filter.up", priority=True),
        Binding(
            "pagedown", "page(1)", "page down", show=False, id="filter.page-down", priority=True
        ),
        Binding("pageup", "page(-1)", "page up", show=False, id="filter.page-up", priority=True),
    ]

    def __init__(self, choices: Sequence[Choice]) -> None:
        super().__init__()
        self._choices = self._found = list(choices)

    def seek(self, typed: str) -> int:
        words = typed.casefold().split()
        self._found = [
            choice
            for choice in self._choices
            if all(word in choice.what.casefold() for word in words)
        ]
        return len(self._found)

    def choose(self, index: int) -> None:
        self.dismiss(self._found[index].filter)

    def draw(self, index: int) -> list[Piece]:
        choice = self._found[index]
        return [(f"{choice.count:>8,}  ", "list--faint"), (choice.what, "")]
