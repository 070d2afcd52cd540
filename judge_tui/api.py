"""The library: what the commands do, as functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from judge_tui.scoring import DEFAULT_MEASURES, Measure, Scores, parse_measure, score_runs
from judge_tui.sources import QrelsSource, RunsSource, qrels_from, runs_from

if TYPE_CHECKING:
    from judge_tui.significance import Alternative, Comparisons

__all__ = ["compare", "parse_measure", "score"]


def score(
    qrels: QrelsSource,
    runs: RunsSource,
    measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES,
    *,
    complete: bool = False,
    judged_only: bool = False,
) -> Scores:
    """Score runs with qrels, by trec_eval's rules.

    `qrels`: a TREC file or query_id -> doc_id -> grade. `runs`: a TREC file, query_id -> doc_id ->
    score, a `Run`, a sequence of these, or tag -> one of these. `measures`: names as ir_measures
    writes them. Averaged over the queries in both; with `complete` over all of the qrels, a
    missing one scoring 0. `judged_only` condenses the lists to judged documents first.

    >>> score({"q": {"a": 1}}, {"q": {"a": 2.0, "b": 3.0}}, "RR@10")["run"].mean("RR@10")
    0.5

    Raises `InputError` for a bad file and `UsageError` for a request that cannot be met.
    """
    return score_runs(
        qrels_from(qrels), runs_from(runs), measures, complete=complete, judged_only=judged_only
    )


def compare(
    qrels: QrelsSource,
    runs: RunsSource,
    measures: Iterable[Measure | str] | Measure | str | None = None,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    tests: Sequence[str] | str = ("wilcoxon", "permutation"),
    correction: str = "holm",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    seed: int = 0,
    slices: Mapping[str, str] | None = None,
    tukey: bool = False,
) -> Comparisons:
    """Compare runs with a baseline, the first run unless named: is the difference real?

    Sources and measures are those of `score`; by default its measures but for Judged. The first
    test gives the verdict, by its p for `alternative`, corrected over every measure x run. With
    `all_pairs` each run is compared with every earlier one instead; with `slices` (query_id ->
    name of its slice) each slice by itself; `tukey` adds randomised Tukey HSD of all pairs.

    Raises `InputError` for a bad file and `UsageError` for a request that cannot be met.
    """
    # numpy costs 60 ms, which scoring alone does not have to spend.
    from judge_tui.significance import COMPARED_BY_DEFAULT, compare_runs  # noqa: PLC0415

    return compare_runs(
        qrels_from(qrels),
        runs_from(runs),
        COMPARED_BY_DEFAULT if measures is None else measures,
        baseline=baseline,
        all_pairs=all_pairs,
        tests=(tests,) if isinstance(tests, str) else tests,
        correction=correction,
        alternative=alternative,
        alpha=alpha,
        seed=seed,
        slices=slices,
        tukey=tukey,
    )
