"""A collection of BEIR's loaded into a campaign: queries, documents, and its qrels as the grades of
one judge."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as changed_in

from judge_tui.campaign.coded_ids import CodedIds
from judge_tui.campaign.coming_queries import coming_queries
from judge_tui.campaign.documents import document_key
from judge_tui.campaign.doubled_queries import told_of_doubled
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.grades import load_grades, refuse_off_scale
from judge_tui.campaign.loaded import Loaded, OnRows, silent
from judge_tui.campaign.queries import add_queries, all_queries
from judge_tui.campaign.staged_documents import StagedDocuments, staging
from judge_tui.campaign.typed import typed
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import QrelsRow, Sieve, decode_id, iter_documents, iter_queries
from judge_tui.formats.beir_folder import BeirFolder, beir_folder
from judge_tui.formats.judgments import read_grades
from judge_tui.formats.named_queries import NamedQueries, known_query
from judge_tui.model import Query

__all__ = ["LoadedCollection", "load_beir"]


@dataclass(frozen=True, slots=True)
class LoadedCollection:
    """What came of each part, and the files they were in."""

    queries: Loaded
    documents: Loaded
    grades: Loaded
    files: tuple[str, str, str]


def load_beir(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    judge: str,
    kind: str = "human",
    split: str | None = None,
    keep_all_queries: bool = False,
    keep_all_documents: bool = False,
    replace: bool = False,
    on_rows: OnRows = silent,
) -> LoadedCollection:
    """Load the folder at `path`, all of it or nothing; the judge is made if new.

    The queries are those that the qrels of the split name, unless all are kept; the documents those
    that these grade and that runs of the campaign retrieved, unless all are kept. Every graded pair
    joins the pool (stratum `loaded`). Loading the same again changes nothing. Raises `UsageError`
    for a folder that is no such collection, `InputError` at the first bad line, for a grade off the
    scale, for grades of a query that the collection does not have, for a query that the
    campaign has with another text, for a document of which the corpus says something else than the
    campaign (`replace` lets that hold all the same), and where the
    judge has graded a pair otherwise: it names the command by which the qrels hold.
    """
    folder = beir_folder(path)
    if folder is None:
        raise UsageError(
            f"{os.fspath(path)} is no folder as BEIR has it",
            "it holds corpus.jsonl, queries.jsonl and qrels/test.tsv",
        )
    corpus, queries, qrels = _files(folder, split)
    rows, coded = _graded(campaign, qrels)
    wanted = None if keep_all_queries else {row.query_id for row in rows}
    read, others = _queries(queries, qrels, rows, wanted)
    with staging(campaign) as staged:
        ids = None if keep_all_documents else {row.doc_id for row in rows}
        outcome = _stage(campaign, staged, corpus, ids, coded, on_rows)
        staged.complete()
        with campaign.writing():
            added, unknown = _add(campaign, queries, read, others)
            documents = staged.take_over(0, corpus, outcome, replace=replace)
            for row in rows:
                refuse_off_scale(campaign, qrels, row)
            mend = _mend(
                campaign, qrels, judge, kind, skip=any(r.query_id in unknown for r in rows)
            )
            grades = load_grades(campaign, qrels, rows, judge=judge, kind=kind, mend=mend)
            grades = changed_in(grades, notes=(*added.notes, *documents.notes, *grades.notes))
            missing = _without_text(campaign, rows)
    if missing:
        count = "1 graded document is" if missing == 1 else f"{missing:,} graded documents are"
        grades = changed_in(grades, notes=(*grades.notes, f"{count} without a text in {corpus}"))
    return LoadedCollection(added, documents, grades, (queries, corpus, qrels))


def _files(folder: BeirFolder, split: str | None) -> tuple[str, str, str]:
    qrels = folder.qrels(split)
    if folder.corpus is None or folder.queries is None:
        missing = "corpus.jsonl" if folder.corpus is None else "queries.jsonl"
        raise InputError(folder.path, None, f"there is no {missing} in it", "add the file")
    return folder.corpus, folder.queries, qrels


def _graded(campaign: Campaign, path: str) -> tuple[list[QrelsRow], CodedIds]:
    """The rows under the ids that the campaign knows, and what tells these."""
    read = read_grades(path, format="beir").rows or []
    coded = CodedIds(campaign, literal=True, fields=[row.doc_id for row in read])
    rows = [
        row._replace(query_id=decode_id(row.query_id), doc_id=coded.native(row.doc_id))
        for row in read
    ]
    return rows, coded


def _queries(
    path: str, qrels: str, rows: Sequence[QrelsRow], wanted: set[str] | None
) -> tuple[list[tuple[int, Query]], set[str]]:
    """The queries wanted, all for None, with their lines, and the ids of the others. Raises
    `InputError` for a grade of one that is not there."""
    known: set[str] = set()
    kept: list[tuple[int, Query]] = []
    for line, query in iter_queries(path, format="jsonl"):
        query_id = decode_id(query.query_id)
        known.add(query_id)
        if wanted is None or query_id in wanted:
            kept.append((line, changed_in(query, query_id=query_id)))
    for row in rows:
        if row.query_id not in known:
            raise InputError(
                qrels,
                row.line,
                f"query {row.query_id!r} is not in {path}",
                "add it there, or remove its lines here",
            )
    return kept, known.difference(query.query_id for _, query in kept)


def _stage(
    campaign: Campaign,
    staged: StagedDocuments,
    path: str,
    graded: set[str] | None,
    coded: CodedIds,
    on_rows: OnRows,
) -> Loaded:
    """Let the documents wait that are graded or known to the campaign, all for None."""
    sieve = None
    if graded is not None:
        ids = {doc_id for (doc_id,) in campaign.connection.execute("SELECT doc_id FROM documents")}
        ids |= graded
        sieve = Sieve(ids, count=len(ids), told=on_rows)
    left_out = 0
    for line, document in iter_documents(path, format="jsonl", sieve=sieve):
        doc_id = coded.native(document.doc_id)
        if (
            graded is not None
            and doc_id not in graded
            and document_key(campaign.connection, doc_id) is None
        ):
            left_out += 1
        elif not (document.title or document.text or document.url or document.meta):
            continue  # known by its id alone: a text may come from elsewhere
        else:
            staged.add_once(path, 0, line, doc_id, document)
    return Loaded(left_out=left_out + (sieve.left_out if sieve is not None else 0))


def _add(
    campaign: Campaign, path: str, read: Sequence[tuple[int, Query]], others: set[str]
) -> tuple[Loaded, set[str]]:
    """What came of the queries, and the ids of those that the campaign did not have; of the others
    those are left out that it has not either."""
    known = all_queries(campaign)
    there = NamedQueries(known)
    mend = "load the collection into a campaign of its own"
    new = [query for line, query in read if known_query(there, path, line, query, mend) is None]
    add_queries(campaign, new)
    notes = tuple(told_of_doubled(known, coming_queries(known, read)))
    left_out = len(others.difference(query.query_id for query in known))
    loaded = Loaded(len(new), unchanged=len(read) - len(new), left_out=left_out, notes=notes)
    return loaded, {query.query_id for query in new}


def _mend(campaign: Campaign, qrels: str, judge: str, kind: str, *, skip: bool) -> str:
    """How the qrels may hold where the judge has graded otherwise; `skip`: whether they have
    queries that only the folder brings."""
    words = ["--judge", shlex.quote(judge.strip())]
    words += ["--kind", kind] if kind != "human" else []
    words += ["--skip-unknown"] if skip else []
    # Behind a mark, as a name may begin with a hyphen.
    words += ["--replace", *(["--"] if qrels.startswith("-") else []), shlex.quote(qrels)]
    return (
        "mend the line, load the folder under another judge's name, or, before it is loaded again,"
        f" let its grades hold: {typed(campaign.path, 'load qrels', ' '.join(words))}"
    )


def _without_text(campaign: Campaign, rows: Sequence[QrelsRow]) -> int:
    graded = {row.doc_id for row in rows}
    bare = campaign.connection.execute("SELECT doc_id FROM documents WHERE text IS NULL")
    return sum(doc_id in graded for (doc_id,) in bare)
