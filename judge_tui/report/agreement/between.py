"""Every two judges: the coefficients made for two, and who confused what with what."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from judge_tui.report.agreement.names import NAMES, low_high, span
from judge_tui.report.layout import Cell, Column, Grid, number, plain

if TYPE_CHECKING:
    from judge_tui.agreement import Between
    from judge_tui.model import Scale

__all__ = ["BetweenGrids", "between_grids", "confusion_grid"]

_EACH_AT_LENGTH = 10
_SHOWN = 20
_BESIDE = ("kappa_linear", "kappa", "ac2", "agreement")


class BetweenGrids(NamedTuple):
    """Tables, and a line for each thing that is not in them."""

    grids: list[Grid]
    left_out: list[str]


def between_grids(found: Sequence[Between], scale: Scale, *, confusion: bool) -> BetweenGrids:
    """A line for each coefficient; from many judges on, one for each two of them, the least
    agreeing first, as many as one reads. Matrices of those who share a pair, with `confusion`."""
    if not found:
        return BetweenGrids([], [])
    left_out = []
    if len(found) <= _EACH_AT_LENGTH:
        grids = [_at_length(found)]
    else:
        grids = [_least_first(found)]
        if len(found) > _SHOWN:
            left_out.append(
                f"of {len(found)} pairs of judges, the {_SHOWN} that agree least by quadratic kappa"
                " are shown: -f csv and -f json have all"
            )
    shared = [two for two in found if two.pairs]
    if confusion:
        grids += [confusion_grid(*two.judges, two.confusion, scale) for two in shared]
    elif shared:
        left_out.append(
            f"the confusion matrices of {len(shared)} pairs of judges are shown by --confusion, and"
            " in -f json"
        )
    return BetweenGrids(grids, left_out)


def confusion_grid(rows: str, columns: str, counts: Sequence[Sequence[int]], scale: Scale) -> Grid:
    """How often each grade of the one met each grade of the other."""
    return Grid(
        f"Confusion: rows {rows}, columns {columns}",
        [Column("", plain, right=False), *(Column(str(grade)) for grade in scale.grades)],
        [
            (f"{grade} {label}".strip(), *row)
            for (grade, label), row in zip(scale.labels.items(), counts, strict=True)
        ],
    )


def _judges() -> list[Column]:
    return [
        Column("judge", plain, right=False),
        Column("judge ", plain, right=False),
        Column("pairs"),
    ]


def _at_length(found: Sequence[Between]) -> Grid:
    rows: list[tuple[Cell, ...]] = [
        (*two.judges, two.pairs, NAMES[key], *low_high(one))
        for two in found
        for key, one in two.estimates.items()
    ]
    numbers = [Column(name, number) for name in ("value", "low", "high")]
    columns = [*_judges(), Column("measure", plain, right=False), *numbers]
    return Grid("Every two judges", columns, rows)


def _least_first(found: Sequence[Between]) -> Grid:
    def kappa(two: Between) -> float:
        value = two.estimates["kappa_quadratic"].value
        return inf if value is None else value

    shown = sorted(found, key=kappa)[:_SHOWN]
    rows: list[tuple[Cell, ...]] = []
    for two in shown:
        quadratic = two.estimates["kappa_quadratic"]
        others = (two.estimates[key].value for key in _BESIDE)
        rows.append((*two.judges, two.pairs, quadratic.value, span(quadratic), *others))
    columns = [
        *_judges(),
        Column(NAMES["kappa_quadratic"], number),
        Column("95 % interval"),
        *(Column(NAMES[key], number) for key in _BESIDE),
    ]
    return Grid("Every two judges, those who agree least first", columns, rows)
