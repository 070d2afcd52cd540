"""`--require` of `evaluate`: read before anything is asked, held to when everything is known."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from judge_tui.errors import UsageError, unknown
from judge_tui.scoring import (
    NO_REGRESSION,
    ClassGate,
    Gate,
    Measure,
    Scores,
    Slices,
    failures,
    parse_class_gate,
    parse_gate,
    shown_slice,
    unmet,
)

if TYPE_CHECKING:
    from judge_tui.analysis.demands import Demanded
    from judge_tui.class_measures import ClassMeasures
    from judge_tui.expectations import Expectations
    from judge_tui.report.evaluation import Required
    from judge_tui.significance import Comparisons, Settings

__all__ = ["EvaluationGates", "evaluation_gates", "worse_in_order"]

Asked: TypeAlias = Gate | ClassGate | None


class EvaluationGates(NamedTuple):
    """Every gate in the order in which it was given; None for the one that asks for no number."""

    gates: tuple[Asked, ...]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What systems must be scored by to be held to them."""
        asked = (
            gate.asked if isinstance(gate, ClassGate) else gate.measure
            for gate in self.gates
            if gate is not None
        )
        return tuple(one for one in asked if isinstance(one, Measure))

    def refuse_unknown(
        self, right: Expectations, classes: Collection[str], own: ClassMeasures
    ) -> None:
        """Raise `UsageError` for a class that there is not, for what it is not held to, and, where
        classes have measures of their `own`, for a mean over queries that do not all have it.
        `classes`: those that are scored."""
        from judge_tui.scoring.class_terms import refuse_for_class

        every = dict.fromkeys(query.query_class for query in right.queries)
        for gate in self.gates:
            if isinstance(gate, ClassGate):
                name = _class_of(gate, every)
                if isinstance(gate.asked, Measure):
                    refuse_for_class(name, [gate.asked])
                    if name not in classes:
                        raise _nothing_of(gate, "right answers, only what is to come first")
                elif name not in right.demands.classes(gate.asked):
                    raise _nothing_of(gate, f"query with {gate.asked}")
            elif gate is not None:
                _refuse_composite(gate, every, classes, own)

    def held(
        self,
        scores: Scores,
        slices: Slices,
        settings: Settings,
        comparisons: Comparisons | None,
        demanded: Demanded | None,
    ) -> tuple[Required, ...]:
        """What came of each. `scores` by all `measures`, `slices` of them by class."""
        from judge_tui.report.evaluation import Required
        from judge_tui.significance import gate_failures

        outcomes = []
        for gate in self.gates:
            if gate is None:
                sentences = [*_worse(comparisons), *worse_in_order(demanded)]
                outcomes.append(Required(NO_REGRESSION, tuple(sentences)))
                continue
            # A number is for the baseline, too: who names none does not think of the first as one.
            if isinstance(gate, ClassGate):
                sentences = _class_failures(gate, slices, settings, demanded)
            elif gate.beside_baseline:
                sentences = gate_failures(gate, scores, settings)
            else:
                sentences = failures(gate, scores)
            outcomes.append(Required(str(gate), tuple(sentences)))
        return tuple(outcomes)


def evaluation_gates(
    required: Sequence[str], names: Sequence[str], compared: Sequence[Measure]
) -> EvaluationGates:
    """Read them. Raises `UsageError` for what could not be held to after hours of work: another
    system's name, a baseline or a verdict where there is none."""
    gates = tuple(
        None if text.strip() == NO_REGRESSION else parse_class_gate(text) or parse_gate(text)
        for text in required
    )
    beside = [str(gate) for gate in gates if gate is not None and gate.beside_baseline]
    beside += [NO_REGRESSION] if None in gates else []
    if beside and len(names) < 2:
        raise UsageError(
            f"gate {beside[0]} stands beside a baseline, and there is one system",
            "name two systems or more",
        )
    if None in gates and not compared:
        raise UsageError(
            f"gate {NO_REGRESSION} needs a measure of which more is better", "add -m nDCG@10"
        )
    for gate in gates:
        if gate is not None and gate.tag is not None and gate.tag not in names:
            raise unknown("system", gate.tag, names)
    return EvaluationGates(gates)


def _class_of(gate: ClassGate, every: Iterable[str]) -> str:
    """The class that a gate names; those without one are written as readers see them."""
    names = {shown_slice(name): name for name in every}
    if gate.name not in names:
        raise unknown("class of the queries", gate.name, names)
    return names[gate.name]


def _nothing_of(gate: ClassGate, what: str) -> UsageError:
    return UsageError(f"gate {gate}: class {gate.name!r} has no {what}", "name another class")


def _refuse_composite(
    gate: Gate, every: Iterable[str], classes: Collection[str], own: ClassMeasures
) -> None:
    if not own:
        return
    for name in every:
        if name not in classes or (name in own and gate.measure not in own[name]):
            asked = next(iter(classes), name)
            raise UsageError(
                f"gate {gate} is over all queries, and those of class {shown_slice(name)!r} are not"
                f" measured by {gate.measure}",
                f"ask it of a class, as {shown_slice(asked)}/{gate}"
                if gate.tag is None
                else f"ask it of a class, as {gate.tag}:CLASS/{gate.measure}",
            )


def _class_failures(
    gate: ClassGate, slices: Slices, settings: Settings, demanded: Demanded | None
) -> list[str]:
    means = dict(_means(gate, slices, demanded))
    if not gate.beside_baseline:
        return unmet(gate, means)
    baseline = settings.baseline or next(iter(means))
    baselines = dict.fromkeys(means, means[baseline])
    if gate.tag is None:
        del means[baseline]
    return unmet(gate, means, baselines)


def _means(gate: ClassGate, slices: Slices, demanded: Demanded | None) -> Mapping[str, float]:
    if isinstance(gate.asked, Measure):
        part = next(one for one in slices.slices if one.shown == gate.name)
        return {run.tag: run.mean(gate.asked) for run in part.runs}
    for one in demanded.of(gate.asked) if demanded else ():
        if shown_slice(one.name) == gate.name:
            return {tag: one.share(tag) or 0.0 for tag in one.tags}
    return {}


def _worse(comparisons: Comparisons | None) -> list[str]:
    from judge_tui.significance import Verdict

    return [
        f"{NO_REGRESSION}: {one.tag} is worse than {one.baseline} by {one.measure}"
        f"{'' if one.slice is None else f' in class {shown_slice(one.slice)!r}'}: {one.delta!r}"
        for one in comparisons or ()
        if one.verdict is Verdict.WORSE
    ]


def worse_in_order(demanded: Demanded | None) -> list[str]:
    """One sentence for each verdict on what comes first that is worse."""
    from judge_tui.significance import Verdict

    return [
        f"{NO_REGRESSION}: {arm.arm} is worse than {arm.baseline} by {one.demand} in class"
        f" {shown_slice(one.name)!r}: {arm.delta!r}"
        for one in (demanded.classes if demanded else ())
        for arm in one.beside
        if arm.verdict is Verdict.WORSE
    ]
