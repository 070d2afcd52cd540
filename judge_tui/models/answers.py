"""What a model is to answer, and what it answered -> its grade, or none with the reason. Strict: a
grade that has to be guessed is none."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from pydantic import JsonValue

from judge_tui.collect.chat_completion import Token
from judge_tui.model import Scale

PARSER = 1
"""The version of `read_grade`; with another one a model is another judge."""

_KEY = "grade"

IN_A_LINE = """\
Answer with one line of this form, where N is the number as a digit. Give no reasons and no code.
##final score: N"""

IN_JSON = f"""\
Answer with JSON of this form and nothing else, where N is the number.
{{"{_KEY}": N}}"""

_THOUGHT = "</think>"
_FINAL = re.compile(r"##\s*final score\s*:([^\n#]*)", re.IGNORECASE)
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_WORDS = frozenset(("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"))
_SHOWN = 40


class Reading(NamedTuple):
    """A grade of the scale, and the `words` of the answer that end with it; None with the reason
    why there is none."""

    grade: int | None
    reason: str = ""
    words: str = ""


def answer_schema(scale: Scale) -> JsonValue:
    """The JSON schema of an answer: `{"grade": N}` with a grade of the scale."""
    return {
        "type": "object",
        "properties": {_KEY: {"type": "integer", "enum": [*scale.grades]}},
        "required": [_KEY],
        "additionalProperties": False,
    }


def after_thinking(text: str) -> str:
    """The answer without what a model thinks before `</think>`."""
    return text.rpartition(_THOUGHT)[2].strip()


def read_grade(text: str, scale: Scale) -> Reading:
    """The grade of an answer: of its one `##final score: N`, or of JSON that is `{"grade": N}` and
    nothing else. What a model thinks is not read."""
    said = after_thinking(text)
    if not said:
        return Reading(None, "empty")
    if said.startswith("{"):
        return _of_json(said, scale)
    found = [*_FINAL.finditer(said)]
    if len(found) != 1:
        return Reading(None, f"{len(found)} final scores" if found else "no final score")
    score = found[0][1].strip()
    if score.casefold() in _WORDS:
        return Reading(None, f"score in words: {score}")
    if not _NUMBER.fullmatch(score):
        return Reading(None, f"score is no whole number: {score[:_SHOWN]}")
    return _on_scale(int(score), scale, found[0][0].rstrip())


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
    return _on_scale(grade, scale, said.removesuffix("}").rstrip())


class _Pairs(list[tuple[str, Any]]):
    """What an object holds, keys that it has twice too."""


def _on_scale(grade: int, scale: Scale, words: str) -> Reading:
    if grade not in scale:
        return Reading(None, f"off the scale: {grade}")
    return Reading(grade, words=words)


def find_probabilities(
    tokens: Sequence[Token], reading: Reading, scale: Scale
) -> dict[int, float] | None:
    """The probability of each grade that the server names in the place of the one that was read;
    what they lack to 1 belongs to other tokens. None where that is not one token by itself.

    The place is looked for among the tokens, as these may have more than the answer: what the model
    thought, the mark of its end.
    """
    text = "".join(one.token for one in tokens)
    begin = text.rfind(reading.words)
    if reading.grade is None or begin < 0:
        return None
    ends = [*accumulate(len(one.token) for one in tokens)]
    chosen = tokens[bisect_left(ends, begin + len(reading.words))]
    if chosen.token.strip() != str(reading.grade):
        return None
    grades = {str(grade): grade for grade in scale.grades}
    found: dict[int, float] = {}
    # A grade may stand there more than once: by itself, and with a blank before it.
    place = {one.token: one.logprob for one in (*chosen.top_logprobs, chosen)}
    for token, logprob in place.items():
        grade = grades.get(token.strip())
        if grade is not None:
            found[grade] = found.get(grade, 0.0) + math.exp(logprob)
    return dict(sorted(found.items()))
