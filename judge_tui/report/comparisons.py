"""Comparisons as a report: the differences, their tests, what changed, and how much is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from judge_tui.comparison.comparison import BUCKETS, Comparison, Comparisons
from judge_tui.report.basis import grades_table, undefined_table
from judge_tui.report.layout import (
    Cell,
    Column,
    Report,
    Table,
    difference,
    number,
    plain,
    probability,
    reader_table,
    short_difference,
    span,
    text,
    toned,
)
from judge_tui.report.scores import judged_table, shares_scored
from judge_tui.scoring.slices import shown_slice

if TYPE_CHECKING:
    from judge_tui.evaluation.gates import GateResult

__all__ = ["comparison_report", "comparison_tables", "difference_tables"]

_PER_QUERY = ("before", "value", "delta", "changed")


def comparison_report(
    comparisons: Comparisons,
    *,
    per_query: bool = False,
    texts: Mapping[str, str] | None = None,
    gates: Sequence[GateResult] = (),
    settings: Mapping[str, Any] | None = None,
) -> Report:
    """`settings` stand in the JSON beside those of the comparison. Readers see how much is judged,
    too, as far as the runs are scored by it. With `per_query` CSV has the queries in place of the
    comparisons; `texts`: query_id -> its text, for readers."""
    document = comparisons.to_dict()
    document["settings"] |= settings or {}
    document["gates"] = [one.to_dict() for one in gates]
    tables = [*comparison_tables(comparisons)]
    if shares := shares_scored(comparisons.scores):
        tables.append(judged_table(comparisons.scores, shares))
    tables.append(grades_table(settings or {}))
    if per_query:
        by_query = _by_query(comparisons, texts or {})
        for entry, table in zip(document["comparisons"], by_query, strict=True):
            entry["per_query"] = {
                row.pop("query_id"): {key: row[key] for key in _PER_QUERY}
                for row in table.records()
            }
        tables += (table._replace(name="") for table in by_query)
        columns = [column._replace(title=None) for column in by_query[0].columns]
        rows = [row for table in by_query for row in table.rows]
        tables.append(Table("per_query", columns, rows))
    else:
        columns = [Column(key) for key in comparisons.columns]
        tables.append(Table("comparisons", columns, comparisons.to_rows()))
    return Report(tables, warnings=comparisons.warnings, json=document)


def comparison_tables(comparisons: Comparisons) -> Iterator[Table]:
    """The differences, their tests, those of all pairs at once, and how many queries changed."""
    title = f"Compared with {comparisons.baseline}"
    if comparisons.baseline is None:
        title = "Each run compared with every earlier one"
    yield from difference_tables(comparisons, title)
    if comparisons.tukey:
        yield _tukey(comparisons)
    buckets = [(Column("", bucket), partial(_count, bucket)) for bucket in BUCKETS]
    yield _table(comparisons, "Queries by what changed", buckets)


def difference_tables(comparisons: Comparisons, title: str) -> Iterator[Table]:
    """The differences, under that title, their tests, and why a number is not there."""
    settings = comparisons.settings
    because = (text("", "because"), comparisons.reason)
    yield _table(comparisons, title, [*_DIFFERENCES, because])
    title = (
        f"Tests: the verdict is by {settings.verdict_by}, {settings.alternative}, alpha"
        f" {settings.alpha:g}, correction {settings.correction} over {comparisons.family}"
    )
    yield _table(comparisons, title, _tests(comparisons))
    yield undefined_table(_undefined(comparisons))


Measured: TypeAlias = tuple[Column, Callable[[Comparison], Cell]]
"""A column for readers, and what is in it of a comparison."""

_DIFFERENCES: list[Measured] = [
    (Column("", "queries"), attrgetter("queries")),
    (Column("", "baseline", number), attrgetter("baseline_mean")),
    (Column("", "mean", number), attrgetter("mean")),
    (Column("", "delta", difference), attrgetter("delta")),
    (Column("", "95 % interval"), lambda c: span(c.ci95, short_difference)),
    (Column("", "wins"), attrgetter("wins")),
    (Column("", "ties"), attrgetter("ties")),
    (Column("", "losses"), attrgetter("losses")),
    (text("", "verdict"), lambda c: toned(c.verdict)),
]


def _tests(comparisons: Comparisons) -> Iterator[Measured]:
    settings = comparisons.settings
    side = "" if settings.alternative == "two-sided" else f" ({settings.alternative})"
    yield Column("", "nonzero"), attrgetter("nonzero")
    for name in settings.tests:
        yield Column("", f"{name} p{side}", probability), partial(_p, comparisons, name)
        if settings.correction != "none":
            yield Column("", settings.correction, probability), partial(_p_adjusted, name)
    yield Column("", "effect d_z", difference), attrgetter("effect_size")
    yield Column("", "detectable", number), attrgetter("detectable_effect")


def _p(comparisons: Comparisons, test: str, c: Comparison) -> Cell:
    return c.tests[test].p_of(comparisons.settings.alternative)


def _p_adjusted(test: str, c: Comparison) -> Cell:
    return c.p_adjusted[test]


def _count(bucket: str, c: Comparison) -> Cell:
    return len(getattr(c.changed, bucket))


def _table(comparisons: Comparisons, title: str, measured: Iterable[Measured]) -> Table:
    """A row a comparison, which begins with what is compared."""
    measured = [*_compared(comparisons), *measured]
    columns = [column for column, _ in measured]
    return reader_table(title, columns, [[of(c) for _, of in measured] for c in comparisons])


def _compared(comparisons: Comparisons) -> Iterator[Measured]:
    """What is compared: the slice and the baseline where not all have the same one."""
    yield text("measure", "measure"), attrgetter("measure")
    if comparisons.sliced:
        yield text("slice", "slice", _slice), attrgetter("slice")
    several = comparisons.baseline is None
    yield text("baseline", "baseline" if several else None), attrgetter("baseline")
    yield text("tag", "run"), attrgetter("tag")


def _slice(cell: Cell) -> str:
    return shown_slice(plain(cell))


def _by_query(comparisons: Comparisons, texts: Mapping[str, str]) -> list[Table]:
    """The queries of each comparison, the greatest gain first."""
    from judge_tui.report.results.by_query import query_table  # noqa: PLC0415 - with -q

    by = "" if comparisons.scores.slices is None else comparisons.scores.slices.by
    among = ["" if one.slice is None else f"{by}={one.slice}" for one in comparisons]
    return [
        query_table(one, texts, among=part) for one, part in zip(comparisons, among, strict=True)
    ]


def _tukey(comparisons: Comparisons) -> Table:
    pairs = comparisons.tukey or ()
    draws = " or ".join(f"{draws:,}" for draws in sorted({pair.draws for pair in pairs}))
    title = f"Randomised Tukey HSD, all pairs of runs at once, from {draws} permutations"
    columns = [
        *(text("", "measure"), *([text("", "slice", _slice)] if comparisons.sliced else [])),
        *(text("", "run"), text("", "other run"), Column("", "queries")),
        *(Column("", "delta", difference), Column("", "Tukey p", probability)),
    ]
    rows: list[list[Cell]] = [
        [
            *(pair.measure, *([] if pair.slice is None else [pair.slice])),
            *(*pair.tags, pair.queries, pair.delta, pair.p),
        ]
        for pair in pairs
    ]
    return reader_table(title, columns, rows)


def _undefined(comparisons: Comparisons) -> Iterator[tuple[str, str]]:
    for c in comparisons:
        beside = comparisons.reason(c)  # is there already, beside the verdict
        reasons = {f"{name} p": r.why for name, r in c.tests.items() if r.why not in ("", beside)}
        reasons |= c.why
        for what, why in reasons.items():
            yield f"{what.replace('_', ' ')} of {_shown(comparisons, c)}", why


def _shown(comparisons: Comparisons, c: Comparison) -> str:
    """What is compared, in words."""
    compared = _compared(comparisons)
    return " ".join(column.show(of(c)) for column, of in compared if column.title is not None)
