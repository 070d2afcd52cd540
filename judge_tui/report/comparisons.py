"""Comparisons as a report: the differences, their tests, what changed, and how much is judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from judge_tui.comparison.comparison import BUCKETS, Comparison, Comparisons
from judge_tui.report.layout import (
    Cell,
    Column,
    Get,
    Report,
    Table,
    counts,
    difference,
    grades_table,
    interval,
    number,
    probability,
    short_difference,
    toned,
    undefined_table,
    word,
    words,
)
from judge_tui.report.scores import judged_table, shares_scored, slice_column

if TYPE_CHECKING:
    from judge_tui.evaluation.gates import GateResult
    from judge_tui.scoring import Scores

_PER_QUERY = ("before", "value", "delta", "changed")


def comparison_report(
    comparisons: Comparisons,
    *,
    per_query: bool = False,
    texts: Mapping[str, str] | None = None,
    gates: Sequence[GateResult] = (),
) -> Report:
    """Readers see how much is judged, too, as far as the runs are scored by it. With `per_query`
    CSV has the queries in place of the comparisons; `texts`: query_id -> its text, for readers."""
    document = comparisons.to_dict()
    document["settings"] |= _settings(comparisons.scores)
    document["gates"] = [one.to_dict() for one in gates]
    tables = [*comparison_tables(comparisons)]
    if shares := shares_scored(comparisons.scores):
        tables.append(judged_table(comparisons.scores, shares))
    tables.append(grades_table(comparisons.scores.settings))
    csv = _csv(comparisons)
    if per_query:
        by_query = _by_query(comparisons, texts or {})
        for entry, table in zip(document["comparisons"], by_query, strict=True):
            entry["per_query"] = {
                row["query_id"]: {key: row[key] for key in _PER_QUERY} for row in table.records()
            }
        tables += by_query
        csv = by_query[0]._replace(rows=[row for table in by_query for row in table.rows])
    return Report(tables, warnings=comparisons.warnings, json=document, csv=csv)


def comparison_rows(comparisons: Comparisons) -> Report:
    """The comparisons for CSV alone, each row made when it is written."""
    return Report([], warnings=comparisons.warnings, csv=_csv(comparisons))


def _csv(comparisons: Comparisons) -> Table:
    return Table("", [Column(key) for key in comparisons.columns], comparisons.rows)


def _settings(scores: Scores) -> dict[str, Any]:
    """Return what the scores were made with, but for how precise they are."""
    by = {} if scores.slices is None else {"by": scores.slices.by}
    alone = {"ignore_self": True} if scores.rules.ignore_self else {}
    of_scores = {name: one for name, one in scores.settings.items() if name != "score_precision"}
    return {**by, **alone, **of_scores}


def comparison_tables(comparisons: Comparisons) -> Iterator[Table]:
    """The differences, their tests, how many queries changed, and Tukey's test of all pairs."""
    title = f"Compared with {comparisons.baseline}"
    if comparisons.baseline is None:
        title = "Each run compared with every earlier one"
    yield from difference_tables(comparisons, title)
    if comparisons.tukey:
        yield _tukey(comparisons)


def difference_tables(comparisons: Comparisons, title: str) -> Iterator[Table]:
    """The differences, under that title, their tests, how many queries changed, and why a number is
    not there: tables that fit into 80 columns with the usual tests and short names."""
    settings = comparisons.settings
    unbiased = UNBIASED if comparisons.any_unbiased else []
    differences = _table(comparisons, title, comparisons, [*_DIFFERENCES, *unbiased])
    yield differences.marked(filled=comparisons.scores.filled)
    yield note_on_unbiased(comparisons)
    because = word("because", "because", comparisons.reason)
    yield _table(comparisons, "", filter(comparisons.reason, comparisons), [because])
    title = (
        f"Tests: the verdict is by {settings.verdict_by}, {settings.alternative}, alpha"
        f" {settings.alpha:g}, correction {settings.correction} over {comparisons.family}"
    )
    yield _table(comparisons, title, comparisons, _tests(comparisons))
    yield _table(comparisons, "Queries", comparisons, _QUERIES)
    yield undefined_table(_undefined(comparisons))


