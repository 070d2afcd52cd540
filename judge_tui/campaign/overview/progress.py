"""How far a campaign is: judges, runs, what is missing. The lead's view, not the judges'.

A million pairs are counted in about a second: what judges did is read as arrays (`held`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.agreement.decide import Judgments, decide
from judge_tui.campaign.store.arrays import (
    CANNOT,
    SKIPPED,
    Held,
    adjudicated_pairs,
    flagged_slots,
    held_decisions,
    judges_in_the_app,
    numbers,
    packed_numbers,
)
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import missing_documents
from judge_tui.campaign.store.judges import Judge, all_judges, models_count
from judge_tui.campaign.store.pool import is_part
from judge_tui.campaign.store.runs import AskedRun, asked_runs

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["JudgeProgress", "Progress", "RunCoverage", "progress"]


COVERAGE_DEPTH = 10

_NONE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class JudgeProgress:
    """What one judge has to do and has done.

    `pairs` is what the judge has been given: the whole pool, or, once pairs are assigned, those of
    this judge and the hidden `repeats` among them; nothing, for a lead who was given no share and
    has judged nothing: who settles what others judge. `from_file`: all that the judge has decided
    came from files, but for corrections of it, and no share was given; what came is then all that
    there is to do. `graded`, `skipped`, `cannot` and `flagged`
    are all that holds, repeats too (`repeats_graded` of the graded); `outside` of what was decided
    lies outside of what was given.
    """

    name: str
    role: str
    kind: str
    pairs: int
    graded: int
    skipped: int
    cannot: int
    flagged: int
    repeats: int = 0
    outside: int = 0
    repeats_graded: int = 0
    from_file: bool = False

    @property
    def left(self) -> int:
        """What was given and is not decided yet."""
        return self.pairs - (self.graded + self.skipped + self.cannot - self.outside)


@dataclass(frozen=True, slots=True)
class RunCoverage:
    """How much of a run's top results has a grade that counts (`Progress.judged`), over all its
    queries.

    `unresolved` of the judged have no final grade (`Progress.unresolved`): results count them
    as unjudged.
    """

    tag: str
    results: int
    pooled: int
    judged: int
    unresolved: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """The campaign in the file `path`, at a glance.

    `judged` counts the pairs that have a grade that counts, or the lead's; `unresolved` those of
    them that no majority decides; `models` says whether grades of models count, and `aside` counts
    the pairs that only models have graded where they do not. `assigned`
    counts the pooled pairs that were given to somebody, None where none is assigned and every judge
    sees the whole pool. `to_pool` counts the pairs of a query and a document in the top `depth` of
    any run that are not in the pool, `to_judge` those that are and are not judged. `is_part`: the
    file is one judge's part, to be sent home. `asked`: by tag, for runs of which it is known.
    """

    path: Path
    queries: int
    runs: int
    documents: int
    documents_with_text: int
    pairs: int
    assigned: int | None
    judged: int
    unresolved: int
    missing: tuple[str, ...]
    judges: tuple[JudgeProgress, ...]
    coverage: tuple[RunCoverage, ...]
    to_pool: int
    to_judge: int
    depth: int = COVERAGE_DEPTH
    is_part: bool = False
    models: bool = False
    aside: int = 0
    asked: Mapping[str, AskedRun] = field(default_factory=dict)

    @property
    def people(self) -> tuple[JudgeProgress, ...]:
        """Those who are to judge."""
        people = (judge for judge in self.judges if judge.kind == "human" and judge.pairs)
        return tuple(judge for judge in people if not judge.from_file)

    @property
    def files(self) -> tuple[JudgeProgress, ...]:
        """The people whose grades came from files, who are not to judge."""
        return tuple(one for one in self.judges if one.kind == "human" and one.from_file)


def progress(
    campaign: Campaign, *, depth: int = COVERAGE_DEPTH, include_models: bool | None = None
) -> Progress:
    """Count everything; `depth` is how far down the runs coverage looks. `include_models`: whether
    grades of models count; None: as the campaign's setting has it."""
    with campaign.reading():
        (queries, runs, documents, with_text, pairs, greatest, assigned) = campaign.rows(
            "SELECT (SELECT count(*) FROM queries), (SELECT count(*) FROM runs),"
            " (SELECT count(*) FROM documents), (SELECT count(text) FROM documents),"
            " (SELECT count(*) FROM pool), (SELECT coalesce(max(id), 0) FROM pool),"
            " (SELECT count(DISTINCT pair) FROM assignments)"
        )[0]
        judges = all_judges(campaign)
        in_the_app = judges_in_the_app(campaign)
        held = [held_decisions(campaign, judge.key) for judge in judges]
        given = {
            judge.name: grades
            for judge, one in zip(judges, held, strict=True)
            if len((grades := one.first_grades())[0])
        }
        models = models_count(campaign, include_models)
        people = {judge.name for judge in judges if judge.kind == "human"}
        that_count = {name: its for name, its in given.items() if models or name in people}
        settled = adjudicated_pairs(campaign)
        undecided = _unresolved(that_count, settled)
        unresolved = _at(greatest, undecided)
        judged = _at(greatest, settled, *(pairs for pairs, _ in that_count.values()))
        by_anybody = _at(greatest, settled, *(pairs for pairs, _ in given.values()))
        coverage, to_pool, to_judge = _coverage(campaign, depth, judged, unresolved)
        return Progress(
            path=campaign.path,
            queries=queries,
            runs=runs,
            documents=documents,
            documents_with_text=with_text,
            pairs=pairs,
            assigned=assigned or None,
            judged=int(judged.sum()),
            unresolved=len(undecided),
            missing=tuple(missing_documents(campaign)),
            judges=tuple(
                _judge(campaign, judge, one, None if assigned else pairs, judge.key in in_the_app)
                for judge, one in zip(judges, held, strict=True)
            ),
            coverage=coverage,
            to_pool=to_pool,
            to_judge=to_judge,
            depth=depth,
            is_part=is_part(campaign),
            models=models,
            aside=int((by_anybody & ~judged).sum()),
            asked=asked_runs(campaign),
        )


