"""Comparisons as rows of one width, for a CSV or a data frame: one for each comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from judge_tui.significance.changes import BUCKETS

if TYPE_CHECKING:
    from judge_tui.significance.comparison import Comparison, Comparisons

__all__ = ["Cell", "columns_of", "rows_of"]

Cell: TypeAlias = str | int | float | None

_OF_A_TEST = ("statistic", "p", "p_greater", "p_less", "p_adjusted")


def columns_of(comparisons: Comparisons) -> tuple[str, ...]:
    """The names of the columns: those of each test begin with its name (`wilcoxon_p`), and under
    those of the buckets stands how many queries are in them."""
    names = ["measure", "baseline", "tag", *(["slice"] if comparisons.sliced else [])]
    names += ["queries", "baseline_mean", "mean", "delta"]
    names += ["ci95_low", "ci95_high", "wins", "ties", "losses", "nonzero"]
    for name in comparisons.settings.tests:
        names += [f"{name}_{field}" for field in _OF_A_TEST]
    names += ["p_adjusted_of", "effect_size", "detectable_effect", "verdict", *BUCKETS]
    return (*names, *([] if comparisons.tukey is None else ["tukey_p"]))


def rows_of(comparisons: Comparisons) -> list[tuple[Cell, ...]]:
    """The values in the order of `columns_of`; what is undefined is None."""
    p_adjusted_of = comparisons.settings.p_adjusted_of
    rows = [_row(comparison, p_adjusted_of) for comparison in comparisons.comparisons]
    if comparisons.tukey is None:
        return rows
    p = {(pair.measure, pair.slice, frozenset(pair.tags)): pair.p for pair in comparisons.tukey}
    return [
        (*row, p.get((c.measure, c.slice, frozenset((c.baseline, c.tag)))))
        for row, c in zip(rows, comparisons.comparisons, strict=True)
    ]


def _row(c: Comparison, p_adjusted_of: str) -> tuple[Cell, ...]:
    low, high = c.ci95 or (None, None)
    row: list[Cell] = [c.measure, c.baseline, c.tag, *([] if c.slice is None else [c.slice])]
    row += [c.queries, c.baseline_mean, c.mean, c.delta]
    row += [low, high, c.wins, c.ties, c.losses, c.nonzero]
    for name, result in c.tests.items():
        row += [result.statistic, result.p, result.p_greater, result.p_less, c.p_adjusted[name]]
    row += [p_adjusted_of, c.effect_size, c.detectable_effect, str(c.verdict)]
    return (*row, *(len(getattr(c.changed, bucket)) for bucket in BUCKETS))
