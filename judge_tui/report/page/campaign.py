"""The page of a campaign: the answer, then the systems, their failures, the judges, the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from judge_tui.agreement.policies import RULES
from judge_tui.agreement.wording import shown_alpha, shown_span, verdict_of
from judge_tui.analysis.warnings import first_few
from judge_tui.comparison.resampling import RESAMPLES
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.counts import counted
from judge_tui.percent import percent
from judge_tui.pooling.strata import STRATA
from judge_tui.report.agreement import agreement_report
from judge_tui.report.comparisons import comparison_tables
from judge_tui.report.layout import Cell, Column, Report, Table, reader_table, short_number, text
from judge_tui.report.page.content import Block, Page, Part, Terms, blocks_of, cut
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.ranking import LONGEST, Ranking, System
from judge_tui.report.plots import Histogram, Series
from judge_tui.report.results.view import excerpt
from judge_tui.report.undefined import undefined_lines
from judge_tui.scoring.slices import shown_slice
from judge_tui.version import __version__

if TYPE_CHECKING:
    from judge_tui.analysis.failures import Failure
    from judge_tui.analysis.queries import DivergentQuery
    from judge_tui.campaign.overview.progress import JudgeProgress
    from judge_tui.campaign.store.documents import DocumentName

__all__ = ["report_page"]

_ROWS = 60
"""Of longer tables the first and the last rows are shown."""

_EXTREMES = 10
_DOCUMENTS = 3


def report_page(found: Findings, names: Mapping[int, DocumentName]) -> Page:
    """Everything that is said. `names`: how the documents are called that `found` names."""
    ranking, state = _ranking(found), found.data.progress
    parts = [
        Part("differences", "The differences", "tests, and what changed", [*_differences(found)]),
        Part("measures", "All measures", "", [_measures(found)]),
        Part("queries", "Query by query", "where systems win and lose", [*_queries(found)]),
        Part(
            "failures",
            "Failures",
            "queries with nothing relevant on top",
            [*_failures(found, names)],
        ),
        Part("slices", "Kinds of queries and documents", "", [*_slices(found)]),
        Part("judges", "The judges", "who judged, and how far they agree", [*_judges(found)]),
        Part("collection", "What was judged", "", [*_collection(found)]),
        Part("method", "How the numbers were made", "", [Terms([*_method(found)])]),
    ]
    about = [
        counted(state.runs, "search system"),
        counted(state.queries, "query", "queries"),
        f"{counted(found.data.graded[0], 'grade')} by {counted(len(_at_work(found)), 'judge')}",
    ]
    return Page(
        title=found.data.name or "A campaign",
        about=", ".join(about),
        answer=ranking.answer(),
        sure=[*ranking.sure(), *_agreed(found)],
        doubts=[
            *(f"{one[:1].upper()}{one[1:]}." for one in found.warnings),
            *(f"Not compared: {one}." for one in undefined_lines(found.verdicts.why.items())),
            *ranking.doubts(),
            *_disputed(found),
        ],
        systems=[ranking.chart(), ranking.table()],
        parts=[one for one in parts if one.blocks],
    )


def _ranking(found: Findings) -> Ranking:
    name, share = found.data.measure.name, next(iter(found.board.shares), None)
    within, between = found.intervals.of.get(name, {}), found.bounds.of.get(name, {})
    return Ranking(
        name,
        found.verdicts.baseline,
        [
            System(
                row.tag,
                row.means[name],
                row.queries,
                within.get(row.tag),
                between.get(row.tag),
                None if share is None else row.means[share.name],
                found.verdicts.of.get((row.tag, name)),
            )
            for row in found.ranked
        ],
        found.verdicts.comparisons,
        "" if share is None else share.name,
    )


def _agreed(found: Findings) -> Iterator[str]:
    agreement = found.study.agreement
    alpha = agreement.alpha["ordinal"]
    if alpha.value is not None:
        ends = "" if alpha.ci95 is None else f" (95 % interval {shown_span(alpha.ci95)})"
        yield (
            f"Agreement of {counted(len(agreement.judges), 'judge')} over"
            f" {counted(agreement.pairs_shared, 'pair')} that two or more graded: ordinal alpha"
            f" {shown_alpha(alpha.value)}{ends}, {verdict_of(alpha, agreement.pairs_shared)}."
        )
    winners = found.data.orders.winners
    if len(winners) > 1 and not any(one.changed for one in winners):
        yield "By the grades of each judge alone, the same system is best."


def _disputed(found: Findings) -> Iterator[str]:
    """What other judges would have said."""
    orders = found.data.orders
    for one in orders.winners:
        if one.changed:
            best = " and ".join(orders.winner)
            yield f"By the grades of {one.judge} alone, {first_few(one.tags)} is best, not {best}."
    for two in orders.between:
        for change in two.verdicts_changed[:_DOCUMENTS]:
            first, second = two.judges
            yield (
                f"On the pairs that both graded, the verdict on {change.tag} is"
                f' "{change.verdicts[0]}" by {first} and "{change.verdicts[1]}" by {second}.'
            )


def _differences(found: Findings) -> Iterator[Block]:
    if (family := found.verdicts.comparisons) is not None:
        yield _ranking(found).differences()
        order = [row.tag for row in found.ranked]
        ranked = sorted(family, key=lambda one: order.index(one.tag))
        whole = replace(family, comparisons=(*ranked,))
        yield from blocks_of(Report([*comparison_tables(whole)]), _ROWS)


def _measures(found: Findings) -> Table:
    measures = [*found.board.measures, *found.board.shares]
    columns = [text("", "system"), Column("", "queries")]
    columns += [Column("", one.name, short_number) for one in measures]
    rows = [
        [row.tag, row.queries, *(row.means[one.name] for one in measures)] for row in found.ranked
    ]
    return reader_table("Means over queries", columns, rows)


def _queries(found: Findings) -> Iterator[Block]:
    name, texts = found.data.measure.name, found.data.queries.texts
    yield from _ranking(found).by_query(texts)
    columns = [
        *(text("", "query"), text("", "text"), text("", "best")),
        *(Column("", name, short_number), text("", "worst"), Column("", name, short_number)),
    ]
    apart: list[list[Cell]] = [
        [
            *(row.query_id, _text(texts, row)),
            *(first_few(row.best), row.greatest, first_few(row.worst), row.least),
        ]
        for row in found.divergent.rows[:_EXTREMES]
        if not row.level
    ]
    yield reader_table("Queries on which the systems are furthest apart", columns, apart)


def _text(texts: Mapping[str, str], row: DivergentQuery | Failure) -> str:
    return excerpt(texts.get(row.query_id, ""), LONGEST)


def _failures(found: Findings, names: Mapping[int, DocumentName]) -> Iterator[Block]:
    k, texts = found.data.results.basis.question.k, found.data.queries.texts
    counts: list[list[Cell]] = [
        [row.tag, none, of, percent(none / of, short=True) if of else None]
        for row in found.ranked
        for none, of in [found.empty_tops[row.tag]]
    ]
    yield reader_table(
        f"Queries with nothing relevant in the first {k}",
        [text("", "system"), *(Column("", name) for name in ("queries", "of", "share"))],
        counts,
    )
    yield from _ranks(found)
    for one in found.failed:
        columns = ("query", "text", "came first", "relevant, and who found it")
        rows = [
            [
                *(row.query_id, _text(texts, row), row.failed or _came(row, names)),
                ", ".join(_relevant(row, names)) or "nothing known",
            ]
            for row in one.rows
        ]
        title = f"{one.tag}: nothing relevant in the first {one.k}"
        yield from cut(reader_table(title, [text("", name) for name in columns], rows), _ROWS)


def _came(row: Failure, names: Mapping[int, DocumentName]) -> str:
    return ", ".join(names[one.document].doc_id for one in row.top[:_DOCUMENTS]) or "nothing"


def _relevant(row: Failure, names: Mapping[int, DocumentName]) -> Iterator[str]:
    for one in row.relevant[:_DOCUMENTS]:
        by = [f"{tag} at {rank:,}" for tag, rank in one.found_by[:1]]
        by = by if one.rank is None else [f"at {one.rank:,}", *by]
        yield f"{names[one.document].doc_id} ({'; '.join(by) or 'no system'})"


def _ranks(found: Findings) -> Iterator[Block]:
    """How far down the first relevant document is."""
    of = {run.tag: run for run in found.first.runs}
    runs = [of[row.tag] for row in found.ranked]
    title = "Queries by the rank of the first relevant document"
    buckets = [*found.first.labels, "none"]
    counts = [[*run.counts, run.none] for run in runs]
    series = [Series(run.tag, its) for run, its in zip(runs, counts, strict=True)]
    yield Histogram(title, "queries", buckets, series, "rank of the first relevant document")
    columns = [text("", "system"), *(Column("", name) for name in (*buckets, "median"))]
    yield reader_table(
        title,
        columns,
        [
            [run.tag, *its, None if run.median is None else f"{run.median:g}"]
            for run, its in zip(runs, counts, strict=True)
        ],
    )


def _slices(found: Findings) -> Iterator[Block]:
    tags = [row.tag for row in found.ranked]
    systems = [Column("", tag, short_number) for tag in tags]
    for one in found.classes:
        yield reader_table(
            f"{one.measure} by {one.by}",
            [text("", one.by), Column("", "queries"), *systems],
            [
                [
                    *(shown_slice(part.name), len(part.query_ids)),
                    *(part.runs[tag].mean for tag in tags),
                ]
                for part in one.slices
            ],
        )
    for other in (found.kinds, found.lengths):
        if len(other.slices) > 1:
            by = other.by.removeprefix("document.")
            yield reader_table(
                f"Share of relevant documents in the first {other.measure.k}, by {by}",
                [text("", by), Column("", "relevant"), Column("", "queries"), *systems],
                [
                    [
                        *(shown_slice(part.name), part.relevant, len(part.query_ids)),
                        *(part.runs[tag].mean for tag in tags),
                    ]
                    for part in other.slices
                ],
            )


def _at_work(found: Findings) -> list[JudgeProgress]:
    """Not who has nothing to do and has done nothing, such as a lead who undid it."""
    there = {*found.data.settled, *(judge.name for judge in found.data.progress.people)}
    return [
        judge
        for judge in found.data.progress.judges
        if judge.name in there or judge.graded + judge.skipped + judge.cannot
    ]


def _judges(found: Findings) -> Iterator[Block]:
    data = found.data
    columns = ("graded", "of these repeats", "skipped", "cannot be judged", "left", "settled")
    work: list[list[Cell]] = [
        [
            *(judge.name, "person" if judge.kind == "human" else judge.kind),
            *(judge.graded, judge.repeats_graded, judge.skipped, judge.cannot, judge.left),
            data.settled.get(judge.name, 0),
        ]
        for judge in _at_work(found)
    ]
    yield reader_table(
        "Who judged how much",
        [text("", "judge"), text("", "kind"), *(Column("", name) for name in columns)],
        work,
    )
    rules = data.results.now.grading.decided.rules
    yield reader_table(
        "How pairs came to their final grade",
        [text("", "by"), Column("", "pairs")],
        [[RULES[rule], pairs] for rule, pairs in rules.items()],
    )
    yield from blocks_of(agreement_report(found.study, data.scale, orders=data.orders), _ROWS)


def _collection(found: Findings) -> Iterator[Block]:
    state, pool = found.data.progress, found.data.pool
    every, loaded = found.data.graded
    strata: list[list[Cell]] = [
        [f"… {STRATA.get(name, name)}", size] for name, size in sorted(pool.by_stratum.items())
    ]
    counts: list[list[Cell]] = [
        ["queries", state.queries],
        ["systems", state.runs],
        ["documents", state.documents],
        ["documents with their text", state.documents_with_text],
        ["pairs in the pool", pool.pairs],
        *strata,
        ["grades", every],
        ["… loaded from files", loaded],
        ["pairs settled by somebody who had graded them", found.data.settled_own],
        ["pooled documents without a text", len(state.missing)],
    ]
    yield reader_table("The campaign", [text("", "of"), Column("", "number")], counts)
    scale = found.data.scale.labels.items()
    yield reader_table(
        "The scale",
        [Column("", "grade"), text("", "label")],
        [[grade, label] for grade, label in scale],
    )
    cut_runs = found.data.results.basis.kept.cut
    yield reader_table(
        f"Each system's first {state.depth:,} results",
        [
            text("", "system"),
            *(Column("", name) for name in ("pairs in the pool", "results", "pooled", "judged")),
            Column("", "kept a query"),
        ],
        [
            [
                *(one.tag, pool.by_run.get(one.tag, 0), one.results, one.pooled, one.judged),
                cut_runs.get(one.tag, "all"),
            ]
            for one in state.coverage
        ],
    )
    yield f"Judges saw ranks: {'yes' if found.data.show_ranks else 'no'}."
    for name, why in found.data.results.basis.left_out.items():
        yield f"{name} is left out: it looks {why}."


def _method(found: Findings) -> Iterator[tuple[str, str]]:
    data, usual = found.data, ComparisonSettings()
    basis = data.results.basis
    for one in (*found.board.measures, *found.board.shares):
        yield one.name, one.definition.summary
    yield (
        "Order and queries",
        "Results are ordered by score, ties by document id, as trec_eval does; means are over the"
        " judged queries that a system answers or is known to have been asked. Unjudged documents"
        " count as not relevant.",
    )
    yield (
        "Intervals",
        f"95 %, percentile bootstrap over queries, {RESAMPLES:,} resamples; those of alpha over"
        " pairs; those of kappa are of large samples.",
    )
    yield (
        "Tests",
        f"Paired by query, {usual.alternative}: {' and '.join(usual.tests)}; the first gives the"
        f" verdict, at {usual.alpha:g}, after {usual.correction.capitalize()}.",
    )
    yield (
        "Low and high",
        "The least and the greatest mean over all grades that the unjudged results of the system"
        " itself could have been given, the best possible ranking worked out anew for each.",
    )
    yield "Grades", basis.about
    yield "SHA-256 of these grades, as TREC qrels", data.digest
    yield (
        "Seeds",
        f"{basis.seed} for intervals of means and of agreement; {usual.seed} for comparisons",
    )
    yield "Program", f"judge_tui {__version__}"
