"""The library: what `judge-tui score` and `compare` do, as functions; the commands call these."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, cast

from judge_tui.analysis.warnings import of_comparisons, of_grades, of_scores
from judge_tui.errors import UsageError
from judge_tui.evaluation.inputs import (
    EvaluationInputs,
    inputs_of_campaign,
    is_campaign,
    read_inputs,
    refuse_no_queries,
    refuse_other_texts,
)
from judge_tui.evaluation.runs import TaggedRun, tagged_runs
from judge_tui.evaluation.score_runs import score_runs, whole_runs
from judge_tui.model import Run
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    Measure,
    MeasureLike,
    Rules,
    Scores,
    by_grades,
    judged_beside,
    parse_measure,
    parse_measures,
)

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.comparison.comparison import Comparisons
    from judge_tui.comparison.paired_tests import Alternative
    from judge_tui.evaluation.shapes import QrelsSource, QueriesSource, RunsSource, SlicesSource
    from judge_tui.evaluation.slicing import Slicing
    from judge_tui.scoring.answers import Credit

__all__ = ["compare", "parse_measure", "possible_grades", "score"]

Measures: TypeAlias = Iterable[MeasureLike] | MeasureLike

BY_MAPPING = "slice"
"""What slices are by, where the caller says which query is in which."""


def score(
    qrels: QrelsSource | Campaign | EvaluationInputs | None = None,
    runs: RunsSource | None = None,
    measures: Measures | None = None,
    *,
    answers: str | os.PathLike[str] | None = None,
    credit: Credit = "once",
    complete: bool = False,
    judged_only: bool = False,
    depth: int | None = None,
    ignore_self: bool = False,
    rel: int | None = None,
    max_rel: int | None = None,
    bounds: bool | Iterable[int] = False,
    slices: SlicesSource | None = None,
    by: str | None = None,
    queries: QueriesSource | None = None,
    precision: Literal[64, 32] = 64,
    jobs: int | None = 1,
    policy: str = "majority",
    include_models: bool | None = None,
    also: Measures = (),
    use_latency: bool = True,
    on_read: Callable[[int, int], None] | None = None,
) -> Scores:
    """Score runs with qrels, by trec_eval's rules.

    `qrels`: a file, query_id -> doc_id -> grade, or a table with the columns `query_id`, `doc_id`,
    `relevance`. `runs`: a file, query_id -> doc_id -> score, a `Run`, a table with `query_id`,
    `doc_id`, `score` (or `rank`); a sequence of these; or tag -> one of these. A table is a data
    frame of pandas or polars, a mapping of columns, a structured array of numpy, or an iterable of
    rows: tuples of three, mappings with these keys, or objects with these attributes, such as those
    of ir_measures. Its columns may have the names that other tools give them (`qid`, `docno`,
    `label`). One called `tag`, `run`, `run_id` or `system` says whose each row is, and the table is
    cut into so many runs; no other column is looked at. `from_matrices` makes both of matrices.

    What is not a file is held to the rules of files: ids are text or whole numbers (white space in
    them is written as %20), each pair comes once, grades are whole, scores finite. Of a table, a
    row without a grade is not judged; errors count its rows from 1.

    In place of `qrels` a file of right `answers` may stand, each credited `once` or at `every`
    result that is right by it; or an open campaign (`open_campaign`), and then in place of `runs` a
    tag or a list of tags, or nothing for all of its runs: they are scored, as far as it keeps them,
    with its grades of this moment. `policy` makes one grade of several
    (`agreement.policies.POLICIES`); pairs that it does not decide are left out; `include_models`
    counts judges of kind model.

    `measures`: names as ir_measures or trec_eval write them, or measures of ir_measures; the usual
    ones by default. `rel` is the least grade that counts as relevant, `max_rel` the greatest of the
    scale, for measures that do not say so themselves. What is `also` measured can be asked of the
    runs, and so can the Judged@k that stand beside the measures.

    Averaged over the queries in both; with `complete` over all of the qrels, a missing one scoring
    0. `depth`: only so many results of each query are looked at. `judged_only` condenses the lists
    to judged documents; `ignore_self` leaves out results whose doc_id is the query's. `bounds`: the
    least and the greatest mean that judging every retrieved document of the queries averaged could
    give, over these grades; True stands for 0 to `max_rel`, else to the greatest grade of the
    qrels, at least 1. `slices` (query_id -> name of its slice, in a mapping or a series of pandas),
    or the field `by` of `queries`: each slice by itself, in `Scores.slices`; by `class`, classes
    whose queries declare `measures` have these. `precision`: bits that scores are compared in, as
    pytrec_eval does in 32. `jobs`: processes that read files, by copies of this one (`os.fork`);
    None for as many as pay. `use_latency`: a query that the NAME.latency.csv beside a run file
    says was asked in vain counts as nothing found. `on_read` is called with the bytes that are read
    and their total.

    >>> score({"q": {"a": 1}}, {"q": {"a": 2.0, "b": 3.0}}, "RR@10")["run"].mean("RR@10")
    0.5

    Raises `InputError` for a bad file and `UsageError` for anything else that cannot be scored.
    """
    rules = Rules(complete, judged_only, _whole("depth", depth, 1), ignore_self)
    bounded = bounds is not False
    if bounded and judged_only:
        raise UsageError(
            "bounds are about unjudged documents, and judged-only takes them out of the lists",
            "give one of the two",
        )
    inputs = _inputs(qrels, runs, answers, queries, policy, include_models=include_models)
    wanted = _wanted(
        inputs, measures, DEFAULT_MEASURES, also, (rel, max_rel), slices, by, rules, whole=bounded
    )
    scores = _scored(
        inputs,
        wanted,
        wanted.every,
        rules,
        credit=credit,
        precision=precision,
        jobs=jobs,
        possible=possible_grades(bounds, max_rel, inputs) if bounded else None,
        use_latency=use_latency,
        on_read=on_read,
    )
    if bounded and scores.unlike is not None:
        raise UsageError(
            "the classes are scored by different measures, so that there is no value over all"
            " queries to bound",
            "leave the bounds out",
        )
    return replace(
        scores, warnings=(*scores.warnings, *of_scores(scores), *_campaign_warnings(inputs))
    )


def compare(
    qrels: QrelsSource | Campaign | EvaluationInputs | None = None,
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
    rel: int | None = None,
    max_rel: int | None = None,
    slices: SlicesSource | None = None,
    by: str | None = None,
    queries: QueriesSource | None = None,
    precision: Literal[64, 32] = 64,
    jobs: int | None = 1,
    policy: str = "majority",
    include_models: bool | None = None,
    also: Measures = (),
    on_read: Callable[[int, int], None] | None = None,
) -> Comparisons:
    """Compare runs with a baseline: the one that is named, else a campaign's, else the first run.

    Parameters that `score` has, too, mean the same; nDCG@10 is compared by default, and measures of
    which more is not better are refused. Paired by query: one counts where the qrels and both
    runs have it. The first test gives the verdict, by its p for `alternative`, corrected over every
    measure x run (x slice), at `alpha`. With `all_pairs` each run is the baseline of each later one
    instead; with slices each slice is compared by itself; `tukey` adds randomised Tukey HSD of all
    pairs. Whatever is drawn is drawn from `seed`. The scores that are compared stand in
    `Comparisons.scores`.

    Raises `InputError` for a bad file and `UsageError` for anything else that cannot be compared.
    """
    from judge_tui.comparison.compare import (  # noqa: PLC0415 - scoring alone needs none of it
        COMPARED_BY_DEFAULT,
        compare_scores,
        measures_needed,
    )
    from judge_tui.comparison.settings import ComparisonSettings  # noqa: PLC0415 - as above

    inputs = _inputs(qrels, runs, answers, queries, policy, include_models=include_models)
    if baseline is None and inputs.from_campaign is not None and not all_pairs:
        baseline = inputs.from_campaign.baseline
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
    rules = Rules(complete=complete, ignore_self=ignore_self)
    wanted = _wanted(inputs, measures, COMPARED_BY_DEFAULT, also, (rel, max_rel), slices, by, rules)
    scores = _scored(
        inputs,
        wanted,
        measures_needed(wanted.every),
        rules,
        credit=credit,
        precision=precision,
        jobs=jobs,
        on_read=on_read,
    )
    found = compare_scores(scores, settings)
    return replace(
        found, warnings=(*scores.warnings, *of_comparisons(found), *_campaign_warnings(inputs))
    )


class _Wanted(NamedTuple):
    """What the caller wants: the `measures` of all queries, the slices with those of their own, and
    `every` measure of either; `further`, not shown among these, what `also` names and the Judged@k.
    """

    measures: tuple[Measure, ...]
    slicing: Slicing | None
    every: tuple[Measure, ...]
    further: tuple[Measure, ...]


def _inputs(
    qrels: QrelsSource | Campaign | EvaluationInputs | None,
    runs: RunsSource | None,
    answers: str | os.PathLike[str] | None,
    queries: QueriesSource | None,
    policy: str,
    *,
    include_models: bool | None,
) -> EvaluationInputs:
    if isinstance(qrels, EvaluationInputs):
        return qrels if runs is None else replace(qrels, runs=tagged_runs(runs))
    if is_campaign(qrels):
        tags = cast("Sequence[str] | str | None", runs)
        return inputs_of_campaign(
            qrels, tags, policy=policy, include_models=include_models, queries=queries
        )
    if policy != "majority" or include_models is not None:
        raise UsageError(
            "policy and include_models are about a campaign",
            "give one that judge_tui.open_campaign has opened, or leave them out",
        )
    if runs is None:
        raise UsageError("there is no run", "give at least one")
    return read_inputs(cast("QrelsSource | None", qrels), runs, answers=answers, queries=queries)


def _wanted(
    inputs: EvaluationInputs,
    measures: Measures | None,
    usual: Sequence[str],
    also: Measures,
    limits: tuple[int | None, int | None],
    slices: SlicesSource | None,
    by: str | None,
    rules: Rules,
    *,
    whole: bool = False,
) -> _Wanted:
    """Return what is wanted, and refuse what the inputs do not answer.

    `usual`: the measures where none are named; of a campaign those of them that look no deeper than
    it keeps its runs. `limits`: `rel` and `max_rel`; `whole`: all of each list is needed."""
    rel, max_rel = limits
    campaign = inputs.from_campaign
    if max_rel is None and campaign is not None:
        max_rel = max(campaign.scale)
    parse = partial(
        parse_measures,
        rel=_whole("rel", rel, 1),
        max_rel=_whole("max_rel", max_rel, 1),
    )
    named = parse(_usual(inputs, usual) if measures is None else measures)
    if measures is None and campaign is not None:
        named, _ = campaign.kept.answerable(named, rules, whole_lists=whole)
    slicing = _slicing(inputs, slices, by, parse)
    if not named and not (slicing and slicing.measures):
        raise UsageError("no measure is named", "name one, or leave them out for the usual")
    every = named if slicing is None else slicing.every(named)
    further = parse_measures(also)
    # Answers do not say what was judged.
    shares = judged_beside(every) if inputs.truths is None else ()
    if campaign is not None:
        campaign.refuse_too_deep((*every, *further), inputs.demands, rules, whole_lists=whole)
        # Nor does a campaign of what lies deeper than it keeps its runs.
        shares = tuple(one for one in shares if not campaign.kept.too_deep(one, rules))
    return _Wanted(named, slicing, every, (*further, *shares))


def _campaign_warnings(inputs: EvaluationInputs) -> tuple[str, ...]:
    """Return what readers must know of a campaign's grades."""
    campaign = inputs.from_campaign
    if campaign is None:
        return ()
    return of_grades(campaign.grades)


