"""The failures of a run, as a report: what came instead, and what was to be found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from judge_tui.report.layout import Cell, Column, Grid, Report
from judge_tui.report.results.view import UNJUDGED, grade_cell, left, some, view_report

if TYPE_CHECKING:
    from judge_tui.analysis.asked import Basis
    from judge_tui.analysis.failures import Came, Failure, Failures, Missed
    from judge_tui.campaign.document_facts import Named

__all__ = ["failures_report"]

_SHOWN = 3
"""Documents of each sort that a table has for a query."""


def failures_report(
    found: Failures,
    basis: Basis,
    texts: Mapping[str, str],
    names: Mapping[int, Named],
) -> Report:
    """`texts`: query_id -> text; `names`: of all documents in it, by number."""
    return view_report(
        "failures",
        basis,
        {
            "tag": found.tag,
            "k": found.k,
            "rel": found.rel,
            "queries": found.queries,
            "failures": [_entry(row, texts, names) for row in found.rows],
        },
        header=("query_id", "sort", "rank", "doc_id", "title", "grade", "found_by", "found_at"),
        rows=[line for row in found.rows for line in _lines(row, names)],
        grids=list(_grids(found, texts, names)),
        notes=list(_notes(found, basis)),
    )


def _grids(found: Failures, texts: Mapping[str, str], names: Mapping[int, Named]) -> Iterator[Grid]:
    yield Grid(
        f"{found.tag}: {len(found.rows)} of {found.queries} {_counting(found)} have no document of "
        f"grade {found.rel} or more in the top {found.k}",
        [
            *left("query", "proven"),
            Column("unjudged"),
            Column("first relevant at"),
            Column("relevant known"),
            *left("text"),
        ],
        [
            (
                row.query_id,
                _proven(row),
                row.unjudged,
                row.first,
                len(row.missed),
                some(texts.get(row.query_id, "")),
            )
            for row in found.rows
        ],
    )
    if not found.rows:
        return
    columns = [
        *left("query"),
        Column("rank"),
        *left("came instead", "grade", "was to be found", "grade "),
        Column("here at"),
        *left("found by"),
    ]
    rows = [cells for row in found.rows for cells in _side_by_side(row, names)]
    yield Grid("What came instead", columns, rows)


def _counting(found: Failures) -> str:
    if not found.in_vain:
        return "judged queries"
    return f"queries ({found.queries - found.in_vain} judged, {found.in_vain} asked in vain)"


def _side_by_side(row: Failure, names: Mapping[int, Named]) -> Iterator[list[Cell]]:
    came, missed = row.came[:_SHOWN], row.missed[:_SHOWN]
    for place in range(max(len(came), len(missed), 1)):
        cells: list[Cell] = [row.query_id if place == 0 else ""]
        if place < len(came):
            one: Came = came[place]
            cells += [one.rank, some(names[one.document].doc_id), grade_cell(one.grade)]
        else:
            cells += ["", _nothing(row) if not row.came and place == 0 else "", ""]
        if place < len(missed):
            cells += _missed(missed[place], names)
        else:
            nothing = "no relevant document is known"
            cells += [nothing if not row.missed and place == 0 else "", "", "", ""]
        yield cells


def _nothing(row: Failure) -> str:
    return f"failed: {row.failed}" if row.failed else "no result"


def _missed(one: Missed, names: Mapping[int, Named]) -> list[Cell]:
    if not one.found_by:
        finders = "no other run"
    else:
        tag, rank = one.found_by[0]
        more = f" and {len(one.found_by) - 1} more" if len(one.found_by) > 1 else ""
        finders = f"{tag} at {rank}{more}"
    return [some(names[one.document].doc_id), one.grade, one.rank, finders]


def _proven(row: Failure) -> str:
    if not row.answered:
        return "yes: it failed" if row.failed else "yes: no result"
    return "yes" if row.proven else "no"


def _notes(found: Failures, basis: Basis) -> Iterator[str]:
    open_ones = sum(not row.proven for row in found.rows)
    if open_ones:
        yield (
            f"not proven: {open_ones} of the {len(found.rows)}, in which unjudged documents of the "
            f"top {found.k} ({UNJUDGED}) may be relevant"
        )
    if any(not row.missed for row in found.rows):
        yield (
            "where no relevant document is known, nobody knows whether there was anything to find"
        )
    if found.tag in basis.cut and any(row.first is None for row in found.rows):
        yield (
            f"of {found.tag} the first {basis.cut[found.tag]} results a query are kept: what is "
            "not among them may stand further down"
        )
    yield (
        f"of each query at most {_SHOWN} documents that came, and {_SHOWN} that were to be found; "
        "-f json and csv have all"
    )


def _entry(row: Failure, texts: Mapping[str, str], names: Mapping[int, Named]) -> dict[str, Any]:
    return {
        "query_id": row.query_id,
        "text": texts.get(row.query_id, ""),
        "answered": row.answered,
        "failed": row.failed or None,
        "proven": row.proven,
        "unjudged": row.unjudged,
        "first_relevant": row.first,
        "came": [
            {
                "rank": one.rank,
                "doc_id": names[one.document].doc_id,
                "title": names[one.document].title,
                "grade": one.grade,
            }
            for one in row.came
        ],
        "relevant": [
            {
                "doc_id": names[one.document].doc_id,
                "title": names[one.document].title,
                "grade": one.grade,
                "rank": one.rank,
                "found_by": [{"tag": tag, "rank": rank} for tag, rank in one.found_by],
            }
            for one in row.missed
        ],
    }


def _lines(row: Failure, names: Mapping[int, Named]) -> Iterator[Sequence[Cell]]:
    for one in row.came:
        named = names[one.document]
        yield (
            row.query_id,
            "came",
            one.rank,
            named.doc_id,
            named.title,
            one.grade,
            None,
            None,
        )
    for other in row.missed:
        named = names[other.document]
        tag, rank = other.found_by[0] if other.found_by else (None, None)
        yield (
            row.query_id,
            "relevant",
            other.rank,
            named.doc_id,
            named.title,
            other.grade,
            tag,
            rank,
        )
    if not row.came and not row.missed:
        yield (row.query_id, "nothing", *(None,) * 6)
