"""Runs side by side: paired, tested, corrected over the whole family, and judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from judge_tui.comparison.comparison import Comparison, Comparisons, sort_changes
from judge_tui.comparison.corrections import effect_size
from judge_tui.comparison.outcomes import (
    Difference,
    Outcome,
    Sides,
    differences_of,
    outcomes_of,
)
from judge_tui.comparison.pairing import (
    Pair,
    Parts,
    Runs,
    pair_up,
    parts_of,
    refuse_apart,
    who_with_whom,
)
from judge_tui.comparison.power import detectable_effect
from judge_tui.comparison.settings import Settings
from judge_tui.comparison.tukey import tukey_pairs
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    Measure,
    Scores,
    parse_measure,
)

__all__ = ["COMPARED_BY_DEFAULT", "compare_paired", "compare_scores"]

COMPARED_BY_DEFAULT = tuple(
    name for name in DEFAULT_MEASURES if parse_measure(name).definition.quality
)
"""How much of a list is judged says nothing of its quality, and would widen the family."""


def compare_scores(
    scores: Scores,
    measures: Sequence[Measure],
    settings: Settings = Settings(),  # noqa: B008 - frozen
    *,
    slices: Mapping[str, str] | None = None,
    measures_of: Mapping[str, Sequence[Measure]] | None = None,
) -> Comparisons:
    """Compare runs that are scored already, by `measures_needed` of all measures at least.

    Paired by query: a query counts where the qrels and both runs have it. With `slices` (query_id
    -> name of its slice, "" for a query that is not in it) each slice is compared by itself, by
    those measures that `measures_of` has for its name, if any. The verdict is that of the first
    test, by its p for the alternative, adjusted over every measure x run (x slice). Nothing is
    drawn but from the seed. Raises `UsageError` for two runs that share no query.
    """
    paired = who_with_whom(scores, settings)
    refuse_apart(paired)
    parts = parts_of(scores, measures, slices, measures_of or {})
    compared = compare_paired(paired, parts, settings, scores)
    if not settings.tukey:
        return compared
    return replace(compared, tukey=tuple(tukey_pairs(scores.runs, parts, settings.seed)))


def compare_paired(
    paired: Sequence[Runs],
    parts: Parts,
    settings: Settings,
    scores: Scores,
) -> Comparisons:
    """Compare the second run of each pair with the first, part by part of the queries; `scores` are
    those of the runs that are compared, and the rest is as in `compare_scores`."""
    pairs = list(pair_up(paired, parts))
    sides = [Sides(pair.before, pair.after) for pair in pairs]
    comparisons = tuple(
        _comparison(pair, difference, outcome, settings)
        for pair, difference, outcome in zip(
            pairs,
            differences_of(sides, settings.seed),
            outcomes_of(sides, settings),
            strict=True,
        )
    )
    baselines = {before.tag for before, _ in paired}
    return Comparisons(
        baseline=None if settings.all_pairs or len(baselines) > 1 else paired[0][0].tag,
        settings=settings,
        sliced=parts.of_query is not None,
        complete=scores.rules.complete,
        comparisons=comparisons,
        tukey=None,
        paired=tuple(paired),
        scores=scores,
    )


def _comparison(
    pair: Pair, difference: Difference, outcome: Outcome, settings: Settings
) -> Comparison:
    n = len(pair.query_ids)
    differences = pair.after - pair.before
    effect = effect_size(differences)
    detectable = detectable_effect(n, settings.alpha, settings.alternative)
    why = dict(difference.why)
    if effect is None:
        why["effect_size"] = (
            "a standard deviation needs at least 2 queries with unequal differences"
        )
    if detectable is None:
        why["detectable_effect"] = f"no power can be had from {n} queries at alpha {settings.alpha}"
    return Comparison(
        measure=pair.measure,
        baseline=pair.baseline,
        tag=pair.tag,
        slice=pair.slice,
        queries=n,
        baseline_mean=difference.before,
        mean=difference.after,
        delta=difference.delta,
        ci95=difference.ci95,
        wins=difference.wins,
        ties=difference.ties,
        losses=difference.losses,
        tests=outcome.tests,
        p_adjusted=outcome.p_adjusted,
        effect_size=effect,
        detectable_effect=detectable,
        verdict=outcome.verdict,
        changed=sort_changes(
            pair.query_ids,
            differences,
            (pair.found_before > 0).tolist(),
            (pair.found_now > 0).tolist(),
        ),
        why=why,
    )
