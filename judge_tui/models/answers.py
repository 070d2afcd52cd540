"""What a model answered -> its grade, or none with the reason. Strict: a grade that has to be
guessed is none."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from judge_tui.model import Scale

PARSER = 1
"""The version of the rules below; with another one a model is another judge."""

_THOUGHT = "</think>"
_FINAL = re.compile(r"##\s*final score\s*:([^\n#]*)", re.IGNORECASE)
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_WORDS = frozenset(("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"))
_KEY = "grade"
_SHOWN = 40


class Reading(NamedTuple):
    """A grade of the scale; None with the reason why there is none."""

    grade: int | None
    reason: str = ""


def read_grade(text: str, scale: Scale) -> Reading:
    """The grade of an answer: of its one `##final score: N`, or of JSON that is `{"grade": N}` and
    nothing else. What a model thinks before `</think>` is not read."""
    said = text.rpartition(_THOUGHT)[2].strip()
    if not said:
        return Reading(None, "empty")
    if said.startswith("{"):
        return _of_json(said, scale)
    scores = [one.strip() for one in _FINAL.findall(said)]
    if len(scores) != 1:
        return Reading(None, f"{len(scores)} final scores" if scores else "no final score")
    score = scores[0]
    if score.casefold() in _WORDS:
        return Reading(None, f"score in words: {score}")
    if not _NUMBER.fullmatch(score):
        return Reading(None, f"score is no whole number: {score[:_SHOWN]}")
    return _on_scale(int(score), scale)


def _of_json(said: str, scale: Scale) -> Reading:
    try:
        pairs = json.loads(said, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return Reading(None, "not JSON")
    if not isinstance(pairs, _Pairs) or [key for key, _ in pairs] != [_KEY]:
        keys = ", ".join(key for key, _ in pairs)
        return Reading(None, f"JSON with other keys: {keys[:_SHOWN]}")
    [(_, grade)] = pairs
    if isinstance(grade, str) and grade.strip().casefold() in _WORDS:
        return Reading(None, f"score in words: {grade.strip()}")
    if type(grade) is not int:
        return Reading(None, f"score is no whole number: {json.dumps(grade)[:_SHOWN]}")
    return _on_scale(grade, scale)


class _Pairs(list[tuple[str, Any]]):
    """What an object holds, keys that it has twice too."""


def _on_scale(grade: int, scale: Scale) -> Reading:
    return Reading(grade) if grade in scale else Reading(None, f"off the scale: {grade}")
