"""Agreement as a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge_tui.report.layout import Cell, Column, Grid, Report, number, plain

if TYPE_CHECKING:
    from judge_tui.agreement import Agreement, Between, Estimate
    from judge_tui.model import Scale

__all__ = ["agreement_report"]

# key in the JSON -> how the tables call it
_BETWEEN = {
    "agreement": "agreement",
    "kappa": "kappa",
    "kappa_linear": "kappa linear",
    "kappa_quadratic": "kappa quadratic",
    "ac2": "AC2",
}


def agreement_report(found: Agreement, scale: Scale) -> Report:
    """Alpha over all judges, kappa between every two, and who confused what with what."""
    overall: list[tuple[Cell, ...]] = [
        (f"alpha {metric}", *_cells(one), len(found.judges), found.pairs_shared)
        for metric, one in found.alpha.items()
    ]
    overall.append(("Fleiss' kappa", *_cells(found.fleiss), len(found.judges), found.pairs_shared))
    two_by_two: list[tuple[Cell, ...]] = [
        (*two.judges, two.pairs, name, *_cells(two.estimates[key]))
        for two in found.between
        for key, name in _BETWEEN.items()
    ]
    reasons = [
        f"{name} is undefined: {one.why}"
        for name, one in (
            *((f"alpha {metric}", one) for metric, one in found.alpha.items()),
            ("Fleiss' kappa", found.fleiss),
            *(
                (f"{name} of {' and '.join(two.judges)}", two.estimates[key])
                for two in found.between
                for key, name in _BETWEEN.items()
            ),
        )
        if one.value is None
    ]
    return Report(
        document=found.to_dict(),
        header=("judges", "pairs", "measure", "value", "low", "high"),
        rows=[
            *(
                (",".join(found.judges), shared, name, *cells)
                for name, *cells, _, shared in overall
            ),
            *((f"{a},{b}", pairs, name, *cells) for a, b, pairs, name, *cells in two_by_two),
        ],
        grids=[
            Grid("All judges", _columns("measure", *_NUMBERS, "judges", "pairs shared"), overall),
            Grid(
                "Every two judges",
                _columns("judge", "judge ", "pairs", "measure", *_NUMBERS),
                two_by_two,
            ),
            *(_confusion(two, scale) for two in found.between if two.pairs),
        ],
        notes=[*reasons, *(f"warning: {warning}" for warning in found.warnings)],
    )


_NUMBERS = ("value", "low", "high")
_WORDS = ("measure", "judge", "judge ")


def _columns(*names: str) -> list[Column]:
    return [
        Column(name, number if name in _NUMBERS else plain, right=name not in _WORDS)
        for name in names
    ]


def _cells(one: Estimate) -> tuple[Cell, Cell, Cell]:
    low, high = one.ci95 if one.ci95 is not None else (None, None)
    return one.value, low, high


def _confusion(two: Between, scale: Scale) -> Grid:
    """Rows: grades of the first judge; columns: grades of the second."""
    first, second = two.judges
    return Grid(
        f"Confusion: rows {first}, columns {second}",
        [Column("", plain, right=False), *(Column(str(grade)) for grade in scale.grades)],
        [
            (f"{grade} {label}".strip(), *row)
            for (grade, label), row in zip(scale.labels.items(), two.confusion, strict=True)
        ],
    )
