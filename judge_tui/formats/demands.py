"""What an answer, or a query, says is to come first: `prefer` and `authority`; and patterns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, SupportsIndex

from judge_tui.errors import InputError
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.model import Query
from judge_tui.truths import Authority, OrderDemand, Pattern, Prefer

_PREFER = 'write "prefer": {"better": "…", "worse": "…"}'
_AUTHORITY = 'write "authority": ["…", "…"], the highest source first'


def demands_in(
    record: Mapping[str, Any], line: SupportsIndex | None, report: Reporter
) -> dict[str, OrderDemand] | None:
    """Return the demands of a record; None where one cannot be used, which is reported."""
    try:
        return _demands(record)
    except RecordError as error:
        report.refuse(error, line)
        return None


def of_queries(
    queries: Iterable[Query], path: str | os.PathLike[str]
) -> dict[str, dict[str, OrderDemand]]:
    """Return query_id -> its demands, of the queries that have any in their own file. Raises
    `InputError` with the query for what cannot be used."""
    found = {}
    for query in queries:
        try:
            if its := _demands(query.meta):
                found[query.query_id] = its
        except RecordError as error:
            what = f"query {quoted(query.query_id)}: {error.what}"
            raise InputError(path, None, what, error.mend) from error
    return found


def pattern_of(pattern: object, name: str, mend: str = "mend it") -> Pattern:
    """Return the regular expression that a file has under a name. Raises `RecordError` for none."""
    import regex  # noqa: PLC0415 - few answers are patterns

    if not isinstance(pattern, str):
        raise RecordError(f"{name} is no pattern", "write it as a text")
    try:
        if not pattern:
            raise ValueError("it is empty")
        found: Pattern = regex.compile(pattern)
    except (ValueError, regex.error, RecursionError, OverflowError) as error:
        what = f"{name} {quoted(pattern)} is no regular expression: {error}"
        raise RecordError(what, mend) from error
    return found


def _demands(record: Mapping[str, Any]) -> dict[str, OrderDemand]:
    found: dict[str, OrderDemand] = {}
    if "prefer" in record:
        found["prefer"] = _prefer(record["prefer"])
    if "authority" in record:
        found["authority"] = _authority(record["authority"])
    return found


def _prefer(value: Any) -> Prefer:
    if not isinstance(value, dict) or set(value) != {"better", "worse"}:
        raise RecordError("prefer is not a better and a worse pattern", _PREFER)
    better, worse = (pattern_of(value[name], name) for name in ("better", "worse"))
    if better == worse:
        raise RecordError(f"better and worse are both {quoted(better.pattern)}", _PREFER)
    return Prefer(better, worse)


def _authority(value: Any) -> Authority:
    if not isinstance(value, list) or len(value) < 2:
        raise RecordError("authority is no list of two sources or more", _AUTHORITY)
    sources = [pattern_of(one, "authority") for one in value]
    if len(set(sources)) < len(sources):
        raise RecordError("authority has a source twice", "name each source once")
    return Authority(tuple(sources))
