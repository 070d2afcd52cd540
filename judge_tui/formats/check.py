"""Every problem of a file at once: what `judge-tui check` prints."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, SupportsIndex

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.beir_folder import BeirFolder
from judge_tui.formats.collected import has_found_nothing
from judge_tui.formats.judgments import JudgmentRow, QrelsRow, RunRow
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.recognition import Recognised, format_for, recognise
from judge_tui.formats.registry import ANSWERS, CALLED, FOLDER, Kind, names_of
from judge_tui.formats.rows import (
    iter_documents,
    iter_qrels,
    iter_queries,
    reported,
    rows_of,
)
from judge_tui.formats.run_paths import PROVENANCE, run_paths
from judge_tui.formats.source import STDIN, AsLayout, Layout, PathLike, Source, open_source
from judge_tui.formats.trec import whole_run
from judge_tui.formats.whole_files import one_tag

_CONVERT = "a document is text: convert the file, as with iconv -t UTF-8, or leave it out"


def files_to_check(name: str, *, format: str | None = None) -> list[str]:
    """Return the files that a word of the command line stands for, as `run_paths` takes it apart.

    But a folder is one thing to check, a folder of documents, where `format` says so, and without
    a `format` where none of its files is a run or qrels; what lies beside qrels to say where they
    came from is none of its files. Raises `InputError` and `UsageError`.
    """
    kind, its_name = _kind_and_name(format)
    if not _is_folder(name) or (kind or "documents") != "documents":
        return run_paths([name])
    if its_name is not None:
        return [name] if its_name == FOLDER else run_paths([name])
    if kind is None and any(map(_is_run_or_qrels, _files_in(name))):
        return [path for path in run_paths([name]) if not path.endswith(PROVENANCE)]
    return [name]


def check_file(
    path: PathLike,
    *,
    format: AsLayout = None,
    root: PathLike | None = None,
    taken: Callable[[Recognised], None] | None = None,
    on_read: Callable[[int], None] | None = None,
) -> list[InputError]:
    """Return all problems of a run, qrels, judgments, queries, documents or answers file, in the
    order they were met.

    `format` is a kind (`queries`), a format (`tsv`) or both (`queries:tsv`); what it leaves open
    the content decides. With `root`, the text of every doc_id (`path` or `path:start-end`) must
    be there in that checkout. `on_read` is that of `open_source`; `taken` is called with what the
    file is read as. Raises `UsageError` for a `format` that there is not.
    """
    layout = Layout.of(format)
    kind, name = _kind_and_name(layout.format)
    layout = layout._replace(format=name)
    found: list[InputError] = []
    report = Reporter(path, found.append, layout.labels)
    taken = taken or _ignore
    with reported(report):
        if name == FOLDER or (name is None and kind in (None, "documents") and _is_folder(path)):
            taken(Recognised("documents", FOLDER))
            rows = iter_documents(path, format=FOLDER, problems=report.pass_on)
            _check_rows(rows, root, report)
        elif kind in (None, "run") and has_found_nothing(path):
            taken(Recognised("run", name or "trec"))
        else:
            with open_source(path, on_read=on_read, layout=layout) as source:
                chosen = format_for(source, *([kind] if kind else []))
                taken(Recognised(chosen.kind, chosen.name))
                if kind is None and chosen.name == ANSWERS:
                    _check_answers(source, root, report)
                elif chosen.kind == "run" and chosen.is_trec and root is None:
                    whole_run(source, report)
                else:
                    rows = rows_of(source, chosen, report)
                    is_run = chosen.kind == "run"
                    _check_rows(one_tag(rows, report) if is_run else rows, root, report)
    return found


def _ignore(_: object) -> None:
    """Do nothing with what nobody wants to know."""


def _is_folder(path: PathLike) -> bool:
    return path != STDIN and Path(path).is_dir()


def _check_answers(source: Source, root: PathLike | None, report: Reporter) -> None:
    from judge_tui.formats.answers import problems_of  # noqa: PLC0415 - few are

    for problem in problems_of(source, root):
        report.pass_on(problem)


def _check_rows(rows: Iterable[Any], root: PathLike | None, report: Reporter) -> None:
    """Read them all; with `root`, look for the texts of their documents there."""
    lines: dict[str, SupportsIndex] = {}
    for row in rows:
        if root is not None and (doc_id := _doc_id(row)) is not None:
            lines.setdefault(doc_id, row[0])
    if root is not None and lines:
        _check_texts(lines, root, report)


def _files_in(folder: str) -> list[str]:
    try:
        return run_paths([folder])
    except InputError:
        return []


def _is_run_or_qrels(path: str) -> bool:
    try:
        return recognise(path).kind in ("run", "qrels")
    except InputError:
        return False


def _kind_and_name(format: str | None) -> tuple[Kind | None, str | None]:
    if format is None:
        return None, None
    first, _, second = format.partition(":")
    for kind in CALLED:
        if first == kind and (not second or second in names_of(kind)):
            return kind, second or None
    if not second and any(first in names_of(kind) for kind in CALLED):
        return None, first
    kinds = [kind for kind in CALLED if kind == first] or CALLED
    names = dict.fromkeys(name for kind in kinds for name in names_of(kind))
    mend = f"a format ({', '.join(names)}) or both, as in queries:tsv"
    raise UsageError(f"{format!r:.70} is not a format", f"use a kind ({', '.join(CALLED)}), {mend}")


def _doc_id(row: Any) -> str | None:
    """Return the id of the document that a row is about: none where it is a query, or has none."""
    if isinstance(row, RunRow | QrelsRow | JudgmentRow):
        return row.doc_id or None
    return getattr(row[1], "doc_id", None)


def _check_texts(lines: dict[str, SupportsIndex], root: PathLike, report: Reporter) -> None:
    from judge_tui.formats.checkout import read_checkout  # noqa: PLC0415 - start-up is counted

    def missing(doc_id: str, why: str) -> None:
        mend = f"check that {os.fspath(root)} is the right checkout"
        report(lines[doc_id], why, _CONVERT if "is not UTF-8" in why else mend)

    try:
        for _ in read_checkout(lines, root, missing):
            pass
    except InputError as error:
        report.pass_on(error)


def check_beir(folder: BeirFolder) -> Iterator[InputError]:
    """Yield the problems between the files of a folder: grades of queries and documents that are
    not there. Problems within one file are left to `check_file`."""
    queries = documents = None
    if folder.queries is not None:
        read_queries = iter_queries(folder.queries, format="jsonl", problems=_ignore)
        queries = {query.query_id for _, query in read_queries}
    if folder.corpus is not None:
        read_documents = iter_documents(folder.corpus, format="jsonl", problems=_ignore)
        documents = {document.doc_id for _, document in read_documents}
    known = {"query": queries, "document": documents}
    for file in folder.splits.values():
        reported_ids: set[tuple[str, str]] = set()
        for row in iter_qrels(file, problems=_ignore):
            for noun, its_id in (("query", row.query_id), ("document", row.doc_id)):
                ids = known[noun]
                if ids is None or its_id in ids or (noun, its_id) in reported_ids:
                    continue
                reported_ids.add((noun, its_id))
                home, mend = folder.queries, "add it there, or remove its lines here"
                if noun == "document":
                    home = folder.corpus
                    mend += "; score and load collection take it all the same, without a text"
                yield InputError(
                    file,
                    row.line,
                    f"{noun} {quoted(its_id)} is not in {home}",
                    mend,
                )
