"""Collections into a campaign, queries, documents and grades at once: a folder as BEIR has it, or a
graded benchmark."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed_in
from operator import index
from pathlib import Path
from typing import SupportsIndex

from judge_tui.campaign.loading import LoadCounts, OnCount
from judge_tui.campaign.loading.documents import (
    DocumentRow,
    sieve_of,
    spill_documents,
    take_documents,
)
from judge_tui.campaign.loading.judgments import as_judgments, write_judgments
from judge_tui.campaign.loading.queries import take_queries
from judge_tui.campaign.loading.spill import Spill, spilling
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import proper_name
from judge_tui.errors import InputError
from judge_tui.formats.beir_folder import beir_folder
from judge_tui.formats.benchmark import read_benchmark
from judge_tui.formats.judgments import QrelsRow
from judge_tui.formats.query_names import KnownQueries
from judge_tui.formats.rows import iter_qrels, iter_queries
from judge_tui.model import Query

PathLike = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class CollectionLoad:
    """What came of each part, and the files they were in."""

    queries: LoadCounts
    documents: LoadCounts
    grades: LoadCounts
    files: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class _Collection:
    """What is to be written: queries with their lines, documents, and grades by the ids of the
    file. `left_out`: how many queries and documents."""

    files: tuple[str, str, str]
    queries: Sequence[tuple[SupportsIndex, Query]]
    documents: Iterable[DocumentRow]
    grades: Sequence[QrelsRow]
    left_out: tuple[int, int] = (0, 0)


def load_collection(
    campaign: Campaign,
    path: PathLike,
    *,
    judge: str,
    split: str | None = None,
    keep_all: bool = False,
    replace: bool = False,
    on_rows: OnCount = lambda _rows: None,
) -> CollectionLoad:
    """Load a BEIR folder or a benchmark, all of it or nothing; the judge is made if new.

    Of a folder come the queries that the qrels of the `split` name, and the documents that these
    grade or the campaign knows, unless all are kept. The scores of a benchmark are grades. Every
    graded pair joins the pool (stratum `loaded`). Loading again changes nothing.

    Raises `InputError` at the first bad line, for a grade off the scale or of a query that the
    folder lacks, and where the campaign says something else, unless `replace`. What was decided in
    the app stays.
    """
    judge = proper_name(judge)
    with spilling() as spill:
        if Path(path).is_dir():
            read = _read_folder(campaign, spill, path, split, keep_all, on_rows)
        else:
            read = _read_benchmark(path)
        queries_file, documents_file, grades_file = read.files
        queries_left_out, documents_left_out = read.left_out
        with campaign.writing():
            queries, ids = take_queries(campaign, queries_file, read.queries, replace=replace)
            documents = take_documents(campaign, documents_file, read.documents, replace=replace)
            id_of = dict(zip((query.query_id for _, query in read.queries), ids, strict=True))
            rows = (row._replace(query_id=id_of[row.query_id]) for row in read.grades)
            judged = as_judgments(rows, judge)
            written = write_judgments(campaign, grades_file, judged, "human", replace=replace)
            graded = written.get(judge, LoadCounts())
    return CollectionLoad(
        changed_in(queries, left_out=queries_left_out),
        changed_in(documents, left_out=documents_left_out),
        graded,
        read.files,
    )


def _read_folder(
    campaign: Campaign,
    spill: Spill,
    path: PathLike,
    split: str | None,
    keep_all: bool,
    on_rows: OnCount,
) -> _Collection:
    folder = beir_folder(path)
    if folder is None or folder.corpus is None or folder.queries is None:
        raise InputError(
            path,
            None,
            "the folder is not a BEIR collection",
            "give a folder of corpus.jsonl, queries.jsonl and qrels/test.tsv",
        )
    qrels = folder.qrels(split)
    rows = list(iter_qrels(qrels, format="beir"))
    every = list(iter_queries(folder.queries, format="jsonl"))
    known = KnownQueries(
        (query for _, query in every),
        qrels,
        whose=folder.queries,
        mend="add it to them, or leave out the row",
    )
    for row in rows:
        known.get(row.line, row.query_id)
    named = {row.query_id for row in rows}
    queries = [(line, query) for line, query in every if query.query_id in named]
    graded = {row.doc_id for row in rows}
    sieve = None if keep_all else sieve_of(campaign, on_rows, graded)
    _, corpus = spill_documents(
        campaign, spill, folder.corpus, "jsonl", sieve, on_rows, others=graded
    )
    left_out = len(every) - len(queries), corpus.left_out
    return _Collection((folder.queries, folder.corpus, qrels), queries, spill, rows, left_out)


def _read_benchmark(path: PathLike) -> _Collection:
    entries = read_benchmark(path)
    # A document may come for several queries.
    documents: dict[str, DocumentRow] = {}
    rows = []
    for entry in entries:
        for one in entry.candidates:
            doc_id = one.document.doc_id
            documents.setdefault(doc_id, (index(one.line), one.document))
            rows.append(QrelsRow.of(one.line, entry.query.query_id, doc_id, one.judgment))
    file = os.fspath(path)
    queries = [(entry.line, entry.query) for entry in entries]
    return _Collection((file, file, file), queries, documents.values(), rows)
