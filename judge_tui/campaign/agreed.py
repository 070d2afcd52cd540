"""How the judges agree at this moment, in one number: what stands beside how far they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from judge_tui.agreement import Estimate, krippendorff_alpha
from judge_tui.agreement.at_once import Given, grade_counts
from judge_tui.campaign.file import Campaign, Settings
from judge_tui.campaign.judges import all_judges
from judge_tui.campaign.standing_now import grades_given
from judge_tui.campaign.whose_grades import WhoseGrades, whose_grades
from judge_tui.errors import UsageError

__all__ = ["Agreed", "Compared", "agreed", "compared_grades"]


@dataclass(frozen=True, slots=True)
class Compared:
    """The grades that are compared with each other, judge by judge: `given`. `counted`: those of
    them that count, which final grades are made of. `whose` says why these."""

    given: tuple[Given, ...]
    counted: tuple[Given, ...]
    whose: WhoseGrades


@dataclass(frozen=True, slots=True)
class Agreed:
    """`alpha`: Krippendorff's, ordinal; None where fewer than two judges have graded. `shared`: how
    many pairs have two grades or more. `whose`: which models are compared."""

    alpha: Estimate | None
    shared: int
    whose: WhoseGrades = field(default_factory=WhoseGrades)


def compared_grades(campaign: Campaign) -> Compared:
    """Read them, as of one moment. Raises `UsageError` for a grade off the scale."""
    with campaign.reading():
        whose = whose_grades(campaign)
        given = grades_given(campaign, include_models=whose.compared)
        models = {judge.name for judge in all_judges(campaign) if judge.kind == "model"}
    _refuse_off_scale(given, campaign.settings.scale.grades)
    counted = [grades for name, grades in given.items() if whose.models or name not in models]
    return Compared(tuple(given.values()), tuple(counted), whose)


def agreed(compared: Compared, settings: Settings) -> Agreed:
    """The agreement on these grades: the same as `judge-tui agreement` finds."""
    if len(compared.given) < 2:
        return Agreed(None, 0)
    scale = settings.scale.grades
    _, table = grade_counts(compared.given, scale)
    alpha = krippendorff_alpha(table, scale, seed=settings.seed)["ordinal"]
    return Agreed(alpha, int((table.sum(axis=1) > 1).sum()), compared.whose)


def _refuse_off_scale(given: Mapping[str, Given], scale: Sequence[int]) -> None:
    for name, (_, grades) in given.items():
        if len(off := np.setdiff1d(grades, scale)):
            known = ", ".join(map(str, scale))
            raise UsageError(
                f"grade {off[0]} of judge {name!r} is not on the scale", f"known: {known}"
            )
