"""All that can be said of the agreement of a campaign's judges, in one call, and slice by slice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from judge_tui.agreement.alpha import alphas_by_part, krippendorff_alpha
from judge_tui.agreement.coefficients import (
    Between,
    Confusion,
    Estimate,
    between,
    fleiss_kappa,
    reasons_of,
    values_of,
)
from judge_tui.agreement.data import AgreementData, data_of, kinds_of, pair_order
from judge_tui.agreement.each_judge import (
    AgainstOthers,
    Checked,
    Drift,
    against_others,
    checked,
    confusions,
    drift,
    pooled_by_part,
    unchecked,
)
from judge_tui.errors import unknown
from judge_tui.model import Warning  # noqa: A004 - the noun of the product

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Slices = list[tuple[str, NDArray[np.int64]]]

__all__ = [
    "SLICINGS",
    "Agreement",
    "AgreementStudy",
    "Slice",
    "agree",
    "agreement_of",
    "slices_by",
    "study",
]


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


@dataclass(frozen=True, slots=True)
class Slice:
    """Agreement on some pairs: `pairs` that were graded, `pairs_shared` by two judges or more.

    `alpha` is ordinal; `agreement` and `kappa_quadratic` as `pooled_agreement` has them.
    """

    pairs: int
    pairs_shared: int
    alpha: Estimate
    agreement: Estimate
    kappa_quadratic: Estimate

    def to_dict(self) -> dict[str, Any]:
        """As in `agreement -f json`."""
        estimates = {"agreement": self.agreement, "kappa_quadratic": self.kappa_quadratic}
        return {
            "pairs": self.pairs,
            "pairs_shared": self.pairs_shared,
            "alpha": {"ordinal": self.alpha.to_dict()},
            **values_of(estimates),
            **reasons_of(estimates),
        }


def slices_by(
    data: AgreementData, by: str, *, seed: int = 0, resamples: int = 1000
) -> dict[str, Slice]:
    """Name -> agreement, for each slice that holds a graded pair. `by`: a key of `SLICINGS`, else
    `UsageError`. `seed` and `resamples` are those of alpha's bootstrap."""
    if by not in SLICINGS:
        raise unknown("slicing", by, SLICINGS)
    import numpy as np  # noqa: PLC0415 - of no use to who only imports the room

    slices = SLICINGS[by](data)
    sizes = [len(pairs) for _, pairs in slices]
    pairs = np.concatenate([np.empty(0, dtype=np.int64), *(pairs for _, pairs in slices)])
    part = np.repeat(np.arange(len(slices)), sizes)
    shared = kinds_of(data.places[:, pairs], len(data.scale), part).shared
    pooled = pooled_by_part(shared, len(slices))
    alphas = alphas_by_part(
        shared.table,
        shared.times,
        shared.part,
        data.scale,
        parts=len(slices),
        metrics=("ordinal",),
        seed=seed,
        resamples=resamples,
    )
    return {
        name: Slice(
            pairs=size,
            pairs_shared=of_slice.pairs,
            alpha=alpha,
            agreement=of_slice.agreement,
            kappa_quadratic=of_slice.kappa_quadratic,
        )
        for (name, _), size, of_slice, alpha in zip(
            slices, sizes, pooled, alphas["ordinal"], strict=True
        )
    }


def _by_query(data: AgreementData) -> Slices:
    import numpy as np  # noqa: PLC0415

    order = np.argsort(data.queries, kind="stable")
    begin = np.searchsorted(data.queries[order], np.arange(1, len(data.query_ids)))
    parts = zip(data.query_ids, np.split(order, begin), strict=True)
    return [(query_id, pairs) for query_id, pairs in parts if len(pairs)]


def _by_class(data: AgreementData) -> Slices:
    import numpy as np  # noqa: PLC0415

    names = sorted(set(data.classes))
    place = {name: at for at, name in enumerate(names)}
    of_query = np.array([place[name] for name in data.classes], dtype=np.int64)
    of_pair = of_query[data.queries] if len(data.queries) else data.queries
    parts = ((name, np.flatnonzero(of_pair == at)) for at, name in enumerate(names))
    return [(name, pairs) for name, pairs in parts if len(pairs)]


