"""What the words of a command line name: qrels and runs, or files that hold both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import index
from pathlib import Path

from judge_tui.errors import InputError, UsageError
from judge_tui.evaluation.inputs import EvaluationInputs, read_inputs
from judge_tui.evaluation.runs import TaggedRun, distinct_tags
from judge_tui.formats.beir_folder import qrels_file
from judge_tui.formats.recognition import format_of_results
from judge_tui.formats.rows import iter_qrels
from judge_tui.formats.run_paths import named_runs
from judge_tui.formats.source import STDIN, Layout, check_columns, fitting, open_source
from judge_tui.formats.whole_files import read_results
from judge_tui.model import Run


def inputs_of_files(
    names: Sequence[str],
    *,
    answers: str | None = None,
    queries: str | None = None,
    layout: Layout | None = None,
) -> EvaluationInputs:
    """Return what the words of a command line name: QRELS RUN..., with `answers` RUN..., or files
    that hold results and their grades. Runs are files, folders, patterns in quotes, `-` for
    standard input, or TAG=FILE. `layout`: as `read_inputs` has it. Raises `InputError` and
    `UsageError`."""
    if not names:
        wanted = "QRELS RUN..., or --db CAMPAIGN" if answers is None else "RUN..."
        raise UsageError("no file is named", f"give {wanted}")
    both = [] if answers is not None else _files_with_both(names, layout)
    if both:
        check_columns(layout, [queries, *(path for _, path in both)])
        return _of_results(both, layout).with_queries(queries, layout)
    if answers is None and len(names) == 1:
        raise UsageError(
            f"{names[0]} alone is not enough: it does not hold both results and their grades",
            "give QRELS RUN..., or a table with query_id, doc_id, rank or score, and relevance",
        )
    qrels, runs = (None, names) if answers is not None else (names[0], names[1:])
    named = named_runs(runs)
    _refuse_read_twice(qrels or answers or "", queries, [path for _, path in named])
    files = [qrels and qrels_file(qrels), answers, queries, *(path for _, path in named)]
    check_columns(layout, files)
    tagged = [_run_file(tag, path, layout) for tag, path in named]
    inputs = read_inputs(qrels, tagged, answers=answers, queries=queries, layout=layout)
    return replace(inputs, files=(*inputs.files, *(path for _, path in named)))


def _of_results(named: Sequence[tuple[str | None, str]], layout: Layout | None) -> EvaluationInputs:
    """Read runs that hold their grades, and put the grades of all files together."""
    qrels: dict[str, dict[str, int]] = {}
    origins: dict[tuple[str, str], str] = {}
    runs: list[Run] = []
    for tag, path in named:
        grades, run = read_results(path, tag=tag, format=layout and fitting(path, layout))
        runs.append(run)
        for query_id, by_doc in grades.items():
            known = qrels.setdefault(query_id, {})
            for doc_id, grade in by_doc.items():
                origin = origins.setdefault((query_id, doc_id), path)
                if known.setdefault(doc_id, grade) != grade:
                    raise InputError(
                        path,
                        _line_of(path, layout, query_id, doc_id),
                        f"document {doc_id!r} of query {query_id!r} has grade {grade} here and"
                        f" {known[doc_id]} in {origin}:"
                        f"{_line_of(origin, layout, query_id, doc_id)}",
                        "give it one grade in both",
                    )
    tags = distinct_tags([TaggedRun(*one) for one in named], [run.tag for run in runs])
    return EvaluationInputs(
        qrels,
        [TaggedRun(tag, run) for run, tag in zip(runs, tags, strict=True)],
        files=tuple(path for _, path in named),
    )


def _line_of(path: str, layout: Layout | None, query_id: str, doc_id: str) -> int:
    rows = iter_qrels(path, format=layout and fitting(path, layout))
    return next(index(row.line) for row in rows if (row.query_id, row.doc_id) == (query_id, doc_id))


def _files_with_both(names: Sequence[str], layout: Layout | None) -> list[tuple[str | None, str]]:
    """Return the files with their tags, where every one holds results and their grades; else
    none."""
    if len(names) == 1 and named_runs(names)[0][1] == STDIN:
        return named_runs(names)
    # The first one tells nearly always, and the others are not looked for.
    for some in (names[:1], names):
        named = named_runs(some)
        if not all(_holds_both(path, layout) for _, path in named):
            return []
    return named


def _holds_both(path: str, layout: Layout | None) -> bool:
    if "\0" in path or not Path(path).is_file():
        return False
    with open_source(path, layout=layout) as source:
        if not any(mark in source.head for mark in (b",", b";", b"\t")):
            return False
        return format_of_results(source) is not None


def _run_file(tag: str | None, path: str, layout: Layout | None) -> TaggedRun:
    its = layout and fitting(path, layout)
    return TaggedRun(tag, path, its if its is not None and its.columns else None)


def _refuse_read_twice(reference: str, queries: str | None, runs: Sequence[str]) -> None:
    """Raise `UsageError` for standard input in two places, and for what says what is right as a
    run: in JSON whole scores look like grades, and a run would be scored by itself."""
    if [reference, queries, *runs].count(STDIN) > 1:
        raise UsageError("standard input can be read once", "give one of them a file")
    if Path(reference).is_file():
        for run in runs:
            if Path(run).is_file() and Path(run).samefile(reference):
                raise UsageError(f"{reference} is given twice", "give each its own file")
