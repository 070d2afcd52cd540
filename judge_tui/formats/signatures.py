"""What files of a format look like: their shape, the names in them, and a check of the rest."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from judge_tui.formats.columns import BEIR
from judge_tui.formats.sniff import Shape, ShapeKind

Fits: TypeAlias = Callable[[Shape], bool]

_DOCUMENT_KEYS = {"doc_id", "title", "url", "kind"}
_QUERY_KEYS = {"query_id", "query", "description", "narrative", "class"}
_SAYING = re.compile(rb'"(expected|patterns?|prefer|authority)"\s*:')
_LABELS = re.compile(rb'"labels?"\s*:\s*\[')
_NUMBER_VALUE = re.compile(rb'"\s*:\s*([^\s,{}\[\]":]++)\s*[,}]')
_FIRST_OBJECT = re.compile(rb'(?:[^{}"]|"(?:[^"\\]|\\.)*+")*+\}\s*')
_OF_RECORD = re.compile(rb',\s*"(?:_id|id|query_id|doc_id|text|title)"\s*:\s*[^\s{]')
_OF_OBJECTS = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*+"\s*:\s*\{')


class Signature(NamedTuple):
    """What a file of a format looks like.

    It has the `shape`, one name of each group in `needs` and none in `lacks`; and `fits`, where
    there is such a check, is true of it. Of several signatures that a file has, the one with the
    greatest `weight` decides what the file is.
    """

    shape: ShapeKind
    needs: tuple[frozenset[str], ...]
    lacks: frozenset[str]
    fits: Fits | None
    weight: float

    def is_of(self, shape: Shape) -> bool:
        """Whether a file of that shape has this signature."""
        # One object in one line may be a line of JSON Lines, or all of a JSON file.
        if self.shape != shape.kind and (self.shape, shape.kind) != ("json", "jsonl"):
            return False
        names = shape.inner if self.shape in ("json", "array") else shape.names
        has_names = all(map(names.intersection, self.needs)) and names.isdisjoint(self.lacks)
        return has_names and (self.fits is None or self.fits(shape))


def looks(
    shape: ShapeKind, names: str = "", fits: Fits | None = None, *, surer: bool = False
) -> Signature:
    """Return the signature of a shape and of names, which are written with blanks between them:

    | written | a file has the signature if | weight |
    |---|---|---|
    | `score` | it has this name | 1 |
    | `score|rank` | it has one of these names | 1 |
    | `?_id|id` | it has one of these names | 0 |
    | `-judge` | it lacks this name | 0 |
    | `fits` | this function of its shape is true | 0; 1/2 if `surer` |
    """
    words = names.split()
    groups = [word for word in words if word[0] != "-"]
    return Signature(
        shape,
        tuple(frozenset(group.removeprefix("?").split("|")) for group in groups),
        frozenset(word[1:] for word in words if word[0] == "-"),
        fits,
        sum(group[0] != "?" for group in groups) + surer / 2,
    )


# ---- Tables ----


def is_beir(shape: Shape) -> bool:
    """Whether these are the three columns of BEIR's qrels, whose `score` is a grade."""
    return {*shape.header} == BEIR


def is_no_beir(shape: Shape) -> bool:
    """Whether this is no file of qrels as BEIR has it."""
    return not (is_beir(shape) and shape.separator == "\t")


def is_book(shape: Shape) -> bool:
    """Whether the columns behind the second are judges."""
    return len(shape.header) > 2 and shape.header[:2] == ("query", "docid")


def is_session(shape: Shape) -> bool:
    """Whether these are the columns of HiCAL's page."""
    return shape.header == ("docno", "judgment")


def is_of_queries(shape: Shape) -> bool:
    """Whether a text is a query's: an id beside it says so, and no number says otherwise."""
    header = {*shape.header}
    ids, numbers = {"query_id", "qid", "q_id"}, {"score", "rank", "relevance", "relevant", "grade"}
    return not header.isdisjoint(ids) and header.isdisjoint(numbers)


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


# ---- JSON ----


