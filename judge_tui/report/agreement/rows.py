"""Agreement as rows of a CSV: one number each, with its interval."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge_tui.report.agreement.names import NAMES, low_high, of_all
from judge_tui.report.layout import Cell

if TYPE_CHECKING:
    from judge_tui.agreement import AgreementStudy
    from judge_tui.analysis.judge_orders import SystemOrders

__all__ = ["HEADER", "agreement_rows"]

HEADER = ("judges", "pairs", "measure", "value", "low", "high", "part", "slice")
"""`part`: `all` judges, `two` of them, one against the `others`, their repeats (`self`) or `gold`,
in the `first half` or the `second half`, a slice by `query`, `class` or `half`, named in the last
column, or the `order` of systems."""


def agreement_rows(
    study: AgreementStudy, orders: SystemOrders | None
) -> Iterator[tuple[Cell, ...]]:
    """Everything that the JSON has, confusion matrices excepted."""
    found = study.agreement
    everybody = ",".join(found.judges)
    for name, one in of_all(found):
        yield everybody, found.pairs_shared, name, *low_high(one), "all", ""
    for two in found.between:
        for key, one in two.estimates.items():
            yield ",".join(two.judges), two.pairs, NAMES[key], *low_high(one), "two", ""
    for name, beside in study.against_others.items():
        for key, one in beside.estimates.items():
            yield name, beside.pairs, NAMES[key], *low_high(one), "others", ""
        if beside.alpha_without is not None:
            without = low_high(beside.alpha_without)
            yield name, beside.pairs, NAMES["alpha_without"], *without, "others", ""
    for part, checks in (("self", study.own), ("gold", study.gold)):
        for name, check in checks.items():
            for key, one in check.estimates.items():
                yield name, check.pairs, NAMES[key], *low_high(one), part, ""
    for name, drift in study.drift.items():
        for part, beside in (("first half", drift.first), ("second half", drift.second)):
            for key, one in beside.estimates.items():
                yield name, beside.pairs, NAMES[key], *low_high(one), part, ""
        pairs = drift.first.pairs + drift.second.pairs
        yield name, pairs, NAMES["bias_change"], *low_high(drift.change), "second half", ""
    for name, piece in study.slices.items():
        for key in ("alpha", "agreement", "kappa_quadratic"):
            one = getattr(piece, key)
            yield everybody, piece.pairs_shared, NAMES[key], *low_high(one), str(study.by), name
    for of_two in () if orders is None else orders.between:
        judges = ",".join(of_two.judges)
        known = of_two.tau is not None
        for measure, value in (
            ("tau", of_two.tau),
            ("tau AP", of_two.tau_ap),
            ("swaps", len(of_two.swaps) if known else None),
            ("verdicts changed", len(of_two.verdicts_changed) if known else None),
        ):
            yield judges, of_two.pairs, measure, value, None, None, "order", ""
