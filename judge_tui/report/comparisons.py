"""Comparisons as a report: the differences, their tests, what changed, and how much is judged."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.report.layout import (
    Cell,
    Column,
    Grid,
    Report,
    Toned,
    difference,
    number,
    plain,
    probability,
)
from judge_tui.report.scores import judged_grid
from judge_tui.scoring import Scores
from judge_tui.significance import BUCKETS, Comparison, Comparisons, Verdict

__all__ = ["comparison_report"]

_WHICH = (Column("measure", plain, right=False), Column("run", plain, right=False))


def comparison_report(comparisons: Comparisons, judged: Scores) -> Report:
    """`judged` holds the scores of the same runs by Judged@k, for readers."""
    return Report(
        document=comparisons.to_dict(),
        header=_header(comparisons.tests),
        rows=[_row(comparison) for comparison in comparisons.comparisons],
        grids=[
            _differences(comparisons),
            _tests(comparisons),
            _changes(comparisons),
            judged_grid(judged, judged.measures),
        ],
        notes=_notes(comparisons),
        aside=[f"warning: {warning}" for warning in comparisons.warnings],
    )


def _differences(comparisons: Comparisons) -> Grid:
    columns = [
        *_WHICH,
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
    rows = [
        (
            c.measure,
            c.tag,
            c.queries,
            c.baseline_mean,
            c.mean,
            c.delta,
            None if c.ci95 is None else f"{difference(c.ci95[0])} to {difference(c.ci95[1])}",
            c.wins,
            c.ties,
            c.losses,
            _toned(c.verdict),
        )
        for c in comparisons.comparisons
    ]
    return Grid(f"Compared with {comparisons.baseline}", columns, rows)


def _tests(comparisons: Comparisons) -> Grid:
    side = "" if comparisons.alternative == "two-sided" else f" ({comparisons.alternative})"
    columns = [*_WHICH, Column("nonzero")]
    for name in comparisons.tests:
        columns.append(Column(f"{name} p{side}", probability))
        if comparisons.correction != "none":
            columns.append(Column(comparisons.correction, probability))
    columns += [Column("effect d_z", difference), Column("detectable", number)]
    rows = [_test_row(comparison, comparisons) for comparison in comparisons.comparisons]
    return Grid("Tests", columns, rows)


def _test_row(comparison: Comparison, comparisons: Comparisons) -> list[Cell]:
    row: list[Cell] = [comparison.measure, comparison.tag, comparison.nonzero]
    for name in comparisons.tests:
        row.append(comparison.tests[name].p_of(comparisons.alternative))
        if comparisons.correction != "none":
            row.append(comparison.p_adjusted[name])
    return [*row, comparison.effect_size, comparison.detectable_effect]


def _changes(comparisons: Comparisons) -> Grid:
    rows: list[Sequence[Cell]] = [
        (c.measure, c.tag, *(len(getattr(c.changed, bucket)) for bucket in BUCKETS))
        for c in comparisons.comparisons
    ]
    return Grid("Queries by what changed", [*_WHICH, *(Column(b) for b in BUCKETS)], rows)


def _toned(verdict: Verdict) -> Cell:
    if verdict is Verdict.BETTER:
        return Toned(str(verdict), "good")
    return Toned(str(verdict), "bad") if verdict is Verdict.WORSE else str(verdict)


def _notes(comparisons: Comparisons) -> list[str]:
    family = len(comparisons.comparisons)
    notes = [f"warning: {warning}" for warning in comparisons.warnings]
    notes.append(
        f"verdict by {comparisons.tests[0]}, alternative {comparisons.alternative}, "
        f"correction {comparisons.correction} over a family of {family}, "
        f"alpha {comparisons.alpha:g}; seed {comparisons.seed}"
    )
    notes.append(
        "detectable: the least effect d_z that a paired t test of so many queries finds "
        "with power .8, uncorrected"
    )
    for c in comparisons.comparisons:
        undefined = {f"{name} p": r.why for name, r in c.tests.items() if r.p is None} | dict(c.why)
        notes += [f"{c.measure}, {c.tag}: no {what}: {why}" for what, why in undefined.items()]
    return notes


def _header(tests: Sequence[str]) -> list[str]:
    header = ["measure", "baseline", "tag", "queries", "baseline_mean", "mean", "delta"]
    header += ["ci95_low", "ci95_high", "wins", "ties", "losses", "nonzero"]
    for name in tests:
        header += [f"{name}_{field}" for field in _TEST_FIELDS]
    return [*header, "effect_size", "detectable_effect", "verdict", *BUCKETS]


_TEST_FIELDS = ("statistic", "p", "p_greater", "p_less", "p_adjusted")


def _row(c: Comparison) -> list[Cell]:
    low, high = c.ci95 or (None, None)
    row: list[Cell] = [c.measure, c.baseline, c.tag, c.queries, c.baseline_mean, c.mean, c.delta]
    row += [low, high, c.wins, c.ties, c.losses, c.nonzero]
    for name, result in c.tests.items():
        row += [result.statistic, result.p, result.p_greater, result.p_less, c.p_adjusted[name]]
    row += [c.effect_size, c.detectable_effect, str(c.verdict)]
    return [*row, *(len(getattr(c.changed, bucket)) for bucket in BUCKETS)]