def lines_say(shape: Shape) -> bool:
    """Whether all lines say what is right, or one what is expected: queries may demand something of
    the order of their results, too."""
    found = [{*_SAYING.findall(line)} for line in shape.lines]
    return all(found) or any(one & {b"expected", b"pattern", b"patterns"} for one in found)


def may_be_queries(shape: Shape) -> bool:
    """Whether an id and a text may be a query's: their other keys are not of documents alone."""
    theirs = {name for name in _DOCUMENT_KEYS & shape.names if name != "title" or _titled(shape)}
    return not theirs or ("doc_id" not in theirs and not _QUERY_KEYS.isdisjoint(shape.names))


def may_be_documents(shape: Shape) -> bool:
    """Whether an id and a text may be a document's: their other keys are not of queries alone."""
    if not _QUERY_KEYS & shape.names or "doc_id" in shape.names:
        return True
    theirs = not _DOCUMENT_KEYS.isdisjoint(shape.names)
    return "query_id" not in shape.names and (theirs or shape.is_long)


def are_documents(shape: Shape) -> bool:
    """Whether records are surely documents: they have keys of documents alone, or long texts."""
    theirs = not _DOCUMENT_KEYS.isdisjoint(shape.names)
    # Narratives are long, too: BEIR has them in the metadata of its queries.
    long = shape.is_long and _QUERY_KEYS.isdisjoint(shape.names | shape.inner)
    return may_be_documents(shape) and (theirs or long)


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
    """Whether their values are whole numbers of one or two digits."""
    values = _NUMBER_VALUE.findall(b"\n".join(shape.lines))
    return are_pairs(shape) and all(re.fullmatch(rb"-?[0-9]{1,2}", value) for value in values)


def have_labels(shape: Shape) -> bool:
    """Whether records have lists of labels; a single label may be anything's."""
    return 2 * sum(_LABELS.search(line) is not None for line in shape.lines) >= len(shape.lines)


# ---- Lines ----


def fields(width: int) -> Fits:
    """Whether a line has so many fields."""
    return lambda shape: shape.width == width


def words(width: int, number: int) -> Fits:
    """Whether lines with tabs here and there are so many words, with a number as the one at the
    index `number`."""

    def are(shape: Shape) -> bool:
        cut = [line.split() for line in shape.lines]
        like = sum(len(one) == width and one[number][-1:].isdigit() for one in cut)
        return 2 * like >= len(cut)

    return are


def are_ranks(shape: Shape) -> bool:
    """Whether the third of three fields counts the lines of each query from 1."""
    counts: dict[bytes, int] = {}
    for cells in shape.cells():
        rank = counts[cells[0]] = counts.get(cells[0], 0) + 1
        if len(cells) != 3 or cells[2].strip() != b"%d" % rank:
            return False
    return True


def are_short_texts(shape: Shape) -> bool:
    """Whether two fields are an id and a text as short as a query."""
    return shape.width == 2 and not shape.is_long


def are_texts(shape: Shape) -> bool:
    """Whether two or three fields are an id and texts: numbers in the last one are a rank, a grade
    or a score, and nobody knows which."""
    numbers = sum(cells[-1].strip().isdigit() for cells in shape.cells())
    return shape.width == 2 or (shape.width == 3 and 2 * numbers < len(shape.lines))


def are_long_texts(shape: Shape) -> bool:
    """Whether the texts are as long as documents, or have a title beside them."""
    return are_texts(shape) and (shape.width == 3 or shape.is_long)


def has_addresses(shape: Shape) -> bool:
    """Whether the second of four fields is the address of a document."""
    cut = [cells for cells in shape.cells() if len(cells) == 4]
    return shape.width == 4 and 2 * sum(b"://" in cells[1] for cells in cut) >= len(cut)


def are_candidates(shape: Shape) -> bool:
    """Whether four fields are two ids and two texts."""
    cut = [[len(cell.split()) for cell in cells] for cells in shape.cells() if len(cells) == 4]
    like = sum(words[:2] == [1, 1] and words[2] > 0 and words[3] > 1 for words in cut)
    return shape.width == 4 and not has_addresses(shape) and 2 * like >= len(shape.lines)
