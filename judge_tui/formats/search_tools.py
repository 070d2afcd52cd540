"""Graded queries as search engines and their tools keep them in JSON: OpenSearch's judgment lists,
`_rank_eval` of Elasticsearch and OpenSearch, and ranx.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, SupportsIndex

from judge_tui.formats.json_document import (
    Node,
    document_in,
    each,
    json_text,
    list_of_objects,
    objects_in,
)
from judge_tui.formats.judgments import QrelsRow, RunRow, grade_in
from judge_tui.formats.numbers import score_of
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.query_names import numbered_queries
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.tables import id_of
from judge_tui.formats.writers import QrelsToWrite, RunToWrite
from judge_tui.model import Query

_PAIRS = 'write {"query_id": {"doc_id": number}}'
_RATINGS = "judgmentRatings"


# ---- ranx, and pytrec_eval ----


def ranx_run(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Yield every pair of `{"query_id": {"doc_id": score}}`, as ranx saves a run and pytrec_eval
    takes it. A query without documents was asked, and nothing was found."""
    for line, query_id, doc_id, value in _ranx(source, report, score_of):
        yield RunRow(line, query_id, doc_id, value or 0.0, None)


def ranx_qrels(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Yield every pair of `{"query_id": {"doc_id": grade}}`."""
    for line, query_id, doc_id, value in _ranx(source, report, lambda one: grade_in(one, report)):
        if doc_id:
            yield QrelsRow.of(line, query_id, doc_id, value)


def _ranx(
    source: Source, report: Reporter, number_of: Callable[[object], Any]
) -> Iterator[tuple[SupportsIndex, str, str, Any]]:
    root = document_in(source)
    if not isinstance(root, Node):
        if root is not None:
            raise UnreadableError(source.path, 1, "this is not an object", _PAIRS)
        return
    for query, docs in root.items():
        try:
            query_id = id_of(query, "query")
            if not isinstance(docs, Node):
                raise RecordError(f"query {quoted(query)} has no object of documents", _PAIRS)
        except RecordError as error:
            report.refuse(error, root.line_of(query))
            continue
        if not docs:
            yield docs, query_id, "", None
        for doc, value in docs.items():
            try:
                if not isinstance(value, int | float) or isinstance(value, bool):
                    raise RecordError(f"{value!r:.60} is not a number", _PAIRS)
                pair = id_of(doc, "document"), number_of(value)
            except RecordError as error:
                within = f"query {quoted(query)}, document {quoted(doc)}"
                report.refuse(error, docs.line_of(doc), within)
                continue
            yield docs, query_id, *pair


# ---- OpenSearch and Elasticsearch ----


def opensearch_rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Yield every rating of `judgmentRatings`: of the body of an import, or of the first judgment
    list that a search found."""

    def rows(query: Node) -> Iterator[QrelsRow]:
        return _rated(query, query.query_text("query"), "docId", report)

    return each(_judgment_list(source), rows, report)


def opensearch_queries(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Query]]:
    """Yield the queries of OpenSearch's judgment lists, where each first comes."""

    def queries(query: Node) -> Iterator[tuple[SupportsIndex, Query]]:
        yield query, Query("", query.query_text("query"))

    return numbered_queries(each(_judgment_list(source), queries, report))


def _judgment_list(source: Source) -> list[Node]:
    root = document_in(source)
    if isinstance(root, Node) and _RATINGS not in root:
        hits = root.get("hits")
        found = hits.get("hits") if isinstance(hits, Node) else None
        first = found[0] if isinstance(found, list) and found else root
        root = first.get("_source") if isinstance(first, Node) else Node()
    return list_of_objects(source, root, _RATINGS)


def rank_eval_rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Yield every rating of a `_rank_eval` request, under the id of its request. The index plays no
    part in the document's id."""

    def rows(request: Node) -> Iterator[QrelsRow]:
        return _rated(request, request.id("id", "query"), "_id", report)

    return each(objects_in(source, "requests"), rows, report)


def rank_eval_queries(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Query]]:
    """Yield the query of each request, where its id comes first. Its text is the parameter `query`
    of a template; where there is none, the id stands for it."""
    seen: set[str] = set()

    def queries(request: Node) -> Iterator[tuple[SupportsIndex, Query]]:
        query_id = request.id("id", "query")
        if query_id not in seen:
            seen.add(query_id)
            params = request.get("params")
            text = params.string("query") if isinstance(params, Node) else ""
            yield request, Query(query_id, text or query_id)

    return each(objects_in(source, "requests"), queries, report)


def _rated(query: Node, name: str, document: str, report: Reporter) -> Iterator[QrelsRow]:
    """Yield the rows of a query's `ratings`, a list of objects with a document under that name and
    a `rating`. Raises `RecordError`."""
    for one in query.nodes("ratings"):
        try:
            doc_id = one.id(document, "document")
            yield QrelsRow.of(one, name, doc_id, grade_in(one.get("rating"), report))
        except RecordError as error:
            report.refuse(error, one, f"query {quoted(name)}")


# ---- Writers ----


def ranx_run_json(content: RunToWrite) -> Iterator[str]:
    """Write a run; a query that nothing was found for has no documents."""
    ranked, scores = content.ranked(), content.run.scores
    run = {
        query_id: {one: float(scores[query_id][one]) for one in ranked.get(query_id, ())}
        for query_id in sorted((*ranked, *content.nothing_found))
    }
    yield json_text(run, indent=2)


def ranx_qrels_json(qrels: QrelsToWrite) -> Iterator[str]:
    """Write the grades of each query."""
    yield json_text({query.query_id: query.grades for query in qrels.queries}, indent=2)


def opensearch_json(qrels: QrelsToWrite) -> Iterator[str]:
    """Write the body of an import of judgments; its ratings are strings: old versions take no
    numbers."""
    ratings = [
        {
            "query": query.text,
            "ratings": [
                {"docId": doc_id, "rating": str(grade)} for doc_id, grade in query.grades.items()
            ],
        }
        for query in qrels.queries
    ]
    about = {"name": "judge_tui", "description": "exported from a campaign of judge_tui"}
    yield json_text({**about, "type": "IMPORT_JUDGMENT", _RATINGS: ratings})


def rank_eval_json(qrels: QrelsToWrite) -> Iterator[str]:
    """Write the body of a `_rank_eval` request, with a template that searches for the text."""
    source = {"query": {"simple_query_string": {"query": "{{query}}"}}}
    requests = [
        {
            "id": query.query_id,
            "template_id": "search",
            "params": {"query": query.text},
            "ratings": [
                {"_index": qrels.index_name, "_id": doc_id, "rating": grade}
                for doc_id, grade in query.grades.items()
            ],
        }
        for query in qrels.queries
    ]
    yield json_text(
        {
            "templates": [{"id": "search", "template": {"source": source}}],
            "requests": requests,
            "metric": {"dcg": {"k": 10, "normalize": True}},
        }
    )
