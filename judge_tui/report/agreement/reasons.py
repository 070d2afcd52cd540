"""Why a number or its interval is missing, the same reason told once for all that lack it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge_tui.agreement.caveats import by_file_told, listed
from judge_tui.report.agreement.names import NAMES, of_all
from judge_tui.scoring import shown_slice

if TYPE_CHECKING:
    from judge_tui.agreement import AgreementStudy, Estimate

__all__ = ["missing_told"]


def missing_told(study: AgreementStudy) -> Iterator[str]:
    """One line for each reason."""
    undefined: dict[str, list[str]] = {}
    without: dict[str, list[str]] = {}
    for name, one in _estimates(study):
        if one.why is not None:
            told = undefined if one.value is None else without
            told.setdefault(one.why, []).append(name)
    for why, names in undefined.items():
        yield f"{listed(names)} {'is' if len(names) == 1 else 'are'} undefined: {why}"
    for why, names in without.items():
        yield f"{listed(names)}: {why}"
    yield from _slices(study)
    yield from (f"{_PARTS[part]}: {why}" for part, why in study.missing.items())
    if study.from_file and (study.drift or study.by == "half"):
        yield by_file_told(study.from_file)


_PARTS = {"self": "hidden repeats", "gold": "gold grades"}


def _estimates(study: AgreementStudy) -> Iterator[tuple[str, Estimate]]:
    found = study.agreement
    yield from of_all(found)
    for two in found.between:
        for key, one in two.estimates.items():
            yield f"{NAMES[key]} of {' and '.join(two.judges)}", one
    for name, beside in study.against_others.items():
        for key, one in beside.estimates.items():
            yield f"{NAMES[key]} of {name} against the others", one
        if beside.alpha_without is not None and len(found.judges) > 2:
            yield f"{NAMES['alpha_without']} {name}", beside.alpha_without
    for what, checks in (("repeats", study.own), ("gold", study.gold)):
        for name, check in checks.items():
            for key, one in check.estimates.items():
                yield f"{NAMES[key]} of {name} and {what}", one
    for name, drift in study.drift.items():
        for half, beside in (("first", drift.first), ("second", drift.second)):
            for key, one in beside.estimates.items():
                yield f"{NAMES[key]} of {name} in the {half} half", one
        yield f"{NAMES['bias_change']} of {name}", drift.change


def _slices(study: AgreementStudy) -> Iterator[str]:
    """Of hundreds of queries, one line for each reason, and one for all intervals."""
    undefined: dict[tuple[str, str], list[str]] = {}
    without: list[str] = []
    for name, part in study.slices.items():
        shown = shown_slice(name)
        for key in ("alpha", "agreement", "kappa_quadratic"):
            one: Estimate = getattr(part, key)
            if one.value is None:
                undefined.setdefault((str(one.why), NAMES[key]), []).append(shown)
            elif one.ci95 is None and shown not in without:
                without.append(shown)
    together: dict[tuple[str, str], list[str]] = {}
    for (why, what), names in undefined.items():
        together.setdefault((why, listed(names, ", ")), []).append(what)
    for (why, names_told), whats in together.items():
        yield f"undefined in {study.by} {names_told}: {' and '.join(whats)}, as {why}"
    if without:
        yield f"not all have an interval in {study.by} {listed(without, ', ')}: -f json says why"
