"""The outside world's files: readers, and writers of what we write.

Files are told by their content and opened whatever they are compressed with; every problem has its
file, its line and the way to mend it. `registry` says what a new format takes.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judge_tui.formats.check import check_file, files_to_check
    from judge_tui.formats.checkout import Missing, Skipped, read_checkout
    from judge_tui.formats.columns import declared_columns
    from judge_tui.formats.judgments import JudgmentRow, declared_labels
    from judge_tui.formats.places import named_runs, run_paths
    from judge_tui.formats.problems import Problems
    from judge_tui.formats.recognition import Recognised, recognise
    from judge_tui.formats.registry import Format, Kind, names_of
    from judge_tui.formats.rows import AsForm, Form, iter_documents, iter_qrels, iter_queries
    from judge_tui.formats.sieve import Sieve
    from judge_tui.formats.trec import QrelsRow, RunRow
    from judge_tui.formats.whole_files import (
        read_grades,
        read_qrels,
        read_queries,
        read_results,
        read_run,
        read_text,
    )
    from judge_tui.formats.writing import (
        qrels_bytes,
        refuse_target,
        write_atomically,
        write_run,
        write_text,
    )

__all__ = [
    "AsForm",
    "Form",
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
    "check_file",
    "declared_columns",
    "declared_labels",
    "files_to_check",
    "iter_documents",
    "iter_qrels",
    "iter_queries",
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
    "write_run",
    "write_text",
]

# module -> the names it gives to this room, imported when one is first asked for: start-up counts.
_NAMES = {
    "check": ("check_file", "files_to_check"),
    "checkout": ("Missing", "Skipped", "read_checkout"),
    "judgments": ("JudgmentRow", "declared_labels"),
    "columns": ("declared_columns",),
    "places": ("named_runs", "run_paths"),
    "problems": ("Problems",),
    "recognition": ("Recognised", "recognise"),
    "registry": ("Format", "Kind", "names_of"),
    "rows": ("AsForm", "Form", "iter_documents", "iter_qrels", "iter_queries"),
    "sieve": ("Sieve",),
    "trec": ("QrelsRow", "RunRow"),
    "whole_files": (
        "read_grades",
        "read_qrels",
        "read_queries",
        "read_results",
        "read_run",
        "read_text",
    ),
    "writing": (
        "qrels_bytes",
        "refuse_target",
        "write_atomically",
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
