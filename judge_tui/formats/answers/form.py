"""Which form an answers file has, told by how it begins; `check` looks at every file with it."""

from __future__ import annotations

import os
import re
from typing import Literal, TypeAlias

from judge_tui.errors import InputError
from judge_tui.formats.source import open_source

__all__ = ["ARRAY_HEAD", "Form", "delimiter_of", "form_of", "is_answers", "likely_form"]

Form: TypeAlias = Literal["json", "jsonl", "csv", "toml"]

ARRAY_HEAD = re.compile(r"^\s*\[\[[\w\"'.-]+\]\]\s*(#.*)?$", re.MULTILINE)
"""The head of one table of an array, in TOML."""

_HEADER = re.compile(
    r'\s*(?:"?(?:query_)?id"?\s*[,;\t]\s*)?"?query"?\s*([,;\t])\s*"?result_?1"?\s*(?:[,;\t]|$)',
    re.IGNORECASE,
)
_SAYS = re.compile(r"\"(expected|patterns?|prefer|authority)\"\s*:")
_ASKS = re.compile(r"\"query\"\s*:")
_NAMES = re.compile(r"\"(query_id|id)\"\s*:")
_TEXT = re.compile(r"\"text\"\s*:")
_TOML_SAYS = re.compile(
    r"^\s*(?:(?:expected|patterns?|prefer(?:\s*\.\s*\w+)?|authority)\s*=|\[[^\[\]]+\.\s*prefer\s*\])",
    re.MULTILINE,
)


def form_of(text: str) -> Form | None:
    """The form of a file that begins like this; None where it is no answers file."""
    form = likely_form(text)
    if form == "json":
        return form if _is_one(text) else None
    if form == "jsonl":
        return form if _is_one(text.lstrip().partition("\n")[0]) else None
    return form if form == "csv" or _TOML_SAYS.search(text) else None


def likely_form(text: str) -> Form | None:
    """The form of a file that is to be one of answers, by how it is written alone."""
    start = text.lstrip()
    if _HEADER.match(start.partition("\n")[0].rstrip()):
        return "csv"
    if ARRAY_HEAD.search(text) and not start.startswith("{"):
        return "toml"
    return "json" if start.startswith("[") else "jsonl" if start.startswith("{") else None


def delimiter_of(text: str) -> str:
    """What stands between the columns of a CSV file of answers."""
    header = _HEADER.match(text.lstrip().partition("\n")[0].rstrip())
    return "," if header is None else header[1]


def _is_one(text: str) -> bool:
    """Whether JSON speaks of what is right. Files of queries and documents, which may have any
    other field as well, have a text."""
    asks = _ASKS.search(text) or (_NAMES.search(text) and not _TEXT.search(text))
    return bool(asks and _SAYS.search(text))


def is_answers(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like answers, by its first 64 KB."""
    try:
        with open_source(path) as source:
            return form_of(source.head.decode("utf-8", "replace")) is not None
    except InputError:
        return False
