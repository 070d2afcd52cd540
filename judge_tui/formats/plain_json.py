"""A run in JSON without faults, by the standard library's parser: several times as fast as token by
token (`json_pairs`), which can say what is wrong and where.
"""

from __future__ import annotations

from itertools import chain
from math import isfinite
from typing import Any

from judge_tui.formats.ids import has_other_white
from judge_tui.formats.source import Source, UnreadableError

__all__ = ["plain_json"]

_WHITE = " \t\n\v\f\r"


class _OddError(Exception):
    """A name that comes twice, or a number that is none."""


def plain_json(source: Source) -> dict[str, dict[str, float]] | None:
    """query_id -> doc_id -> score, of a query without documents nothing; None where something is
    wrong, or might be."""
    import json  # noqa: PLC0415 - start-up is counted, and few runs are JSON

    try:
        text = b"".join(source.pieces()).decode()
        found = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse)
        if not isinstance(found, dict) or not _are_ids(found):
            return None
        scores = {}
        for query_id, by_doc in found.items():
            if not isinstance(by_doc, dict) or not set(map(type, by_doc.values())) <= {int, float}:
                return None
            scores[query_id] = dict(zip(by_doc, map(float, by_doc.values()), strict=True))
        sums = [sum(by_doc.values()) for by_doc in scores.values()]
        if not all(map(isfinite, sums)) or not _are_ids(chain.from_iterable(scores.values())):
            return None
    except (UnreadableError, ValueError, OverflowError, RecursionError, _OddError):
        return None
    return scores or None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _OddError
    return found


def _refuse(_constant: str) -> float:
    raise _OddError


def _are_ids(names: Any) -> bool:
    """Whether all are ids as they stand: not empty, without white space, in UTF-8."""
    ids = list(names)
    joined = "".join(ids)
    joined.encode()
    white = has_other_white(joined) or any(mark in joined for mark in _WHITE)
    return all(ids) and "\0" not in joined and not white
