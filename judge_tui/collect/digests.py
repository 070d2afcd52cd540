"""Whether a file is the same as it was."""

from __future__ import annotations

import hashlib
from pathlib import Path

__all__ = ["digest_of"]


def digest_of(path: Path) -> str:
    """SHA-256 of a file's content, in hexadecimal digits; empty where there is no file that can be
    read."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (OSError, ValueError):  # also of a name that no file can have
        return ""
