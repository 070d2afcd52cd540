"""Readers of runs and qrels: rows as they come, and whole files. `rows` says what all accept."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from judge_tui.errors import InputError
from judge_tui.formats.asked_beside import has_found_nothing
from judge_tui.formats.format import Format
from judge_tui.formats.ids import id_in
from judge_tui.formats.plain_run import plain_rows, plain_run
from judge_tui.formats.problems import OWN_TAG, Problems, Reporter, quoted
from judge_tui.formats.query_names import KnownQueries
from judge_tui.formats.recognition import format_for, holds_results
from judge_tui.formats.rows import PathLike, iterate, rows_of
from judge_tui.formats.source import STDIN, Source, UnreadableError, open_source
from judge_tui.formats.trec_qrels import QrelsRow, plain_qrels
from judge_tui.formats.trec_run import RunRow
from judge_tui.model import Query, Run

__all__ = [
    "iter_qrels",
    "iter_run",
    "one_snapshot",
    "one_tag",
    "queries_of_run",
    "read_qrels",
    "read_results",
    "read_run",
    "run_in",
    "snapshot_tags",
    "tag_by_name",
]

_SUFFIX = re.compile(r"\.(?:gz|bz2|xz|zst|run|txt|trec|tsv|csv|json|res|results)$", re.IGNORECASE)


def iter_run(
    path: PathLike,
    *,
    format: str | None = None,
    problems: Problems | None = None,
) -> Iterator[RunRow]:
    """The rows of a run in file order.

    Formats: `trec`, `query_id Q0 doc_id rank score tag`, separated by any ASCII white space; all
    lines have a tag or none has, a seventh column is ignored, and so are the second and the fourth;
    queries need not be contiguous. `csv`, a table with a header (`columns` has the names, `table`
    the rest); without a score, the rank is one. `results`, the same with a column of grades.
    `json`, `{"query_id": {"doc_id": score}}`. Scores are finite decimal numbers: not 12abc, 0x1p3,
    1_000, nan or inf. A document may be in a query once.
    """
    return iterate("run", path, format, problems)


def iter_qrels(
    path: PathLike,
    *,
    format: str | None = None,
    problems: Problems | None = None,
) -> Iterator[QrelsRow]:
    """The rows of qrels in file order.

    Formats: `trec`, `query_id 0 doc_id grade`, separated by any ASCII white space; the second
    column is ignored. `beir`, a table with the header `query-id<TAB>corpus-id<TAB>score`. `csv`, a
    table with a column of grades, empty where nobody judged. `results`, the same with a score or
    rank. `json`, `{"query_id": {"doc_id": grade}}`. Grades are decimal integers of 32 bits, with or
    without a sign, or with nothing but zeros behind a point: not 1_0 or 1.5, and True in tables and
    JSON only. A document may be in a query once.
    """
    return iterate("qrels", path, format, problems)


def read_run(
    path: PathLike,
    *,
    tag: str | None = None,
    format: str | None = None,
    problems: Problems | None = None,
) -> Run:
    """A whole run: what `iter_run` accepts, under one tag.

    The tag is `tag` if given, else the file's sixth column or the name of its snapshot, else the
    file's name without its endings. A file with two tags is an error unless `tag` is given; of one
    with several snapshots, `tag` is the name of the one to read. An empty file is a run of nothing
    where the NAME.latency.csv beside it says that it was asked, and else an error.
    """
    try:
        with open_source(path) as source:
            return run_in(source, tag=tag, format=format, problems=problems)
    except UnreadableError as error:
        Reporter(path, problems).pass_on(error)
        return Run(tag or tag_by_name(path), {})


def run_in(
    source: Source,
    *,
    tag: str | None = None,
    format: str | None = None,
    problems: Problems | None = None,
) -> Run:
    """The run in a source that was opened to be read twice: `read_run` has the rest."""
    if has_found_nothing(source.path):
        return Run(tag or tag_by_name(source.path), {})
    report = Reporter(source.path, problems)
    scores: dict[str, dict[str, float]] = {}
    found = None
    try:
        chosen = format_for(source, "run", format)
        # With `problems` every line is to be diagnosed; else only a file that has faults.
        plain = None
        if problems is None and chosen.name == "trec":
            plain = plain_run(source, any_tag=tag is not None)
        elif problems is None and not chosen.several_runs:
            plain = plain_rows(source, chosen, any_tag=tag is not None)
        if plain:
            scores, found = plain
        else:
            source.rewind()
            rows = rows_of(source, chosen, report)
            if chosen.several_runs:
                rows = one_snapshot(rows, tag, report)
            elif tag is None:
                rows = one_tag(rows, report)
            for row in rows:
                scores.setdefault(row.query_id, {})[row.doc_id] = row.score
                found = found or row.tag
            if chosen.several_runs and tag is not None and found == id_in(tag):
                tag = found
            found = found or next((lone.tag for lone in report.lone_queries if lone.tag), None)
    except UnreadableError as error:
        report.pass_on(error)
    asked = _asked(scores, report)
    answered = {query_id: by_doc for query_id, by_doc in scores.items() if by_doc}
    return Run(tag or found or tag_by_name(source.path), answered, asked)


def read_qrels(
    path: PathLike,
    *,
    format: str | None = None,
    problems: Problems | None = None,
) -> dict[str, dict[str, int]]:
    """Whole qrels: what `iter_qrels` accepts, as query_id -> doc_id -> grade. Of a folder as BEIR
    has it, those of its split `test`."""
    if os.path.isdir(path):  # noqa: PTH112 - start-up counts, and files are the rule
        from judge_tui.formats.beir_folder import qrels_file  # noqa: PLC0415 - imports this module

        path = qrels_file(path)
    report = Reporter(path, problems)
    qrels: dict[str, dict[str, int]] = {}
    try:
        with open_source(path) as source:
            chosen = format_for(source, "qrels", format)
            plain = None
            if problems is None and chosen.name == "trec":
                plain = plain_qrels(source)
            if plain:
                return plain
            source.rewind()
            for row in rows_of(source, chosen, report):
                qrels.setdefault(row.query_id, {})[row.doc_id] = row.grade
    except UnreadableError as error:
        report.pass_on(error)
    return qrels


def read_results(
    path: PathLike,
    *,
    tag: str | None = None,
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
    try:
        with open_source(path) as source:
            rows = rows_of(source, _results_format(source), report)
            tagged: Iterator[Any] = rows if tag is not None else one_tag(rows, report)
            for row in tagged:
                if row.score is not None:
                    scores.setdefault(row.query_id, {})[row.doc_id] = row.score
                if row.grade is not None:
                    qrels.setdefault(row.query_id, {})[row.doc_id] = row.grade
                found = found or row.tag
    except UnreadableError as error:
        report.pass_on(error)
    asked = _asked(scores, report)
    return qrels, Run(tag or found or tag_by_name(path), scores, asked)


def _asked(scores: Mapping[str, Mapping[str, float]], report: Reporter) -> frozenset[str]:
    """The queries of a file that names those without results, too, and so all that were asked;
    none of any other."""
    lone = [one.query_id for one in report.lone_queries]
    return frozenset((*scores, *lone)) if lone or not all(scores.values()) else frozenset()


def _results_format(source: Source) -> Format:
    """What reads both out of one table."""
    if holds_results(source) == "quepid":
        chosen = format_for(source, "run", "quepid")
        return chosen._replace(reader="quepid:case_results")
    return format_for(source, "run", "results")._replace(reader="csv_files:results")


def one_tag(rows: Iterator[RunRow], report: Reporter) -> Iterator[RunRow]:
    """The rows; the first tag that differs from those before it is reported."""
    tag, line = None, 0
    told = False
    for row in rows:
        if tag is None:
            tag, line = row.tag, row.line
        elif row.tag is not None and row.tag != tag and not told:
            told = True
            report(
                row.line,
                f"tag {quoted(row.tag)}, but {quoted(tag)} on line {line}",
                f"split the file into one per run; or, if it is one run, give it {OWN_TAG}; white"
                " space within ids is written as %20",
            )
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
            import shlex  # noqa: PLC0415 - only a file that is refused needs it

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


def snapshot_tags(path: PathLike, *, format: str | None = None) -> list[str]:
    """The tags of the runs in a file that holds several; none of any other. Nothing is reported:
    who reads them will."""
    with open_source(path) as source:
        chosen = format_for(source, "run", format)
        if not chosen.several_runs:
            return []
        report = Reporter(path, lambda _: None)
        named = [row.tag for row in rows_of(source, chosen, report)]
        tags = list(dict.fromkeys([*named, *(lone.tag for lone in report.lone_queries)]))
    return tags if len(tags) > 1 and all(tags) else []


def queries_of_run(
    path: PathLike,
    run: Run,
    known: KnownQueries,
    *,
    format: str | None = None,
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


def _line_naming(path: PathLike, query: str, format: str | None) -> int | None:
    with open_source(path) as source:
        report = Reporter(path)
        rows: Iterator[RunRow] = rows_of(source, format_for(source, "run", format), report)
        named = next((row.line for row in rows if row.query_id == query), None)
        lone = (one.line for one in report.lone_queries if one.query_id == query)
        return named or next(lone, None)


def tag_by_name(path: PathLike) -> str:
    """The file's name without endings such as .run.gz; what is no UTF-8 in it becomes '?'."""
    name = Path(path).name.encode("utf-8", "replace").decode()
    if name == STDIN:
        return "stdin"
    stem = name
    while (shorter := _SUFFIX.sub("", stem)) not in (stem, ""):
        stem = shorter
    return stem
