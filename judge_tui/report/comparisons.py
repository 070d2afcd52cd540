"""Comparisons as a report: the differences, their tests, what changed, and how much is judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from judge_tui.comparison.comparison import BUCKETS, Comparison, Comparisons
from judge_tui.comparison.tukey import TukeyPair
from judge_tui.report.grades import grades_grid
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
from judge_tui.report.scores import judged_grid, shares_scored
from judge_tui.report.undefined import undefined_grid
from judge_tui.report.verdicts import toned
from judge_tui.scoring import Scores, shown_slice

if TYPE_CHECKING:
    from judge_tui.evaluation.gates import GateResult

__all__ = ["comparison_grids", "comparison_report"]


def comparison_report(
    comparisons: Comparisons,
    judged: Scores | None = None,
    *,
    gates: Sequence[GateResult] = (),
    settings: Mapping[str, Any] | None = None,
) -> Report:
    """`judged`: scores by Judged@k, for readers; those of the runs that are compared, as far as
    they have any, where nothing else is given. `settings` are told in the JSON in addition to those
    of the comparison.
    """
    document = comparisons.to_dict()
    document["settings"] |= settings or {}
    document["gates"] = [one.to_dict() for one in gates]
    grids = [*comparison_grids(comparisons)]
    if comparisons.tukey:
        grids.append(_tukey(comparisons, comparisons.tukey))
    grids.append(_changes(comparisons))
    if judged is None:
        judged = comparisons.scores.only(shares_scored(comparisons.scores))
    if judged.measures:
        grids.append(judged_grid(judged, judged.measures))
    grids.append(grades_grid(settings or {}))
    return Report(
        document=document,
        header=comparisons.columns,
        rows=comparisons.to_rows(),
        grids=grids,
        warnings=comparisons.warnings,
    )


def comparison_grids(comparisons: Comparisons, title: str | None = None) -> list[Grid]:
    """The differences, under that title if any, their tests, and why a number is not there."""
    differences = _differences(comparisons)
    return [
        differences if title is None else differences._replace(title=title),
        _tests(comparisons),
        undefined_grid(_undefined(comparisons)),
    ]


def _which(comparisons: Comparisons) -> list[Column]:
    """The columns that say what is compared."""
    names = ["measure"]
    names += ["slice"] if comparisons.sliced else []
    names += ["baseline", "run"] if comparisons.baseline is None else ["run"]
    return [Column(name, plain, right=False) for name in names]


def _whose(c: Comparison, comparisons: Comparisons) -> list[Cell]:
    cells: list[Cell] = [c.measure]
    cells += [] if c.slice is None else [shown_slice(c.slice)]
    return [*cells, c.baseline, c.tag] if comparisons.baseline is None else [*cells, c.tag]


def _differences(comparisons: Comparisons) -> Grid:
    columns = [
        *_which(comparisons),
        Column("queries"),
        Column("baseline", number),
        Column("mean", number),
        Column("delta", difference),
        Column("95% interval"),
        Column("wins"),
        Column("ties"),
        Column("losses"),
        Column("verdict", plain, right=False),
    ]
    rows: list[list[Cell]] = [
        [
            *_whose(c, comparisons),
            c.queries,
            c.baseline_mean,
            c.mean,
            c.delta,
            None if c.ci95 is None else f"{difference(c.ci95[0])} to {difference(c.ci95[1])}",
            c.wins,
            c.ties,
            c.losses,
            toned(c.verdict),
        ]
        for c in comparisons.comparisons
    ]
    if comparisons.baseline is None:
        return Grid("Each run compared with every earlier one", columns, rows)
    return Grid(f"Compared with {comparisons.baseline}", columns, rows)


def _tests(comparisons: Comparisons) -> Grid:
    settings = comparisons.settings
    side = "" if settings.alternative == "two-sided" else f" ({settings.alternative})"
    columns = [*_which(comparisons), Column("nonzero")]
    for name in settings.tests:
        columns.append(Column(f"{name} p{side}", probability))
        if settings.correction != "none":
            columns.append(Column(settings.correction, probability))
    columns += [Column("effect d_z", difference), Column("detectable", number)]
    rows = [_test_row(comparison, comparisons) for comparison in comparisons.comparisons]
    title = (
        f"Tests: the verdict is by {settings.tests[0]}, {settings.alternative}, alpha"
        f" {settings.alpha:g}, correction {settings.correction} over {comparisons.family}"
    )
    return Grid(title, columns, rows)


def _test_row(comparison: Comparison, comparisons: Comparisons) -> list[Cell]:
    settings = comparisons.settings
    row: list[Cell] = [*_whose(comparison, comparisons), comparison.nonzero]
    for name in settings.tests:
        row.append(comparison.tests[name].p_of(settings.alternative))
        if settings.correction != "none":
            row.append(comparison.p_adjusted[name])
    return [*row, comparison.effect_size, comparison.detectable_effect]


def _tukey(comparisons: Comparisons, pairs: Sequence[TukeyPair]) -> Grid:
    names = ["measure", *(["slice"] if comparisons.sliced else []), "run", "other run"]
    columns = [Column(name, plain, right=False) for name in names]
    columns += [Column("queries"), Column("delta", difference), Column("Tukey p", probability)]
    rows: list[list[Cell]] = [
        [
            pair.measure,
            *([] if pair.slice is None else [shown_slice(pair.slice)]),
            *pair.tags,
            pair.queries,
            pair.delta,
            pair.p,
        ]
        for pair in pairs
    ]
    draws = " or ".join(f"{draws:,}" for draws in sorted({pair.draws for pair in pairs}))
    title = f"Randomised Tukey HSD, all pairs of runs at once, from {draws} permutations"
    return Grid(title, columns, rows)


def _changes(comparisons: Comparisons) -> Grid:
    columns = [*_which(comparisons), *(Column(bucket) for bucket in BUCKETS)]
    rows: list[list[Cell]] = [
        [*_whose(c, comparisons), *(len(getattr(c.changed, bucket)) for bucket in BUCKETS)]
        for c in comparisons.comparisons
    ]
    return Grid("Queries by what changed", columns, rows)


def _undefined(comparisons: Comparisons) -> Iterator[tuple[str, str]]:
    for c in comparisons.comparisons:
        reasons = {f"{name} p": r.why for name, r in c.tests.items() if r.p is None} | dict(c.why)
        who = " ".join(plain(cell) for cell in _whose(c, comparisons))
        for what, why in reasons.items():
            yield f"{what.replace('_', ' ')} of {who}", why
