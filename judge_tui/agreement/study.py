"""All that can be said of the agreement of a campaign's judges, in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge_tui.agreement.against_others import AgainstOthers, against_others
from judge_tui.agreement.checked import Checked, checked, unchecked
from judge_tui.agreement.confusion import Confusion
from judge_tui.agreement.data import AgreementData
from judge_tui.agreement.drift import Drift, drift
from judge_tui.agreement.overall import Agreement, agreement_of
from judge_tui.agreement.slices import Slice, slices_by
from judge_tui.model import Warning  # noqa: A004 - the noun of the product

__all__ = ["AgreementStudy", "study"]


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