def _usual(inputs: EvaluationInputs, usual: Sequence[str]) -> list[str]:
    names = list(usual)
    if inputs.truths is not None:
        credited = [name for name in usual if parse_measure(name).definition.credited]
        names = credited if inputs.truths else []  # answers may say an order alone
    if not inputs.demands:
        return names
    from judge_tui.scoring.order import demanded_measures  # noqa: PLC0415 - start-up is counted

    return [*names, *demanded_measures(inputs.demands)]


def _slicing(
    inputs: EvaluationInputs,
    slices: SlicesSource | None,
    by: str | None,
    parse: Callable[[Iterable[str]], tuple[Measure, ...]],
) -> Slicing | None:
    if slices is None and by is None:
        return None
    from judge_tui.evaluation.slicing import (  # noqa: PLC0415 - few are sliced
        Slicing,
        slices_of,
        slicing_by,
    )

    if slices is not None and by is not None:
        raise UsageError("slices are given twice", "give slices, or by and queries")
    refuse_no_queries(by, inputs.queries)
    slicing = (
        Slicing(BY_MAPPING, slices_of(slices), {})
        if slices is not None
        else slicing_by(str(by), inputs.queries, parse)
    )
    known = inputs.qrels.keys() | inputs.demands.keys()
    if slicing.of_query and known and slicing.of_query.keys().isdisjoint(known):
        raise UsageError(
            f"the queries and the {inputs.grounds} have no id in common:"
            f" {min(slicing.of_query)!r} there and {min(known)!r} here",
            "use the same query ids in both",
        )
    return slicing


