"""What is a grade in an answer, and why something is none."""

from __future__ import annotations

import pytest

from judge_tui.model import DEFAULT_SCALE
from judge_tui.models.answers import read_grade

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
    assert read_grade(text, DEFAULT_SCALE) == (grade, "")


@pytest.mark.parametrize(("text", "reason"), NONE)
def test_none_with_the_reason(text, reason):
    assert read_grade(text, DEFAULT_SCALE) == (None, reason)
