"""Gates of single classes of queries: `lookup/RR>=0.4`, `modern/prefer>=0.8`."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from judge_tui.errors import UsageError, unknown
from judge_tui.scoring import (
    ClassGate,
    Gate,
    Measure,
    Scores,
    Slices,
    shown_slice,
    slice_scores,
    worse_by,
)

if TYPE_CHECKING:
    from judge_tui.analysis.demands import Demanded
    from judge_tui.class_measures import Slicing
    from judge_tui.cli.gates import Gates
    from judge_tui.scoring.class_terms import Demand
    from judge_tui.scoring.demands import Demands
    from judge_tui.significance import Settings

__all__ = [
    "over_part_of_class",
    "parts_of_classes",
    "parts_of_gate",
    "queries_of_gate",
    "refuse_class_gate",
    "refuse_class_gates",
    "scores_of_class",
    "shares_of_class",
    "slice_of_each",
    "slices_for",
    "worse_in_demands",
]


def refuse_class_gates(
    gates: Iterable[ClassGate],
    slicing: Slicing | None,
    answered: Container[str],
    demands: Demands | None,
) -> None:
    """Raise `UsageError` for one without `--by class`, and for one that cannot be held to.
    `answered`: the queries of which anything right is known."""
    for gate in gates:
        if slicing is not None and slicing.by != "class":
            raise UsageError(
                f"gate {gate} is of a class of queries, and --by {slicing.by} makes no classes",
                "ask it of a class, with --by class; slices by other fields have no gates",
            )
        if slicing is None:
            raise UsageError(f"gate {gate} is of a class of queries", "add --by class")
        names = dict.fromkeys(slicing.of_query.values())
        scored = {name for query_id, name in slicing.of_query.items() if query_id in answered}
        refuse_class_gate(gate, names, scored, demands)


def refuse_class_gate(
    gate: ClassGate, every: Iterable[str], scored: Collection[str], demands: Demands | None
) -> None:
    """Raise `UsageError` for a class that is none of `every`, and for what it cannot be held to: a
    measure that says nothing of it or of which it is none of `scored`, and what it demands not."""
    from judge_tui.scoring.class_terms import DEMANDS, refuse_for_class

    names = {shown_slice(name): name for name in every}
    if gate.name not in names:
        raise unknown("class of the queries", gate.name, names)
    name = names[gate.name]
    if isinstance(gate.asked, Measure):
        refuse_for_class(name, [gate.asked])
        if name not in scored:
            demanding = demands is not None and any(name in demands.classes(one) for one in DEMANDS)
            only = ", only what is to come first" if demanding else ""
            raise _nothing_of(gate, f"right answers{only}")
    elif demands is None or name not in demands.classes(gate.asked):
        raise _nothing_of(gate, f"query with {gate.asked}")


def parts_of_classes(
    gates: Iterable[ClassGate],
    slicing: Slicing | None,
    answered: Collection[str],
    demands: Demands | None,
) -> list[str]:
    """One sentence for each gate that is held to over fewer queries than its class has; as
    `over_part_of_class`."""
    of_query = {} if slicing is None else slicing.of_query
    return [
        f"gate {gate} is {over}"
        for gate in gates
        if (over := over_part_of_class(gate, of_query, answered, demands))
    ]


def over_part_of_class(
    gate: ClassGate,
    class_of: Mapping[str, str],
    answered: Collection[str],
    demands: Demands | None,
) -> str:
    """`over 4 of the 16 queries of the class, those of which right answers are known`: which ones a
    gate looks at; empty where these are all. `class_of`: query_id -> class; `answered`: those of
    which anything right is known."""
    every = sum(shown_slice(name) == gate.name for name in class_of.values())
    its = len(queries_of_gate(gate, class_of, answered, demands))
    if its == every:
        return ""
    by_measure = isinstance(gate.asked, Measure)
    which = "of which right answers are known" if by_measure else f"that have {gate.asked}"
    return f"over {its:,} of the {every:,} queries of the class, those {which}"


def queries_of_gate(
    gate: Gate | ClassGate | None,
    class_of: Mapping[str, str],
    answered: Collection[str],
    demands: Demands | None,
) -> Collection[str]:
    """The queries that a gate is about, arguments as of `over_part_of_class`; None: the one that
    asks for no number, which is about everything that counts."""
    if gate is None:
        return {*answered, *(demands.query_ids if demands else ())}
    if isinstance(gate, Gate):
        return answered
    among: Container[str] = answered
    if not isinstance(gate.asked, Measure):
        among = demands.of(gate.asked) if demands else ()
    return [
        query_id
        for query_id, name in class_of.items()
        if shown_slice(name) == gate.name and query_id in among
    ]


def parts_of_gate(
    gate: Gate | ClassGate | None,
    class_of: Mapping[str, str],
    answered: Collection[str],
    demands: Demands | None,
    *,
    slice_of: Mapping[str, str],
    by: str = "class",
) -> list[tuple[str, Collection[str]]]:
    """The queries that a gate is about, with what follows the word where they are told of; and
    behind them, where it goes by verdicts, those of each slice that has verdicts of its own.
    `slice_of`: query_id -> that slice, of those that are in one; other arguments as of
    `queries_of_gate`."""
    its = queries_of_gate(gate, class_of, answered, demands)
    if isinstance(gate, ClassGate):
        return [(f" of class {gate.name!r}", its)]
    slices: dict[str, list[str]] = {}
    for query_id in its if gate is None else ():
        if query_id in slice_of:
            slices.setdefault(slice_of[query_id], []).append(query_id)
    in_order = sorted(slices, key=lambda name: (not name, name))
    return [
        ("", its),
        *((f" of {by} {shown_slice(name)!r}", slices[name]) for name in in_order),
    ]


def slice_of_each(query_ids: Iterable[str], of_query: Mapping[str, str]) -> dict[str, str]:
    """query_id -> slice, for `parts_of_gate` where every query of a run has verdicts by its slice:
    "" for those that `of_query` does not have."""
    return {**dict.fromkeys(query_ids, ""), **of_query}


def worse_in_demands(demanded: Demanded | None) -> list[str]:
    """A phrase for each demand that a run meets worse than the baseline."""
    return [
        f"{arm.arm} is worse than {arm.baseline} by {one.demand} in"
        f" {one.by} {shown_slice(one.name)!r}: {worse_by(arm.delta)}"
        for one in (demanded.classes if demanded else ())
        for arm in one.beside
        if arm.verdict == "worse" and arm.delta is not None
    ]


def slices_for(gates: Gates, scores: Scores, slicing: Slicing | None) -> Slices | None:
    """The slices that gates of classes are held against; None where there is no such gate."""
    if not gates.of_classes or slicing is None:
        return None
    return slice_scores(scores, slicing.by, slicing.of_query)


def scores_of_class(gate: ClassGate, scores: Scores, slices: Slices | None) -> Scores:
    """The scores over the queries of a gate's class alone; `slices` of them by class."""
    part = next((one for one in slices.slices if one.shown == gate.name), None) if slices else None
    if part is None:
        raise _none_scored(gate)
    return replace(scores, runs=part.runs, slices=None)


def shares_of_class(
    gate: ClassGate, demand: Demand, demanded: Demanded | None, comparison: Settings | None
) -> tuple[dict[str, float], dict[str, float] | None]:
    """By tag the shares of the queries that hold, of what has to pass, and what each stands beside:
    the runs beside the baseline of the `comparison`, and the baseline only where the gate names it;
    every run, beside nothing, where there is none."""
    shares = {
        tag: share
        for one in (demanded.of(demand) if demanded else ())
        if shown_slice(one.name) == gate.name
        for tag in one.tags
        if (share := one.share(tag)) is not None
    }
    if not shares:
        raise _none_scored(gate)
    if comparison is None or comparison.all_pairs:
        return shares, None
    baseline = comparison.baseline or next(iter(shares))
    baselines = dict.fromkeys(shares, shares[baseline])
    if gate.tag is None:
        del shares[baseline]
    return shares, baselines


def _none_scored(gate: ClassGate) -> UsageError:
    return UsageError(f"gate {gate}: no query of the class is scored", "name another class")


def _nothing_of(gate: ClassGate, what: str) -> UsageError:
    return UsageError(f"gate {gate}: class {gate.name!r} has no {what}", "name another class")
