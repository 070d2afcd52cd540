"""Each judge: against the others, against themselves, against gold, and in the course of time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from judge_tui.report.agreement.between import confusion_grid
from judge_tui.report.agreement.names import NAMES, span
from judge_tui.report.layout import Cell, Column, Grid, difference, number, plain, probability

if TYPE_CHECKING:
    from judge_tui.agreement import AgreementStudy, Checked
    from judge_tui.model import Scale

__all__ = ["by_judge_grids"]

_JUDGE = Column("judge", plain, right=False)
_INTERVAL = "95 % interval"


def by_judge_grids(study: AgreementStudy, scale: Scale, *, confusion: bool) -> Iterator[Grid]:
    """What there is. `confusion`: with the matrices of repeats and gold pairs."""
    if study.against_others:
        yield _against_others(study)
    for title, other, found in (
        ("Each judge against their own hidden repeats", "the repeat", study.own),
        ("Each judge against the gold grades", "gold", study.gold),
    ):
        if found:
            yield _checked(title, found)
            if confusion:
                for name, one in found.items():
                    if one.pairs:
                        yield confusion_grid(name, other, one.confusion, scale)
    if study.drift:
        yield _drift(study)


def _against_others(study: AgreementStudy) -> Grid:
    three = len(study.agreement.judges) > 2
    rows: list[tuple[Cell, ...]] = []
    for name, one in study.against_others.items():
        agreement, kappa, bias = (
            one.estimates[key] for key in ("agreement", "kappa_quadratic", "bias")
        )
        row: list[Cell] = [name, one.pairs, agreement.value]
        row += [kappa.value, span(kappa), bias.value, span(bias)]
        if three:
            row.append(one.alpha_without.value if one.alpha_without else None)
        rows.append(tuple(row))
    columns = [
        _JUDGE,
        Column("pairs"),
        Column(NAMES["agreement"], number),
        Column(NAMES["kappa_quadratic"], number),
        Column(_INTERVAL),
        Column(NAMES["bias"], difference),
        Column(_INTERVAL),
    ]
    if three:
        columns.append(Column(NAMES["alpha_without"], number))
    return Grid("Each judge against the others", columns, rows)


def _checked(title: str, found: Mapping[str, Checked]) -> Grid:
    keys = ("agreement", "kappa", "kappa_linear", "kappa_quadratic", "bias")
    rows: list[tuple[Cell, ...]] = []
    for name, one in found.items():
        row: list[Cell] = [name, one.pairs]
        for key in keys:
            row.append(one.estimates[key].value)
            if key in ("agreement", "kappa_quadratic"):
                row.append(span(one.estimates[key]))
        rows.append(tuple(row))
    columns = [_JUDGE, Column("pairs")]
    for key in keys:
        columns.append(Column(NAMES[key], difference if key == "bias" else number))
        if key in ("agreement", "kappa_quadratic"):
            columns.append(Column(_INTERVAL))
    return Grid(title, columns, rows)


def _drift(study: AgreementStudy) -> Grid:
    keys = ("kappa_quadratic", "bias")
    rows: list[tuple[Cell, ...]] = []
    for name, one in study.drift.items():
        row: list[Cell] = [name, one.first.pairs + one.second.pairs]
        row += [half.estimates[key].value for key in keys for half in (one.first, one.second)]
        rows.append((*row, one.change.value, span(one.change), one.p))
    columns = [_JUDGE, Column("pairs")]
    for key, show in zip(keys, (number, difference), strict=True):
        columns += [Column(f"{NAMES[key]} 1st", show), Column("2nd", show)]
    columns += [
        Column(NAMES["bias_change"], difference),
        Column(_INTERVAL),
        Column("p", probability),
    ]
    return Grid("Each judge in the first and the second half of their work", columns, rows)
