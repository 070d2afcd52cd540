"""What queries demand as rows of a CSV that holds other results as well: those of scores, or of
comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge_tui.analysis.demands import ClassDemand, Demanded
from judge_tui.report.classes.demand_document import demand_rows
from judge_tui.report.layout import Cell
from judge_tui.significance.arms import ArmComparison

__all__ = ["beside_rows"]

_TEST = ("statistic", "p", "p_greater", "p_less")


def beside_rows(
    header: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    found: Demanded,
    by: str | None,
    subset_of: Mapping[str, str],
    *,
    per_query: bool,
) -> tuple[Sequence[str], list[Sequence[Cell]]]:
    """The header and the rows with those of the demands below, and with the columns that these
    need. `by`: the field that slices are made by, None without slices;
    `subset_of`: query_id -> its subset."""
    if "baseline" in header:
        more = [f"mcnemar_{name}" for name in (*_TEST, "p_adjusted")]
        named = [_compared(one, arm, found) for one in found.classes for arm in one.beside]
    else:
        more = ["slice", "queries"]
        named = list(_scored(found, by, subset_of, per_query=per_query))
    wide = [*header, *(name for name in more if name not in header)]
    filled = [(*row, *[None] * (len(wide) - len(header))) for row in rows]
    return wide, [*filled, *(tuple(row.get(name) for name in wide) for row in named)]


def _scored(
    found: Demanded, by: str | None, subset_of: Mapping[str, str], *, per_query: bool
) -> Iterator[Mapping[str, Cell]]:
    tags = found.classes[0].tags if found.classes else ()
    for tag in tags:
        for query_id, demand, value, name, queries in demand_rows(found, tag, subset_of):
            if query_id and not per_query:
                continue
            yield {
                "tag": tag,
                "query_id": query_id or "all",
                "measure": demand,
                "value": value,
                "slice": "" if by is None else f"{by}={name}",
                "queries": queries,
            }


def _compared(one: ClassDemand, arm: ArmComparison, found: Demanded) -> Mapping[str, Cell]:
    low, high = arm.ci95 or (None, None)
    differ = len(arm.gained) + len(arm.lost)
    return {
        "measure": one.demand,
        "baseline": arm.baseline,
        "tag": arm.arm,
        "slice": one.name,
        "queries": arm.tasks,
        "baseline_mean": one.share(arm.baseline),
        "mean": one.share(arm.arm),
        "delta": arm.delta,
        "ci95_low": low,
        "ci95_high": high,
        "wins": len(arm.gained),
        "ties": arm.tasks - differ,
        "losses": len(arm.lost),
        "nonzero": differ,
        **{f"mcnemar_{name}": getattr(arm.test, name) for name in _TEST},
        "mcnemar_p_adjusted": arm.p_adjusted,
        "p_adjusted_of": found.settings.p_adjusted_of,
        "verdict": str(arm.verdict),
    }