def _at(greatest: int, *pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """bool[greatest + 1]: which keys are among the pairs."""
    found = np.zeros(greatest + 1, dtype=np.bool_)
    for keys in pairs:
        found[keys] = True
    return found


def _unresolved(given: Judgments, settled: NDArray[np.int64]) -> NDArray[np.int64]:
    """The pairs (keys) that were judged and are not `settled`, and that no majority decides."""
    # Up to the greatest grade that was given: one that is off the scale is counted here, too.
    greatest = max((int(grades.max(initial=0)) for _, grades in given.values()), default=0)
    lead = (settled, np.zeros_like(settled))
    return decide(given, "majority", range(greatest + 1), settled=lead).unresolved


def _judge(
    campaign: Campaign, judge: Judge, held: Held, pool: int | None, in_the_app: bool
) -> JudgeProgress:
    """`pool`: how many pairs everybody has been given; None where pairs are assigned."""
    slots = _NONE
    if pool is None:
        slots = numbers(
            campaign,
            "SELECT 2 * pair + turn FROM assignments WHERE judge = ? ORDER BY pair, turn",
            (judge.key,),
        )
        given, repeats = len(slots), int((slots % 2).sum())
        inside = int(np.isin(held.slots, slots, assume_unique=True).sum())
    else:
        inside = int((held.slots % 2 == 0).sum())
        given, repeats = (pool if inside or judge.role != "lead" else 0), 0
    from_file = len(held.slots) > 0 and not in_the_app and not len(slots)
    if from_file:
        given = inside = len(held.slots)
    return JudgeProgress(
        name=judge.name,
        role=judge.role,
        kind=judge.kind,
        pairs=given,
        graded=int(held.graded.sum()),
        skipped=int((held.codes == SKIPPED).sum()),
        cannot=int((held.codes == CANNOT).sum()),
        flagged=len(flagged_slots(campaign, judge.key)),
        repeats=repeats,
        outside=len(held.slots) - inside,
        repeats_graded=int((held.graded & (held.slots % 2 == 1)).sum()),
        from_file=from_file,
    )


def _coverage(
    campaign: Campaign, depth: int, judged: NDArray[np.bool_], unresolved: NDArray[np.bool_]
) -> tuple[tuple[RunCoverage, ...], int, int]:
    """The runs, and over all of them `to_pool` and `to_judge`. `judged` and `unresolved`: by key of
    a pair."""
    # From each query to its first ranks: a run that is kept deep is not read to its end. What is
    # not in the pool has no key there, and gets a negative number of its own.
    pairs_of = (
        "SELECT coalesce(p.id, -((q.id << 31) + r.document)) AS packed FROM queries AS q"
        " CROSS JOIN results AS r ON r.run = ? AND r.query = q.id AND r.rank <= ?"
        " LEFT JOIN pool AS p ON p.query = r.query AND p.document = r.document"
    )
    found = []
    outside = np.empty(0, dtype=np.int64)
    retrieved = np.zeros(len(judged), dtype=np.bool_)
    for key, tag in campaign.rows("SELECT id, tag FROM runs ORDER BY loaded_at, id"):
        pairs = packed_numbers(campaign, pairs_of, (key, depth))
        pooled = pairs[pairs > 0]
        counts = (int(judged[pooled].sum()), int(unresolved[pooled].sum()))
        found.append(RunCoverage(tag, len(pairs), len(pooled), *counts))
        outside = np.union1d(outside, pairs[pairs < 0])
        retrieved[pooled] = True
    return tuple(found), len(outside), int((retrieved & ~judged).sum())
