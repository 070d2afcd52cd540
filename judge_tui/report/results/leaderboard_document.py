"""The leaderboard for programs: the body of its JSON, and the rows of its CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from judge_tui.report.layout import Cell
from judge_tui.report.results.worked_out import WorkedOut, adjusted

if TYPE_CHECKING:
    from judge_tui.analysis.leaderboard import RunRow
    from judge_tui.significance import Comparison

__all__ = ["HEADER", "leaderboard_body", "leaderboard_rows"]

HEADER = (
    "tag",
    "measure",
    "queries",
    "value",
    "ci95_low",
    "ci95_high",
    "low",
    "high",
    "baseline",
    "delta",
    "delta_low",
    "delta_high",
    "p",
    "p_adjusted",
    "verdict",
    "delta_queries",
)


def leaderboard_body(worked: WorkedOut) -> dict[str, Any]:
    """`measures`, how they were compared, and `runs`, best first."""
    body: dict[str, Any] = {"measures": [measure.name for measure in worked.every]}
    found = worked.verdicts.comparisons if worked.verdicts is not None else None
    if found is not None:
        body["comparison"] = {
            **found.settings.to_dict(),
            "family": len(found),
        }
    if worked.loose is not None:
        body["cut"] = dict(worked.basis.cut)
    return {**body, "runs": [_entry(worked, row) for row in worked.order]}


def leaderboard_rows(worked: WorkedOut) -> Iterator[Sequence[Cell]]:
    """A row for each run and measure, as `HEADER` names the cells."""
    for row in worked.order:
        for measure in worked.every:
            yield (
                row.tag,
                measure.name,
                row.queries,
                row.means[measure.name],
                *(worked.interval(row, measure) or (None, None)),
                *(worked.bounds(row, measure) or (None, None)),
                *_compared(worked.comparison(row, measure)),
            )


def _entry(worked: WorkedOut, row: RunRow) -> dict[str, Any]:
    measures = worked.board.measures
    entry: dict[str, Any] = {
        "tag": row.tag,
        "queries": row.queries,
        "missing": {"run": row.missing_run, "qrels": row.missing_qrels},
        "nothing_found": {"queries": row.nothing_found, "failed": row.failed},
        "mean": dict(row.means),
    }
    why: dict[str, Any] = {}
    if not row.queries:
        why["mean"] = "the run answers no judged query"
    if worked.intervals is not None:
        entry["ci95"] = {one.name: worked.interval(row, one) for one in measures}
        reasons = {name: of[row.tag] for name, of in worked.intervals.why.items() if row.tag in of}
        why |= {"ci95": reasons} if reasons else {}
    if worked.loose is not None:
        entry["bounds"] = {one.name: worked.bounds(row, one) for one in measures}
        why |= {"bounds": dict(worked.loose.why)} if worked.loose.why else {}
    if worked.verdicts is not None:
        entry["verdicts"] = {
            one.name: None if (found := worked.comparison(row, one)) is None else _told(found)
            for one in measures
            if one.definition.quality
        }
        if row.tag == worked.verdicts.baseline:
            why["verdicts"] = "it is the baseline"
        elif row.tag in worked.verdicts.why:
            why["verdicts"] = worked.verdicts.why[row.tag]
    return {**entry, "why": why} if why else entry


def _told(found: Comparison) -> dict[str, Any]:
    test = next(iter(found.tests.values()))
    told: dict[str, Any] = {
        "queries": found.queries,
        "delta": found.delta,
        "ci95": found.ci95,
        "wins": found.wins,
        "ties": found.ties,
        "losses": found.losses,
        "p": test.p,
        "p_adjusted": adjusted(found),
        "verdict": str(found.verdict),
    }
    reasons = [] if test.p is not None else [test.why]
    reasons += [f"no interval: {why}"] if (why := found.why.get("ci95")) else []
    return {**told, "why": "; ".join(reasons)} if reasons else told


def _compared(found: Comparison | None) -> Sequence[Cell]:
    if found is None:
        return (None,) * 8
    test = next(iter(found.tests.values()))
    ends = found.ci95 or (None, None)
    verdict = str(found.verdict)
    return (found.baseline, found.delta, *ends, test.p, adjusted(found), verdict, found.queries)
