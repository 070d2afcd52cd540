"""What a file is, told by its first lines: its kind and format, or what else it seems to be."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from judge_tui.formats.collected_beside import collected_beside
from judge_tui.formats.columns import DOCUMENT, GRADE, QUERY, RANK, SCORE, Column
from judge_tui.formats.format import CALLED, Format, Kind, Likeness, Sample
from judge_tui.formats.header import is_header, is_table_header, names_columns, names_queries
from judge_tui.formats.problems import quoted
from judge_tui.formats.registry import ANSWERS, FOLDER, file_formats, format_named, names_of
from judge_tui.formats.source import Source, UnreadableError, open_source
from judge_tui.formats.tab_records import bare_triples

__all__ = ["Recognised", "format_for", "format_of", "kind_of_grades", "nothing_in", "recognise"]

_ONE_GRADE = (
    "qrels have one grade a pair: judge-tui load qrels takes the judges' into a campaign,"
    " export qrels makes one of them"
)
_ANSWERS: dict[Kind, str] = {
    "qrels": "give it to score, compare or evaluate as --answers FILE, and to a campaign with"
    " load answers",
    "run": "give it as --answers FILE, before the runs",
}
_NO_RANKS = "its lines have no ranks; to take their order for one, name the format msmarco-top1000"
_NO_TEXTS = (
    "numbers of documents, as ranx saves them, have no texts: give it to score or compare, or to a"
    " campaign with load run or load qrels"
)
_NOTHING_KNOWN = (
    "neither a run, qrels, judgments, queries, documents nor answers can be recognised here"
)
_FILL = "was it written to the end?"
_TEXTS_ALONE = "if each is a query, put a line that says query above them"
# What says of a record of JSON Lines whose it is: the id, by the name that the other has not.
_THESE: dict[Kind, str] = {
    "queries": "if these are queries, call their ids query_id",
    "documents": "if these are documents, call their ids doc_id",
}
_NUMBERS: dict[Kind | None, tuple[Column, ...]] = {
    "run": (SCORE, RANK),
    "qrels": (GRADE,),
    "judgments": (GRADE,),
    None: (SCORE, RANK, GRADE),
}
_OTHER_RECORD = re.compile(rb'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[^\s\[{]')
_TOML = re.compile(rb"\[\[[\w\"'.-]+\]\]\s*(?:#.*)?")
_OUTCOMES = re.compile(
    rb'(?:"?"?[,;\t])?"?task(?:_id)?"?[,;\t]"?(?:arm|system)"?[,;\t]', re.IGNORECASE
)
# What a record of queries or documents has, and an object of objects of numbers has not.
_RECORD_ID = re.compile(rb'"(?:query_id|doc_id|_id|id)"\s*:')
_REQUEST = re.compile(rb'\s*\{\s*"query"\s*:\s*\{.*"candidates"\s*:\s*\[', re.DOTALL)
_TASKS = re.compile(rb'\[\s*\{.*"data"\s*:\s*\{', re.DOTALL)
# What a column of right results is called, and no query.
_RIGHT = re.compile(rb"\t\"?(?:results?|expected|pattern)[ _-]*[0-9]+\"?\s*(?:\t|$)", re.IGNORECASE)
_TABLES = {",": "CSV", ";": "CSV with semicolons", "\t": "TSV"}
_COLUMNS: dict[Kind, int] = {"run": 6, "qrels": 4}


class Recognised(NamedTuple):
    """What a file holds: `run`, `qrels`, `judgments` (of several judges), `queries` or `documents`,
    and the format's name. Answers are `queries` of the format `answers`."""

    kind: Kind
    format: str


def recognise(path: str | os.PathLike[str]) -> Recognised:
    """Tell what a file (or a folder) is by its content; its name plays no part.

    Two layouts serve for queries and documents alike, `id<TAB>text` and `{"id", "text"}`: there,
    half the lines longer than 300 bytes, or a `doc_id`, `title`, `url` or `kind`, make documents.
    What a judging tool writes is judgments, be it of one judge.
    A JSON object of numbers serves for runs and qrels alike: whole ones of one or two digits make
    qrels. A table with both scores and grades is a run of the format `results`; it can be read as
    qrels just as well. Raises `InputError` for a file that cannot be read, is empty or is nothing
    known.
    """
    if Path(path).is_dir():
        return Recognised("documents", FOLDER)
    with open_source(path) as source:
        found = format_of(source)
        return Recognised(found.kind, found.name)


