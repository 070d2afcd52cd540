"""What a reader of a comparison must know before believing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from judge_tui.scoring import RunScores, mean, shown_slice
from judge_tui.scoring.scores import without_judgment
from judge_tui.significance.comparison import Comparison
from judge_tui.significance.pairing import Runs
from judge_tui.significance.parts import Parts
from judge_tui.significance.settings import Settings
from judge_tui.significance.verdict import FEWEST_QUERIES

__all__ = ["FEW_QUERIES", "cautions", "few_queries"]

FEW_QUERIES = 30
"""Fewer than this many queries: a warning."""


def cautions(
    paired: Sequence[Runs],
    parts: Parts,
    comparisons: Sequence[Comparison],
    settings: Settings,
    by: str = "qrels",
) -> Iterator[str]:
    """One sentence each for missing queries, few queries, measures that are averaged in another way
    elsewhere, and a mean that contradicts its test. `by`: as in `Scores`.
    """
    runs = {run.tag: run for pair in paired for run in pair}
    if settings.all_pairs:
        for run in runs.values():
            if left_out := _left_out(run):
                yield (
                    f"queries of the {by} that are missing from {run.tag!r}: "
                    f"{left_out}; its pairs are compared without them"
                )
    else:
        yield from _missing(paired, by)
    yield from _counted_as_nothing(runs.values())
    shared = [
        Counter(parts.name_of(query_id) for query_id in {*before.query_ids} & {*after.query_ids})
        for before, after in paired
    ]
    pairs = [(before.tag, after.tag) for before, after in paired]
    for name, measures in parts.measures.items():
        if measures:
            yield from few_queries(pairs, [counts[name] for counts in shared], _within(name))
    for run in runs.values():
        yield from without_judgment(run, by)
    for measure in dict.fromkeys(measure for measure, _ in parts):
        if measure.definition.average is not mean:
            yield (
                f"{measure} is no arithmetic mean over queries elsewhere; here its means and "
                "differences are, as the tests look at single queries"
            )
    for comparison in comparisons:
        if comparison.contradicted(settings):
            beside = f" beside {comparison.baseline!r}" if settings.all_pairs else ""
            yield (
                f"{comparison.tag!r}{beside} by {comparison.measure}{_within(comparison.slice)}: "
                f"the {settings.tests[0]} test and the mean difference do not point the same way: "
                "no difference is shown"
            )


def _within(name: str | None) -> str:
    return "" if name is None else f" in slice {shown_slice(name)!r}"


def _missing(paired: Sequence[Runs], by: str) -> Iterator[str]:
    for baseline, run in paired:
        judged = len({*baseline.query_ids, *baseline.missing_run})
        both = len(set(baseline.query_ids) & set(run.query_ids))
        if both < judged:
            yield (
                f"{baseline.tag!r} and {run.tag!r} are compared over {both} of the {judged} "
                f"queries of the {by}: {_left_out(baseline)} missing from "
                f"{baseline.tag!r}, {_left_out(run)} from {run.tag!r} (--complete counts"
                " what is missing as 0)"
            )


def _left_out(run: RunScores) -> int:
    """How many queries of the qrels it does not answer, but for those that count as 0."""
    return len(set(run.missing_run) - set(run.query_ids))


def _counted_as_nothing(runs: Iterable[RunScores]) -> Iterator[str]:
    for run in runs:
        if nothing := len(run.without_results):
            yield (
                f"queries without results in {run.tag!r}: {nothing} of {len(run.query_ids)}, "
                "counted as 0"
            )


def few_queries(
    pairs: Sequence[tuple[str, str]], queries: Sequence[int], where: str
) -> Iterator[str]:
    """One sentence for all pairs of tags that share as many queries, where these are few; `where`
    follows the tags."""
    together: dict[int, list[tuple[str, str]]] = {}
    for tags, both in zip(pairs, queries, strict=True):
        together.setdefault(both, []).append(tags)
    for both, group in sorted(together.items()):
        baseline, run = group[0]
        more = f" and {len(group) - 1} more" if len(group) > 1 else ""
        who = f"{baseline!r} and {run!r}{more}{where}"
        if not both:
            yield f"{who}: no paired query, and so no comparison"
        elif both < FEWEST_QUERIES:
            yield f"{who}: paired queries {both}, fewer than {FEWEST_QUERIES}; take more queries"
        elif both < FEW_QUERIES:
            yield (
                f"{who}: paired queries {both}, fewer than {FEW_QUERIES}; "
                "only a large difference can be shown"
            )
