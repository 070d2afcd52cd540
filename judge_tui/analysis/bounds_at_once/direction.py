"""Bounds of measures that every grade moves one way, of many lists at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from judge_tui.analysis.bounds_at_once.graded import graded, graded_alike
from judge_tui.scoring import Measure
from judge_tui.scoring.at_once import Lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Both: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]

__all__ = ["one_way", "one_way_each_side"]


def one_way(lists: Lists, measure: Measure, grades: Sequence[int]) -> Both:
    """`bounds.one_way`, of measures to which nothing beyond the cutoff matters."""
    lists = Lists(lists.within(measure.depth), lists.query, lists.known)
    return graded_alike(lists, measure, grades[0]), graded_alike(lists, measure, grades[-1])


def one_way_each_side(lists: Lists, measure: Measure, grades: Sequence[int]) -> Both:
    """`bounds.one_way_each_side`."""
    within = np.arange(lists.grades.shape[1]) < measure.depth
    shape = lists.grades.shape
    low = np.broadcast_to(np.where(within, grades[0], grades[-1]), shape)
    high = np.broadcast_to(np.where(within, grades[-1], grades[0]), shape)
    return graded(lists, measure, low), graded(lists, measure, high)
