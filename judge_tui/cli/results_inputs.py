"""Results that are scored and compared: runs that have their grades beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge_tui.cli.inputs import Inputs
from judge_tui.errors import InputError
from judge_tui.model import Run
from judge_tui.nothing_found import asked_in_vain

__all__ = ["from_results"]


def from_results(named: Sequence[tuple[str | None, str]]) -> Inputs:
    """Runs, and the grades of all files together; two that differ are refused with both places.

    A query that a file names without a document, and for which no run has any result nor any file a
    grade, counts as nothing found for the runs that were asked, as in a campaign.
    """
    from judge_tui.formats import read_results
    from judge_tui.formats.queries_and_documents import has_queries_by_text
    from judge_tui.sources import Tags

    qrels: dict[str, dict[str, int]] = {}
    tags = Tags()
    runs: list[Run] = []
    origins: dict[tuple[str, str], str] = {}
    for tag, path in named:
        grades, run = read_results(path, tag=tag)
        tags.take(run.tag, path)
        runs.append(run)
        for query_id, by_doc in grades.items():
            known = qrels.setdefault(query_id, {})
            for doc_id, grade in by_doc.items():
                origin = origins.setdefault((query_id, doc_id), path)
                if known.setdefault(doc_id, grade) != grade:
                    raise _two_grades(query_id, doc_id, origin, path)
    files = tuple(path for _, path in named)
    judgeable = frozenset(qrels).union(*(run.scores for run in runs))
    runs = [replace(run, in_vain=run.asked - judgeable) for run in runs]
    vain = frozenset[str]().union(*(run.in_vain for run in runs))
    return Inputs(
        qrels,
        runs,
        files,
        by_text=has_queries_by_text(files[0], "qrels"),
        notes=(asked_in_vain(len(vain), 0),) if vain else (),
    )


def _two_grades(query_id: str, doc_id: str, first: str, second: str) -> InputError:
    from judge_tui.formats import iter_qrels

    def place(path: str) -> tuple[int, int]:
        # Only files that differ are read again, for the line.
        rows = iter_qrels(path)
        return next((r.line, r.grade) for r in rows if (r.query_id, r.doc_id) == (query_id, doc_id))

    line, grade = place(first)
    second_line, second_grade = place(second)
    return InputError(
        second,
        second_line,
        f"document {doc_id!r} of query {query_id!r} has grade {second_grade} here and {grade} in"
        f" {first}:{line}",
        "give it one grade in both",
    )
