"""The lines of a block of a run as lists: any layout, no library, nothing to import first.

None where something is wrong with the block, or might be: who reads line by line can say what.
"""

from __future__ import annotations

from io import BytesIO
from math import isfinite
from typing import NamedTuple, TypeAlias

from judge_tui.formats.blocks import Block
from judge_tui.formats.ids import has_other_white

__all__ = ["Columns", "Lists", "go_together", "lists_in", "scores_in"]

Columns: TypeAlias = tuple[list[bytes], list[bytes]]
"""The documents and the scores of a query, line by line, as they stand."""


class Lists(NamedTuple):
    """The columns of each query, and the tag; it is empty where no line has one."""

    by_query: dict[bytes, Columns]
    tag: bytes


def lists_in(block: Block, *, any_tag: bool = False) -> Lists | None:
    """The lists of a block. Two tags are a fault unless `any_tag`; then the last one is told. A tag
    on some lines alone always is."""
    text = bytes(block)
    if b"\0" in text:
        return None
    held: dict[bytes, Columns] = {}
    current = tag = b""
    untagged = False
    docs: list[bytes] = []
    scores: list[bytes] = []
    try:
        if has_other_white(text.decode()):
            return None
    except UnicodeDecodeError:
        return None
    # A list of all lines would be several times the block, and memory costs time, too.
    for line in BytesIO(text):
        try:
            query, _, doc, _, score, its_tag = line.split()
        except ValueError:
            fields = line.split()
            if not fields:
                continue
            if len(fields) == 7 and fields[3].isdigit():
                query, _, doc, _, score, its_tag, _ = fields
            elif len(fields) == 5:
                query, _, doc, _, score = fields
                its_tag = tag
                untagged = True
            else:  # of seven, the fourth may be no rank
                return None
        if query != current:
            current = query
            docs, scores = held.setdefault(query, ([], []))
        docs.append(doc)
        scores.append(score)
        if its_tag != tag:
            if tag and not any_tag:
                return None
            tag = its_tag
    return None if untagged and tag else Lists(held, tag)


def go_together(before: bytes | None, tag: bytes, *, any_tag: bool) -> bool:
    """Whether lines of this tag (empty: of none) can follow those `before` (None: there are none)
    in one run."""
    return before is None or before == tag or (any_tag and bool(before and tag))


def scores_in(columns: Columns) -> dict[bytes, float] | None:
    """The score of each document of a query; none may be there twice."""
    docs, fields = columns
    # float() would take 1_000 for a number.
    if b"_" in b"".join(fields):
        return None
    try:
        values = list(map(float, fields))
    except ValueError:
        return None
    # A sum is infinite or NaN if one score is, and costs less than a question for each.
    if not isfinite(sum(values)):
        return None
    scores = dict(zip(docs, values, strict=True))
    return scores if len(scores) == len(docs) else None
