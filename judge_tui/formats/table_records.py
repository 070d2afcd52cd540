"""Tables whose rows are records of texts, as spreadsheets hold queries and documents: a header
names what each cell says."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from judge_tui.formats.columns import folded
from judge_tui.formats.format import Sample
from judge_tui.formats.problems import Reporter, decoded, quoted
from judge_tui.formats.row_cells import is_whole, row_cells
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.table import Header, columns_called, header_of, seen_columns

__all__ = ["first_of", "names_in", "note_metadata", "record_header", "table_records", "wanted"]

# What no line holds: one below a single name is a single cell, whatever stands in it.
_NO_SEPARATOR = "\n"


def record_header(sample: Sample) -> Header | None:
    """The first row as a header, be it of a single cell; None where there is no line."""
    found = header_of(sample)
    if found is not None or not sample.numbered:
        return found
    line, raw = sample.numbered[0]
    return Header(line, _NO_SEPARATOR, (raw.decode("utf-8", "replace").strip().strip('"'),))


def names_in(header: Header) -> list[str]:
    """The names of a header as they are compared, one for each column."""
    return [folded(name) for name in header.written]


def table_records(
    source: Source, report: Reporter, known: Collection[str]
) -> tuple[Header, Iterator[tuple[int, dict[str, str]]]] | None:
    """The header and the rows below it; None where there is no line, or none that can be read.

    A row is what its cells say by the names of the columns, those that are `known` as they are
    compared, others as they are written: without the white space around it, and without what is
    blank. Columns without a name are left out, as is the index that pandas writes.

    Raises `UnreadableError` where two columns have one name.
    """
    sample = Sample(source)
    header = record_header(sample)
    if header is None:
        return None
    line, raw = sample.numbered[0]
    if decoded(raw, line, report) is None:
        return None
    names = names_in(header)
    for name in (name for name in names if name and names.count(name) > 1):
        first, second = [at for at, other in enumerate(names, 1) if other == name][:2]
        what = f"columns {first} and {second} are both called {quoted(name)}"
        raise UnreadableError(source.path, header.line, what, "rename or remove one of them")
    keys = [
        name if name in known else written
        for name, written in zip(names, header.written, strict=True)
    ]
    return header, _records(source, report, header, keys)


def wanted(header: Header, path: str, names: Sequence[str]) -> str:
    """The first of these names that the header has. Raises `UnreadableError` where it has none."""
    found = first_of(names, names_in(header))
    if found is None:
        what = f"there is no column {names[0]}; {seen_columns(header)}"
        raise UnreadableError(path, header.line, what, f"name it {names[0]}")
    return found


def first_of(names: Sequence[str], there: Collection[str]) -> str | None:
    """The first of these names that is there."""
    return next((name for name in names if name in there), None)


def note_metadata(header: Header, own: Collection[str], of: str, report: Reporter) -> None:
    """Tell which columns are none of a record's own (`own`, as they are compared)."""
    kept = [name for name in header.written if name and folded(name) not in own]
    if kept:
        report.notes.append(f"{columns_called(kept)} kept as metadata of the {of}")


def _records(
    source: Source, report: Reporter, header: Header, keys: Sequence[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    cells_of = row_cells(source.path, source.lines(), header.separator, report)
    next(cells_of)
    for line, cells in cells_of:
        if any(map(str.strip, cells)) and is_whole(line, cells, len(keys), report):
            said = zip(keys, map(str.strip, cells), strict=True)
            yield line, {key: text for key, text in said if key and text}
