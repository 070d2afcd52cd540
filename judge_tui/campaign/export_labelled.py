"""Every rater's judgments as files of judging tools, and the pool to be judged in one of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, cast

from judge_tui.campaign.chosen_judgments import chosen_judgments
from judge_tui.campaign.export_judgments import Judgment
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.labelled import Labels
from judge_tui.campaign.pool import pair_keys
from judge_tui.campaign.queries import all_queries
from judge_tui.campaign.typed import typed
from judge_tui.errors import UsageError
from judge_tui.formats import JudgmentRow
from judge_tui.formats.ids import read_back_otherwise, table_field
from judge_tui.formats.judgments import Decision
from judge_tui.formats.labelling_files import JUDGMENT_FILES, POOL_FILES, Pair, Task
from judge_tui.formats.row_files import write_lines

if TYPE_CHECKING:
    from judge_tui.model import Query

__all__ = ["ExportedLabelled", "ExportedPool", "export_labelled", "export_pool"]


@dataclass(frozen=True, slots=True)
class ExportedLabelled:
    """How many judgments were written; what the form has no place for, counted where it can be."""

    judgments: int
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExportedPool:
    """How many pairs of how many queries were written, and how many there are without a text:
    `left_out` where the form cannot hold those."""

    pairs: int
    queries: int
    without_text: int
    left_out: bool


def export_labelled(
    campaign: Campaign,
    path: str | os.PathLike[str],
    form: str,
    *,
    include_models: bool | None = None,
    judge: str | None = None,
    query: str | None = None,
) -> ExportedLabelled:
    """Write the judgments that hold, each judge's as the judge's, as one of `JUDGMENT_FILES`; of
    one `judge` or for one `query`, where these are given.

    Raises what `export_judgments` does, and `UsageError` where the form holds models' judgments
    alone and no model has judged, and where it wants a judge and a query.
    """
    file = JUDGMENT_FILES[form]
    if file.of_one_judge and (judge is None or query is None):
        raise UsageError(
            f"{form} holds what one judge said for one query",
            "name them with --judge NAME and --query ID",
        )
    with campaign.reading():
        kept, left = chosen_judgments(
            campaign,
            decisions=file.decisions,
            kinds=file.kinds,
            greatest=file.greatest,
            include_models=include_models,
            judge=judge,
            query=query,
        )
        if not kept and "human" not in file.kinds:
            raise UsageError(
                f"no judge of kind model has graded, and {form} holds what models said",
                "take another form, or load a model's grades: load qrels --kind model",
            )
        if not file.models_skip:
            skipped = [one for one in kept if (one.kind, one.decision) == ("model", "skip")]
            kept = [one for one in kept if (one.kind, one.decision) != ("model", "skip")]
            left["skipped by models"] = len(skipped)
        if not file.notes:
            left["notes"] = sum(bool(one.note) for one in kept)
        left["ids of documents that are read back otherwise"] = read_back_otherwise(
            one.doc_id for one in kept
        )
        write_lines(path, file.lines(_tasks(campaign, kept)))
    counted = [f"{what}: {count:,}" for what, count in left.items() if count]
    return ExportedLabelled(len(kept), (*counted, file.left_out))


def export_pool(campaign: Campaign, path: str | os.PathLike[str], form: str) -> ExportedPool:
    """Write the pairs of the pool with their texts and nothing that was said of them, as one of
    `POOL_FILES`: by query in the order of the campaign, and by doc_id, so that no place in the file
    tells a rank. Raises `UsageError` for an empty pool."""
    with campaign.reading():
        wanted = pair_keys(campaign)
        if not wanted:
            raise UsageError("the pool is empty", f"first: {typed(campaign.path, 'pool')}")
        of_query: dict[str, list[str]] = {}
        for query_id, doc_id in sorted(wanted):
            of_query.setdefault(query_id, []).append(doc_id)
        file = POOL_FILES[form]
        written: Counter[str] = Counter()
        without = 0

        def tasks() -> Iterator[Task]:
            nonlocal without
            for query in all_queries(campaign):
                for doc_id in of_query.get(query.query_id, ()):
                    pair = _pair(campaign, query, doc_id)
                    has_text = bool((pair.title + pair.text).strip())
                    without += not has_text
                    if has_text or not file.wants_text:
                        written[query.query_id] += 1
                        yield pair, ()

        write_lines(path, file.lines(tasks()))
    return ExportedPool(written.total(), len(written), without, file.wants_text)


def _tasks(campaign: Campaign, kept: Iterable[Judgment]) -> Iterator[Task]:
    labels = Labels(campaign, campaign.path)
    queries = {query.query_id: query for query in all_queries(campaign)}
    for (query_id, doc_id), those in groupby(kept, key=attrgetter("query_id", "doc_id")):
        pair = _pair(campaign, queries[query_id], doc_id)
        yield pair, [_row(one, labels) for one in those]


def _row(one: Judgment, labels: Labels) -> JudgmentRow:
    decision = cast(Decision, one.decision)
    return JudgmentRow(
        0,
        one.query_id,
        one.doc_id,
        one.judge,
        decision,
        one.grade,
        one.note,
        label=labels.label_of(decision, one.grade),
        kind=one.kind,
        seconds=one.seconds,
    )


def _pair(campaign: Campaign, query: Query, doc_id: str) -> Pair:
    ((title, text),) = campaign.rows(
        "SELECT title, text FROM documents WHERE doc_id = ?", (doc_id,)
    )
    return Pair(
        table_field(query.query_id),
        query.text,
        query.narrative,
        table_field(doc_id),
        title,
        text or "",
    )
