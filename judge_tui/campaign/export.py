"""The final grades, written as qrels with their provenance."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Mapping, Sized
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from judge_tui.agreement.decide import FinalGrades, checked_policy, decide_all
from judge_tui.campaign.adjudication import settled_by
from judge_tui.campaign.asked_queries import in_vain
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.grades import adjudications, grades_by_judge
from judge_tui.campaign.judges import all_judges, find_judge, policy_here
from judge_tui.campaign.pool import pair_keys, pool_is_empty
from judge_tui.campaign.provenance import (
    digest,
    exported_from,
    is_stream,
    refuse_beside,
    write_both,
)
from judge_tui.campaign.queries import all_queries
from judge_tui.campaign.typed import typed
from judge_tui.campaign.whose_grades import models_count
from judge_tui.errors import UsageError, unknown
from judge_tui.formats import qrels_bytes
from judge_tui.formats.ids import read_back_otherwise
from judge_tui.formats.provenance import TEXTS
from judge_tui.formats.qrels_files import QRELS_FORMS, foreign_qrels
from judge_tui.formats.writing import as_named

__all__ = [
    "Exported",
    "export_qrels",
    "final_grades",
    "refuse_judge",
    "refuse_ungraded",
    "refuse_unjudged",
    "refuse_unresolved",
]


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: pairs and queries, how many pairs each rule decided, what was left out; and
    how many doc_ids the format has no way to write so that they are read as they are. `in_vain`:
    queries that count beside these and that qrels cannot hold, as no system found anything for
    them, at `in_vain_failed` of which one failed."""

    pairs: int
    queries: int
    rules: dict[str, int]
    unresolved: int
    unjudged: int
    read_back_otherwise: int = 0
    in_vain: int = 0
    in_vain_failed: int = 0


def final_grades(
    campaign: Campaign,
    *,
    policy: str = "majority",
    undisputed_only: bool = False,
    include_models: bool | None = None,
) -> FinalGrades:
    """The final grade of every pair under a policy; see `agreement.decide_all`.

    Raises `UsageError` for an unknown policy or judge, and where nobody whose grades count has
    judged yet.
    """
    checked_policy(policy)
    policy = policy_here(campaign, policy)
    grades = grades_by_judge(campaign, include_models=include_models)
    settled = adjudications(campaign)
    refuse_ungraded(campaign, policy, grades, settled, include_models=include_models)
    return decide_all(
        grades,
        policy,
        adjudicated=settled,
        pool=pair_keys(campaign),
        undisputed_only=undisputed_only,
        scale=campaign.settings.scale.grades,
    )


def export_qrels(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    policy: str = "majority",
    unresolved: str = "refuse",
    include_models: bool | None = None,
    format: str = "trec",
    index: str | None = None,
) -> Exported:
    """Write the final grades to `path` as qrels, and `path`.provenance.json beside it: with the
    texts of the queries, where the qrels have ids for them.

    `format` is `trec` or one of `QRELS_FORMS`, of which some need the name of an `index`.
    Compressed where `path` ends with .gz. The qrels come last: where they are, so is their
    provenance. `unresolved`: `refuse` raises `UsageError` where the policy does not decide a pair
    that was judged, `skip` leaves such pairs out, `lead` takes only adjudicated and undisputed
    pairs. Pairs that nobody judged are left out and counted.
    """
    _refuse_target(path)
    with campaign.reading():
        final = final_grades(
            campaign,
            policy=policy,
            undisputed_only=unresolved == "lead",
            include_models=include_models,
        )
        judges = _judges(campaign)
        leads = {} if policy.startswith("judge:") else settled_by(campaign)
        texts = {query.query_id: query.text for query in all_queries(campaign)}
        vain = [failed for one, failed in in_vain(campaign).items() if one not in final.qrels]
    if unresolved == "refuse":
        refuse_unresolved(campaign, final, policy)
    exported = Exported(
        pairs=sum(len(grades) for grades in final.qrels.values()),
        queries=len(final.qrels),
        rules=final.rules,
        unresolved=len(final.unresolved),
        unjudged=len(final.unjudged),
        in_vain=len(vain),
        in_vain_failed=sum(vain),
    )
    has_ids = format == "trec" or not QRELS_FORMS[format].by_text
    content = (
        qrels_bytes(final.qrels)
        if format == "trec"
        else foreign_qrels(format, final.qrels, texts, index)
    )
    content = as_named(path, content)
    if format != "trec" and not QRELS_FORMS[format].any_id:
        docs = (doc_id for grades in final.qrels.values() for doc_id in grades)
        exported = replace(exported, read_back_otherwise=read_back_otherwise(docs))
    provenance = {
        **_provenance(campaign, exported, judges, leads),
        "format": format,
        "policy": policy,
        "unresolved": unresolved,
        "include_models": models_count(campaign, include_models),
        **digest(content),
    }
    if has_ids:
        provenance[TEXTS] = {query_id: texts[query_id] for query_id in final.qrels}
    write_both(path, content, provenance)
    return exported


