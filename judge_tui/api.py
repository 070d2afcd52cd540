"""The library: what `judge-tui score` and `compare` do, as functions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from judge_tui.evaluation.inputs import inputs_of
from judge_tui.evaluation.score_inputs import compare_inputs, score_inputs
from judge_tui.evaluation.score_runs import ScoringQuestion
from judge_tui.scoring import Rules, Scores, parse_measure

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.comparison.comparison import Comparisons
    from judge_tui.comparison.paired_tests import Alternative
    from judge_tui.evaluation.inputs import QrelsSource, QueriesSource
    from judge_tui.evaluation.runs import RunsSource
    from judge_tui.evaluation.score_runs import Measures, SlicesSource
    from judge_tui.scoring.answers import Credit
    from judge_tui.scoring.filled import StandIn

__all__ = ["compare", "parse_measure", "score"]


def score(
    qrels: QrelsSource | Campaign | None = None,
    runs: RunsSource | None = None,
    measures: Measures | None = None,
    *,
    answers: str | os.PathLike[str] | None = None,
    credit: Credit = "once",
    complete: bool = False,
    judged_only: bool = False,
    depth: int | None = None,
    ignore_self: bool = False,
    unjudged: StandIn = "zero",
    rel: int | None = None,
    max_rel: int | None = None,
    bounds: bool = False,
    slices: SlicesSource | None = None,
    by: str | None = None,
    queries: QueriesSource | None = None,
    precision: Literal[64, 32] = 64,
    jobs: int | None = 1,
    policy: str | None = None,
    include_models: bool | None = None,
) -> Scores:
    """Score runs with qrels, by trec_eval's rules.

    `qrels`: a file, query_id -> doc_id -> grade, a data frame of pandas or polars with the columns
    `query_id`, `doc_id`, `relevance`, or rows of three: tuples, or objects with these attributes,
    such as those of ir_measures. `runs`: the same with `score` (in a frame also `rank`); a sequence
    of these; or tag -> one of these. What is not a file is held to the rules of
    files; a row without a grade is not judged; errors count rows from 1.

    In place of `qrels` a file of right `answers` may stand, each credited `once` or at `every`
    result that is right by it; or an open campaign (`open_campaign`), and in place of `runs` tags,
    or nothing for all of its runs. `policy` makes one grade of several
    (`agreement.policies.POLICIES`), `include_models` counts judges of kind model.

    `measures`: names as ir_measures or trec_eval write them, or measures of ir_measures. `rel` is
    the least grade that counts as relevant, `max_rel` the greatest of the scale, for measures that
    do not say so themselves.

    Averaged over the queries in both; with `complete` over all of the qrels, a missing one scoring
    0. `depth`: only so many results of each query are looked at. `judged_only` condenses the lists
    to judged documents; `ignore_self` leaves out results whose doc_id is the query's. `unjudged`:
    what a result gains that nobody judged, zero, or what is `expected` of it by judged results of
    other queries at like ranks, or, by the name of a campaign's judge of kind model, what its
    grades let expect: then read differences alone. `bounds`: the lowest and the highest mean that
    judging every retrieved document could give, over the grades of the campaign, or 0 to `max_rel`,
    else to the greatest of the qrels. `slices` (query_id -> name), or the field `by` of `queries`:
    each slice by itself, in `Scores.slices`. `precision`: bits that scores are compared in. `jobs`:
    processes that read files; None for as many as pay.

    >>> score({"q": {"a": 1}}, {"q": {"a": 2.0, "b": 3.0}}, "RR@10")["run"].mean("RR@10")
    0.5

    Raises `InputError` for a bad file and `UsageError` for anything else that cannot be scored.
    """
    question = ScoringQuestion(
        measures=measures,
        rel=rel,
        max_rel=max_rel,
        bounds=bounds,
        slices=slices,
        by=by,
        rules=Rules(complete, judged_only, depth, ignore_self),
        unjudged=unjudged,
        credit=credit,
        precision=precision,
        jobs=jobs,
    )
    inputs = inputs_of(
        qrels,
        runs,
        answers,
        queries,
        policy=policy,
        include_models=include_models,
        unjudged=unjudged,
    )
    return score_inputs(inputs, question)


def compare(
    qrels: QrelsSource | Campaign | Scores | None = None,
    runs: RunsSource | None = None,
    measures: Measures | None = None,
    *,
    answers: str | os.PathLike[str] | None = None,
    credit: Credit = "once",
    baseline: str | None = None,
    all_pairs: bool = False,
    tests: Sequence[str] | str = ("wilcoxon", "permutation"),
    correction: str = "holm",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    seed: int = 0,
    tukey: bool = False,
    complete: bool = False,
    ignore_self: bool = False,
    unjudged: StandIn = "zero",
    rel: int | None = None,
    max_rel: int | None = None,
    slices: SlicesSource | None = None,
    by: str | None = None,
    queries: QueriesSource | None = None,
    precision: Literal[64, 32] = 64,
    jobs: int | None = 1,
    policy: str | None = None,
    include_models: bool | None = None,
) -> Comparisons:
    """Compare runs with a baseline: the one that is named, else a campaign's, else the first run.

    Parameters that `score` has, too, mean the same; nDCG@10 is compared by default, and measures of
    which more is not better are refused. In place of qrels and runs `Scores` may stand: those of
    `score`, or values that were measured elsewhere (`read_values`), by the measures that they have.

    Paired by query: one counts where the qrels and both runs have it. The first test gives the
    verdict, by its p for `alternative`, corrected over every measure x run (x slice), at `alpha`.
    With `all_pairs` each run is the baseline of each later one instead; with slices each slice is
    compared by itself; `tukey` adds randomised Tukey HSD of all pairs. Whatever is drawn is drawn
    from `seed`. The scores that are compared stand in `Comparisons.scores`.

    Raises `InputError` for a bad file and `UsageError` for anything else that cannot be compared.
    """
    from judge_tui.comparison.settings import ComparisonSettings  # noqa: PLC0415 - scoring alone needs none of it

    settings = ComparisonSettings(
        baseline=baseline,
        all_pairs=all_pairs,
        tests=(tests,) if isinstance(tests, str) else tuple(tests),
        correction=correction,
        alternative=alternative,
        alpha=alpha,
        seed=seed,
        tukey=tukey,
    )
    question = ScoringQuestion(
        measures=measures,
        rel=rel,
        max_rel=max_rel,
        slices=slices,
        by=by,
        rules=Rules(complete=complete, ignore_self=ignore_self),
        unjudged=unjudged,
        credit=credit,
        precision=precision,
        jobs=jobs,
    )
    inputs = inputs_of(
        qrels,
        runs,
        answers,
        queries,
        baseline=baseline,
        join_baseline=not all_pairs,
        policy=policy,
        include_models=include_models,
        unjudged=unjudged,
    )
    return compare_inputs(inputs, question, settings)
