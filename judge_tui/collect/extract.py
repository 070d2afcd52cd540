"""Results out of a reply: JSON or JSON Lines by JMESPath, other text by a regular expression."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING, Any

import jmespath
import regex
from jmespath.exceptions import JMESPathError

from judge_tui.collect.search_system import Hit, SearchError
from judge_tui.errors import UsageError
from judge_tui.formats.ids import id_in

if TYPE_CHECKING:
    from judge_tui.collect.settings import ResultSettings


def compile_path(text: str) -> Any:
    """A JMESPath expression (jmespath.org), compiled. Raises `ValueError` with why not."""
    try:
        return jmespath.compile(text)
    except (JMESPathError, RecursionError) as error:
        raise ValueError(
            f"is not a JMESPath expression: {_first_line(error)}; jmespath.org explains them"
        ) from None


def compile_pattern(text: str) -> regex.Pattern[str]:
    """A regular expression whose `^` and `$` are the ends of each line. Raises `ValueError`."""
    try:
        return regex.compile(text, regex.MULTILINE)
    except (regex.error, RecursionError, OverflowError) as error:
        mend = "write \\ before characters that are meant literally"
        raise ValueError(f"is not a regular expression: {error}; {mend}") from None


def find(pattern: str, text: str, seconds: float) -> Iterator[regex.Match[str]]:
    """Every match in a text. Raises `SearchError` where that takes longer than `seconds`."""
    compiled = compile_pattern(pattern)
    try:
        yield from compiled.finditer(text.replace("\r\n", "\n"), timeout=seconds, concurrent=True)
    except TimeoutError:
        raise SearchError(
            f"the search for {pattern!r:.60} takes longer than {seconds:g} s"
        ) from None


def extract(settings: ResultSettings, reply: str, seconds: float) -> Iterator[Hit]:
    """The results of a reply, each judged when it is taken. Raises `SearchError`, also where a
    search in the text takes longer than `seconds`."""
    if settings.pattern is not None:
        return _extract_from_text(settings.pattern, reply, seconds)
    return _extract_from_json(settings, reply)


def _extract_from_text(pattern: str, text: str, seconds: float) -> Iterator[Hit]:
    """The group `id` of each match, else group 1, else the match."""
    compiled = compile_pattern(pattern)
    group = "id" if "id" in compiled.groupindex else min(compiled.groups, 1)
    for number, match in enumerate(find(pattern, text, seconds), 1):
        if match[group] is None:
            what = f"result {number}: group {group} of pattern matches nothing"
            raise SearchError(what, match[0])
        if match[group].strip():
            yield Hit(_read_id(number, match[group], "pattern"))


def _extract_from_json(settings: ResultSettings, reply: str) -> Iterator[Hit]:
    for number, item in enumerate(_find_items(settings, reply), 1):
        found_id = _search(settings.id, item)
        if found_id is None:
            what = f"result {number} has nothing at id = {settings.id!r}, but"
            raise SearchError(what, _name_fields(item))
        yield Hit(
            _read_id(number, found_id, str(settings.id)),
            _read_score(number, _search(settings.score, item)),
            _read_text(_search(settings.title, item)),
            _read_text(_search(settings.text, item)),
            _read_text(_search(settings.doc_url, item)),
        )


def _find_items(settings: ResultSettings, reply: str) -> list[Any]:
    value = _parse(settings, reply)
    path = settings.results
    items = _search(path, value)
    if isinstance(items, list):
        return items
    if items is not None:
        raise SearchError(f"{path} of the answer is not a list", items)
    hint = f'if that is how it says that nothing was found: results = "{path} || `[]`"'
    if not reply.strip():
        raise SearchError(f"an empty answer ({hint})")
    raise SearchError(f"nothing at {path} in the answer ({hint}), but", _name_fields(value))


def _parse(settings: ResultSettings, reply: str) -> Any:
    """One JSON value, or the list of those in the lines; None of an empty reply."""
    if not reply.strip():
        return [] if settings.lines else None
    try:
        if settings.lines:
            return [json.loads(line) for line in reply.split("\n") if line.strip()]
        return json.loads(reply)
    except (ValueError, RecursionError):
        what = "lines of JSON" if settings.lines else "one JSON value"
        raise SearchError(f"the answer is not {what}; logs belong on stderr", reply) from None


def _search(path: str | None, value: Any) -> Any:
    """What there is at a path; None where no path is set."""
    if path is None:
        return None
    try:
        return compile_path(path).search(value)
    except (JMESPathError, ValueError, TypeError, RecursionError) as error:
        raise SearchError(path, _first_line(error)) from None


def _name_fields(value: Any) -> Any:
    """What there is in place of what is not."""
    return ", ".join(value) if isinstance(value, dict) else value


def _read_id(number: int, value: Any, where: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or "\ufffd" in value:  # which bytes that are no text become
        raise SearchError(f"result {number}: its id ({where}) is not a text", value)
    try:
        return id_in(value)
    except UsageError:
        raise SearchError(
            f"result {number}: its id ({where}) is empty or has a character that no id can have",
            value,
        ) from None


def _read_score(number: int, value: Any) -> float | None:
    if value is None:
        return None
    try:
        score = float("nan") if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        score = float("nan")
    if not isfinite(score):
        raise SearchError(f"result {number}: its score is not a number", value)
    return score


def _read_text(value: Any) -> str:
    """A text as it is, anything else as JSON. A NUL, which campaigns refuse, has its picture."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return value.replace("\0", "\N{SYMBOL FOR NULL}")


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(":.")
