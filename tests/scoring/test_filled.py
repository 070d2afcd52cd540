"""Filled measures: expectations over all gradings, and the measures themselves where all is
judged."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod

import numpy as np
import pytest

from judge_tui.errors import UsageError
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    NOTHING,
    JudgedLists,
    JudgedQueries,
    Measure,
    parse_measure,
)
from judge_tui.scoring.filled import (
    FILLED,
    LINEAR,
    FilledLists,
    filled_values,
    gain_by,
    refuse_unfilled,
    why_unfilled,
)
from judge_tui.scoring.judged_lists import of_each
from tests.scoring.lists import every_measure, value_of

EXACT = [
    *("P@3", "P(rel=2)@9", "RBP", "RBP(p=0.5,rel=2)@3", "RR", "RR@2", "RR(rel=2)", "Success@2"),
    *("Success(rel=2)@4", "ERR", "ERR@3", "ERR(max_rel=2)"),
]
QUOTIENTS = ["R@2", "R(rel=2)@9", "AP", "AP@3", "AP(rel=2)"]
GAINED = ["nDCG", "nDCG@2", "nDCG(dcg='exp-log2')@3", "nDCG(gains={0:-1,1:0.5,2:7})"]


def gains(measure: Measure, grades: np.ndarray) -> np.ndarray:
    found = np.zeros(grades.shape)
    found[grades >= 0] = of_each(gain_by(measure), grades[grades >= 0])
    return found


@pytest.mark.parametrize("name", [*EXACT, *QUOTIENTS, *GAINED])
def test_where_all_is_judged_a_filled_value_is_the_measure(name):
    measure = parse_measure(name)
    draw = np.random.default_rng(7)
    table = draw.integers(0, 3, (2, 40, 12))
    table[:, 1] = 0
    for run, query in np.ndindex(2, 40):
        table[run, query, draw.integers(0, 13) :] = NOTHING
    # Each list holds other documents, and some were found by nobody.
    lost = draw.integers(0, 3, 60)
    there = table >= 0
    query = np.concatenate([np.nonzero(there)[1], draw.integers(0, 30, 60)])
    known = JudgedQueries.of_grades(query, np.concatenate([table[there], lost]), 40)
    lists = JudgedLists.of_table(table.reshape(80, 12), np.tile(np.arange(40), 2), known)
    filled = FilledLists(
        gains(measure, table), query, gains(measure, np.concatenate([table[there], lost]))
    )
    wanted = measure.value(lists).reshape(2, 40)
    assert filled_values(measure, filled) == pytest.approx(wanted, rel=0, abs=1e-12)
    assert wanted.any()


CHANCES = np.array([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0, 1, 0], [0.9, 0, 0.1], [0.2, 0.8, 0]])
"""Of each of five documents, to have grade 0, 1 or 2; the last is in no list."""


def expectation(of: Callable[[tuple[int, ...]], float]) -> float:
    """Over all gradings."""
    places = range(len(CHANCES))
    gradings = product(range(3), repeat=len(CHANCES))
    return sum(prod(CHANCES[at, one[at]] for at in places) * of(one) for one in gradings)


def filled(measure: Measure) -> float:
    gain = np.array([gain_by(measure)(grade) for grade in range(3)])
    expected = CHANCES @ gain
    lists = FilledLists(expected[None, None, :4], np.zeros(5, dtype=np.int64), expected)
    return float(filled_values(measure, lists)[0, 0])


def value(measure: Measure, grading: tuple[int, ...]) -> float:
    grades = {f"d{at}": grade for at, grade in enumerate(grading)}
    return value_of(measure, grades, {f"d{at}": -float(at) for at in range(4)})


@pytest.mark.parametrize("name", EXACT)
def test_a_filled_value_is_the_expectation_over_all_gradings(name):
    measure = parse_measure(name)
    wanted = expectation(lambda grading: value(measure, grading))
    assert filled(measure) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("name", QUOTIENTS)
def test_a_filled_quotient_is_that_of_two_expectations(name):
    measure = parse_measure(name)

    def relevant(grading):
        return sum(grade >= measure.rel for grade in grading)

    wanted = expectation(lambda grading: value(measure, grading) * relevant(grading))
    assert filled(measure) == pytest.approx(wanted / expectation(relevant), rel=1e-12)


@pytest.mark.parametrize("name", GAINED)
def test_filled_ndcg_is_the_expected_dcg_over_that_of_the_expected_gains_in_order(name):
    measure = parse_measure(name)
    gain, depth = gain_by(measure), min(measure.depth, 4)

    def dcg(gained):
        return sum(one / np.log2(rank + 1) for rank, one in enumerate(gained, 1))

    wanted = expectation(lambda grading: dcg(map(gain, grading[:depth])))
    each = CHANCES @ [gain(grade) for grade in range(3)]
    ideal = dcg(one for one in sorted(each, reverse=True)[: measure.depth] if one > 0)
    assert filled(measure) == pytest.approx(wanted / ideal, rel=1e-12)


def test_measures_that_need_all_grades_are_refused():
    refused = {one.definition.name for one in every_measure(5) if why_unfilled(one)}
    assert refused.isdisjoint({*LINEAR, *FILLED, "Judged", "NumRet"})
    assert {"Bpref", "Rprec", "GMAP", "SetP", "NumRelRet"} <= refused
    for name in ("Rprec", "P(judged_only=True)@5"):
        with pytest.raises(UsageError):
            refuse_unfilled([parse_measure(name)])
    # None of what is measured unless somebody says otherwise.
    refuse_unfilled(map(parse_measure, DEFAULT_MEASURES))


def test_err_refuses_a_grade_that_it_does_not_know():
    with pytest.raises(UsageError):
        gain_by(parse_measure("ERR(max_rel=1)"))(2)
