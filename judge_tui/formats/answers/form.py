"""Which form an answers file has, told by how it begins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from judge_tui.formats.answers.columns import columns_in
from judge_tui.scoring.class_terms import DEMANDS

__all__ = ["ARRAY_HEAD", "Form", "form_of", "likely_form"]

Form: TypeAlias = Literal["json", "jsonl", "csv", "toml"]

ARRAY_HEAD = re.compile(r"^\s*\[\[[\w\"'.-]+\]\]\s*(#.*)?$", re.MULTILINE)
"""The head of one table of an array, in TOML."""

_ANSWERS_HEAD = re.compile(r"^\s*\[\[\s*answers\s*\]\]", re.MULTILINE)
_TABLE_HEAD = re.compile(r"^\s*\[[A-Za-z_][\w.-]*\]\s*(#.*)?$", re.MULTILINE)
_DEMAND = f"(?:{'|'.join(DEMANDS)})"
_IS_RIGHT = re.compile(r"\"(expected|patterns?)\"\s*:")
_DEMANDS = re.compile(rf"\"{_DEMAND}\"\s*:")
_ASKS = re.compile(r"\"query\"\s*:")
_NAMES = re.compile(r"\"(query_id|id)\"\s*:")
_TEXT = re.compile(r"\"text\"\s*:")
_DOCUMENTS = re.compile(r"\"documents\"\s*:\s*\[")
_TOML_SAYS = re.compile(
    rf"^\s*(?:(?:expected|patterns?|{_DEMAND}(?:\s*\.\s*\w+)?)\s*=|\[[^\[\]]+\.\s*{_DEMAND}\s*\])",
    re.MULTILINE,
)


def form_of(text: str) -> Form | None:
    """The form of a file that begins like this; None where it is no answers file."""
    form = likely_form(text)
    if form == "json":
        return form if _is_one(text) else None
    if form == "jsonl":
        return form if _are_some([line for line in text.split("\n") if line.strip()]) else None
    if form == "csv":
        columns = columns_in(text)
        return form if columns and columns.asks and columns.says else None
    if _ANSWERS_HEAD.search(text):
        return form
    return form if _TOML_SAYS.search(text) and ARRAY_HEAD.search(text) else None


def likely_form(text: str) -> Form | None:
    """The form of a file that is to be one of answers, by how it is written alone."""
    start = text.lstrip()
    if not start.startswith("{"):
        columns = columns_in(text)
        if columns and (columns.asks or columns.says) and not columns.has_documents:
            return "csv"
        if ARRAY_HEAD.search(text) or _TABLE_HEAD.search(text):
            return "toml"
    return "json" if start.startswith("[") else "jsonl" if start.startswith("{") else None


def _is_one(text: str) -> bool:
    """Whether JSON speaks of what is right. Files of queries and documents, which may have any
    other field as well, have a text, and those of a benchmark have documents."""
    if _DOCUMENTS.search(text):
        return False
    asks = _ASKS.search(text) or (_NAMES.search(text) and not _TEXT.search(text))
    return bool(asks and (_IS_RIGHT.search(text) or _DEMANDS.search(text)))


def _are_some(lines: Sequence[str]) -> bool:
    """Whether objects of JSON, a line each, speak of what is right. Queries may demand something,
    too: where some do and others say nothing of what is right, they are queries with ids."""
    ones = [line for line in lines if _is_one(line)]
    if len(ones) == len(lines) or any(map(_IS_RIGHT.search, ones)):
        return bool(ones)
    return bool(ones) and not all(map(_NAMES.search, lines))
