"""What an entry of an answers file says of the order of results: `prefer` and `authority`."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from typing import Any, Literal

from judge_tui.formats.problems import Reporter, quoted
from judge_tui.scoring.authority import Authority
from judge_tui.scoring.prefer import Prefer

__all__ = ["authority_in", "compiled", "prefer_in"]

_PREFER = 'write "prefer": {"better": "…", "worse": "…"}'
_AUTHORITY = 'write "authority": ["…", "…"], the highest source first'


def prefer_in(
    record: Mapping[str, Any], line: int, report: Reporter
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


def authority_in(record: Mapping[str, Any], line: int, report: Reporter) -> Authority | None:
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


def compiled(pattern: str) -> re.Pattern[str]:
    """The regular expression. Raises `re.error`, `RecursionError` or `OverflowError` for none."""
    if not pattern:
        raise re.error("it is empty")
    with warnings.catch_warnings():
        # What later versions of Python may read otherwise is no matter of who scores.
        warnings.simplefilter("ignore")
        return re.compile(pattern)


def _pattern(
    given: Any, name: str, mend: str, line: int, report: Reporter
) -> re.Pattern[str] | None:
    if not isinstance(given, str):
        report(line, f"{name} is no pattern", mend)
        return None
    try:
        return compiled(given)
    except (re.error, RecursionError, OverflowError) as error:
        report(line, f"{name} {quoted(given)} is no regular expression: {error}", "mend it")
        return None
