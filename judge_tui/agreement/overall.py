"""Everything that can be said about the agreement of a campaign's judges, in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from judge_tui.agreement.alpha import krippendorff_alpha
from judge_tui.agreement.data import AgreementData, data_of
from judge_tui.agreement.estimate import Estimate
from judge_tui.agreement.fleiss import fleiss_kappa
from judge_tui.agreement.kinds import kinds_of
from judge_tui.agreement.pooled import confusions
from judge_tui.agreement.two_judges import Between, between

__all__ = ["Agreement", "agree", "agreement_of"]


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
    between: tuple[Between, ...]

    def to_dict(self) -> dict[str, Any]:
        """As `agreement -f json` prints it: lists, numbers, strings, None; never NaN."""
        fields: dict[str, Any] = {
            "schema_version": 1,
            "judges": list(self.judges),
            "pairs_judged": self.pairs_judged,
            "pairs_shared": self.pairs_shared,
            "alpha": {metric: found.to_dict() for metric, found in self.alpha.items()},
            "fleiss": self.fleiss.value,
            "fleiss_ci95": None if self.fleiss.ci95 is None else list(self.fleiss.ci95),
        }
        if self.fleiss.why is not None:
            fields["why"] = {"fleiss": self.fleiss.why}
        fields["between"] = [two.to_dict() for two in self.between]
        return fields


def agree(
    grades: Mapping[str, Mapping[Any, int]],
    scale: Sequence[int],
    *,
    judges: Sequence[str] | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> Agreement:
    """Agreement of `judges` (default: all, by name) on the pairs they graded.

    `grades`: judge -> pair -> grade; a pair is anything hashable, as (query_id, doc_id). `scale`:
    the campaign's whole scale, ascending, grades that nobody gave included. `seed` and `resamples`
    are those of alpha's bootstrap. Raises `UsageError` for a judge who is not in `grades` or is
    named twice, and for a grade off the scale.
    """
    return agreement_of(data_of(grades, scale, judges=judges), seed=seed, resamples=resamples)


def agreement_of(data: AgreementData, *, seed: int = 0, resamples: int = 1000) -> Agreement:
    """The same of grades as arrays."""
    kinds = kinds_of(data.places, len(data.scale))
    table = kinds.table
    alpha = krippendorff_alpha(table, data.scale, times=kinds.times, seed=seed, resamples=resamples)
    names = data.judges
    two_by_two = tuple(
        between(two, counts[0].astype(int).tolist(), data.scale)
        for two, (_, counts) in zip(combinations(names, 2), confusions(kinds, 1), strict=True)
    )
    shared = int(kinds.shared.times.sum())
    return Agreement(
        judges=names,
        pairs_judged=data.places.shape[1],
        pairs_shared=shared,
        alpha=alpha,
        fleiss=fleiss_kappa(table, kinds.times),
        between=two_by_two,
    )
