"""Measures and demands compared together: whatever is printed together is corrected together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge_tui.analysis.demands import Demanded
from judge_tui.scoring import Measure, Scores
from judge_tui.significance import Comparisons, Settings, compare_scores

__all__ = ["compared_as_one"]


def compared_as_one(
    scores: Scores | None,
    measures: Sequence[Measure],
    found: Demanded | None,
    settings: Settings,
    *,
    slices: Mapping[str, str] | None = None,
    measures_of: Mapping[str, Sequence[Measure]] | None = None,
) -> tuple[Comparisons | None, Demanded | None]:
    """The runs beside the baseline as `compare_scores` has them, and how they meet demands, every
    p corrected over the tests of both: of the comparisons that of the first test, by its p for the
    alternative. `found` is not corrected yet, None where nothing is demanded; `scores` is None
    where nothing is measured, and there are no comparisons then. Raises what `compare_scores` does.
    """
    comparisons = None
    if scores is not None:
        comparisons = compare_scores(
            scores,
            measures,
            settings,
            slices=slices,
            measures_of=measures_of,
            others=found.p_values() if found else (),
        )
    if found is None:
        return comparisons, None
    of_first = (one.tests[settings.tests[0]] for one in comparisons or ())
    return comparisons, found.corrected([one.p_of(settings.alternative) for one in of_first])
