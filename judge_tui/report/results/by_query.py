"""Runs query by query: two beside each other, one alone, and where all are furthest apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

from judge_tui.analysis.queries import LEVEL
from judge_tui.counts import counted
from judge_tui.report.comparisons import CHANGED, UNBIASED, note_on_unbiased
from judge_tui.report.layout import (
    Cell,
    Column,
    Report,
    Table,
    Tone,
    Toned,
    counts,
    excerpts,
    interval,
    short_difference,
    short_number,
    word,
)
from judge_tui.report.results.view import WHY, means, view_report, without_results
from judge_tui.report.results.with_model import with_model_table, without_model

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.queries import Deltas, DivergentQueries, OwnValues
    from judge_tui.analysis.with_model import ModelEstimate
    from judge_tui.comparison.comparison import Comparison, QueryDifference

_TONES: dict[str, Tone] = {
    "added": "good",
    "improved": "good",
    "removed": "bad",
    "degraded": "bad",
}
_SHOWN = 25
GREATEST_GAIN_FIRST = ", the greatest gain first"
"""The end of a title."""


def deltas_report(
    found: Deltas,
    basis: Basis,
    texts: Mapping[str, str] | None = None,
    *,
    among: str = "",
    estimates: Sequence[ModelEstimate] = (),
) -> Report:
    """Two runs query by query, the greatest gain first; `texts`: query_id -> text; `among`: the
    slice that the queries are of, as FIELD=VALUE, "" for all; `estimates`: what a model makes more
    exact."""
    compared = [] if found.comparison is None else [found.comparison]
    columns = [
        Column("delta", "delta", short_difference),
        interval(show=short_difference),
        *(UNBIASED if any(one.unbiased for one in compared) else []),
        *counts("queries", "wins", "ties", "losses"),
        *CHANGED,
        Column("only_baseline", f"only {found.baseline}", get=lambda _: found.only_baseline),
        Column("only_run", f"only {found.tag}", get=lambda _: found.only_run),
    ]
    title = f"{found.tag} beside {found.baseline} by {found.measure}{_of(among)}"
    summary = Table.of(title, columns, compared, "summary", upright=True)
    queries = [
        query_table(one, texts or {}, found.nothing, among).marked(filled=basis.filled)
        for one in compared
    ]
    reasons = [("95 % interval", one.why["ci95"]) for one in compared if one.ci95 is None]
    reasons += [("unbiased", one.why["unbiased"]) for one in compared if "unbiased" in one.why]
    powered = with_model_table(estimates, basis.question.with_model)
    return view_report(
        basis,
        [*queries, summary, note_on_unbiased(compared), powered],
        reasons=[*reasons, *without_model(estimates)],
    )


def query_table(
    one: Comparison,
    texts: Mapping[str, str],
    nothing: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
    among: str = "",
) -> Table:
    """A row for each query of a comparison, the greatest gain first. `nothing`: query_id -> tag ->
    why a run has no results."""
    columns = [
        word("query_id", "query"),
        word("measure", get=lambda _: one.measure),
        word("slice", get=lambda _: among),
        word("baseline", get=lambda _: one.baseline),
        word("tag", get=lambda _: one.tag),
        Column("before", one.baseline, short_number),
        Column("value", one.tag, short_number, get=attrgetter("after")),
        Column("delta", "delta", short_difference, get=attrgetter("difference")),
        word("changed", "changed", _changed),
        excerpts("text", "text", get=lambda row: texts.get(row.query_id, "")),
        without_results(lambda row: nothing.get(row.query_id, {})),
    ]
    where = f"{one.tag} beside {one.baseline} by {one.measure}{_of(among)}"
    return Table.of(f"{where}{GREATEST_GAIN_FIRST}", columns, one.by_query, "deltas")


def _changed(row: QueryDifference) -> Cell:
    tone = _TONES.get(row.bucket)
    return row.bucket if tone is None else Toned(row.bucket, tone)


def own_values_report(
    found: OwnValues,
    basis: Basis,
    texts: Mapping[str, str] | None = None,
    *,
    among: str = "",
) -> Report:
    """One run query by query, the least value first; the rest as in `deltas_report`."""
    texts = texts or {}
    name = found.measure.name
    mean = short_number(found.mean) if found.mean is not None else "-"
    over = counted(len(found.rows), "query", "queries")
    title = f"{found.tag} by {name}{_of(among)}: mean {mean} over {over}"
    columns = [
        word("query_id", "query"),
        word("measure", get=lambda _: name),
        word("slice", get=lambda _: among),
        word("tag", get=lambda _: found.tag),
        Column("value", name, short_number),
        excerpts("text", "text", get=lambda row: texts.get(row.query_id, "")),
        excerpts("nothing", "without results", WHY),
    ]
    values = Table.of(title, columns, found.rows, "values")
    return view_report(basis, [values.marked(filled=basis.filled)])


def divergent_report(
    found: DivergentQueries, basis: Basis, texts: Mapping[str, str] | None = None
) -> Report:
    """The queries on which the runs are furthest apart; readers get the first of them."""
    table = divergent_table(found, texts or {})._replace(most=_SHOWN)
    return view_report(basis, [table.marked(filled=basis.filled)])


def divergent_table(found: DivergentQueries, texts: Mapping[str, str]) -> Table:
    """A row for each of the queries."""
    columns = [
        *(word("query_id", "query"), word("measure", get=lambda _: found.measure.name)),
        *(Column("runs"), *means("sd")),
        excerpts("worst", "worst", get=lambda row: LEVEL if row.level else " ".join(row.worst)),
        Column("min", "min", short_number, get=attrgetter("least")),
        excerpts("best", "best", get=lambda row: LEVEL if row.level else " ".join(row.best)),
        Column("max", "max", short_number, get=attrgetter("greatest")),
        *(Column("range"), *means("overlap")),
        excerpts("text", "text", get=lambda row: texts.get(row.query_id, "")),
        without_results(attrgetter("nothing")),
    ]
    title = f"Queries that divide the systems, by {found.measure}"
    return Table.of(title, columns, found.rows, "queries")


def _of(among: str) -> str:
    return f", {among}" if among else ""
