"""What queries demand of the order of results, as tables: the better kind before the worse one, the
highest source first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from judge_tui.analysis.class_means import shown_subsets
from judge_tui.analysis.demands import ClassDemand, Demanded
from judge_tui.report.layout import (
    Cell,
    Column,
    Grid,
    difference,
    number,
    plain,
    probability,
)
from judge_tui.report.page.sections.phrases import excerpt
from judge_tui.report.verdicts import toned
from judge_tui.scoring import shown_slice
from judge_tui.scoring.demands import Found
from judge_tui.scoring.prefer import Fate, Hit, Preferred

__all__ = ["came_first", "order_grids"]

_FATES = (
    Fate.MODERN,
    Fate.ONLY_MODERN,
    Fate.LEGACY,
    Fate.ONLY_LEGACY,
    Fate.TIED,
    Fate.MISSING,
)
_LISTED = 10
"""Queries that a terminal shows of those that the worse kind wins."""

_TEXT = 50


def order_grids(
    found: Demanded,
    subset_of: Mapping[str, str],
    texts: Mapping[str, str],
    *,
    listed: int | None = _LISTED,
) -> Iterator[Grid]:
    """`texts`: query_id -> its text; `listed`: how many lost queries are named of each class, None
    for all."""
    for one in found.of("prefer"):
        yield from _preferred(one, subset_of)
        yield _lost(one, texts, listed)
    for one in found.of("authority"):
        yield _first(one, subset_of)
        yield _sources(one)
    yield _beside(found)


def came_first(its: Found, text: Callable[[str], str] = str) -> str:
    """What came of one query's demand in one list, with ranks: `legacy wins: legacy 1, modern 3`;
    of sources the one of the first hit and, where that is another, the highest one: `wiki/ 1,
    docs/ 2`. `text`: how a source is shown."""
    if isinstance(its, Preferred):
        hits = sorted(
            (hit.rank, kind)
            for kind, hit in (("modern", its.better), ("legacy", its.worse))
            if hit is not None
        )
        ranks = ", ".join(f"{kind} {rank}" for rank, kind in hits)
        return f"{its.fate}: {ranks}" if ranks else str(its.fate)
    ranked = [(hit.rank, place) for place, hit in enumerate(its.first) if hit is not None]
    if not ranked:
        return "no source found"
    highest = min(ranked, key=lambda one: one[1])
    shown = dict.fromkeys((min(ranked), highest))
    return ", ".join(f"{text(its.written[place])} {rank}" for rank, place in shown)


def _preferred(one: ClassDemand, subset_of: Mapping[str, str]) -> Iterator[Grid]:
    subsets = shown_subsets(one.query_ids, subset_of)
    title = _title(one, f"modern before legacy: {_of(one)}")
    yield Grid(
        title,
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
        _title(one, "how the queries end"),
        [Column("system", plain, right=False), *(Column(str(fate)) for fate in _FATES)],
        [(tag, *(fates[tag][fate] for fate in _FATES)) for tag in one.tags],
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
        _title(one, f"where legacy wins{some}"),
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


def _first(one: ClassDemand, subset_of: Mapping[str, str]) -> Grid:
    subsets = shown_subsets(one.query_ids, subset_of)
    columns = [
        Column("system", plain, right=False),
        Column("highest first", number),
        *(Column(f"{name} ({len(its)})", number) for name, its in subsets.items()),
        Column("no source found"),
    ]
    rows = [
        (
            tag,
            one.share(tag),
            *(one.share(tag, its) for its in subsets.values()),
            one.without_source(tag),
        )
        for tag in one.tags
    ]
    return Grid(_title(one, f"sources by authority: {_of(one)}"), columns, rows)


def _sources(one: ClassDemand) -> Grid:
    by_tag = [one.sources(tag) for tag in one.tags]
    columns = [Column("source", plain, right=False), Column("queries")]
    columns += [Column(f"RR {tag}", number) for tag in one.tags]
    rows = [
        (its[0].written, its[0].queries, *(source.reciprocal_rank for source in its))
        for its in zip(*by_tag, strict=True)
    ]
    return Grid(_title(one, "RR of each source"), columns, rows)


def _beside(found: Demanded) -> Grid:
    columns = [Column(name, plain, right=False) for name in ("class", "demand", "baseline", "run")]
    columns += [
        Column("queries"),
        Column("baseline holds"),
        Column("holds"),
        Column("delta", difference),
        Column("95% interval"),
        Column("gained"),
        Column("lost"),
        Column("mcnemar p", probability),
        Column("adjusted", probability),
        Column("verdict", plain, right=False),
    ]
    rows: list[list[Cell]] = [
        [
            shown_slice(one.name),
            one.demand,
            arm.baseline,
            arm.arm,
            arm.tasks,
            arm.before,
            arm.after,
            arm.delta,
            None if arm.ci95 is None else " to ".join(difference(end) for end in arm.ci95),
            len(arm.gained),
            len(arm.lost),
            arm.test.p,
            arm.p_adjusted,
            toned(arm.verdict),
        ]
        for one in found.classes
        for arm in one.beside
    ]
    return Grid("Demands on the order, compared", columns, rows)


def _title(one: ClassDemand, what: str) -> str:
    return f"Class {one.name}, {what}" if one.name else f"{what[0].upper()}{what[1:]}"


def _of(one: ClassDemand) -> str:
    return f"{len(one.query_ids):,} {'query' if len(one.query_ids) == 1 else 'queries'}"


def _hit(hit: Hit | None) -> str | None:
    return None if hit is None else f"{hit.rank}. {hit.doc_id}"
