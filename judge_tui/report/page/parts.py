"""The parts that every page of results has: differences, means, queries, failures and slices."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.leaderboard import Ranking
from judge_tui.analysis.misses import find_misses, first_relevant
from judge_tui.analysis.queries import differ_most
from judge_tui.report.layout import Table
from judge_tui.report.page.content import Block, Part, blocks_of
from judge_tui.report.page.ranking import show_differences, show_queries
from judge_tui.report.results.by_query import divergent_table
from judge_tui.report.results.documents import misses_table, ranks_chart, ranks_table
from judge_tui.report.scores import mean_tables

if TYPE_CHECKING:
    from judge_tui.campaign.store.documents import DocumentName
    from judge_tui.model import Document

NameDocuments: TypeAlias = "Callable[[Collection[int]], Mapping[int, DocumentName | Document]]"
"""Numbers of documents -> what they are called."""

_DIFFERING = 10
_MEANS = "Means over queries"


def result_parts(
    ranking: Ranking,
    judged: JudgedRuns,
    texts: Mapping[str, str],
    failures: Sequence[Block],
    slices: Iterable[Table],
) -> list[Part]:
    """All of them; `judged`: the lists of the runs; `texts`: query_id -> text."""
    ranked = ranking.scores.of_runs([one.tag for one in ranking.runs])
    titled = (one._replace(title=one.title or _MEANS) for one in mean_tables(ranked))
    means, differences = [*blocks_of(titled)], [*show_differences(ranking)]
    queries = [*show_queries(ranking, texts)]
    if len(ranking.runs) > 1:
        apart = differ_most(judged, ranking.scores, ranking.measure)
        queries += blocks_of([divergent_table(apart, texts)._replace(most=_DIFFERING)])
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
