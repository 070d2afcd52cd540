"""The shape of a text file by its first 64 KB, and the names in it: columns, keys or tags.

What a file is made of says more than how its numbers look. A format is known by a shape, by the
names that have to be there, and where these do not tell by a check of the rest
(`registry.Signature`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from types import MappingProxyType
from typing import Literal, TypeAlias

from judge_tui.formats.columns import BEIR, TEXT, aliased, folded, renamed

ShapeKind: TypeAlias = Literal[
    "fields", "table", "tabs", "text", "jsonl", "json", "array", "sgml", "toml"
]
"""`fields`: words and numbers between white space, as TREC has them; `table`: a header that names
columns; `tabs`: the same number of tabs in every line, and no header; `jsonl`: an object a line;
`json`: one object; `array`: a list; `text`: anything else."""

_LONG_LINE = 300
"""In bytes: where nothing else tells queries from documents, longer lines are documents."""

_LINES = 50
_STRING = r'"(?:[^"\\]|\\.)*+"'
_TOKEN = re.compile(rf'{_STRING}(\s*:)?|[\[\]{{}}]|"')
_ARRAY_HEAD = re.compile(r"^[ \t]*\[\[[\w\"'.-]+\]\][ \t]*(?:#.*)?$", re.MULTILINE)
_TOML_KEY = re.compile(r"^[ \t]*(?:\[.*?)?([\w-]+)(?:[ \t]*\.[ \t]*\w+)?[ \t]*[=\]]", re.MULTILINE)
_TAG = re.compile(r"<([A-Za-z]+)")
_SEPARATORS = "\t;,"
_OBJECT = re.compile(r'\{\s*(?:"(?:[^"\\]|\\.)*+"\s*:|\}|\Z)')
_ARRAY = re.compile(r"\[\s*(?:[\[{\]]|\Z)")
_SGML = re.compile(r"<[A-Za-z!?]")
# What only a header says, be it the only name in it that is known.
_IDS = {"query", "query_id", "qid", "q_id", "doc_id", "docno", "docid", "document_id", "corpus_id"}


@dataclass(frozen=True, slots=True)
class Shape:
    """What the first lines of a file are made of.

    `names`: the columns of a table, folded and by their usual names; the keys of JSON, or those in
    at least half of the JSON Lines; the tags of SGML. `inner`: the keys of JSON at any depth.
    `header`: the folded cells of a table's first line, and the `separator` between them. `lines`:
    the first ones that are not blank, of which the first is line number `line`. `width`: the number
    of fields in a line.
    """

    kind: ShapeKind
    line: int
    lines: tuple[bytes, ...]
    names: frozenset[str] = frozenset()
    inner: frozenset[str] = frozenset()
    header: tuple[str, ...] = ()
    separator: str = ""
    width: int = 0

    @property
    def first(self) -> bytes:
        """The first line, without the white space around it."""
        return self.lines[0].strip()

    @property
    def is_long(self) -> bool:
        """Whether half of the lines are too long for queries."""
        return sorted(map(len, self.lines))[len(self.lines) // 2] > _LONG_LINE

    @property
    def strange_header(self) -> tuple[str, ...]:
        """The cells of a first line that may name columns which nobody knows: none is a number, and
        further lines have as many."""
        first = self.first.decode("utf-8", "replace")
        separator = max(_SEPARATORS, key=first.count)
        cells = tuple(cell.strip().strip("\"'") for cell in first.split(separator))
        like = [line.count(separator.encode()) + 1 >= len(cells) for line in self.lines[1:]]
        numbers = any(not cell or _is_number(cell) for cell in cells)
        is_header = self.kind in ("text", "tabs") and len(cells) > 1 and not numbers
        return cells if is_header and any(like) and all(like) else ()

    def cells(self) -> list[list[bytes]]:
        """Return the lines cut at tabs."""
        return [line.split(b"\t") for line in self.lines]


def shape_of(
    head: bytes, *, whole: bool = True, columns: Mapping[str, str] = MappingProxyType({})
) -> Shape | None:
    """Return the shape of a text that begins like this, or is this (`whole`); None for an empty
    one. `columns`: what columns are called."""
    raw = head.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not whole and len(raw) > 1:
        raw.pop()  # it may be cut anywhere
    line = next((at for at, line in enumerate(raw, 1) if line.strip()), None)
    if line is None:
        return None
    filled = (text.removesuffix(b"\r") for text in raw if text.strip())
    lines = tuple(islice(filled, _LINES))
    first = lines[0].strip().decode("utf-8", "replace")
    bare = (text for text in chain(lines, filled) if not text.lstrip().startswith(b"#"))
    rows = tuple(islice(bare, _LINES)) or lines
    table, others = _table(first, line, lines, columns), _of_lines(line, rows)
    # `q1<TAB>Q0<TAB>d1<TAB>1<TAB>2.5<TAB>tag` has the name of a column in it, and is no header.
    number = rows[0].split()[4 if others.width == 6 else 3 :][:1]
    if others.kind == "fields" and (table is None or any(map(_is_number, number))):
        return others
    text = head.decode("utf-8", "replace").removeprefix("\ufeff").lstrip().replace("\r\n", "\n")
    if _SGML.match(text):
        tags = frozenset(tag.lower() for tag in _TAG.findall(text))
        return Shape("sgml", line, lines, tags)
    if text.startswith(("[[", "#")) and _ARRAY_HEAD.search(text):
        return Shape("toml", line, lines, frozenset(_TOML_KEY.findall(text)))
    if _ARRAY.match(text):
        names, inner, _ = _keys(text[1:].lstrip())
        return Shape("array", line, lines, names, inner)
    if _OBJECT.match(text):
        return _of_json(text, line, lines)
    return table or others


def _of_json(text: str, line: int, lines: tuple[bytes, ...]) -> Shape:
    names, inner, end = _keys(text)
    after = text[end:] if end else ""
    if "\n" in text[:end] or (not end and len(lines) > 1) or after.partition("\n")[0].strip():
        return Shape("json", line, lines, names, inner)
    of_lines = [_keys(one.decode("utf-8", "replace").strip())[0] for one in lines]
    every = frozenset().union(*of_lines)
    usual = {name for name in every if 2 * sum(name in one for one in of_lines) >= len(of_lines)}
    return Shape("jsonl", line, lines, frozenset(usual), inner)


def _keys(text: str) -> tuple[frozenset[str], frozenset[str], int]:
    """Return the keys of the object that a text begins with, those at any depth, and where it ends:
    0 where that is not in the text."""
    own: list[str] = []
    inner: list[str] = []
    depth = 0
    for token in _TOKEN.finditer(text):
        written = token[0]
        if written in "[{":
            depth += 1
        elif written in "]}":
            depth -= 1
            if depth <= 0:
                return frozenset(own), frozenset(inner), token.end()
        elif token[1]:
            name = written[1 : written.rindex('"')]
            inner.append(name)
            if depth == 1:
                own.append(name)
        elif written == '"':
            break  # a string that the text does not close
    return frozenset(own), frozenset(inner), 0


def _table(
    first: str, line: int, lines: tuple[bytes, ...], columns: Mapping[str, str]
) -> Shape | None:
    """Return the first line as a header: at least two of its names are known, or its only one is,
    or one is that of ids. The separator is the one that shows most of them."""
    best: Shape | None = None
    most = 0
    for separator in _SEPARATORS:
        cells = [folded(cell.strip().strip("\"'")) for cell in first.split(separator)]
        header = tuple(renamed(cells, columns))
        known = [name for name in header if aliased([name])]
        if separator == "\t" and re.search("[0-9]", header[0]) and header[0] not in known:
            continue  # `d1<TAB>title<TAB>text` may be the document that it reads like
        if len(known) < min(2, len(header)) and _IDS.isdisjoint(header):
            continue
        if len(known) > most:
            names = frozenset(aliased(header) | {name for name in header if name})
            best = Shape("table", line, lines, names, names, header, separator, len(header))
            most = len(known)
    return best


def _of_lines(line: int, lines: tuple[bytes, ...]) -> Shape:
    tabs = _usual(one.count(b"\t") + 1 for one in lines)
    fields = _usual(len(one.split()) for one in lines)
    # TREC has white space of any kind between its fields, of which the second is Q0 or 0.
    cut = [cells for one in lines if len(cells := one.split()) == fields]
    if tabs in (1, fields) or (fields in (4, 6) and _mostly(cut, _has_iteration)):
        ranked = fields < 7 or _mostly(cut, lambda cells: _is_number(cells[3]))
        if fields > 4 and ranked and _mostly(cut, lambda cells: _is_number(cells[4])):
            return Shape("fields", line, lines, width=6)
        if fields == 4 and _mostly(cut, lambda cells: _is_number(cells[3])):
            return Shape("fields", line, lines, width=4)
    return Shape("tabs" if tabs > 1 else "text", line, lines, width=tabs if tabs > 1 else fields)


def _mostly(rows: Sequence[Sequence[bytes]], holds: Callable[[Sequence[bytes]], bool]) -> bool:
    """Whether it holds of half of the rows."""
    return 2 * sum(map(holds, rows)) >= len(rows)


def _has_iteration(cells: Sequence[bytes]) -> bool:
    return cells[1] in (b"0", b"Q0")


def _is_number(field: bytes | str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _usual(counts: Iterable[int]) -> int:
    every = list(counts)
    return max(dict.fromkeys(every), key=every.count)


# ---- Checks of what a shape and its names do not tell ----

_QUERY_KEYS = {"query_id", "query", "description", "narrative", "class"}
_DOCUMENT_KEYS = {"doc_id", "title", "url", "kind", "_source", *TEXT.tolerated}
_SAYING = re.compile(rb'"(expected|patterns?|prefer|authority)"\s*:')
_LABELS = re.compile(rb'"label"\s*:\s*\[')
_NUMBER_VALUE = re.compile(rb'"\s*:\s*([^\s,{}\[\]":]++)\s*[,}]')
_FIRST_OBJECT = re.compile(rb'(?:[^{}"]|"(?:[^"\\]|\\.)*+")*+\}\s*')
_OF_RECORD = re.compile(rb',\s*"(?:_id|id|query_id|doc_id|text|title)"\s*:\s*[^\s{]')
_OF_OBJECTS = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*+"\s*:\s*\{')


def is_beir(shape: Shape) -> bool:
    """Whether this table is BEIR's qrels, whose `score` is a grade."""
    return {*shape.header} == BEIR and shape.separator == "\t"


