"""The campaign as it can be scored now: its current grades, and of its runs what is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from judge_tui.analysis.basis import GradesUsed, KeptRuns
from judge_tui.analysis.unbiased import JudgedUnion
from judge_tui.campaign.overview.enough import sampled_union
from judge_tui.campaign.overview.grading import ids_of_pairs, name_grades
from judge_tui.campaign.overview.model_grades import filling_model
from judge_tui.campaign.overview.standing import baseline_of, runs_now
from judge_tui.campaign.store.arrays import stands_for
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.queries import all_queries, query_keys
from judge_tui.campaign.store.runs import RunRecord, all_runs, asked_rows, kept_lists
from judge_tui.errors import UsageError
from judge_tui.model import STAND_INS, Pair, Qrels, Query, Run
from judge_tui.scoring import Measure, Rules
from judge_tui.scoring.filled import StandIn
from judge_tui.truths import OrderDemands


@dataclass(frozen=True, slots=True)
class QrelsAndRuns:
    """Current grades and kept runs, in the ids that exported files have, so that both score alike.

    `grades`: how these came about. `queries` are all of the campaign's, `scale` its grades,
    ascending. `baseline`: the tag of the run that others are compared with. `failed`: tag ->
    query_id -> why the system failed at a query that somebody judged, for the runs that failed at
    any. `union`: as `sampled_union`; `stands_for`: of how many documents each of those drawn tells.
    `model`: the name of that whose grades, `by_model`, stand for those that are missing, "" for
    none.
    """

    name: str
    grades: GradesUsed
    qrels: Qrels
    runs: tuple[Run, ...]
    baseline: str
    kept_runs: KeptRuns
    queries: tuple[Query, ...]
    scale: tuple[int, ...]
    failed: Mapping[str, Mapping[str, str]]
    union: JudgedUnion | None = None
    stands_for: Mapping[Pair, float] = field(default_factory=dict)
    model: str = ""
    by_model: Mapping[Pair, int] = field(default_factory=dict)

    def refuse_too_deep(
        self,
        measures: Sequence[Measure],
        demands: OrderDemands,
        rules: Rules,
        *,
        whole_lists: bool = False,
    ) -> None:
        """As `KeptRuns` does; and where a list may have gone on behind what is kept of it, which
        does not decide a measure of the order of results, `UsageError`, too."""
        self.kept_runs.refuse_too_deep(measures, rules, whole_lists=whole_lists)
        ordered = [measure for measure in measures if measure.definition.of_order]
        for run, kept in zip(self.runs, self.kept_runs, strict=True):
            if rules.depth is not None and rules.depth <= kept.depth:
                continue
            for measure in ordered:
                demand = measure.definition.demand or ""
                for query_id, its in demands.items():
                    found = run.scores.get(query_id, {})
                    open_end = demand in its and kept.may_go_on(len(found))
                    if open_end and not its[demand].decided_by(found):
                        raise UsageError(
                            f"{measure} of query {query_id!r} looks {kept.beyond}",
                            "load it again with a greater --depth, or look at the first"
                            f" -M {kept.depth} alone",
                        )


def qrels_and_runs(
    campaign: Campaign,
    tags: Sequence[str] = (),
    *,
    baseline: str | None = None,
    join_baseline: bool = False,
    policy: str = "majority",
    include_models: bool | None = None,
    unjudged: StandIn = "zero",
) -> QrelsAndRuns:
    """The runs of those tags (default: all, as they were loaded) with the grades of this moment.
    The `baseline` joins them; without one, with `join_baseline` a single run is
    joined by the campaign's.

    `policy` and `include_models` as in `final_grades`; unresolved pairs are left out and counted.
    `unjudged`: where it is a model, its grades are read, too. Raises `UsageError` for a tag that is
    not there, for a campaign without runs, for a model that cannot fill (`filling_model`), and
    where nobody has judged yet.
    """
    with campaign.reading():
        if baseline is None and join_baseline and len(tags) == 1:
            known = {one.tag for one in all_runs(campaign)}
            baseline = campaign.settings.baseline if campaign.settings.baseline in known else None
        if tags and baseline is not None:
            tags = list(dict.fromkeys([baseline, *tags]))
        now = runs_now(campaign, tags, policy=policy, include_models=include_models)
        qrels = name_grades(campaign, now.grading).qrels
        lists = now.run_lists.lists
        runs = read_runs(campaign, now.run_lists.records)
        baseline = baseline_of(campaign, now.run_lists.lists.tags)
        queries = tuple(all_queries(campaign))
        union = sampled_union(campaign, now.grading)
        pool = now.grading.pool
        weights = stands_for(campaign, pool)
        drawn = ids_of_pairs(campaign, pool, pool.pairs[weights > 0])
        model, by_model = "", {}
        if unjudged not in STAND_INS:
            its = filling_model(campaign, unjudged, now.grading)
            graded = its.grades >= 0
            pairs = ids_of_pairs(campaign, pool, pool.pairs[graded])
            model, by_model = its.name, dict(zip(pairs, its.grades[graded].tolist(), strict=True))
    failed: dict[str, dict[str, str]] = {}
    for (run, query), why in lists.failed.items():
        if (query_id := lists.query_ids[query]) in qrels:
            failed.setdefault(lists.tags[run], {})[query_id] = why
    return QrelsAndRuns(
        name=campaign.settings.name,
        grades=now.grading.used,
        qrels=qrels,
        runs=runs,
        baseline=baseline,
        kept_runs=now.kept_runs,
        queries=queries,
        scale=tuple(sorted(campaign.settings.scale.grades)),
        failed=failed,
        union=union,
        stands_for=dict(zip(drawn, weights[weights > 0].tolist(), strict=True)),
        model=model,
        by_model=by_model,
    )


def read_runs(campaign: Campaign, records: Sequence[RunRecord]) -> tuple[Run, ...]:
    """What is kept of these runs, and what they were asked. Read inside `reading`."""
    names = {key: query_id for query_id, key in query_keys(campaign).items()}
    asked = (frozenset(names[key] for key in asked_rows(campaign, run.key)) for run in records)
    return tuple(
        Run(tag, lists, its)
        for (tag, lists), its in zip(kept_lists(campaign, records), asked, strict=True)
    )
