"""An evaluation of live systems as one page for people who must choose: which system to take, what
shows it, where each fails, and what is unsure."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.analysis.live_systems import BANDED, HISTOGRAM, band, worst
from judge_tui.comparison.comparison import Comparison, Comparisons
from judge_tui.comparison.verdict import Verdict
from judge_tui.counts import counted
from judge_tui.report.comparisons import comparison_tables
from judge_tui.report.evaluation import (
    Evaluated,
    differing_grid,
    failure_grid,
    query_grid,
    rank_grid,
    slice_grids,
    spread_grids,
    system_grid,
)
from judge_tui.report.grids import Column, Grid, as_grid, difference, number, probability
from judge_tui.report.page.content import (
    Block,
    Page,
    Paragraph,
    Points,
    Section,
    Table,
    Terms,
    tables,
)
from judge_tui.scoring.slices import shown_slice

__all__ = ["answer", "evaluation_page"]


def evaluation_page(evaluated: Evaluated) -> Page:
    """The answer, then what it rests on."""
    failures = [failure_grid(evaluated, tag) for tag in evaluated.tags]
    compared = evaluated.comparisons
    differences = () if compared is None else tables(map(as_grid, comparison_tables(compared)))
    sections = (
        Section("differences", "The differences", [*differences]),
        Section("failures", f"Nothing right among the first {HISTOGRAM}", [*tables(failures)]),
        Section("ranks", "How far down", [*_ranks(evaluated)]),
        Section("slices", "Slice by slice", [*tables(slice_grids(evaluated))]),
        Section("queries", "Query by query", [*_queries(evaluated)]),
        Section("unsure", "What is unsure", _unsure(evaluated)),
        Section("method", "How the numbers were made", [*_method(evaluated)]),
    )
    return Page(
        f"Evaluation of {', '.join(evaluated.tags)}",
        [
            Paragraph(" ".join(answer(evaluated)), strong=True),
            Table(system_grid(evaluated), "" if evaluated.unlike else _BANDS),
            *_gates(evaluated),
        ],
        [section for section in sections if section.blocks],
    )


_BANDS = (
    f"{BANDED} of a query is one divided by the rank of its first right result, and 0 where that is"
    f" not among the first {HISTOGRAM}. Its mean is strong from .4 on, usable from .2 on, else"
    " poor. A query that failed or found nothing counts as 0."
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
            f"{evaluated.tags[0]} is {band(mean)}: its mean {BANDED} is {number(mean)}.",
            "There is no other system to compare it with.",
        )
    first = [one for one in compared if one.measure == compared[0].measure]
    better = [one for one in first if one.verdict is Verdict.BETTER]
    best = max(better or first, key=lambda one: one.mean)
    if not better:
        return (
            f"Keep {best.baseline}: no other system is shown to be better by {best.measure}.",
            f"{best.tag} comes closest, {_apart(best)}.",
        )
    return (
        f"Take {best.tag}: by {best.measure} it is better than {best.baseline}, {_apart(best)}.",
        f"It is ahead on {best.wins:,} of {counted(best.queries, 'query', 'queries')} and behind on"
        f" {best.losses:,}.",
    )


def _apart(one: Comparison) -> str:
    """Means, the difference with its interval, and p."""
    p = one.p_adjusted[one.verdict_by]
    ends = "" if one.ci95 is None else f", 95 % interval {' to '.join(map(difference, one.ci95))}"
    return (
        f"{number(one.mean)} against {number(one.baseline_mean)} ({difference(one.delta)}{ends};"
        f" p {'undefined' if p is None else probability(p)})"
    )


def _by_class(compared: Comparisons) -> str:
    """`lookup: new better by RR; root: new worse by P@1`."""
    found = [
        f"{shown_slice(one.slice or '')}: {one.tag} {one.verdict} by {one.measure}"
        for one in compared
        if one.verdict in (Verdict.BETTER, Verdict.WORSE)
    ]
    return "; ".join(found) or "no difference is shown"


def _gates(evaluated: Evaluated) -> Iterator[Block]:
    if evaluated.gates:
        columns = [Column("gate", right=False), Column("system", right=False)]
        columns += [Column("value", number), Column("met", right=False)]
        rows = [[g.gate, g.tag, g.value, "yes" if g.met else "no"] for g in evaluated.gates]
        yield Table(Grid("What was required", columns, rows))


def _ranks(evaluated: Evaluated) -> Iterator[Block]:
    yield Table(rank_grid(evaluated))
    for grid in spread_grids(evaluated):
        yield Table(grid, "sd is the population standard deviation; the less, the evener.")
    title = "The worst queries: the rank of the first right result"
    yield Table(query_grid(evaluated, worst(evaluated.queries), title))


def _queries(evaluated: Evaluated) -> Iterator[Block]:
    if evaluated.differing:
        yield Table(
            differing_grid(evaluated),
            "By the standard deviation of the systems' values. Overlap: mean Jaccard index of the"
            " first 10 results of every two systems.",
        )
    yield Table(
        query_grid(evaluated, evaluated.queries, "The rank of the first right result"),
        "missed: none among the results asked for; failed: the system gave no answer.",
    )


def _unsure(evaluated: Evaluated) -> list[Block]:
    return [Points([f"{one}." for one in evaluated.warnings])] if evaluated.warnings else []


def _method(evaluated: Evaluated) -> Iterator[Block]:
    columns = [Column(name, right=False) for name in ("system", "kind", "what it says of itself")]
    rows = [[one.tag, one.kind, one.identity or None] for one in evaluated.systems]
    yield Table(Grid("As they were asked", columns, rows))
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
