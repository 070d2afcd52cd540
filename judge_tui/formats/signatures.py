"""What files look like: the shape and the names of a format, and what else must be true of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from judge_tui.formats.sniff import Shape, ShapeKind

__all__ = [
    "SAYS",
    "Signature",
    "are_candidates",
    "are_documents",
    "are_fields",
    "are_grades",
    "are_long_texts",
    "are_pairs",
    "are_ranks",
    "are_short_texts",
    "are_texts",
    "asks_alone",
    "has_addresses",
    "has_fields",
    "has_id_and_text",
    "has_only_ids",
    "is_beir",
    "is_book",
    "is_no_beir",
    "is_no_sgml",
    "is_of_documents",
    "is_of_nobody",
    "is_session",
    "labels_a_pair",
    "may_be_documents",
    "may_be_queries",
    "names_a_pair",
    "says_by_id",
    "says_what_is_right",
    "table_says",
]

SAYS = {"expected", "pattern", "patterns", "prefer", "authority"}
"""The names under which a file says what is right for a query."""

_DOCUMENT_KEYS = {"doc_id", "title", "url", "kind"}
_QUERY_KEYS = {"query_id", "query", "description", "narrative", "class"}
_QUERY_NAMES = {"query_id", "qid", "topic_id", "topic", "query_text", "query", "question"}
_DOCUMENT_NAMES = {"doc_id", "docid", "docno", "document_id", "passage_id"}
_SAYING = re.compile(rb'"(expected|patterns?|prefer|authority)"\s*:')
_LABELS = re.compile(rb'"labels?"\s*:\s*\[')
_NUMBER_VALUE = re.compile(rb'"\s*:\s*([^\s,{}\[\]":]++)\s*[,}]')
_FIRST_OBJECT = re.compile(rb'(?:[^{}"]|"(?:[^"\\]|\\.)*+")*+\}\s*')
_OF_RECORD = re.compile(rb',\s*"(?:_id|id|query_id|doc_id|text|title)"\s*:\s*[^\s{]')
_OF_OBJECTS = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*+"\s*:\s*\{')


class Signature(NamedTuple):
    """What a file of a format looks like: its shape, the names that must be in it, and what else
    must be true (`fits`). `surer`: that says as much as half a name."""

    shape: ShapeKind
    needs: frozenset[str]
    fits: Callable[[Shape], bool] | None
    surer: bool

    @property
    def weight(self) -> float:
        """How much it says of a file that has it."""
        return len(self.needs) + self.surer / 2

    def is_of(self, shape: Shape) -> bool:
        """Whether a file of that shape has it."""
        names = shape.inner if self.shape in ("json", "array") else shape.names
        if not self.needs <= names or not (self.fits is None or self.fits(shape)):
            return False
        # One object in one line may be a line of JSON Lines, or all of a JSON file.
        return self.shape == shape.kind or (self.shape, shape.kind) == ("json", "jsonl")


def is_beir(shape: Shape) -> bool:
    return {*shape.header} == {"query_id", "corpus_id", "score"}


def is_no_beir(shape: Shape) -> bool:
    return not (is_beir(shape) and shape.separator == "\t")


def is_of_nobody(shape: Shape) -> bool:
    """Whether no column says who judged."""
    return shape.names.isdisjoint({"judge", "user"})


def is_book(shape: Shape) -> bool:
    return len(shape.header) > 2 and shape.header[:2] == ("query", "docid")


def is_session(shape: Shape) -> bool:
    return shape.header == ("docno", "judgment")


def asks_alone(shape: Shape) -> bool:
    """Whether a table with queries says nothing of documents, nor of what is right."""
    others = {"doc_id", "result", "expected", "pattern", "information_need"}
    return shape.names.isdisjoint(others)


def has_id_and_text(shape: Shape) -> bool:
    """Whether `text` is a query's: an id beside it says so."""
    numbers = {"score", "rank", "relevance", "relevant", "grade"}
    ids = not {"query_id", "qid", "q_id"}.isdisjoint(shape.header)
    return ids and asks_alone(shape) and numbers.isdisjoint(shape.header)


def is_of_documents(shape: Shape) -> bool:
    """Whether a table has ids of documents, or ids beside what documents have, and no queries."""
    header = {*shape.header}
    own = {"doc_id", "docno", "docid", "document_id", "corpus_id"}
    says = {"text", "body", "contents", "content", "title", "url", "kind"}
    asks = {"query_id", "qid", "q_id", "query", "query_text"}
    by_own = not header.isdisjoint(own)
    if not header.isdisjoint(asks):
        return by_own and not header.isdisjoint(says)
    return len(header) > 1 and (by_own or not header.isdisjoint({"_id", "id"}))


def says_what_is_right(shape: Shape) -> bool:
    """Of JSON Lines that all of them do, or one says what is expected: queries may demand something
    of the order of their results, too."""
    if "documents" in shape.names:
        return False
    if shape.kind != "jsonl":
        return not SAYS.isdisjoint(shape.names)
    found = [{*_SAYING.findall(line)} for line in shape.lines]
    return all(found) or any(one & {b"expected", b"pattern", b"patterns"} for one in found)


