"""The ranking of one query in a run, or those of two runs side by side, as a report."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from judge_tui.report.layout import Cell, Column, Grid, Report, number
from judge_tui.report.results.view import UNJUDGED, grade_cell, left, some, view_report

if TYPE_CHECKING:
    from judge_tui.analysis.asked import Basis
    from judge_tui.analysis.side_by_side import Placed, SideBySide
    from judge_tui.campaign.document_facts import Named

__all__ = ["move_of", "rankings_report"]

_POOLED = "+"
"""Beside the sign of no grade: the document is in the pool, not judged or not decided yet."""


def rankings_report(
    found: SideBySide,
    basis: Basis,
    texts: Mapping[str, str],
    names: Mapping[int, Named],
    pooled: Collection[int],
    *,
    values: Mapping[str, tuple[float | None, ...]] | None = None,
) -> Report:
    """`texts`: query_id -> text; `names`: of all documents in it, by number; `pooled`: the
    documents in the pool of the query; `values`: measure -> what the query is worth in each run,
    None where it is not scored."""
    values = values or {}
    text = texts.get(found.query_id, "")
    before, after = found.tags[0], found.tags[-1]
    beside = len(found.tags) > 1
    known = ", ".join(f"{n} of grade {grade}" for grade, n in enumerate(found.known) if n)
    worth: list[list[Cell]] = [
        [tag, found.lengths[side], *(its[side] for its in values.values())]
        for side, tag in enumerate(found.tags)
    ]
    grids = [
        Grid(
            some(f"{found.query_id}: {text}", 100),
            [*left("run"), Column("results"), *(Column(name, number) for name in values)],
            worth,
        ),
        Grid(
            "Side by side" if beside else "Ranking",
            [
                Column("rank"),
                *left(before, "grade", *(["now at", after, "grade ", "move"] if beside else [])),
            ],
            [
                _cells(rank, row, names, pooled, found.nothing)
                for rank, row in enumerate(found.rows, 1)
            ],
        ),
    ]
    return view_report(
        "rankings",
        basis,
        {
            "query_id": found.query_id,
            "text": text,
            **({"baseline": before} if beside else {}),
            "tag": after,
            "known": {str(grade): n for grade, n in enumerate(found.known) if n},
            "values": {
                name: dict(zip(found.tags, its, strict=True)) for name, its in values.items()
            },
            "nothing": dict(zip(found.tags, (why or None for why in found.nothing), strict=True)),
            "rankings": {
                tag: [
                    _entry(one, names, beside=beside)
                    for row in found.rows
                    if (one := row[side]) is not None
                ]
                for side, tag in enumerate(found.tags)
            },
        },
        header=(
            *("query_id", "tag", "rank", "doc_id", "title", "grade"),
            *(("other_rank", "moved") if beside else ()),
        ),
        rows=list(_rows(found, names)),
        grids=grids,
        notes=[
            f"{UNJUDGED}: unjudged: no final grade; {_POOLED}: in the pool, without a final grade"
            f"{_of_moves(before, after) if beside else ''}",
            f"known of the query: {known or 'no grade at all'}",
        ],
    )


def _of_moves(before: str, after: str) -> str:
    return (
        f"; now at: where {after} has what {before} has here; move: by how many ranks it rose or"
        f" fell from {before} to {after}; new and gone: not in what is kept of the other list"
    )


def move_of(placed: Placed, *, latter: bool = True) -> str:
    """What became of a document between the two lists, in a few signs: in the `latter` ↑3, ↓2, = or
    new; in the former the rank that it goes to, or gone."""
    if not latter:
        return "gone" if placed.other_rank is None else str(placed.other_rank)
    if placed.moved is None:
        return "new"
    if placed.moved == 0:
        return "="
    return f"↑{placed.moved}" if placed.moved > 0 else f"↓{-placed.moved}"


def _cells(
    rank: int,
    row: Sequence[Placed | None],
    names: Mapping[int, Named],
    pooled: Collection[int],
    nothing: Sequence[str],
) -> list[Cell]:
    cells: list[Cell] = [rank]
    beside = len(row) > 1
    for side, one in enumerate(row):
        if one is None:
            why = nothing[side] if rank == 1 else ""
            cells += [some(f"({why})", 100) if why else "", "", *([""] if beside else [])]
        else:
            doc_id = some(names[one.document].doc_id)
            waits = one.grade is None and one.document in pooled
            grade = f"{UNJUDGED}{_POOLED}" if waits else grade_cell(one.grade)
            cells += [doc_id, grade, *([move_of(one, latter=side == 1)] if beside else [])]
    return cells


def _entry(one: Placed, names: Mapping[int, Named], *, beside: bool) -> dict[str, Any]:
    named = names[one.document]
    return {
        "rank": one.rank,
        "doc_id": named.doc_id,
        "title": named.title,
        "grade": one.grade,
        **({"other_rank": one.other_rank} if beside else {}),
    }


def _rows(found: SideBySide, names: Mapping[int, Named]) -> Iterator[Sequence[Cell]]:
    for side, tag in enumerate(found.tags):
        for row in found.rows:
            one = row[side]
            if one is not None:
                named = names[one.document]
                yield (
                    found.query_id,
                    tag,
                    one.rank,
                    named.doc_id,
                    named.title,
                    one.grade,
                    *((one.other_rank, one.moved) if len(row) > 1 else ()),
                )
