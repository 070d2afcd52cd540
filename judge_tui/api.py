"""The library: what the commands do, as functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, cast

from judge_tui.analysis.warnings import of_comparisons, of_scores
from judge_tui.arguments import is_whole, number, whole, whole_or_none
from judge_tui.errors import UsageError, in_message
from judge_tui.judged_campaign import Choice, is_campaign, kept_in, within_kept
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    Asked,
    Measure,
    Rules,
    Scores,
    judged_beside,
    parse_measure,
    parse_measures,
    refuse_bounds,
    slice_scores,
)
from judge_tui.sources import from_matrices, qrels_from
from judge_tui.streaming import score_sources

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.judged_runs import JudgedRuns
    from judge_tui.class_measures import Slicing
    from judge_tui.model import Qrels, Query
    from judge_tui.significance import Alternative, Comparisons
    from judge_tui.sources import QrelsSource, QueriesSource, RunsSource, SlicesSource

__all__ = ["compare", "from_matrices", "parse_measure", "score"]

Measures: TypeAlias = Iterable[Asked] | Asked

BY_MAPPING = "slice"
"""What slices are by, where the caller says which query is in which."""


class _Given(NamedTuple):
    """What is scored, and by what: `kept` is there with a campaign; `remarks` are to be told with
    the values."""

    asked: tuple[Measure, ...]
    slicing: Slicing | None
    qrels: Qrels
    runs: RunsSource
    kept: JudgedRuns | None
    remarks: tuple[str, ...]


def score(
    qrels: QrelsSource | Campaign,
    runs: RunsSource | None = None,
    measures: Measures = DEFAULT_MEASURES,
    *,
    complete: bool = False,
    judged_only: bool = False,
    depth: int | None = None,
    rel: int | None = None,
    max_rel: int | None = None,
    bounds: bool | Iterable[int] = False,
    slices: SlicesSource | None = None,
    by: str | None = None,
    queries: QueriesSource | None = None,
    precision: Literal[64, 32] = 64,
    jobs: int | None = 1,
    policy: str = "majority",
    unresolved: str = "skip",
    include_models: bool | None = None,
) -> Scores:
    """Score runs with qrels, by trec_eval's rules.

    `qrels`: a file, query_id -> doc_id -> grade, or a table with the columns `query_id`, `doc_id`,
    `relevance`. `runs`: a file, query_id -> doc_id -> score, a `Run`, a table with `query_id`,
    `doc_id`, `score` (or `rank`); a sequence of these; or tag -> one of these. A table is a data
    frame of pandas or polars, a mapping of columns, a structured array of numpy, or an iterable of
    rows: tuples of three, mappings with these keys, or objects with these attributes, such as those
    of ir_measures. Its columns may have the names that other tools give them (`qid`, `docno`,
    `label`). One called `tag` says whose each row is, and the table is
    cut into so many runs; no other column is looked at. `from_matrices` makes both of matrices.

    What is not a file is held to the rules of files: ids are text or whole numbers (white space in
    them is written as %20), each pair comes once, grades are whole, scores finite. Of a table, a
    row without a grade is not judged; errors count its rows from 1.

    `measures`: names as ir_measures or trec_eval write them, or measures of ir_measures. `rel` is
    the least grade that counts as relevant, `max_rel` the greatest of the scale, for measures that
    do not say so themselves.

    Averaged over the queries in both; with `complete` over all of the qrels, a missing one scoring
    0. `depth`: only so many results of each query are looked at. `judged_only` condenses the lists
    to judged documents. `bounds`: the least and the greatest mean that judging every retrieved
    document of the queries averaged could give, over these grades; True stands for 0 to `max_rel`,
    else to the greatest grade of the qrels, at least 1. All left unjudged is one more case: a grade
    of 0 to most measures, also where a scale without 0 is given. `slices` (query_id -> name of its
    slice, in a mapping or a series of pandas), or the field `by` of `queries`, which may declare
    measures of their own: each slice by itself, in `Scores.slices`; by `class`, standard classes
    have theirs where none are given. Where slices then differ in their measures, `mean` of a whole
    run goes over all of its queries still and says little; `Scores.slices.to_rows()` has those of
    the slices. Where classes ask for unlike things and have the same measures all the same, as
    where the slices are by another field, `Scores.warnings` says so. `queries` with ids and texts
    join qrels and runs of which one names queries by ids and the other by texts, with slices or
    without. `precision`: bits that scores are compared in, as pytrec_eval does in 32. `jobs`:
    processes that read files, by copies of this one (`os.fork`); None for as many as pay.

    In place of `qrels` an open campaign (`open_campaign`) may stand, and then in place of `runs` a
    tag or a list of tags, or nothing for all of its runs: they are scored, as far as it keeps them,
    with its grades of this moment. `policy` makes one grade of several (`agreement.POLICIES`, and
    whatever the lead settled goes before it), `unresolved` is what becomes of pairs that it does
    not decide: `skip`, `refuse`, or `lead`, which leaves out all that are disputed and not settled;
    `include_models` counts judges of kind model. Its queries are those of `by`, where no others are
    given, and its greatest grade is `max_rel`. A usual measure that looks deeper than it keeps its
    runs is left out, which `Scores.warnings` tells; one that was named is refused.

    >>> score({"q": {"a": 1}}, {"q": {"a": 2.0, "b": 3.0}}, "RR@10")["run"].mean("RR@10")
    0.5

    Raises `InputError` for a bad file and `UsageError` for anything else that cannot be scored.
    """
    depth = whole_or_none("depth", depth)
    if depth is not None and depth < 1:
        raise UsageError(f"depth {depth} leaves no result", "give at least 1")
    rules = Rules(complete, judged_only, depth)
    if bounds is not False:
        refuse_bounds(rules)
    given = _given(
        qrels,
        runs,
        measures,
        usual=measures is DEFAULT_MEASURES,
        rules=rules,
        limits=(rel, max_rel),
        slices=slices,
        by=by,
        queries=queries,
        whole_lists=bounds is not False,
        choice=Choice(policy, unresolved, include_models),
    )
    asked, slicing = given.asked, given.slicing
    scores = score_sources(
        given.qrels,
        given.runs,
        parse_measures([*(every := _every(asked, slicing)), *judged_beside(every)]),
        rules=rules,
        precision=_bits(precision),
        jobs=whole_or_none("jobs", jobs),
        grades=None if bounds is False else _possible_grades(bounds, max_rel, given),
    ).only(asked)
    scores = replace(scores, remarks=(*scores.remarks, *given.remarks))
    if slicing is None:
        return replace(scores, warnings=of_scores(scores))
    cut = slice_scores(scores, slicing.by, slicing.of_query, slicing.measures)
    if bounds is not False and not cut.composite:
        raise UsageError(
            f"the slices by {slicing.by} are scored by different measures, so that there is no"
            " value over all queries to bound",
            "leave the bounds out",
        )
    sliced = scores.only(cut.measures).cut_into(cut)
    return replace(sliced, warnings=of_scores(sliced))


def compare(
    qrels: QrelsSource | Campaign,
    runs: RunsSource | None = None,
    measures: Measures | None = None,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    tests: Sequence[str] | str = ("wilcoxon", "permutation"),
    correction: str = "holm",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    seed: int = 0,
    tukey: bool = False,
    complete: bool = False,
    rel: int | None = None,
    max_rel: int | None = None,
    slices: SlicesSource | None = None,
    by: str | None = None,
    queries: QueriesSource | None = None,
    precision: Literal[64, 32] = 64,
    jobs: int | None = 1,
    policy: str = "majority",
    unresolved: str = "skip",
    include_models: bool | None = None,
) -> Comparisons:
    """Compare runs with a baseline, the first run unless named: is the difference real?

    Sources (a campaign, too, with `policy`, `unresolved` and `include_models`), measures, slices,
    `complete`, `precision` and `jobs` are those of `score`; by default
    its measures but for Judged: those of which more is not better are refused. Paired by query: one
    counts where the qrels and both runs have it. The first test gives the verdict, by its p for
    `alternative`, corrected over every measure x run (x slice), at `alpha`. With `all_pairs` each
    run is compared with every earlier one instead; with slices each slice by itself; `tukey` adds
    randomised Tukey HSD of all pairs. Whatever is drawn is drawn from `seed`.

    Raises `InputError` for a bad file and `UsageError` for anything else that cannot be compared.
    """
    # numpy costs 60 ms, which scoring alone does not have to spend.
    from judge_tui.significance import (  # noqa: PLC0415
        COMPARED_BY_DEFAULT,
        Settings,
        compare_scores,
        measures_needed,
    )

    settings = Settings(
        baseline=None if baseline is None else str(baseline),
        all_pairs=all_pairs,
        tests=_tests(tests),
        # Of names that are no text, too, those that there are can be told.
        correction=str(correction),
        alternative=cast("Alternative", str(alternative)),
        alpha=number("alpha", alpha),
        seed=whole("seed", seed),
        tukey=tukey,
    )
    rules = Rules(complete=complete)
    given = _given(
        qrels,
        runs,
        COMPARED_BY_DEFAULT if measures is None else measures,
        usual=measures is None,
        rules=rules,
        limits=(rel, max_rel),
        slices=slices,
        by=by,
        queries=queries,
        whole_lists=False,
        choice=Choice(policy, unresolved, include_models),
    )
    asked, slicing = given.asked, given.slicing
    scores = score_sources(
        given.qrels,
        given.runs,
        parse_measures([*measures_needed(every := _every(asked, slicing)), *judged_beside(every)]),
        rules=rules,
        precision=_bits(precision),
        jobs=whole_or_none("jobs", jobs),
    )
    scores = replace(scores, remarks=(*scores.remarks, *given.remarks))
    found = compare_scores(
        scores,
        asked,
        settings,
        slices=None if slicing is None else slicing.of_query,
        measures_of=None if slicing is None else slicing.measures,
    )
    return replace(found, warnings=of_comparisons(found))


def _given(
    qrels: QrelsSource | Campaign,
    runs: RunsSource | None,
    measures: Measures,
    *,
    usual: bool,
    rules: Rules,
    limits: tuple[int | None, int | None],
    slices: SlicesSource | None,
    by: str | None,
    queries: QueriesSource | None,
    whole_lists: bool,
    choice: Choice,
) -> _Given:
    """What the arguments stand for. `usual`: nobody has named the measures; then those are left
    out that look deeper than a campaign keeps its runs. `limits`: `rel` and `max_rel`."""
    kept = kept_in(qrels, runs, choice) if is_campaign(qrels) else None
    if kept is None and choice != Choice():
        raise UsageError(
            "policy, unresolved and include_models are about a campaign",
            "give one that judge_tui.open_campaign has opened, or leave them out",
        )
    parse = _parser(*limits, kept)
    asked = _some(parse(measures))
    named = () if usual else asked
    its_queries = _queries(queries, kept)
    if kept is not None:
        judged, runs = kept.qrels, kept.runs
    elif runs is None:
        raise UsageError("there is no run", "give at least one")
    else:
        judged = qrels_from(cast("QrelsSource", qrels))
        if its_queries is not None:
            from judge_tui.formats.query_names import QueryNames  # noqa: PLC0415 - few files lack ids
            from judge_tui.sources.by_text import grades_under_ids, sources_under_ids  # noqa: PLC0415

            names = QueryNames.of(its_queries)
            judged = grades_under_ids(judged, qrels, names)
            runs = sources_under_ids(runs, names)
    slicing = _slicing(slices, by, its_queries, parse, named)
    remarks: tuple[str, ...] = ()
    if kept is not None:
        if usual:
            asked, remarks = kept.answered(asked, rules, whole_lists=whole_lists)
        slicing, cut = within_kept(slicing, kept, rules)
        kept.refuse_too_deep(_every(asked, slicing), rules, whole_lists=whole_lists)
        remarks = (*remarks, *cut)
    _refuse_strangers(slicing, judged)
    remarks = (*remarks, *_about_classes(slicing, its_queries, judged, named))
    return _Given(asked, slicing, judged, runs, kept, remarks)


def _parser(
    rel: int | None, max_rel: int | None, kept: JudgedRuns | None
) -> partial[tuple[Measure, ...]]:
    """What reads measures, given the grades that hold for those that do not say so themselves: of
    a campaign the greatest is that of its scale."""
    greatest = whole_or_none("max_rel", max_rel, range(1, 1001))
    return partial(
        parse_measures,
        rel=whole_or_none("rel", rel, range(1, 10**9)),
        max_rel=max(kept.grades) if greatest is None and kept else greatest,
    )


def _some(measures: tuple[Measure, ...]) -> tuple[Measure, ...]:
    if not measures:
        raise UsageError("no measure is named", "name one, or leave measures out for the usual")
    return measures


def _tests(given: Sequence[str] | str) -> tuple[str, ...]:
    single = isinstance(given, str) or not isinstance(given, Iterable)
    tests = (given,) if single else tuple(given)
    if not tests:
        raise UsageError("no test is named", "name one, or leave tests out for the usual")
    return tuple(map(str, tests))


def _bits(precision: object) -> Literal[64, 32]:
    # Which there are is known to whoever scores.
    return cast(Literal[64, 32], whole("precision", precision))


def _queries(given: QueriesSource | None, kept: JudgedRuns | None) -> Sequence[Query] | None:
    """The queries, read once: those of a campaign, where no others are given."""
    source = kept.queries if given is None and kept else given
    if source is None:
        return None
    from judge_tui.sources import queries_from  # noqa: PLC0415 - few ask for slices

    return queries_from(source)


def _slicing(
    slices: SlicesSource | None,
    by: str | None,
    queries: Sequence[Query] | None,
    parse: partial[tuple[Measure, ...]],
    named: tuple[Measure, ...],
) -> Slicing | None:
    if slices is None and by is None:
        return None
    from judge_tui.class_measures import Slicing, slicing_by  # noqa: PLC0415 - as in _queries

    if slices is not None:
        if by is not None:
            raise UsageError("slices are given twice", "give slices, or by and queries")
        from judge_tui.sources import slices_of  # noqa: PLC0415 - as above

        return Slicing(BY_MAPPING, slices_of(slices), {})
    if queries is None:
        raise UsageError("slices need both by and queries", "give both, or slices")
    from judge_tui.scoring.demands import Demands  # noqa: PLC0415 - as above

    return slicing_by(str(by), queries, parse, demands=None if named else Demands(), named=named)


def _every(asked: tuple[Measure, ...], slicing: Slicing | None) -> tuple[Measure, ...]:
    """What is asked for, and what the slices are scored by."""
    own = () if slicing is None else slicing.measures.values()
    return (*asked, *(measure for measures in own for measure in measures))


def _about_classes(
    slicing: Slicing | None,
    queries: Iterable[Query] | None,
    qrels: Qrels,
    named: tuple[Measure, ...],
) -> tuple[str, ...]:
    """That unlike classes are taken together, where queries are known and no slices are made by
    class; those that are tell it themselves (`Scores.cautions`). Raises `UsageError` for a measure
    over all queries that says nothing of a class."""
    if queries is None:
        return ()
    from judge_tui.class_measures import CLASS, graded_classes, refuse_over  # noqa: PLC0415
    from judge_tui.scoring.class_terms import taken_together  # noqa: PLC0415 - as in _queries

    if slicing is not None and slicing.by == CLASS:
        return ()
    classes = graded_classes(queries, qrels)
    if slicing is None:
        refuse_over(classes, named)
    return taken_together(classes)


def _refuse_strangers(slicing: Slicing | None, qrels: Qrels) -> None:
    """Raise `UsageError` where the slices are of other queries than the qrels."""
    of_query = None if slicing is None else slicing.of_query
    if of_query and qrels and of_query.keys().isdisjoint(qrels):
        raise UsageError(
            f"the slices and the qrels have no query in common: the slices have {min(of_query)!r},"
            f" the qrels have {min(qrels)!r}",
            "use the same query ids in both",
        )


def _possible_grades(
    bounds: bool | Iterable[int], greatest: int | None, given: _Given
) -> Sequence[int]:
    """What a document that nobody judged might be, ascending."""
    from judge_tui.scoring.bounds import grades_up_to  # noqa: PLC0415 - few ask for bounds

    if isinstance(bounds, bool):
        of_scale = given.kept.grades if given.kept and greatest is None else None
        return of_scale or grades_up_to(greatest, given.qrels)
    grades = list(bounds) if isinstance(bounds, Iterable) else []
    if not grades or not all(is_whole(grade) and grade >= 0 for grade in grades):
        raise UsageError(
            f"bounds {in_message(bounds)} are no scale",
            "give its grades, whole numbers from 0, or True",
        )
    return sorted(set(map(int, grades)))
