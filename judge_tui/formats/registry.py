"""Every format there is: what it is called, what it looks like, and who reads it.

Where a file has the signatures of several formats, the weightiest signature decides, and of equals
the first one here.

A new format takes a reader (`Format.reader`) in a module of its own or beside its like, its entry
in `FORMATS`, names of its columns in `columns` where they are new, files of it in
`tests/formats/samples.py`; `make docs` puts it into the manual. `writers` lists what is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.formats import signatures as they
from judge_tui.formats.columns import TEXT
from judge_tui.formats.problems import Reporter
from judge_tui.formats.signatures import Signature, looks

if TYPE_CHECKING:
    from judge_tui.formats.sieve import IdOf
    from judge_tui.formats.source import Source

Kind: TypeAlias = Literal["run", "qrels", "judgments", "queries", "documents"]

CALLED: dict[Kind, str] = {
    "run": "a run",
    "qrels": "qrels",
    "queries": "a queries file",
    "documents": "a documents file",
    "judgments": "judgments of several judges",
}

ANSWERS = "answers"
"""The name of the format of queries that hold their answers, too."""

FOLDER = "folder"
"""The name of the one format of documents that is no file: a folder of text files."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format of one kind of file.

    `summary` says in a few words what a line or a record holds; a file has one of the `signatures`.
    `reader` names the function that yields the rows, as `module:function`; it is imported when a
    file needs it. It yields the rows in file order with their lines, and reports and leaves out
    those that are malformed; duplicates are not its business. `id_of_line` names the function that
    finds a record's id in its line without parsing it, if there is one.

    `is_trec`: TREC's run or qrels, which have quicker readers besides (`trec`, the room `scan`).
    `several_runs`: a file may hold several, which the tags of the rows tell apart. `by_text`: a run
    names queries by their texts. `has_texts`: qrels with the texts of their queries, which the
    format of queries of the same name reads.
    """

    kind: Kind
    name: str
    summary: str
    reader: str
    signatures: tuple[Signature, ...]
    id_of_line: str = ""
    is_trec: bool = False
    several_runs: bool = False
    by_text: bool = False
    has_texts: bool = False

    def is_called(self, name: str) -> bool:
        """Whether it has this name, `csv` or `run:csv`."""
        return name in (self.name, f"{self.kind}:{self.name}")

    @property
    def rows(self) -> Callable[[Source, Reporter], Iterator[Any]]:
        """The function that reads a source and reports what is malformed."""
        reader: Callable[[Source, Reporter], Iterator[Any]] = imported(self.reader)
        return reader

    @property
    def id_of(self) -> IdOf | None:
        """The function that finds the id of a record in its line; None where there is none."""
        return imported(self.id_of_line) if self.id_of_line else None


def imported(address: str) -> Any:
    """Import a function of this room by its `module:name`."""
    module, _, name = address.partition(":")
    return getattr(import_module(f"judge_tui.formats.{module}"), name)


# What several kinds are read from.
_PAIRS = 'JSON {"query_id": {"doc_id": number}}'
_RANKED = "CSV query_id,doc_id,score|rank,relevance"
_RESULTS = looks("table", "query_id doc_id score|rank relevance")
_BENCHMARK = 'JSON of a benchmark [{"query", "documents": [{"id", "text", "score"}]}]'
_BENCHMARKS = (looks("array", "query documents"), looks("jsonl", "query documents"))
_CASE = 'JSON of Quepid {"queries": [{"query", "ratings": {"doc_id": rating}}]}'
_SNAPSHOT = looks("json", "docs explain")
_CASES = (looks("json", "queries ratings"), looks("json", "case_name"), _SNAPSHOT)
_BOOK = 'JSON of Quepid {"query_doc_pairs": [{"query_text", "doc_id", "judgements"}]}'
_BOOKS = looks("json", "query_doc_pairs")
_CSV_OF_RATINGS = looks("table", "query doc_id rating")
_CSV_OF_RESULTS = looks("table", "query doc_id doc_position")
_CSV_OF_SNAPSHOTS = looks("table", "snapshot_name query_text doc_id doc_position", surer=True)
_CSV_OF_CASE = looks("table", "team_name case_name query_text doc_id doc_position")
_CSV_OF_BOOK = looks("table", "query doc_id", they.is_book)
_RRE = 'JSON of RRE {"queries": [{"placeholders", "relevant_documents"}]}'
_RRES = looks("json", "topics|query_groups|queries placeholders|relevant_documents")
_OPENSEARCH = (
    'JSON of OpenSearch {"judgmentRatings": [{"query", "ratings": [{"docId", "rating"}]}]}'
)
_OPENSEARCHES = looks("json", "judgmentRatings")
_RANK_EVAL = 'JSON of _rank_eval {"requests": [{"id", "ratings": [{"_index", "_id", "rating"}]}]}'
_RANK_EVALS = looks("json", "requests ratings")
_TOP_1000 = "qid<TAB>pid<TAB>query<TAB>passage"

_OWN = "query_id doc_id judge decision grade"
_QUERY = "?query_id|qid|topic_id|topic|query_text|query|question"
_PAIR = f"{_QUERY} ?doc_id|docid|docno|document_id|passage_id"
_SAYS = "?expected|pattern|patterns|prefer|authority"
_ALONE = "-doc_id -result -expected -pattern -information_need"

# fmt: off
FORMATS: tuple[Format, ...] = (
    Format("run", "trec", "query_id Q0 doc_id rank score tag", "trec:run_rows",
           (looks("fields", fits=they.fields(6)), looks("tabs", fits=they.words(6, 4))),
           is_trec=True),
    Format("run", "csv", "CSV query_id,doc_id,score|rank", "csv_files:run_rows",
           (looks("table", "query_id doc_id score", they.is_no_beir),
            looks("table", "query_id doc_id rank"))),
    Format("run", "results", _RANKED, "csv_files:result_run", (_RESULTS,)),
    Format("run", "json", _PAIRS, "search_tools:ranx_run", (looks("json", fits=they.are_pairs),)),
    Format("run", "quepid", "Quepid's CSV Query Text,Doc ID,Doc Position",
           "quepid_csv:result_rows", (_CSV_OF_SNAPSHOTS, _CSV_OF_CASE, _CSV_OF_RESULTS),
           several_runs=True, by_text=True),
    Format("run", "quepid-json",
           'JSON of Quepid {"docs": {"7": [{"id"}]}, "queries": [{"query_id": 7, "query_text"}]}',
           "quepid_json:snapshot_rows", (_SNAPSHOT,), by_text=True),
    Format("run", "msmarco", "qid<TAB>pid<TAB>rank", "tsv_files:ranking_rows",
           (looks("tabs", fits=they.are_ranks),)),

    Format("qrels", "trec", "query_id 0 doc_id grade", "trec:qrels_rows",
           (looks("fields", fits=they.fields(4)), looks("tabs", fits=they.words(4, 3))),
           is_trec=True),
    Format("qrels", "beir", "TSV query-id<TAB>corpus-id<TAB>score", "csv_files:beir_rows",
           (looks("table", "query_id doc_id score", they.is_beir),)),
    Format("qrels", "csv", "CSV query_id,doc_id,relevance", "csv_files:qrels_rows",
           (looks("table", "query_id doc_id relevance -judge -user"),)),
    Format("qrels", "results", _RANKED, "csv_files:result_qrels", (_RESULTS,)),
    Format("qrels", "quepid", "Quepid's CSV query,docid,rating", "quepid_csv:rating_rows",
           (_CSV_OF_RATINGS,
            looks("table", "team_name case_name query_text doc_id doc_position rating"))),
    Format("qrels", "quepid-json", _CASE, "quepid_json:case_rows", _CASES),
    Format("qrels", "letor", "LETOR's 2 qid:10 1:0.5 #docid = X", "search_tools:letor_rows",
           (looks("ltr"),)),
    Format("qrels", "rre", _RRE, "search_tools:rre_rows", (_RRES,)),
    Format("qrels", "opensearch", _OPENSEARCH, "search_tools:opensearch_rows", (_OPENSEARCHES,)),
    Format("qrels", "rank-eval", _RANK_EVAL, "search_tools:rank_eval_rows", (_RANK_EVALS,),
           has_texts=True),
    Format("qrels", "benchmark", _BENCHMARK, "benchmark:qrels_rows", _BENCHMARKS, has_texts=True),
    Format("qrels", "json", _PAIRS, "search_tools:ranx_qrels",
           (looks("json", fits=they.are_grades, surer=True), looks("json", fits=they.are_pairs))),

    Format("judgments", "judge-tui",
           "CSV or JSON Lines of export judgments: query_id,doc_id,judge,decision,grade",
           "own_judgments:rows", (looks("table", _OWN), looks("jsonl", _OWN))),
    Format("judgments", "csv", "CSV query_id,doc_id,judge,relevance", "csv_files:judgment_rows",
           (looks("table", "query_id doc_id judge relevance"),)),
    Format("judgments", "quepid-book", "Quepid's CSV query,docid,<judge>…",
           "quepid_csv:book_rows", (_CSV_OF_BOOK,)),
    Format("judgments", "quepid-book-json", _BOOK, "quepid_json:book_rows", (_BOOKS,)),
    Format("judgments", "hical", "HiCAL's CSV USER,TOPIC,DOCID,JUDGMENT or docno,judgment",
           "judging_tools:hical_rows", (looks("table", "user query_id doc_id relevance"),
            looks("table", "doc_id relevance", they.is_session))),
    Format("judgments", "umbrela",
           "JSON Lines of UMBRELA {model, query, passage, judgment, result_status}",
           "judging_tools:umbrela_rows", (looks("jsonl", "judgment|prompt query passage"),
            looks("jsonl", f"judgment model {_PAIR}"))),
    Format("judgments", "label-studio",
           'JSON of Label Studio [{"data", "annotations"}], or its JSON-MIN',
           "label_studio:rows", (looks("array", "data annotations|completions|predictions"),
            looks("array", "annotation_id"), looks("array", "annotator"))),
    Format("judgments", "doccano",
           'JSON Lines of doccano {"text", "label": […], "query_id", "doc_id"}',
           "judging_tools:doccano_rows", (looks("jsonl", f"text label|labels {_PAIR}"),
            looks("jsonl", f"text label|labels {_QUERY}", they.have_labels),
            looks("jsonl", "text label|labels meta"))),

    Format("queries", "tsv", "id<TAB>text", "tsv_files:query_rows",
           (looks("tabs", fits=they.are_short_texts, surer=True),
            looks("tabs", fits=they.fields(2)))),
    Format("queries", ANSWERS, "answers query,result1,…", "answers:query_rows",
           (looks("table", "?query|query_id|id ?result|expected|pattern -doc_id"),
            looks("array", f"query {_SAYS} -documents"),
            looks("array", f"?query_id|id {_SAYS} -documents -text"),
            looks("jsonl", "query -documents", they.lines_say),
            looks("jsonl", "?query_id|id -documents -text", they.lines_say),
            looks("toml", f"{_SAYS}|answers"))),
    Format("queries", "csv", "a table query_id,query,…", "csv_files:query_rows",
           (looks("table", f"query {_ALONE}"),
            looks("table", f"query_id text {_ALONE}", they.is_of_queries))),
    Format("queries", "benchmark", _BENCHMARK, "benchmark:query_rows", _BENCHMARKS),
    Format("queries", "jsonl", '{"query_id": …, "text": …}', "jsonl_files:query_rows",
           (looks("jsonl", "query_id"), looks("jsonl", "text|query", they.may_be_queries),
            looks("jsonl", "?_id|id -text"))),
    Format("queries", "trec", "<top> <num> … <title> … </top>", "trec_sgml:topic_rows",
           (looks("sgml", "top"),)),
    Format("queries", "trec-xml", "<topic number=…> <query> … </query> … </topic>",
           "trec_xml:topic_rows", (looks("sgml", "topic -top -doc"),)),
    Format("queries", "msmarco-top1000", _TOP_1000, "tsv_files:candidate_queries",
           (looks("tabs", fits=they.are_candidates),)),
    Format("queries", "quepid",
           "Quepid's CSV of ratings, results, a book, query,information_need or a case in general",
           "quepid_csv:query_rows", (_CSV_OF_RATINGS, _CSV_OF_RESULTS, _CSV_OF_SNAPSHOTS,
            _CSV_OF_CASE, _CSV_OF_BOOK, looks("table", "query information_need"))),
    Format("queries", "quepid-json", _CASE, "quepid_json:case_queries", _CASES),
    Format("queries", "quepid-book-json", _BOOK, "quepid_json:book_queries", (_BOOKS,)),
    Format("queries", "rre", _RRE, "search_tools:rre_queries", (_RRES,)),
    Format("queries", "opensearch", _OPENSEARCH, "search_tools:opensearch_queries",
           (_OPENSEARCHES,)),
    Format("queries", "rank-eval", _RANK_EVAL, "search_tools:rank_eval_queries", (_RANK_EVALS,)),

    Format("documents", "jsonl", '{"doc_id": …, "text": …}', "jsonl_files:document_rows",
           (looks("jsonl", "text", they.are_documents, surer=True),
            looks("jsonl", "text|title", they.may_be_documents), looks("jsonl", "doc_id"),
            looks("jsonl", "|".join(TEXT.tolerated), they.may_be_documents),
            looks("jsonl", "?_id|id -text")), id_of_line="jsonl_files:id_of_line"),
    Format("documents", "benchmark", _BENCHMARK, "benchmark:document_rows", _BENCHMARKS),
    Format("documents", "csv", "a table doc_id,title,text,…", "csv_files:document_rows",
           (looks("table", fits=they.is_of_documents),)),
    Format("documents", "tsv", "id<TAB>text or id<TAB>title<TAB>text", "tsv_files:document_rows",
           (looks("tabs", fits=they.are_long_texts, surer=True),
            looks("tabs", fits=they.are_texts)), id_of_line="tsv_files:id_of_line"),
    Format("documents", "trec", "<DOC> <DOCNO> … </DOCNO> … </DOC>", "trec_sgml:document_rows",
           (looks("sgml", "doc"),)),
    Format("documents", "msmarco-docs", "docid<TAB>url<TAB>title<TAB>body",
           "tsv_files:msmarco_documents", (looks("tabs", fits=they.has_addresses),),
           id_of_line="tsv_files:id_of_line"),
    Format("documents", "quepid-book-json", _BOOK, "quepid_json:book_documents", (_BOOKS,)),
    Format("documents", "msmarco-top1000", _TOP_1000, "tsv_files:candidate_documents",
           (looks("tabs", fits=they.are_candidates, surer=True),)),
)
# fmt: on
"""By kind, the most usual first."""


def names_of(kind: Kind) -> list[str]:
    """Return the names that `format=` may have for this kind."""
    names = [known.name for known in FORMATS if known.kind == kind]
    return [*names, *([FOLDER] if kind == "documents" else [])]


def format_named(kind: Kind, name: str) -> Format:
    """Return the format of this kind that is called so. Raises `UsageError` where there is none."""
    for known in FORMATS:
        if known.kind == kind and known.is_called(name):
            return known
    raise UsageError(
        f"{name!r:.70} is no format of {CALLED[kind]}", f"use {' or '.join(names_of(kind))}"
    )
