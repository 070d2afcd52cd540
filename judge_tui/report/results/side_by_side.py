"""Two rankings of one query side by side, as a report."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from judge_tui.report.layout import Cell, Column, Grid, Report, number
from judge_tui.report.results.view import UNJUDGED, grade_cell, left, some, view_report

if TYPE_CHECKING:
    from judge_tui.analysis.asked import Basis
    from judge_tui.analysis.side_by_side import Placed, TwoRankings
    from judge_tui.campaign.document_facts import Named

__all__ = ["move_of", "two_rankings_report"]

_POOLED = "+"
"""Beside the sign of no grade: the document is in the pool, not judged or not decided yet."""


def two_rankings_report(
    found: TwoRankings,
    basis: Basis,
    texts: Mapping[str, str],
    names: Mapping[int, Named],
    pooled: Collection[int],
    *,
    values: Mapping[str, tuple[float | None, float | None]] | None = None,
) -> Report:
    """`texts`: query_id -> text; `names`: of all documents in it, by number; `pooled`: the
    documents in the pool of the query; `values`: measure -> what the query is worth in either run,
    None where it is not scored."""
    values = values or {}
    text = texts.get(found.query_id, "")
    before, after = found.tags
    known = ", ".join(f"{n} of grade {grade}" for grade, n in enumerate(found.known) if n)
    worth: list[list[Cell]] = [
        [tag, found.lengths[side], *(both[side] for both in values.values())]
        for side, tag in enumerate(found.tags)
    ]
    grids = [
        Grid(
            some(f"{found.query_id}: {text}", 100),
            [*left("run"), Column("results"), *(Column(name, number) for name in values)],
            worth,
        ),
        Grid(
            "Side by side",
            [
                Column("rank"),
                *left(f"{before}", "grade", "now at", f"{after}", "grade ", "move"),
            ],
            [
                _cells(rank, pair, names, pooled, found.nothing)
                for rank, pair in enumerate(found.rows, 1)
            ],
        ),
    ]
    return view_report(
        "rankings",
        basis,
        {
            "query_id": found.query_id,
            "text": text,
            "baseline": before,
            "tag": after,
            "known": {str(grade): n for grade, n in enumerate(found.known) if n},
            "values": {
                name: dict(zip(found.tags, both, strict=True)) for name, both in values.items()
            },
            "nothing": dict(zip(found.tags, (why or None for why in found.nothing), strict=True)),
            "rankings": {
                tag: [_entry(one, names) for pair in found.rows if (one := pair[side]) is not None]
                for side, tag in enumerate(found.tags)
            },
        },
        header=("query_id", "tag", "rank", "doc_id", "title", "grade", "other_rank", "moved"),
        rows=list(_rows(found, names)),
        grids=grids,
        notes=[
            f"{UNJUDGED}: unjudged: no final grade; {_POOLED}: in the pool, without a final grade;"
            f" now at: where {after} has what {before} has here; move: by how many ranks it rose or"
            f" fell from {before} to {after}; new and gone: not in what is kept of the other list",
            f"known of the query: {known or 'no grade at all'}",
        ],
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
    pair: tuple[Placed | None, Placed | None],
    names: Mapping[int, Named],
    pooled: Collection[int],
    nothing: tuple[str, str],
) -> list[Cell]:
    cells: list[Cell] = [rank]
    for side, one in enumerate(pair):
        if one is None:
            why = nothing[side] if rank == 1 else ""
            cells += [some(f"({why})", 100) if why else "", "", ""]
        else:
            doc_id = some(names[one.document].doc_id)
            waits = one.grade is None and one.document in pooled
            grade = f"{UNJUDGED}{_POOLED}" if waits else grade_cell(one.grade)
            cells += [doc_id, grade, move_of(one, latter=side == 1)]
    return cells


def _entry(one: Placed, names: Mapping[int, Named]) -> dict[str, Any]:
    named = names[one.document]
    return {
        "rank": one.rank,
        "doc_id": named.doc_id,
        "title": named.title,
        "grade": one.grade,
        "other_rank": one.other_rank,
    }


def _rows(found: TwoRankings, names: Mapping[int, Named]) -> Iterator[Sequence[Cell]]:
    for side, tag in enumerate(found.tags):
        for pair in found.rows:
            one = pair[side]
            if one is not None:
                named = names[one.document]
                yield (
                    found.query_id,
                    tag,
                    one.rank,
                    named.doc_id,
                    named.title,
                    one.grade,
                    one.other_rank,
                    one.moved,
                )
