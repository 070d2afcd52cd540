"""The folder that is collected into, and what its collect.json says of the systems."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judge_tui.errors import InputError
from judge_tui.formats.places import COLLECTED
from judge_tui.formats.writing import write_atomically

__all__ = [
    "identity_in",
    "keep_settings",
    "make_folder",
    "refuse_what_is_no_folder",
    "settings_in",
]


def refuse_what_is_no_folder(folder: Path) -> None:
    """What can be known before hours of work. Raises `InputError`."""
    try:
        there = next(place for place in (folder, *folder.resolve().parents) if place.exists())
    except OSError as error:
        raise _cannot_be_made(folder, error) from error
    if not there.is_dir():
        raise InputError(folder, None, f"{there} is no folder", "give another one with -o")
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError(
            folder, None, f"{there} cannot be written to", "give another folder with -o"
        )


def make_folder(folder: Path) -> None:
    """Make it if need be. Raises `InputError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_be_made(folder, error) from error


def _cannot_be_made(folder: Path, error: OSError) -> InputError:
    return InputError(
        folder, None, f"cannot be made: {error.strerror or error}", "give another folder with -o"
    )


def settings_in(folder: Path) -> dict[str, Any]:
    """What is described there, by name of the system; nothing where that cannot be read."""
    try:
        found = json.loads((folder / COLLECTED).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def identity_in(folder: Path, name: str) -> str:
    """What a system said of itself when it was asked last; empty where nothing is known."""
    described = settings_in(folder).get(name)
    return str(described.get("identity", "")) if isinstance(described, dict) else ""


def keep_settings(folder: Path, known: Mapping[str, Any]) -> None:
    """Describe these there. Raises `InputError`."""
    text = json.dumps(known, indent=1, sort_keys=True, ensure_ascii=False, default=str)
    write_atomically(folder / COLLECTED, [text.encode("utf-8", "backslashreplace") + b"\n"])
