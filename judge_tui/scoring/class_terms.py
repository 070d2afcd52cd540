"""Standard classes of queries, each measured on its own terms: one line of the registry each.

What a look-up asks for and what a survey asks for are unlike, and so are the measures that tell
whether they got it: between classes of unlike terms nothing is averaged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from typing import Literal, NamedTuple, TypeAlias, get_args

from judge_tui.errors import UsageError
from judge_tui.scoring.measure import Measure

__all__ = [
    "DEMANDS",
    "TERMS",
    "Demand",
    "Terms",
    "class_called",
    "misspelt",
    "refuse_for_class",
    "saying_nothing",
    "taken_together",
    "terms_of",
    "unlike",
    "why_refused",
]

Demand: TypeAlias = Literal["prefer", "authority"]
"""What a query may ask of the order of its results beside, or in place of, right answers."""

DEMANDS: tuple[Demand, ...] = get_args(Demand)
"""All of them, in the order in which they are told, and under the names that they have in answers,
queries, gates and JSON."""


class Terms(NamedTuple):
    """One line of the registry. `names`: as users write it, the first one in prose; case, blanks,
    `-`, `_` and an `s` at the end play no part. `measures`: what its queries are scored by, none
    where they are held to a `demand` instead. `only`: the one measure that says anything of it,
    with any cutoff, and `why` no other does; empty where all do.
    """

    names: tuple[str, ...]
    measures: tuple[str, ...]
    demand: Demand | None = None
    only: str = ""
    why: str = ""


TERMS = (
    Terms(("lookup", "canonical lookup"), ("RR", "P@1")),
    Terms(("root", "framework root"), ("RR", "P@1")),
    Terms(("synonym",), ("RR",)),
    Terms(("fragment",), ("P@5", "P@10")),
    Terms(("modern", "modern before legacy", "prefer"), (), "prefer"),
    Terms(("cross-source", "authority"), (), "authority"),
    Terms(("conceptual",), ("Rprec", "nDCG@10")),
    Terms(
        ("attribute",),
        ("P@5", "P@10"),
        only="P",
        why="what has an attribute is a set in which no document is the one to come first",
    ),
)


def terms_of(name: str) -> Terms | None:
    """The terms of a class by any of its names; None where it is no standard one."""
    folded = _folded(name)
    return _BY_NAME.get(folded) or _BY_NAME.get(folded.removesuffix("s"))


def class_called(name: str) -> str:
    """The name under which queries of a class are told: of a standard one its first, however it is
    written, so that spellings make no classes of their own; of another one what is written."""
    terms = terms_of(name)
    return name if terms is None else terms.names[0]


def misspelt(names: Iterable[str]) -> tuple[str, ...]:
    """One sentence on those that are close to the name of a standard class, and none: they would be
    measured as usual. A name that goes on behind a standard one, `lookup 2`, is somebody's own."""
    import difflib  # noqa: PLC0415 - most names are known

    close = {}
    for name in dict.fromkeys(names):
        folded = _folded(name)
        if terms_of(name) is not None or folded.startswith(tuple(_BY_NAME)):
            continue
        if near := difflib.get_close_matches(folded, _BY_NAME, 1, _CLOSE):
            close[name] = _BY_NAME[near[0]].names[0]
    if not close:
        return ()
    named = "; ".join(f"{name!r:.70}, did you mean {near!r}?" for name, near in close.items())
    return (f"classes that have no terms of their own: {named}",)


def unlike(names: Iterable[str]) -> bool:
    """Whether they are measured by different things, so that one number over all of them would say
    nothing. Classes of one's own and queries without a class, "", are all measured as usual; so is
    what is held to a demand, as far as grades tell of it."""
    its = [terms_of(name) for name in names]
    measures = {one.measures if one is not None else () for one in its}
    demands = {one.demand for one in its if one is not None and one.demand is not None}
    return len(measures) > 1 or len(demands) > 1


def taken_together(names: Iterable[str], mend: str = "--by class shows each") -> tuple[str, ...]:
    """The one sentence that stands wherever something is told over queries of all these classes
    although they are unlike; none where they are not. `mend`: how to see them one by one there."""
    every = {class_called(name) for name in names}
    if not unlike(every):
        return ()
    return (
        f"classes of queries that ask for unlike things ({_listed(every)}) are taken"
        f" together: a mean, an order or a verdict over all of them need not hold for any; {mend}",
    )


def why_refused(name: str, measure: Measure) -> str:
    """Why a measure says nothing of the queries of a class, empty where it does. Counts and shares,
    of which more is not better, are never refused."""
    terms = terms_of(name)
    if terms is None or not terms.only:
        return ""
    refused = measure.definition.quality and measure.definition.name != terms.only
    return terms.why if refused else ""


def saying_nothing(
    names: Iterable[str], measures: Iterable[Measure], called: str = ""
) -> tuple[str, ...]:
    """One sentence for each class of which some of the measures say nothing, where they are told
    over its queries all the same. `called`: what stands there in place of their names."""
    every = tuple(measures)
    sentences = []
    for name in sorted({class_called(name) for name in names}):
        terms = terms_of(name)
        if terms is None or not (refused := [one for one in every if why_refused(name, one)]):
            continue
        say = "says" if len(refused) == 1 else "say"
        sentences.append(
            f"of queries of class {name!r} {called or ', '.join(map(str, refused))} {say} nothing:"
            f" {terms.why}"
        )
    return tuple(sentences)


def refuse_for_class(name: str, measures: Iterable[Measure]) -> None:
    """Raise `UsageError` for a measure that says nothing of the queries of a class."""
    terms = terms_of(name)
    if terms is None:
        return
    for measure in measures:
        if why := why_refused(name, measure):
            raise UsageError(
                f"{measure} says nothing of queries of class {name!r}: {why}",
                f"measure that class by {terms.only}@k alone, as {terms.measures[0]}",
            )


def _listed(names: Set[str]) -> str:
    """The standard ones, then some of one's own, of which there may be any number."""
    standard = sorted(name for name in names if terms_of(name) is not None)
    own = sorted(names - {*standard, ""})
    more = [f"{len(own) - _OWN_NAMED:,} more"] if len(own) > _OWN_NAMED else []
    without = ["queries without a class"] if "" in names else []
    return ", ".join([*standard, *own[:_OWN_NAMED], *more, *without])


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).casefold()


_OWN_NAMED = 5

# Of letters alike, in `difflib`: one that is missing, doubled or exchanged with the next.
_CLOSE = 0.83

_BY_NAME = {_folded(name): terms for terms in TERMS for name in terms.names}
