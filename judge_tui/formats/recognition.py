"""Which kind and format a file has, by its first lines, or why it is not what is wanted."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from judge_tui.formats.problems import quoted
from judge_tui.formats.registry import (
    ANSWERS,
    CALLED,
    FOLDER,
    FORMATS,
    QUEPID_RESULTS,
    Format,
    Kind,
    format_named,
)
from judge_tui.formats.sniff import Shape
from judge_tui.formats.source import Layout, Source, UnreadableError, open_source


class Recognised(NamedTuple):
    """What a file holds: `run`, `qrels`, `judgments` (of several judges), `queries` or `documents`,
    and the format's name. Answers are `queries` of the format `answers`."""

    kind: Kind
    format: str


def recognise(
    path: str | os.PathLike[str], *kinds: Kind, layout: Layout | None = None
) -> Recognised:
    """Tell what a file (or a folder) is by its content, one of these kinds where any are named; its
    name plays no part. `layout`: what the user says of it.

    Two layouts serve for queries and documents alike, `id<TAB>text` and `{"id", "text"}`: there,
    half the lines longer than 300 bytes, or a `doc_id`, `title`, `url` or `kind`, make documents.
    A JSON object of numbers serves for runs and qrels alike: whole ones of one or two digits make
    qrels. A table with both scores and grades is a run of the format `results`; it can be read as
    qrels just as well. Raises `InputError` for a file that cannot be read, is empty or is nothing
    known.
    """
    if Path(path).is_dir():
        return Recognised("documents", FOLDER)
    with open_source(path, layout=layout) as source:
        found = format_for(source, *kinds)
        return Recognised(found.kind, found.name)


RESULTS = replace(format_named("run", "results"), reader="csv_files:results")
"""A table of results and their grades, of which both are read."""
_CASE_RESULTS = replace(
    format_named("run", "quepid"), reader="quepid:case_results", signatures=(QUEPID_RESULTS,)
)


def format_for(source: Source, *kinds: Kind) -> Format:
    """Return the format to read a file of one of these kinds with, or of any kind: the format that
    its layout names, whatever it looks like, else the one that its content has.

    Lines of text that look like no format are read as the most usual one of runs and qrels, so that
    each line gets a message of its own. Raises `UnreadableError` for what is plainly something
    else, and `UsageError` for a name that is not a format of the kind.
    """
    shape, name = _shape(source), source.layout.format
    formats = [
        one
        for one in FORMATS
        if (not kinds or one.kind in kinds) and (name is None or one.is_called(name))
    ]
    if name is not None and len(formats) < 2:
        return formats[0] if formats else format_named(kinds[0], name)
    if shape is None:
        if kinds:
            return formats[0]
        raise nothing_in(source)
    found = _likest(shape, formats)
    if found is not None:
        return found
    if not kinds:
        raise _unknown(source, shape, None)
    if name is not None:
        return formats[0]
    known = _likest(shape, FORMATS)
    # Of three fields between tabs the last may be a rank, a grade or a score.
    unsure = (shape.kind == "tabs" and shape.width == 3) or shape.strange_header
    are_lines = shape.kind in ("text", "fields", "tabs") and not unsure
    if known is None and kinds[0] in ("run", "qrels") and are_lines:
        return formats[0]
    raise _unknown(source, shape, kinds[0], known)


def format_of_results(source: Source) -> Format | None:
    """Return the format that reads results and their grades out of one table; None where the file
    is no such table."""
    shape = source.shape
    if shape is None or shape.kind != "table":
        return None
    return _likest(shape, (_CASE_RESULTS, RESULTS))


def nothing_in(source: Source, kind: Kind | None = None) -> UnreadableError:
    """Return the error of a file without a single row."""
    if not source.head:
        what = "the file is empty"
    elif kind is None or not source.head.strip():
        what = "the file holds only blank lines"
    else:
        what = f"the file holds no row of {CALLED[kind]}"
    return UnreadableError(source.path, None, what, "check that the file is complete")


def _shape(source: Source) -> Shape | None:
    """Return the shape of a source. Raises `UnreadableError` where columns are declared of a file
    that is not a table."""
    shape = source.shape
    if source.layout.columns and shape is not None and shape.kind != "table":
        what, mend = "the file is not a table", "leave --columns out"
        if shape.strange_header:
            what, mend = f"this is {_looks(shape)}", "write the names of its header after the ="
        raise UnreadableError(source.path, shape.line, what, mend)
    return shape


def _likest(shape: Shape, formats: Iterable[Format]) -> Format | None:
    """Return the format whose signature in the file says most, the first of several."""
    best = max(formats, key=lambda known: _weight(known, shape))
    return None if _weight(best, shape) < 0 else best


def _weight(known: Format, shape: Shape) -> float:
    return max((one.weight for one in known.signatures if one.is_of(shape)), default=-1)


def _unknown(
    source: Source, shape: Shape, kind: Kind | None, known: Format | None = None
) -> UnreadableError:
    """Return the error of a file that is not of this kind, or of no kind."""
    wanted = "anything known" if kind is None else CALLED[kind]
    like = f"this looks like {_called(known)}" if known else f"this is {_looks(shape)}"
    formats = [one for one in FORMATS if kind in (None, one.kind)]
    usual = "; ".join(dict.fromkeys(one.summary for one in formats[:4]))
    mend = f"give {wanted} ({usual})" if kind else f"give {' or '.join(CALLED.values())}"
    if known and known.kind == "judgments" and kind == "qrels":
        mend = "load them into a campaign with load qrels, then export qrels --policy majority"
    else:
        columns = _COLUMNS[kind] if kind else f"{_COLUMNS['run']} or {_OF_ANSWERS}"
        mend = _or_columns(mend, shape, columns)
    return UnreadableError(source.path, shape.line, f"{like}, not {wanted}", mend)


def no_answers(source: Source, shape: Shape, mend: str) -> UnreadableError:
    """Return the error of a file that holds no answers. `mend`: what they look like."""
    what = f"this is {_looks(shape)}, not an answers file"
    mend = _or_columns(mend, shape, _OF_ANSWERS)
    return UnreadableError(source.path, shape.line, what, mend)


def _or_columns(mend: str, shape: Shape, columns: str) -> str:
    """Of a table, the other way to mend it, too."""
    if shape.kind != "table" and not shape.strange_header:
        return mend
    return f"{mend}, or say what its columns are called: --columns {columns}"


_OF_ANSWERS = "query=…,result=…"
_COLUMNS: dict[Kind, str] = {
    "run": "query_id=…,doc_id=…,score=…",
    "qrels": "query_id=…,doc_id=…,relevance=…",
    "judgments": "query_id=…,doc_id=…,judge=…,relevance=…",
    "queries": "query_id=…,query=…",
    "documents": "doc_id=…,text=…",
}


def _called(found: Format) -> str:
    return ANSWERS if found.name == ANSWERS else f"{CALLED[found.kind]} ({found.summary})"


_LOOKS = {
    "jsonl": "JSON",
    "json": "JSON",
    "array": "a JSON array",
    "sgml": "XML or HTML",
    "toml": "TOML",
}


def _looks(shape: Shape) -> str:
    if header := shape.header or shape.strange_header:
        return f"a table with the columns {', '.join(map(quoted, header[:12]))}"
    if shape.kind == "tabs":
        return f"{shape.width} columns between tabs, and no header that names them"
    if shape.kind in _LOOKS and shape.names:
        names = ", ".join(map(quoted, sorted(shape.names)[:12]))
        return f"{_LOOKS[shape.kind]} with the names {names}"
    return _LOOKS.get(shape.kind, f"text that begins with {quoted(shape.first)}")
