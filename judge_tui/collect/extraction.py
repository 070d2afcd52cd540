"""Results out of what a system answered: JSON by JMESPath, other text by a regular expression."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple

from judge_tui.collect.expressions import Expression, ExpressionError
from judge_tui.collect.matching import Found, Matching
from judge_tui.collect.reply import AskError, Hit, first, storable
from judge_tui.collect.section import Section
from judge_tui.formats.ids import trimmed
from judge_tui.formats.problems import quoted
from judge_tui.visible import undrawn

__all__ = ["FromJson", "FromText", "groups_of", "hits_in", "read_anew", "results_settings"]

_TEXTS = {"title": "title", "text": "text", "doc_url": "url"}
"""Setting -> what of a document it finds; `url` itself says where the system is."""

_OF_JSON = ("results", "id", "score", *_TEXTS, "missing_is_empty", "lines")
_BEGINS_JSON = re.compile(r'\{\s*"[^"\n]*"\s*:|\[\s*\{\s*"')
_BEGINS = re.compile(rf"(?P<line>^[ \t]*+(?=[\[{{]))|(?={_BEGINS_JSON.pattern})", re.MULTILINE)
"""Where a JSON list or object may begin: a line, or what is to be one, behind other words."""

_GOES_ON = re.compile(rf"[^\S\n]*+(?={_BEGINS_JSON.pattern})")
_ENDS_LINE = re.compile(r"[^\S\n]*+(?:\n|\Z)")
_NEXT_ON_LINE = re.compile(r"[^\S\n]*+,?[^\S\n]*+(?=[\[{])")
"""What stands before another value directly behind one that begins a line, as pages are printed."""

_DECODER = json.JSONDecoder()
_LEAST_LOOKED_AT = 4096
_LONGEST_WORD = 16
"""Characters of `-Infinity`, or of an escape in a string, and more."""

_BREAKS_OFF = re.compile(r"[^\n\]}]*+\s*+\Z")
"""A last line that nothing closes."""

_PARTS = re.compile(
    r"\\.|\(\?#[^)]*\)|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<opens>\((?:\?P<\w+>|\?)?)|\)", re.DOTALL
)
"""Of a regular expression: escapes, comments, classes of characters, and the ends of groups."""

_FIXED = re.compile(r"(?:[^\\.*+{}()\[\]^$]|\\[^\w\s])*")
"""A part of a regular expression that matches some words and no others."""


class _Value(NamedTuple):
    """A JSON value, where in the text it stands, and whether it begins a line."""

    start: int
    value: Any
    begins_line: bool


@dataclass(frozen=True, slots=True)
class FromJson:
    """Where the results stand in a JSON reply, and what of each is its id, score and texts.

    `missing_is_empty`: null where the results should be, or in place of all of the reply, and no
    reply at all mean that nothing was found; words alone do not, as they may tell of an error.
    `lines`: the text holds one JSON value a line, which together are the reply.
    """

    results: Expression
    doc_id: Expression
    score: Expression | None = None
    texts: tuple[tuple[str, Expression], ...] = ()
    missing_is_empty: bool = False
    lines: bool = False

    def hits(self, text: str) -> Iterator[Hit]:
        """Every result, judged when it is taken. What comes before the JSON, as the lines of a log,
        is passed over, also where these are JSON without results. Raises `AskError`."""
        return itertools.starmap(self._hit, enumerate(self._items(text), 1))

    def _items(self, text: str) -> list[Any]:
        """The list of the results in the one JSON value that has one."""
        plain = undrawn(text)
        values = list(_values(plain, every=self.lines))
        if self.lines:
            whole = [one.value for one in values]
            values = [_Value(0, whole, True)] if whole or not text.strip() else []
        alone = [one for one in values if one.begins_line]
        lists = self._lists(alone) or self._lists_behind_words(values)
        if len(lists) > 1:
            first, second = (plain.count("\n", 0, at) + 1 for at, _ in lists[:2])
            lines = f"lines {first:,} and {second:,}" if first < second else f"line {first:,}"
            raise AskError(
                f"{self.results.text} is in two JSON values, at {lines} of the answer: print one of"
                " them, or name in results what that one alone has"
            )
        if lists:
            return lists[0][1]
        said = plain.strip().rpartition("\n")[2].strip()
        if not alone and said not in ("", "null"):
            but = ", and words alone do not say that nothing was found"
            raise AskError(f"the answer is no JSON{but if self.missing_is_empty else ''}", text)
        if self.missing_is_empty:
            return []
        what = f"nothing at {self.results.text} in the answer"
        if not alone:
            what = "the answer is null" if said else "an empty answer"
        how = "if that is how it says that nothing was found: missing_is_empty = true"
        raise AskError(f"{what} ({how})", text if alone else "")

    def _lists(self, values: Iterable[_Value]) -> list[tuple[int, list[Any]]]:
        """The results of values that begin lines, and where these stand. Raises `AskError` for one
        that has something else in their place, unless it comes behind them, and may be anything, or
        is that itself, as `@` finds each line of a log, and they come behind it."""
        lists: list[tuple[int, list[Any]]] = []
        no_list: AskError | None = None
        for one in values:
            try:
                items = self._search(self.results, one.value)
            except AskError:
                if lists:
                    continue
                raise
            if isinstance(items, list):
                lists.append((one.start, items))
            elif items is not None and not lists:
                no_list = no_list or AskError(
                    f"{self.results.text} of the answer is no list", items
                )
                if items is not one.value:
                    raise no_list
        if no_list is not None and not lists:
            raise no_list
        return lists

    def _lists_behind_words(self, values: Iterable[_Value]) -> list[tuple[int, list[Any]]]:
        """The same of the others, where anything may stand."""
        lists: list[tuple[int, list[Any]]] = []
        for one in values:
            with contextlib.suppress(AskError):
                lists += [] if one.begins_line else self._lists([one])
        return lists

    def _hit(self, number: int, item: Any) -> Hit:
        texts = {name: _text(self._search(expression, item)) for name, expression in self.texts}
        return Hit(self._id(number, item), self._score(number, item), **texts)

    def _id(self, number: int, item: Any) -> str:
        found = self._search(self.doc_id, item)
        if isinstance(found, int) and not isinstance(found, bool):
            return str(found)
        if not isinstance(found, str) or not found.strip():
            if isinstance(found, str):
                raise AskError(f"result {number}: its id, {self.doc_id.text}, is empty")
            raise AskError(f"result {number}: its id, {self.doc_id.text}, is no text", found)
        return checked_id(number, trimmed(found))

    def _score(self, number: int, item: Any) -> float | None:
        if self.score is None:
            return None
        found = self._search(self.score, item)
        if found is None:
            return None
        try:
            value = float(found) if not isinstance(found, bool) else float("nan")
        except (TypeError, ValueError, OverflowError):
            value = float("nan")
        if not isfinite(value):
            raise AskError(f"result {number}: its score, {self.score.text}, is no number", found)
        return value

    def _search(self, expression: Expression, value: Any) -> Any:
        try:
            return expression.search(value)
        except ExpressionError as error:
            raise AskError(str(error)) from error


@dataclass(frozen=True, slots=True)
class FromText:
    """Ids by a regular expression, in the order in which they stand: of each match the first of the
    `groups` that takes part in it."""

    pattern: re.Pattern[str]

    @property
    def groups(self) -> tuple[int, ...]:
        """Those that are ids: the group `id`, else all that are not of fixed words, as
        `(docs|wiki)` is, else the whole match, 0."""
        if "id" in self.pattern.groupindex:
            return (self.pattern.groupindex["id"],)
        groups = groups_of(self.pattern.pattern)
        if len(groups) != self.pattern.groups:  # as comments of re.VERBOSE have it
            return tuple(range(1, self.pattern.groups + 1)) or (0,)
        each = enumerate(groups, 1)
        return tuple(n for n, group in each if not _FIXED.fullmatch(group)) or (0,)

    def hits(self, found: Iterable[Found]) -> Iterator[Hit]:
        """Every result, of what the groups matched, judged when it is taken; empty ones are none.
        Raises `AskError` for a match in which none of the groups takes part."""
        number = 0
        for text, takes_part in found:
            if not takes_part:
                raise AskError(
                    f"result {number + 1}: no group of pattern {quoted(self.pattern.pattern)} that"
                    " is an id takes part in the match; give each alternative one",
                    text,
                )
            if text.strip():
                number += 1
                yield Hit(checked_id(number, text.strip()))


def read_anew(found: FromJson | FromText) -> tuple[str, ...]:
    """In what it is read otherwise than by versions before, to the same settings: `Searcher`."""
    if isinstance(found, FromJson):
        return ("lines: all of each",) if found.lines else ()
    return ("pattern: without what draws",)


async def hits_in(text: str, found: FromJson | FromText, matching: Matching, k: int) -> list[Hit]:
    """The results of a reply up to its `k`-th document; nothing is wrong with it by what stands
    behind. Raises `AskError`."""
    if isinstance(found, FromJson):
        return first(found.hits(text), k)
    return first(found.hits(await matching.all(found.pattern, found.groups, text)), k)


def results_settings(section: Section) -> FromJson | FromText | None:
    """Where the results stand, by a pattern or in JSON; None where a setting was refused."""
    if "pattern" not in section:
        return _from_json_settings(section)
    section.in_place_of("pattern", _OF_JSON)
    pattern = section.pattern("pattern")
    return FromText(pattern) if pattern is not None else None


def _from_json_settings(section: Section) -> FromJson | None:
    """The settings that say where results stand; None where one of them was refused."""
    results = section.expression("results", required=True)
    doc_id = section.expression("id", required=True)
    score = section.expression("score")
    texts = [(name, section.expression(setting)) for setting, name in _TEXTS.items()]
    missing_is_empty = section.flag("missing_is_empty")
    lines = section.flag("lines")
    if results is None or doc_id is None:
        return None
    given = tuple((name, expression) for name, expression in texts if expression is not None)
    return FromJson(results, doc_id, score, given, missing_is_empty, lines)


def checked_id(number: int, doc_id: str) -> str:
    """`doc_id`, as a run file can hold it. Raises `AskError`."""
    if "\0" in doc_id or "\ufffd" in storable(doc_id):
        raise AskError(f"result {number}: its id is not valid text", doc_id)
    return doc_id


def groups_of(pattern: str) -> list[str]:
    """What stands in each capturing group of a regular expression, by number."""
    found: list[str] = []
    begun: list[tuple[int, int] | None] = []
    for part in _PARTS.finditer(pattern):
        opens = part["opens"]
        if opens is not None:
            captures = opens == "(" or opens.startswith("(?P<")
            begun.append((len(found), part.end()) if captures else None)
            found += [""] * captures
        elif part[0] == ")" and begun and (group := begun.pop()) is not None:
            number, start = group
            found[number] = pattern[start : part.start()]
    return found


def _values(text: str, *, every: bool) -> Iterator[_Value]:
    """Each JSON list or object that begins a line, or comes directly behind one that does, with no
    more than a comma between; and each object, or list of such, that stands behind other words of
    its line and at the end of that, as `loading … {"results": []}`, or behind the carriage returns
    of a bar.

    What fails on its first line, as `[info] ready` of a log, is passed over, and so is a list that
    a text follows, as `[0.25] ready`. What fails further down, or begins a line as JSON alone does,
    is a reply that broke off, whose parts must not be taken for the whole. `every`: none may be
    missing, so that one behind other words that broke off, or is amid them, is refused, too, and
    so are a list that a text follows, unless it is a number alone, and a last line that nothing
    closes.
    """
    at = 0
    next_on_line: re.Match[str] | None = None
    while begun := next_on_line or _BEGINS.search(text, at):
        start, begins_line = begun.end(), bool(next_on_line) or begun["line"] is not None
        next_on_line = None
        try:
            value, at = _decoded(text, start)
        except json.JSONDecodeError as error:
            broken = start + error.pos
            read = text[start:broken].rstrip()
            like_json = (begins_line or every) and _BEGINS_JSON.match(text, start, broken)
            if "\n" in read or like_json or (every and _BREAKS_OFF.match(text, start)):
                line = text.count("\n", 0, broken) + 1
                raise AskError(
                    f"the answer is broken JSON, at its line {line}: {error.msg}"
                ) from error
            at = start + max(len(read), 1) if begins_line else _end_of_line(text, start)
            continue
        except RecursionError as error:
            raise AskError("the answer is JSON nested too deep") from error
        except ValueError as error:  # a number of thousands of digits
            raise AskError(f"the answer cannot be read: {error}") from error
        ends_line = bool(_ENDS_LINE.match(text, at))
        if begins_line and (isinstance(value, dict) or ends_line or _holds_objects(value)):
            yield _Value(start, value, True)
            next_on_line = _NEXT_ON_LINE.match(text, at)
        elif not begins_line and (ends_line or _GOES_ON.match(text, at)):
            yield _Value(start, value, False)
        elif every and not (begins_line and _is_number(value)):
            line = text.count("\n", 0, start) + 1
            raise AskError(
                f"line {line:,} of the answer has JSON amid other words: print it alone",
                text[start:at],
            )
        elif not begins_line:
            at = _end_of_line(text, at)


def _decoded(text: str, start: int) -> tuple[Any, int]:
    """The JSON list or object at `start`, and where it ends. Raises `JSONDecodeError`, whose places
    are those from `start` on.

    Such an error counts the lines of all that it is given. A log has one for each of its lines, so
    no more is given than it takes to be sure of what is there.
    """
    size = _LEAST_LOOKED_AT
    while True:
        part = text[start : start + size]
        try:
            value, end = _DECODER.raw_decode(part)
        except json.JSONDecodeError as error:
            whole = start + size >= len(text)
            # Where it is cut, it may fail by that: amid a string, or a word at its end.
            cut = error.pos >= len(part) - _LONGEST_WORD or error.msg.startswith("Unterminated")
            if whole or not cut:
                raise
            size *= 8
        else:
            return value, start + end


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _holds_objects(value: Any) -> bool:
    return any(isinstance(one, dict) for one in value)


def _is_number(value: list[Any]) -> bool:
    """Whether there is one number at most in a list, as a log has its seconds or its process."""
    return len(value) < 2 and all(isinstance(one, int | float) for one in value)


def _text(value: Any) -> str:
    """A text as it is, what is none as JSON; characters that no file can hold are replaced."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return storable(text)
