"""What a model's grades do to the order of the systems, beside that by people's grades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judge_tui.analysis.judge_influence import Regrading, kendall_tau, order_of, tau_ap
from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.replay import verdict_changes, verdicts_on_pairs
from judge_tui.arrays import sorted_unique
from judge_tui.comparison.settings import FEWEST_QUERIES
from judge_tui.scoring import UNJUDGED, Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from judge_tui.arrays import Floats, Ints

TOP_SYSTEMS = 10


@dataclass(frozen=True, slots=True)
class PlaceGain:
    """A system by people's grades and by the model's: its means, its places (1 is the best, equal
    ones share the mean of theirs), and how many places it `gained` by the model. `kin`: it is of
    the model's own kind."""

    tag: str
    people: float
    model: float
    people_place: float
    model_place: float
    kin: bool

    @property
    def gained(self) -> float:
        """Places gained by the model's grades; negative where it lost some."""
        return self.people_place - self.model_place


@dataclass(frozen=True, slots=True)
class ModelOrder:
    """The order of the systems under a model's grades beside that under people's, both on the
    `pairs` that both graded, of so many `queries`.

    `tau` (Kendall's tau-b), `tau_ap` (the symmetric AP correlation), `tau_top`: tau among the
    systems above which people's grades have fewer than ten. Verdicts are on every two systems, by
    Wilcoxon's test at .05, corrected by Holm over all: of `compared` two, people's grades give
    `verdicts`; of these the model's have `lost` some, `flipped` some, and have `new` ones.
    `kin_gain`, `other_gain`: the mean gain of places of kin, and of others. What is None has its
    reason in `why`, by its name.
    """

    measure: str
    pairs: int = 0
    queries: int = 0
    systems: int = 0
    tau: float | None = None
    tau_ap: float | None = None
    tau_top: float | None = None
    compared: int | None = None
    verdicts: int | None = None
    lost: int | None = None
    new: int | None = None
    flipped: int | None = None
    kin_gain: float | None = None
    other_gain: float | None = None
    places: tuple[PlaceGain, ...] = ()
    why: Mapping[str, str] = field(default_factory=dict)


def model_order(
    judged: JudgedRuns, model: Ints, people: Ints, measure: Measure, kin: Sequence[str] = ()
) -> ModelOrder:
    """Score all runs by the model's and by people's grades, int[pairs] each, `UNJUDGED` for none;
    only pairs with both count, so that nothing differs but who graded. `kin`: tags of runs."""
    shared = (model >= 0) & (people >= 0)
    if not shared.any():
        return ModelOrder(measure.name, why={"order": "no pair was graded by the model and people"})
    regrading = Regrading(judged, measure)
    values = [regrading.values(np.where(shared, grades, UNJUDGED)) for grades in (people, model)]
    people_means, model_means = (measure.means(one) for one in values)
    scored = np.flatnonzero(~(np.isnan(people_means) | np.isnan(model_means)))
    queries = len(sorted_unique(judged.queries[shared]))
    pairs, systems = int(shared.sum()), len(scored)
    if systems < 2:
        reason = "fewer than two systems answer the queries of the pairs that both graded"
        return ModelOrder(measure.name, pairs, queries, systems, why={"order": reason})
    by_people, by_model = order_of(people_means[scored]), order_of(model_means[scored])
    top = np.flatnonzero((by_people < 0).sum(axis=1) < TOP_SYSTEMS)
    tags = [judged.lists.tags[run] for run in scored]
    columns = (people_means[scored], model_means[scored], places_of(by_people), places_of(by_model))
    of_kin = [tag in kin for tag in tags]
    rows = zip(tags, *(column.tolist() for column in columns), of_kin, strict=True)
    gains = sorted((PlaceGain(*row) for row in rows), key=lambda one: one.people_place)
    why: dict[str, str] = {}
    taus = {
        "tau": kendall_tau(by_people, by_model),
        "tau_ap": tau_ap(by_people, by_model),
        "tau_top": kendall_tau(by_people[np.ix_(top, top)], by_model[np.ix_(top, top)]),
    }
    for name, value in taus.items():
        if value is None:
            why[name] = "by the grades of people or of the model all these systems are equal"
    changes = _Verdicts()
    if queries < FEWEST_QUERIES:
        why["verdicts"] = f"both graded pairs of fewer than {FEWEST_QUERIES} queries"
    else:
        true, verdicts = (verdicts_on_pairs(one[scored]) for one in values)
        changes = _Verdicts(
            len(true), int(np.count_nonzero(true)), *verdict_changes(verdicts, true)
        )
    kin_gain, other_gain = (
        _mean_gain([one for one in gains if kin and one.kin is its]) for its in (True, False)
    )
    for name, gain in (("kin_gain", kin_gain), ("other_gain", other_gain)):
        if kin and gain is None:
            why[name] = "none of these systems is in the order"
    return ModelOrder(
        measure.name,
        pairs,
        queries,
        systems,
        taus["tau"],
        taus["tau_ap"],
        taus["tau_top"],
        *changes,
        kin_gain,
        other_gain,
        tuple(gains),
        why,
    )


def _mean_gain(gains: Sequence[PlaceGain]) -> float | None:
    return sum(one.gained for one in gains) / len(gains) if gains else None


def places_of(order: NDArray[np.int8]) -> Floats:
    """Return float64[n]: the place of each system in an order as `order_of` has it, 1 for the best;
    equal ones share the mean of theirs."""
    above, equal = (order < 0).sum(axis=1), (order == 0).sum(axis=1)
    places: Floats = above + (equal + 1) / 2
    return places


class _Verdicts(NamedTuple):
    compared: int | None = None
    verdicts: int | None = None
    lost: int | None = None
    new: int | None = None
    flipped: int | None = None
