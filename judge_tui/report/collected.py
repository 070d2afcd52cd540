"""What live systems answered, as a report: a row a system."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from judge_tui.formats.asked_beside import LATENCY
from judge_tui.nothing_found import failed_among, so_many_in_vain
from judge_tui.report.layout import Cell, Column, Grid, Report, seconds
from judge_tui.report.page.sections.phrases import listed
from judge_tui.scoring import Measure, shown_slice

if TYPE_CHECKING:
    from judge_tui.collect import Collected
    from judge_tui.collect.outcome import ClassInVain
    from judge_tui.collect.pages import Page

__all__ = ["collected_report", "nothing_for_classes", "reason_line"]

_REASONS_SHOWN = 3
_REASON = 90
"""In characters."""

_MARKUP = re.compile(
    r"<(?P<unread>script|style)\b.*?(?:</(?P=unread)\s*>|$)|<[/!?a-z][^<>]*(?:>|$)",
    re.IGNORECASE | re.DOTALL,
)


def collected_report(
    collected: Sequence[Collected],
    tasks: Sequence[Report] = (),
    measures: Sequence[Measure] | None = None,
) -> Report:
    """Of each system: queries, how many failed or found nothing, results, and seconds a query
    (median and 95th percentile, the nearest rank, of the queries that were answered; undefined
    where there are none). Behind them `tasks`, see `attempted_report`; where there are these alone,
    their rows are those of the CSV. `measures`: by which the systems are compared, None where that
    is not known."""
    rows = [_row(one) for one in collected]
    notes = [
        f"{one.name}: {len(one.failed)} of {len(one.replies)} queries failed, which counts as "
        f"nothing found: {_reasons(one)}"
        for one in collected
        if one.failed
    ]
    notes += [
        f"{one.name}: nothing found for any query; look at where its results are sought"
        for one in collected
        if one.replies and len(one.empty) == len(one.replies)
    ]
    notes += [
        f"{one.name}: found nothing for {one.in_vain:,} of {len(one.replies):,} queries"
        f"{failed_among(one.in_vain, len(one.failed))}: look at its set-up first"
        for one in collected
        if one.mostly_in_vain and 0 < len(one.empty) < len(one.replies)
    ]
    notes += [
        f"{one.name}: {words}: look at its set-up first"
        for one in collected
        if (words := nothing_for_classes(one.classes_in_vain))
    ]
    notes += [
        f"{one.name}: its run has the id {coded[0]} as {coded[1]}, and so have qrels exported from "
        "a campaign; qrels from elsewhere must have it so, too"
        for one in collected
        if (coded := one.coded) is not None
    ]
    notes += [
        f"{one.name}: {words}"
        for one in collected
        if (page := one.page) is not None and (words := _paged(page, one.depth, measures))
    ]
    document: dict[str, Any] = {
        "schema_version": 1,
        "systems": [
            {
                **dict(zip(_KEYS, row, strict=True)),
                "identity": one.identity or None,
                "failures": [
                    {"query_id": reply.query_id, "tries": reply.tries, "why": reply.failure}
                    for reply in one.failed
                ],
            }
            for one, row in zip(collected, rows, strict=True)
        ],
        "warnings": notes,
    }
    if tasks:
        document["tasks"] = [one.document for one in tasks]
        notes = [*notes, *(note for one in tasks for note in one.notes)]
    grids = [Grid("", _COLUMNS, rows)] if collected or not tasks else []
    grids += [grid for one in tasks for grid in one.grids]
    if tasks and not collected:
        passed = [row for one in tasks for row in one.rows]
        return Report(document, tasks[0].header, passed, grids, notes, notes)
    return Report(document, _KEYS, rows, grids, notes, notes)


def nothing_for_classes(classes: Mapping[str, ClassInVain]) -> str:
    """For which classes of queries a system found nothing, in words; empty for none."""
    if not classes:
        return ""
    named = [
        f"{so_many_in_vain(one.in_vain, one.queries)} of class {shown_slice(name)!r}"
        for name, one in classes.items()
    ]
    in_vain = sum(one.in_vain for one in classes.values())
    among = failed_among(in_vain, sum(one.failed for one in classes.values()))
    return f"found nothing for {listed(named)}{among}"


def _paged(page: Page, depth: int, measures: Sequence[Measure] | None) -> str:
    """That a system may give no more than a page; empty where no measure looks beyond it."""
    deeper = [one.name for one in measures or () if one.depth > page.size]
    if measures is not None and not deeper:
        return ""
    named = f" ({', '.join(deeper)})" if deeper else ""
    return (
        f"paged: never more than {page.size:,} of the {depth:,} results asked for, and just"
        f" {page.size:,} for {page.full:,} of {page.found:,} queries: if that is the size of its"
        f" pages, measures that look deeper{named} compare it unfairly; ask for --depth"
        f" {page.size} (into another folder, or with --again), or for larger pages"
    )


def reason_line(failure: str) -> str:
    """Why a query failed, short and without the tags of a page that a server may have sent."""
    words = " ".join(_MARKUP.sub(" ", failure).split()).rstrip(":")
    return words if len(words) <= _REASON else f"{words[: _REASON - 1].rstrip()}…"


def _reasons(one: Collected) -> str:
    """The first reasons, each once, with the first query that failed for it; and the file that has
    all of them, where these are not all that is known."""
    alike: dict[str, list[str]] = {}
    for reply in one.failed:
        alike.setdefault(reason_line(reply.failure), []).append(reply.query_id)
    told = [
        f"{first}{f' and {len(others):,} more' if others else ''}: {why}"
        for why, (first, *others) in alike.items()
    ]
    cut = any(reply.failure not in alike for reply in one.failed)
    if len(told) > _REASONS_SHOWN or cut:
        told = [*told[:_REASONS_SHOWN], f"{one.name}{LATENCY} has the reason of each"]
    return "; ".join(told)


_KEYS = ("system", "queries", "failed", "empty", "results", "repeated", "median_s", "p95_s")


_COLUMNS = (
    Column("system", right=False),
    Column("queries"),
    Column("failed"),
    Column("nothing found"),
    Column("results"),
    Column("repeated"),
    Column("median s", seconds),
    Column("p95 s", seconds),
)


def _row(one: Collected) -> tuple[Cell, ...]:
    return (
        one.name,
        len(one.replies),
        len(one.failed),
        len(one.empty),
        sum(len(reply.hits) for reply in one.replies),
        sum(reply.repeated for reply in one.replies),
        *one.latency,
    )
