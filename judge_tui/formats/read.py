"""Files read: from a path to rows, and to whole runs, qrels, queries and judgments.

What all readers have in common: they take a path, or `-` for standard input; read compressed files
as they are (`compression`); and take as `format` what the content does not tell, the name of a
format of their kind (`csv`, or `run:csv`) or a `Form`. They raise the first `InputError` they meet;
with `problems`, each one is handed to it instead, the row is left out, and reading goes on. A name
that is no format is a `UsageError`.

Accepted everywhere: UTF-8 with or without a byte order mark, LF or CRLF, blank lines. A file that
holds no row is an error. Ids come as `id_in` has them, and equal ids are equal byte for byte.
Where a form has no ids of queries, their texts stand in their place (`QueryText`).
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, TypeAlias

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.beir_folder import beir_folder, qrels_file
from judge_tui.formats.collected import has_found_nothing
from judge_tui.formats.compression import ENDINGS
from judge_tui.formats.ids import id_in
from judge_tui.formats.judgments import Labels
from judge_tui.formats.problems import (
    Problems,
    RecordError,
    Reporter,
    not_utf8,
    quoted,
)
from judge_tui.formats.query_names import KnownQueries
from judge_tui.formats.recognition import (
    RESULTS,
    format_for,
    format_of_results,
    kind_of_grades,
    nothing_in,
)
from judge_tui.formats.registry import FOLDER, Format, Kind, format_named
from judge_tui.formats.sieve import FirstLines, Sieve
from judge_tui.formats.source import STDIN, Source, UnreadableError, open_source
from judge_tui.formats.trec import (
    QrelsRow,
    RunRow,
    other_tag,
    pair_again,
    whole_qrels,
    whole_run,
)
from judge_tui.model import Document, Query, Run

if TYPE_CHECKING:
    from judge_tui.formats.checkout import Skipped
    from judge_tui.formats.judgments import JudgmentRow

__all__ = [
    "AsForm",
    "Form",
    "Graded",
    "fitting",
    "iter_documents",
    "iter_qrels",
    "iter_queries",
    "iter_rows",
    "one_tag",
    "open_file",
    "queries_of_run",
    "read_grades",
    "read_qrels",
    "read_queries",
    "read_results",
    "read_run",
    "read_text",
    "reported",
    "rows_of",
    "run_in",
    "snapshot_tags",
    "sound_pairs",
    "tag_by_name",
]

PathLike: TypeAlias = str | os.PathLike[str]


class Form(NamedTuple):
    """What the content of a file does not tell: the name of its format; what its columns are
    called, `{"query_id": "topic"}`; what stands in it in place of grades."""

    name: str | None = None
    columns: Mapping[str, str] | None = None
    labels: Labels | None = None

    @classmethod
    def of(cls, form: AsForm) -> Form:
        """The form itself, or one of which the name alone is known."""
        return form if isinstance(form, Form) else cls(form)


AsForm: TypeAlias = str | Form | None


def fitting(path: PathLike, form: Form) -> Form:
    """The form of one of several files: with those of the declared columns that it has."""
    if not form.columns or path == STDIN or not Path(path).is_file():
        return form
    with open_source(path, columns=form.columns) as source:
        header = source.shape.header if source.shape is not None else ()
    its = {name: theirs for name, theirs in form.columns.items() if name in header}
    return form._replace(columns=its or None)


@contextmanager
def open_file(
    path: PathLike, report: Reporter, form: AsForm = None, told: Callable[[int], None] | None = None
) -> Iterator[tuple[Source, str | None]]:
    """The file opened, and the name of its format if it was given one."""
    form = Form.of(form)
    report.labels = form.labels
    with open_source(path, told=told, columns=form.columns) as source:
        if form.columns and source.shape is not None and source.shape.kind != "table":
            what = "the file is no table"
            raise UnreadableError(source.path, source.shape.line, what, "leave --columns out")
        yield source, form.name


@contextmanager
def reported(report: Reporter) -> Iterator[None]:
    """What ends the reading of a file is one of its problems."""
    try:
        yield
    except UnreadableError as error:
        report.pass_on(error)


# ---- Rows ----


def iter_qrels(
    path: PathLike, *, format: AsForm = None, problems: Problems | None = None
) -> Iterator[QrelsRow]:
    """The rows of qrels in file order. Formats: `names_of("qrels")`.

    In TREC's the second column is ignored; in tables a grade is empty where nobody judged. Grades
    are decimal integers of 32 bits, with or without a sign, or with nothing but zeros behind a
    point: not 1_0 or 1.5; others as the labels of the `Form` say. A document may be in a query
    once.
    """
    return iter_rows("qrels", path, format, problems)


def iter_queries(
    path: PathLike, *, format: AsForm = None, problems: Problems | None = None
) -> Iterator[tuple[SupportsIndex, Query]]:
    """The queries with their lines, in file order. Formats: `names_of("queries")`.

    Each has an id of its own and a text. A table without ids gives those of places. In JSONL an
    integer will do for an id. Of a folder as BEIR has it, the queries in it.
    """
    return iter_rows("queries", _queries_file(path), format, problems)


def iter_documents(
    path: PathLike,
    *,
    format: AsForm = None,
    problems: Problems | None = None,
    skipped: Skipped | None = None,
    sieve: Sieve | None = None,
) -> Iterator[tuple[SupportsIndex, Document]]:
    """The documents with their lines, in file order, never holding more than one.

    Formats: `names_of("documents")`; of a folder of text files binary ones are left out and told to
    `skipped`; of one as BEIR has it, the corpus is read. Each document has an id of its own; the
    rest may be missing, but not of all of them. A `sieve` leaves out lines of documents that are
    not wanted, unless that takes more than a look; what is wrong with those is not said.
    """
    form = Form.of(format)
    if form.name is None and path != STDIN and Path(path).is_dir():
        found = beir_folder(path)
        if found is None or found.corpus is None:
            form = form._replace(name=FOLDER)
        else:
            path = found.corpus
    if form.name == FOLDER:
        return _folder(path, Reporter(path, problems), skipped)
    return iter_rows("documents", path, form, problems, sieve)


def iter_rows(
    kind: Kind,
    path: PathLike,
    form: AsForm = None,
    problems: Problems | None = None,
    sieve: Sieve | None = None,
) -> Iterator[Any]:
    """The rows of a file of that kind. A wrong name is refused at once, not with the first row."""
    form = Form.of(form)
    if form.name is not None:
        format_named(kind, form.name)
    return _rows_of_file(kind, path, form, Reporter(path, problems), sieve)


def _rows_of_file(
    kind: Kind, path: PathLike, form: Form, report: Reporter, sieve: Sieve | None
) -> Iterator[Any]:
    with reported(report), open_file(path, report, form) as (source, name):
        yield from rows_of(source, format_for(source, kind, name), report, sieve=sieve)


def _folder(
    path: PathLike, report: Reporter, skipped: Skipped | None
) -> Iterator[tuple[SupportsIndex, Document]]:
    # Most documents are in files, and start-up is counted.
    from judge_tui.formats.checkout import folder_rows  # noqa: PLC0415

    nothing = True
    with reported(report):
        for row in _sound_records(folder_rows(os.fspath(path), report, skipped), report):
            nothing = False
            yield row
    if nothing and not report.count:
        report(None, "the folder holds no text file", "give the folder that the documents are in")


def rows_of(
    source: Source,
    chosen: Format,
    report: Reporter,
    *,
    sieve: Sieve | None = None,
) -> Iterator[Any]:
    """The rows of an opened file, less those that repeat an earlier one or have no proper id. Of a
    run, queries that are named without a document (`report.lone_queries`) do for rows."""
    left_out = 0 if sieve is None else sieve.left_out
    if sieve is not None and chosen.id_of is not None:
        source.sift(partial(sieve.passing, id_of=chosen.id_of))
    rows: Iterator[Any] = chosen.rows(source, report)
    if chosen.kind == "queries":
        rows = _sound_records(rows, report)
    elif chosen.kind == "documents":
        rows = _with_texts(_sound_records(rows, report), source.path)
    elif chosen.kind == "judgments":
        rows = _sound_judgments(rows, report)
    else:
        rows = sound_pairs(rows, report, by_tag=chosen.several_runs)
    first = next(rows, None)
    if first is not None:
        yield first
        yield from rows
        return
    if report.count or (chosen.kind == "run" and report.lone_queries):
        return
    if sieve is None or sieve.left_out == left_out:
        raise nothing_in(source, chosen.kind)


def sound_pairs(rows: Iterator[Any], report: Reporter, *, by_tag: bool = False) -> Iterator[Any]:
    """Rows of runs or qrels, each pair once; `by_tag`: once in each run."""
    lines: dict[Any, dict[str, SupportsIndex]] = {}
    docs: dict[str, SupportsIndex] = {}
    last = None
    for row in rows:
        key = (row.tag, row.query_id) if by_tag else row.query_id
        if key != last:
            docs, last = lines.setdefault(key, {}), key
        if row.doc_id in docs:
            pair_again(row.line, row.query_id, row.doc_id, docs[row.doc_id], report)
        else:
            docs[row.doc_id] = row.line
            yield row


def _sound_judgments(rows: Iterator[JudgmentRow], report: Reporter) -> Iterator[JudgmentRow]:
    """Rows of judgments, one of each judge and pair. What nobody has judged can be said twice."""
    lines: dict[tuple[Any, ...], SupportsIndex] = {}
    for row in rows:
        key = (type(row.query_id), row.query_id, row.doc_id, row.doc_id or row.passage, row.judge)
        if row.decision == "open":
            yield row
            continue
        if key not in lines:
            lines[key] = row.line
            yield row
            continue
        report(
            row.line,
            f"{quoted(row.judge) if row.judge else 'the judge'} has judged document"
            f" {quoted(row.doc_id or row.passage)} for query {quoted(row.query_id)} already,"
            f" line {index(lines[key])}",
            "remove one of the two",
        )


def _sound_records(
    rows: Iterator[tuple[SupportsIndex, Any]], report: Reporter
) -> Iterator[tuple[SupportsIndex, Any]]:
    """Queries or documents with proper ids of their own, each query with a text."""
    seen = FirstLines()
    for line, record in rows:
        is_query = isinstance(record, Query)
        noun = "query" if is_query else "document"
        written = record.query_id if is_query else record.doc_id
        try:
            if not written.strip():
                raise RecordError(f"the {noun} has no id", f"give each {noun} an id")
            sound = id_in(written)
            before = seen.of(sound, line)
            if before is not None:
                raise RecordError(
                    f"{noun} id {quoted(written)} is already on line {before}",
                    f"give each {noun} an id of its own, or remove one of the two",
                )
            if is_query and not record.text.strip():
                raise RecordError(f"query {quoted(written)} has no text", "say what was searched")
        except UsageError as error:
            report(line, f"{noun} {error.what}", error.mend)
        except RecordError as error:
            report.refuse(error, line)
        else:
            name = "query_id" if is_query else "doc_id"
            yield line, record if sound is written else replace(record, **{name: sound})


def _with_texts(
    rows: Iterator[tuple[SupportsIndex, Document]], path: str
) -> Iterator[tuple[SupportsIndex, Document]]:
    """The documents. Raises `UnreadableError` behind them where all have something and none has a
    text, a title or an address: it may be called otherwise."""
    bare, others = True, dict[str, None]()
    for line, document in rows:
        if bare:
            bare = not (document.text or document.title or document.url)
            others.update(dict.fromkeys(document.meta))
        yield line, document
    if bare and others:
        held = ", ".join(map(quoted, list(others)[:12]))
        what = f"no document has a text; what they have is {held}"
        raise UnreadableError(path, None, what, "call it 'text', or 'title' or 'url'")


# ---- Runs ----


def read_run(
    path: PathLike,
    *,
    tag: str | None = None,
    format: AsForm = None,
    problems: Problems | None = None,
) -> Run:
    """A whole run, under one tag.

    Its format is told by its content or is `format`, a name that `names_of("run")` has. In TREC's
    all lines have a tag or none has; the second and the fourth column are ignored, and queries need
    not be contiguous. In tables a rank will do for a score. Scores are finite decimal numbers: not
    12abc, 0x1p3, 1_000, nan or inf. A document may be in a query once.

    The tag is `tag` if given, else the file's sixth column or the name of its snapshot, else the
    file's name without its endings. A file with two tags is an error unless `tag` is given; of one
    with several snapshots, `tag` is the name of the one to read. An empty file is a run of nothing
    where the NAME.latency.csv beside it says that it was asked, and else an error.
    """
    run = None
    report = Reporter(path, problems)
    with reported(report), open_file(path, report, format) as (source, name):
        run = run_in(source, report, tag=tag, format=name)
    return run or Run(tag or tag_by_name(path), {})


def run_in(
    source: Source,
    report: Reporter,
    *,
    tag: str | None = None,
    format: str | None = None,
) -> Run:
    """The run in an opened source: `read_run` has the rest."""
    if has_found_nothing(source.path):
        return Run(tag or tag_by_name(source.path), {})
    scores: dict[str, dict[str, float]] = {}
    docs: dict[str, float] = {}
    found = last = None
    chosen = format_for(source, "run", format)
    if chosen.name == "trec":
        scores, found = whole_run(source, report, any_tag=tag is not None)
        return Run(tag or found or tag_by_name(source.path), scores)
    rows = rows_of(source, chosen, report)
    if chosen.several_runs:
        rows = one_snapshot(rows, tag, report)
    elif tag is None:
        rows = one_tag(rows, report)
    for _, query_id, doc_id, score, its_tag in rows:
        if query_id != last:
            docs, last = scores.setdefault(query_id, {}), query_id
        docs[doc_id] = score
        found = found or its_tag
    found = found or next((lone.tag for lone in report.lone_queries if lone.tag), None)
    if chosen.several_runs and tag is not None and found == id_in(tag):
        tag = found
    return Run(tag or found or tag_by_name(source.path), scores, _asked(scores, report))


def read_results(
    path: PathLike,
    *,
    tag: str | None = None,
    format: AsForm = None,
    problems: Problems | None = None,
) -> tuple[dict[str, dict[str, int]], Run]:
    """The qrels and the run of a table that holds both, read once: a pipe can be. It may be the
    detailed CSV of a case of Quepid's.

    The same as `read_qrels` and `read_run` of that file; anything but such a table is refused.
    """
    report = Reporter(path, problems)
    qrels: dict[str, dict[str, int]] = {}
    scores: dict[str, dict[str, float]] = {}
    found = None
    with reported(report), open_file(path, report, format) as (source, _):
        rows = rows_of(source, format_of_results(source) or RESULTS, report)
        tagged: Iterator[Any] = rows if tag is not None else one_tag(rows, report)
        for row in tagged:
            if row.score is not None:
                scores.setdefault(row.query_id, {})[row.doc_id] = row.score
            if row.verdict is not None:
                qrels.setdefault(row.query_id, {})[row.doc_id] = row.verdict.in_qrels
            found = found or row.tag
    return qrels, Run(tag or found or tag_by_name(path), scores, _asked(scores, report))


def _asked(scores: Mapping[str, object], report: Reporter) -> frozenset[str]:
    """The queries of a file that names those without results, too, and so all that were asked;
    none of any other."""
    lone = [one.query_id for one in report.lone_queries]
    return frozenset((*scores, *lone)) if lone else frozenset()


def one_tag(rows: Iterator[RunRow], report: Reporter) -> Iterator[RunRow]:
    """The rows; the first tag that differs from those before it is reported."""
    tag, line = None, None
    told = False
    for row in rows:
        if row.tag != tag and not told:
            if tag is not None and line is not None and row.tag is not None:
                told = True
                other_tag(row.line, row.tag, tag, line, report)
            elif tag is None:
                tag, line = row.tag, row.line
        yield row


def one_snapshot(rows: Iterator[RunRow], tag: str | None, report: Reporter) -> Iterator[RunRow]:
    """The rows of a file of snapshots: all where they are of one, else those of the snapshot called
    `tag`, to which `report.lone_queries` are narrowed, too; where that is none of them, the file is
    reported."""
    of_each: dict[str | None, list[RunRow]] = {}
    for row in rows:
        of_each.setdefault(row.tag, []).append(row)
    begins = {its_tag: its_rows[0].line for its_tag, its_rows in of_each.items()}
    for lone in report.lone_queries:
        of_each.setdefault(lone.tag, [])
        begins.setdefault(lone.tag, lone.line)
    if len(of_each) > 1:
        wanted = next((one for one in (tag, id_in(tag) if tag else None) if one in of_each), None)
        if wanted is None:
            names = [one or "" for one in of_each]
            none = "" if tag is None else f", and none is called {quoted(tag)}"
            report(
                list(begins.values())[1],
                f"the file holds {len(names)} snapshots: {', '.join(map(quoted, names))}{none}",
                f"say which one is meant: {shlex.quote(f'{names[0]}=FILE')} with score and"
                f" compare, --tag {shlex.quote(names[0])} with load run, which takes all of them"
                " without it",
            )
            return
        of_each = {wanted: of_each[wanted]}
        report.lone_queries[:] = [lone for lone in report.lone_queries if lone.tag == wanted]
    for its_rows in of_each.values():
        yield from its_rows


def snapshot_tags(path: PathLike, *, format: AsForm = None) -> list[str]:
    """The tags of the runs in a file that holds several; none of any other. Nothing is reported:
    who reads them will."""
    report = Reporter(path, lambda _: None)
    tags: list[str | None] = []
    with reported(report), open_file(path, report, format) as (source, name):
        chosen = format_for(source, "run", name)
        if chosen.several_runs:
            named = [row.tag for row in rows_of(source, chosen, report)]
            tags = list(dict.fromkeys([*named, *(lone.tag for lone in report.lone_queries)]))
    named_ones = [tag for tag in tags if tag]
    return named_ones if len(tags) > 1 and len(named_ones) == len(tags) else []


def queries_of_run(
    path: PathLike,
    run: Run,
    known: KnownQueries,
    *,
    format: AsForm = None,
    skip_unknown: bool = False,
) -> dict[str, Query | None]:
    """The query of each id or text in a run of the file at `path`, in the order of the file. Raises
    `InputError` with the line where there is none, unless with `skip_unknown`: then None."""
    query_of = known.find if skip_unknown else known.get
    found: dict[str, Query | None] = {}
    for name in dict.fromkeys((*run.scores, *sorted(run.asked))):
        try:
            found[name] = query_of(None, name)
        except InputError:
            # Only a file with such a query is read again, for the line.
            query_of(_line_naming(path, name, format), name)
            raise
    return found


def _line_naming(path: PathLike, query: str, form: AsForm) -> SupportsIndex | None:
    report = Reporter(path)
    with open_file(path, report, form) as (source, name):
        rows: Iterator[RunRow] = rows_of(source, format_for(source, "run", name), report)
        named = next((row.line for row in rows if row.query_id == query), None)
        lone = (one.line for one in report.lone_queries if one.query_id == query)
        return named or next(lone, None)


_ENDINGS = (*ENDINGS, ".run", ".txt", ".trec", ".tsv", ".csv", ".json", ".res", ".results")


def tag_by_name(path: PathLike) -> str:
    """The file's name without endings such as .run.gz; what is no UTF-8 in it becomes '?'."""
    name = Path(path).name.encode("utf-8", "replace").decode()
    if name == STDIN:
        return "stdin"
    while (path := Path(name)).suffix.lower() in _ENDINGS:
        name = path.stem
    return name


