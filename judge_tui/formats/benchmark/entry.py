"""One query of a benchmark and its candidates, as the file has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from judge_tui.formats.answers.demands import demands_in
from judge_tui.formats.json_tree import Bare, Node, Tree, id_in, nodes_at, numbered, plain, trees_in
from judge_tui.formats.numerals import score_in
from judge_tui.formats.problems import Reporter, Within, quoted
from judge_tui.formats.query_names import folded_text
from judge_tui.formats.source import Source
from judge_tui.model import Document, Query
from judge_tui.scoring.class_terms import Demand
from judge_tui.scoring.demands import Wanted

__all__ = ["EXAMPLE", "Candidate", "Entry", "entries"]

EXAMPLE = '[{"query": "…", "documents": [{"id": "…", "text": "…", "score": 1}]}]'

_QUERY_IDS, _DOC_IDS = ("query_id", "_id", "id"), ("doc_id", "_id", "id")

_UNGRADED = "leave out documents that nobody graded"


class Candidate(NamedTuple):
    """A document of a query, and its score as the file has it, 0 or more."""

    line: int
    document: Document
    score: float


class Entry(NamedTuple):
    """A query and its candidates, ids native (`formats.ids`). The query's is the file's own, else
    q001… by its place. `demands`: what the query says is to come first."""

    line: int
    query: Query
    candidates: tuple[Candidate, ...]
    demands: Mapping[Demand, Wanted]


def entries(source: Source, report: Reporter) -> Iterator[Entry]:
    """Every query of an array, or of JSON Lines; what is malformed is reported and left out, and so
    is a query or a candidate of it that comes twice, and a document that has two texts."""
    queries: dict[str, Entry] = {}
    texts: dict[str, Entry] = {}
    documents: dict[str, tuple[int, Candidate]] = {}
    numbers: dict[str, int] = {}
    for number, tree in enumerate(trees_in(source, report), 1):
        if not isinstance(tree, Node):
            report(None, f"entry {number} is no object", f"write it as {EXAMPLE}")
            continue
        here = _within(tree, number, report)
        entry = _entry(tree, number, here)
        if entry is None:
            continue
        numbers.setdefault(entry.query.query_id, number)
        before = queries.setdefault(entry.query.query_id, entry)
        if before is entry:
            before = texts.setdefault(folded_text(entry.query.text), entry)
        if before is not entry:
            same = before.query.query_id == entry.query.query_id
            called = entry.query.query_id if same else entry.query.text
            its_place = (
                f"entry {numbers[before.query.query_id]}"
                if before.line == entry.line
                else f"on line {before.line}"
            )
            what = f"query {quoted(called)} is {its_place} already"
            here(entry.line, what, "put their documents together, or remove one of the two")
            continue
        kept = [one for one in entry.candidates if _is_same(number, one, documents, here)]
        if kept:
            yield entry._replace(candidates=tuple(kept))


def _within(node: Node, number: int, report: Reporter) -> Reporter:
    """Who is told what is wrong in an entry: by its number and query, where all of it stands in one
    line, which may hold the whole file."""
    if any(one.line != node.line for one in nodes_at(node, "documents") or ()):
        return report
    query = node.get("query")
    called = f" (query {quoted(query)})" if isinstance(query, str) and query.strip() else ""
    return Within(report, f"entry {number}{called}")


def _entry(node: Node, number: int, report: Reporter) -> Entry | None:
    text = _text(node, "query", report)
    if text is None:
        return None
    if not text.strip():
        report(node.line, "there is no query", 'write what is searched for as "query"')
        return None
    name = _first_of(node, _QUERY_IDS)
    query_id = f"q{number:03}" if name is None else id_in(node[name], "query", node.line, report)
    candidates = _candidates(node, report)
    meta = _meta(node, ("query", "class", "documents", *_QUERY_IDS), report)
    query_class = _text(node, "class", report)
    if query_id is None or candidates is None or meta is None or query_class is None:
        return None
    if (demands := demands_in(meta, node.line, report)) is None:
        return None
    query = Query(
        query_id,
        text.strip(),
        query_class=query_class.strip(),
        meta=meta,
        own_id=name is not None,
    )
    return Entry(node.line, query, candidates, demands)


def _candidates(node: Node, report: Reporter) -> tuple[Candidate, ...] | None:
    held = nodes_at(node, "documents")
    if not held:
        what = "the query has no list 'documents' of objects" if held is None else "no documents"
        other = next((name for name in node if nodes_at(node, name)), None)
        written = f"write it as {EXAMPLE}" if other is None else f"call {quoted(other)} documents"
        report(node.line, what, f"{written}; or leave the query out")
        return None
    found: dict[str, Candidate] = {}
    for one, here in numbered(held, "document", report):
        candidate = _candidate(one, here)
        if candidate is None:
            continue
        before = found.setdefault(candidate.document.doc_id, candidate)
        if before is not candidate:
            place = "" if before.line == one.line else f", line {before.line}"
            here(
                one.line,
                f"document {quoted(candidate.document.doc_id)} is among the query's already{place}",
                "remove one of the two",
            )
    return tuple(found.values())


def _candidate(node: Node, report: Reporter) -> Candidate | None:
    name = _first_of(node, _DOC_IDS)
    doc_id = id_in(node.get(name or "id"), "document", node.line, report)
    fields = {key: _text(node, key, report) for key in ("title", "text", "url", "kind")}
    score = _score(node.get("score"), node.line, report)
    meta = _meta(node, ("score", *fields, *_DOC_IDS), report)
    title, text, url, kind = fields.values()
    if doc_id is None or score is None or meta is None:
        return None
    if title is None or text is None or url is None or kind is None:
        return None
    if not text.strip():
        report(node.line, f"document {quoted(doc_id)} has no text", "write it as 'text'")
        return None
    document = Document(doc_id, title, text, url, kind.strip(), meta)
    return Candidate(node.line, document, score)


def _score(value: Tree, line: int, report: Reporter) -> float | None:
    if value is None or value == "" or _is_null(value):
        report(line, "the document has no score", f"write a number as 'score'; {_UNGRADED}")
        return None
    if not isinstance(value, str):
        report(line, "'score' is no number", "write one number as 'score'")
        return None
    if isinstance(value, Bare) and value in ("true", "false"):
        report(line, f"score {value} is no number", "write it as one, such as 1 or 0")
        return None
    score = score_in(value, line, report)
    if score is not None and score < 0:
        report(line, f"score {value:.60} is negative", f"scores begin at 0; {_UNGRADED}")
        return None
    return score


def _is_same(
    number: int, one: Candidate, documents: dict[str, tuple[int, Candidate]], report: Reporter
) -> bool:
    """Whether what is known of the document elsewhere in the file is the same, which is the first
    that is said of it, in the entry of that number."""
    entry, before = documents.setdefault(one.document.doc_id, (number, one))
    if before.document == one.document:
        return True
    place = f"in entry {entry}" if before.line == one.line else f"on line {before.line}"
    report(
        one.line,
        f"document {quoted(one.document.doc_id)} is not the same {place}",
        "give it one text, title, url and kind, or an id of its own",
    )
    return False


def _first_of(node: Node, names: tuple[str, ...]) -> str | None:
    return next((name for name in names if name in node and not _is_null(node[name])), None)


def _is_null(value: Tree) -> bool:
    return isinstance(value, Bare) and value == "null"


def _text(node: Node, name: str, report: Reporter) -> str | None:
    """A text, empty where it is missing or null; None where it is something else, and reported."""
    value = node.get(name, "")
    if _is_null(value):
        return ""
    if isinstance(value, str) and not isinstance(value, Bare):
        return value
    report(node.line, f"'{name}' is not a string", f"write '{name}' as one string")
    return None


def _meta(node: Node, own: tuple[str, ...], report: Reporter) -> dict[str, Any] | None:
    """What else there is."""
    try:
        return {name: plain(value) for name, value in node.items() if name not in own}
    except ValueError:
        report(node.line, "a number of too many digits", "write it as a string")
        return None
