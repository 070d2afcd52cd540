"""All measures by name: those of grades, and the two of order (`scoring.order`)."""

from __future__ import annotations

from collections.abc import Mapping

from judge_tui.arrays import Floats
from judge_tui.errors import UsageError
from judge_tui.scoring import ranked_measures, set_measures  # noqa: F401 - to enter them
from judge_tui.scoring.definitions import DEFINITIONS, measure_named
from judge_tui.scoring.judged_lists import JudgedLists
from judge_tui.scoring.measure import Definition, Measure

DEFAULT_MEASURES = ("nDCG@10", "RR@10", "P@5", "R@100", "AP", "Judged@10")


@measure_named(
    "Prefer",
    summary="1 where a document of the better kind precedes any worse one, else 0; by answers",
    demand="prefer",
    parameters=(),
    source="judge_tui",
)
def _of_order(_: JudgedLists, measure: Measure) -> Floats:
    raise UsageError(
        f"{measure} is about the order of results, of which grades say nothing",
        "judge-tui score and compare measure it, by answers that say what is to come first",
    )


measure_named(
    "Authority",
    summary="1 where result 1 is of the highest source in the list, else 0; by answers",
    demand="authority",
    parameters=(),
    source="judge_tui",
)(_of_order)

MEASURES: Mapping[str, Definition] = DEFINITIONS
"""By name, in the order in which help and tables list them."""