# ---- Qrels and judgments ----


class Graded(NamedTuple):
    """The rows of a file of grades, by its format: of qrels, or of several judges. `has_texts`
    is the format's."""

    format: str
    has_texts: bool
    rows: list[QrelsRow] | None
    judgments: list[JudgmentRow] | None


def read_qrels(
    path: PathLike,
    *,
    format: AsForm = None,
    problems: Problems | None = None,
) -> dict[str, dict[str, int]]:
    """Whole qrels: what `iter_qrels` accepts, as query_id -> doc_id -> grade. Of a folder as BEIR
    has it, those of its split `test`."""
    path = qrels_file(path)
    report = Reporter(path, problems)
    qrels: dict[str, dict[str, int]] = {}
    docs: dict[str, int] = {}
    last = None
    with reported(report), open_file(path, report, format) as (source, name):
        chosen = format_for(source, "qrels", name)
        if problems is None and chosen.name == "trec" and report.labels is None:
            if plain := whole_qrels(source):
                return plain
            source.rewind()
        for row in rows_of(source, chosen, report):
            if row.query_id != last:
                docs, last = qrels.setdefault(row.query_id, {}), row.query_id
            docs[row.doc_id] = row.grade
    return qrels


def read_grades(
    path: PathLike, *, format: AsForm = None, problems: Problems | None = None
) -> Graded:
    """All rows of qrels, or of judgments of several judges: what the file is, its content says, or
    `format`. Raises the first `InputError`, unless there are `problems` to take them."""
    path = qrels_file(path)
    report = Reporter(path, problems)
    rows: list[Any] = []
    chosen = None
    with reported(report), open_file(path, report, format) as (source, name):
        chosen = kind_of_grades(source, name)
        rows += rows_of(source, chosen, report)
    if chosen is None:
        return Graded("", has_texts=False, rows=rows, judgments=None)
    several = chosen.kind == "judgments"
    return Graded(
        chosen.name,
        chosen.has_texts,
        None if several else rows,
        rows if several else None,
    )


# ---- Queries, and what a file is ----


def read_queries(
    path: PathLike, *, format: AsForm = None, problems: Problems | None = None
) -> list[Query]:
    """All queries of a file, in file order: what `iter_queries` accepts."""
    return [query for _, query in iter_queries(path, format=format, problems=problems)]


def _queries_file(path: PathLike) -> PathLike:
    found = None if path == STDIN or not Path(path).is_dir() else beir_folder(path)
    return path if found is None or found.queries is None else found.queries


def read_text(path: PathLike) -> str:
    """A whole text, such as guidelines, less a byte order mark; it may be empty. Raises
    `InputError` for a file that cannot be read, is binary or is not UTF-8."""
    with open_source(path) as source:
        data = b"".join(source.pieces())
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise not_utf8(path, data, error.start) from error
