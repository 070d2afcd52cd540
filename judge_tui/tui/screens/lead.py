"""The name of who leads: those who have led come first, and a new name that is nearly a known one
is asked about."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import Judge, all_judges, near_names
from judge_tui.campaign.store.names import proper_name
from judge_tui.errors import JudgeTuiError
from judge_tui.model import composed
from judge_tui.tui.cells import padded, widest
from judge_tui.tui.screens.choosing import ChoiceOverlay
from judge_tui.tui.widgets.entry_line import EntryLine
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

_GREATEST_NAME = 40


class LeadOverlay(ChoiceOverlay[str]):
    """Gives the name: of somebody known, or of a lead that is to be made."""

    placeholder = "who leads? your name: a new one, or one of those below"
    typing_does = "type a new name, or"
    enter_does = "reviews"
    nothing = "nobody is known yet: type your name"

    # The input has the focus: what moves the list must not be a letter.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", "down", show=False, id="lead.down", priority=True),
        Binding("up", "move(-1)", "up", show=False, id="lead.up", priority=True),
        Binding("pagedown", "page(1)", "page down", show=False, id="lead.page-down", priority=True),
        Binding("pageup", "page(-1)", "page up", show=False, id="lead.page-up", priority=True),
    ]

    def __init__(self, campaign: Campaign, files: Collection[str] = ()) -> None:
        """`files`: the names of judges whose grades came from files, which nobody is meant by who
        does not type them."""
        super().__init__()
        self._campaign = campaign
        self._known = [judge for judge in all_judges(campaign) if judge.kind == "human"]
        people = [judge for judge in self._known if judge.name not in files]
        # Those who lead first, else as they came.
        self._people = sorted(people, key=lambda judge: judge.role != "lead")
        if not people:
            self.placeholder = "who leads? your name"
        self._found: Sequence[Judge | str] = ()
        self._warned: str | None = None
        self._width = widest(_GREATEST_NAME, (judge.name for judge in self._known))

    def seek(self, typed: str) -> int:
        name = composed(typed.strip())
        exact = [judge for judge in self._known if composed(judge.name) == name]
        others = [
            judge
            for judge in self._people
            if name.casefold() in composed(judge.name).casefold() and judge not in exact
        ]
        # What is typed is who one is: nobody leads as somebody else by typing half of a name.
        new = [name] if name and not exact else []
        self._found = [*exact, *new, *others]
        return len(self._found)

    def choose(self, index: int) -> None:
        chosen = self._found[index]
        if isinstance(chosen, Judge):
            self.dismiss(chosen.name)
            return
        try:
            name = proper_name(chosen)
            near = near_names(self._campaign, name)
        except JudgeTuiError as error:
            self._refuse(Content(visible_line(str(error))))
            return
        begun = [one.name for one in self._found if isinstance(one, Judge) and one.name not in near]
        if (near or begun) and name != self._warned:
            self._warned = name
            like = f"nearly the name of {_named(near)}" if near else f"part of {_named(begun)}"
            self._refuse(Content(f"New, and {like}. Enter again makes a new lead all the same."))
            return
        self.dismiss(name)

    def draw(self, index: int) -> list[Piece]:
        found = self._found[index]
        if isinstance(found, str):
            return [(f" {visible_line(found)}", "list--strong"), ("  a new lead", "list--faint")]
        name = padded(visible_line(found.name), self._width)
        return [(f" {name}", "list--strong"), (f"  {found.role}", "list--faint")]

    def _refuse(self, said: Content) -> None:
        self.query_one(".hint", Static).update(said)
        self.query_one(EntryLine).take_more()


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(visible_line(name) for name in names[:3])
    return f"{shown} and {len(names) - 3:,} more" if len(names) > 3 else shown
