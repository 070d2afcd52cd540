"""What is a grade in an answer, how likely it was, and why something is none."""

from __future__ import annotations

import pytest

from judge_tui.collect.chat_completion import Token
from judge_tui.model import DEFAULT_SCALE
from judge_tui.models.answers import Reading, find_probabilities, read_grade
from tests.models.endpoint import places

GRADES = [
    ("##final score: 2", 2),
    ("## Final Score : 0\n", 0),
    ("M: 2\nT: 1\n##final score: 3", 3),
    ("M: 2 T: 3 ##final score:1", 1),
    ("<think>\nmaybe ##final score: 3?\n</think>\n##final score: 1", 1),
    ('{"grade": 3}', 3),
    (' {\n "grade": 0 }\n', 0),
]
NONE = [
    ("", "empty"),
    (" \n", "empty"),
    ("<think>It is a 3.</think>", "empty"),
    ("The passage is quite relevant: 2.", "no final score"),
    ("2", "no final score"),
    ("final score: 2", "no final score"),
    ('```json\n{"grade": 2}\n```', "no final score"),
    ("##final score: 2\n##final score: 3", "2 final scores"),
    ("##final score: 2 ##final score: 2", "2 final scores"),
    ("##final score: two", "score in words: two"),
    ("##final score:", "score is no whole number: "),
    ("##final score: 2.5", "score is no whole number: 2.5"),
    ("##final score: 2 out of 3", "score is no whole number: 2 out of 3"),
    ("##final score: ２", "score is no whole number: ２"),
    ("##final score: 4", "off the scale: 4"),
    ("##final score: -1", "off the scale: -1"),
    ('{"grade": 4}', "off the scale: 4"),
    ('{"grade": "2"}', 'score is no whole number: "2"'),
    ('{"grade": "two"}', "score in words: two"),
    ('{"grade": true}', "score is no whole number: true"),
    ('{"grade": 2.0}', "score is no whole number: 2.0"),
    ('{"score": 2}', "JSON with other keys: score"),
    ('{"grade": 2, "why": "so"}', "JSON with other keys: grade, why"),
    ('{"grade": 2, "grade": 3}', "JSON with other keys: grade, grade"),
    ("{}", "JSON with other keys: "),
    ('{"grade": 2', "not JSON"),
    ('{"grade": 2} as I said', "not JSON"),
    ("{" * 100_000, "not JSON"),
]


@pytest.mark.parametrize(("text", "grade"), GRADES)
def test_a_grade(text, grade):
    assert read_grade(text, DEFAULT_SCALE)[:2] == (grade, "")


@pytest.mark.parametrize(("text", "reason"), NONE)
def test_none_with_the_reason(text, reason):
    assert read_grade(text, DEFAULT_SCALE) == Reading(None, reason)


LIKELY = {"2": 0.6, "1": 0.3, "3": 0.05, " 2": 0.01, "two": 0.02, "²": 0.01, "7": 0.01}
TWO = {1: 0.3, 2: 0.61, 3: 0.05}
FINAL = ("##final score:", {})
SCORE = (*(("##", {}), ("final", {}), (" score", {}), (":", {}), (" ", {})), ("2", LIKELY))


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (SCORE, TWO),
        ((('{"', {}), ("grade", {}), ('":', {}), ("2", LIKELY), ("}", {})), TWO),
        ((FINAL, (" 2", LIKELY), ("\n", {})), TWO),
        ((FINAL, ("2", {})), {2: 1.0}),
        # Another number stands behind the grade, or before it.
        ((*SCORE, ("\n", {}), ("Sources: [", {}), ("1", {"1": 0.9}), ("]", {})), TWO),
        ((("T: ", {}), ("1", {"1": 0.9}), ("\n", {}), *SCORE), TWO),
        ((("##final score: ", {}), ("3", {"3": 1.0}), ("</think>", {}), *SCORE), TWO),
        # The grade is not a token by itself.
        ((("##final score:2", LIKELY),), None),
        # There is no grade.
        ((FINAL, ("2", LIKELY), (".5", {})), None),
        ((FINAL, ("two", {"2": 0.4})), None),
        ((FINAL, ("7", LIKELY)), None),
        ((("2", LIKELY),), None),
        ((), None),
    ],
)
def test_probabilities_are_those_of_the_grade_that_was_read(tokens, expected):
    content = [Token.model_validate(one) for one in places(*tokens)]
    reading = read_grade("".join(one.token for one in content), DEFAULT_SCALE)
    found = find_probabilities(content, reading, DEFAULT_SCALE)
    assert found == (None if expected is None else pytest.approx(expected))


def test_tokens_may_be_more_than_the_answer_or_something_else():
    reading = read_grade("##final score: 2", DEFAULT_SCALE)

    def found(*tokens):
        content = [Token.model_validate(one) for one in places(*tokens)]
        return find_probabilities(content, reading, DEFAULT_SCALE)

    assert found(("Hm, 3.", {}), *SCORE, ("<|im_end|>", {})) == pytest.approx(TWO)
    assert found(("2", LIKELY)) is None