def format_of(source: Source, name: str | None = None) -> Format[Any]:
    """The format, of all or of those of that name, that a file looks like most; the only one of
    that name, whatever it looks like.

    Raises `UnreadableError` where it looks like none.
    """
    sample = Sample(source)
    if not sample.lines:
        raise nothing_in(source)
    formats = file_formats(name=name)
    if name is not None and len(formats) == 1:
        return format_named(*formats[0])
    _refuse_collected(source, sample, None)
    found = _likest(sample, formats)
    _refuse_unasked(source, sample, found)
    header = _header(sample, None)
    table = is_table_header(sample.first) and found is not None and found.kind in _NUMBERS
    named = found is not None and found.likeness(sample) is Likeness.NAMED
    if found and (not header or table or named) and not _OUTCOMES.match(sample.first):
        return found
    if header and found and found.kind == "documents":
        what, mend = header
        header = what, f"{mend}; or, if these are documents, say so with --format documents:csv"
    foreign = header or _foreign(sample, None)
    by_columns = None if foreign else _by_columns(sample)
    if by_columns in formats:
        return format_named(*by_columns)
    bare = _bare(None) if bare_triples(sample) else None
    what, mend = (
        foreign
        or bare
        or _like_answers(sample)
        or (
            _NOTHING_KNOWN,
            f"{f'{_TEXTS_ALONE}, or ' if _lacks_ids(sample) else ''}say what it is with --format,"
            " e.g. --format queries:tsv",
        )
    )
    raise UnreadableError(source.path, sample.numbered[0][0], what, mend)


def format_for(source: Source, kind: Kind, name: str | None) -> Format[Any]:
    """The format to read a file of this kind with: the one named, whatever the file looks like,
    else told by the content.

    A file that is plainly something else is refused here, with one message instead of one per
    line. Raises `UnreadableError`, and `UsageError` for a name that is no format of the kind.
    """
    first = format_named(kind, name or names_of(kind)[0])
    if name is not None:
        return first
    wanted = file_formats(kind)
    sample = Sample(source)
    _refuse_collected(source, sample, kind)
    _refuse_other_json(source, sample, kind)
    found = _likest(sample, wanted)
    _refuse_unasked(source, sample, found)
    _refuse_records_of_others(source, sample, found)
    # A line that names a query, a document and a number begins no list of queries or documents,
    # unless it is one whose queries are known by these names.
    table = is_table_header(sample.first)
    named = found is not None and found.likeness(sample) is Likeness.NAMED
    if (found and (named or not table or kind in _NUMBERS)) or not sample.lines:
        return found or first
    line = sample.numbered[0][0]
    header = None if table else _header(sample, kind)
    other = _likest(sample, file_formats())
    if header and other and other.likeness(sample) is not Likeness.NAMED:
        other = None
    if other and other.kind != kind:
        what = f"this looks like {_called(other)}, not {CALLED[kind]}"
        raise UnreadableError(source.path, line, what, _instead(other, kind) or _swapped(kind))
    foreign = header or _foreign(sample, kind)
    if not foreign and bare_triples(sample):
        raise UnreadableError(source.path, line, *_bare(kind))
    if not foreign and kind == "queries" and (odd := _no_answers(sample)):
        raise UnreadableError(source.path, line, *odd)
    if not foreign and kind == "documents":
        from judge_tui.formats import documents_table  # noqa: PLC0415 - as in _header

        if documents_table.names_columns(sample):
            return format_named(kind, "csv")  # whose reader says what is lacking
    if not foreign and kind == "queries" and _lacks_ids(sample):
        raise UnreadableError(source.path, line, "the lines have no ids before a tab", _TEXTS_ALONE)
    if foreign:
        what, mend = foreign
        raise UnreadableError(
            source.path,
            line,
            f"{what}, not {CALLED[kind]}",
            f"{mend}; what is read is {_layouts(wanted)}",
        )
    return first


