"""One query of an answers file and its truths, whatever form the file has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from judge_tui.formats.answers.demands import compiled, demands_in
from judge_tui.formats.ids import id_in
from judge_tui.formats.numerals import whole_in
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.spreadsheets import is_error_of_a_sheet
from judge_tui.model import Query, lines_named
from judge_tui.scoring.class_terms import DEMANDS, Demand
from judge_tui.scoring.demands import Wanted
from judge_tui.scoring.truths import Truth, place_of

__all__ = ["KEYS", "USUAL_GRADE", "Answered", "entry_of"]

KEYS = (
    "query_id",
    "id",
    "query",
    "expected",
    "pattern",
    "patterns",
    "grade",
    "class",
    "subset",
    *DEMANDS,
)
"""What an entry may have."""

USUAL_GRADE = 1
"""Of what is right without a grade of its own."""

_GREATEST = 1000
# What word processors and spreadsheets make of a hyphen between numbers.
_DASHED = re.compile(
    "(.+(?::|#L)[0-9]+)\\s?[\u2010-\u2015\u2212]\\s?(L?[0-9]+(?::[0-9]+)?)", re.DOTALL
)
# What is meant for lines and names none, so that no result could be right by it: the path, the
# first line, the last one, which may be missing behind the sign, and the grade.
_NEARLY_LINES = re.compile(
    r"(.+?):(?:[Ll]([0-9]+)|([0-9]+))(?:\s?(-|\.\.|,)\s?(?:[Ll]?([0-9]+))?)?(?::([0-9]*))?",
    re.DOTALL,
)
_NUMBERS = re.compile(":[0-9]+(?:-[0-9]+)?(?::[0-9]+)?")
_NUMBERED = re.compile(f"(.+?){_NUMBERS.pattern}", re.DOTALL)
_TWO_RANGES = re.compile(r"(.+?)(:[0-9]+-[0-9]+)\s?[,;+]\s?:?([0-9]+-[0-9]+)", re.DOTALL)
_ONE_LINE = re.compile(":[0-9]+$")
_ZERO = re.compile(":0{1,9}$")
_NUMBER = re.compile(r"\s?[-+]?[0-9]*[.,]?[0-9]+")
_SPACED = re.compile(r"(?<=\S)\s*:\s*(?=[0-9Ll])")
_WITH_SUFFIX = re.compile(r".*[^\s/]\.[A-Za-z]\w{0,7}", re.DOTALL)
_ODD = re.compile("[\\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Answered:
    """A query and what is right for it. `query_id` is the file's own (`own_id`), else q001… by its
    place, as it stands there. `query` may be empty where the file has an id. `line` counts
    from 1. `truths` are none where a query has `demands` alone. `subset`: `hard` and the like,
    empty where it has none. `again`: what is there a second time, as it is written then."""

    query_id: str
    query: str
    truths: tuple[Truth, ...]
    query_class: str = ""
    line: int = 1
    own_id: bool = False
    subset: str = ""
    demands: Mapping[Demand, Wanted] = field(default_factory=dict)
    again: tuple[str, ...] = ()

    def as_query(self) -> Query:
        """The query without what is right for it; subset and demands as one of JSONL has them."""
        meta: dict[str, Any] = {demand: its.written for demand, its in self.demands.items()}
        if self.subset:
            meta["subset"] = self.subset
        return Query(
            self.query_id,
            self.query,
            query_class=self.query_class,
            meta=meta,
            own_id=self.own_id,
        )


def entry_of(
    record: Mapping[str, Any],
    number: int,
    line: int,
    report: Reporter,
    usual_grade: int = USUAL_GRADE,
) -> Answered | None:
    """What an object or table says; None where it cannot be used, which is reported.

    `number`: its place among the entries, from 1; `usual_grade`: of one without `grade`.
    Truths written twice are one.
    """
    bad = [name for name in record if name not in KEYS]
    if bad:
        report(line, f"an answer has no {quoted(bad[0])}", f"known: {', '.join(KEYS)}")
        return None
    if not all(map(_is_plain, record.values())):
        report(line, "half a surrogate pair, or a NUL, in a text", "write the character whole")
        return None
    ids = [record[name] for name in ("query_id", "id") if record.get(name) is not None]
    if len(ids) > 1:
        report(line, "query_id and id both say the query_id", "leave one of the two out")
        return None
    own_id = bool(ids)
    query_id: Any = ids[0] if ids else f"q{number:03}"
    query = record.get("query", "" if own_id else None)
    if isinstance(query_id, int) and not isinstance(query_id, bool):
        query_id = f"{query_id:d}"
    for name, value in (("query", query), ("query_id", query_id)):
        if not isinstance(value, str) or not (value.strip() or (own_id and name == "query")):
            empty = name == "query_id" and value == ""
            mend = "; or leave it out of the whole file" if empty else ""
            report(line, f"an answer without {name}", f'write "{name}" as a text{mend}')
            return None
    if is_error_of_a_sheet(query, "query", line, report):
        return None
    given = str(record.get("grade", usual_grade))
    grade = whole_in(given)
    if grade is None or not 0 <= grade <= _GREATEST:
        report(
            line,
            f"grade {quoted(given)} is none",
            f"write a whole number from 0 to {_GREATEST}",
        )
        return None
    again: list[str] = []
    truths = _truths(record, grade, line, report, again)
    demands = demands_in(record, line, report)
    query_class, subset = record.get("class", ""), record.get("subset", "")
    if truths is None or demands is None:
        return None
    for name, text in (("class", query_class), ("subset", subset)):
        if not isinstance(text, str):
            report(line, f"{name} is not a text", "write it in quotes")
            return None
    return Answered(
        query_id.strip(),
        query.strip(),
        truths,
        query_class.strip(),
        line,
        own_id,
        subset.strip(),
        demands,
        tuple(again),
    )


def _truth_in(cell: str, grade: int, line: int, report: Reporter) -> Truth | None:
    """A truth by its place: `path`, `path:line`, `path:start-end`, each of the last two with
    `:grade` behind it or not; lines may also be written as `#L10-L20`. A path without lines has the
    grade that is given here, as `path:12` is line 12."""
    written, graded = _taken_apart(cell.strip())
    if graded is not None:
        if not re.fullmatch("[0-9]{1,4}", graded) or int(graded) > _GREATEST:
            what = f"grade {quoted(graded)} of {quoted(written)} is none"
            report(line, what, f"write a whole number from 0 to {_GREATEST}")
            return None
        grade = int(graded)
    if not written:
        report(line, "an expected result is empty", "write path, path:start-end or leave it out")
        return None
    if is_error_of_a_sheet(written, "result", line, report):
        return None
    place, lines = place_of(written), _lines(written)[1]
    if place.lines is None and lines is not None:
        report(line, f"{quoted(written)} ends before it begins", "write path:start-end")
        return None
    if (dashed := _DASHED.fullmatch(written)) is not None:
        what = f"{quoted(written)} has a dash between its lines that is no hyphen"
        report(line, what, f"write {quoted(f'{dashed[1]}-{dashed[2]}')}")
        return None
    if (mend := _meant(written)) is not None:
        what = f"{quoted(written)} names no lines"
        report(line, what, f"{mend}; an id that is written so takes a pattern")
        return None
    if lines is not None and lines[0] < 1:
        report(line, f"{quoted(written)}: lines count from 1", "write path:start-end")
        return None
    coded = id_in(written)
    return Truth(coded, grade, place=place_of(coded))


def _meant(written: str) -> str | None:
    """How lines are to be written that are meant, as it seems; None where none seem to be."""
    if (two := _TWO_RANGES.fullmatch(written)) is not None:
        first, second = f"{two[1]}{two[2]}", f"{two[1]}:{two[3]}"
        return f"give {quoted(first)} and {quoted(second)} a cell each"
    tight = _SPACED.sub(":", written)
    path, lines = _lines(_taken_apart(tight)[0])
    if tight != written and lines is not None and _WITH_SUFFIX.fullmatch(path):
        return f"write {quoted(tight)}"
    # `a.py:0:2` is no line 2 of a file `a.py:0`.
    rest = path if lines is not None else written
    numbered = _NUMBERED.fullmatch(rest)
    if numbered and _lines(rest)[1] is None and _WITH_SUFFIX.fullmatch(numbered[1]):
        return "lines count from 1, and have 9 digits at most: write path:start-end"
    nearly = _NEARLY_LINES.fullmatch(written)
    # Numbers alone are lines, or count something else, as `:0` does.
    if nearly is None or _NUMBERS.fullmatch(written, nearly.end(1)):
        return None
    path, start, end = nearly[1], nearly[2] or nearly[3], nearly[5]
    graded = f":{nearly[6]}" if nearly[6] else ""
    meant = f"write {quoted(f'{path}:{start}' + (f'-{end}' if end else '') + graded)}"
    if nearly[4] == "-" and not end:
        meant += f", or with the last line {quoted(f'{path}:{start}-LAST{graded}')}"
    return meant


def _taken_apart(cell: str) -> tuple[str, str | None]:
    """A place, and the grade behind its lines. `a:12:x` has none, as an id may be like that."""
    written, sign, graded = cell.rpartition(":")
    if not sign or "/" in graded or "\\" in graded or _lines(written)[1] is None:
        return cell, None
    one_line = _ONE_LINE.search(written) is not None
    return (cell, None) if one_line and not _NUMBER.fullmatch(graded) else (written, graded)


def _lines(written: str) -> tuple[str, tuple[int, int] | None]:
    """As `lines_named`, but lines that answers name count from 1: `e:0` is an id that counts
    something else."""
    return (written, None) if _ZERO.search(written) else lines_named(written)


def _truths(
    record: Mapping[str, Any], grade: int, line: int, report: Reporter, again: list[str]
) -> tuple[Truth, ...] | None:
    expected = _texts(record, "expected", line, report)
    patterns = _texts(record, "patterns", line, report)
    pattern = _texts(record, "pattern", line, report)
    if expected is None or patterns is None or pattern is None:
        return None
    truths: dict[object, Truth] = {}
    whole = True
    for cell in expected:
        if (truth := _truth_in(cell, grade, line, report)) is None:
            whole = False
        else:
            _keep(truths, truth, again)
    for written in (*pattern, *patterns):
        try:
            _keep(truths, Truth(written, grade, pattern=compiled(written)), again)
        except (re.error, RecursionError, OverflowError) as error:
            what = f"pattern {quoted(written)} is no regular expression: {error}"
            report(line, what, "mend it; a path as it stands goes to expected")
            whole = False
    if not truths and whole and record.keys().isdisjoint(DEMANDS):
        report(
            line,
            "nothing is right for this query",
            f"write expected, pattern or patterns; or {' or '.join(DEMANDS)};"
            f" or {_left_out(record)}",
        )
        return None
    return tuple(truths.values()) if whole else None


def _left_out(record: Mapping[str, Any]) -> str:
    if "query_id" in record or "id" in record:
        return "leave it out"
    return (
        "leave it out once all queries have a query_id: without, those behind it change their ids"
    )


def _keep(truths: dict[object, Truth], truth: Truth, again: list[str]) -> None:
    """Add one. Where it is written twice, be it as `a.py#L1-L9` and `./a.py:1-9`, it is one truth
    and the best grade counts; it is added to `again`."""
    what = truth.place or truth.key
    before = truths.get(what)
    if before is not None:
        again.append(truth.written)
    if before is None or before.grade < truth.grade:
        truths[what] = truth


def _is_plain(value: object) -> bool:
    """Whether all texts in it can be written to any file."""
    if isinstance(value, list):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(map(_is_plain, (*value, *value.values())))
    return not isinstance(value, str) or not _ODD.search(value)


def _texts(
    record: Mapping[str, Any], name: str, line: int, report: Reporter
) -> tuple[str, ...] | None:
    """One text or a list of them; () where the record has none, None where it is something else."""
    value = record.get(name, [])
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        report(line, f"{name} is neither a text nor a list of texts", f'write "{name}": ["…"]')
        return None
    return tuple(values)
