"""How the judges agree at this moment, in one number: what stands beside how far they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.agreement import Estimate, krippendorff_alpha
from judge_tui.agreement.at_once import Given
from judge_tui.campaign.file import Campaign, Settings
from judge_tui.campaign.judges import all_judges
from judge_tui.campaign.standing import grades_given
from judge_tui.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Agreed", "Counted", "agreed", "counted_grades"]


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
    people = tuple(given for name, given in everybody.items() if name not in models)
    if len(people) >= 2:
        return Counted(people, models=False)
    return Counted(tuple(everybody.values()), models=len(everybody) > len(people))


def agreed(counted: Counted, settings: Settings) -> Agreed:
    """The agreement on these grades: the same as `judge-tui agreement` finds."""
    if len(counted.given) < 2:
        return Agreed(None, 0, models=False)
    scale = settings.scale.grades
    table = _table(counted.given, scale)
    alpha = krippendorff_alpha(table, scale, seed=settings.seed)["ordinal"]
    return Agreed(alpha, int((table.sum(axis=1) > 1).sum()), models=counted.models)


def _refuse_off_scale(given: Mapping[str, Given], scale: Sequence[int]) -> None:
    for name, (_, grades) in given.items():
        if len(off := np.setdiff1d(grades, scale)):
            known = ", ".join(map(str, scale))
            raise UsageError(
                f"grade {off[0]} of judge {name!r} is not on the scale", f"known: {known}"
            )


def _table(given: Sequence[Given], scale: Sequence[int]) -> NDArray[np.int64]:
    """int64[pairs, grades]: how often each pair got each grade."""
    pairs, rows = np.unique(np.concatenate([pairs for pairs, _ in given]), return_inverse=True)
    columns = np.searchsorted(scale, np.concatenate([grades for _, grades in given]))
    cells = np.bincount(rows * len(scale) + columns, minlength=len(pairs) * len(scale))
    return cells.reshape(len(pairs), len(scale))