def is_no_beir(shape: Shape) -> bool:
    """Whether this table is none of BEIR's qrels."""
    return not is_beir(shape)


def is_book(shape: Shape) -> bool:
    """Whether the columns behind the second are judges."""
    return len(shape.header) > 2 and shape.header[:2] == ("query", "docid")


def is_of_queries(shape: Shape) -> bool:
    """Whether a text is a query's: an id beside it says so, and no number says otherwise."""
    ids, numbers = {"query_id", "qid", "q_id"}, {"score", "rank", "relevance", "relevant", "grade"}
    return not ids.isdisjoint(shape.header) and numbers.isdisjoint(shape.header)


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


def lines_say(shape: Shape) -> bool:
    """Whether all lines say what is right, or one what is expected: queries may demand something of
    the order of their results, too."""
    found = [{*_SAYING.findall(line)} for line in shape.lines]
    return all(found) or any(one & {b"expected", b"pattern", b"patterns"} for one in found)


def may_be_queries(shape: Shape) -> bool:
    """Whether records with ids may be queries: their other keys are not of documents alone."""
    has_own = not _QUERY_KEYS.isdisjoint(shape.names) and "doc_id" not in shape.names
    return has_own or _DOCUMENT_KEYS.isdisjoint(shape.names)


def may_be_documents(shape: Shape) -> bool:
    """Whether records with ids may be documents: their other keys are not of queries alone."""
    has_own = not _DOCUMENT_KEYS.isdisjoint(shape.names) and "query_id" not in shape.names
    return has_own or "doc_id" in shape.names or _QUERY_KEYS.isdisjoint(shape.names)


def are_documents(shape: Shape) -> bool:
    """Whether records are surely documents: they have keys of documents alone, or long texts."""
    # Narratives are long, too: BEIR has them in the metadata of its queries.
    long = shape.is_long and _QUERY_KEYS.isdisjoint(shape.names | shape.inner)
    return may_be_documents(shape) and (long or not _DOCUMENT_KEYS.isdisjoint(shape.names))


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


def has_width(width: int) -> Callable[[Shape], bool]:
    """Whether a line has so many fields."""
    return lambda shape: shape.width == width


def are_ranks(shape: Shape) -> bool:
    """Whether the third of three fields counts the lines of each query from 1."""
    counts: dict[bytes, int] = {}
    for cells in shape.cells():
        rank = counts[cells[0]] = counts.get(cells[0], 0) + 1
        if len(cells) != 3 or cells[2].strip() != b"%d" % rank:
            return False
    return True


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
