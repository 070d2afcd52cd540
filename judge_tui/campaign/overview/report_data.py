"""Everything that the page for people who were not there says of a campaign, as of one moment."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from judge_tui.agreement.ratings import Ratings
from judge_tui.analysis.basis import Question
from judge_tui.analysis.document_slices import DocumentFacts, relevant_documents
from judge_tui.analysis.judge_orders import SystemOrders
from judge_tui.campaign.overview.agreement import orders_now, read_ratings
from judge_tui.campaign.overview.document_facts import QueryFacts, document_facts, query_facts
from judge_tui.campaign.overview.progress import Progress, progress
from judge_tui.campaign.overview.standing import ResultsNow, results_now
from judge_tui.campaign.store.adjudication import settled_by
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.pool import PoolSize, pool_size
from judge_tui.errors import UsageError
from judge_tui.formats.writing import qrels_bytes
from judge_tui.model import Scale
from judge_tui.scoring import Measure

__all__ = ["ReportData", "report_data"]


@dataclass(frozen=True, slots=True)
class ReportData:
    """`results` are the runs in the light of the grades, `progress` who did how much (coverage at
    the k that was asked for), `pool` how the pairs came there.

    `measure`: the one that the page goes by, the first of those asked for that measures quality;
    `orders`: what each judge makes of the systems by it, the final grades being by majority.
    `graded`: how many grades the judges gave who count, and how many of these came from files.
    `settled`: judge -> how many final grades that judge settled as lead. `documents`: kinds and
    lengths of the relevant ones. `settled_own`: how many of the settled pairs had been graded by
    the one who settled them.
    `digest`: SHA-256 of the qrels that `export qrels` would write.
    """

    name: str
    scale: Scale
    show_ranks: bool
    results: ResultsNow
    measure: Measure
    agreement: Ratings
    orders: SystemOrders
    progress: Progress
    pool: PoolSize
    graded: tuple[int, int]
    settled: Mapping[str, int]
    settled_own: int
    queries: QueryFacts
    documents: DocumentFacts
    digest: str


def report_data(campaign: Campaign, asked: Question, *, anonymous: bool = False) -> ReportData:
    """Read it. `anonymous`: judges have letters in place of names, in an order that tells nothing
    of the names.

    Raises `UsageError` as `results_now` does, and where no measure is one of quality.
    """
    with campaign.reading():
        results = results_now(campaign, asked)
        measure = _measure(results)
        judged, models = results.now.judged, results.basis.models
        data = ReportData(
            name=campaign.settings.name,
            scale=campaign.settings.scale,
            show_ranks=campaign.settings.show_ranks,
            results=results,
            measure=measure,
            orders=orders_now(campaign, measure, results.basis.baseline, include_models=models),
            agreement=read_ratings(campaign, include_models=models),
            progress=progress(campaign, depth=asked.k, include_models=models),
            pool=pool_size(campaign),
            graded=_graded(campaign, include_models=models),
            settled=settled_by(campaign),
            settled_own=campaign.rows(
                "SELECT count(*) FROM adjudications AS a JOIN decisions AS d"
                " ON d.judge = a.judge AND d.pair = a.pair AND d.action = 'grade'"
            )[0][0],
            queries=query_facts(campaign),
            documents=document_facts(campaign, relevant_documents(judged)),
            digest=_digest(campaign, results),
        )
    if not anonymous:
        return data
    return _with_letters(data, campaign.settings.campaign_id)


def _measure(results: ResultsNow) -> Measure:
    for measure in results.basis.measures:
        if measure.definition.quality:
            return measure
    raise UsageError(
        f"more of {results.basis.measures[0]} does not make a run better",
        "name a measure of quality with -m, such as nDCG@10",
    )


def _graded(campaign: Campaign, *, include_models: bool) -> tuple[int, int]:
    """All, and those that no screen was painted for."""
    ((every, loaded),) = campaign.rows(
        "SELECT count(*), coalesce(sum(d.from_file), 0) FROM decisions AS d"
        " JOIN judges AS j ON j.id = d.judge"
        " WHERE d.action = 'grade' AND (j.kind = 'human' OR ?)",
        (include_models,),
    )
    return every, loaded


def _digest(campaign: Campaign, results: ResultsNow) -> str:
    now = results.now
    at = now.pool.places_of(now.decided.pairs)
    queries = dict(campaign.rows("SELECT id, query_id FROM queries"))
    documents = dict(
        campaign.rows(
            "SELECT id, doc_id FROM documents WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(now.pool.documents[at].tolist()),),
        )
    )
    qrels: dict[str, dict[str, int]] = {}
    for query, document, grade in zip(
        now.pool.queries[at].tolist(),
        now.pool.documents[at].tolist(),
        now.decided.grades.tolist(),
        strict=True,
    ):
        qrels.setdefault(queries[query], {})[documents[document]] = grade
    return hashlib.sha256(qrels_bytes(qrels)).hexdigest()


def _with_letters(data: ReportData, campaign_id: str) -> ReportData:
    names = {judge.name for judge in data.progress.judges} | {*data.agreement.judges}
    order = sorted(
        names, key=lambda name: hashlib.sha256(f"{campaign_id}\n{name}".encode()).digest()
    )
    letter = {name: _letters(place) for place, name in enumerate(order)}
    told = letter.__getitem__
    orders = data.orders.called(letter)
    agreement = data.agreement.only(sorted(data.agreement.judges, key=told))
    basis = data.results.basis
    policy = basis.question.policy
    if policy.startswith("judge:"):
        policy = f"judge:{told(policy.removeprefix('judge:'))}"
    return replace(
        data,
        results=replace(
            data.results, basis=replace(basis, question=replace(basis.question, policy=policy))
        ),
        agreement=replace(agreement, judges=tuple(map(told, agreement.judges))),
        orders=replace(orders, winners=tuple(sorted(orders.winners, key=lambda one: one.judge))),
        progress=replace(
            data.progress,
            judges=tuple(
                sorted(
                    (replace(judge, name=told(judge.name)) for judge in data.progress.judges),
                    key=lambda judge: judge.name,
                )
            ),
        ),
        settled=dict(sorted((told(name), count) for name, count in data.settled.items())),
    )


def _letters(place: int) -> str:
    """A, B, … Z, AA, AB, …"""
    rest, last = divmod(place, 26)
    return (_letters(rest - 1) if rest else "") + chr(ord("A") + last)
