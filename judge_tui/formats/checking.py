"""Every problem of a file at once: what `judge-tui check` prints."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.asked_beside import has_found_nothing
from judge_tui.formats.checkout import read_checkout
from judge_tui.formats.format import CALLED, Kind
from judge_tui.formats.judgments import JudgmentRow
from judge_tui.formats.places import PROVENANCE, run_paths
from judge_tui.formats.problems import Reporter
from judge_tui.formats.queries_and_documents import iter_documents
from judge_tui.formats.recognition import Recognised, format_for, format_of, recognise
from judge_tui.formats.registry import ANSWERS, FOLDER, format_named, names_of
from judge_tui.formats.rows import rows_of
from judge_tui.formats.runs_and_qrels import one_tag
from judge_tui.formats.source import STDIN, Source, UnreadableError, open_source
from judge_tui.formats.trec_qrels import QrelsRow
from judge_tui.formats.trec_run import RunRow

__all__ = ["check_file", "files_to_check"]

Taken = Callable[[Recognised], None]
"""Called with the kind and the format that a file is read as."""


def files_to_check(name: str, *, format: str | None = None) -> list[str]:
    """The files that a word of the command line stands for, as `run_paths` takes it apart.

    But a folder is one thing to check, a folder of documents, where `format` says so, and without
    a `format` where none of its files is a run or qrels; what lies beside qrels to say where they
    came from is none of its files. Raises `InputError` and `UsageError`.
    """
    kind, its_name = _kind_and_name(format)
    if name == STDIN or not Path(name).is_dir() or (kind or "documents") != "documents":
        return run_paths([name])
    if its_name is not None:
        return [name] if its_name == FOLDER else run_paths([name])
    if kind is None and any(map(_is_run_or_qrels, _files_in(name))):
        return [path for path in run_paths([name]) if not path.endswith(PROVENANCE)]
    return [name]


def check_file(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    root: str | os.PathLike[str] | None = None,
    taken: Taken | None = None,
    told: Callable[[int], None] | None = None,
    noted: Callable[[str], None] | None = None,
) -> list[InputError]:
    """All problems of a run, qrels, judgments, queries, documents or answers file, in the order
    they were met.

    `format` is a kind (`queries`), a format (`tsv`) or both (`queries:tsv`); what it leaves open
    is told by the content. With `root`, the text of every doc_id (`path` or `path:start-end`) must
    be there in that checkout. `told` is that of `open_source`. `noted` is called
    with what is no problem and yet to be known. Raises `UsageError` for a `format` that there is
    not.
    """
    kind, name = _kind_and_name(format)
    found: list[InputError] = []
    report = Reporter(path, found.append)
    lines: dict[str, int] = {}
    try:
        for row in _rows(path, kind, name, report, taken or _ignore, noted or _ignore, told, root):
            if root is not None and (doc_id := _doc_id(row)) is not None:
                lines.setdefault(doc_id, row[0])
    except UnreadableError as error:
        report.pass_on(error)
    if root is not None and lines:
        _check_texts(lines, root, report)
    return found


def _ignore(_: object) -> None:
    """What nobody wants to know."""


def _rows(
    path: str | os.PathLike[str],
    kind: Kind | None,
    name: str | None,
    report: Reporter,
    taken: Taken,
    noted: Callable[[str], None],
    told: Callable[[int], None] | None,
    root: str | os.PathLike[str] | None,
) -> Iterator[Any]:
    folder = path != STDIN and Path(path).is_dir()
    if name == FOLDER or (folder and name is None and kind in (None, "documents")):
        taken(Recognised("documents", FOLDER))
        yield from iter_documents(path, format=FOLDER, problems=report.pass_on)
        return
    if kind in (None, "run") and has_found_nothing(path):
        taken(Recognised("run", name or "trec"))
        noted("no result: the file beside it says that it was asked in vain")
        return
    with open_source(path, told=told) as source:
        named = kind is None and name == ANSWERS
        chosen = (
            format_named("queries", ANSWERS)
            if named
            else format_for(source, kind, name)
            if kind
            else format_of(source, name)
        )
        taken(Recognised(chosen.kind, chosen.name))
        if kind is None and chosen.name == ANSWERS:
            _check_answers(source, root, report)
            return
        rows = rows_of(source, chosen, report)
        of_one_run = chosen.kind == "run" and not chosen.several_runs
        yield from one_tag(rows, report) if of_one_run else rows


def _check_answers(source: Source, root: str | os.PathLike[str] | None, report: Reporter) -> None:
    from judge_tui.formats.answers.reading import problems_of  # noqa: PLC0415 - few are

    for problem in problems_of(source, root):
        report.pass_on(problem)


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
    known = [f"{kind}:{name}" for kind in CALLED for name in names_of(kind)]
    raise UsageError(
        f"{format!r:.70} is no format",
        f"use a kind ({', '.join(CALLED)}), or one of {', '.join(known)}",
    )


def _doc_id(row: Any) -> str | None:
    """The id of the document that a row is about: none where it is a query, or has none."""
    if isinstance(row, RunRow | QrelsRow | JudgmentRow):
        return row.doc_id or None
    return getattr(row[1], "doc_id", None)


_CONVERT = "a document is text: convert the file, as with iconv -t UTF-8, or leave it out"


def _check_texts(lines: dict[str, int], root: str | os.PathLike[str], report: Reporter) -> None:
    def missing(doc_id: str, why: str) -> None:
        mend = f"is {os.fspath(root)} the checkout that the ids are from?"
        report(lines[doc_id], why, _CONVERT if "is not UTF-8" in why else mend)

    try:
        for _ in read_checkout(lines, root, missing=missing):
            pass
    except InputError as error:
        report.pass_on(error)
