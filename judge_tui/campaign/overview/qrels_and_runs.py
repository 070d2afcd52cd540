"""The campaign as it can be scored now: its current grades, and of its runs what is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from judge_tui.analysis.basis import KeptRuns
from judge_tui.campaign.overview.grading import final_grades
from judge_tui.campaign.overview.standing import baseline_of
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import models_count, only_models
from judge_tui.campaign.store.queries import all_queries
from judge_tui.campaign.store.runs import chosen_runs, failures_of, scores_kept
from judge_tui.errors import UsageError
from judge_tui.model import Qrels, Query, Run
from judge_tui.scoring import Measure, Rules
from judge_tui.truths import OrderDemands

__all__ = ["QrelsAndRuns", "qrels_and_runs"]


@dataclass(frozen=True, slots=True)
class QrelsAndRuns:
    """Current grades and kept runs, in the ids that exported files have, so that both score alike.

    `queries` are all of the campaign's, `scale` its grades, ascending; `unresolved` and
    `unjudged` count the pooled pairs that have no grade: judged, but not decided by the policy, and
    judged by nobody. `baseline`: the tag of the run that others are compared with. `models`: grades
    of models count; `only_models`: and there are no others. `failed`: tag -> query_id -> why the
    system failed at a query that somebody judged, for the runs that failed at any.
    """

    name: str
    policy: str
    qrels: Qrels
    runs: tuple[Run, ...]
    baseline: str
    kept: KeptRuns
    queries: tuple[Query, ...]
    unresolved: int
    unjudged: int
    scale: tuple[int, ...]
    models: bool
    only_models: bool
    failed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

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
        self.kept.refuse_too_deep(measures, rules, whole_lists=whole_lists)
        ordered = [measure for measure in measures if measure.definition.of_order]
        for run, kept in zip(self.runs, self.kept, strict=True):
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
    policy: str = "majority",
    include_models: bool | None = None,
) -> QrelsAndRuns:
    """The runs of those tags (default: all, as they were loaded) with the grades of this moment.

    `policy` and `include_models` as in `final_grades`; unresolved pairs are left out and counted.
    Raises `UsageError` for a tag that is not there, for a campaign without runs, and where nobody
    has judged yet.
    """
    with campaign.reading():
        chosen = chosen_runs(campaign, tags)
        final = final_grades(campaign, policy=policy, include_models=include_models)
        models = models_count(campaign, include_models)
        alone = only_models(campaign, include_models)
        qrels = final.qrels
        runs = tuple(
            Run(run.tag, scores_kept(campaign, run.key), _asked(campaign, run.key))
            for run in chosen
        )
        failed = {run.tag: failures_of(campaign, run.key) for run in chosen}
        queries = tuple(all_queries(campaign))
    kept = [run.kept() for run in chosen]
    lengths = [[len(run.scores.get(query_id, ())) for query_id in qrels] for run in runs]
    cut = KeptRuns(
        replace(run, cut=any(map(run.may_go_on, its)))
        for run, its in zip(kept, lengths, strict=True)
    )
    return QrelsAndRuns(
        name=campaign.settings.name,
        policy=policy,
        qrels=qrels,
        runs=runs,
        baseline=baseline_of(campaign, [run.tag for run in chosen]),
        kept=cut,
        queries=queries,
        unresolved=len(final.unresolved),
        unjudged=len(final.unjudged),
        scale=tuple(sorted(campaign.settings.scale.grades)),
        models=models,
        only_models=alone,
        failed={
            tag: judged
            for tag, reasons in failed.items()
            if (judged := {q: why for q, why in reasons.items() if q in qrels})
        },
    )


def _asked(campaign: Campaign, run: int) -> frozenset[str]:
    rows = campaign.rows(
        "SELECT query_id FROM asked AS a JOIN queries AS q ON q.id = a.query WHERE a.run = ?",
        (run,),
    )
    return frozenset(query_id for (query_id,) in rows)
