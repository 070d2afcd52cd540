"""How far the judges agree, as a report: all of them, two by two, each by themselves, slice by
slice, and what it does to the order of the systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from judge_tui.agreement.coefficients import COEFFICIENTS
from judge_tui.agreement.wording import shown_alpha, verdict_of
from judge_tui.analysis.warnings import first_few, of_agreement
from judge_tui.report.grids import (
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
    from judge_tui.agreement.study import Agreement, AgreementStudy, SliceAgreement
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
_CHECKS = ("agreement", "kappa", "kappa_linear", "kappa_quadratic", "bias")
_AGAINST_OTHERS = ("agreement", "kappa_quadratic", "bias", "alpha_without")
_HALVES = ("first half", "second half")
_JUDGE = Column("judge", plain, right=False)
_JUDGES = (_JUDGE, Column("judge ", plain, right=False))


def agreement_report(
    study: AgreementStudy, scale: Scale, *, orders: SystemOrders | None = None
) -> Report:
    """`orders`: what each judge's grades make of the systems, where that was worked out.

    Of many pairs of judges the tables have those that agree least; JSON and CSV have all. Confusion
    matrices stand there for few judges, and in the JSON.
    """
    warnings = of_agreement(study, len(scale.grades))
    document = study.to_dict(None if orders is None else orders.to_dict())
    return Report(
        document={**document, "warnings": [*warnings]},
        header=_HEADER,
        rows=list(_rows(study, orders)),
        grids=list(_grids(study, scale, orders)),
        warnings=warnings,
    )


def alpha_number(cell: Cell) -> str:
    """Write an alpha with four decimals, so that it is as strong as the words next to it say."""
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
    yield _each_judge("Each judge against the others", study.against_others, _AGAINST_OTHERS)
    yield _each_judge("Each judge against their own hidden repeats", study.repeats, _CHECKS)
    yield _each_judge("Each judge against the gold grades", study.gold, _CHECKS)
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
    two = _least_first(found.between, lambda one: one.estimates["kappa_quadratic"].value)
    columns = [*_JUDGES, Column("pairs"), *_columns(COEFFICIENTS)]
    rows = [(*one.judges, one.pairs, *_cells(one.estimates, COEFFICIENTS)) for one in two]
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


def _each_judge(title: str, found: Mapping[str, Coefficients], keys: Iterable[str]) -> Grid:
    columns = [_JUDGE, Column("pairs"), *_columns(keys)]
    rows = [(name, one.pairs, *_cells(one.estimates, keys)) for name, one in found.items()]
    return Grid(title, columns, rows)


def _drift(study: AgreementStudy) -> Grid:
    keys = ("kappa_quadratic", "bias")
    columns = [_JUDGE, Column("in order of", plain, right=False), Column("pairs")]
    for key, show in zip(keys, (number, difference), strict=True):
        columns += [Column(f"{NAMES[key]} 1st", show), Column(f"{NAMES[key]} 2nd", show)]
    columns += [*_columns(["bias_change"]), Column("p", probability)]
    rows: list[tuple[Cell, ...]] = [
        (
            name,
            "file" if name in study.from_file else "time",
            one.first.pairs + one.second.pairs,
            *(half.estimates[key].value for key in keys for half in (one.first, one.second)),
            *_cells({"bias_change": one.change}, ["bias_change"]),
            one.p,
        )
        for name, one in study.drift.items()
    ]
    return Grid("Each judge in the first and the second half of their work", columns, rows)


def _slices(study: AgreementStudy) -> Grid:
    columns = [Column(str(study.by), plain, right=False), Column("pairs"), Column("shared")]
    rows = [
        (shown_slice(name), one.pairs, one.pairs_shared, *_cells(_of_slice(one), _OF_SLICE))
        for name, one in study.slices.items()
    ]
    title = "The pairs that came first and last" if study.by == "half" else f"By {study.by}"
    return Grid(title, [*columns, *_columns(_OF_SLICE)], rows)


def _of_slice(piece: SliceAgreement) -> dict[str, Estimate]:
    return {key: getattr(piece, key) for key in _OF_SLICE}


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
    for one in _estimates(study):
        # Of halves tables have the interval of the change alone, and none of alpha without a judge.
        aside = (one.part in _HALVES and one.key != "bias_change") or one.key == "alpha_without"
        if one.estimate.why is not None and not aside:
            yield _described(one), one.estimate.why
    if orders is not None:
        if orders.why is not None:
            yield "order of systems", orders.why
        for two in orders.between:
            if two.why is not None:
                yield f"tau of {' and '.join(two.judges)}", two.why
    yield from study.missing.items()


class _Row(NamedTuple):
    """An estimate, and what it is of. `key`: as in `NAMES`, or the name itself."""

    judges: tuple[str, ...]
    pairs: int
    key: str
    estimate: Estimate
    part: str
    slice: str = ""


def _described(row: _Row) -> str:
    judges = " and ".join(row.judges)
    of = {
        "all": "",
        "others": f" of {judges} against the others",
        "self": f" of {judges} and repeats",
        "gold": f" of {judges} and gold",
        "query": f" of {shown_slice(row.slice)}",
        "class": f" of {shown_slice(row.slice)}",
        "half": f" of {row.slice}",
    }.get(row.part, f" of {judges}")
    return NAMES.get(row.key, row.key) + of


def _estimates(study: AgreementStudy) -> Iterator[_Row]:
    """Everything that the JSON has, confusion matrices and the order of systems excepted."""
    found = study.agreement
    for name, one in of_all(found):
        yield _Row(found.judges, found.pairs_shared, name, one, "all")
    yield from (row for two in found.between for row in _of(two.judges, two, "two"))
    for part, of_judges in (
        ("others", study.against_others),
        ("self", study.repeats),
        ("gold", study.gold),
    ):
        for name, of_judge in of_judges.items():
            yield from _of((name,), of_judge, part)
    for name, drift in study.drift.items():
        for part, half in zip(_HALVES, (drift.first, drift.second), strict=True):
            yield from _of((name,), half, part)
        pairs = drift.first.pairs + drift.second.pairs
        yield _Row((name,), pairs, "bias_change", drift.change, _HALVES[1])
    for name, piece in study.slices.items():
        for key, one in _of_slice(piece).items():
            yield _Row(found.judges, piece.pairs_shared, key, one, str(study.by), name)


def _of(judges: tuple[str, ...], found: Coefficients, part: str) -> Iterator[_Row]:
    return (_Row(judges, found.pairs, key, one, part) for key, one in found.estimates.items())


def _rows(study: AgreementStudy, orders: SystemOrders | None) -> Iterator[tuple[Cell, ...]]:
    """Everything that the JSON has, confusion matrices excepted."""
    for judges, pairs, key, one, part, name in _estimates(study):
        yield ",".join(judges), pairs, NAMES.get(key, key), *_ends(one), part, name
    for of_two in () if orders is None else orders.between:
        known = of_two.tau is not None
        for measure, value in (
            ("tau", of_two.tau),
            ("tau AP", of_two.tau_ap),
            ("swaps", len(of_two.swaps) if known else None),
            ("verdicts changed", len(of_two.verdicts_changed) if known else None),
        ):
            judges_ = ",".join(of_two.judges)
            yield judges_, of_two.pairs, measure, value, None, None, "order", ""


def _least_first(found: Sequence[_Two], value: Callable[[_Two], float | None]) -> list[_Two]:
    """As they are; of many the first of those that agree least."""
    if len(found) <= _SHOWN:
        return [*found]

    def least(one: _Two) -> float:
        its = value(one)
        return inf if its is None else its

    return sorted(found, key=least)[:_SHOWN]


def _columns(keys: Iterable[str]) -> Iterator[Column]:
    """A column for each value, and one for its interval."""
    show = {"alpha": alpha_number, "bias": difference, "bias_change": difference}
    for key in keys:
        yield Column(NAMES[key], show.get(key, number))
        if key != "alpha_without":
            yield Column(f"95 % of {NAMES[key]}")


def _cells(estimates: Mapping[str, Estimate], keys: Iterable[str]) -> Iterator[Cell]:
    """What stands in these columns."""
    for key in keys:
        one = estimates[key]
        yield one.value
        if key != "alpha_without":
            yield None if one.ci95 is None else " to ".join(map(_rounded, one.ci95))


def _rounded(end: float) -> str:
    # Added to a zero, what rounds to -0 is 0.
    return f"{round(end, 3) + 0.0:.3f}"


def _ends(one: Estimate) -> tuple[Cell, Cell, Cell]:
    low, high = one.ci95 if one.ci95 is not None else (None, None)
    return one.value, low, high
