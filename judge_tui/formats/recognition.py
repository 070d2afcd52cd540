"""What a file is, told by its first lines: its kind and format, or what else it seems to be."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from judge_tui.formats.format import CALLED, Format, Kind, Likeness, Sample
from judge_tui.formats.header import is_header
from judge_tui.formats.registry import FOLDER, all_formats, format_named, formats_of
from judge_tui.formats.source import Source, UnreadableError, open_source

__all__ = ["Recognised", "format_for", "format_of", "nothing_in", "recognise"]

_FILL = "was it written to the end?"
_COLUMNS: dict[Kind, int] = {"run": 6, "qrels": 4}


class Recognised(NamedTuple):
    """What a file holds: `run`, `qrels`, `queries` or `documents`, and the format's name."""

    kind: Kind
    format: str


def recognise(path: str | os.PathLike[str]) -> Recognised:
    """Tell what a file (or a folder) is by its content; its name plays no part.

    Two layouts serve for queries and documents alike, `id<TAB>text` and `{"id", "text"}`: there,
    half the lines longer than 300 bytes, or a `doc_id`, `title`, `url` or `kind`, make documents.
    Raises `InputError` for a file that cannot be read, is empty or is nothing known.
    """
    if Path(path).is_dir():
        return Recognised("documents", FOLDER)
    with open_source(path) as source:
        found = format_of(source)
        return Recognised(found.kind, found.name)


def format_of(source: Source, name: str | None = None) -> Format[Any]:
    """The format, of all or of those of that name, that a file looks like most.

    Raises `UnreadableError` where it looks like none.
    """
    sample = Sample(source)
    if not sample.lines:
        raise nothing_in(source)
    named = [known for known in all_formats() if name in (None, known.name)]
    header = _header(sample)
    found = _likest(sample, named)
    if found and not header:
        return found
    foreign = header or _foreign(sample)
    by_columns = None if foreign else _by_columns(sample)
    if by_columns in named:
        return by_columns
    what, mend = foreign or (
        "neither a run, qrels, queries nor documents can be recognised here",
        "say what it is with --format, e.g. --format queries:tsv",
    )
    raise UnreadableError(source.path, sample.numbered[0][0], what, mend)


def format_for(source: Source, kind: Kind, name: str | None) -> Format[Any]:
    """The format to read a file of this kind with: the one named, else told by the content.

    A file that is plainly something else is refused here, with one message instead of one per
    line. Raises `UnreadableError`, and `UsageError` for a name that is no format of the kind.
    """
    wanted = [format_named(kind, name)] if name else formats_of(kind)
    sample = Sample(source)
    found = _likest(sample, wanted)
    if found or not sample.lines:
        return found or wanted[0]
    line = sample.numbered[0][0]
    layouts = ", or ".join(known.layout for known in wanted)
    header = _header(sample)
    other = None if header else _likest(sample, all_formats())
    if other and other.kind != kind:
        raise UnreadableError(
            source.path,
            line,
            f"this looks like {CALLED[other.kind]} ({other.layout}), not {CALLED[kind]}",
            f"give {CALLED[kind]} ({layouts}): are two files swapped?",
        )
    if other:
        raise UnreadableError(
            source.path,
            line,
            f"this looks like the format {other.name}, not {wanted[0].name}",
            f"use --format {other.name}, or leave it out",
        )
    foreign = header or _foreign(sample)
    if foreign:
        what, mend = foreign
        raise UnreadableError(
            source.path, line, f"{what}, not {CALLED[kind]}", f"{mend}; what is read is {layouts}"
        )
    return wanted[0]


def nothing_in(source: Source) -> UnreadableError:
    """What to say of a file without a single row."""
    if source.head:
        return UnreadableError(source.path, None, "the file holds only blank lines", _FILL)
    return UnreadableError(source.path, None, "the file is empty", _FILL)


def _likest(sample: Sample, formats: Sequence[Format[Any]]) -> Format[Any] | None:
    if not sample.lines:
        return None
    best = max(formats, key=lambda known: known.likeness(sample))
    return best if best.likeness(sample) > Likeness.NO else None


def _by_columns(sample: Sample) -> Format[Any] | None:
    """A run or qrels by the number of columns alone, so that what is wrong in them can be said."""
    for kind, columns in _COLUMNS.items():
        if sample.mostly(lambda line, columns=columns: len(line.split()) == columns):  # type: ignore[misc]
            return format_named(kind, "trec")
    return None


def _foreign(sample: Sample) -> tuple[str, str] | None:
    """What a file of no known format seems to be, and how to make one of a known format of it."""
    first = sample.first
    if first.startswith(b"["):
        return "this looks like a JSON array", "write one object per line, e.g. with jq -c '.[]'"
    if first == b"{":
        return (
            "this looks like JSON spread over several lines",
            "write one object per line, e.g. with jq -c .",
        )
    if first.startswith(b"<"):
        return "this looks like XML or HTML", "convert it"
    return None


def _header(sample: Sample) -> tuple[str, str] | None:
    """A table with a header, which no format here has, and how to make one of them of it."""
    first = sample.first.decode("utf-8", "replace")
    for separator, called in ((",", "CSV"), (";", "CSV with semicolons"), ("\t", "TSV")):
        if is_header(first.split(separator)):
            return (
                f"this looks like {called} with a header",
                "take the header off and put the columns into the order of that format",
            )
    return None
