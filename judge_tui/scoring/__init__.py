"""qrels x runs -> per-query values, by trec_eval's rules. Pure, and light enough to import that
`judge-tui score` starts like a Unix tool: no numpy, no SciPy, no SQL, no terminal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge_tui.scoring.beside import judged_among, judged_beside, shares_of
from judge_tui.scoring.measure import Definition, Measure, Parameter, mean, total
from judge_tui.scoring.measures import DEFAULT_MEASURES, MEASURES
from judge_tui.scoring.names import Asked, parse_measure, parse_measures
from judge_tui.scoring.rules import Rules, refuse_bounds
from judge_tui.scoring.run import QueryValues, RunScores, gather, score_run, values_of
from judge_tui.scoring.scores import NO_COMPOSITE, Scores, score_runs
from judge_tui.scoring.seen import Knowledge, Known, Seen, know, look_up, see

if TYPE_CHECKING:
    from judge_tui.scoring.slices import Slice, Slices, shown_slice, slice_scores

__all__ = [
    "DEFAULT_MEASURES",
    "MEASURES",
    "NO_COMPOSITE",
    "Asked",
    "Definition",
    "Knowledge",
    "Known",
    "Measure",
    "Parameter",
    "QueryValues",
    "Rules",
    "RunScores",
    "Scores",
    "Seen",
    "Slice",
    "Slices",
    "gather",
    "judged_among",
    "judged_beside",
    "know",
    "look_up",
    "mean",
    "parse_measure",
    "parse_measures",
    "refuse_bounds",
    "score_run",
    "score_runs",
    "see",
    "shares_of",
    "shown_slice",
    "slice_scores",
    "total",
    "values_of",
]


def __getattr__(name: str) -> Any:
    if name in ("Slice", "Slices", "shown_slice", "slice_scores"):
        # Imported on use: most scores are of all queries alone.
        from judge_tui.scoring import slices  # noqa: PLC0415

        return getattr(slices, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
