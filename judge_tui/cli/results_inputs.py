"""Results that are scored and compared: runs that have their grades beside them."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.cli.inputs import Inputs
from judge_tui.errors import InputError
from judge_tui.model import Run

__all__ = ["from_results"]


def from_results(named: Sequence[tuple[str | None, str]]) -> Inputs:
    """Runs, and the grades of all files together; two that differ are refused with both places."""
    from judge_tui.formats import read_results
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
    return Inputs(qrels, runs, tuple(path for _, path in named))


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
