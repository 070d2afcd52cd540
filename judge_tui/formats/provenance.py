"""The file beside exported qrels, FILE.provenance.json, as far as others read it again."""

from __future__ import annotations

import os
from pathlib import Path

from judge_tui.formats.coded_beside import PROVENANCE

__all__ = ["TEXTS", "provenance_beside", "texts_graded"]

TEXTS = "queries"
"""Its key of the texts of the queries by their native ids (`campaign.export`)."""


def provenance_beside(qrels: str | os.PathLike[str]) -> Path:
    """Where the file beside these qrels is, if there is one."""
    return Path(f"{os.fspath(qrels)}{PROVENANCE}")


def texts_graded(qrels: str | os.PathLike[str]) -> tuple[Path, dict[str, str]] | None:
    """The file beside qrels, or beside those of a folder as BEIR has it, and what it says that was
    graded: native query_id -> text; None where there is none, and where it has no texts."""
    from judge_tui.formats.beir_folder import qrels_file  # noqa: PLC0415 - imports readers

    beside = provenance_beside(qrels_file(qrels))
    if not beside.is_file():
        return None
    import json  # noqa: PLC0415 - few qrels have such a file

    try:
        texts = json.loads(beside.read_bytes())[TEXTS].items()
        return beside, {query_id: str(text) for query_id, text in texts}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None  # it is an older one, or another tool's
