"""How far the judges agree, as a report: all of them, two by two, each by themselves, slice by
slice, and what it does to the order of the systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, TypeVar

from judge_tui.agreement.coefficients import COEFFICIENTS
from judge_tui.agreement.estimates import shown_alpha, verdict_of
from judge_tui.analysis.warnings import first_few
from judge_tui.report.layout import (
    Cell,
    Column,
    Grid,
    Report,
    difference,
    number,
    plain,
    probability,
)
from judge_tui.report.undefined import undefined_grid
from judge_tui.scoring.slices import shown_slice

if TYPE_CHECKING:
    from judge_tui.agreement.estimates import Coefficients, Estimate
    from judge_tui.agreement.study import Agreement, AgreementStudy
    from judge_tui.analysis.judge_orders import SystemOrders
    from judge_tui.model import Scale

__all__ = ["NAMES", "agreement_report", "alpha_number", "of_all"]

NAMES = {
    **{name: name.replace("_", " ") for name in COEFFICIENTS},
    "ac2": "AC2",
    "bias": "bias",
    "alpha_without": "alpha without",
    "bias_change": "change of bias",
    "alpha": "alpha ordinal",
}
"""How tables call what has a key in the JSON."""

_HEADER = ("judges", "pairs", "measure", "value", "low", "high", "part", "slice")
"""`part`: `all` judges, `two` of them, one against the `others`, their repeats (`self`) or `gold`,
in the `first half` or the `second half`, a slice by `query`, `class` or `half`, named in the last
column, or the `order` of systems."""

_Two = TypeVar("_Two")

_SHOWN = 20
_FEW_MATRICES = 3
_OF_SLICE = ("alpha", "agreement", "kappa_quadratic")
_JUDGE = Column("judge", plain, right=False)
_JUDGES = (_JUDGE, Column("judge ", plain, right=False))


def agreement_report(
    study: AgreementStudy, scale: Scale, *, orders: SystemOrders | None = None
) -> Report:
    """`orders`: what each judge's grades make of the systems, where that was worked out.

    Of many pairs of judges the tables have those that agree least; JSON and CSV have all. Confusion
    matrices stand there for few judges, and in the JSON.
    """
    return Report(
        document=study.to_dict(None if orders is None else orders.to_dict()),
        header=_HEADER,
        rows=list(_rows(study, orders)),
        grids=list(_grids(study, scale, orders)),
        warnings=study.warnings,
    )


def alpha_number(cell: Cell) -> str:
    """Four decimals, which say no other band than the words beside them."""
    return shown_alpha(cell, 4) if isinstance(cell, float) else number(cell)


def of_all(found: Agreement) -> Iterator[tuple[str, Estimate]]:
    """The coefficients of all judges together, with their names."""
    for metric, one in found.alpha.items():
        yield f"alpha {metric}", one
    yield "Fleiss' kappa", found.fleiss


def _grids(study: AgreementStudy, scale: Scale, orders: SystemOrders | None) -> Iterator[Grid]:
    yield _overall(study.agreement)
    yield _two_by_two(study.agreement)
    shared = [two for two in study.agreement.between if two.pairs]
    for two in shared if len(shared) <= _FEW_MATRICES else ():
        yield _confusion(two, scale)
    yield _against_others(study)
    yield _checked("Each judge against their own hidden repeats", study.own)
    yield _checked("Each judge against the gold grades", study.gold)
    yield _drift(study)
    yield _slices(study)
    if orders is not None and orders.between:
        yield from _orders(orders)
    yield undefined_grid(_undefined(study, orders))


def _overall(found: Agreement) -> Grid:
    of = (len(found.judges), found.pairs_shared)
    columns = [
        Column("measure", plain, right=False),
        *(Column(name, alpha_number) for name in ("value", "low", "high")),
        Column("judges"),
        Column("pairs shared"),
    ]
    ordinal = found.alpha["ordinal"]
    strength = "" if ordinal.value is None else f": ordinal alpha is {verdict_of(ordinal, of[1])}"
    rows = [(name, *_ends(one), *of) for name, one in of_all(found)]
    return Grid(f"All judges{strength}", columns, rows)


def _two_by_two(found: Agreement) -> Grid:
    keys = ("agreement", "kappa", "kappa_linear", "kappa_quadratic", "ac2")
    two = _least_first(found.between, lambda one: one.estimates["kappa_quadratic"].value)
    columns = [*_JUDGES, Column("pairs")]
    for key in keys:
        columns += [Column(NAMES[key], number), _interval(key)]
    rows = [(*one.judges, one.pairs, *_values(one.estimates[key] for key in keys)) for one in two]
    return Grid(_titled("Every two judges", rows, found.between), columns, rows)


def _confusion(two: Coefficients, scale: Scale) -> Grid:
    first, second = two.judges
    return Grid(
        f"Confusion: rows {first}, columns {second}",
        [Column("", plain, right=False), *(Column(str(grade)) for grade in scale.grades)],
        [
            (f"{grade} {label}".strip(), *row)
            for (grade, label), row in zip(scale.labels.items(), two.confusion, strict=True)
        ],
    )


def _against_others(study: AgreementStudy) -> Grid:
    keys = ("agreement", "kappa_quadratic", "bias")
    columns = [_JUDGE, Column("pairs")]
    for key in keys:
        columns += [Column(NAMES[key], difference if key == "bias" else number), _interval(key)]
    rows: list[tuple[Cell, ...]] = [
        (
            name,
            one.pairs,
            *_values(one.estimates[key] for key in keys),
            one.estimates["alpha_without"].value,
        )
        for name, one in study.against_others.items()
    ]
    columns.append(Column(NAMES["alpha_without"], number))
    return Grid("Each judge against the others", columns, rows)


def _checked(title: str, found: Mapping[str, Coefficients]) -> Grid:
    keys = ("agreement", "kappa", "kappa_linear", "kappa_quadratic", "bias")
    columns = [_JUDGE, Column("pairs")]
    for key in keys:
        columns += [Column(NAMES[key], difference if key == "bias" else number), _interval(key)]
    rows = [
        (name, one.pairs, *_values(one.estimates[key] for key in keys))
        for name, one in found.items()
    ]
    return Grid(title, columns, rows)


def _drift(study: AgreementStudy) -> Grid:
    keys = ("kappa_quadratic", "bias")
    columns = [_JUDGE, Column("in order of", plain, right=False), Column("pairs")]
    for key, show in zip(keys, (number, difference), strict=True):
        columns += [Column(f"{NAMES[key]} 1st", show), Column(f"{NAMES[key]} 2nd", show)]
    columns += [Column(NAMES["bias_change"], difference), _interval("bias_change")]
    columns.append(Column("p", probability))
    rows: list[tuple[Cell, ...]] = [
        (
            name,
            "file" if name in study.from_file else "time",
            one.first.pairs + one.second.pairs,
            *(half.estimates[key].value for key in keys for half in (one.first, one.second)),
            one.change.value,
            _span(one.change),
            one.p,
        )
        for name, one in study.drift.items()
    ]
    return Grid("Each judge in the first and the second half of their work", columns, rows)


def _slices(study: AgreementStudy) -> Grid:
    columns = [Column(str(study.by), plain, right=False), Column("pairs"), Column("shared")]
    for key in _OF_SLICE:
        show = alpha_number if key == "alpha" else number
        columns += [Column(NAMES[key], show), _interval(key)]
    rows = [
        (
            shown_slice(name),
            one.pairs,
            one.pairs_shared,
            *_values(getattr(one, key) for key in _OF_SLICE),
        )
        for name, one in study.slices.items()
    ]
    title = "The pairs that came first and last" if study.by == "half" else f"By {study.by}"
    return Grid(title, columns, rows)


def _orders(orders: SystemOrders) -> Iterator[Grid]:
    two = _least_first(orders.between, lambda one: one.tau)
    columns = [
        *_JUDGES,
        *(Column(name) for name in ("pairs", "queries")),
        *(Column(name, number) for name in ("tau", "tau AP")),
        Column("verdicts changed"),
        Column("systems that swap", plain, right=False),
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            *one.judges,
            one.pairs,
            one.queries,
            one.tau,
            one.tau_ap,
            len(one.verdicts_changed),
            first_few([f"{before} and {after}" for before, after in one.swaps]) or "none",
        )
        for one in two
    ]
    title = f"Order of the systems by {orders.measure}, by each of two judges"
    yield Grid(_titled(title, rows, orders.between), columns, rows)
    verdicts: list[tuple[Cell, ...]] = [
        (*one.judges, change.tag, *map(str, change.verdicts))
        for one in two
        for change in one.verdicts_changed
    ]
    texts = ("run", "by the first", "by the second")
    columns = [*_JUDGES, *(Column(name, plain, right=False) for name in texts)]
    title = f"Verdicts against {orders.baseline} that change, by {orders.measure} alone"
    yield Grid(title, columns, verdicts[:_SHOWN])
    others = [(one.judge, " = ".join(one.tags)) for one in orders.winners if one.changed]
    if orders.winner and others:
        best: list[tuple[Cell, ...]] = [("final grades", " = ".join(orders.winner)), *others]
        columns = [Column(name, plain, right=False) for name in ("by", "best system")]
        yield Grid("Judges by whose grades another system is best", columns, best)


def _titled(title: str, rows: Sequence[object], every: Sequence[object]) -> str:
    return title if len(rows) == len(every) else f"{title}, the {len(rows)} that agree least"


def _undefined(study: AgreementStudy, orders: SystemOrders | None) -> Iterator[tuple[str, str]]:
    """What has no value or no interval, and why."""
    yield from ((name, one.why) for name, one in _estimates(study) if one.why is not None)
    if orders is not None:
        if orders.why is not None:
            yield "order of systems", orders.why
        for two in orders.between:
            if two.why is not None:
                yield f"tau of {' and '.join(two.judges)}", two.why
    yield from study.missing.items()


def _estimates(study: AgreementStudy) -> Iterator[tuple[str, Estimate]]:
    found = study.agreement
    yield from of_all(found)
    for two in found.between:
        for key, one in two.estimates.items():
            yield f"{NAMES[key]} of {' and '.join(two.judges)}", one
    for name, beside in study.against_others.items():
        for key, one in beside.estimates.items():
            yield f"{NAMES[key]} of {name} against the others", one
    for what, checks in (("repeats", study.own), ("gold", study.gold)):
        for name, check in checks.items():
            for key, one in check.estimates.items():
                yield f"{NAMES[key]} of {name} and {what}", one
    for name, drift in study.drift.items():
        yield f"{NAMES['bias_change']} of {name}", drift.change
    for name, part in study.slices.items():
        for key in _OF_SLICE:
            yield f"{NAMES[key]} of {shown_slice(name)}", getattr(part, key)


def _rows(study: AgreementStudy, orders: SystemOrders | None) -> Iterator[tuple[Cell, ...]]:
    """Everything that the JSON has, confusion matrices excepted."""
    found = study.agreement
    everybody = ",".join(found.judges)
    for name, one in of_all(found):
        yield everybody, found.pairs_shared, name, *_ends(one), "all", ""
    for two in found.between:
        for key, one in two.estimates.items():
            yield ",".join(two.judges), two.pairs, NAMES[key], *_ends(one), "two", ""
    for name, beside in study.against_others.items():
        for key, one in beside.estimates.items():
            yield name, beside.pairs, NAMES[key], *_ends(one), "others", ""
    for part, checks in (("self", study.own), ("gold", study.gold)):
        for name, check in checks.items():
            for key, one in check.estimates.items():
                yield name, check.pairs, NAMES[key], *_ends(one), part, ""
    for name, drift in study.drift.items():
        for part, beside in (("first half", drift.first), ("second half", drift.second)):
            for key, one in beside.estimates.items():
                yield name, beside.pairs, NAMES[key], *_ends(one), part, ""
        pairs = drift.first.pairs + drift.second.pairs
        yield name, pairs, NAMES["bias_change"], *_ends(drift.change), "second half", ""
    for name, piece in study.slices.items():
        for key in _OF_SLICE:
            one = getattr(piece, key)
            yield everybody, piece.pairs_shared, NAMES[key], *_ends(one), str(study.by), name
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


def _least_first(found: Sequence[_Two], value: Callable[[_Two], float | None]) -> list[_Two]:
    """As they are; of many the first of those that agree least."""
    if len(found) <= _SHOWN:
        return [*found]

    def least(one: _Two) -> float:
        its = value(one)
        return inf if its is None else its

    return sorted(found, key=least)[:_SHOWN]


def _interval(key: str) -> Column:
    return Column(f"95 % of {NAMES[key]}")


def _ends(one: Estimate) -> tuple[Cell, Cell, Cell]:
    low, high = one.ci95 if one.ci95 is not None else (None, None)
    return one.value, low, high


def _values(estimates: Iterable[Estimate]) -> Iterator[Cell]:
    """Each value, and its interval in one cell."""
    for one in estimates:
        yield one.value
        yield _span(one)


def _span(one: Estimate) -> Cell:
    if one.ci95 is None:
        return None
    # Added to a zero, what rounds to -0 is 0.
    low, high = (f"{round(end, 3) + 0.0:.3f}" for end in one.ci95)
    return f"{low} to {high}"
