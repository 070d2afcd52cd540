"""Which key does what, where: the bindings of every screen, with the keys that the user gave them.

A room is a screen with what stands on it.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass

from textual.binding import Binding
from textual.dom import DOMNode

from judge_tui.tui.key_names import shown_key, shown_keys

Keymap = Mapping[str, str]
"""Binding id -> its keys, as Textual calls them, parted by commas."""

# Room -> what its keys come from, in `judge_tui.tui`; imported only where all are asked for.
_ROOMS: dict[str, tuple[str, ...]] = {
    "judge": ("screens.judge:JudgeScreen",),
    "home": ("screens.home:HomeScreen", "widgets:LineList"),
    "comment": ("screens.comment:CommentOverlay",),
    "find": ("screens.find:FindOverlay",),
    "flags": ("screens.flags:FlagsOverlay", "widgets:LineList"),
    "guidelines": ("screens.guidelines:GuidelinesOverlay",),
    "help": ("screens.help:HelpOverlay",),
    "jump": ("screens.jump:JumpOverlay",),
    "lead": ("screens.lead:LeadOverlay",),
    "pager": ("screens.reader:ReaderOverlay",),
    "new-judge": ("screens.new_judge:NewJudgeOverlay",),
    "review": ("screens.review:ReviewScreen",),
    "agreement": ("screens.review.agreement_overlay:AgreementOverlay",),
    "by-query": ("screens.review.by_query:ByQueryOverlay", "widgets:LineList"),
    "confusion": ("screens.review.confusion:ConfusionOverlay",),
    "filter": ("screens.review.filter_overlay:FilterOverlay",),
    "whole-case": ("screens.review.whole_case:WholeCaseOverlay",),
    "results": ("screens.results.screen:ResultsScreen", "widgets:LineList"),
    "export": ("screens.results.exporting:ExportOverlay",),
    "warnings": ("screens.results.resting:RestingOverlay",),
    "statistics": ("screens.statistics:StatisticsOverlay",),
    "whole-need": ("screens.whole_need:WholeNeedOverlay",),
}
_EVERYWHERE = "app:JudgeTuiApp"

_GRADE = ".grade-"


@dataclass(frozen=True, slots=True)
class Bound:
    """One action of a screen and the keys that do it. `what` says what it does, `group` with what
    others the help shows it."""

    id: str
    keys: tuple[str, ...]
    what: str
    action: str
    group: str
    priority: bool


def bound_of(kind: type[DOMNode], keymap: Keymap) -> list[Bound]:
    """The bindings of a screen or widget that have an id, in the order in which they are written;
    those of the classes it is made from come first."""
    keys_of: dict[str, list[str]] = {}
    first: dict[str, Binding] = {}
    for key, binding in kind._merge_bindings():
        if binding.id is not None:
            keys_of.setdefault(binding.id, []).append(key)
            first.setdefault(binding.id, binding)
    # A key that Textual's own classes have, too, would come before the others.
    written = [
        binding.id
        for base in reversed(kind.__mro__)
        for binding in Binding.make_bindings(base.__dict__.get("BINDINGS", ()))
        if binding.id in keys_of
    ]
    return [
        Bound(
            name,
            tuple(keymap[name].split(",") if name in keymap else keys_of[name]),
            first[name].description,
            first[name].action,
            getattr(first[name].group, "description", ""),
            first[name].priority,
        )
        for name in dict.fromkeys(written)
    ]


def keymap_of(node: DOMNode) -> Keymap:
    """The keys that the user gave bindings, in the app that the screen or widget is part of."""
    return node.app._keymap if node.is_attached else {}


def keys_on(screen: DOMNode) -> dict[str, str]:
    """The first key of each binding of a screen, as it is shown, by the id of the binding."""
    return {
        bound.id: shown_key(bound.keys[0]) for bound in bound_of(type(screen), keymap_of(screen))
    }


def quit_keys(app: DOMNode) -> str:
    """The keys that end the app from everywhere, as they are shown."""
    ends = next(bound for bound in bound_of(type(app), keymap_of(app)) if bound.id == "app.quit")
    return shown_keys(ends.keys)


def grade_keys(screen: DOMNode) -> dict[int, str]:
    """Where its digit does not give a grade: the grade, and the first key that does, as shown."""
    grades = {
        int(bound.id.rpartition(_GRADE)[2]): bound.keys
        for bound in bound_of(type(screen), keymap_of(screen))
        if _GRADE in bound.id
    }
    return {grade: shown_key(keys[0]) for grade, keys in grades.items() if str(grade) not in keys}


def all_bound(keymap: Keymap) -> list[Bound]:
    """Every binding of the app, once, room by room."""
    found = {bound.id: bound for room in _ROOMS for bound in _in_room(room, keymap)}
    return list(found.values())


def _in_room(room: str, keymap: Keymap) -> list[Bound]:
    return [
        bound for place in (*_ROOMS[room], _EVERYWHERE) for bound in bound_of(_kind(place), keymap)
    ]


def _kind(place: str) -> type[DOMNode]:
    module, _, name = place.partition(":")
    kind: type[DOMNode] = getattr(importlib.import_module(f"judge_tui.tui.{module}"), name)
    return kind
