"""Qrels as the Rated Ranking Evaluator keeps them: a ratings file, with topics and query groups or
with queries alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judge_tui.formats.json_tree import Bare, Node, Tree, id_in, nodes_at, numbered, tree_in
from judge_tui.formats.problems import (
    LoneQuery,
    Reporter,
    Within,
    counted,
    note_lone_queries,
    quoted,
)
from judge_tui.formats.rated_lists import missing, rated
from judge_tui.formats.source import Source
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["rows"]

_USUAL = "$query"
# What the lists of each level are called, and one of their objects.
_LEVELS = {"topics": "topic", "query_groups": "query group", "queries": "query"}


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every query with each of its relevant documents, which may be those of its group.

    They come in two shapes: by document, `{"d1": {"gain": 3}}`, and by grade, `{"3": ["d1"]}`. A
    text that comes again with the same grade (with other filters, say) is one query; with another
    grade it is told what differs. The text is the placeholder that the file names; where it names
    none, `$query` or the only one that there is.
    """
    tree = tree_in(source, report)
    if tree is None:
        return
    if not isinstance(tree, Node) or not any(level in tree for level in _LEVELS):
        raise missing(source.path, "'queries'")
    unasked: list[int] = []
    queries = list(_queries(tree, 0, None, report, unasked))
    name = tree.get("query_placeholder", _usual_name(query for query, _, _ in queries))
    if not isinstance(name, str) or isinstance(name, Bare):
        report(tree.line, "'query_placeholder' is no name", 'write it like "$query"')
        return
    known: dict[tuple[str, str], tuple[int, int, Node]] = {}
    without: dict[str, int] = {}
    for query, relevant, here in queries:
        placeholders = _placeholders(query)
        query_id = _query_id(query, placeholders, name, here)
        rated_documents = list(_relevant(relevant, query.line, here))
        if query_id is not None and not rated_documents:
            without.setdefault(query_id, query.line)
        for line, doc_id, grade in rated_documents:
            if query_id is None:
                continue
            before = known.get((query_id, doc_id))
            if before is None:
                known[query_id, doc_id] = grade, line, placeholders
            elif before[0] == grade:
                continue
            elif differing := _differing(before[2], placeholders):
                here(
                    line,
                    f"document {quoted(doc_id)} has grade {grade}, and {before[0]} on line"
                    f" {before[1]} for the same {quoted(name)} with another {differing}",
                    f"a query is told by its text alone: write what differs into {quoted(name)}, or"
                    " keep one of the two grades",
                )
                continue
            yield QrelsRow(line, query_id, doc_id, grade)
    rated_queries = {query_id for query_id, _ in known}
    report.lone_queries += [
        LoneQuery(line, one) for one, line in without.items() if one not in rated_queries
    ]
    note_lone_queries(report)
    if unasked:
        those = counted(len(unasked), "grade")
        where = f"the first on line {unasked[0]}"
        report.notes.append(f"{those} of groups without queries left out, {where}")


def _placeholders(query: Node) -> Node:
    held = query.get("placeholders")
    return held if isinstance(held, Node) else Node(query.line)


def _usual_name(queries: Iterable[Node]) -> str:
    """`$query`, unless all queries have one placeholder, and the same."""
    names = {name for query in queries for name in _placeholders(query)}
    return names.pop() if len(names) == 1 else _USUAL


def _query_id(query: Node, placeholders: Node, name: str, report: Reporter) -> str | None:
    if placeholders and name not in placeholders:
        report(
            query.line,
            f"the query has no text: there is no {quoted(name)} among its placeholders"
            f" {', '.join(map(quoted, placeholders))}",
            "name the one that is the text in the file's 'query_placeholder'",
        )
        return None
    text = f"its placeholder {quoted(name)}"
    return id_in(placeholders.get(name), "query", query.line, report, text=text)


def _differing(one: Node, other: Node) -> str:
    """The names of the placeholders that two queries do not share; empty where there are none."""
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    return ", ".join(map(quoted, names))


def _queries(
    node: Node, level: int, relevant: Tree, report: Reporter, unasked: list[int]
) -> Iterator[tuple[Node, Tree, Reporter]]:
    """The queries below an object, each with its documents or those of its group, and who is told
    what is wrong in it. A level that is not there is passed over. `unasked` is filled: the lines of
    the grades below which there is no query."""
    own = node.get("relevant_documents")
    relevant = node.get("relevant_documents", relevant)
    if level == len(_LEVELS):
        yield node, relevant, report
        return
    name, noun = list(_LEVELS.items())[level]
    below = nodes_at(node, name)
    if below is None:
        if name not in node and name != "queries":
            # What it says itself is told one level below.
            below, own = [node], None
        else:
            report(node.line, f"there is no list {name!r} of objects", "write one")
            return
    found = False
    for one, here in numbered(below, noun, report):
        for query in _queries(one, level + 1, relevant, here, unasked):
            found = True
            yield query
    if not found:
        unasked += [line for line, _, _ in _relevant(own, node.line, report)]


def _relevant(held: Tree, line: int, report: Reporter) -> Iterator[tuple[int, str, int]]:
    """Line, document and grade of each relevant document."""
    if held is None or held == "null":
        return
    if not isinstance(held, Node):
        report(line, "'relevant_documents' is no object", 'write {"doc_id": {"gain": 3}}')
        return
    for key, value in held.items():
        if isinstance(value, list):
            grade = rated(key, held.line, report)
            pairs = [(held.line, one, grade) for one in value]
        elif isinstance(value, Node):
            its = Within(report, f"document {quoted(key)}")
            grade = rated(value.get("gain", value.get("rating")), value.line, its)
            pairs = [(value.line, key, grade)]
        else:
            report(held.line, f"{key!r:.70} has neither documents nor a gain", "give it a gain")
            continue
        for its_line, one, its_grade in pairs:
            doc_id = id_in(one, "document", its_line, report)
            if doc_id is not None and its_grade is not None:
                yield its_line, doc_id, its_grade
