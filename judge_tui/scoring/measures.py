"""All measures by name, and the counts that they are made of.

A measure gets lists that are cut at its cutoff already, and gives a value for each. It is made of
counts and of sums taken in the order of ranks, so that its last digit is trec_eval's.

To add one, write a function under `@measure_named` in `ranked_measures` or `set_measures`, with its
paper and where the tools differ. Where judging more can be bounded, `BOUNDS` (`bounds`) names
how; where trec_eval has it, `TREC_NAMES` (`names`) has its name.

Ties are broken before any of this: `scan.fast` and `scan.exact` rank by score descending, then
doc_id descending, as `model.rank` does.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log2
from typing import Any, TypeVar

import numpy as np

from judge_tui.arrays import Bools, Floats, Ints
from judge_tui.errors import UsageError
from judge_tui.scoring.judged_lists import JudgedLists, of_each
from judge_tui.scoring.measure import REL, Definition, Measure

DEFAULT_MEASURES = ("nDCG@10", "RR@10", "P@5", "R@100", "AP", "Judged@10")

MEASURES: dict[str, Definition] = {}
"""Every measure by name, in the order in which help and tables list them."""

TREC_EVAL = "the code of trec_eval"
"""The source of a measure that no paper defines."""

ValueOf = TypeVar("ValueOf", bound=Callable[[JudgedLists, Measure], Floats])


def measure_named(name: str, source: str, **fields: Any) -> Callable[[ValueOf], ValueOf]:
    """Enter a function in the registry; the first line of its docstring is the summary.

    `fields`: those of `Definition`. Without them a measure has no cutoff and one parameter, `rel`.
    """

    def enter(value: ValueOf) -> ValueOf:
        usual = {"summary": (value.__doc__ or name).splitlines()[0], "parameters": (REL,)}
        MEASURES[name] = Definition(name, source=source, value=value, **{**usual, **fields})
        return value

    return enter


def is_relevant(lists: JudgedLists, measure: Measure) -> Bools:
    """Return bool[hits]: which have a grade that counts as relevant."""
    return lists.grade >= measure.rel


def count_found(lists: JudgedLists, measure: Measure) -> Ints:
    """Return int64[lists]: the relevant documents that were retrieved."""
    return lists.count(is_relevant(lists, measure))


def count_found_within(lists: JudgedLists, measure: Measure, depth: Ints) -> Ints:
    """Return int64[lists]: those among the first `depth` (int64[lists]) results."""
    return lists.count(is_relevant(lists, measure) & (lists.rank <= depth[lists.list]))


def count_known(lists: JudgedLists, measure: Measure) -> Ints:
    """Return int64[lists]: R, the relevant documents of the query, retrieved or not."""
    return lists.relevant_known(measure.rel)


def summed_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """Return float64[lists]: the precision at each relevant document found, summed up."""
    relevant = is_relevant(lists, measure)
    return lists.sum(lists.numbered(relevant) / lists.rank[relevant], relevant)


def quotient(part: Ints | Floats, whole: Ints | Floats) -> Floats:
    """Return the quotient, and 0 where there is no part."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=part != 0)


def log2_of(values: Ints) -> Floats:
    """Return the logarithms, as the C library has them."""
    return of_each(log2, values)


def refuse_grades(_: JudgedLists, measure: Measure) -> Floats:
    """Refuse to measure by grades what `scoring.order` measures by whole lists."""
    raise UsageError(
        f"{measure} is about the order of results, of which grades say nothing",
        "use judge-tui score or compare, with answers that say what comes first",
    )
