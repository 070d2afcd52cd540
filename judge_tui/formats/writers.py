"""Every form that is written: what it is called, what it holds, and who writes it.

A writer stands beside the reader of its form and is imported when a file is written. It takes what
is to be written and yields the text of the file. A new form takes a writer and its entry here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from judge_tui.formats.judgments import JudgmentRow
from judge_tui.formats.registry import imported
from judge_tui.model import Document, Query, Run, rank

_GRADES = frozenset({"grade"})
_DECISIONS = frozenset({"grade", "skip", "cannot"})


@dataclass(frozen=True, slots=True)
class Form:
    """A form that is written by `writer`, a `module:function`.

    `by_text`: it names queries by their texts alone. Of qrels, `needs_index`: it names the index of
    the documents. Of runs, `has_grades`: it has the final grades, too; `has_titles`: the titles of
    documents; `has_nothing_found`: the queries that nothing was found for. Of judgments: which
    decisions of `people` and of `models` it has a place for, and the `greatest` grade;
    `whole_pool`: the pairs without a judgment, too. Of pairs to be judged, `wants_text`: it takes
    no document without one.
    """

    writer: str
    by_text: bool = False
    needs_index: bool = False
    has_grades: bool = False
    has_titles: bool = False
    has_nothing_found: bool = False
    people: frozenset[str] = _DECISIONS
    models: frozenset[str] = _DECISIONS
    greatest: int = 9
    whole_pool: bool = False
    wants_text: bool = False

    def lines(self, content: Any) -> Iterator[str]:
        """Yield the text of the file, a piece at a time."""
        lines: Iterator[str] = imported(self.writer)(content)
        return lines


# ---- Qrels ----


class GradedQuery(NamedTuple):
    """A query with the grades of its documents, in order of their ids."""

    query_id: str
    text: str
    grades: Mapping[str, int]


class QrelsToWrite(NamedTuple):
    """Queries in order of their ids, white space in their texts as single blanks; and what the
    search engine calls the index of the documents, empty where that is not known."""

    queries: Sequence[GradedQuery]
    index_name: str = ""


QRELS_FORMS: dict[str, Form] = {
    "trec": Form("trec:written_qrels"),
    "quepid": Form("quepid:ratings_csv", by_text=True),
    "quepid-json": Form("quepid:case_json", by_text=True),
    "opensearch": Form("search_tools:opensearch_json", by_text=True),
    "rank-eval": Form("search_tools:rank_eval_json", needs_index=True),
    "beir": Form("csv_files:beir_tsv"),
    "msmarco": Form("csv_files:qrels_tsv"),
    "ranx": Form("search_tools:ranx_qrels_json"),
}


# ---- Runs ----


@dataclass(frozen=True, slots=True)
class RunToWrite:
    """A run, and what some forms have beside it: queries that it was asked and found nothing for,
    texts of queries, titles of documents, final grades, the name of the campaign."""

    run: Run
    nothing_found: Sequence[str]
    texts: Mapping[str, str]
    titles: Mapping[str, str]
    grades: Mapping[str, Mapping[str, int]]
    campaign: str

    def ranked(self) -> dict[str, list[str]]:
        """query_id -> its documents, best first."""
        return {query_id: rank(scores) for query_id, scores in sorted(self.run.scores.items())}


RUN_FORMS: dict[str, Form] = {
    "trec": Form("trec:written_run"),
    "ranx": Form("search_tools:ranx_run_json", has_nothing_found=True),
    "msmarco": Form("csv_files:ranking_tsv"),
    "results": Form("csv_files:results_csv", has_grades=True),
    "quepid-snapshot": Form("quepid:snapshot_csv", by_text=True),
    "quepid-detailed": Form(
        "quepid:detailed_csv",
        by_text=True,
        has_grades=True,
        has_titles=True,
        has_nothing_found=True,
    ),
}


# ---- Judgments, and pairs to be judged ----


class Task(NamedTuple):
    """A query and a document, and what its judges said, grades with their `label`."""

    query: Query
    document: Document
    judgments: Sequence[JudgmentRow] = ()


class JudgmentsToWrite(NamedTuple):
    """The tasks of a campaign, those of a query together; its name and the labels of its scale."""

    tasks: Iterable[Task]
    name: str = ""
    labels: Mapping[int, str] = {}


JUDGMENT_FORMS: dict[str, Form] = {
    "quepid-book": Form(
        "quepid:book_csv", by_text=True, people=_GRADES, models=_GRADES, whole_pool=True
    ),
    "quepid-book-json": Form("quepid:book_json", by_text=True, whole_pool=True),
    # Its records are a model's; its prompts ask for the grades 0 to 3.
    "umbrela": Form("judging_tools:umbrela_jsonl", people=frozenset(), models=_GRADES, greatest=3),
    # What a model said is a prediction there, which cannot be cancelled.
    "label-studio": Form("label_studio:tasks_json", models=frozenset({"grade", "cannot"})),
    "doccano": Form("judging_tools:doccano_jsonl"),
}


POOL_FORMS: dict[str, Form] = {
    "label-studio": Form("label_studio:tasks_json"),
    "doccano": Form("judging_tools:doccano_jsonl"),
    "umbrela": Form("judging_tools:umbrela_requests", wants_text=True),
}
"""The forms that pairs without judgments are written in, to be judged elsewhere."""


# ---- Collections ----


class CollectionForm(NamedTuple):
    """The names of its files, and who writes queries and documents; its qrels are of the form of
    the same name. `in_fields`: a text is a field of a line, so that documents without one are left
    out, and tabs and line ends become blanks."""

    corpus: str
    queries: str
    qrels: str
    documents_writer: Form
    queries_writer: Form
    in_fields: bool


COLLECTIONS: dict[str, CollectionForm] = {
    "beir": CollectionForm(
        "corpus.jsonl",
        "queries.jsonl",
        "qrels/test.tsv",
        Form("jsonl_files:beir_corpus"),
        Form("jsonl_files:beir_queries"),
        in_fields=False,
    ),
    "msmarco": CollectionForm(
        "collection.tsv",
        "queries.test.tsv",
        "qrels.test.tsv",
        Form("csv_files:collection_tsv"),
        Form("csv_files:queries_tsv"),
        in_fields=True,
    ),
}
