"""Tables whose rows are records of texts, as spreadsheets hold queries and documents: a header
names what each cell says.

In a list of a single column, quotes that a text does not need are part of it, unless the header has
some as well: as between tabs (`rows_below`), a person may have typed them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from judge_tui.formats.columns import folded
from judge_tui.formats.problems import Reporter, decoded, quoted
from judge_tui.formats.row_cells import is_whole, needs_quotes
from judge_tui.formats.sample import Sample
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.table import (
    Header,
    below,
    columns_called,
    header_of,
    rows_below,
    seen_columns,
)

__all__ = [
    "first_of",
    "names_in",
    "note_metadata",
    "record_header",
    "table_records",
    "unnamed",
    "wanted",
]

# What no line holds: one below a single name is a single cell, whatever stands in it.
_NO_SEPARATOR = "\n"
_QUOTED = re.compile('"((?:[^"]|"")*)"')


def record_header(sample: Sample) -> Header | None:
    """The first row as a header, be it of a single cell; None where there is no line."""
    found = header_of(sample)
    if found is not None or not sample.numbered:
        return found
    line, raw = sample.numbered[0]
    name = raw.decode("utf-8", "replace").strip()
    in_quotes = len(name) > 1 and name[0] == name[-1] == '"'
    return Header(line, _NO_SEPARATOR, (name.strip('"'),), in_quotes)


def names_in(header: Header) -> list[str]:
    """The names of a header as they are compared, one for each column."""
    return [folded(name) for name in header.written]


def table_records(
    source: Source, report: Reporter, known: Collection[str]
) -> tuple[Header, Iterator[tuple[int, dict[str, str]]]] | None:
    """The header and the rows below it; None where there is no line, or none that can be read.

    A row is what its cells say by the names of the columns, those that are `known` as they are
    compared, others as they are written: without the white space around it, and without what is
    blank. A column without a name is left out where it is blank, or the index that pandas writes:
    anything else in it is reported.

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
    number = 0
    is_list = header.separator == _NO_SEPARATOR and not header.in_quotes
    rows = (
        below(header, _list(source, report))
        if is_list
        else rows_below(header, source.path, source.lines(), report)
    )
    for line, cells in rows:
        if not any(map(str.strip, cells)):
            continue
        if is_whole(line, cells, len(keys), report):
            said = [
                (key, text.strip().replace("\r\n", "\n"))
                for key, text in zip(keys, cells, strict=True)
            ]
            if (lost := unnamed(said, number)) is None:
                yield line, {key: text for key, text in said if key and text}
            else:
                what = f"no column is named above {quoted(lost)}"
                report(line, what, "name it in the header, or take the column out")
        number += 1


def unnamed(said: Sequence[tuple[str, str]], number: int) -> str | None:
    """The first cell of a row that says something in a column without a name, of names and texts;
    None where there is none. `number`, from 0, of the row in the first column is pandas' index."""
    for at, (name, text) in enumerate(said):
        if text and not name and not (at == 0 and text == str(number)):
            return text
    return None


def _list(source: Source, report: Reporter) -> Iterator[tuple[int, list[str]]]:
    """The lines of a list as rows of a single cell, the header's first."""
    for line, raw in source.lines():
        text = decoded(raw, line, report) if raw.strip() else None
        if text is not None and (cell := _of_list(text.strip(), line, report)) is not None:
            yield line, [cell]


def _of_list(text: str, line: int, report: Reporter) -> str | None:
    """A line of a list: what it says in quotes that it needs, else as it stands."""
    if not text.startswith('"'):
        return text
    if text.count('"') % 2:
        what = "a quote opens and is not closed on its line"
        report(line, what, 'close it; a text is one line, and a quote alone is written """"')
        return None
    whole = _QUOTED.fullmatch(text)
    return whole[1].replace('""', '"') if whole and needs_quotes(whole[1]) else text
