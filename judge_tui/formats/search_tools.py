"""Rated queries as search engines and their tools keep them in JSON: the Rated Ranking Evaluator,
OpenSearch's judgment lists, `_rank_eval` of Elasticsearch and OpenSearch, ranx; and LETOR's lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, SupportsIndex

from judge_tui.formats.json_document import (
    Node,
    document_in,
    each,
    json_id,
    json_text,
    objects_in,
)
from judge_tui.formats.judgments import GradeDecision, grade_in
from judge_tui.formats.numbers import score_of
from judge_tui.formats.pair_rows import QrelsRow, RunRow
from judge_tui.formats.problems import RecordError, Reporter, decoded, quoted
from judge_tui.formats.query_names import QueryText, numbered_queries
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.tables import id_of
from judge_tui.formats.writers import QrelsToWrite, RunToWrite
from judge_tui.model import Query

_PAIRS = 'write {"query_id": {"doc_id": number}}'
_RATINGS = "judgmentRatings"
_LEVELS = ("topics", "query_groups", "queries")
# LETOR says docid = X inc = 1 prob = 0.1 behind the #, RankLib the document's id alone.
_LETOR = re.compile(r"\s*(\S+)\s+qid:(\S+)\s([^#]*)#\s*(?:docid\s*=\s*(\S+).*|(\S+))", re.ASCII)


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
            raise UnreadableError(source.path, 1, "this is no object", _PAIRS)
        return
    for query, docs in root.items():
        try:
            query_id = id_of(query, "query")
            if not isinstance(docs, Node):
                raise RecordError(f"query {quoted(query)} has no object of documents", _PAIRS)
        except RecordError as error:
            report(root.line_of(query), error.what, error.mend)
            continue
        if not docs:
            yield docs, query_id, "", None
        for doc, value in docs.items():
            try:
                if not isinstance(value, int | float) or isinstance(value, bool):
                    raise RecordError(f"{value!r:.60} is no number", _PAIRS)
                pair = id_of(doc, "document"), number_of(value)
            except RecordError as error:
                what = f"query {quoted(query)}, document {quoted(doc)}: {error.what}"
                report(docs.line_of(doc), what, error.mend)
                continue
            yield docs, query_id, *pair


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
        root = first.get("_source") if isinstance(first, Node) else None
    return objects_in(source, root, _RATINGS)


def rank_eval_rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Yield every rating of a `_rank_eval` request, under the id of its request. The index plays no
    part in the document's id."""

    def rows(request: Node) -> Iterator[QrelsRow]:
        return _rated(request, request.id("id", "query"), "_id", report)

    return each(_requests(source), rows, report)


def rank_eval_queries(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Query]]:
    """Yield the query of each request, where its id comes first. Its text is the parameter `query`
    of a template, or the only text among the parameters; else the id stands for it."""
    seen: set[str] = set()

    def queries(request: Node) -> Iterator[tuple[SupportsIndex, Query]]:
        query_id = request.id("id", "query")
        if query_id not in seen:
            seen.add(query_id)
            yield request, Query(query_id, _text_of(request) or query_id)

    return each(_requests(source), queries, report)


def _requests(source: Source) -> list[Node]:
    return objects_in(source, document_in(source), "requests")


def _text_of(request: Node) -> str:
    params = request.get("params")
    named = params if isinstance(params, Node) else {}
    texts = [value for value in named.values() if isinstance(value, str) and value.strip()]
    query = named.get("query")
    return query if isinstance(query, str) else texts[0] if len(texts) == 1 else ""


def _rated(query: Node, name: str, document: str, report: Reporter) -> Iterator[QrelsRow]:
    """Yield the rows of a query's `ratings`, a list of objects with a document under that name and
    a `rating`. Raises `RecordError`."""
    for one in query.nodes("ratings"):
        try:
            doc_id = one.id(document, "document")
            yield QrelsRow.of(one, name, doc_id, grade_in(one.get("rating"), report))
        except RecordError as error:
            report(one, f"query {quoted(name)}: {error.what}", error.mend)