def kind_of_grades(source: Source, name: str | None) -> Format[Any]:
    """The format of a file of grades, be they qrels or those of several judges; refused as
    `format_for` refuses."""
    judgments = file_formats("judgments")
    if name is None:
        _refuse_requests(source, Sample(source))
    if name is not None:
        several = ("judgments", name.removeprefix("judgments:")) in judgments
        return format_for(source, "judgments" if several else "qrels", name)
    found = _likest(Sample(source), [*file_formats("qrels"), *judgments])
    if found is not None and found.kind == "judgments":
        return found
    return format_for(source, "qrels", None)


def _refuse_collected(source: Source, sample: Sample, kind: Kind | None) -> None:
    """What `collect` wrote beside a run, and a shell names with it, would pass for something else,
    or for a run with faults."""
    held = collected_beside(sample)
    if held is None:
        return
    what = f"collect wrote this beside a run: {held}"
    runs = Path(source.path).with_name("*.run")
    mend = _swapped(kind) if kind not in (None, "run") else f"give the runs, {runs}"
    raise UnreadableError(source.path, sample.numbered[0][0], what, mend)


def _refuse_other_json(source: Source, sample: Sample, kind: Kind) -> None:
    """Judgments of a labelling tool have texts and ids, too: they would pass for queries. And a run
    or qrels in JSON would, where they stand in one line."""
    if kind in _NUMBERS or not sample.first.startswith(b"{"):
        return
    _refuse_requests(source, sample)
    pairs = _likest(sample, [("run", "json"), ("qrels", "json")])
    if (
        pairs is not None
        and pairs.likeness(sample) >= Likeness.SURE
        and not sample.mostly(lambda line: _RECORD_ID.search(line) is not None)
    ):
        what = f"this looks like {_called(pairs)}, not {CALLED[kind]}"
        raise UnreadableError(source.path, sample.numbered[0][0], what, _NO_TEXTS)
    found = _likest(sample, file_formats("judgments"))
    if (
        found is not None
        and found.likeness(sample) >= Likeness.NAMED
        and (kind, found.name) not in file_formats(kind)
    ):
        raise UnreadableError(
            source.path,
            sample.numbered[0][0],
            f"this looks like judgments of {found.name}, not {CALLED[kind]}",
            f"load them with judge-tui load qrels, or name the format: --format {kind}:jsonl",
        )


def _refuse_unasked(source: Source, sample: Sample, found: Format[Any] | None) -> None:
    """A table between tabs that calls what was asked by no name that is known would pass for ids
    and texts (`found`), its header for one of them."""
    first = sample.first
    if found is None or (found.kind, found.name) != ("queries", "tsv"):
        return
    if names_columns(first) and not (names_queries(first) or is_table_header(first)):
        what = f"this looks like a table whose first line, {quoted(first)}, names no column query"
        mend = "call the column of what was searched for query, and that of ids query_id"
        raise UnreadableError(source.path, sample.numbered[0][0], what, mend)
    if not _RIGHT.search(first):
        return
    from judge_tui.formats.answers.columns import columns_in  # noqa: PLC0415 - as in _header

    columns = columns_in(first.decode("utf-8", "replace"))
    if columns is not None and columns.says and not (columns.asks or columns.has_documents):
        what = f"this looks like answers, and no column is called query: {quoted(sample.first)}"
        mend = "call the column of the queries query"
        raise UnreadableError(source.path, sample.numbered[0][0], what, mend)


def _refuse_records_of_others(source: Source, sample: Sample, found: Format[Any] | None) -> None:
    """Ids and texts may be called the same in queries and in documents (`found`): the other keys
    tell whose they are."""
    if found is None or found.kind not in _THESE or found.likeness(sample) > Likeness.POSSIBLE:
        return
    other = _likest(sample, file_formats())
    if other is None or other.kind == found.kind or other.likeness(sample) < Likeness.SURE:
        return
    what = f"this looks like {_called(other)}, not {CALLED[found.kind]}"
    mend = f"{_swapped(found.kind)} Or, {_THESE[found.kind]}"
    raise UnreadableError(source.path, sample.numbered[0][0], what, mend)


