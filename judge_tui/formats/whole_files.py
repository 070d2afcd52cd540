"""Whole runs, qrels, judgments, queries and texts, from the paths of their files.

What all readers have in common, `rows` says; these raise the first `InputError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, SupportsIndex

from judge_tui.errors import InputError
from judge_tui.formats.beir_folder import qrels_file
from judge_tui.formats.collected import has_found_nothing
from judge_tui.formats.compression import ENDINGS
from judge_tui.formats.judgments import report_other_tag
from judge_tui.formats.problems import Reporter
from judge_tui.formats.query_names import KnownQueries, QueryText
from judge_tui.formats.recognition import RESULTS, format_for, format_of_results
from judge_tui.formats.registry import Format
from judge_tui.formats.rows import iter_queries, rows_of
from judge_tui.formats.source import STDIN, AsLayout, PathLike, Source, open_source
from judge_tui.formats.trec import whole_qrels, whole_run
from judge_tui.model import Query, Run

# ---- Runs ----


def read_run(
    path: PathLike,
    *,
    tag: str | None = None,
    format: AsLayout = None,
    on_read: Callable[[int], None] | None = None,
) -> Run:
    """Read a whole run under one tag.

    Its format is the one that its content has, or `format`, a name that `names_of("run")` has. In
    TREC's all lines have a tag or none has; the second and the fourth column are ignored, and
    queries need not be contiguous. In tables a rank will do for a score. Scores are finite decimal
    numbers: not 12abc, 0x1p3, 1_000, nan or inf. A document may be in a query once.

    The tag is `tag` if given, else the file's sixth column or the name of its snapshot, else the
    file's name without its endings. A file with two tags is an error unless `tag` is given. An
    empty file is a run of nothing where the NAME.latency.csv beside it says that it was asked, and
    else an error. `on_read`: as `open_source` has it.
    """
    with open_source(path, on_read=on_read, layout=format) as source:
        return run_in(source, tag)


def run_in(source: Source, tag: str | None = None) -> Run:
    """Read the run in an opened source as `read_run` does."""
    if has_found_nothing(source.path):
        return Run(tag or tag_by_name(source.path), {})
    chosen = format_for(source, "run")
    report = Reporter(source.path)
    own = None
    vain: list[str] = []
    if chosen.is_trec:
        scores, own = whole_run(source, report, any_tag=tag is not None)
    else:
        scores = {}
        rows = rows_of(source, chosen, report)
        docs, last = dict[str, float](), None
        for _, query_id, doc_id, score, its in rows if tag is not None else one_tag(rows, report):
            own = own or its
            if not doc_id:
                vain.append(query_id)
                continue
            if query_id != last:
                docs, last = scores.setdefault(query_id, {}), query_id
            docs[doc_id] = score
    return Run(tag or own or tag_by_name(source.path), scores, _asked(scores, vain))


def _asked(scores: Mapping[str, object], vain: Sequence[str]) -> frozenset[str]:
    """Return the queries of a file that names those asked in vain, too, and so all that were asked;
    none of any other."""
    return frozenset((*scores, *vain)) if vain else frozenset()


def read_results(
    path: PathLike, *, tag: str | None = None, format: AsLayout = None
) -> tuple[dict[str, dict[str, int]], Run]:
    """Read qrels and run from a table that holds both, in one pass, so that it can be a pipe. It
    may be the detailed CSV of a case of Quepid's.

    The same as `read_qrels` and `read_run` of that file; anything but such a table is refused.
    """
    qrels: dict[str, dict[str, int]] = {}
    scores: dict[str, dict[str, float]] = {}
    vain: list[str] = []
    found = None
    with open_source(path, layout=format) as source:
        report = Reporter(path, labels=source.layout.labels)
        rows = rows_of(source, format_of_results(source) or RESULTS, report)
        for row in rows if tag is not None else one_tag(rows, report):
            if not row.doc_id:
                vain.append(row.query_id)
            if row.score is not None:
                scores.setdefault(row.query_id, {})[row.doc_id] = row.score
            if row.judgment is not None:
                qrels.setdefault(row.query_id, {})[row.doc_id] = row.judgment.in_qrels
            found = found or row.tag
    return qrels, Run(tag or found or tag_by_name(path), scores, _asked(scores, vain))


def one_tag(rows: Iterator[Any], report: Reporter) -> Iterator[Any]:
    """Yield the rows; the first tag that differs from those before it is reported."""
    tag, line, reported = None, None, False
    for row in rows:
        if tag is None:
            tag, line = row.tag, row.line
        elif row.tag not in (tag, None) and line is not None and not reported:
            reported = True
            report_other_tag(row.line, row.tag, tag, line, report)
        yield row


def queries_of_run(
    source: Source, run: Run, known: KnownQueries, *, skip_unknown: bool = False
) -> dict[str, Query | None]:
    """Return the query of each id or text in a run that is in an opened source, in the order of the
    file. Raises `InputError` with the line where there is none, unless with `skip_unknown`: then
    None."""
    query_of = known.find if skip_unknown else known.get
    found: dict[str, Query | None] = {}
    for name in dict.fromkeys((*run.scores, *sorted(run.asked))):
        try:
            found[name] = query_of(None, name)
        except InputError:
            # Only a file with such a query is read again, for the line.
            query_of(_line_naming(source, name), name)
            raise
    return found


def run_under_ids(run: Run, known: KnownQueries, source: Source | None = None) -> Run:
    """Return a run by the ids of the queries where it has texts in their place; it was read from an
    opened source, if any. Raises `InputError` for a text that no query has, or several have."""
    names = (*run.scores, *run.asked)
    if not any(isinstance(name, QueryText) for name in names):
        return run
    if source is None:
        ids = {name: known.get(None, name).query_id for name in names}
    else:
        found = queries_of_run(source, run, known)
        ids = {name: query.query_id for name, query in found.items() if query is not None}
    return replace(
        run,
        scores={ids[name]: by_doc for name, by_doc in run.scores.items()},
        asked=frozenset(ids[name] for name in run.asked),
    )


def _line_naming(source: Source, query: str) -> SupportsIndex | None:
    source.rewind()
    rows = rows_of(source, format_for(source, "run"), Reporter(source.path))
    return next((row.line for row in rows if row.query_id == query), None)


_ENDINGS = (*ENDINGS, ".run", ".txt", ".trec", ".tsv", ".csv", ".json", ".res", ".results")


def tag_by_name(path: PathLike) -> str:
    """Return the file's name without endings such as .run.gz; what is not UTF-8 in it becomes
    '?'."""
    name = Path(path).name.encode("utf-8", "replace").decode()
    if name == STDIN:
        return "stdin"
    while (path := Path(name)).suffix.lower() in _ENDINGS:
        name = path.stem
    return name


# ---- Qrels and judgments ----


def read_qrels(path: PathLike, *, format: AsLayout = None) -> dict[str, dict[str, int]]:
    """Read whole qrels, which `iter_qrels` describes, into query_id -> doc_id -> grade; from a
    folder as BEIR has it, those of its split `test`."""
    with open_source(qrels_file(path), layout=format) as source:
        return qrels_in(source)[1]


def qrels_in(source: Source) -> tuple[Format, dict[str, dict[str, int]]]:
    """Read the qrels in an opened source as `read_qrels` does, and return their format beside."""
    qrels: dict[str, dict[str, int]] = {}
    docs: dict[str, int] = {}
    last = None
    chosen = format_for(source, "qrels")
    report = Reporter(source.path, labels=source.layout.labels)
    if chosen.is_trec and report.labels is None:
        if plain := whole_qrels(source):
            return chosen, plain
        source.rewind()
    for row in rows_of(source, chosen, report):
        if row.query_id != last:
            docs, last = qrels.setdefault(row.query_id, {}), row.query_id
        docs[row.doc_id] = row.grade
    return chosen, qrels


def read_grades(path: PathLike, *, format: AsLayout = None) -> tuple[Format, list[Any]]:
    """Read all rows of qrels (`QrelsRow`), or of judgments of several judges (`JudgmentRow`): the
    kind of the format says which, by the content of the file or by `format`."""
    path = qrels_file(path)
    with open_source(path, layout=format) as source:
        chosen = format_for(source, "qrels", "judgments")
        report = Reporter(path, labels=source.layout.labels)
        return chosen, list(rows_of(source, chosen, report))


# ---- Queries and texts ----


def read_queries(path: PathLike, *, format: AsLayout = None) -> list[Query]:
    """Read all queries of a file, in file order, as `iter_queries` does."""
    return [query for _, query in iter_queries(path, format=format)]


def read_text(path: PathLike) -> str:
    """Read a whole text, such as guidelines, without a byte order mark; it may be empty. Raises
    `InputError` for a file that cannot be read, is binary or is not UTF-8."""
    with open_source(path) as source:
        return source.text()
