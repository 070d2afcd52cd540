"""How evenly the systems do: by class of query, by kind and length of document."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.analysis.document_kinds import DocumentSlices
from judge_tui.analysis.spread import SPREAD
from judge_tui.report.layout import Column, Grid, number
from judge_tui.report.page.content import Block, Section, Table
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.naming import not_shown

__all__ = ["slices"]

_SLICES = 20


def slices(found: Findings) -> Section | None:
    """How evenly the systems do: by class of query, by kind and length of document."""
    blocks = [*_by_class(found), *_by_document(found.kinds, found, "kind")]
    blocks += _by_document(found.lengths, found, "length")
    if not blocks:
        return None
    return Section("slices", "Kinds of queries and documents", blocks)


def _by_class(found: Findings) -> Iterator[Block]:
    cut = found.classes
    if cut is None or len(cut.slices) < 2:
        return
    slices = cut.slices[:_SLICES]
    names = [one.name or "without a class" for one in slices]
    sizes = [max(spread.n for spread in one.runs.values()) for one in slices]
    even = {one.tag: one for one in cut.consistency}
    yield Table(
        Grid(
            f"{found.measure} by class of query",
            [
                Column("system", right=False),
                *(
                    Column(f"{name} ({size:,})", number)
                    for name, size in zip(names, sizes, strict=True)
                ),
                *(Column(f"sd of {what}", number) for what in ("queries", "classes") if even),
            ],
            [
                (
                    tag,
                    *(one.runs[tag].mean for one in slices),
                    *((even[tag].overall.sd, even[tag].between.sd) if even else ()),
                )
                for tag in found.shown
            ],
        ),
        "Means; in brackets the number of queries."
        + (f" sd: {SPREAD}; the less, the evener." if even else "")
        + _left_out(len(cut.slices) - len(slices))
        + not_shown(found),
    )


def _by_document(cut: DocumentSlices, found: Findings, what: str) -> Iterator[Block]:
    if len(cut.slices) < 2:
        return
    slices = cut.slices[:_SLICES]
    place = {tag: at for at, tag in enumerate(cut.tags)}
    yield Table(
        Grid(
            f"Share of the relevant documents in the first {cut.k}, by {what} of document",
            [
                Column("system", right=False),
                *(
                    Column(f"{one.name or f'no {what}'} ({one.relevant:,})", number)
                    for one in slices
                ),
            ],
            [(tag, *(one.runs[place[tag]].mean for one in slices)) for tag in found.shown],
        ),
        "Mean over the queries that have such documents; in brackets the number of pairs."
        + _left_out(len(cut.slices) - len(slices))
        + not_shown(found),
    )


def _left_out(more: int) -> str:
    return f" {more:,} more kinds not shown." if more > 0 else ""
