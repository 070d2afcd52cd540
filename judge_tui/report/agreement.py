"""How far the judges agree, as a report: all of them, two by two, each by themselves, slice by
slice, and what it does to the order of the systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from judge_tui.agreement.coefficients import COEFFICIENTS
from judge_tui.agreement.estimates import Estimate, shown_alpha, verdict_of
from judge_tui.analysis.warnings import first_few, warn_of_agreement
from judge_tui.report.layout import (
    Column,
    Decimals,
    Report,
    Table,
    counts,
    difference,
    excerpts,
    interval,
    number,
    short_difference,
    short_number,
    undefined_table,
    word,
    words,
)
from judge_tui.scoring.slices import shown_slice

if TYPE_CHECKING:
    from judge_tui.agreement.estimates import Coefficients
    from judge_tui.agreement.study import Agreement, AgreementStudy
    from judge_tui.analysis.judge_influence import OrdersOfTwo, SystemOrders
    from judge_tui.model import Scale

NAMES = {
    **{name: name.replace("_", " ") for name in COEFFICIENTS},
    "ac2": "AC2",
    "bias": "bias",
    "alpha_without": "alpha without",
    "alpha": "alpha ordinal",
}
"""How tables call what has a key in the JSON."""

_SHOWN = {
    "two": ("agreement", "kappa_quadratic"),
    "others": ("kappa_quadratic", "bias"),
    "self": ("agreement", "bias", "kappa_quadratic"),
    "gold": ("agreement", "bias", "kappa_quadratic"),
    **dict.fromkeys(("query", "class", "half"), ("agreement", "alpha")),
}
"""What a terminal has room for, the last with its interval; JSON and CSV have every coefficient
with its own. By part: `two` judges, one against the `others`, their repeats (`self`) or `gold`, a
slice by `query`, `class` or `half`."""

_Two = TypeVar("_Two")

_MOST = 20
_FEW_MATRICES = 3
_OF_SLICE = ("alpha", "agreement", "kappa_quadratic")


def agreement_report(
    study: AgreementStudy,
    scale: Scale,
    *,
    orders: SystemOrders | None = None,
    texts: Mapping[str, str] | None = None,
) -> Report:
    """`orders`: what each judge's grades make of the systems, where that was worked out; `texts`:
    query_id -> its text, beside agreement query by query.

    Confusion matrices stand there for few judges, and in the JSON.
    """
    warnings = warn_of_agreement(study)
    document = study.to_dict(None if orders is None else orders.to_dict())
    values = [*_values(study), *(_of_orders(orders) if orders is not None else ())]
    return Report(
        list(_tables(study, scale, orders, texts or {})),
        warnings=warnings,
        json={**document, "warnings": [*warnings]},
        csv=Table.of("", _VALUES, values),
    )


alpha_number, short_alpha = Decimals(4, shown_alpha), Decimals(3, shown_alpha)
"""So that an alpha is as strong as the words next to it say."""


def _tables(
    study: AgreementStudy, scale: Scale, orders: SystemOrders | None, texts: Mapping[str, str]
) -> Iterator[Table]:
    found = study.agreement
    yield _overall(found)
    columns = [*_JUDGES, *counts("pairs"), *_coefficients("two")]
    quadratic = _value("kappa_quadratic").cell
    yield _least_first("Every two judges", columns, found.between, "pairs", quadratic)
    shared = [one for one in found.between if one.pairs]
    for one in shared if len(shared) <= _FEW_MATRICES else ():
        yield _confusion(one, scale)
    for title, name, part, by_judge in (
        ("Each judge against the others", "others", "others", study.against_others),
        ("Each judge against their own hidden repeats", "repeats", "self", study.repeats),
        ("Each judge against the gold grades", "gold", "gold", study.gold),
    ):
        columns = [*words("judge"), *counts("pairs"), *_coefficients(part)]
        if part == "others" and len(by_judge) > 2:
            columns.append(_value("alpha_without"))
        judges = [_AgreementRow(judge, one.pairs, one.estimates) for judge, one in by_judge.items()]
        yield Table.of(title, columns, judges, name)
    yield _slices(study, texts)
    if orders is not None and orders.between:
        yield from _orders(orders)
    yield undefined_table(_undefined(study, orders))


class _AgreementRow(NamedTuple):
    """What a judge, or all of them on a slice, come to."""

    judge: str
    pairs: int
    estimates: Mapping[str, Estimate]
    shared: int = 0


def _value(key: str) -> Column:
    show = {"alpha": alpha_number, "bias": difference}.get(key, number)
    return Column(key, NAMES[key], show, get=lambda one: one.estimates[key].value)


def _coefficients(part: str) -> Iterator[Column]:
    yield from map(_value, _SHOWN[part])
    key = _SHOWN[part][-1]
    ends = {"alpha": short_alpha, "bias": short_difference}.get(key, short_number)
    yield interval(show=ends, get=lambda one: one.estimates[key].ci95)


_JUDGES = [
    word("judge", "judge", lambda two: two.judges[0]),
    word("other", "other judge", lambda two: two.judges[1]),
]


def _overall(found: Agreement) -> Table:
    ordinal = found.alpha["ordinal"]
    strength = verdict_of(ordinal, found.pairs_shared)
    title = "All judges" if ordinal.value is None else f"All judges: ordinal alpha is {strength}"
    columns = [
        word("measure", "measure"),
        Column("value", "value", alpha_number, get=attrgetter("estimate.value")),
        interval(show=short_alpha, get=attrgetter("estimate.ci95")),
        Column("judges", "judges", get=lambda one: len(one.judges)),
        Column("pairs", "pairs shared"),
    ]
    # Fleiss' kappa takes as many grades of every pair; where they are not, the reason is enough.
    rows = [*_of_all(found)][: None if found.fleiss.value is not None else -1]
    return Table.of(title, columns, rows, "all")


def _confusion(two: Coefficients, scale: Scale) -> Table:
    first, second = two.judges
    return Table(
        f"Confusion: rows {first}, columns {second}",
        [word("", ""), *(Column("", str(grade)) for grade in scale.grades)],
        [
            (f"{grade} {label}".strip(), *row)
            for (grade, label), row in zip(scale.labels.items(), two.confusion, strict=True)
        ],
        "confusion",
    )


def _slices(study: AgreementStudy, texts: Mapping[str, str]) -> Table:
    title = "The pairs that came first and last" if study.by == "half" else f"By {study.by}"
    by = str(study.by)
    columns = [
        word("slice", by, lambda part: shown_slice(part.judge)),
        *counts("pairs", "shared"),
        *_coefficients(by if study.by else "half"),
    ]
    if by == "query":
        columns.append(excerpts("text", "text", get=lambda part: texts.get(part.judge, "")))
    parts = [
        _AgreementRow(
            name, one.pairs, {key: getattr(one, key) for key in _OF_SLICE}, one.pairs_shared
        )
        for name, one in study.slices.items()
    ]
    return Table.of(title, columns, parts, f"by-{by}")


def _orders(orders: SystemOrders) -> Iterator[Table]:
    title = f"Order of the systems by {orders.measure}"
    if orders.baseline is not None:
        title += f" and verdicts against {orders.baseline}"
    columns = [
        *(*_JUDGES, *counts("queries")),
        *(Column("tau", "tau", number), Column("tau_ap", "tau AP", number)),
        word("swaps", "systems that swap", _swaps),
        word("verdicts", "other verdicts", _verdicts),
    ]
    yield _least_first(title, columns, orders.between, "systems", attrgetter("tau"))


def _swaps(two: OrdersOfTwo) -> str:
    return first_few([" and ".join(swap) for swap in two.swaps]) or "none"


def _verdicts(two: OrdersOfTwo) -> str:
    changed = [f"{one.tag} ({', '.join(one.verdicts)})" for one in two.verdicts_changed]
    return first_few(changed) or "none"


def _least_first(
    title: str,
    columns: Sequence[Column],
    rows: Sequence[_Two],
    name: str,
    value: Callable[[_Two], Any],
) -> Table:
    """A row for every two judges, those first who agree least; of many, readers get these."""
    two = sorted(rows, key=lambda one: inf if value(one) is None else value(one))
    return Table.of(f"{title}, least agreement first", columns, two, name, most=_MOST)


class _Value(NamedTuple):
    """An estimate, and what it is of. `key`: as in `NAMES`, or the name itself; `part`: as in
    `_SHOWN`, `all` judges, or the `order` of systems."""

    judges: tuple[str, ...]
    pairs: int
    key: str
    estimate: Estimate
    part: str
    slice: str = ""

    @property
    def measure(self) -> str:
        return NAMES.get(self.key, self.key)

    def __str__(self) -> str:
        judges = " and ".join(self.judges)
        with_what = {"others": " against the others", "self": " and repeats", "gold": " and gold"}
        if self.slice or self.part in ("query", "class", "half"):
            return f"{self.measure} of {shown_slice(self.slice)}"
        whose = "" if self.part == "all" else f" of {judges}{with_what.get(self.part, '')}"
        return self.measure + whose


_VALUES = [
    Column("judges", get=lambda one: ",".join(one.judges)),
    *(Column("pairs"), Column("measure")),
    Column("value", get=attrgetter("estimate.value")),
    interval(get=attrgetter("estimate.ci95")),
    *(Column("part"), Column("slice")),
]


def _of_all(found: Agreement) -> Iterator[_Value]:
    """The coefficients of all judges together."""
    named = {f"alpha {metric}": one for metric, one in found.alpha.items()}
    for name, one in (named | {"Fleiss' kappa": found.fleiss}).items():
        yield _Value(found.judges, found.pairs_shared, name, one, "all")


def _values(study: AgreementStudy) -> Iterator[_Value]:
    """Everything that the JSON has, confusion matrices and the order of systems excepted."""
    found = study.agreement
    yield from _of_all(found)
    parts: list[tuple[tuple[str, ...], str, Coefficients]] = [
        *((two.judges, "two", two) for two in found.between),
        *(((name,), "others", one) for name, one in study.against_others.items()),
        *(((name,), "self", one) for name, one in study.repeats.items()),
        *(((name,), "gold", one) for name, one in study.gold.items()),
    ]
    for judges, part, of in parts:
        for key, one in of.estimates.items():
            yield _Value(judges, of.pairs, key, one, part)
    for name, piece in study.slices.items():
        for key in _OF_SLICE:
            one = getattr(piece, key)
            yield _Value(found.judges, piece.pairs_shared, key, one, str(study.by), name)


def _of_orders(orders: SystemOrders) -> Iterator[_Value]:
    for two in orders.between:
        known = two.tau is not None
        for name, value in (
            ("tau", two.tau),
            ("tau AP", two.tau_ap),
            ("swaps", len(two.swaps) if known else None),
            ("verdicts changed", len(two.verdicts_changed) if known else None),
        ):
            yield _Value(two.judges, two.pairs, name, Estimate(value), "order")


def _undefined(study: AgreementStudy, orders: SystemOrders | None) -> Iterator[tuple[str, str]]:
    """What readers see no value of, and why."""
    for one in _values(study):
        shown = one.key in _SHOWN.get(one.part, (one.key,))
        if shown and one.estimate.value is None and one.estimate.why is not None:
            yield str(one), one.estimate.why
    if orders is not None:
        if orders.why is not None:
            yield "order of systems", orders.why
        for two in orders.between:
            if two.why is not None:
                yield f"tau of {' and '.join(two.judges)}", two.why
    yield from study.missing.items()
