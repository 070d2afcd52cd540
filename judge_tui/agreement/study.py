"""The agreement of a campaign's judges: all that can be said of it in one call, and by slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge_tui.agreement.alpha import fleiss_kappa, krippendorff_alpha
from judge_tui.agreement.coefficients import between
from judge_tui.agreement.estimates import Coefficients, Estimate, mean_of, values_of
from judge_tui.agreement.pooled import beside_others, pooled_agreement
from judge_tui.agreement.ratings import (
    Patterns,
    Ratings,
    confusion_of,
    patterns_of,
    ratings_of,
)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How a campaign's judges agree.

    `pairs_judged` counts the pairs with a grade of at least one of the `judges`, `pairs_shared`
    those with grades of two or more; `alpha` is by metric; `between` has every two judges, in the
    order of `judges`.
    """

    judges: tuple[str, ...]
    pairs_judged: int
    pairs_shared: int
    alpha: dict[str, Estimate]
    fleiss: Estimate
    between: tuple[Coefficients, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as `agreement -f json` prints it: lists, numbers, strings, None; never NaN."""
        return {
            "schema_version": 1,
            "judges": list(self.judges),
            "pairs_judged": self.pairs_judged,
            "pairs_shared": self.pairs_shared,
            "alpha": _dicts(self.alpha),
            "fleiss": self.fleiss.value,
            "fleiss_ci95": self.fleiss.ends,
            **({} if self.fleiss.why is None else {"why": {"fleiss": self.fleiss.why}}),
            "between": [two.to_dict() for two in self.between],
        }


def agree(
    grades: Mapping[str, Mapping[Any, int]],
    scale: Sequence[int],
    *,
    judges: Sequence[str] | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> Agreement:
    """Measure how far `judges` (default: all, by name) agree on the pairs they graded.

    `grades`: judge -> pair -> grade; a pair is anything hashable, as (query_id, doc_id). `scale`:
    the campaign's whole scale, ascending, grades that nobody gave included. `seed` and `resamples`
    are those of alpha's bootstrap. Raises `UsageError` for a judge who is not in `grades` or is
    named twice, and for a grade off the scale.
    """
    ratings = ratings_of(grades, scale)
    if judges is not None:
        ratings = ratings.only(judges)
    return _agreement(ratings, patterns_of(ratings), seed=seed, resamples=resamples)


def _agreement(ratings: Ratings, patterns: Patterns, *, seed: int, resamples: int) -> Agreement:
    scale, grades = ratings.scale, patterns.grades
    return Agreement(
        judges=ratings.judges,
        pairs_judged=int(patterns.times.sum()),
        pairs_shared=int(patterns.shared().times.sum()),
        alpha=krippendorff_alpha(patterns, scale, seed=seed, resamples=resamples),
        fleiss=fleiss_kappa(patterns),
        between=tuple(
            between(
                confusion_of(grades[one], grades[other], len(scale), patterns.times).tolist(),
                scale,
                (ratings.judges[one], ratings.judges[other]),
            )
            for one, other in combinations(range(len(ratings.judges)), 2)
        ),
    )


@dataclass(frozen=True, slots=True)
class SliceAgreement:
    """Agreement on some pairs: `pairs` that were graded, `pairs_shared` by two judges or more.

    `alpha` is ordinal; `agreement` and `kappa_quadratic` as `pooled_agreement` has them.
    """

    pairs: int
    pairs_shared: int
    alpha: Estimate
    agreement: Estimate
    kappa_quadratic: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return it as `agreement -f json` has it."""
        return {
            "pairs": self.pairs,
            "pairs_shared": self.pairs_shared,
            "alpha": {"ordinal": self.alpha.to_dict()},
            **values_of({"agreement": self.agreement, "kappa_quadratic": self.kappa_quadratic}),
        }


def agreement_by(
    ratings: Ratings, by: str, *, seed: int = 0, resamples: int = 1000
) -> dict[str, SliceAgreement]:
    """Measure agreement in each slice of `Ratings.slices`: its name -> agreement. `seed` and
    `resamples` are those of alpha's bootstrap."""
    found = {}
    for name, pairs in ratings.slices(by).items():
        shared = patterns_of(ratings, pairs).shared()
        alpha = krippendorff_alpha(
            shared, ratings.scale, metrics=["ordinal"], seed=seed, resamples=resamples
        )
        pooled = pooled_agreement(shared)
        found[name] = SliceAgreement(len(pairs), pooled.pairs, alpha["ordinal"], **pooled.estimates)
    return found


@dataclass(frozen=True, slots=True)
class AgreementStudy:
    """How a campaign's judges agree: with each other, with themselves, with what is known, and on
    parts of the pairs.

    Each mapping is by judge, in the order of `agreement.judges`. `against_others`: as
    `beside_others` has it. `repeats` (JSON: `self`) and `gold` are empty where no judge has any,
    and `missing` says so. `slices` are there where `by` is.
    """

    agreement: Agreement
    against_others: Mapping[str, Coefficients]
    repeats: Mapping[str, Coefficients]
    gold: Mapping[str, Coefficients]
    missing: Mapping[str, str]
    by: str | None
    slices: Mapping[str, SliceAgreement]

    def to_dict(self, system_order: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return it as `agreement -f json` prints it, without the warnings; with the order of
        systems where it is given."""
        fields = self.agreement.to_dict()
        why = {**fields.pop("why", {}), **self.missing}
        if system_order is not None:
            fields["system_order"] = dict(system_order)
        fields |= {
            "self": _dicts(self.repeats),
            "gold": _dicts(self.gold),
            "against_others": _dicts(self.against_others),
        }
        if self.by is not None:
            fields |= {"by": self.by, "slices": _dicts(self.slices)}
        if why:
            fields["why"] = why
        return fields


def study(
    ratings: Ratings, *, by: str | None = None, seed: int = 0, resamples: int = 1000
) -> AgreementStudy:
    """Measure everything about the agreement of judges.

    `by`: what to slice the pairs by, as in `Ratings.slices`. `seed` and `resamples` are those of
    the bootstraps of alpha.
    """
    patterns = patterns_of(ratings)
    repeats = _checked(ratings, ratings.repeats)
    gold = _checked(ratings, np.broadcast_to(ratings.gold, ratings.grades.shape))
    missing = {}
    if not repeats:
        missing["self"] = "no judge has graded a hidden repeat (assign --repeat plans them)"
    if not gold:
        missing["gold"] = "no judge has graded a gold pair (assign --gold plans them)"
    return AgreementStudy(
        agreement=_agreement(ratings, patterns, seed=seed, resamples=resamples),
        against_others={
            name: beside_others(patterns, judge, ratings.scale)
            for judge, name in enumerate(ratings.judges)
            if len(ratings.judges) > 1
        },
        repeats=repeats,
        gold=gold,
        missing=missing,
        by=by,
        slices={} if by is None else agreement_by(ratings, by, seed=seed, resamples=resamples),
    )


def _dicts(found: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one.to_dict() for name, one in found.items()}


def _checked(ratings: Ratings, other: NDArray[np.int8]) -> dict[str, Coefficients]:
    """Compare every judge with `other` grades of the same pairs, as `between` does, and add `bias`,
    the mean of the judge's first grade less the other one, in grades, with Student's interval.
    Empty where nobody has any."""
    grades = np.asarray(ratings.scale, dtype=float)
    steps = (grades[:, None] - grades).ravel()
    found = {}
    for judge, name in enumerate(ratings.judges):
        confusion = confusion_of(ratings.grades[judge], other[judge], len(grades))
        two = between(confusion.tolist(), ratings.scale)
        bias = mean_of(steps, confusion.ravel())
        found[name] = Coefficients(two.pairs, {**two.estimates, "bias": bias}, two.confusion)
    return found if any(one.pairs for one in found.values()) else {}