def says_by_id(shape: Shape) -> bool:
    ids = not {"query_id", "id"}.isdisjoint(shape.names)
    return ids and "text" not in shape.names and says_what_is_right(shape)


def table_says(shape: Shape) -> bool:
    asks = not {"query", "query_id", "id"}.isdisjoint(shape.names) and "doc_id" not in shape.names
    return asks and not {"result", "expected", "pattern"}.isdisjoint(shape.names)


def may_be_queries(shape: Shape) -> bool:
    """Whether an id and a text may be a query's: their other keys are not of documents alone."""
    theirs = {name for name in _DOCUMENT_KEYS & shape.names if name != "title" or _titled(shape)}
    return not theirs or ("doc_id" not in theirs and not _QUERY_KEYS.isdisjoint(shape.names))


def may_be_documents(shape: Shape) -> bool:
    """The same of documents."""
    if not _QUERY_KEYS & shape.names or "doc_id" in shape.names:
        return True
    theirs = not _DOCUMENT_KEYS.isdisjoint(shape.names)
    return "query_id" not in shape.names and (theirs or shape.is_long)


def are_documents(shape: Shape) -> bool:
    theirs = not _DOCUMENT_KEYS.isdisjoint(shape.names)
    # Narratives are long, too: BEIR has them in the metadata of its queries.
    long = shape.is_long and _QUERY_KEYS.isdisjoint(shape.names | shape.inner)
    return may_be_documents(shape) and (theirs or long)


def has_only_ids(shape: Shape) -> bool:
    return not shape.names.isdisjoint({"_id", "id"}) and "text" not in shape.names


def _titled(shape: Shape) -> bool:
    """Whether titles are filled: a table of queries and documents alike has them empty."""
    return any(re.search(rb'"title"\s*:\s*"[^"]', line) for line in shape.lines)


def are_pairs(shape: Shape) -> bool:
    """Whether the first name has an object: but so may a record of JSON Lines have, whose further
    names give it away (`{"metadata": {"year": 1999}, "_id": "d1"}`)."""
    text = b"\n".join(shape.lines)
    opening = _OF_OBJECTS.match(text)
    if opening is None:
        return False
    first = _FIRST_OBJECT.match(text, opening.end())
    return first is None or _OF_RECORD.match(text, first.end()) is None


def are_grades(shape: Shape) -> bool:
    values = _NUMBER_VALUE.findall(b"\n".join(shape.lines))
    return are_pairs(shape) and all(re.fullmatch(rb"-?[0-9]{1,2}", value) for value in values)


def _names_a_query(shape: Shape) -> bool:
    return not _QUERY_NAMES.isdisjoint(shape.names)


def labels_a_pair(shape: Shape) -> bool:
    """Whether records have lists of labels, and name a query; a single label may be anything's."""
    lists = sum(_LABELS.search(line) is not None for line in shape.lines)
    return _names_a_query(shape) and (2 * lists >= len(shape.lines) or names_a_pair(shape))


def names_a_pair(shape: Shape) -> bool:
    return _names_a_query(shape) and not _DOCUMENT_NAMES.isdisjoint(shape.names)


def has_fields(width: int) -> Callable[[Shape], bool]:
    return lambda shape: shape.width == width


def are_fields(width: int, number: int) -> Callable[[Shape], bool]:
    """Whether lines with tabs here and there are words with a number in that place."""

    def are(shape: Shape) -> bool:
        cut = [line.split() for line in shape.lines]
        like = sum(len(one) == width and one[number][-1:].isdigit() for one in cut)
        return 2 * like >= len(cut)

    return are


def are_short_texts(shape: Shape) -> bool:
    return shape.width == 2 and not shape.is_long


def are_ranks(shape: Shape) -> bool:
    """Whether the third of three fields counts the lines of each query from 1."""
    places: dict[bytes, int] = {}
    for cells in shape.cells():
        place = places[cells[0]] = places.get(cells[0], 0) + 1
        if len(cells) != 3 or cells[2].strip() != b"%d" % place:
            return False
    return True


def are_texts(shape: Shape) -> bool:
    """Whether two or three fields are an id and texts: numbers in the last one are a rank, a grade
    or a score, and nobody knows which."""
    numbers = sum(cells[-1].strip().isdigit() for cells in shape.cells())
    return shape.width == 2 or (shape.width == 3 and 2 * numbers < len(shape.lines))


def are_long_texts(shape: Shape) -> bool:
    return are_texts(shape) and (shape.width == 3 or shape.is_long)


def has_addresses(shape: Shape) -> bool:
    cut = [cells for cells in shape.cells() if len(cells) == 4]
    return shape.width == 4 and 2 * sum(b"://" in cells[1] for cells in cut) >= len(cut)


def are_candidates(shape: Shape) -> bool:
    """Whether four fields are two ids and two texts."""
    cut = [[len(cell.split()) for cell in cells] for cells in shape.cells() if len(cells) == 4]
    like = sum(words[:2] == [1, 1] and words[2] > 0 and words[3] > 1 for words in cut)
    return shape.width == 4 and not has_addresses(shape) and 2 * like >= len(shape.lines)


def is_no_sgml(shape: Shape) -> bool:
    """Whether tags are not those of TREC's SGML, in which anything may be called a topic."""
    return shape.names.isdisjoint({"top", "doc"})