def _changed(bucket: str) -> Column:
    return Column(bucket, bucket, get=lambda c: len(getattr(c.changed, bucket)))


CHANGED = [*map(_changed, BUCKETS)]
"""How many queries came into which bucket."""

_DIFFERENCES = [
    Column("baseline_mean", "baseline", number),
    Column("mean", "mean", number),
    Column("delta", "delta", short_difference),
    interval(show=short_difference),
    word("verdict", "verdict", lambda c: toned(c.verdict)),
]


def _of_sample(name: str) -> Get:
    return lambda one: None if one.unbiased is None else getattr(one.unbiased, name)


UNBIASED = [
    Column("unbiased_delta", "unbiased", short_difference, get=_of_sample("delta")),
    interval("unbiased_ci95", "unbiased 95 %", short_difference, _of_sample("ci95")),
    Column("unbiased_queries", "over", get=_of_sample("queries")),
]
"""What a random sample of the unjudged says of a difference, and over how many queries."""


def note_on_unbiased(comparisons: Iterable[Comparison]) -> Table:
    """Which difference to trust, where there are two."""
    note = (
        "in unbiased a random sample makes up for what is not judged: where the plain difference"
        " is outside its interval, trust unbiased; manual: enough"
    )
    there = any(one.unbiased is not None for one in comparisons)
    return Table("", words("note"), [(note,)] if there else [], about="reasons")


_QUERIES = [*counts("queries", "wins", "ties", "losses"), *map(_changed, ("added", "removed"))]
"""The other buckets are what is left of wins, ties and losses."""


def _tests(comparisons: Comparisons) -> Iterator[Column]:
    settings = comparisons.settings
    for name in settings.tests:
        p = partial(_p, name, comparisons)
        yield Column("p", f"{name} p", probability, get=p)
        if settings.correction != "none":
            adjusted = partial(_p_adjusted, name)
            yield Column("p_adjusted", settings.correction, probability, get=adjusted)
    yield Column("effect_size", "d_z", difference)
    yield Column("detectable_effect", "detectable", number)


def _p(test: str, comparisons: Comparisons, c: Comparison) -> Cell:
    return c.tests[test].p_of(comparisons.settings.alternative)


def _p_adjusted(test: str, c: Comparison) -> Cell:
    return c.p_adjusted[test]


def _table(
    comparisons: Comparisons, title: str, rows: Iterable[Comparison], columns: Iterable[Column]
) -> Table:
    """A row for each of these comparisons, which begins with what is compared."""
    return Table.of(title, [*_compared(comparisons), *columns], rows)


def _compared(comparisons: Comparisons) -> list[Column]:
    """What is compared: the slice and the baseline where not all have the same one."""
    return [
        *words("measure"),
        *([slice_column("slice")] if comparisons.sliced else []),
        *(words("baseline") if comparisons.baseline is None else []),
        word("tag", "run"),
    ]


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
        *words("measure"),
        *([slice_column("slice")] if comparisons.sliced else []),
        word("run", "run", lambda pair: pair.tags[0]),
        word("other", "other run", lambda pair: pair.tags[1]),
        *counts("queries"),
        Column("delta", "delta", difference),
        Column("p", "Tukey p", probability),
    ]
    return Table.of(title, columns, pairs)


def _undefined(comparisons: Comparisons) -> Iterator[tuple[str, str]]:
    compared = _compared(comparisons)
    for c in comparisons:
        beside = comparisons.reason(c)  # is there already, beside the verdict
        reasons = {f"{name} p": r.why for name, r in c.tests.items() if r.why not in ("", beside)}
        reasons |= c.why
        shown = " ".join(column.show(column.cell(c)) for column in compared)
        for what, why in reasons.items():
            yield f"{what.replace('_', ' ')} of {shown}", why