def _refuse_requests(source: Source, sample: Sample) -> None:
    if sample.first.startswith(b"{") and sample.mostly(
        lambda line: _REQUEST.match(line) is not None
    ):
        raise UnreadableError(
            source.path,
            sample.numbered[0][0],
            "these are requests to UMBRELA, not judgments yet",
            "have them judged: umbrela judge --input-file FILE; what it writes is what is loaded",
        )


def nothing_in(source: Source, kind: Kind | None = None) -> UnreadableError:
    """What to say of a file without a single row."""
    if not source.head:
        what = "the file is empty"
    elif kind is None or not source.head.strip():
        what = "the file holds only blank lines"
    else:
        what = f"the file holds no row of {CALLED[kind]}"
    return UnreadableError(source.path, None, what, _FILL)


def _likest(sample: Sample, formats: Sequence[tuple[Kind, str]]) -> Format[Any] | None:
    """The format that the sample looks like most, the first of several.

    Later ones are not even imported once one is sure: start-up is counted.
    """
    # Names say more than the look: any object of objects looks like a run or qrels in JSON.
    first = sample.first
    names = is_table_header(first) or first.startswith(b"{") or names_queries(first)
    surest = Likeness.NAMED if names else Likeness.SURE
    best, most = None, Likeness.NO
    for kind, name in formats if sample.lines else ():
        known = format_named(kind, name)
        if known.only_by_name and len(formats) > 1:
            continue
        likeness = known.likeness(sample)
        if likeness > most:
            best, most = known, likeness
        if most >= surest:
            break
    return best


def _by_columns(sample: Sample) -> tuple[Kind, str] | None:
    """A run or qrels by the number of columns alone, so that what is wrong in them can be said."""
    for kind, columns in _COLUMNS.items():
        if sample.mostly(lambda line, columns=columns: len(line.split()) == columns):  # type: ignore[misc]
            return kind, "trec"
    return None


def _like_answers(sample: Sample) -> tuple[str, str] | None:
    """What to say of a table that may be one of answers, but begins with no columns of theirs."""
    from judge_tui.formats.answers.columns import columns_in  # noqa: PLC0415 - as in _header

    tables = [
        (number, columns_in(line.decode("utf-8", "replace"))) for number, line in sample.numbered
    ]
    for number, columns in tables[1:]:
        if columns is not None and columns.asks and columns.says:
            return (
                f"the columns of answers stand in line {number}, and something else above",
                "take out what stands above them",
            )
    if tables[0][1] is None:
        return None
    return (
        _NOTHING_KNOWN,
        "a table of answers begins with query,result1,result2 and so on, one of queries with"
        " query_id,query; or say what it is with"
        " --format, e.g. --format queries:tsv",
    )


def _no_answers(sample: Sample) -> tuple[str, str] | None:
    """What to say of a table of commas or semicolons that is to hold queries, and whose first line
    names no columns of any that do."""
    text = b"\n".join(sample.lines)
    separator = max(b",", b";", key=text.count)
    ((usual, _),) = Counter(line.count(separator) for line in sample.lines).most_common(1)
    if not usual or b"\t" in text or not sample.mostly(lambda line: line.count(separator) == usual):
        return None
    answers = _like_answers(sample)
    if answers is not None and answers[0] is not _NOTHING_KNOWN:
        return answers
    for number, line in sample.numbered[1:]:
        if is_header(line.decode("utf-8", "replace").split(separator.decode())):
            return (
                f"the names of the columns stand in line {number}, and something else above",
                "take out what stands above them",
            )
    return (
        f"this looks like a table whose first line, {quoted(sample.first)}, names no columns that"
        " queries are read from",
        "call them query and result1 if they are queries and right answers, query_id and query if"
        " they are queries alone",
    )


def _lacks_ids(sample: Sample) -> bool:
    """Whether the lines are text as people write it, without tabs: a list of queries, perhaps."""
    return not sample.mostly(lambda line: b"\t" in line or line.lstrip()[:1] in b"{[<")


