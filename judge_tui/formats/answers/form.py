"""Which form an answers file has, told by how it begins; `check` looks at every file with it."""

from __future__ import annotations

import os
import re
from typing import Literal, TypeAlias

from judge_tui.errors import InputError
from judge_tui.formats.source import open_source

__all__ = ["ARRAY_HEAD", "Form", "form_of", "is_answers"]

Form: TypeAlias = Literal["json", "jsonl", "csv", "toml"]

ARRAY_HEAD = re.compile(r"^\s*\[\[[\w\"'.-]+\]\]\s*(#.*)?$", re.MULTILINE)
"""The head of one table of an array, in TOML."""

_HEADER = re.compile(r"\s*\"?query\"?\s*,\s*\"?result_?1\"?\s*(,|$)", re.IGNORECASE)
_SAYS = re.compile(r"\"(expected|patterns?)\"\s*:")
_ASKS = re.compile(r"\"(query|query_id|id)\"\s*:")
_TOML_SAYS = re.compile(r"^\s*(expected|patterns?)\s*=", re.MULTILINE)


def form_of(text: str) -> Form | None:
    """The form of a file that begins like this; None where it is no answers file."""
    start = text.lstrip()
    first = start.partition("\n")[0]
    if start.startswith("[") and not start.startswith("[["):
        says = start[1:].lstrip().startswith("{") and _SAYS.search(text) and _ASKS.search(text)
        return "json" if says else None
    if start.startswith("{"):
        return "jsonl" if _SAYS.search(first) and _ASKS.search(first) else None
    if _HEADER.match(first.strip()):
        return "csv"
    return "toml" if ARRAY_HEAD.search(text) and _TOML_SAYS.search(text) else None


def is_answers(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like answers, by its first 64 KB."""
    try:
        with open_source(path) as source:
            return form_of(source.head.decode("utf-8", "replace")) is not None
    except InputError:
        return False
