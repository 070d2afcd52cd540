"""Which measures the runs are scored by: what is asked for, and what that needs beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from judge_tui.cli.inputs import Inputs
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    MEASURES,
    Measure,
    Rules,
    judged_beside,
    parse_measures,
)

if TYPE_CHECKING:
    from judge_tui.baseline import SavedScores
    from judge_tui.class_measures import Slicing
    from judge_tui.cli.gates import Gates
    from judge_tui.scoring.trec_plan import TrecPlan

__all__ = ["Wanted", "wanted_measures"]


class Wanted(NamedTuple):
    """`asked` is printed and saved, `beside` are shares judged for readers' tables, `needed` is
    everything that runs are scored by; `trec` are the lines of trec_eval's form, if that is wanted.
    `notes` say what was left out.
    """

    asked: tuple[Measure, ...]
    beside: tuple[Measure, ...]
    needed: tuple[Measure, ...]
    trec: TrecPlan | None
    notes: tuple[str, ...]


def wanted_measures(
    names: Sequence[str],
    inputs: Inputs,
    rules: Rules,
    *,
    level: int | None,
    greatest: int | None,
    earlier: SavedScores | None,
    gates: Gates,
    slicing: Slicing | None,
    trec: bool,
    whole_lists: bool,
) -> Wanted:
    """What `-m` names; without it what the earlier result holds, or the usual measures, of which a
    campaign answers those that look no deeper than it keeps its runs.

    `level` and `greatest` are `rel` and `max_rel` of `parse_measures`. Raises `UsageError` for what
    a campaign cannot answer, `InputError` for what the earlier result does not hold.
    """
    plan = None
    if trec:
        from judge_tui.scoring.trec_plan import trec_plan

        plan = trec_plan(names, rel=level or 1, max_rel=greatest)
        asked = tuple(m for m in plan.measures if m.definition.name in MEASURES)
    else:
        held = () if earlier is None else map(str, earlier.usual or earlier.measures)
        usual = DEFAULT_MEASURES if inputs.truths is None else _answered_by_default()
        asked = parse_measures(names or held or usual, rel=level, max_rel=greatest)
    judged = inputs.judged
    notes: tuple[str, ...] = ()
    if judged is not None and not (names or earlier or plan):
        asked, notes = judged.answered(asked, rules, whole_lists=whole_lists)
    sets = [asked, *(slicing.measures.values() if slicing else ())]
    beside = (
        ()
        if plan or inputs.truths is not None
        else _each(judged_beside(measures) for measures in sets)
    )
    if judged is not None:
        # Nobody asked for these: what looks at no result has Judged@10 beside it.
        beside = tuple(
            m for m in beside if judged.too_deep(m, rules, whole_lists=whole_lists) is None
        )
    needed = _each([*sets, beside, gates.measures, plan.measures if plan else ()])
    if judged is not None:
        judged.refuse_too_deep(needed, rules, whole_lists=whole_lists)
    if inputs.truths is not None:
        from judge_tui.scoring.by_answers import refuse_unanswerable

        refuse_unanswerable(needed, rules)
    if earlier is not None:
        from judge_tui.baseline import refuse_missing_measures, refuse_without_slices

        if slicing is None:
            refuse_without_slices(earlier)
        # Where slices have measures of their own, these may be none of theirs.
        theirs = () if slicing is not None and slicing.measures else asked
        refuse_missing_measures(
            earlier,
            _each([theirs, [gate.measure for gate in gates.numbers if gate.beside_baseline]]),
        )
    return Wanted(asked, beside, needed, plan, notes)


def _answered_by_default() -> Sequence[str]:
    from judge_tui.scoring.by_answers import ANSWERED_BY_DEFAULT

    return ANSWERED_BY_DEFAULT


def _each(sets: Iterable[Sequence[Measure]]) -> tuple[Measure, ...]:
    """Every measure once, in the order in which they come."""
    return tuple(dict.fromkeys(measure for measures in sets for measure in measures))