def _foreign(sample: Sample, kind: Kind | None) -> tuple[str, str] | None:
    """What a file of no known format seems to be, and how to make one of a known format of it."""
    first = sample.first
    if first.strip() == b"[]" and len(sample.lines) == 1:
        return "the list is empty", "was it exported with what is in it?"
    if kind in (None, "qrels") and _TASKS.match(b"\n".join(sample.lines)):
        return (
            "this looks like tasks of Label Studio without annotations",
            "export them as JSON once they are annotated",
        )
    if _TOML.match(first):
        return "this looks like TOML", "if it holds right answers, write each below [[answers]]"
    if first.startswith(b"["):
        return "this looks like a JSON array", "write one object per line, e.g. with jq -c '.[]'"
    if first == b"{":
        return (
            "this looks like JSON spread over several lines",
            "write one object of objects of numbers"
            if kind in ("run", "qrels")
            else "write one object per line, e.g. with jq -c .",
        )
    if _OTHER_RECORD.match(first):
        return "this is JSON without any key that is known", "say what it is with --format"
    if _OUTCOMES.match(first):
        return "this looks like outcomes of tasks", "compare them with judge-tui outcomes"
    if first.startswith(b"<"):
        return "this looks like XML or HTML", "convert it"
    return None


def _called(found: Format[Any]) -> str:
    return ANSWERS if found.name == ANSWERS else f"{CALLED[found.kind]} ({found.layout})"


def _layouts(formats: Sequence[tuple[Kind, str]]) -> str:
    """The usual format by its layout, and the others by their names: there are many."""
    first, *others = sorted(formats, key=lambda known: known[1] == "benchmark")
    names = f", or {', '.join(name for _, name in others)}" if others else ""
    return f"{format_named(*first).layout}{names}"


def _swapped(kind: Kind) -> str:
    return f"give {CALLED[kind]} ({_layouts(file_formats(kind))}): are two files swapped?"


def _instead(found: Format[Any], kind: Kind) -> str | None:
    """How else a file of another kind than the one wanted can be used, if it can."""
    if found.name == ANSWERS:
        return _ANSWERS.get(kind)
    if (found.kind, kind) == ("judgments", "qrels"):
        return _ONE_GRADE
    if found.name == "json" and kind not in _NUMBERS:
        return _NO_TEXTS
    if (found.name, kind) == ("msmarco-top1000", "run"):
        return _NO_RANKS
    return None


def _bare(kind: Kind | None) -> tuple[str, str]:
    """What to say of two ids and a number without a header: a rank, a grade or a score."""
    a_rank = f"if it is a rank, name the format {'run:msmarco' if kind is None else 'msmarco'}"
    a_grade = "if it is a grade, put query_id<TAB>doc_id<TAB>relevance above"
    mends = {
        None: f"{a_rank}; {a_grade}",
        "run": a_rank,
        "qrels": a_grade,
        "documents": "if these are documents, name the format tsv",
    }
    return (
        "two ids and a number, and no header that says what the number is",
        mends.get(kind, "give a file of that kind: are two swapped?"),
    )


def _header(sample: Sample, kind: Kind | None) -> tuple[str, str] | None:
    """A table with a header that is not one of its kind, and how to make it one."""
    from judge_tui.formats import table  # noqa: PLC0415 - only a file that is refused needs it

    header = table.header_of(sample)
    if header is None:
        return None
    numbers = _NUMBERS.get(kind, _NUMBERS[None])
    known = header.has(QUERY) + header.has(DOCUMENT) + header.has(*numbers)
    if known < 2 and not is_header(header.written):
        return None
    what = f"this looks like {_TABLES[header.separator]} with a header"
    if kind == "queries":
        return (
            what,
            "call the columns query and, if there are ids, query_id, or name the format csv",
        )
    if kind == "documents":
        return (
            what,
            "call the column of ids doc_id and that of texts text; or, if these are documents as"
            " they are, name the format csv",
        )
    called = " or ".join(map(str, numbers))
    missing = [str(column) for column in (QUERY, DOCUMENT) if not header.has(column)]
    missing += [] if header.has(*numbers) else [called]
    if not missing:
        return f"{what} of a run or of qrels", "name the format csv, or none"
    return (
        f"{what} that has no column {', nor '.join(missing)} ({table.seen_columns(header)})",
        f"name the columns query_id, doc_id and {called}",
    )
