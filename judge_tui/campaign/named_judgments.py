"""Judgments of other tools under a campaign's names for queries, documents and grades."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from judge_tui.campaign.coded_ids import CodedIds
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.found_documents import FoundDocuments
from judge_tui.campaign.found_queries import FoundQueries
from judge_tui.campaign.grades import refuse_off_scale
from judge_tui.campaign.labelled import Labels, Said
from judge_tui.campaign.pool import pair_keys
from judge_tui.campaign.queries import add_queries, all_queries
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import JudgmentRow, decode_id
from judge_tui.formats.ids import as_field
from judge_tui.formats.named_queries import words_of
from judge_tui.model import Query, composed

__all__ = ["add_named_queries", "complete", "named_judgments"]


def complete(
    rows: Iterable[JudgmentRow], *, judge: str | None, query: str | None
) -> list[JudgmentRow]:
    """The rows, with the judge and the query that their file does not name; an open pair has no
    judge. One judge whose name is there in two forms of Unicode is one.

    Raises `UsageError` where it names none and nobody else does.
    """
    completed = []
    for row in rows:
        is_open = row.decision == "open"
        if not row.judge and judge is None and not is_open:
            raise UsageError("the file does not say who judged", "name the judge with --judge NAME")
        if not row.query_id and query is None:
            raise UsageError("the file does not say for which query", "name it with --query ID")
        named = row
        if not row.judge.isascii():
            named = named._replace(judge=composed(row.judge))
        if not row.judge and not is_open:
            named = named._replace(judge=composed(judge or ""))
        if not row.query_id:
            named = named._replace(query_id=as_field(query or ""))
        completed.append(named)
    return completed


def add_named_queries(
    campaign: Campaign, path: str | os.PathLike[str], rows: Iterable[JudgmentRow]
) -> int:
    """Give a campaign without queries those of the rows, where all have a text: under their ids,
    and those without as q1, q2 and so on; how many. Raises `InputError` for one id with two texts.
    """
    if all_queries(campaign):
        return 0
    texts: dict[str, str] = {}
    named: dict[str, str] = {}
    for row in rows:
        text = words_of(row.query_text)
        if not text:
            return 0
        query_id = decode_id(row.query_id)
        if row.by_text:
            texts.setdefault(text, row.query_text)
        elif words_of(named.setdefault(query_id, row.query_text)) != text:
            raise InputError(
                path,
                row.line,
                f"query {query_id!r} has another text here than before",
                "give each query an id of its own",
            )
    width = len(str(len(texts)))
    numbered = {f"q{number:0{width}}": text for number, text in enumerate(texts.values(), 1)}
    if clash := sorted(named.keys() & numbered.keys()):
        raise UsageError(
            f"some queries of the file have ids, such as {clash[0]!r}, and others have none",
            "load the queries first: load queries FILE",
        )
    queries = [Query(query_id, text) for query_id, text in (named | numbered).items()]
    add_queries(campaign, queries)
    return len(queries)


def named_judgments(
    campaign: Campaign,
    path: str | os.PathLike[str],
    rows: Sequence[JudgmentRow],
    *,
    by_text: bool = False,
    labels: Mapping[str, Said] | None = None,
    skip_unknown: bool = False,
) -> tuple[list[JudgmentRow], Counter[str], list[str]]:
    """The rows under native ids and with grades on the scale; by judge, how many were left out as
    of queries or texts that the campaign does not have; notes. `by_text`: no row has an id of a
    query.

    A text that several documents have is graded for each of them that is in the pool of the query.
    Raises `InputError`, and leaves out what `skip_unknown` lets it, also for a query whose id is
    that of another one here by the text that the row has.
    """
    queries = FoundQueries(campaign, path)
    grades = Labels(campaign, path, labels)
    documents = FoundDocuments(campaign, path, {row.passage for row in rows if not row.doc_id})
    coded = CodedIds(campaign, literal=True, fields=[row.doc_id for row in rows])
    pool = pair_keys(campaign)
    found: list[JudgmentRow] = []
    left_out: Counter[str] = Counter()
    for given in rows:
        row = grades.graded(given)
        refuse_off_scale(campaign, path, row)
        told_by_text = by_text or row.by_text
        if row.query_text and not queries.matching(row.query_id, by_text=told_by_text):
            row = row._replace(query_id=as_field(row.query_text))
            told_by_text = True
        query_id = queries.id_of(row, skip_unknown=skip_unknown, by_text=told_by_text)
        if not (
            query_id is None
            or told_by_text
            or queries.is_asked(row, query_id, row.query_text, skip_unknown=skip_unknown)
        ):
            query_id = None
        doc_ids = (
            [coded.native(row.doc_id)]
            if row.doc_id
            else documents.ids_of(row.passage, row.line, skip_unknown=skip_unknown)
        )
        if query_id is None or not doc_ids:
            left_out[row.judge] += 1
            continue
        pooled = [doc_id for doc_id in doc_ids if (query_id, doc_id) in pool]
        if len(doc_ids) > 1 and not pooled:
            raise InputError(
                path,
                row.line,
                f"{len(doc_ids)} documents of the campaign have this text, and none of them is in"
                f" the pool of {query_id!r}: {', '.join(doc_ids[:3])}",
                "add the id of the one that is meant, as 'doc_id'",
            )
        found += [row._replace(query_id=query_id, doc_id=doc_id) for doc_id in pooled or doc_ids]
    return found, left_out, queries.notes()