def refuse_unresolved(campaign: Campaign, final: FinalGrades, policy: str) -> None:
    """Raise `UsageError` where pairs were judged and the policy does not decide them."""
    if not final.unresolved:
        return
    query_id, doc_id = final.unresolved[0]
    count = len(final.unresolved)
    what = "pair is" if count == 1 else "pairs are"
    review = typed(campaign.path, "review", "--lead NAME")
    raise UsageError(
        f"{count:,} {what} unresolved, judged but not decided by policy {policy!r}, the first"
        f" {query_id} {doc_id}",
        f"the lead settles them with {review}; or choose another --policy, or"
        " leave them out with --unresolved skip",
    )


def refuse_ungraded(
    campaign: Campaign,
    policy: str,
    graded: Collection[str],
    settled: Sized,
    *,
    include_models: bool | None,
) -> None:
    """Raise `UsageError` where the policy has nothing to decide by: where the judge whom it names
    is not among those who `graded`, or nobody is and no pair is `settled`."""
    judge = policy.partition(":")[2]
    if judge and judge not in graded:
        refuse_judge(campaign, judge, include_models=include_models)
    if not graded and not len(settled):
        refuse_unjudged(campaign)


def refuse_unjudged(campaign: Campaign) -> NoReturn:
    """Raise `UsageError`: there is no grade that counts."""
    models = any(judge.kind == "model" for judge in all_judges(campaign))
    raise UsageError(
        "no person has graded yet" if models else "nobody has judged yet",
        f"count grades of models with {typed(campaign.path, 'settings', 'include-models on')}"
        if models
        else _first_judge(campaign, "NAME"),
    )


def refuse_judge(campaign: Campaign, name: str, *, include_models: bool | None) -> NoReturn:
    """Raise `UsageError`: no grade of the judge of that name counts."""
    judge = find_judge(campaign, name)
    if judge is None:
        known = [judge.name for judge in all_judges(campaign)]
        if not known:
            raise UsageError("nobody has judged yet", _first_judge(campaign, name))
        raise unknown("judge", name, known)
    if judge.kind == "model" and not models_count(campaign, include_models):
        raise UsageError(f"judge {name!r} is a model", "count it with --include-models")
    raise UsageError(f"judge {name!r} has graded nothing yet", _first_judge(campaign, name))


def _first_judge(campaign: Campaign, name: str) -> str:
    if pool_is_empty(campaign):
        return f"first: {typed(campaign.path, 'pool')}"
    return f"first: {typed(campaign.path, 'judge', f'--judge {shlex.quote(name)}')}"


def _refuse_target(path: str | os.PathLike[str]) -> None:
    if is_stream(path):
        raise UsageError(
            f"beside {os.fspath(path)} there is no place for where the qrels come from",
            "give a file with -o FILE",
        )
    refuse_beside(path)


def _provenance(
    campaign: Campaign,
    exported: Exported,
    judges: list[dict[str, Any]],
    leads: Mapping[str, int],
) -> dict[str, Any]:
    """Where the grades came from."""
    return {
        **exported_from(campaign),
        "judges": judges,
        "settled_by": [{"name": name, "pairs": pairs} for name, pairs in leads.items()],
        "counts": {
            "queries": exported.queries,
            "pairs": exported.pairs,
            "rules": exported.rules,
            "unresolved": exported.unresolved,
            "not_judged": exported.unjudged,
            "asked_in_vain": exported.in_vain,
        },
    }


def _judges(campaign: Campaign) -> list[dict[str, Any]]:
    rows = campaign.rows(
        "SELECT j.name, j.kind, count(x.pair) FROM judges AS j"
        " LEFT JOIN decisions AS x ON x.judge = j.id AND x.action = 'grade'"
        " GROUP BY j.id ORDER BY j.name"
    )
    return [{"name": name, "kind": kind, "grades": grades} for name, kind, grades in rows]
