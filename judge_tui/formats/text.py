"""A whole text, such as guidelines: no rows, only UTF-8."""

from __future__ import annotations

import os

from judge_tui.formats.problems import not_utf8
from judge_tui.formats.source import open_source

__all__ = ["read_text"]


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file as it stands, less a byte order mark; `-` is standard input.

    May be empty. Raises `InputError` for a file that cannot be read, is binary or is not UTF-8.
    """
    with open_source(path) as source:
        data = b"".join(source.pieces())
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise not_utf8(path, data, error.start) from error
