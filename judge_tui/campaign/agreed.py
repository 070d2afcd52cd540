"""How the judges agree at this moment, in one number: what stands beside how far they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from judge_tui.agreement.alpha import krippendorff_alpha
from judge_tui.agreement.decide import Judgments, grade_counts
from judge_tui.agreement.estimates import Estimate
from judge_tui.agreement.ratings import off_scale, patterns_of_counts
from judge_tui.campaign.file import Campaign, Settings
from judge_tui.campaign.runs_now import grades_given

__all__ = ["Agreed", "agreed", "compared_grades"]


@dataclass(frozen=True, slots=True)
class Agreed:
    """`alpha`: Krippendorff's, ordinal; None where fewer than two judges have graded. `shared`: how
    many pairs have two grades or more."""

    alpha: Estimate | None
    shared: int


def compared_grades(campaign: Campaign) -> Judgments:
    """The grades that count, judge by judge, as of one moment. Raises `UsageError` for a grade off
    the scale."""
    with campaign.reading():
        given = grades_given(campaign)
    scale = campaign.settings.scale.grades
    for name, (_, grades) in given.items():
        if len(off := np.setdiff1d(grades, scale)):
            raise off_scale(off[0], name, scale)
    return given


def agreed(given: Judgments, settings: Settings) -> Agreed:
    """The agreement on these grades: the same as `judge-tui agreement` finds."""
    if len(given) < 2:
        return Agreed(None, 0)
    scale = settings.scale.grades
    _, counts = grade_counts(given, scale)
    [alpha] = krippendorff_alpha(
        patterns_of_counts(counts), scale, metrics=["ordinal"], seed=settings.seed
    )
    return Agreed(alpha["ordinal"], int((counts.sum(axis=1) > 1).sum()))
