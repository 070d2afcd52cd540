"""How far the judges agree, as a report: all of them, two by two, each by themselves, slice by
slice, and what it does to the order of the systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from judge_tui.agreement.coefficients import COEFFICIENTS
from judge_tui.agreement.wording import shown_alpha, verdict_of
from judge_tui.analysis.warnings import first_few, of_agreement
from judge_tui.report.basis import undefined_table
from judge_tui.report.layout import (
    Cell,
    Column,
    Report,
    Table,
    difference,
    number,
    plain,
    probability,
    reader_table,
    short_difference,
    short_number,
    span,
    text,
)
from judge_tui.report.results.view import shortened
from judge_tui.scoring.slices import shown_slice

if TYPE_CHECKING:
    from judge_tui.agreement.estimates import Coefficients, Estimate
    from judge_tui.agreement.study import Agreement, AgreementStudy, SliceAgreement
    from judge_tui.analysis.judge_orders import SystemOrders
    from judge_tui.model import Scale

__all__ = ["NAMES", "agreement_report", "alpha_number"]

NAMES = {
    **{name: name.replace("_", " ") for name in COEFFICIENTS},
    "ac2": "AC2",
    "bias": "bias",
    "alpha_without": "alpha without",
    "bias_change": "change of bias",
    "alpha": "alpha ordinal",
}
"""How tables call what has a key in the JSON."""

_KEYS = ("judges", "pairs", "measure", "value", "ci95_low", "ci95_high", "part", "slice")
"""`part`: `all` judges, `two` of them, one against the `others`, their repeats (`self`) or `gold`,
in the `first half` or the `second half`, a slice by `query`, `class` or `half`, named in the last
column, or the `order` of systems."""

_Two = TypeVar("_Two")

_MOST = 20
_FEW_MATRICES = 3
_OF_SLICE = ("alpha", "agreement", "kappa_quadratic")
_CHECKS = ("agreement", "kappa", "kappa_linear", "kappa_quadratic", "bias")
_AGAINST_OTHERS = ("agreement", "kappa_quadratic", "bias", "alpha_without")
_HALVES = ("first half", "second half")
_JUDGE = text("", "judge")
_JUDGES = (_JUDGE, text("", "other judge"))
_PAIRS = Column("", "pairs")


def agreement_report(
    study: AgreementStudy,
    scale: Scale,
    *,
    orders: SystemOrders | None = None,
    texts: Mapping[str, str] | None = None,
) -> Report:
    """`orders`: what each judge's grades make of the systems, where that was worked out; `texts`:
    query_id -> its text, beside agreement query by query.

    Of many pairs of judges the tables have those that agree least; JSON and CSV have all. Confusion
    matrices stand there for few judges, and in the JSON.
    """
    warnings = of_agreement(study, len(scale.grades))
    document = study.to_dict(None if orders is None else orders.to_dict())
    rows = Table("agreement", [Column(key) for key in _KEYS], list(_rows(study, orders)))
    return Report(
        [rows, *_tables(study, scale, orders, texts or {})],
        warnings=warnings,
        json={**document, "warnings": [*warnings]},
    )


def alpha_number(cell: Cell) -> str:
    """Write an alpha with four decimals, so that it is as strong as the words next to it say."""
    return shown_alpha(cell, 4) if isinstance(cell, float) else number(cell)


def _short_alpha(cell: Cell) -> str:
    return shown_alpha(cell, 3) if isinstance(cell, float) else plain(cell)


def _tables(
    study: AgreementStudy, scale: Scale, orders: SystemOrders | None, texts: Mapping[str, str]
) -> Iterator[Table]:
    found = study.agreement
    yield _overall(found)
    two = _least_first(found.between, lambda one: one.estimates["kappa_quadratic"].value)
    yield reader_table(
        _titled("Every two judges", two, found.between),
        [*_JUDGES, _PAIRS, *_columns(COEFFICIENTS)],
        [(*one.judges, one.pairs, *_cells(one.estimates, COEFFICIENTS)) for one in two],
    )
    shared = [one for one in found.between if one.pairs]
    for one in shared if len(shared) <= _FEW_MATRICES else ():
        yield _confusion(one, scale)
    yield _each_judge("Each judge against the others", study.against_others, _AGAINST_OTHERS)
    yield _each_judge("Each judge against their own hidden repeats", study.repeats, _CHECKS)
    yield _each_judge("Each judge against the gold grades", study.gold, _CHECKS)
    yield _drift(study)
    yield _slices(study, texts)
    if orders is not None and orders.between:
        yield from _orders(orders)
    yield undefined_table(_undefined(study, orders))


def _overall(found: Agreement) -> Table:
    ordinal = found.alpha["ordinal"]
    strength = verdict_of(ordinal, found.pairs_shared)
    title = "All judges" if ordinal.value is None else f"All judges: ordinal alpha is {strength}"
    columns = [
        *(text("", "measure"), Column("", "value", alpha_number), Column("", "95 % interval")),
        *(Column("", "judges"), Column("", "pairs shared")),
    ]
    rows = [
        (name, one.value, span(one.ci95, _short_alpha), len(found.judges), found.pairs_shared)
        for name, one in _of_all(found)
    ]
    return reader_table(title, columns, rows)


def _of_all(found: Agreement) -> Iterator[tuple[str, Estimate]]:
    """The coefficients of all judges together, with their names."""
    for metric, one in found.alpha.items():
        yield f"alpha {metric}", one
    yield "Fleiss' kappa", found.fleiss


def _confusion(two: Coefficients, scale: Scale) -> Table:
    first, second = two.judges
    return reader_table(
        f"Confusion: rows {first}, columns {second}",
        [text("", ""), *(Column("", str(grade)) for grade in scale.grades)],
        [
            (f"{grade} {label}".strip(), *row)
            for (grade, label), row in zip(scale.labels.items(), two.confusion, strict=True)
        ],
    )


def _each_judge(title: str, found: Mapping[str, Coefficients], keys: Iterable[str]) -> Table:
    rows = [(name, one.pairs, *_cells(one.estimates, keys)) for name, one in found.items()]
    return reader_table(title, [_JUDGE, _PAIRS, *_columns(keys)], rows)


def _drift(study: AgreementStudy) -> Table:
    halves = (("kappa_quadratic", number), ("bias", difference))
    columns = [
        *(_JUDGE, text("", "in order of"), _PAIRS),
        *(Column("", f"{NAMES[key]} {at}", show) for key, show in halves for at in ("1st", "2nd")),
        *(*_columns(["bias_change"]), Column("", "p", probability)),
    ]
    rows = [
        (
            *(name, "file" if name in study.from_file else "time"),
            one.first.pairs + one.second.pairs,
            *(half.estimates[key].value for key, _ in halves for half in (one.first, one.second)),
            *(*_cells({"bias_change": one.change}, ["bias_change"]), one.p),
        )
        for name, one in study.drift.items()
    ]
    return reader_table("Each judge in the first and the second half of their work", columns, rows)


def _slices(study: AgreementStudy, texts: Mapping[str, str]) -> Table:
    title = "The pairs that came first and last" if study.by == "half" else f"By {study.by}"
    columns = [text("", str(study.by)), _PAIRS, Column("", "shared"), *_columns(_OF_SLICE)]
    columns.append(shortened("", "text"))
    rows = [
        (
            *(shown_slice(name), one.pairs, one.pairs_shared),
            *_cells(_of_slice(one), _OF_SLICE),
            texts.get(name, "") if study.by == "query" else "",
        )
        for name, one in study.slices.items()
    ]
    return reader_table(title, columns, rows)


def _of_slice(piece: SliceAgreement) -> dict[str, Estimate]:
    return {key: getattr(piece, key) for key in _OF_SLICE}


def _orders(orders: SystemOrders) -> Iterator[Table]:
    two = _least_first(orders.between, lambda one: one.tau)
    title = f"Order of the systems by {orders.measure}, by each of two judges"
    yield reader_table(
        _titled(title, two, orders.between),
        [
            *(*_JUDGES, _PAIRS, Column("", "queries")),
            *(Column("", "tau", number), Column("", "tau AP", number)),
            text("", "systems that swap"),
            text("", f"verdicts against {orders.baseline} that change"),
        ],
        [
            (
                *(*one.judges, one.pairs, one.queries, one.tau, one.tau_ap),
                first_few([" and ".join(swap) for swap in one.swaps]) or "none",
                first_few(
                    [f"{new.tag} ({', '.join(new.verdicts)})" for new in one.verdicts_changed]
                )
                or "none",
            )
            for one in two
        ],
    )
    best = [(one.judge, " = ".join(one.tags)) for one in orders.winners if one.changed]
    if orders.winner and best:
        yield reader_table(
            "Judges by whose grades another system is best",
            [text("", "by"), text("", "best system")],
            [("final grades", " = ".join(orders.winner)), *best],
        )


def _least_first(found: Sequence[_Two], value: Callable[[_Two], float | None]) -> list[_Two]:
    """As they are; of many the first of those that agree least."""
    if len(found) <= _MOST:
        return [*found]
    values = [inf if (known := value(one)) is None else known for one in found]
    return [found[at] for at in sorted(range(len(found)), key=values.__getitem__)[:_MOST]]


def _titled(title: str, rows: Sequence[object], every: Sequence[object]) -> str:
    return title if len(rows) == len(every) else f"{title}, the {len(rows)} that agree least"


_SHOW = {"alpha": alpha_number, "bias": difference, "bias_change": difference}
_SHOW_ENDS = {"alpha": _short_alpha, "bias": short_difference, "bias_change": short_difference}


def _columns(keys: Iterable[str]) -> Iterator[Column]:
    """A column for each value, and one for its interval."""
    for key in keys:
        yield Column("", NAMES[key], _SHOW.get(key, number))
        if key != "alpha_without":
            yield Column("", f"95 % of {NAMES[key]}")


def _cells(estimates: Mapping[str, Estimate], keys: Iterable[str]) -> Iterator[Cell]:
    """What stands in these columns."""
    for key in keys:
        yield estimates[key].value
        if key != "alpha_without":
            yield span(estimates[key].ci95, _SHOW_ENDS.get(key, short_number))


class _Row(NamedTuple):
    """An estimate, and what it is of. `key`: as in `NAMES`, or the name itself."""

    judges: tuple[str, ...]
    pairs: int
    key: str
    estimate: Estimate
    part: str
    slice: str = ""


def _estimates(study: AgreementStudy) -> Iterator[_Row]:
    """Everything that the JSON has, confusion matrices and the order of systems excepted."""
    found = study.agreement
    for name, one in _of_all(found):
        yield _Row(found.judges, found.pairs_shared, name, one, "all")
    parts: list[tuple[tuple[str, ...], str, Coefficients]] = [
        *((two.judges, "two", two) for two in found.between),
        *(((name,), "others", one) for name, one in study.against_others.items()),
        *(((name,), "self", one) for name, one in study.repeats.items()),
        *(((name,), "gold", one) for name, one in study.gold.items()),
    ]
    for name, drift in study.drift.items():
        parts += [((name,), _HALVES[0], drift.first), ((name,), _HALVES[1], drift.second)]
    for judges, part, of in parts:
        for key, one in of.estimates.items():
            yield _Row(judges, of.pairs, key, one, part)
    for name, drift in study.drift.items():
        pairs = drift.first.pairs + drift.second.pairs
        yield _Row((name,), pairs, "bias_change", drift.change, _HALVES[1])
    for name, piece in study.slices.items():
        for key, one in _of_slice(piece).items():
            yield _Row(found.judges, piece.pairs_shared, key, one, str(study.by), name)


def _rows(study: AgreementStudy, orders: SystemOrders | None) -> Iterator[tuple[Cell, ...]]:
    """Everything that the JSON has, confusion matrices excepted."""
    for judges, pairs, key, one, part, name in _estimates(study):
        ends = one.ci95 or (None, None)
        yield ",".join(judges), pairs, NAMES.get(key, key), one.value, *ends, part, name
    for two in () if orders is None else orders.between:
        counts = (
            (len(two.swaps), len(two.verdicts_changed)) if two.tau is not None else (None, None)
        )
        values = (two.tau, two.tau_ap, *counts)
        for measure, value in zip(
            ("tau", "tau AP", "swaps", "verdicts changed"), values, strict=True
        ):
            yield ",".join(two.judges), two.pairs, measure, value, None, None, "order", ""


def _undefined(study: AgreementStudy, orders: SystemOrders | None) -> Iterator[tuple[str, str]]:
    """What has no value or no interval, and why."""
    for one in _estimates(study):
        # Of halves tables have the interval of the change alone, and none of alpha without a judge.
        aside = (one.part in _HALVES and one.key != "bias_change") or one.key == "alpha_without"
        if one.estimate.why is not None and not aside:
            yield NAMES.get(one.key, one.key) + _whose(one), one.estimate.why
    if orders is not None:
        if orders.why is not None:
            yield "order of systems", orders.why
        for two in orders.between:
            if two.why is not None:
                yield f"tau of {' and '.join(two.judges)}", two.why
    yield from study.missing.items()


def _whose(row: _Row) -> str:
    judges = " and ".join(row.judges)
    with_what = {"others": " against the others", "self": " and repeats", "gold": " and gold"}
    if row.part in ("query", "class", "half"):
        return f" of {shown_slice(row.slice)}"
    return "" if row.part == "all" else f" of {judges}{with_what.get(row.part, '')}"
