"""Qrels as Elasticsearch and OpenSearch evaluate by: the body of a `_rank_eval` request."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.json_tree import id_in, numbered
from judge_tui.formats.problems import Reporter, note_lone_queries
from judge_tui.formats.rated_lists import listed, rated_list
from judge_tui.formats.source import Source
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every rating, under the id of its request. The index plays no part in the document's id."""
    for request, here in numbered(listed(source, report, "requests") or [], "request", report):
        query_id = id_in(request.get("id"), "query", request.line, here)
        yield from rated_list(request, query_id, "_id", here, tells="_index")
    note_lone_queries(report)
