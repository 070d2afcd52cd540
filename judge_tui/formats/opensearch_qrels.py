"""Qrels as OpenSearch takes judgments and gives them back: `judgmentRatings`, a list of queries."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.json_tree import Node, Tree, id_in, nodes_at, numbered, tree_in
from judge_tui.formats.problems import Reporter, note_lone_queries
from judge_tui.formats.rated_lists import missing, rated_list
from judge_tui.formats.source import Source
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["rows"]

_NAME = "judgmentRatings"


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every rating, of the body of an import or of the first judgment list that a search found."""
    tree = tree_in(source, report)
    if tree is None:
        return
    queries = nodes_at(_judgment(tree), _NAME)
    if queries is None:
        raise missing(source.path, f"{_NAME!r} of objects")
    for query, here in numbered(queries, "query", report):
        query_id = id_in(query.get("query"), "query", query.line, here, text="'query'")
        yield from rated_list(query, query_id, "docId", here)
    note_lone_queries(report)


def _judgment(tree: Tree) -> Tree:
    """The object with the ratings: the whole, or what an answer of the server wraps."""
    if not isinstance(tree, Node) or _NAME in tree:
        return tree
    hits = nodes_at(tree.get("hits"), "hits")
    return (hits[0] if hits else tree).get("_source")
