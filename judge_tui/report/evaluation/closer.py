"""The closer look at an evaluation, as tables and as JSON: how evenly each system does, where the
systems differ most, and which kinds of relevant documents they find."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from judge_tui.analysis.closer_look import CloserLook, Extreme, OneLook, OverQueries
from judge_tui.analysis.divided import DividedQuery
from judge_tui.analysis.document_kinds import DocumentSlices
from judge_tui.analysis.spread import SPREAD
from judge_tui.report.evaluation.tables import left
from judge_tui.report.layout import Cell, Column, Grid, number
from judge_tui.report.page.sections.phrases import excerpt
from judge_tui.scoring import shown_slice
from judge_tui.significance import STEP

__all__ = [
    "ABOUT_CONSISTENCY",
    "ABOUT_DISAGREEMENT",
    "about_documents",
    "closer_document",
    "consistency",
    "disagreement",
    "documents",
]

ABOUT_CONSISTENCY = (
    f"sd: {SPREAD}; the less, the evener. Q1 and Q3: a quarter of the queries have at most, or at"
    " least, so much. Of several best or worst queries the first is named; one for which nothing is"
    " right counts, and is none of them."
)
ABOUT_DISAGREEMENT = (
    f"By the {SPREAD}, of the systems' values for a query. Overlap: mean Jaccard index of the first"
    " 10 results of every two systems, 1 where all have the same documents."
)
_QUARTERS = ("q1", "q3")


def consistency(look: CloserLook, name: Callable[[str], str] | None) -> Grid:
    """A row a system, and class where these are looked at one by one. `name`: a query_id as it is
    shown; without it no query is named."""
    classes = [*left("class", "measure")] if _by_class(look) else []
    by = "" if classes else "".join(f", by {one.measure}" for one in look.looks)
    return Grid(
        f"How evenly they do{by}",
        [
            *classes,
            *left("system"),
            *(Column(name, number) for name in ("mean", "sd", "min", "Q1", "median", "Q3", "max")),
            *(left("best query", "worst query") if name is not None else []),
        ],
        [
            [
                *([shown_slice(one.name or ""), one.measure.name] if classes else []),
                *_row(its, name),
            ]
            for one in look.looks
            for its in one.systems
        ],
    )


def disagreement(look: CloserLook, texts: Mapping[str, str], most: int) -> Iterator[Grid]:
    """Of all queries, or of each class, the first `most` for which any two systems have other
    values."""
    for one in look.looks:
        where = "" if one.name is None else f"class {shown_slice(one.name)}, "
        rows: list[list[Cell]] = [
            [
                query.query_id,
                excerpt(texts[query.query_id], 40),
                query.sd,
                f"{query.best[0]} {number(query.greatest)}",
                f"{query.worst[0]} {number(query.least)}",
                query.overlap,
            ]
            for query in _apart(one)[:most]
        ]
        yield Grid(
            f"Where they disagree most, {where}by {one.measure}",
            [
                *left("query", "text"),
                Column("sd", number),
                *left("best", "worst"),
                Column("overlap", number),
            ],
            rows,
        )


def documents(look: CloserLook) -> Iterator[Grid]:
    """A table for kinds, one for lengths: a row a slice of the relevant documents, a column a
    system."""
    for found in look.documents:
        what = found.by.removeprefix("document.")
        yield Grid(
            f"Share of relevant documents in the top {found.k}, by {what}",
            [
                *left(found.by),
                Column("relevant"),
                Column("queries"),
                *(Column(tag, number) for tag in found.tags),
            ],
            [
                (
                    shown_slice(part.name),
                    part.relevant,
                    part.queries,
                    *(run.mean for run in part.runs),
                )
                for part in found.slices
            ],
        )


def about_documents(look: CloserLook) -> str:
    """What the numbers of `documents` are."""
    depths = " or ".join(str(k) for k in dict.fromkeys(one.k for one in look.documents))
    return (
        "Of each query's relevant documents (grade 1 or more) of one kind the share among a"
        f" system's first {depths} results, as a mean over the queries that have any."
    )


def closer_document(look: CloserLook) -> dict[str, Any]:
    """`consistency`, `disagreement` and `document_slices`, floats at full precision."""
    return {
        "consistency": [
            {**_about(one), **_evenness(its)} for one in look.looks for its in one.systems
        ],
        "disagreement": [
            {
                "query_id": query.query_id,
                **_about(one),
                "sd": query.sd,
                "min": query.least,
                "max": query.greatest,
                "best": list(query.best),
                "worst": list(query.worst),
                "overlap": query.overlap,
                **({} if query.overlap is not None else {"why": {"overlap": _ALONE}}),
            }
            for one in look.looks
            for query in _apart(one)
        ],
        "document_slices": [one for found in look.documents for one in _sliced(found)],
    }


_ALONE = "no system has results"


def _by_class(look: CloserLook) -> bool:
    return any(one.name is not None for one in look.looks)


def _about(one: OneLook) -> dict[str, Any]:
    its_class = {} if one.name is None else {"class": one.name or None}
    return {**its_class, "measure": one.measure.name}


def _apart(one: OneLook) -> list[DividedQuery]:
    """What is equal to a reader is no disagreement."""
    return [query for query in one.divided.rows if query.best != query.worst]


def _row(one: OverQueries, name: Callable[[str], str] | None) -> list[Cell]:
    spread, (low, high) = one.spread, one.quartiles
    named: list[Cell] = []
    if name is not None:
        # What is equal to a reader has no best and no worst.
        apart = one.best.value - one.worst.value >= STEP
        named = [_named(one.best, name), _named(one.worst, name)] if apart else [None, None]
    return [
        *(one.tag, spread.mean, spread.sd, spread.least, low, spread.median, high),
        *(spread.greatest, *named),
    ]


def _named(extreme: Extreme, name: Callable[[str], str]) -> str:
    first, *others = extreme.query_ids
    return f"{name(first)} (and {len(others):,} more)" if others else name(first)


def _evenness(one: OverQueries) -> dict[str, Any]:
    spread = one.spread
    return {
        "tag": one.tag,
        "queries": spread.n,
        "mean": spread.mean,
        "sd": spread.sd,
        "min": spread.least,
        "median": spread.median,
        "max": spread.greatest,
        **dict(zip(_QUARTERS, one.quartiles, strict=True)),
        "best": list(one.best.query_ids),
        "worst": list(one.worst.query_ids),
    }


def _sliced(found: DocumentSlices) -> Iterator[dict[str, Any]]:
    for part in found.slices:
        yield {
            "by": found.by,
            "slice": part.name or None,
            "k": found.k,
            "relevant": part.relevant,
            "queries": part.queries,
            "share": {tag: run.mean for tag, run in zip(found.tags, part.runs, strict=True)},
        }