def rre_rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Yield every query of a ratings file of the Rated Ranking Evaluator with each of its relevant
    documents, which may be those of its group.

    They come in two shapes: by document, `{"d1": {"gain": 3}}`, and by grade, `{"3": ["d1"]}`. The
    text is the placeholder that the file names; where it names none, `$query` or the only one that
    there is. A text that comes again with the same grades (with other filters, say) is one query.
    """
    root = _rre(source)
    known: dict[tuple[str, str], tuple[GradeDecision, int]] = {}
    for query, relevant in _rre_queries(root, _LEVELS, {}, report):
        try:
            query_id = QueryText(_rre_text(root, query))
            rated = list(_relevant(relevant, query.line, report))
        except RecordError as error:
            report.refuse(error, query)
            continue
        for line, doc_id, judgment in rated:
            before, its_line = known.setdefault((query_id, doc_id), (judgment, line))
            if before != judgment:
                grades = f"{judgment.in_qrels}, and {before.in_qrels} on line {its_line}"
                what = f"document {quoted(doc_id)} has grade {grades} for the same text"
                report(line, what, "keep one of the two")
            elif its_line == line:
                yield QrelsRow.of(line, query_id, doc_id, judgment)


def rre_queries(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Query]]:
    """Yield the queries of a ratings file of the Rated Ranking Evaluator, where each first
    comes."""
    root = _rre(source)

    def queries(query: Node) -> Iterator[tuple[SupportsIndex, Query]]:
        yield query, Query("", _rre_text(root, query))

    nodes = (query for query, _ in _rre_queries(root, _LEVELS, {}, report))
    return numbered_queries(each(nodes, queries, report))


def _rre(source: Source) -> Node:
    root = document_in(source)
    if root is None:
        return Node({_LEVELS[-1]: []})
    if isinstance(root, Node) and any(level in root for level in _LEVELS):
        return root
    raise UnreadableError(source.path, 1, "there is no list 'queries'", "write one")


def _rre_queries(
    node: Node, levels: Sequence[str], relevant: Any, report: Reporter
) -> Iterator[tuple[Node, Any]]:
    """Yield the queries below an object, each with its documents or those of its group. A level
    that is not there is passed over."""
    relevant = node.get("relevant_documents", relevant)
    if not levels:
        yield node, relevant
        return
    if levels[0] not in node and len(levels) > 1:
        yield from _rre_queries(node, levels[1:], relevant, report)
        return

    def below(group: Node) -> Iterator[tuple[Node, Any]]:
        for one in group.nodes(levels[0]):
            yield from _rre_queries(one, levels[1:], relevant, report)

    yield from each([node], below, report)


def _rre_text(root: Node, query: Node) -> str:
    holders = query.get("placeholders")
    holders = holders if isinstance(holders, Node) else Node()
    usual = next(iter(holders), "$query") if len(holders) == 1 else "$query"
    name = root.get("query_placeholder", usual)
    text = holders.get(name) if isinstance(name, str) else None
    if not isinstance(text, str) or not text.strip():
        raise RecordError(
            f"the query has no text: {name!r:.60} is no text among its placeholders",
            "name the one that is the text in the file's 'query_placeholder'",
        )
    return text


def _relevant(
    documents: Any, line: int, report: Reporter
) -> Iterator[tuple[int, str, GradeDecision]]:
    """Line, document and grade of each relevant document. Raises `RecordError`."""
    if documents and not isinstance(documents, Node):
        raise RecordError("'relevant_documents' is no object", 'write {"doc_id": {"gain": 3}}')
    for key, value in (documents or {}).items():
        line = documents.line_of(key)
        try:
            if isinstance(value, list):
                judgment = grade_in(key, report)
                for one in value:
                    yield line, json_id(one, "document", line), judgment
            elif isinstance(value, Node):
                judgment = grade_in(value.get("gain", value.get("rating")), report)
                yield line, id_of(key, "document"), judgment
            else:
                raise RecordError("there is no gain and no document", 'write {"gain": 3}')
        except RecordError as error:
            raise RecordError(f"{quoted(key)}: {error.what}", error.mend, line) from error


def letor_rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Yield every line of a file of learning to rank, as LETOR and RankLib have it: a label, the id
    of a query, features, which play no part, and behind a # the document."""
    for line, raw in source.lines():
        text = decoded(raw, line, report) if raw.strip() else None
        if text is None:
            continue
        match = _LETOR.fullmatch(text.rstrip())
        try:
            if match is None:
                what = "the line is not a label, qid:, features, # and the id of a document"
                raise RecordError(what, "write it like 2 qid:10 1:0.5 #docid = X")
            pair = id_of(match[2], "query"), id_of(match[4] or match[5], "document")
            yield QrelsRow.of(line, *pair, grade_in(match[1], report))
        except RecordError as error:
            report.refuse(error, line)


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


def rre_json(qrels: QrelsToWrite) -> Iterator[str]:
    """Write a ratings file of the Rated Ranking Evaluator, by grade: of its two shapes the one that
    Quepid takes, too."""

    def by_grade(docs: Mapping[str, int]) -> dict[str, list[str]]:
        grades = sorted(set(docs.values()), reverse=True)
        return {str(one): [doc for doc, grade in docs.items() if grade == one] for one in grades}

    queries = [
        {"placeholders": {"$query": one.text}, "relevant_documents": by_grade(one.grades)}
        for one in qrels.queries
    ]
    settings = {"id_field": "id", "index": qrels.index_name, "template": "template.json"}
    yield json_text({**settings, "queries": queries})


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
