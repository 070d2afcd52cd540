"""Collections into a campaign, queries, documents and grades at once: a folder as BEIR has it, or a
graded benchmark."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as changed_in
from typing import SupportsIndex

from judge_tui.campaign.loading.documents import StagedDocuments, sieve_of, staging
from judge_tui.campaign.loading.judgments import as_judgments, pooled, record, refuse_off_scale
from judge_tui.campaign.loading.loaded import Loaded, OnRows, silent
from judge_tui.campaign.loading.queries import take_queries
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import document_key
from judge_tui.campaign.store.judges import add_judge, proper_name
from judge_tui.errors import InputError
from judge_tui.formats.beir_folder import beir_folder
from judge_tui.formats.benchmark import Grades, read_benchmark
from judge_tui.formats.pair_rows import QrelsRow
from judge_tui.formats.query_names import KnownQueries
from judge_tui.formats.rows import iter_documents, iter_qrels, iter_queries
from judge_tui.model import Query

__all__ = ["LoadedCollection", "load_collection"]

PathLike = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class LoadedCollection:
    """What came of each part, and the files they were in."""

    queries: Loaded
    documents: Loaded
    grades: Loaded
    files: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class _Read:
    """A collection whose documents wait: its queries with their lines, those that no grade names
    left out, and its grades by the ids of the file, those of unknown queries left out."""

    queries: Sequence[tuple[SupportsIndex, Query]]
    documents: Loaded
    grades: list[QrelsRow]
    files: tuple[str, str, str]
    queries_left_out: int = 0
    grades_left_out: int = 0


def load_collection(
    campaign: Campaign,
    path: PathLike,
    *,
    judge: str,
    kind: str = "human",
    split: str | None = None,
    grades: Grades | None = None,
    keep_all: bool = False,
    skip_unknown: bool = False,
    replace: bool = False,
    on_rows: OnRows = silent,
) -> LoadedCollection:
    """Load a BEIR folder or a benchmark, all of it or nothing; the judge is made if new.

    Of a folder, the queries are those that the qrels of the `split` name; the documents those that
    these grade and that the campaign knows, unless all are kept; one that is graded and not in the
    corpus has no text. Of a benchmark, `grades` say what its scores mean. Every graded pair joins
    the pool (stratum `loaded`). Loading the same again changes nothing.

    Raises `InputError` at the first bad line, for a grade off the scale or of a query that the
    folder does not have (left out with `skip_unknown`), and where the campaign says something else
    of a query or a document, or the judge has graded a pair otherwise, unless `replace`: then the
    file holds, but for what was decided in the app.
    """
    name = proper_name(judge)
    with staging(campaign) as staged:
        read = (
            _read_folder(
                campaign,
                staged,
                path,
                split,
                keep_all=keep_all,
                skip_unknown=skip_unknown,
                on_rows=on_rows,
            )
            if os.path.isdir(path)  # noqa: PTH112 - as the readers ask
            else _read_benchmark(staged, path, grades)
        )
        staged.complete()
        queries_file, documents_file, grades_file = read.files
        with campaign.writing():
            queries, ids = take_queries(campaign, queries_file, read.queries, replace=replace)
            documents = staged.take_over(0, documents_file, read.documents, replace=replace)
            called = dict(zip((query.query_id for _, query in read.queries), ids, strict=True))
            rows = [row._replace(query_id=called[row.query_id]) for row in read.grades]
            for row in rows:
                refuse_off_scale(campaign, grades_file, row)
            pairs = pooled(campaign, [(row.query_id, row.doc_id) for row in rows])
            judged = as_judgments(rows, name)
            unjudged = sum(row.grade < 0 for row in rows)
            counts = Loaded()
            if unjudged < len(rows):
                who = add_judge(campaign, name, kind=kind)
                counts = record(campaign, grades_file, judged, pairs, who, replace=replace)
    return LoadedCollection(
        changed_in(queries, left_out=read.queries_left_out),
        documents,
        changed_in(counts, left_out=unjudged + read.grades_left_out),
        read.files,
    )


def _read_folder(
    campaign: Campaign,
    staged: StagedDocuments,
    path: PathLike,
    split: str | None,
    *,
    keep_all: bool,
    skip_unknown: bool,
    on_rows: OnRows,
) -> _Read:
    folder = beir_folder(path)
    if folder is None or folder.corpus is None or folder.queries is None:
        raise InputError(
            path,
            None,
            "it is no collection as BEIR has it",
            "give a folder of corpus.jsonl, queries.jsonl and qrels/test.tsv",
        )
    qrels = folder.qrels(split)
    listed = list(iter_qrels(qrels, format="beir"))
    every = list(iter_queries(folder.queries, format="jsonl"))
    known = KnownQueries(
        (query for _, query in every),
        qrels,
        whose=folder.queries,
        mend="add it to them, or leave out such rows with --skip-unknown",
    )
    query_of = known.find if skip_unknown else known.get
    rows = [row for row in listed if query_of(row.line, row.query_id)]
    named = {row.query_id for row in rows}
    queries = [(line, query) for line, query in every if query.query_id in named]
    graded = {row.doc_id for row in rows}
    documents = _stage_corpus(
        campaign, staged, folder.corpus, None if keep_all else graded, on_rows
    )
    files = folder.queries, folder.corpus, qrels
    left_out = len(every) - len(queries), len(listed) - len(rows)
    return _Read(queries, documents, rows, files, *left_out)


def _stage_corpus(
    campaign: Campaign,
    staged: StagedDocuments,
    path: str,
    graded: set[str] | None,
    on_rows: OnRows,
) -> Loaded:
    """Let the documents wait that are graded or known to the campaign, all for None."""
    sieve = None if graded is None else sieve_of(campaign, on_rows, graded)
    left_out = 0
    for line, document in iter_documents(path, format="jsonl", sieve=sieve):
        if (
            graded is not None
            and document.doc_id not in graded
            and document_key(campaign.connection, document.doc_id) is None
        ):
            left_out += 1
        elif document.title or document.text or document.url or document.meta:
            staged.add(0, line, document)
    return Loaded(left_out=left_out + (sieve.left_out if sieve is not None else 0))


def _read_benchmark(staged: StagedDocuments, path: PathLike, grades: Grades | None) -> _Read:
    entries = read_benchmark(path, grades=grades)
    rows = []
    for entry in entries:
        for one in entry.candidates:
            # One that comes for several queries waits once.
            staged.add(0, one.line, one.document)
            query_id, doc_id = entry.query.query_id, one.document.doc_id
            rows.append(QrelsRow.of(one.line, query_id, doc_id, one.judgment))
    file = os.fspath(path)
    queries = [(entry.line, entry.query) for entry in entries]
    return _Read(queries, Loaded(), rows, (file, file, file))
