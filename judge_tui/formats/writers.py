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


@dataclass(frozen=True, slots=True)
class WrittenForm:
    """A form that is written by `writer`, a `module:function`. `by_text`: it names queries by their
    texts alone."""

    writer: str
    by_text: bool = False

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


@dataclass(frozen=True, slots=True)
class QrelsForm(WrittenForm):
    """A form of qrels; `needs_index`: it names the index of the documents."""

    needs_index: bool = False


QRELS_FORMS: dict[str, QrelsForm] = {
    "trec": QrelsForm("trec:written_qrels"),
    "quepid": QrelsForm("quepid:ratings_csv", by_text=True),
    "quepid-json": QrelsForm("quepid:case_json", by_text=True),
    "opensearch": QrelsForm("search_tools:opensearch_json", by_text=True),
    "rank-eval": QrelsForm("search_tools:rank_eval_json", needs_index=True),
    "beir": QrelsForm("csv_files:beir_tsv"),
    "msmarco": QrelsForm("csv_files:qrels_tsv"),
    "ranx": QrelsForm("search_tools:ranx_qrels_json"),
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


@dataclass(frozen=True, slots=True)
class RunForm(WrittenForm):
    """A form of runs; `has_grades`: it has the final grades, too; `has_titles`: and the titles of
    documents; `has_nothing_found`: it has the queries that the run was asked and found nothing
    for."""

    has_grades: bool = False
    has_titles: bool = False
    has_nothing_found: bool = False


RUN_FORMS: dict[str, RunForm] = {
    "trec": RunForm("trec:written_run"),
    "ranx": RunForm("search_tools:ranx_run_json", has_nothing_found=True),
    "msmarco": RunForm("csv_files:ranking_tsv"),
    "results": RunForm("csv_files:results_csv", has_grades=True),
    "quepid-snapshot": RunForm("quepid:snapshot_csv", by_text=True),
    "quepid-detailed": RunForm(
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


_GRADES = frozenset({"grade"})
_DECISIONS = frozenset({"grade", "skip", "cannot"})


@dataclass(frozen=True, slots=True)
class JudgmentForm(WrittenForm):
    """A form of judgments: which decisions of `people` and of `models` it has a place for, and the
    `greatest` grade. `whole_pool`: it has the pairs without a judgment."""

    people: frozenset[str] = _DECISIONS
    models: frozenset[str] = _DECISIONS
    greatest: int = 9
    whole_pool: bool = False


JUDGMENT_FORMS: dict[str, JudgmentForm] = {
    "quepid-book": JudgmentForm(
        "quepid:book_csv", by_text=True, people=_GRADES, models=_GRADES, whole_pool=True
    ),
    "quepid-book-json": JudgmentForm("quepid:book_json", by_text=True, whole_pool=True),
    # Its records are a model's; its prompts ask for the grades 0 to 3.
    "umbrela": JudgmentForm(
        "judging_tools:umbrela_jsonl", people=frozenset(), models=_GRADES, greatest=3
    ),
    # What a model said is a prediction there, which cannot be cancelled.
    "label-studio": JudgmentForm("label_studio:tasks_json", models=frozenset({"grade", "cannot"})),
    "doccano": JudgmentForm("judging_tools:doccano_jsonl"),
}


@dataclass(frozen=True, slots=True)
class PoolForm(WrittenForm):
    """A form of pairs to be judged; `wants_text`: it takes no document without a text."""

    wants_text: bool = False


POOL_FORMS: dict[str, PoolForm] = {
    "label-studio": PoolForm("label_studio:tasks_json"),
    "doccano": PoolForm("judging_tools:doccano_jsonl"),
    "umbrela": PoolForm("judging_tools:umbrela_requests", wants_text=True),
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
    documents_writer: WrittenForm
    queries_writer: WrittenForm
    in_fields: bool


COLLECTIONS: dict[str, CollectionForm] = {
    "beir": CollectionForm(
        "corpus.jsonl",
        "queries.jsonl",
        "qrels/test.tsv",
        WrittenForm("jsonl_files:beir_corpus"),
        WrittenForm("jsonl_files:beir_queries"),
        in_fields=False,
    ),
    "msmarco": CollectionForm(
        "collection.tsv",
        "queries.test.tsv",
        "qrels.test.tsv",
        WrittenForm("csv_files:collection_tsv"),
        WrittenForm("csv_files:queries_tsv"),
        in_fields=True,
    ),
}
