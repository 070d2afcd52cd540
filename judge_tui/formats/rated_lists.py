"""What the readers of JSON with lists of rated documents have in common."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.json_tree import Bare, Node, Tree, id_in, nodes_at, numbered, tree_in
from judge_tui.formats.numerals import grade_in
from judge_tui.formats.problems import LoneQuery, Reporter, quoted
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["listed", "missing", "rated", "rated_list"]


def rated_list(
    node: Node, query_id: str | None, document: str, report: Reporter, *, tells: str = ""
) -> Iterator[QrelsRow]:
    """The rows of a query's `ratings`, a list of objects with a document under that name and a
    `rating`. Without a proper query they are only looked at. `tells`: a field that tells apart what
    is one document here, as an index does; a document that has two of it is told so. A query
    without ratings is one of `report.lone_queries`."""
    ratings = nodes_at(node, "ratings")
    if ratings is None:
        report(node.line, "there is no list 'ratings' of objects", "give one, if only an empty one")
        return
    if query_id is not None and not ratings:
        report.lone_queries.append(LoneQuery(node.line, query_id))
    first: dict[str, Node] = {}
    for one, here in numbered(ratings, "rating", report):
        doc_id = id_in(one.get(document), "document", one.line, here)
        grade = rated(one.get("rating"), one.line, here)
        before = one if doc_id is None else first.setdefault(doc_id, one)
        if tells and before.get(tells) != one.get(tells):
            here(
                one.line,
                f"document {quoted(doc_id or '')} is rated on line {before.line} already, with"
                f" another {tells!r}",
                f"a document is told by its {document!r} alone: keep one of the two, or write the"
                f" {tells!r} into the {document!r}",
            )
            continue
        if query_id is not None and doc_id is not None and grade is not None:
            yield QrelsRow(one.line, query_id, doc_id, grade)


def rated(value: Tree, line: int, report: Reporter) -> int | None:
    """The grade that a number, or a string of one, is; None where it is none, and was reported."""
    if isinstance(value, str) and not (isinstance(value, Bare) and value[0] in "tfn"):
        return grade_in(value, line, report)
    report(line, "the document has no rating, or one that is no number", "write a whole number")
    return None


def listed(source: Source, report: Reporter, name: str) -> list[Node] | None:
    """The objects in the list of that name that a document is about; None where there is nothing to
    read (`tree_in`). Raises `UnreadableError` where it holds no such list."""
    tree = tree_in(source, report)
    if tree is None:
        return None
    held = nodes_at(tree, name)
    if held is None:
        raise missing(source.path, f"{name!r} of objects")
    return held


def missing(path: str, what: str) -> UnreadableError:
    """The error of a document that lacks what makes it one of its format."""
    return UnreadableError(path, 1, f"there is no list {what}", "is it the file that was meant?")
