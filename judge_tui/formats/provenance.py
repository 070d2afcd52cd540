"""The file beside exported qrels and runs, FILE.provenance.json, as far as others read it again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from judge_tui.formats.compression import ENDINGS

__all__ = [
    "PROVENANCE",
    "SHA256",
    "TEXTS",
    "provenance_beside",
    "provenances_beside",
    "texts_graded",
    "without_provenance",
]

PROVENANCE = ".provenance.json"
"""What the file beside exported qrels has behind their name."""

TEXTS = "queries"
"""Its key of the texts of the queries by their native ids (`campaign.export`)."""

SHA256 = "sha256"
"""Its key of what the bytes of the file come to, of a run those that are in it, unpacked."""


def provenance_beside(file: str | os.PathLike[str]) -> Path:
    """Where the file beside these qrels, or this run, is, if there is one."""
    return Path(f"{os.fspath(file)}{PROVENANCE}")


def without_provenance(files: Sequence[str]) -> list[str]:
    """The files less those that lie beside others of them to say where these came from."""
    beside = {f"{file}{PROVENANCE}" for file in files}
    return [file for file in files if file not in beside]


def texts_graded(qrels: str | os.PathLike[str]) -> tuple[Path, dict[str, str]] | None:
    """The file beside qrels, compressed or unpacked since or not, or beside those of a folder as
    BEIR has it, and what it says that was graded: native query_id -> text; None where there is
    none, and where it has no texts."""
    from judge_tui.formats.beir_folder import qrels_file  # noqa: PLC0415 - imports readers

    for beside in provenances_beside(qrels_file(qrels)):
        if (texts := _texts_in(_said_in(beside))) is not None:
            return beside, texts
    return None


def provenances_beside(file: str | os.PathLike[str]) -> Iterable[Path]:
    """Where the file beside one may be, which has its name as it was exported: compressed since,
    or unpacked."""
    path = os.fspath(file)
    plain = path.removesuffix(Path(path).suffix) if Path(path).suffix in ENDINGS else path
    named = (path, *(f"{plain}{ending}" for ending in ("", *ENDINGS)))
    return dict.fromkeys(map(provenance_beside, named))


def _said_in(beside: Path) -> Any:
    if not beside.is_file():
        return None
    import json  # noqa: PLC0415 - few files have one beside them

    try:
        return json.loads(beside.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def _texts_in(said: Any) -> dict[str, str] | None:
    """None where it has none: it is an older one, or another tool's."""
    texts = said.get(TEXTS) if isinstance(said, dict) else None
    if not isinstance(texts, dict):
        return None
    return {query_id: str(text) for query_id, text in texts.items()}
