"""How far a campaign is: judges, runs, what is missing. The lead's view, not the judges'.

A million pairs are counted in half a second: what judges did is read as arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from judge_tui.arrays import Ints, sorted_unique
from judge_tui.campaign.overview.grading import decide_judgments, first_grades, models_count
from judge_tui.campaign.store.arrays import (
    CANNOT,
    NOT_DECIDED,
    SKIPPED,
    JudgmentArrays,
    assigned_slots,
    judgment_arrays,
    top_of_run,
)
from judge_tui.campaign.store.assignments import Dealt, how_dealt
from judge_tui.campaign.store.check import looks_damaged
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import (
    count_documents,
    missing_documents,
)
from judge_tui.campaign.store.judges import Judge, all_judges
from judge_tui.campaign.store.pool import is_part, pairs_pooled
from judge_tui.campaign.store.queries import query_keys
from judge_tui.campaign.store.runs import all_runs, asked_rows, queries_answered
from judge_tui.formats.latency_csv import latency_of
from judge_tui.place import Place

COVERAGE_DEPTH = 10


@dataclass(frozen=True, slots=True)
class AskedRun:
    """What a run was asked: so many `queries`, of which `nothing_found` have no result; at `failed`
    of these the system failed. `median_s` and `p95_s` (the nearest rank): the seconds of the others
    as far as they are known, None where none are."""

    queries: int
    nothing_found: int
    failed: int
    median_s: float | None
    p95_s: float | None


@dataclass(frozen=True, slots=True)
class JudgeProgress:
    """What one judge has to do and has done.

    `pairs`: the judge's share with its hidden `repeats`; the whole pool where nothing is assigned,
    and for a model, without what others have taken of a shared pool; 0 for a lead who has no share
    and has judged nothing. `graded`, `skipped`, `cannot` and `flagged` are all that holds, repeats
    too (`repeats_graded`); `outside` of what was decided is not in the share.
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

    @property
    def left(self) -> int:
        """How many of `pairs` are not decided; views leave it out of a model."""
        return self.pairs - (self.graded + self.skipped + self.cannot - self.outside)


@dataclass(frozen=True, slots=True)
class RunCoverage:
    """How much of a run's top results has a grade that counts (`Progress.judged`), over all its
    queries.

    `unresolved` of the judged have no final grade (`Progress.unresolved`): results, Judged@k too,
    count them as unjudged.
    """

    tag: str
    results: int
    pooled: int
    judged: int
    unresolved: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """The campaign at `path`, at a glance.

    `judged`: pairs with a grade that counts, or the lead's; `unresolved` of them no majority
    decides. `models`: grades of models count; `aside`: pairs that only models have graded where
    they do not. `assigned`: pooled pairs that somebody has, None where nothing is assigned;
    `is_shared`: one person judges each pair. Of the pairs in the top `depth` of any run, `to_pool`
    are not in the pool, and `to_judge` are there and not judged. `is_part`: the file is one judge's
    part. `asked`: by tag, where it is known. `damaged`: at a quick look, the file contradicts
    itself.
    """

    path: Place
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
    damaged: bool = False
    is_shared: bool = False

    @property
    def people(self) -> tuple[JudgeProgress, ...]:
        """Those who are to judge."""
        return tuple(judge for judge in self.judges if judge.kind == "human" and judge.pairs)


