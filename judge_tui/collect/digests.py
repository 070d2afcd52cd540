"""Whether files are the same as they were."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from judge_tui.errors import InputError
from judge_tui.formats import iter_documents

__all__ = ["digest_of", "digest_of_documents"]


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


def digest_of_documents(path: Path) -> str:
    """The same of a file of documents; of a folder, of all the documents that are read from it:
    empty where one of them cannot be read."""
    if not path.is_dir():
        return digest_of(path)
    digest = hashlib.sha256()
    try:
        for _line, one in iter_documents(path):
            digest.update(json.dumps([one.doc_id, one.title, one.text, one.url]).encode() + b"\n")
    except InputError:
        return ""
    return digest.hexdigest()
