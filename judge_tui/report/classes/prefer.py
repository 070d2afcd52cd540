"""How the demand `prefer` is shown: the better kind before the worse one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from judge_tui.analysis.class_means import shown_subsets
from judge_tui.analysis.demands import ClassDemand
from judge_tui.report.classes.view import (
    DemandView,
    document_of_hit,
    document_of_test,
    title_of,
    with_count,
)
from judge_tui.report.layout import Column, Grid, number, plain, probability
from judge_tui.report.results.view import excerpt
from judge_tui.scoring.prefer import Fate, Hit, Preferred

__all__ = ["PREFER"]

_TEXT = 50


def _grids(
    one: ClassDemand,
    subset_of: Mapping[str, str],
    texts: Mapping[str, str],
    listed: int | None,
) -> Iterator[Grid]:
    subsets = shown_subsets(one.query_ids, subset_of)
    yield Grid(
        with_count(one, "modern before legacy"),
        [
            Column("system", plain, right=False),
            Column("modern first", number),
            *(Column(f"{name} ({len(its)})", number) for name, its in subsets.items()),
            Column("sign p", probability),
            Column("adjusted", probability),
        ],
        [
            (
                tag,
                one.share(tag),
                *(one.share(tag, its) for its in subsets.values()),
                one.tests[tag].p,
                one.p_adjusted.get(tag),
            )
            for tag in one.tags
        ],
    )
    fates = {tag: one.fates(tag) for tag in one.tags}
    yield Grid(
        title_of(one, "how the queries end"),
        [Column("system", plain, right=False), *(Column(str(fate)) for fate in _FATES)],
        [(tag, *(fates[tag][fate] for fate in _FATES)) for tag in one.tags],
    )
    yield _lost(one, texts, listed)


_FATES = (
    Fate.MODERN,
    Fate.ONLY_MODERN,
    Fate.LEGACY,
    Fate.ONLY_LEGACY,
    Fate.TIED,
    Fate.MISSING,
)


def _lost(one: ClassDemand, texts: Mapping[str, str], listed: int | None) -> Grid:
    lost = [
        (query_id, tag, its)
        for query_id in one.query_ids
        for tag in one.tags
        if isinstance(its := one.found[tag][query_id], Preferred) and its.sign < 0
    ]
    shown = lost if listed is None else lost[:listed]
    some = f" (the first {len(shown)} of {len(lost)})" if len(shown) < len(lost) else ""
    columns = [Column(name, plain, right=False) for name in ("query", "text", "system")]
    columns += [Column(name, plain, right=False) for name in ("legacy, at rank", "modern, at rank")]
    return Grid(
        title_of(one, f"where legacy wins{some}"),
        columns,
        [
            (
                query_id,
                excerpt(texts.get(query_id, ""), _TEXT),
                tag,
                _hit(its.worse),
                _hit(its.better),
            )
            for query_id, tag, its in shown
        ],
    )


def _hit(hit: Hit | None) -> str | None:
    return None if hit is None else f"{hit.rank}. {hit.doc_id}"


def _came(its: Preferred, _text: Callable[[str], str]) -> str:
    """As `legacy wins: legacy 1, modern 3`."""
    hits = sorted(
        (hit.rank, kind)
        for kind, hit in (("modern", its.better), ("legacy", its.worse))
        if hit is not None
    )
    ranks = ", ".join(f"{kind} {rank}" for rank, kind in hits)
    return f"{its.fate}: {ranks}" if ranks else str(its.fate)


def _of_system(one: ClassDemand, tag: str) -> dict[str, Any]:
    fates = one.fates(tag)
    return {
        **{fate.replace(" ", "_"): fates[fate] for fate in Fate},
        "sign": document_of_test(one.tests[tag], one.p_adjusted.get(tag)),
    }


def _of_query(its: Preferred) -> dict[str, Any]:
    return {
        "outcome": str(its.fate),
        "better": document_of_hit(its.better),
        "worse": document_of_hit(its.worse),
    }


PREFER: DemandView[Preferred] = DemandView(
    holds="the better kind comes before the worse one",
    notes=(
        "modern first: the share of queries in which the better kind stands before the worse one;"
        " what is missing is last, and without either neither is first",
        "sign p: exact sign test of modern against legacy; tied and both missing left out",
    ),
    grids=_grids,
    came=_came,
    told="the first result of either kind",
    of_system=_of_system,
    of_query=_of_query,
)