def progress(
    campaign: Campaign,
    *,
    depth: int = COVERAGE_DEPTH,
    include_models: bool | None = None,
    work: Mapping[Judge, JudgmentArrays] | None = None,
) -> Progress:
    """Count everything; `depth` is how far down the runs coverage looks. `include_models`: whether
    grades of models count; None: as the campaign's setting has it. `work`: of all judges, where it
    was read already."""
    models = models_count(campaign, include_models)
    with campaign.reading():
        judges = all_judges(campaign)
        work = work or {judge: judgment_arrays(campaign, judge.key) for judge in judges}
        slots = {judge: assigned_slots(campaign, judge.key) for judge in judges}
        assigned = len(sorted_unique(*(its // 2 for its in slots.values())))
        judgments = first_grades(campaign, include_models=include_models, work=work)
        decided = decide_judgments(campaign, judgments)
        judged = np.concatenate([decided.pairs, decided.unresolved])
        coverage, to_pool, to_judge = _coverage(campaign, depth, judged, decided.unresolved)
        documents, without_text = count_documents(campaign)
        pairs = pairs_pooled(campaign)
        is_shared = how_dealt(campaign) is Dealt.SHARED
        taken = _taken(work) if is_shared else None
        return Progress(
            path=campaign.path,
            queries=len(query_keys(campaign)),
            runs=len(coverage),
            documents=documents,
            documents_with_text=documents - without_text,
            pairs=pairs,
            assigned=assigned or None,
            judged=len(judged),
            unresolved=len(decided.unresolved),
            missing=tuple(missing_documents(campaign)),
            judges=tuple(
                _judge(
                    judge,
                    work[judge],
                    slots[judge],
                    None if assigned and judge.kind == "human" else pairs,
                    taken if judge.kind == "human" else None,
                )
                for judge in judges
            ),
            coverage=coverage,
            to_pool=to_pool,
            to_judge=to_judge,
            depth=depth,
            is_part=is_part(campaign),
            models=models,
            aside=0 if models else _aside(work, judged),
            asked=asked_runs(campaign),
            damaged=looks_damaged(campaign),
            is_shared=is_shared,
        )


def _aside(work: Mapping[Judge, JudgmentArrays], judged: Ints) -> int:
    """How many pairs models graded, and nobody who counts."""
    graded = sorted_unique(
        *(its.first_grades[0] for judge, its in work.items() if judge.kind == "model")
    )
    return int((~np.isin(graded, judged)).sum())


def _taken(work: Mapping[Judge, JudgmentArrays]) -> Ints:
    """The slots that people have decided otherwise than by a skip."""
    people = [its for judge, its in work.items() if judge.kind == "human"]
    return sorted_unique(
        *(its.slots[(its.codes != NOT_DECIDED) & (its.codes != SKIPPED)] for its in people)
    )


def _judge(
    judge: Judge, work: JudgmentArrays, slots: Ints, pool: int | None, taken: Ints | None
) -> JudgeProgress:
    """`slots`: what was assigned to the judge; `pool`: how many pairs there are, None for a
    person where pairs are assigned; `taken`: of a shared pool, the slots that people have decided,
    which are theirs alone."""
    decided, graded, again = work.decided, work.codes >= 0, work.slots % 2 == 1
    if pool is None:
        given = len(slots)
        inside = int(np.isin(decided, slots, assume_unique=True).sum())
    else:
        inside = int((decided % 2 == 0).sum())
        given = pool if inside or judge.role != "lead" else 0
        if given and taken is not None:
            given += int(np.isin(decided, taken, assume_unique=True).sum()) - len(taken)
    return JudgeProgress(
        name=judge.name,
        role=judge.role,
        kind=judge.kind,
        pairs=given,
        graded=int(graded.sum()),
        skipped=int((work.codes == SKIPPED).sum()),
        cannot=int((work.codes == CANNOT).sum()),
        flagged=int(work.flagged.sum()),
        repeats=int((slots % 2).sum()),
        outside=len(decided) - inside,
        repeats_graded=int((graded & again).sum()),
    )


def _coverage(
    campaign: Campaign, depth: int, judged: Ints, unresolved: Ints
) -> tuple[tuple[RunCoverage, ...], int, int]:
    """The runs, and over all of them `to_pool` and `to_judge`."""
    tops = {run.tag: top_of_run(campaign, run.key, depth) for run in all_runs(campaign)}
    size = 1 + max(int(pairs.max(initial=0)) for pairs in (judged, *tops.values()))
    is_judged, is_unresolved = np.zeros((2, size), dtype=np.bool_)
    is_judged[judged] = is_unresolved[unresolved] = True
    coverage = []
    for tag, pairs in tops.items():
        pooled = pairs[pairs > 0]
        counts = int(is_judged[pooled].sum()), int(is_unresolved[pooled].sum())
        coverage.append(RunCoverage(tag, len(pairs), len(pooled), *counts))
    retrieved = sorted_unique(*tops.values())
    pooled = retrieved[retrieved > 0]
    return tuple(coverage), len(retrieved) - len(pooled), int((~is_judged[pooled]).sum())


def asked_runs(campaign: Campaign) -> dict[str, AskedRun]:
    """tag -> what it was asked, for the runs of which that is known."""
    by_tag = {}
    for run in all_runs(campaign):
        asked = asked_rows(campaign, run.key)
        if asked:
            # Those at which the system did not fail, as far as they are known.
            took = sorted(
                took for took, failure in asked.values() if took is not None and not failure
            )
            latency = latency_of(took)
            by_tag[run.tag] = AskedRun(
                queries=len(asked),
                nothing_found=len(asked.keys() - queries_answered(campaign, run.key)),
                failed=sum(bool(failure) for _, failure in asked.values()),
                median_s=latency.median,
                p95_s=latency.p95,
            )
    return by_tag