def _by_half(data: AgreementData) -> Slices:
    order = pair_order(data)
    middle = (len(order) + 1) // 2
    return [("first half", order[:middle]), ("second half", order[middle:])]


SLICINGS: dict[str, Callable[[AgreementData], Slices]] = {
    "query": _by_query,
    "class": _by_class,
    "half": _by_half,
}
"""What the pairs can be sliced by. `half`: those with two grades or more, in the order in which the
second of them came; where they are odd in number, the first half has one more."""


@dataclass(frozen=True, slots=True)
class AgreementStudy:
    """How a campaign's judges agree: with each other, with themselves, with what is known, in the
    course of time, and on parts of the pairs.

    Each mapping is by judge, in the order of `agreement.judges`; `own` (hidden repeats) and `gold`
    are empty where no judge has any, and `missing` says so. `slices` are there where `by` is.
    `from_file`: judges whose halves are, for the most part, those of a file.
    """

    agreement: Agreement
    against_others: Mapping[str, AgainstOthers]
    drift: Mapping[str, Drift]
    own: Mapping[str, Checked]
    gold: Mapping[str, Checked]
    missing: Mapping[str, str]
    by: str | None
    slices: Mapping[str, Slice]
    from_file: frozenset[str]
    warnings: tuple[Warning, ...] = ()

    def to_dict(self, system_order: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """As `agreement -f json` prints it, with the order of systems if that is given."""
        fields = self.agreement.to_dict()
        why = {**fields.pop("why", {}), **self.missing}
        if system_order is not None:
            fields["system_order"] = dict(system_order)
        fields |= {
            "self": _dicts(self.own),
            "gold": _dicts(self.gold),
            "against_others": _dicts(self.against_others),
            "drift": {
                name: {"order": "file" if name in self.from_file else "time", **one.to_dict()}
                for name, one in self.drift.items()
            },
        }
        if self.by is not None:
            fields |= {"by": self.by, "slices": _dicts(self.slices)}
        if why:
            fields["why"] = why
        return fields | {"warnings": [*map(str, self.warnings)]}


def study(
    data: AgreementData,
    *,
    judges: Sequence[str] | None = None,
    by: str | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> AgreementStudy:
    """Everything about the agreement of `judges` (default: all).

    `by`: what to slice the pairs by, a key of `SLICINGS`. `seed` and `resamples` are those of the
    bootstraps of alpha. Raises `UsageError` for a judge who is not in `data` or is named twice, and
    for an unknown slicing.
    """
    if judges is not None:
        data = data.only(judges)
    agreement = agreement_of(data, seed=seed, resamples=resamples)
    beside = against_others(data) if len(data.judges) > 1 else {}
    halves = drift(data) if len(data.judges) > 1 else {}
    own = _checked(data, data.repeats, "this judge has graded no hidden repeat")
    gold = _checked(data, data.gold, "this judge has graded no gold pair")
    missing = {}
    if not data.repeats:
        missing["self"] = _nobody("a hidden repeat", data.repeats_planned, "--repeat")
    if not data.gold:
        missing["gold"] = _nobody("a gold pair", data.gold_planned, "--gold")
    slices = {} if by is None else slices_by(data, by, seed=seed, resamples=resamples)
    return AgreementStudy(
        agreement=agreement,
        against_others=beside,
        drift=halves,
        own=own,
        gold=gold,
        missing=missing,
        by=by,
        slices=slices,
        from_file=data.from_file,
    )


def _dicts(found: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one.to_dict() for name, one in found.items()}


def _nobody(what: str, planned: Mapping[str, int], option: str) -> str:
    count = sum(planned.values())
    if not count:
        return f"no judge has graded {what}; plan them with assign {option}"
    return f"no judge has graded {what} yet; {count:,} {'is' if count == 1 else 'are'} planned"


def _checked(
    data: AgreementData, confusions: Mapping[str, Confusion], why: str
) -> dict[str, Checked]:
    """Of every judge, where any of them has been checked."""
    if not confusions:
        return {}
    return {
        name: checked(confusions[name], data.scale)
        if name in confusions
        else unchecked(data.scale, why)
        for name in data.judges
    }
