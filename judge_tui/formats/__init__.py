"""The outside world's files: one module per format, a reader and where we write it a writer.

Files are told by their content and opened whatever they are compressed with; every problem has its
file, its line and the way to mend it. A new format is one module and its name in `registry`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judge_tui.formats.checking import check_file, files_to_check
    from judge_tui.formats.checkout import Missing, read_checkout
    from judge_tui.formats.documents_folder import Skipped
    from judge_tui.formats.format import Format, Kind
    from judge_tui.formats.ids import decode_id, encode_id
    from judge_tui.formats.places import run_paths
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
    "Kind",
    "Missing",
    "Problems",
    "QrelsRow",
    "Recognised",
    "RunRow",
    "Skipped",
    "all_formats",
    "check_file",
    "decode_id",
    "encode_id",
    "files_to_check",
    "iter_documents",
    "iter_qrels",
    "iter_queries",
    "iter_run",
    "names_of",
    "qrels_bytes",
    "read_checkout",
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

# Where to look for a name when it is first asked for: scoring needs only the first of these.
_MODULES = (
    "runs_and_qrels",
    "trec_run",
    "trec_qrels",
    "ids",
    "places",
    "problems",
    "format",
    "registry",
    "recognition",
    "queries_and_documents",
    "documents_folder",
    "checkout",
    "text",
    "writing",
    "checking",
)


def __getattr__(name: str) -> Any:
    if name in __all__:
        for module in _MODULES:
            found = import_module(f"{__name__}.{module}")
            if name in found.__all__:
                return getattr(found, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
