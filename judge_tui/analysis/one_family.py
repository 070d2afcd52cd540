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
    """The runs beside the baseline as `compare_scores` has them, and how they meet demands, each p
    corrected over a family of its own test and all those of demands.

    A comparison has several tests, which are alternatives to each other: each is a family with the
    tests of demands. These are corrected with the first of them, which gives the verdicts. All by
    the p for the alternative of `settings`. `found` is not corrected yet, None where nothing is
    demanded; `scores` is None where nothing is measured, and there are no comparisons then. Raises
    what `compare_scores` does.
    """
    if scores is None:
        return None, None if found is None else found.corrected()
    comparisons = compare_scores(
        scores,
        measures,
        settings,
        slices=slices,
        measures_of=measures_of,
        others=() if found is None else found.p_values(),
    )
    if found is None:
        return comparisons, None
    of_first = (one.tests[settings.tests[0]] for one in comparisons)
    return comparisons, found.corrected([one.p_of(settings.alternative) for one in of_first])
