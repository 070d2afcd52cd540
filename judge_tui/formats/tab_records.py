"""Files with tabs between their fields and no quoting, as MS MARCO has them: a record a line, the
id first. They have no header, which could tell that a program quotes its cells: all quotes stay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from judge_tui.formats.columns import aliased, folded
from judge_tui.formats.problems import Reporter, counted, decoded
from judge_tui.formats.sample import Sample
from judge_tui.formats.source import Source

__all__ = ["Triple", "tab_records"]

Triple: TypeAlias = tuple[bytes, bytes, bytes]


def tab_records(
    source: Source, report: Reporter, fields: tuple[int, ...], layout: str
) -> Iterator[tuple[int, list[str]]]:
    """The fields of each line that has one of the numbers of fields allowed, the id stripped."""
    first = True
    for number, raw in source.lines():
        if not raw.strip():
            continue
        text = decoded(raw.removesuffix(b"\r"), number, report)
        if text is None:
            continue
        record = text.split("\t")
        if len(record) not in fields:
            allowed = " or ".join(map(str, fields))
            report(
                number,
                f"{counted(len(record), 'tab-separated field')}; a line has {allowed} ({layout})",
                "put one tab between the fields, and none within them",
            )
            continue
        record[0] = record[0].strip(" ")
        if first and all(aliased([folded(cell)]) for cell in record[:2]):
            report(number, "this line is a header, not a record", "delete it")
        else:
            yield number, record
        first = False


def tab_fields(sample: Sample, *counts: int) -> bool:
    """Whether the lines have one of these numbers of fields."""
    return sample.mostly(lambda line: line.count(b"\t") + 1 in counts)


def bare_triples(sample: Sample) -> list[Triple]:
    """The lines that are two ids and a whole number, if most are: but not what the number is, which
    no header says. It may be a rank, a grade or a score."""
    cut = [line.rstrip(b"\r").split(b"\t") for line in sample.lines]
    triples = [
        (query, doc, number)
        for query, doc, number in (cells for cells in cut if len(cells) == 3)
        if query.strip() and doc.strip() and number.strip().isdigit()
    ]
    return triples if 2 * len(triples) > len(cut) else []
