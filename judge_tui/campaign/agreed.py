"""How the judges agree at this moment, in one number: what stands beside how far they are."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judge_tui.agreement import Estimate, krippendorff_alpha
from judge_tui.agreement.at_once import Given, grade_counts
from judge_tui.campaign.file import Campaign, Settings
from judge_tui.campaign.judges import all_judges
from judge_tui.campaign.standing_now import grades_given
from judge_tui.errors import UsageError

__all__ = ["Agreed", "Counted", "agreed", "counted_grades", "counted_of"]


@dataclass(frozen=True, slots=True)
class Counted:
    """The grades that count, judge by judge: those of people alone or, where fewer than two people
    have graded, those of `models`, too."""

    given: tuple[Given, ...]
    models: bool


@dataclass(frozen=True, slots=True)
class Agreed:
    """`alpha`: Krippendorff's, ordinal; None where fewer than two judges have graded. `shared`: how
    many pairs have two grades or more. `models`: whether models are counted."""

    alpha: Estimate | None
    shared: int
    models: bool


def counted_grades(campaign: Campaign) -> Counted:
    """Read them, as of one moment. Raises `UsageError` for a grade off the scale."""
    with campaign.reading():
        everybody = grades_given(campaign, include_models=True)
        models = {judge.name for judge in all_judges(campaign) if judge.kind == "model"}
    _refuse_off_scale(everybody, campaign.settings.scale.grades)
    return counted_of(everybody, models)


def counted_of(
    given: Mapping[str, Given], models: Container[str], *, include_models: bool | None = None
) -> Counted:
    """Those that count of `given`, judge -> grades (one or more). `models`: who of them is one;
    `include_models`: whether theirs count, None where the number of people decides."""
    people = tuple(grades for name, grades in given.items() if name not in models)
    if len(people) < 2 if include_models is None else include_models:
        return Counted(tuple(given.values()), models=len(given) > len(people))
    return Counted(people, models=False)


def agreed(counted: Counted, settings: Settings) -> Agreed:
    """The agreement on these grades: the same as `judge-tui agreement` finds."""
    if len(counted.given) < 2:
        return Agreed(None, 0, models=False)
    scale = settings.scale.grades
    _, table = grade_counts(counted.given, scale)
    alpha = krippendorff_alpha(table, scale, seed=settings.seed)["ordinal"]
    return Agreed(alpha, int((table.sum(axis=1) > 1).sum()), models=counted.models)


def _refuse_off_scale(given: Mapping[str, Given], scale: Sequence[int]) -> None:
    for name, (_, grades) in given.items():
        if len(off := np.setdiff1d(grades, scale)):
            known = ", ".join(map(str, scale))
            raise UsageError(
                f"grade {off[0]} of judge {name!r} is not on the scale", f"known: {known}"
            )
