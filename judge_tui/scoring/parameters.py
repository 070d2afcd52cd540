"""The parameters that several measures share."""

from __future__ import annotations

from judge_tui.scoring.measure import Parameter
from judge_tui.scoring.numbers import GRADED, Gains, number

__all__ = ["GAINS", "PERSISTENCE", "REL"]


def _least_grade(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) >= 1):
        raise ValueError(text)
    return int(text)


def _probability(text: str) -> float:
    value = number(text)
    if not 0 < value < 1:
        raise ValueError(text)
    return value


REL = Parameter("rel", 1, _least_grade, "a whole number from 1")
"""The least grade that counts as relevant (trec_eval -l)."""

GAINS = Parameter("gains", GRADED, Gains.read, "grade:gain pairs, such as {1:3.5,2:9}")
"""What each grade gains: its own number, unless said otherwise."""

PERSISTENCE = Parameter("p", 0.8, _probability, "a number between 0 and 1")
"""How likely a reader goes on to the next result."""
