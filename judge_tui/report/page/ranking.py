"""What every page says of its systems: which to take, what that rests on, what could change it,
and the parts below: differences, means, queries, failures and slices."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.analysis.enough import Answer, Enough
from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.leaderboard import RankedRun, Ranking
from judge_tui.analysis.misses import find_misses, first_relevant
from judge_tui.analysis.queries import differ_most
from judge_tui.analysis.warnings import LEAST_JUDGED, first_few
from judge_tui.comparison.comparison import Comparison
from judge_tui.comparison.family import Verdict
from judge_tui.counts import counted
from judge_tui.percent import percent
from judge_tui.report.comparisons import comparison_tables, note_on_unbiased
from judge_tui.report.layout import (
    Column,
    Table,
    interval,
    percentage,
    short_difference,
    short_number,
    short_probability,
    span,
)
from judge_tui.report.page.content import Block, Part, blocks_of
from judge_tui.report.plots import Interval, Intervals
from judge_tui.report.results.by_query import divergent_table, query_table
from judge_tui.report.results.documents import misses_table, ranks_chart, ranks_table
from judge_tui.report.results.leaderboard import mean_by, ranking_chart, ranking_table
from judge_tui.report.scores import mean_tables
from judge_tui.scoring import judged_among

if TYPE_CHECKING:
    from judge_tui.campaign.store.documents import DocumentName
    from judge_tui.model import Document

_EXTREMES, _DIFFERING = 20, 10

NameDocuments: TypeAlias = "Callable[[Collection[int]], Mapping[int, DocumentName | Document]]"
"""Numbers of documents -> what they are called."""


def choose(ranking: Ranking, enough: Sequence[Enough] = ()) -> tuple[str, str]:
    """Which system to take, and what shows it: two sentences. `enough`: whether enough is judged
    to tell the systems from the baseline, where that is known."""
    if not ranking.compared:
        return _alone(ranking)
    best, filled = _best(ranking), ranking.scores.filled
    apart = _apart(best, filled=filled)
    undecided = {one.tag for one in enough if one.answer is Answer.OPEN}
    if best.verdict is Verdict.BETTER:
        first = f"Take {best.tag}: it is better than {best.baseline}, {apart}"
        first += _UNSETTLED if best.tag in undecided else "."
        return first, _others(ranking, best) or _difference(best)
    if all(one.verdict is Verdict.TOO_FEW for one in ranking.compared):
        few = counted(best.queries, "query", "queries")
        first = f"No decision: {few} in common are too few to tell the systems apart."
    else:
        first = f"Keep {best.baseline}: no other system is shown to be better"
        first += _UNSETTLED if undecided & {one.tag for one in ranking.compared} else "."
    if best.verdict is Verdict.WORSE:
        return first, f"{best.tag} comes closest and is worse, {apart}."
    if best.delta == 0:
        return first, f"{best.tag} is level with {best.baseline}, {apart}."
    where = "ahead" if best.delta > 0 else "behind"
    by = "" if filled else f" by {short_number(abs(best.delta))}"
    how = f"{where}{by}, {apart}"
    return first, f"{best.tag} is {how}, which these queries do not show to be real."


_UNSETTLED = "; not settled: more judging may change it."


def settled_or_open(ranking: Ranking, enough: Sequence[Enough]) -> Iterator[str]:
    """Which systems more judging may still tell from the baseline, and which it cannot."""
    answers = {one.tag: one for one in enough}
    its = [answers[one.tag] for one in ranking.compared if one.tag in answers]
    for answer, end in _ENDS.items():
        if named := [_lacking(one) for one in its if one.answer is answer]:
            yield f"{answer.capitalize()} beside {ranking.baseline}: {first_few(named)}; {end}."


_ENDS = {
    Answer.OPEN: "more judging may change the order",
    Answer.LIKELY: "a random sample shows the order, at every look",
    Answer.SETTLED: "no grades for what is not judged can change the order",
    Answer.TOO_FEW: "more judging is not expected to show a difference",
}


def _lacking(one: Enough) -> str:
    """`dense (about 80 random pairs more)`."""
    return one.tag if one.more is None else f"{one.tag} ({one.lacking})"


def support(ranking: Ranking) -> Iterator[str]:
    """What speaks for the answer."""
    if ranking.compared and ranking.comparisons is not None:
        difference = _difference(_best(ranking))
        if difference not in choose(ranking):
            yield difference
        used, family = ranking.comparisons.settings, ranking.comparisons.family
        corrected = f", corrected for {family:,} comparisons ({used.correction})"
        if used.correction == "none" or family < 2:
            corrected = ""
        yield (
            f"A system is called better or worse where p is below {used.alpha:g} by the"
            f" {used.verdict_by} test, paired by query{corrected}."
        )
    for share in judged_among(ranking.scores.measures)[:1]:
        shares = [of for one in ranking.runs if (of := one.run.means[share.name]) is not None]
        if shares and min(shares) >= LEAST_JUDGED:
            ends = dict.fromkeys(percent(end) for end in (min(shares), max(shares)))
            yield f"Of each system's first {share.cutoff} results, {' to '.join(ends)} are judged."


def doubt(ranking: Ranking) -> Iterator[str]:
    """What speaks against it, besides the warnings."""
    if not ranking.alike:
        named = [f"{one.tag} {one.queries:,}" for one in ranking.runs]
        yield (
            f"The means are over unequal queries ({first_few(named)}); differences are over the"
            " queries that both systems answer."
        )
    decided = [one for one in ranking.compared if one.verdict in (Verdict.BETTER, Verdict.WORSE)]
    holding = [one.tag for one in decided if one.ci95 and one.ci95[0] <= 0 <= one.ci95[1]]
    if holding:
        yield (
            f"{first_few(holding)}: the {decided[0].verdict_by} test gives a verdict, though"
            " the interval of the mean difference holds 0."
        )
    better = [one for one in ranking.compared if one.verdict is Verdict.BETTER]
    better.sort(key=lambda one: -one.delta)
    for second in better[1:2]:
        yield (
            f"{better[0].tag} and {second.tag} were not tested against each other: for that,"
            f" make {second.tag} the baseline."
        )


def show_systems(ranking: Ranking) -> Iterator[Block]:
    """The systems by the measure: a chart, and the same in numbers."""
    yield ranking_chart(ranking)
    more = [
        interval(
            "difference",
            "95 % interval of the difference",
            short_difference,
            lambda one: None if one.compared is None else one.compared.ci95,
        ),
        *(
            mean_by(one)._replace(show=percentage())
            for one in judged_among(ranking.scores.measures)[:1]
        ),
        Column("low", "low", short_number, get=lambda one: one.bounds and one.bounds[0]),
        Column("high", "high", short_number, get=lambda one: one.bounds and one.bounds[1]),
    ]
    table = ranking_table(ranking, "", more)
    note = note_on_unbiased(ranking.compared)
    yield from blocks_of([table.marked(filled=ranking.scores.filled), note])


def show_differences(ranking: Ranking) -> Iterator[Block]:
    """The differences from the baseline, and their tests."""
    if (family := ranking.comparisons) is None:
        return
    yield Intervals(
        f"Difference from {ranking.baseline}",
        f"{ranking.measure}, system minus {ranking.baseline}",
        [Interval(one.tag, one.delta, one.ci95, words=one.verdict) for one in ranking.compared],
        mark=0.0,
        note="Mean difference over the queries of both, with its 95 % interval.",
        signed=True,
    )
    order = [one.tag for one in ranking.runs]
    ranked = sorted(family, key=lambda one: order.index(one.tag))
    yield from blocks_of(comparison_tables(replace(family, comparisons=(*ranked,))))


def show_queries(ranking: Ranking, texts: Mapping[str, str]) -> Iterator[Block]:
    """Where the systems win and lose; `texts`: query_id -> text."""
    for one in ranking.compared[:1]:
        yield from blocks_of([query_table(one, texts)], _EXTREMES)


def result_parts(
    ranking: Ranking,
    judged: JudgedRuns,
    texts: Mapping[str, str],
    failures: Sequence[Block],
    slices: Iterable[Table],
) -> list[Part]:
    """All of them; `judged`: the lists of the runs; `texts`: query_id -> text."""
    ranked = ranking.scores.of_runs([one.tag for one in ranking.runs])
    titled = (one._replace(title=one.title or "Means over queries") for one in mean_tables(ranked))
    means, differences = [*blocks_of(titled)], [*show_differences(ranking)]
    queries = [*show_queries(ranking, texts)]
    if len(ranking.runs) > 1:
        divergent = differ_most(judged, ranking.scores, ranking.measure)
        queries += blocks_of([divergent_table(divergent, texts)._replace(most=_DIFFERING)])
    return [
        Part("differences", "The differences", "tests, and what changed", differences),
        Part("measures", "All measures", "", means),
        Part("queries", "Query by query", "where systems win and lose", queries),
        Part("failures", "Failures", "queries with nothing relevant on top", failures),
        Part("slices", "Kinds of queries and documents", "", [*blocks_of(slices)]),
    ]


def show_failures(
    judged: JudgedRuns,
    tags: Iterable[str],
    texts: Mapping[str, str],
    name_documents: NameDocuments,
    k: int,
    hidden: Sequence[str] = (),
) -> Iterator[Block]:
    """How far down the first relevant document is, and the queries without one in the top `k` of
    the runs `tags`; without the columns `hidden`."""
    first = first_relevant(judged)
    yield ranks_chart(first)
    yield from blocks_of([ranks_table(first).hide(*hidden)])
    for tag in tags:
        found = find_misses(judged, tag, k)
        names = name_documents({one for row in found.rows for one in row.documents})
        yield from blocks_of([misses_table(found, texts, names).hide(*hidden)])


def _best(ranking: Ranking) -> Comparison:
    """The best system beside the baseline, first of those that are shown to be better."""
    better = [one for one in ranking.compared if one.verdict is Verdict.BETTER]
    return max(better or ranking.compared, key=lambda one: one.delta)


def _alone(ranking: Ranking) -> tuple[str, str]:
    best = ranking.runs[0]
    if best.mean is None:
        return "No system is scored.", "None of them answers a query that is judged."
    if ranking.scores.filled:
        first = f"No decision: values of {best.tag} are filled, so that differences alone are read."
    else:
        first = _level(ranking, best)
    if len(ranking.runs) == 1:
        return first, "There is no other system to compare it with."
    return first, f"Beside {ranking.baseline}, nothing can be compared."


def _level(ranking: Ranking, best: RankedRun) -> str:
    ends = span(best.interval, short_number)
    return (
        f"{best.tag} reaches {ranking.measure} {short_number(best.mean)}"
        f"{f' (95 % interval {ends})' if ends else ''} over"
        f" {counted(best.run.count(ranking.measure), 'query', 'queries')}."
    )


def _others(ranking: Ranking, best: Comparison) -> str:
    """`Of the others, rrf is better, too; a and b are worse.`"""
    others = [one for one in ranking.compared if one is not best]
    said = {
        Verdict.BETTER: ("{} is better, too", "{} are better, too"),
        Verdict.WORSE: ("{} is worse", "{} are worse"),
        Verdict.NOTHING_SHOWN: ("no difference is shown for {}",) * 2,
        Verdict.TOO_FEW: ("there are too few queries to tell of {}",) * 2,
    }
    parts = []
    for verdict, forms in said.items():
        tags = [one.tag for one in others if one.verdict is verdict]
        if tags:
            parts.append(forms[len(tags) > 1].format(_named(tags)))
    return f"Of the others, {'; '.join(parts)}." if parts else ""


def _named(tags: Sequence[str]) -> str:
    return " and ".join(tags) if len(tags) < 3 else first_few(tags)


def _apart(one: Comparison, *, filled: str) -> str:
    """`nDCG@10 0.744 against 0.511 (p 0.003)`; where values are filled, levels are not to be read:
    `nDCG@10 difference +0.233 (p 0.003)`."""
    p = one.p_adjusted[one.verdict_by]
    values = f"{short_number(one.mean)} against {short_number(one.baseline_mean)}"
    if filled:
        values = f"difference {short_difference(one.delta)}"
    return f"{one.measure} {values} ({'no p' if p is None else f'p {short_probability(p)}'})"


def _difference(one: Comparison) -> str:
    ends = span(one.ci95, short_difference)
    return (
        f"{one.tag} differs from {one.baseline} by {short_difference(one.delta)}"
        f"{f' (95 % interval {ends})' if ends else ''}: ahead on {one.wins:,} of"
        f" {counted(one.queries, 'query', 'queries')}, behind on {one.losses:,}"
        f"{f', level on {one.ties:,}' if one.ties else ''}."
    )
