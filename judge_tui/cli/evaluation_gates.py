"""`--require` of `evaluate`: refused before anything is asked, held to when everything is known."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from judge_tui.cli.class_gates import over_part_of_class, parts_of_gate, refuse_class_gate
from judge_tui.cli.gates import Basis, Evidence, Gates, basis_on, read_gates, refuse_held_to_itself
from judge_tui.errors import UsageError, unknown
from judge_tui.scoring import NO_REGRESSION, ClassGate, Gate, Measure, Required, shown_slice
from judge_tui.scoring.class_terms import DEMANDS, why_refused

if TYPE_CHECKING:
    from judge_tui.class_measures import ClassMeasures
    from judge_tui.collect import Collected
    from judge_tui.expectations import Expectations
    from judge_tui.scoring.class_terms import Demand
    from judge_tui.scoring.demands import Demands

__all__ = ["basis_of_system", "evaluation_gates", "held_of_systems", "refuse_unknown"]


def evaluation_gates(
    required: Sequence[str], names: Sequence[str], compared: Sequence[Measure], baseline: str
) -> Gates:
    """Read them; `baseline`: the system that others stand beside. Raises `UsageError` for what
    could not be held to after hours of work: another system's name, a baseline or a verdict where
    there is none, and what holds the baseline to itself."""
    for text in required:
        _refuse_verdict_of_one(text)
    gates = read_gates(required)
    if gates.beside and len(names) < 2:
        raise UsageError(
            f"gate {gates.beside[0]} stands beside a baseline, and there is one system",
            "name two systems or more",
        )
    if gates.no_regression and not compared:
        raise UsageError(
            f"gate {NO_REGRESSION} needs a measure of which more is better", "add -m nDCG@10"
        )
    for gate in gates.asked:
        if gate is not None and gate.tag is not None and gate.tag not in names:
            raise unknown("system", gate.tag, names)
    refuse_held_to_itself(gates, baseline)
    return gates


def refuse_unknown(
    gates: Gates, right: Expectations, classes: Collection[str], own: ClassMeasures
) -> None:
    """Raise `UsageError` for a class that there is not, for what it is not held to, and, where
    classes have measures of their `own`, for a mean over queries that do not all have it.
    `classes`: those that are scored."""
    every = dict.fromkeys(query.query_class for query in right.queries)
    for gate in gates.of_classes:
        refuse_class_gate(gate, every, classes, right.demands)
    for over_all in gates.numbers:
        _refuse_composite(over_all, every, classes, own, right.demands)


def basis_of_system(
    gate: Gate | ClassGate | None,
    right: Expectations,
    system: Collected,
    slice_of: Mapping[str, str],
    *,
    is_held: bool,
) -> Basis:
    """A system as a baseline, or as one that is held, by what it answered to the queries that a
    gate is about; `slice_of`: as of `parts_of_gate`."""
    class_of = {query.query_id: query.query_class for query in right.queries}
    parts = parts_of_gate(gate, class_of, right.qrels, right.demands, slice_of=slice_of)
    failed = [reply.query_id for reply in system.failed]
    empty = [reply.query_id for reply in system.empty]
    called = system.name if is_held else f"the baseline, {system.name},"
    return basis_on(called, parts, [*failed, *empty], failed, is_held=is_held)


def held_of_systems(
    gates: Gates, evidence: Evidence, class_of: Mapping[str, str], right: Expectations
) -> tuple[Required, ...]:
    """What came of each, and over which part of a class. `class_of`: query_id -> class; `right`:
    what systems are scored by."""
    return tuple(
        one._replace(over=over_part_of_class(gate, class_of, right.qrels, right.demands))
        if isinstance(gate, ClassGate)
        else one
        for gate, one in zip(gates.asked, gates.held(evidence), strict=True)
    )


def _refuse_verdict_of_one(text: str) -> None:
    tag, colon, verdict = text.rpartition(":")
    if colon and verdict.strip() == NO_REGRESSION:
        raise UsageError(
            f"{text!r} is no gate: {NO_REGRESSION} is asked of all systems but the baseline",
            f"write {NO_REGRESSION}, or {tag.strip()}:nDCG@10>=baseline-0.01",
        )


def _refuse_composite(
    gate: Gate,
    every: Iterable[str],
    classes: Collection[str],
    own: ClassMeasures,
    demands: Demands,
) -> None:
    if classes and not own:
        return
    for name in every:
        if name not in classes or (name in own and gate.measure not in own[name]):
            instead = _of_class(gate, name, classes, own, demands)
            raise UsageError(
                f"gate {gate} is over all queries, and those of class {shown_slice(name)!r} are not"
                f" measured by {gate.measure}",
                f"ask it of a class, as {instead}",
            )


def _of_class(
    gate: Gate, name: str, classes: Collection[str], own: ClassMeasures, demands: Demands
) -> ClassGate:
    """The same of one class, by what says something of it: where there is one by the measure that
    was asked for, else by the class's own, or by what its queries demand."""
    asked: Measure | Demand = gate.measure
    fit = next((one for one in classes if not why_refused(one, gate.measure)), None)
    if fit is None and classes:
        fit = next(iter(classes))
        asked = own[fit][0]
    elif fit is None:
        fit = name
        asked = next(one for one in DEMANDS if name in demands.classes(one))
    return ClassGate(shown_slice(fit), asked, gate.least, gate.tag, gate.beside_baseline)
