"""Two runs query by query."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from judge_tui.analysis.standing import Standing
from judge_tui.errors import UsageError, unknown
from judge_tui.scoring import Measure, mean
from judge_tui.significance import (
    BUCKETS,
    bootstrap_interval,
    measures_needed,
    on_grid,
    sort_changes,
    why_no_interval,
)

__all__ = ["Delta", "Deltas", "deltas", "place_of_run", "places_of"]


@dataclass(frozen=True, slots=True)
class Delta:
    """One query: what it is worth in the baseline and in the run, the difference, and what became
    of it (one of `significance.BUCKETS`). `query`: its place in the rankings. `nothing`: of either
    run why its list has no results, "" where it has some (`Rankings.nothing`)."""

    query: int
    query_id: str
    before: float
    after: float
    difference: float
    bucket: str
    nothing: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Deltas:
    """The queries that both runs are scored for, greatest gain first, ties by query id.

    `mean` is of the differences, with its 95 % bootstrap interval, None where `why` has the
    reason; both are None where there is no query. `only_baseline` and `only_run` count the queries
    that one of them alone is scored for; the interval is drawn from `seed`.
    """

    measure: Measure
    baseline: str
    tag: str
    rows: tuple[Delta, ...]
    mean: float | None
    ci95: tuple[float, float] | None
    wins: int
    ties: int
    losses: int
    only_baseline: int
    only_run: int
    seed: int

    @property
    def buckets(self) -> dict[str, int]:
        """How many queries are in each bucket."""
        return {name: sum(row.bucket == name for row in self.rows) for name in BUCKETS}

    @property
    def why(self) -> dict[str, str]:
        """Why there is no interval, where there is none."""
        return {"ci95": why_no_interval(len(self.rows))} if self.ci95 is None else {}


def deltas(
    standing: Standing,
    measure: Measure,
    baseline: str,
    tag: str,
    *,
    among: Set[str] | None = None,
    seed: int = 0,
) -> Deltas:
    """Compare two runs query by query; differences of less than 5e-10 are ties, as everywhere.

    The numbers are those of `compare`, whose usual seed is 0. `among`: the ids of the queries that
    count, None for all.

    Raises `UsageError` for a run that is not there, for a run beside itself, and for a measure of
    which more is not better.
    """
    before, after = places_of(standing, baseline, tag)
    found = measures_needed([measure])[-1]
    ids = standing.rankings.query_ids
    counts = np.array([among is None or query_id in among for query_id in ids], dtype=bool)
    one, other = standing.scored[before] & counts, standing.scored[after] & counts
    both = one & other
    places = both.nonzero()[0].tolist()
    values, hits = standing.values(measure), standing.values(found)
    differences = values[after] - values[before]
    changes = sort_changes(
        [ids[place] for place in places],
        differences[both],
        (hits[before][both] > 0).tolist(),
        (hits[after][both] > 0).tolist(),
    )
    bucket_of = {query_id: name for name in BUCKETS for query_id in getattr(changes, name)}
    steps = on_grid(differences[both]).tolist()
    step_of = dict(zip(places, steps, strict=True))
    rows = [
        Delta(
            query=place,
            query_id=ids[place],
            before=float(values[before, place]),
            after=float(values[after, place]),
            difference=float(differences[place]),
            bucket=bucket_of[ids[place]],
            nothing=(
                standing.rankings.nothing(before, place),
                standing.rankings.nothing(after, place),
            ),
        )
        for place in sorted(places, key=lambda place: (-step_of[place], ids[place]))
    ]
    # As `compare` has it: the difference of the means, 0 where that is rounding.
    delta = mean(values[after][both].tolist()) - mean(values[before][both].tolist()) if rows else 0
    return Deltas(
        measure=measure,
        baseline=baseline,
        tag=tag,
        rows=tuple(rows),
        mean=(delta if on_grid([delta]).any() else 0.0) if rows else None,
        ci95=bootstrap_interval(differences[both], seed) if rows else None,
        wins=sum(step > 0 for step in steps),
        ties=sum(step == 0 for step in steps),
        losses=sum(step < 0 for step in steps),
        only_baseline=int((one & ~both).sum()),
        only_run=int((other & ~both).sum()),
        seed=seed,
    )


def places_of(standing: Standing, *tags: str) -> tuple[int, ...]:
    """Where runs that are shown beside each other stand in the rankings. Raises `UsageError` for a
    run that is not there, and for a run beside itself."""
    places = tuple(place_of_run(standing, tag) for tag in tags)
    if len(set(tags)) < len(tags):
        raise UsageError(
            f"run {tags[-1]!r} beside itself shows nothing", "name two runs, or this one once"
        )
    return places


def place_of_run(standing: Standing, tag: str) -> int:
    """Where the run stands in the rankings. Raises `UsageError` where it does not."""
    tags = standing.rankings.tags
    if tag not in tags:
        raise unknown("run", tag, tags)
    return tags.index(tag)
