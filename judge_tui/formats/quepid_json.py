"""Qrels as Quepid exports them in JSON: the ratings of a case, or the case as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.json_tree import Node, Tree, id_in, nodes_at, numbered
from judge_tui.formats.problems import (
    LoneQuery,
    Reporter,
    Within,
    counted,
    note_lone_queries,
    quoted,
)
from judge_tui.formats.rated_lists import listed, rated
from judge_tui.formats.source import Source
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["case_queries", "rows"]

_TEXTS = ("query_text", "query")


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every rating. The ratings of a case are `{"query", "ratings": {"d1": 3}}`; the case itself
    has `{"query_text", "ratings": [{"doc_id", "rating", "user_email"}]}`. A rating of null is no
    judgment. Queries without ratings, which Quepid writes without the name, too, are
    `report.lone_queries`."""
    open_pairs = raters = 0
    for query, query_id, here in case_queries(source, report):
        found = False
        for line, key, value, rater, its in _ratings(query, here):
            doc_id = id_in(key, "document", line, its)
            if value == "null":
                open_pairs += 1
                continue
            raters += rater
            grade = rated(value, line, its)
            found = True
            if query_id is not None and doc_id is not None and grade is not None:
                yield QrelsRow(line, query_id, doc_id, grade)
        if query_id is not None and not found:
            report.lone_queries.append(LoneQuery(query.line, query_id))
    note_lone_queries(report)
    if open_pairs:
        report.notes.append(f"{counted(open_pairs, 'pair')} without a rating left out")
    if raters:
        report.notes.append("'user_email', who rated last, is left out")


def case_queries(source: Source, report: Reporter) -> Iterator[tuple[Node, str | None, Reporter]]:
    """Each query of such a file, its text as `text_field` has it, and who is told what is wrong in
    it. Raises `UnreadableError` where there is no list of queries."""
    for query, here in numbered(listed(source, report, "queries") or [], "query", report):
        name = next((name for name in _TEXTS if name in query), _TEXTS[-1])
        yield query, id_in(query.get(name), "query", query.line, here, text=repr(name)), here


def _ratings(query: Node, report: Reporter) -> Iterator[tuple[int, Tree, Tree, bool, Reporter]]:
    """Line, document and rating of each, whether it says who rated, and who is told."""
    held = query.get("ratings")
    if held is None or held == "null":
        return
    if isinstance(held, Node):
        for doc_id, value in held.items():
            yield held.line, doc_id, value, False, Within(report, f"document {quoted(doc_id)}")
        return
    listed = nodes_at(query, "ratings")
    if listed is None:
        what = "'ratings' is neither an object nor a list of objects"
        report(query.line, what, 'write {"doc_id": 3}, or {} where there are none')
        return
    for one, here in numbered(listed, "rating", report):
        yield one.line, one.get("doc_id"), one.get("rating"), "user_email" in one, here
