"""What an entry of an answers file says of the order of results: `prefer` and `authority`."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from judge_tui.formats.problems import Reporter, quoted
from judge_tui.model import Query
from judge_tui.scoring.authority import Authority
from judge_tui.scoring.prefer import Prefer

__all__ = ["authority_in", "compiled", "of_queries", "prefer_in"]

_PREFER = 'write "prefer": {"better": "…", "worse": "…"}'
_AUTHORITY = 'write "authority": ["…", "…"], the highest source first'


def prefer_in(
    record: Mapping[str, Any], line: int | None, report: Reporter
) -> Prefer | Literal[False] | None:
    """The two patterns; None where the record has none, False for what is reported."""
    if "prefer" not in record:
        return None
    given = record["prefer"]
    if not isinstance(given, dict) or set(given) != {"better", "worse"}:
        report(line, "prefer is not a better and a worse pattern", _PREFER)
        return False
    better = _pattern(given["better"], "better", _PREFER, line, report)
    worse = _pattern(given["worse"], "worse", _PREFER, line, report)
    if better is None or worse is None:
        return False
    if better == worse:
        report(line, f"better and worse are both {quoted(better.pattern)}", _PREFER)
        return False
    return Prefer(better, worse)


def authority_in(record: Mapping[str, Any], line: int | None, report: Reporter) -> Authority | None:
    """The patterns of the sources; () where the record has none, None for what is reported."""
    if "authority" not in record:
        return ()
    given = record["authority"]
    if not isinstance(given, list) or len(given) < 2:
        report(line, "authority is no list of two sources or more", _AUTHORITY)
        return None
    sources = [_pattern(one, "authority", _AUTHORITY, line, report) for one in given]
    found = [source for source in sources if source is not None]
    if len(found) < len(sources):
        return None
    if len(set(found)) < len(found):
        twice = next(one.pattern for at, one in enumerate(found) if one in found[:at])
        report(line, f"authority has {quoted(twice)} twice", "name each source once")
        return None
    return tuple(found)


def of_queries(
    queries: Iterable[Query], path: str | os.PathLike[str]
) -> tuple[dict[str, Prefer], dict[str, Authority]]:
    """The same of queries that say it in their own file: query_id -> `prefer`, and `authority`.
    Raises `InputError` with the query for what is neither."""
    prefers: dict[str, Prefer] = {}
    authorities: dict[str, Authority] = {}
    for query in queries:
        report = _OfQuery(path, query.query_id)
        if prefer := prefer_in(query.meta, None, report):
            prefers[query.query_id] = prefer
        if authority := authority_in(query.meta, None, report):
            authorities[query.query_id] = authority
    return prefers, authorities


class _OfQuery(Reporter):
    """Names the query: its line is not known any more."""

    def __init__(self, path: str | os.PathLike[str], query_id: str) -> None:
        super().__init__(path)
        self._query_id = query_id

    def __call__(self, line: int | None, what: str, mend: str = "") -> None:
        super().__call__(line, f"query {self._query_id!r}: {what}", mend)


def compiled(pattern: str) -> re.Pattern[str]:
    """The regular expression. Raises `re.error`, `RecursionError` or `OverflowError` for none."""
    if not pattern:
        raise re.error("it is empty")
    with warnings.catch_warnings():
        # What later versions of Python may read otherwise is no matter of who scores.
        warnings.simplefilter("ignore")
        return re.compile(pattern)


def _pattern(
    given: Any, name: str, mend: str, line: int | None, report: Reporter
) -> re.Pattern[str] | None:
    if not isinstance(given, str):
        report(line, f"{name} is no pattern", mend)
        return None
    try:
        return compiled(given)
    except (re.error, RecursionError, OverflowError) as error:
        report(line, f"{name} {quoted(given)} is no regular expression: {error}", "mend it")
        return None
