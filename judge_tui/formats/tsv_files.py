"""Files with tabs between their fields and no header: queries and documents with their ids in
front, and the files of MS MARCO, whose own lines have further fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from judge_tui.counts import counted
from judge_tui.formats.columns import aliased, folded
from judge_tui.formats.csv_files import Ranks
from judge_tui.formats.pair_rows import RunRow
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.source import Source
from judge_tui.formats.tables import cells_of, id_of
from judge_tui.formats.writers import QrelsToWrite, RunToWrite
from judge_tui.model import Document, Query

_CANDIDATES = "qid<TAB>pid<TAB>query<TAB>passage"


def query_rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Yield every line `id<TAB>text`."""
    for line, (query_id, text) in _records(source, report, (2,), "id<TAB>text"):
        yield line, Query(query_id, text)


def document_rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Yield every line `id<TAB>text` or `id<TAB>title<TAB>text`."""
    layout = "id<TAB>text or id<TAB>title<TAB>text"
    for line, (doc_id, *title, text) in _records(source, report, (2, 3), layout):
        yield line, Document(doc_id, title=title[0] if title else "", text=text)


def id_of_line(line: bytes) -> bytes | None:
    """Return the id in front of a line, as far as a look tells."""
    doc_id, tab, _ = line.partition(b"\t")
    return doc_id.strip(b" ") if tab else None


def ranking_rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Yield every line `qid<TAB>pid<TAB>rank` of a run as MS MARCO takes them, without scores or a
    tag."""
    ranks = Ranks()
    for line, (query, doc, rank) in _records(source, report, (3,), "qid<TAB>pid<TAB>rank"):
        try:
            query_id, doc_id = id_of(query, "query"), id_of(doc, "document")
            yield RunRow(line, query_id, doc_id, ranks.score(line, query_id, rank.strip()), None)
        except RecordError as error:
            report(line, error.what, error.mend)


def msmarco_documents(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Yield every line `docid<TAB>url<TAB>title<TAB>body`."""
    layout = "docid<TAB>url<TAB>title<TAB>body"
    for line, (doc_id, url, title, body) in _records(source, report, (4,), layout):
        yield line, Document(doc_id, title=title, text=body, url=url)


def candidate_queries(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Yield the queries of MS MARCO's candidates (`top1000.dev`), where each first comes."""
    for line, query_id, text in _texts(source, report, "query", lambda one: (one[0], one[2])):
        yield line, Query(query_id, text)


def candidate_documents(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Yield the passages of MS MARCO's candidates, where each first comes."""
    for line, doc_id, text in _texts(source, report, "passage", lambda one: (one[1], one[3])):
        yield line, Document(doc_id, text=text)


def _records(
    source: Source, report: Reporter, widths: tuple[int, ...], layout: str
) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each line that has one of these numbers of them; a first line that names
    columns is reported."""
    is_first = True
    for line, fields in cells_of(source, "\t", report):
        if len(fields) not in widths:
            what = f"{counted(len(fields), 'tab-separated field')}; a line has"
            what += f" {' or '.join(map(str, widths))} ({layout})"
            report(line, what, "put one tab between the fields, and none within them")
            continue
        if is_first and all(aliased([folded(one)]) for one in fields[:2]):
            report(line, "this line is a header, not a record", "delete it")
        else:
            yield line, fields
        is_first = False


def _texts(
    source: Source, report: Reporter, noun: str, of: Callable[[list[str]], tuple[str, str]]
) -> Iterator[tuple[int, str, str]]:
    """Line, id and text of each query, or passage (the `noun`), at the first line that has it.
    Another text of one id is reported."""
    seen: dict[str, tuple[int, int]] = {}
    for line, fields in _records(source, report, (4,), _CANDIDATES):
        its_id, text = of(fields)
        its_id = its_id.strip(" ")
        before, known = seen.setdefault(its_id, (line, hash(text)))
        if known != hash(text):
            what = f"{noun} {quoted(its_id)} has another text on line {before}"
            report(line, what, "give it one text, or the other one another id")
        elif before == line:
            yield line, its_id, text


# ---- Writers, of MS MARCO's files ----


def ranking_tsv(content: RunToWrite) -> Iterator[str]:
    """Write a run of ranks."""
    for query_id, docs in content.ranked().items():
        for position, doc_id in enumerate(docs, 1):
            yield f"{query_id}\t{doc_id}\t{position}\n"


def qrels_tsv(qrels: QrelsToWrite) -> Iterator[str]:
    """TREC's four columns between tabs."""
    for query in qrels.queries:
        for doc_id, grade in query.grades.items():
            yield f"{query.query_id}\t0\t{doc_id}\t{grade}\n"


def queries_tsv(queries: Iterable[Query]) -> Iterator[str]:
    """Write a query a line."""
    return (f"{one.query_id}\t{in_a_field(one.text)}\n" for one in queries)


def collection_tsv(documents: Iterable[Document]) -> Iterator[str]:
    """Write a passage a line."""
    return (f"{one.doc_id}\t{in_a_field(one.text)}\n" for one in documents)


def in_a_field(text: str) -> str:
    """Return the text with blanks for tabs and line ends."""
    return re.sub(r"[\t\r\n]", " ", text)
