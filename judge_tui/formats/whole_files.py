"""Whole runs, qrels, judgments, queries and texts, from the paths of their files.

What all readers have in common, `rows` says.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, SupportsIndex

from judge_tui.errors import InputError
from judge_tui.formats.beir_folder import qrels_file
from judge_tui.formats.collected import has_found_nothing
from judge_tui.formats.compression import ENDINGS
from judge_tui.formats.ids import id_in
from judge_tui.formats.judgments import JudgmentRow
from judge_tui.formats.problems import Problems, Reporter, not_utf8, quoted
from judge_tui.formats.query_names import KnownQueries
from judge_tui.formats.recognition import RESULTS, format_for, format_of_results, kind_of_grades
from judge_tui.formats.rows import AsForm, PathLike, iter_queries, open_file, reported, rows_of
from judge_tui.formats.source import STDIN, Source, open_source
from judge_tui.formats.trec import QrelsRow, RunRow, other_tag, whole_qrels, whole_run
from judge_tui.model import Query, Run

__all__ = [
    "Graded",
    "one_tag",
    "queries_of_run",
    "read_grades",
    "read_qrels",
    "read_queries",
    "read_results",
    "read_run",
    "read_text",
    "run_in",
    "snapshot_tags",
    "tag_by_name",
]

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


# ---- Queries and texts ----


def read_queries(
    path: PathLike, *, format: AsForm = None, problems: Problems | None = None
) -> list[Query]:
    """All queries of a file, in file order: what `iter_queries` accepts."""
    return [query for _, query in iter_queries(path, format=format, problems=problems)]


def read_text(path: PathLike) -> str:
    """A whole text, such as guidelines, less a byte order mark; it may be empty. Raises
    `InputError` for a file that cannot be read, is binary or is not UTF-8."""
    with open_source(path) as source:
        data = b"".join(source.pieces())
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise not_utf8(path, data, error.start) from error
