"""Gates of single classes of queries: `lookup/RR>=0.4`, `modern/prefer>=0.8`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from judge_tui.errors import UsageError, unknown
from judge_tui.scoring import (
    NO_REGRESSION,
    ClassGate,
    Gate,
    Measure,
    Scores,
    Slices,
    parse_class_gate,
    shown_slice,
    slice_scores,
    unmet,
    worse_by,
)

if TYPE_CHECKING:
    from judge_tui.analysis.demands import Demanded
    from judge_tui.class_measures import Slicing
    from judge_tui.scoring.demands import Demands
    from judge_tui.significance import Settings

__all__ = [
    "class_failures",
    "refuse_class_gate",
    "refuse_class_gates",
    "split_gates",
    "unmet_of_classes",
    "worse_in_demands",
]


def split_gates(
    required: Sequence[str], *, rel: int | None = None, max_rel: int | None = None
) -> tuple[tuple[ClassGate, ...], list[str]]:
    """The gates of classes, and the texts of the others. `rel`, `max_rel`: as in `parse_measure`.
    Raises `UsageError` for what is no gate."""
    found: list[ClassGate] = []
    others: list[str] = []
    for text in required:
        is_number = text.strip() != NO_REGRESSION
        gate = parse_class_gate(text, rel=rel, max_rel=max_rel) if is_number else None
        if gate is None:
            others.append(text)
        else:
            found.append(gate)
    return tuple(found), others


def refuse_class_gates(
    gates: Iterable[ClassGate], slicing: Slicing | None, demands: Demands | None
) -> None:
    """Raise `UsageError` for one without `--by class`, and for one that cannot be held to."""
    for gate in gates:
        if slicing is None or slicing.by != "class":
            raise UsageError(f"gate {gate} is of a class of queries", "add --by class")
        names = dict.fromkeys(slicing.of_query.values())
        refuse_class_gate(gate, names, names, demands)


def refuse_class_gate(
    gate: ClassGate, every: Iterable[str], scored: Collection[str], demands: Demands | None
) -> None:
    """Raise `UsageError` for a class that is none of `every`, and for what it cannot be held to: a
    measure that says nothing of it or of which it is none of `scored`, and what it demands not."""
    from judge_tui.scoring.class_terms import refuse_for_class

    names = {shown_slice(name): name for name in every}
    if gate.name not in names:
        raise unknown("class of the queries", gate.name, names)
    name = names[gate.name]
    if isinstance(gate.asked, Measure):
        refuse_for_class(name, [gate.asked])
        if name not in scored:
            raise _nothing_of(gate, "right answers, only what is to come first")
    elif demands is None or name not in demands.classes(gate.asked):
        raise _nothing_of(gate, f"query with {gate.asked}")


def unmet_of_classes(
    gates: Iterable[ClassGate],
    scores: Scores,
    slicing: Slicing,
    demanded: Demanded | None,
    settings: Settings | None = None,
    *,
    but_baseline: bool = False,
) -> list[str]:
    """One sentence for each gate and run that does not pass it; as `class_failures`."""
    slices = slice_scores(scores, slicing.by, slicing.of_query)
    return [
        sentence
        for gate in gates
        for sentence in class_failures(
            gate, scores, slices, demanded, settings, but_baseline=but_baseline
        )
    ]


def class_failures(
    gate: ClassGate,
    scores: Scores,
    slices: Slices,
    demanded: Demanded | None,
    settings: Settings | None = None,
    *,
    but_baseline: bool = False,
) -> list[str]:
    """One sentence for each run that does not pass. `slices` of the scores by class, with the
    gate's measure among the values; `settings` name the baseline, where there is one, which has to
    pass, too, unless the gate stands beside it, or with `but_baseline`."""
    beside = gate.beside_baseline or but_baseline
    if not isinstance(gate.asked, Measure):
        return _by_demand(gate, demanded, settings, beside=beside)
    part = next((one for one in slices.slices if one.shown == gate.name), None)
    if part is None:
        raise UsageError(f"gate {gate}: no query of the class is scored", "name another class")
    one = Gate(gate.asked, gate.least, gate.tag, gate.beside_baseline)
    if beside:
        from judge_tui.significance import Settings, gate_failures

        of_class = Scores(
            scores.measures, part.runs, scores.complete, scores.judged_only, scores.depth
        )
        sentences = gate_failures(one, of_class, settings or Settings())
    else:
        sentences = unmet(one, {run.tag: run.mean(one.measure) for run in part.runs})
    return [f"{gate}{sentence.removeprefix(str(one))}" for sentence in sentences]


def worse_in_demands(demanded: Demanded | None) -> list[str]:
    """One sentence for each demand that a run meets worse than the baseline."""
    from judge_tui.significance import Verdict

    return [
        f"{NO_REGRESSION}: {arm.arm} is worse than {arm.baseline} by {one.demand} in class"
        f" {shown_slice(one.name)!r}: {worse_by(arm.delta)}"
        for one in (demanded.classes if demanded else ())
        for arm in one.beside
        if arm.verdict is Verdict.WORSE and arm.delta is not None
    ]


def _by_demand(
    gate: ClassGate, demanded: Demanded | None, settings: Settings | None, *, beside: bool
) -> list[str]:
    means = dict(_shares(gate, demanded))
    if not beside or (settings is not None and settings.all_pairs):
        return unmet(gate, means)
    baseline = (settings and settings.baseline) or next(iter(means))
    baselines = dict.fromkeys(means, means[baseline])
    if gate.tag is None:
        del means[baseline]
    return unmet(gate, means, baselines)


def _shares(gate: ClassGate, demanded: Demanded | None) -> Mapping[str, float]:
    for one in demanded.classes if demanded else ():
        if one.demand == gate.asked and shown_slice(one.name) == gate.name:
            return {tag: one.share(tag) or 0.0 for tag in one.tags}
    return {}


def _nothing_of(gate: ClassGate, what: str) -> UsageError:
    return UsageError(f"gate {gate}: class {gate.name!r} has no {what}", "name another class")