def _scored(
    inputs: EvaluationInputs,
    wanted: _Wanted,
    measures: Sequence[Measure],
    rules: Rules,
    *,
    credit: Credit,
    precision: Literal[64, 32],
    jobs: int | None,
    possible: Sequence[int] | None = None,
    use_latency: bool = True,
    on_read: Callable[[int, int], None] | None = None,
) -> Scores:
    """Score the runs, which are read now, by all of the `measures` and by those wanted further; the
    scores show the measures that the caller named. `possible`: grades, for the bounds."""
    refuse_other_texts(inputs)
    every = tuple(dict.fromkeys((*measures, *wanted.further)))
    graded = by_grades(every)
    ordered = len(graded) < len(every)
    demanding = [query_id for query_id, its in inputs.demands.items() if its] if ordered else []
    runs: list[Run] = []
    warnings: tuple[str, ...] = ()
    if ordered or inputs.truths is not None:
        runs, warnings = whole_runs(
            inputs.runs,
            precision=precision,
            use_latency=use_latency,
            ignore_self=rules.ignore_self,
        )
        inputs = replace(inputs, runs=[TaggedRun(None, run) for run in runs])
    if inputs.truths is None:
        scores = score_runs(
            inputs.qrels,
            inputs.runs,
            graded,
            rules=rules,
            precision=precision,
            jobs=_whole("jobs", jobs, 1),
            possible_grades=possible,
            on_read=on_read,
            use_latency=use_latency,
            demanding=demanding,
        )
    else:
        from judge_tui.scoring.answers import score_by_answers  # noqa: PLC0415 - few have them

        scores = score_by_answers(
            inputs.truths, runs, graded, rules, credit=credit, demanding=demanding
        )
    scores = replace(scores, warnings=(*inputs.warnings, *scores.warnings, *warnings))
    if ordered:
        from judge_tui.scoring.order import with_order  # noqa: PLC0415 - as above

        scores = with_order(scores, runs, inputs.demands, every)
    scores = scores.only(wanted.measures)
    if wanted.slicing is None:
        return scores
    from judge_tui.scoring.slices import slice_scores  # noqa: PLC0415 - few are sliced

    by, of_query, measures_of = wanted.slicing
    slices = slice_scores(scores, by, of_query, measures_of)
    return replace(scores, measures=slices.measures, slices=slices)


def possible_grades(
    bounds: bool | Iterable[int], greatest: int | None, inputs: EvaluationInputs
) -> list[int]:
    """Return the grades that a document which nobody judged might get, ascending: these `bounds`,
    or with True those of the campaign's scale, or 0 to the `greatest` or that of the qrels."""
    from judge_tui.scoring.bounds import grades_up_to  # noqa: PLC0415 - few ask for bounds

    if not isinstance(bounds, bool):
        grades = [_whole("a grade of the bounds", grade, 0) or 0 for grade in bounds]
        if not grades:
            raise UsageError("bounds [] are no scale", "give its grades, or True")
        return sorted(set(grades))
    if inputs.from_campaign is not None and greatest is None:
        return list(inputs.from_campaign.scale)
    return list(grades_up_to(greatest, inputs.qrels))


def _whole(name: str, value: int | None, least: int) -> int | None:
    """Return a number, which Python callers may give as anything. Raises `UsageError`."""
    if value is None:
        return None
    try:
        if isinstance(value, bool) or int(value) != value or value < least:
            raise ValueError
    except (TypeError, ValueError):
        raise UsageError(f"{name} is {value!r}", f"give a whole number from {least}") from None
    return int(value)
