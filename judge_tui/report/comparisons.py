"""Comparisons as a report: the differences, their tests, what changed, and how much is judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from judge_tui.comparison import BUCKETS, Comparison, Comparisons, TukeyPair
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
from judge_tui.report.verdicts import toned
from judge_tui.scoring import Scores, shown_slice

if TYPE_CHECKING:
    from judge_tui.evaluation.gates import GateResult

__all__ = ["comparison_grids", "comparison_notes", "comparison_report"]


def comparison_report(
    comparisons: Comparisons,
    judged: Scores | None = None,
    *,
    gates: Sequence[GateResult] = (),
    settings: Mapping[str, Any] | None = None,
    notes: Sequence[str] = (),
) -> Report:
    """`judged`: scores by Judged@k, for readers; those of the runs that are compared, as far as
    they have any, where nothing else is given. `settings` are told in the JSON in addition to those
    of the comparison, and `notes` to readers.
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
    return Report(
        document=document,
        header=comparisons.columns,
        rows=comparisons.to_rows(),
        grids=grids,
        notes=[*comparison_notes(comparisons), *notes],
        warnings=comparisons.warnings,
    )


def comparison_grids(comparisons: Comparisons, title: str | None = None) -> list[Grid]:
    """The differences, under that title if any, and their tests."""
    differences = _differences(comparisons)
    return [
        differences if title is None else differences._replace(title=title),
        _tests(comparisons),
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
    return Grid("Tests", columns, rows)


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
    return Grid("Randomised Tukey HSD, all pairs of runs at once", columns, rows)


def _changes(comparisons: Comparisons) -> Grid:
    columns = [*_which(comparisons), *(Column(bucket) for bucket in BUCKETS)]
    rows: list[list[Cell]] = [
        [*_whose(c, comparisons), *(len(getattr(c.changed, bucket)) for bucket in BUCKETS)]
        for c in comparisons.comparisons
    ]
    return Grid("Queries by what changed", columns, rows)


def comparison_notes(comparisons: Comparisons) -> list[str]:
    """How the verdicts were come by, and why a number is not there."""
    settings = comparisons.settings
    if not comparisons.comparisons:
        return []
    notes = [
        f"verdict by {settings.tests[0]}, alternative {settings.alternative}, "
        f"correction {settings.correction} over a family of {comparisons.family}, "
        f"alpha {settings.alpha:g}; seed {settings.seed}",
        "detectable: the least effect d_z that a paired t test of so many queries finds "
        "with power .8, uncorrected",
    ]
    if comparisons.tukey:
        notes.append(
            "Tukey p: over the queries that all runs answer, from "
            f"{_draws(comparisons.tukey)} permutations; it holds for all pairs of a measure "
            f"{'and slice ' if comparisons.sliced else ''}at once"
        )
    return [*notes, *_undefined(comparisons)]


def _undefined(comparisons: Comparisons) -> Iterator[str]:
    """Why there is no number, once for all comparisons of which the same is said."""
    whose: dict[tuple[str, str], list[str]] = {}
    for c in comparisons.comparisons:
        reasons = {f"{name} p": r.why for name, r in c.tests.items() if r.p is None} | dict(c.why)
        who = ", ".join(plain(cell) for cell in _whose(c, comparisons))
        for what, why in reasons.items():
            whose.setdefault((what.replace("_", " "), why), []).append(who)
    for (what, why), (first, *others) in whose.items():
        more = f" and {len(others):,} more" if others else ""
        yield f"{first}{more}: no {what}: {why}"


def _draws(pairs: Sequence[TukeyPair]) -> str:
    return " or ".join(f"{draws:,}" for draws in sorted({pair.draws for pair in pairs}))
