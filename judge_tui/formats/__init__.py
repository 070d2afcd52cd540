"""The outside world's files: one module per format, a reader and where we write it a writer.

Files are told by their content and opened whatever they are compressed with; every problem has its
file, its line and the way to mend it. A new format is one module, its name in
`registry` and in the helps of `load`; README, "something new", has all the places.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judge_tui.formats.checking import check_file, files_to_check
    from judge_tui.formats.checkout import Missing, read_checkout
    from judge_tui.formats.documents_folder import Skipped
    from judge_tui.formats.format import Format, Kind
    from judge_tui.formats.judgments import JudgmentRow, read_grades
    from judge_tui.formats.places import named_runs, run_paths
    from judge_tui.formats.problems import Problems
    from judge_tui.formats.queries_and_documents import iter_documents, iter_queries, read_queries
    from judge_tui.formats.recognition import Recognised, recognise
    from judge_tui.formats.registry import all_formats, names_of
    from judge_tui.formats.runs_and_qrels import (
        iter_qrels,
        iter_run,
        read_qrels,
        read_results,
        read_run,
    )
    from judge_tui.formats.sieve import Sieve
    from judge_tui.formats.text import read_text
    from judge_tui.formats.trec_qrels import QrelsRow
    from judge_tui.formats.trec_run import RunRow
    from judge_tui.formats.writing import (
        qrels_bytes,
        refuse_target,
        write_atomically,
        write_qrels,
        write_run,
        write_text,
    )

__all__ = [
    "Format",
    "JudgmentRow",
    "Kind",
    "Missing",
    "Problems",
    "QrelsRow",
    "Recognised",
    "RunRow",
    "Sieve",
    "Skipped",
    "all_formats",
    "check_file",
    "files_to_check",
    "iter_documents",
    "iter_qrels",
    "iter_queries",
    "iter_run",
    "named_runs",
    "names_of",
    "qrels_bytes",
    "read_checkout",
    "read_grades",
    "read_qrels",
    "read_queries",
    "read_results",
    "read_run",
    "read_text",
    "recognise",
    "refuse_target",
    "run_paths",
    "write_atomically",
    "write_qrels",
    "write_run",
    "write_text",
]

# module -> the names it gives to this room, imported when one is first asked for: start-up counts.
_NAMES = {
    "checking": ("check_file", "files_to_check"),
    "checkout": ("Missing", "read_checkout"),
    "documents_folder": ("Skipped",),
    "format": ("Format", "Kind"),
    "judgments": ("JudgmentRow", "read_grades"),
    "places": ("named_runs", "run_paths"),
    "problems": ("Problems",),
    "queries_and_documents": ("iter_documents", "iter_queries", "read_queries"),
    "recognition": ("Recognised", "recognise"),
    "registry": ("all_formats", "names_of"),
    "runs_and_qrels": ("iter_qrels", "iter_run", "read_qrels", "read_results", "read_run"),
    "sieve": ("Sieve",),
    "text": ("read_text",),
    "trec_qrels": ("QrelsRow",),
    "trec_run": ("RunRow",),
    "writing": (
        "qrels_bytes",
        "refuse_target",
        "write_atomically",
        "write_qrels",
        "write_run",
        "write_text",
    ),
}


def __getattr__(name: str) -> Any:
    for module, names in _NAMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
