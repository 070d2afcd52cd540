"""Where exported files came from: what is written beside qrels and runs, FILE.provenance.json."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.version import SCHEMA_VERSION
from judge_tui.errors import InputError
from judge_tui.formats import refuse_target, write_atomically, write_text
from judge_tui.formats.provenance import SHA256, provenance_beside
from judge_tui.version import __version__

__all__ = ["digest", "exported_from", "is_stream", "refuse_beside", "write_both"]


def exported_from(campaign: Campaign) -> dict[str, Any]:
    """The program and the campaign. No date and no path: the same content gives the same bytes."""
    settings = campaign.settings
    return {
        "schema_version": 1,
        "judge_tui": __version__,
        "campaign": {
            "name": settings.name,
            "seed": settings.seed,
            "scale": {str(grade): label for grade, label in settings.scale.labels.items()},
            "schema_version": SCHEMA_VERSION,
        },
    }


def digest(content: bytes) -> dict[str, str]:
    """What tells the file that a provenance is of."""
    return {SHA256: hashlib.sha256(content).hexdigest()}


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether it is standard output or a device: there is no place beside."""
    return os.fspath(path) == "-" or os.fspath(path).startswith(("/dev/", "/proc/"))


def refuse_beside(path: str | os.PathLike[str]) -> None:
    """Raise `InputError` where the file or its provenance could not be written, before either is:
    the provenance must not be there without its file."""
    if Path(path).exists() and not Path(path).is_file():
        raise InputError(
            path, None, "is no plain file, to put a file beside", "give one with -o FILE"
        )
    refuse_target(path)
    refuse_target(provenance_beside(path))


def write_both(path: str | os.PathLike[str], content: bytes, provenance: Mapping[str, Any]) -> None:
    """The provenance, then the file; where that fails, the provenance is as it was."""
    beside = provenance_beside(path)
    before = beside.read_text(encoding="utf-8") if beside.is_file() else None
    write_text(json.dumps(provenance, indent=2, ensure_ascii=False) + "\n", beside)
    try:
        write_atomically(path, [content])
    except BaseException:
        if before is None:
            beside.unlink()
        else:
            write_text(before, beside)
        raise
