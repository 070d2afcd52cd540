"""The judges of what was graded: other names, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge_tui.agreement import study
from tests.agreement.grades_drawn import data

CALLED = {"a": "Quirin", "b": "Wanda", "z": "Yolanda"}
CHECKED = ((3, 1, 0, 0), (0, 2, 0, 0), (0, 1, 2, 0), (1, 0, 0, 2))


def test_everything_that_is_known_by_name_is_known_by_the_other_name():
    grades = replace(
        data("0123", "0122"),
        repeats={"a": CHECKED},
        gold={"b": CHECKED},
        repeats_planned={"a": 2, "z": 1},
        gold_planned={"b": 1},
        from_file=frozenset("b"),
    )
    told = grades.called(CALLED)
    assert told.judges == ("Quirin", "Wanda")
    assert (told.repeats, told.gold) == ({"Quirin": CHECKED}, {"Wanda": CHECKED})
    assert told.repeats_planned == {"Quirin": 2, "Yolanda": 1}
    assert told.gold_planned == {"Wanda": 1}
    assert told.from_file == {"Wanda"}
    assert told.places is grades.places
    # What is worked out by name is found by the other name, too.
    before, found = study(grades, resamples=20), study(told, resamples=20)
    assert found.own == {CALLED[name]: one for name, one in before.own.items()}
    assert found.gold == {CALLED[name]: one for name, one in before.gold.items()}
    there = {name: called for called, name in CALLED.items()}
    assert repr(told.called(there)) == repr(grades)


def test_a_judge_without_another_name_is_an_error():
    with pytest.raises(KeyError):
        data("0123", "0122").called({"a": "Quirin"})
