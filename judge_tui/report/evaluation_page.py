"""An evaluation of live systems as one page for people who must choose: which system to take, what
shows it, where each fails, and what is unsure."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.analysis.leaderboard import Ranking, Verdicts, intervals, rank_runs
from judge_tui.analysis.live_systems import BANDED, TOP, band, worst
from judge_tui.analysis.misses import first_relevant
from judge_tui.analysis.warnings import first_few
from judge_tui.comparison.comparison import Comparisons
from judge_tui.comparison.family import Verdict
from judge_tui.counts import counted
from judge_tui.report.comparisons import comparison_tables
from judge_tui.report.evaluation import (
    Evaluated,
    differing_tables,
    failure_tables,
    first_table,
    query_table,
    slice_tables,
    spread_tables,
    system_table,
)
from judge_tui.report.layout import Column, Table, Toned, short_number, word
from judge_tui.report.page.content import Block, Page, Part, Terms, blocks_of, sentence_of
from judge_tui.report.page.ranking import (
    choose,
    doubt,
    show_differences,
    show_queries,
    show_systems,
    support,
)
from judge_tui.report.results.documents import ranks_chart
from judge_tui.report.scores import mean_tables
from judge_tui.scoring.slices import shown_slice

__all__ = ["answer", "evaluation_page"]

_BANDS = (
    f"{BANDED} of a query is one divided by the rank of its first right result, and 0 where that is"
    f" not among the first {TOP}. Its mean is strong from .4 on, usable from .2 on, else"
    " poor. A query that failed or found nothing counts as 0."
)


def evaluation_page(evaluated: Evaluated) -> Page:
    """The answer, then what it rests on."""
    ranking = None if evaluated.unlike else _ranking(evaluated)
    table = system_table(evaluated).for_readers()._replace(title="")
    slices = [*blocks_of(slice_tables(evaluated))]
    front = [*show_systems(ranking)] if ranking else [table, *slices]
    measures = [table, *blocks_of(mean_tables(evaluated.scores)), _BANDS]
    differences = [*_differences(evaluated, ranking)]
    queries = [*_queries(evaluated, ranking)]
    parts = [
        Part("differences", "The differences", "tests, and what changed", differences),
        Part("measures", "All measures", "", measures if ranking else []),
        Part(
            "failures",
            "Failures",
            f"nothing right among the first {TOP}",
            [*blocks_of(failure_tables(evaluated))],
        ),
        Part("ranks", "How far down", "the first right result", [*_ranks(evaluated)]),
        Part("slices", "Slice by slice", "", slices if ranking else []),
        Part("queries", "Query by query", "where systems win and lose", queries),
        Part("method", "How the numbers were made", "", [*_method(evaluated)]),
    ]
    count = counted(len(evaluated.systems), "search system")
    return Page(
        f"Evaluation of {first_few(evaluated.tags)}",
        f"{count}, {counted(len(evaluated.queries), 'query', 'queries')}",
        answer(evaluated),
        [*support(ranking)] if ranking else [],
        [
            *map(sentence_of, evaluated.warnings),
            *(doubt(ranking) if ranking else ()),
        ],
        [*front, *_gates(evaluated)],
        [part for part in parts if part.blocks],
    )


def answer(evaluated: Evaluated) -> tuple[str, str]:
    """Which system to take, and what shows it: two sentences."""
    compared = evaluated.comparisons
    if failing := [one.tag for one in evaluated.systems if one.failed_too_often]:
        return (
            f"No decision: {', '.join(failing)} failed at more than a tenth of the queries.",
            "Mend that, and ask again with --retry-failed.",
        )
    if evaluated.unlike:
        beside = "" if compared is None else f" Beside {compared.baseline}: {_by_class(compared)}."
        return (
            "Classes of queries declare different measures, so that no number is of all of them.",
            f"The slices below have each class.{beside}",
        )
    if compared is None or compared.baseline is None:
        mean = evaluated.scores.runs[0].mean(BANDED)
        return (
            f"{evaluated.tags[0]} is {band(mean)}: its mean {BANDED} is {short_number(mean)}.",
            "There is no other system to compare it with.",
        )
    return choose(_ranking(evaluated))


def _ranking(evaluated: Evaluated) -> Ranking:
    scores, compared, main = evaluated.scores, evaluated.comparisons, evaluated.main
    beside = None if compared is None else Verdicts(compared.baseline or scores.tags[0], compared)
    within = intervals(scores.only([main]), seed=0)
    return rank_runs(scores, main, main, intervals=within, verdicts=beside)


def _by_class(compared: Comparisons) -> str:
    """`lookup: new better by RR; root: new worse by P@1`."""
    found = [
        f"{shown_slice(one.slice or '')}: {one.tag} {one.verdict} by {one.measure}"
        for one in compared
        if one.verdict in (Verdict.BETTER, Verdict.WORSE)
    ]
    return "; ".join(found) or "no difference is shown"


def _differences(evaluated: Evaluated, ranking: Ranking | None) -> Iterator[Block]:
    if evaluated.comparisons is not None:
        if ranking is not None:
            yield from show_differences(ranking)
        else:
            yield from blocks_of(comparison_tables(evaluated.comparisons))


def _gates(evaluated: Evaluated) -> Iterator[Block]:
    if evaluated.gates:
        columns = [word("", "gate"), word("", "system")]
        columns += [Column("", "value", short_number), word("", "met")]
        met = {True: Toned("yes", "good"), False: Toned("no", "bad")}
        rows = [[g.gate, g.tag, g.value, met[g.met]] for g in evaluated.gates]
        yield Table("What was required", columns, rows)


def _ranks(evaluated: Evaluated) -> Iterator[Block]:
    yield ranks_chart(first_relevant(evaluated.judged))
    yield from blocks_of([first_table(evaluated)])
    for table in blocks_of(spread_tables(evaluated)):
        yield table
        yield "sd is the population standard deviation; the less, the evener."
    title = "The worst queries: the rank of the first right result"
    yield from blocks_of([query_table(evaluated, worst(evaluated.judged), title)])


def _queries(evaluated: Evaluated, ranking: Ranking | None) -> Iterator[Block]:
    if ranking is not None:
        yield from show_queries(ranking, evaluated.texts)
    for table in differing_tables(evaluated):
        if table.rows:
            yield from blocks_of([table])
            yield (
                "By the standard deviation of the systems' values. Overlap: mean Jaccard index of"
                " the first 10 results of every two systems."
            )
    every = query_table(evaluated, [*evaluated.texts], "The rank of the first right result")
    yield from blocks_of([every], len(every.rows))
    yield "missed: none among the results asked for; failed: the system gave no answer."


def _method(evaluated: Evaluated) -> Iterator[Block]:
    columns = [word("", name) for name in ("system", "kind", "what it says of itself")]
    rows = [[one.tag, one.kind, one.identity or None] for one in evaluated.systems]
    yield Table("As they were asked", columns, rows)
    terms = [(f"File of {what}", name) for what, name in evaluated.files.items()]
    terms += [("Results of each query", f"{evaluated.depth:,}")]
    scored = evaluated.scores.unlike or evaluated.scores
    terms += [(one.name, one.definition.summary) for one in scored.measures]
    if evaluated.credit:
        terms.append(("Credit of an answer", evaluated.credit))
    if evaluated.comparisons is not None:
        used = evaluated.comparisons.settings
        terms += [
            ("Tests, paired by query", f"{', '.join(used.tests)}; the first gives the verdict"),
            ("Correction", f"{used.correction}, over {evaluated.comparisons.family}"),
            ("Seed", str(used.seed)),
        ]
    yield Terms(terms)
