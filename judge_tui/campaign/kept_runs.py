"""How much of its runs a campaign keeps, and which measures look no deeper."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judge_tui.errors import UsageError
from judge_tui.scoring import Measure, Rules

__all__ = ["KeptRun", "answerable", "refuse_too_deep", "too_deep"]


@dataclass(frozen=True, slots=True)
class KeptRun:
    """How much of a run the campaign has: the top `depth` of each list of the file `source`.

    `cut`: some judged query has as many results as are kept, so that there may have been more. A
    query with fewer is complete: the run had no more.
    """

    tag: str
    source: str
    depth: int
    cut: bool


def too_deep(
    kept: Iterable[KeptRun], measure: Measure, rules: Rules, *, whole_lists: bool = False
) -> KeptRun | None:
    """The first run of which the measure would need more than is kept.

    Lists condensed to judged documents, and `whole_lists` (bounds grade every unjudged result),
    need all of a list whatever the cutoff, unless the rules cut it. Whether the order of results is
    decided by what is kept depends on what each query demands (`JudgedRuns.refuse_undecided`).
    """
    if not measure.definition.looks_at_results or measure.definition.of_order:
        return None
    condensed = measure.judged_only or (rules.judged_only and measure.definition.condenses)
    depth = sys.maxsize if condensed or whole_lists else measure.depth
    depth = depth if rules.depth is None else min(depth, rules.depth)
    return next((run for run in kept if run.cut and depth + rules.ignore_self > run.depth), None)


def answerable(
    kept: Sequence[KeptRun],
    measures: Sequence[Measure],
    rules: Rules,
    *,
    whole_lists: bool = False,
    can_cut: bool = True,
) -> tuple[tuple[Measure, ...], dict[str, str]]:
    """Those of the measures that what is kept of the runs can answer, and why not the others.

    Raises `UsageError` where it can answer none; `can_cut`: see `refuse_too_deep`.
    """
    deep = {m: run for m in measures if (run := too_deep(kept, m, rules, whole_lists=whole_lists))}
    if len(deep) == len(measures):
        refuse_too_deep(kept, measures, rules, whole_lists=whole_lists, can_cut=can_cut)
    return tuple(measure for measure in measures if measure not in deep), {
        measure.name: f"deeper than the {run.depth} results a query kept of run {run.tag!r}"
        for measure, run in deep.items()
    }


def refuse_too_deep(
    kept: Sequence[KeptRun],
    measures: Iterable[Measure],
    rules: Rules,
    *,
    whole_lists: bool = False,
    can_cut: bool = True,
) -> None:
    """Raise `UsageError` for the first measure that looks deeper than the campaign keeps a run.
    `can_cut`: whether who asks can look at the first results alone."""
    for measure in measures:
        run = too_deep(kept, measure, rules, whole_lists=whole_lists)
        if run is not None:
            # Whole lists are needed for these, however small the cutoff.
            condensed = measure.judged_only or (rules.judged_only and measure.definition.condenses)
            condensed &= rules.judged_only
            why = " with --bounds" if whole_lists else " with --judged-only" if condensed else ""
            first = run.depth - rules.ignore_self
            mends = [
                f"score its file {run.source} with exported qrels",
                "load it again with a greater --depth",
                *([f"look at the first -M {first} alone"] if can_cut else []),
            ]
            raise UsageError(
                f"{measure}{why} looks deeper than the {run.depth} results a query that the"
                f" campaign keeps of run {run.tag!r}",
                f"{', '.join(mends[:-1])}, or {mends[-1]}",
            )
