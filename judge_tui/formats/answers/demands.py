"""What an entry of an answers file, or a query, demands: a reader for each of `DEMANDS`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from judge_tui.formats.problems import Reporter, quoted
from judge_tui.model import Query
from judge_tui.scoring.authority import Authority
from judge_tui.scoring.class_terms import DEMANDS, Demand
from judge_tui.scoring.demands import Wanted
from judge_tui.scoring.prefer import Prefer
from judge_tui.scoring.truths import Pattern

__all__ = ["READERS", "compiled", "demands_in", "of_queries"]

_PREFER = 'write "prefer": {"better": "…", "worse": "…"}'
_AUTHORITY = 'write "authority": ["…", "…"], the highest source first'


def demands_in(
    record: Mapping[str, Any], line: int | None, report: Reporter
) -> dict[Demand, Wanted] | None:
    """What a record demands; None where any of it cannot be used, which is reported."""
    read = {
        demand: READERS[demand](record[demand], line, report)
        for demand in DEMANDS
        if demand in record
    }
    found = {demand: wanted for demand, wanted in read.items() if wanted is not None}
    return found if len(found) == len(read) else None


def of_queries(
    queries: Iterable[Query], path: str | os.PathLike[str]
) -> dict[str, dict[Demand, Wanted]]:
    """The same of queries that say it in their own file: query_id -> what it demands, of those
    that demand anything. Raises `InputError` with the query for what cannot be used."""
    found = {}
    for query in queries:
        if its := demands_in(query.meta, None, _OfQuery(path, query.query_id)):
            found[query.query_id] = its
    return found


class _OfQuery(Reporter):
    """Names the query: its line is not known any more."""

    def __init__(self, path: str | os.PathLike[str], query_id: str) -> None:
        super().__init__(path)
        self._query_id = query_id

    def __call__(self, line: int | None, what: str, mend: str = "") -> None:
        super().__call__(line, f"query {self._query_id!r}: {what}", mend)


def compiled(pattern: str) -> Pattern:
    """The regular expression. Raises `re.error`, `RecursionError` or `OverflowError` for none."""
    import regex  # noqa: PLC0415 - few answers are patterns

    if not pattern:
        raise re.error("it is empty")
    try:
        found: Pattern = regex.compile(pattern)
    except regex.error as error:
        raise re.error(str(error)) from error
    return found


def _pattern(
    given: Any, name: str, mend: str, line: int | None, report: Reporter
) -> Pattern | None:
    if not isinstance(given, str):
        report(line, f"{name} is no pattern", mend)
        return None
    try:
        return compiled(given)
    except (re.error, RecursionError, OverflowError) as error:
        report(line, f"{name} {quoted(given)} is no regular expression: {error}", "mend it")
        return None


def _prefer(given: Any, line: int | None, report: Reporter) -> Prefer | None:
    if not isinstance(given, dict) or set(given) != {"better", "worse"}:
        report(line, "prefer is not a better and a worse pattern", _PREFER)
        return None
    better = _pattern(given["better"], "better", _PREFER, line, report)
    worse = _pattern(given["worse"], "worse", _PREFER, line, report)
    if better is None or worse is None:
        return None
    if better == worse:
        report(line, f"better and worse are both {quoted(better.pattern)}", _PREFER)
        return None
    return Prefer(better, worse)


def _authority(given: Any, line: int | None, report: Reporter) -> Authority | None:
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
    return Authority(tuple(found))


READERS: Mapping[Demand, Callable[[Any, int | None, Reporter], Wanted | None]] = {
    "prefer": _prefer,
    "authority": _authority,
}
"""All of `DEMANDS`: what stands there -> what is demanded, None for what is reported."""
