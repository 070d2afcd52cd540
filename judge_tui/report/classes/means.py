"""A table a class: a row for each measure and system, standard and hard queries side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from judge_tui.analysis.class_means import ClassPart
from judge_tui.report.layout import Cell, Column, Grid, number, plain
from judge_tui.scoring import Measure
from judge_tui.scoring.class_terms import terms_of

__all__ = ["class_grids", "classes_document"]

Band: TypeAlias = Callable[[float], str]
"""A mean reciprocal rank in words."""


def class_grids(
    parts: Sequence[ClassPart], tags: Sequence[str], band: Band | None = None, *, beside: str = ""
) -> Iterator[Grid]:
    """Every class that is scored; with `band` the reciprocal ranks have theirs beside them.
    `beside`: what tells a table from another one of the class."""
    for part in parts:
        banded = band is not None and any(map(_is_rank, part.slice.measures))
        subsets = part.shown_subsets
        columns = [Column(name, plain, right=False) for name in ("measure", "system")]
        columns.append(Column("mean", number))
        columns += [Column(f"{name} ({_told(part.counts(name))})", number) for name in subsets]
        columns += [Column("band", plain, right=False)] if banded else []
        rows: list[list[Cell]] = []
        for measure in part.slice.measures:
            for place, tag in enumerate(tags):
                mean = part.mean(place, measure)
                row: list[Cell] = [measure.name, tag, mean]
                row += [part.mean(place, measure, subset) for subset in subsets]
                if banded:
                    row.append(
                        "" if band is None or mean is None or not _is_rank(measure) else band(mean)
                    )
                rows.append(row)
        count = f"{_told(part.counts())} {'query' if part.queries == 1 else 'queries'}"
        yield Grid(f"Class {part.slice.shown}{beside}: {count}", columns, rows)


def classes_document(
    parts: Sequence[ClassPart], tags: Sequence[str], band: Band | None = None
) -> list[dict[str, Any]]:
    """The same for programs; a mean over no query is None. `terms`: the standard class whose terms
    these are, `why` it has no other measures; None where it has none."""
    return [
        {
            "class": part.slice.name or None,
            "queries": part.queries,
            "terms": None if (terms := terms_of(part.slice.name)) is None else terms.names[0],
            "measures": [measure.name for measure in part.slice.measures],
            "subsets": {name: len(its) for name, its in part.subsets.items()},
            "systems": {
                tag: _system(part, place, part.slice.measures, band)
                for place, tag in enumerate(tags)
            },
        }
        for part in parts
    ]


def _system(
    part: ClassPart, place: int, measures: Sequence[Measure], band: Band | None
) -> dict[str, Any]:
    mean = {measure.name: part.mean(place, measure) for measure in measures}
    ranked = next((mean[one.name] for one in measures if _is_rank(one)), None)
    return {
        "mean": mean,
        "band": None if band is None or ranked is None else band(ranked),
        "subsets": {
            name: {measure.name: part.mean(place, measure, name) for measure in measures}
            for name in part.subsets
        },
    }


def _told(counts: tuple[int, int]) -> str:
    least, most = counts
    return f"{most:,}" if least == most else f"{least:,} to {most:,}"


def _is_rank(measure: Measure) -> bool:
    return measure.definition.name == "RR"
