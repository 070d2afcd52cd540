"""What changed since an earlier result, as a part of the report of scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from judge_tui.report.layout import (
    Cell,
    Column,
    Grid,
    difference,
    number,
    plain,
    probability,
)
from judge_tui.report.verdicts import toned
from judge_tui.scoring import shown_slice

if TYPE_CHECKING:
    from judge_tui.baseline import Change, Changes

__all__ = ["changes_grid", "changes_notes"]

_NAMED = 3
_ROWS = 40
_ROUNDING = 1e-9


def changes_grid(changes: Changes) -> Grid:
    """A row for each run and measure, and each slice where there are any; of very many, only for
    those that changed for some query."""
    columns = [
        Column("measure", plain, right=False),
        *([] if changes.by is None else [Column(changes.by, plain, right=False)]),
        Column("run", plain, right=False),
        Column("before", number),
        Column("now", number),
        Column("difference", difference),
        Column("in both"),
        Column("95% interval"),
        Column("wins"),
        Column("ties"),
        Column("losses"),
        Column(f"{changes.test} p", probability),
        Column(changes.correction, probability),
        Column("verdict", plain, right=False),
    ]
    rows = [_row(change, changes.by) for change in _shown(changes)]
    return Grid("Beside the earlier result", columns, rows)


def changes_notes(changes: Changes) -> Iterator[str]:
    """How the verdicts were come by, and why a number is not there."""
    yield (
        f"verdict on each change by {changes.test}, two-sided, paired over the queries in both; "
        f"correction {changes.correction} over a family of {changes.family}{changes.over}, "
        f"alpha {changes.alpha:g}; seed {changes.seed}"
    )
    if any(map(_over_other_queries, changes.changes)):
        yield (
            "before and now are over the queries of each result; difference, what stands behind it"
            " and gates beside the earlier result are over the queries in both"
        )
    if changes.reclassed:
        query_id, (was, now) = next(iter(changes.reclassed.items()))
        yield (
            "before is over the queries that are in each class now; in another one then:"
            f" {len(changes.reclassed):,}, such as {query_id!r}, which was in {shown_slice(was)!r}"
            f" and is in {shown_slice(now)!r}"
        )
    if left_out := len(changes.changes) - len(_shown(changes)):
        yield f"not shown: {left_out:,} that are the same for every query; -f json and csv have all"
    reasons: dict[tuple[str, str], list[str]] = {}
    for change in changes.changes:
        for what, why in change.why.items():
            if what == "p" and "verdict" in change.why:
                continue  # neither is there, for one reason
            whose = f"{change.tag} by {change.measure}{changes.where(change)}"
            reasons.setdefault((what, why), []).append(whose)
    for (what, why), those in reasons.items():
        more = f" and {len(those) - _NAMED} more" if len(those) > _NAMED else ""
        yield f"no {what} of the change of {', '.join(those[:_NAMED])}{more}: {why}"


def _over_other_queries(change: Change) -> bool:
    """Whether queries that are in one of the results alone set their means further apart, or
    closer."""
    if change.now is None or change.before is None or change.difference is None:
        return False
    return abs(change.now - change.before - change.difference) > _ROUNDING


def _shown(changes: Changes) -> Sequence[Change]:
    if len(changes.changes) <= _ROWS:
        return changes.changes
    return [c for c in changes.changes if c.wins or c.losses or c.difference]


def _row(change: Change, by: str | None) -> Sequence[Cell]:
    ci95 = change.ci95
    return (
        change.measure,
        *([] if by is None else ["(all)" if change.slice is None else shown_slice(change.slice)]),
        change.tag,
        change.before,
        change.now,
        change.difference,
        change.queries,
        None if ci95 is None else f"{difference(ci95[0])} to {difference(ci95[1])}",
        change.wins,
        change.ties,
        change.losses,
        change.p,
        change.p_adjusted,
        None if change.verdict is None else toned(change.verdict),
    )
