"""Comparisons as a report: the differences, their tests, what changed, and how much is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from judge_tui.comparison.comparison import BUCKETS, Comparison, Comparisons
from judge_tui.comparison.paired_tests import Alternative
from judge_tui.report.grades import grades_grid
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
from judge_tui.report.scores import judged_grid, shares_scored
from judge_tui.report.undefined import undefined_grid
from judge_tui.report.verdicts import toned
from judge_tui.scoring.slices import shown_slice

if TYPE_CHECKING:
    from judge_tui.evaluation.gates import GateResult

__all__ = ["comparison_grids", "comparison_report", "difference_grids"]


def comparison_report(
    comparisons: Comparisons,
    *,
    gates: Sequence[GateResult] = (),
    settings: Mapping[str, Any] | None = None,
) -> Report:
    """`settings` are told in the JSON in addition to those of the comparison. Readers see how much
    is judged, too, as far as the runs that are compared are scored by it."""
    document = comparisons.to_dict()
    document["settings"] |= settings or {}
    document["gates"] = [one.to_dict() for one in gates]
    grids = [*comparison_grids(comparisons)]
    if shares := shares_scored(comparisons.scores):
        grids.append(judged_grid(comparisons.scores, shares))
    grids.append(grades_grid(settings or {}))
    return Report(
        document=document,
        header=comparisons.columns,
        rows=comparisons.to_rows(),
        grids=grids,
        warnings=comparisons.warnings,
    )


def comparison_grids(comparisons: Comparisons) -> Iterator[Grid]:
    """The differences, their tests, those of all pairs at once, and how many queries changed."""
    title = f"Compared with {comparisons.baseline}"
    if comparisons.baseline is None:
        title = "Each run compared with every earlier one"
    yield from difference_grids(comparisons, title)
    if comparisons.tukey:
        yield _tukey(comparisons)
    yield _grid(comparisons, "Queries by what changed", map(_changed, BUCKETS))


def difference_grids(comparisons: Comparisons, title: str) -> Iterator[Grid]:
    """The differences, under that title, their tests, and why a number is not there."""
    settings = comparisons.settings
    yield _grid(comparisons, title, _DIFFERENCES)
    title = (
        f"Tests: the verdict is by {settings.verdict_by}, {settings.alternative}, alpha"
        f" {settings.alpha:g}, correction {settings.correction} over {comparisons.family}"
    )
    yield _grid(comparisons, title, _tests(comparisons))
    yield undefined_grid(_undefined(comparisons))


Shown: TypeAlias = tuple[Column, Callable[[Comparison], Cell]]
"""A column, and what is in it of a comparison."""


def _interval(c: Comparison) -> Cell:
    return c.ci95 and f"{difference(c.ci95[0])} to {difference(c.ci95[1])}"


_DIFFERENCES: list[Shown] = [
    (Column("queries"), attrgetter("queries")),
    (Column("baseline", number), attrgetter("baseline_mean")),
    (Column("mean", number), attrgetter("mean")),
    (Column("delta", difference), attrgetter("delta")),
    (Column("95% interval"), _interval),
    (Column("wins"), attrgetter("wins")),
    (Column("ties"), attrgetter("ties")),
    (Column("losses"), attrgetter("losses")),
    (Column("verdict", plain, right=False), lambda c: toned(c.verdict)),
]


def _tests(comparisons: Comparisons) -> Iterator[Shown]:
    settings = comparisons.settings
    side = "" if settings.alternative == "two-sided" else f" ({settings.alternative})"
    yield Column("nonzero"), attrgetter("nonzero")
    for name in settings.tests:
        yield Column(f"{name} p{side}", probability), partial(_p, name, settings.alternative)
        if settings.correction != "none":
            yield Column(settings.correction, probability), partial(_p_adjusted, name)
    yield Column("effect d_z", difference), attrgetter("effect_size")
    yield Column("detectable", number), attrgetter("detectable_effect")


def _p(test: str, alternative: Alternative, c: Comparison) -> Cell:
    return c.tests[test].p_of(alternative)


def _p_adjusted(test: str, c: Comparison) -> Cell:
    return c.p_adjusted[test]


def _changed(bucket: str) -> Shown:
    return Column(bucket), lambda c: len(getattr(c.changed, bucket))


def _grid(comparisons: Comparisons, title: str, shown: Iterable[Shown]) -> Grid:
    """A row a comparison, which begins with what is compared."""
    shown = list(shown)
    names = ["measure", *(["slice"] if comparisons.sliced else [])]
    names += ["run"] if comparisons.baseline is not None else ["baseline", "run"]
    return Grid(
        title,
        [*(Column(name, plain, right=False) for name in names), *(column for column, _ in shown)],
        [[*_whose(c, comparisons), *(of(c) for _, of in shown)] for c in comparisons],
    )


def _whose(c: Comparison, comparisons: Comparisons) -> list[Cell]:
    cells: list[Cell] = [c.measure, *([] if c.slice is None else [shown_slice(c.slice)])]
    return [*cells, c.tag] if comparisons.baseline is not None else [*cells, c.baseline, c.tag]


def _tukey(comparisons: Comparisons) -> Grid:
    pairs = comparisons.tukey or ()
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


def _undefined(comparisons: Comparisons) -> Iterator[tuple[str, str]]:
    for c in comparisons:
        reasons = {f"{name} p": r.why for name, r in c.tests.items() if r.p is None} | dict(c.why)
        who = " ".join(plain(cell) for cell in _whose(c, comparisons))
        for what, why in reasons.items():
            yield f"{what.replace('_', ' ')} of {who}", why
