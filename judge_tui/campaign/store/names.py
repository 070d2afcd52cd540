"""How names of judges are spelt: of one name there is one judge, however it is typed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge_tui.errors import UsageError
from judge_tui.model import composed

_GREATEST_NAME = 60
_CLOSE = 0.8
_NUMBER = re.compile(r"\d+")


def proper_name(name: str) -> str:
    """The name without space around it, and composed: of one name, typed on two systems, there is
    one judge. Raises `UsageError` where no judge can have it."""
    name = composed(name.strip())
    if not name:
        raise UsageError("a judge needs a name", "give one with --judge NAME")
    if "," in name or len(name) > _GREATEST_NAME:
        raise UsageError(
            f"{name[:40]!r} cannot be a judge's name",
            f"take one without commas, of at most {_GREATEST_NAME} characters",
        )
    return name


def slips(name: str, names: Iterable[str]) -> list[str]:
    """Those of `names` that a new `name` may be a slip of, the nearest first. Names that differ in
    their numbers alone, or in their last letter, are a series and no slips (judge1, judge2; ann,
    ann2)."""
    import difflib  # noqa: PLC0415 - most names are known ones

    mine = _folded(name)
    others = {}
    for one in names:
        folded = _folded(one)
        if folded == mine or not _are_series(folded, mine):
            others[folded] = one
    return [others[near] for near in difflib.get_close_matches(mine, others, cutoff=_CLOSE)]


def _are_series(one: str, other: str) -> bool:
    one, other = _NUMBER.sub("", one), _NUMBER.sub("", other)
    return one == other or one[:-1] == other[:-1]


def _folded(name: str) -> str:
    return " ".join(composed(name).casefold().split())
