"""How the demand `authority` is shown: the highest source first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from judge_tui.analysis.class_means import shown_subsets
from judge_tui.analysis.demands import ClassDemand
from judge_tui.report.classes.view import DemandView, document_of_hit, title_of, with_count
from judge_tui.report.layout import Column, Grid, number, plain
from judge_tui.scoring.authority import Sourced

__all__ = ["AUTHORITY"]


def _grids(
    one: ClassDemand,
    subset_of: Mapping[str, str],
    _texts: Mapping[str, str],
    _listed: int | None,
) -> Iterator[Grid]:
    subsets = shown_subsets(one.query_ids, subset_of)
    yield Grid(
        with_count(one, "sources by authority"),
        [
            Column("system", plain, right=False),
            Column("highest first", number),
            *(Column(f"{name} ({len(its)})", number) for name, its in subsets.items()),
            Column("no source found"),
        ],
        [
            (
                tag,
                one.share(tag),
                *(one.share(tag, its) for its in subsets.values()),
                one.without_source(tag),
            )
            for tag in one.tags
        ],
    )
    by_tag = [one.sources(tag) for tag in one.tags]
    several = len({source.among for its in by_tag for source in its}) > 1
    yield Grid(
        title_of(one, "RR of each source"),
        [
            *([Column("among", plain, right=False)] if several else []),
            Column("source", plain, right=False),
            Column("queries"),
            *(Column(f"RR {tag}", number) for tag in one.tags),
        ],
        [
            (
                *([" > ".join(its[0].among)] if several else []),
                its[0].written,
                its[0].queries,
                *(source.reciprocal_rank for source in its),
            )
            for its in zip(*by_tag, strict=True)
        ],
    )


def _came(its: Sourced, text: Callable[[str], str]) -> str:
    """The source of the first hit and, where that is another, the highest one: `wiki/ 1, docs/
    2`."""
    ranked = [(hit.rank, place) for place, hit in enumerate(its.first) if hit is not None]
    if not ranked:
        return "no source found"
    highest = min(ranked, key=lambda one: one[1])
    shown = dict.fromkeys((min(ranked), highest))
    return ", ".join(f"{text(its.written[place])} {rank}" for rank, place in shown)


def _of_system(one: ClassDemand, tag: str) -> dict[str, Any]:
    return {
        "no_source": one.without_source(tag),
        "sources": [
            {"source": source.written, "queries": source.queries, "RR": source.reciprocal_rank}
            for source in one.sources(tag)
        ],
    }


def _of_query(its: Sourced) -> dict[str, Any]:
    return {
        "held": its.held,
        "highest": None if its.highest is None else its.written[its.highest],
        "first": {
            written: document_of_hit(hit)
            for written, hit in zip(its.written, its.first, strict=True)
        },
    }


AUTHORITY: DemandView[Sourced] = DemandView(
    holds="result 1 is from the highest source that has any result",
    notes=(
        "highest first: the share of queries of which result 1 is from the highest source that has"
        " any result; without a result from any source it is not",
    ),
    grids=_grids,
    came=_came,
    told="the source of the first hit and, where that is another, the highest that has any",
    of_system=_of_system,
    of_query=_of_query,
)
