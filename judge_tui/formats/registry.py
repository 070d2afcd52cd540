"""Every format there is: what it is called, what it looks like, and who reads it.

Of several formats that a file has the signature of, the one that needs most names is taken, and of
these the first here.

A new format takes a reader (`Format.reader`) in a module of its own or beside its like, its entry
in `FORMATS`, names of its columns in `columns` where they are new, files of it in
`tests/formats/samples.py`, and its row in the table of README.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.formats import signatures
from judge_tui.formats.problems import Reporter
from judge_tui.formats.signatures import Signature
from judge_tui.formats.sniff import Shape, ShapeKind

if TYPE_CHECKING:
    from judge_tui.formats.sieve import IdOf
    from judge_tui.formats.source import Source

__all__ = [
    "ANSWERS",
    "CALLED",
    "FOLDER",
    "FORMATS",
    "Format",
    "Kind",
    "format_named",
    "formats_of",
    "names_of",
]

Kind: TypeAlias = Literal["run", "qrels", "judgments", "queries", "documents"]

CALLED: dict[Kind, str] = {
    "run": "a run",
    "qrels": "qrels",
    "queries": "a queries file",
    "documents": "a documents file",
    "judgments": "judgments of several judges",
}

ANSWERS = "answers"
"""The format of queries that hold what is right for them, too: more than a queries file."""

FOLDER = "folder"
"""The one format of documents that is no file: a folder of text files."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format of one kind of file.

    `summary` says in a few words what a line or a record holds; it has one of the `signatures`.
    `reader` names what yields its rows, `module:function`, imported when a file needs it: the rows
    come in file order and with their lines, what is malformed is reported and left out, and what
    concerns several rows (duplicates) is not its business. `id_of_line` names what tells a record's
    id by a look at its line, where a record is a line. `several_runs`: a file may hold some, told
    by the tags of their rows.
    `has_texts`: it has ids of queries and their texts as well, which the format of queries of the
    same name reads.
    """

    kind: Kind
    name: str
    summary: str
    reader: str
    signatures: tuple[Signature, ...]
    id_of_line: str = ""
    several_runs: bool = False
    has_texts: bool = False

    @property
    def rows(self) -> Callable[[Source, Reporter], Iterator[Any]]:
        """What reads a source, and reports what is malformed."""
        reader: Callable[[Source, Reporter], Iterator[Any]] = _named(self.reader)
        return reader

    @property
    def id_of(self) -> IdOf | None:
        """What tells the id of a record by its line; None where a look does not do."""
        return _named(self.id_of_line) if self.id_of_line else None


def _named(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"judge_tui.formats.{module}"), name)


def _one(
    shape: ShapeKind,
    needs: str = "",
    fits: Callable[[Shape], bool] | None = None,
    *,
    surer: bool = False,
) -> Signature:
    return Signature(shape, frozenset(needs.split()), fits, surer)


def _each(shape: ShapeKind, *needs: str) -> tuple[Signature, ...]:
    return tuple(_one(shape, names) for names in needs)


_RANKED = "CSV query_id,doc_id,score|rank,relevance"
_PAIRS = 'JSON {"query_id": {"doc_id": number}}'
_BENCHMARK = 'JSON of a benchmark [{"query", "documents": [{"id", "text", "score"}]}]'
_CASE = 'JSON of Quepid {"queries": [{"query", "ratings": {"doc_id": rating}}]}'
_BOOK = 'JSON of Quepid {"query_doc_pairs": [{"query_text", "doc_id", "judgements"}]}'
_RRE = 'JSON of RRE {"queries": [{"placeholders", "relevant_documents"}]}'
_OPENSEARCH = (
    'JSON of OpenSearch {"judgmentRatings": [{"query", "ratings": [{"docId", "rating"}]}]}'
)
_RANK_EVAL = 'JSON of _rank_eval {"requests": [{"id", "ratings": [{"_index", "_id", "rating"}]}]}'
_TOP_1000 = "qid<TAB>pid<TAB>query<TAB>passage"
_SNAPSHOT = "snapshot_name query_text doc_id doc_position"
_CASE_IN_DETAIL = "team_name case_name query_text doc_id doc_position"
_OWN = "query_id doc_id judge decision grade"

_BENCHMARKS = (_one("array", "query documents"), _one("jsonl", "query documents"))
_RUN_OF_CASE = (
    'JSON of Quepid {"docs": {"7": [{"id"}]}, "queries": [{"query_id": 7, "query_text"}]}'
)
_SNAPSHOTS = _each("json", "docs explain")
_CASES = (*_each("json", "queries ratings", "case_name"), *_SNAPSHOTS)
_BOOKS = _each("json", "query_doc_pairs")
_RESULTS = _each("table", "query_id doc_id score relevance", "query_id doc_id rank relevance")
_RRES = _each(
    "json",
    *(f"{level} placeholders" for level in ("topics", "query_groups", "queries")),
    *(f"{level} relevant_documents" for level in ("topics", "query_groups", "queries")),
)
_OPENSEARCHES = _each("json", "judgmentRatings")
_RANK_EVALS = _each("json", "requests ratings")
_CANDIDATES = (_one("tabs", fits=signatures.are_candidates),)

FORMATS: tuple[Format, ...] = (
    Format(
        "run",
        "trec",
        "query_id Q0 doc_id rank score tag",
        "trec:run_rows",
        (
            _one("fields", fits=signatures.has_fields(6)),
            _one("tabs", fits=signatures.are_fields(6, 4)),
        ),
    ),
    Format(
        "run",
        "csv",
        "CSV query_id,doc_id,score|rank",
        "csv_files:run_rows",
        (
            _one("table", "query_id doc_id score", signatures.is_no_beir),
            _one("table", "query_id doc_id rank"),
        ),
    ),
    Format("run", "results", _RANKED, "csv_files:result_run", _RESULTS),
    Format(
        "run", "json", _PAIRS, "search_tools:ranx_run", (_one("json", fits=signatures.are_pairs),)
    ),
    Format(
        "run",
        "quepid",
        "Quepid's CSV Query Text,Doc ID,Doc Position",
        "quepid_csv:result_rows",
        (
            _one("table", _SNAPSHOT, surer=True),
            _one("table", _CASE_IN_DETAIL),
            _one("table", "query doc_id doc_position"),
        ),
        several_runs=True,
    ),
    Format("run", "quepid-json", _RUN_OF_CASE, "quepid_json:snapshot_rows", _SNAPSHOTS),
    Format(
        "run",
        "msmarco",
        "qid<TAB>pid<TAB>rank",
        "tsv_files:ranking_rows",
        (_one("tabs", fits=signatures.are_ranks),),
    ),
    Format(
        "qrels",
        "trec",
        "query_id 0 doc_id grade",
        "trec:qrels_rows",
        (
            _one("fields", fits=signatures.has_fields(4)),
            _one("tabs", fits=signatures.are_fields(4, 3)),
        ),
    ),
    Format(
        "qrels",
        "beir",
        "TSV query-id<TAB>corpus-id<TAB>score",
        "csv_files:beir_rows",
        (_one("table", "query_id doc_id score", signatures.is_beir),),
    ),
    Format(
        "qrels",
        "csv",
        "CSV query_id,doc_id,relevance",
        "csv_files:qrels_rows",
        (_one("table", "query_id doc_id relevance", signatures.is_of_nobody),),
    ),
    Format("qrels", "results", _RANKED, "csv_files:result_qrels", _RESULTS),
    Format(
        "qrels",
        "quepid",
        "Quepid's CSV query,docid,rating",
        "quepid_csv:rating_rows",
        (_one("table", "query doc_id rating"), _one("table", f"{_CASE_IN_DETAIL} rating")),
    ),
    Format("qrels", "quepid-json", _CASE, "quepid_json:case_rows", _CASES),
    Format(
        "qrels",
        "letor",
        "LETOR's 2 qid:10 1:0.5 #docid = X",
        "search_tools:letor_rows",
        (_one("ltr"),),
    ),
    Format("qrels", "rre", _RRE, "search_tools:rre_rows", _RRES),
    Format("qrels", "opensearch", _OPENSEARCH, "search_tools:opensearch_rows", _OPENSEARCHES),
    Format(
        "qrels", "rank-eval", _RANK_EVAL, "search_tools:rank_eval_rows", _RANK_EVALS, has_texts=True
    ),
    Format("qrels", "benchmark", _BENCHMARK, "benchmark:qrels_rows", _BENCHMARKS, has_texts=True),
    Format(
        "qrels",
        "json",
        _PAIRS,
        "search_tools:ranx_qrels",
        (
            _one("json", fits=signatures.are_grades, surer=True),
            _one("json", fits=signatures.are_pairs),
        ),
    ),
    Format(
        "judgments",
        "judge-tui",
        "CSV or JSON Lines of export judgments: query_id,doc_id,judge,decision,grade",
        "own_judgments:rows",
        (_one("table", _OWN), _one("jsonl", _OWN)),
    ),
    Format(
        "judgments",
        "csv",
        "CSV query_id,doc_id,judge,relevance",
        "csv_files:judgment_rows",
        (_one("table", "query_id doc_id judge relevance"),),
    ),
    Format(
        "judgments",
        "quepid-book",
        "Quepid's CSV query,docid,<judge>…",
        "quepid_csv:book_rows",
        (_one("table", "query doc_id", signatures.is_book),),
    ),
    Format("judgments", "quepid-book-json", _BOOK, "quepid_json:book_rows", _BOOKS),
    Format(
        "judgments",
        "hical",
        "HiCAL's CSV USER,TOPIC,DOCID,JUDGMENT or docno,judgment",
        "judging_tools:hical_rows",
        (
            _one("table", "user query_id doc_id relevance"),
            _one("table", "doc_id relevance", signatures.is_session),
        ),
    ),
    Format(
        "judgments",
        "umbrela",
        "JSON Lines of UMBRELA {model, query, passage, judgment, result_status}",
        "judging_tools:umbrela_rows",
        (
            _one("jsonl", "judgment query passage"),
            _one("jsonl", "judgment model", signatures.names_a_pair),
            _one("jsonl", "prompt query passage"),
        ),
    ),
    Format(
        "judgments",
        "label-studio",
        'JSON of Label Studio [{"data", "annotations"}], or its JSON-MIN',
        "label_studio:rows",
        tuple(
            _one("array", keys)
            for keys in (
                *("data annotations", "data completions", "data predictions"),
                *("annotation_id", "annotator"),
            )
        ),
    ),
    Format(
        "judgments",
        "doccano",
        'JSON Lines of doccano {"text", "label": […], "query_id", "doc_id"}',
        "judging_tools:doccano_rows",
        (
            _one("jsonl", "text label", signatures.labels_a_pair),
            _one("jsonl", "text labels", signatures.labels_a_pair),
            *_each("jsonl", "text label meta", "text labels meta"),
        ),
    ),
    Format(
        "queries",
        "tsv",
        "id<TAB>text",
        "tsv_files:query_rows",
        (
            _one("tabs", fits=signatures.are_short_texts, surer=True),
            _one("tabs", fits=signatures.has_fields(2)),
        ),
    ),
    Format(
        "queries",
        ANSWERS,
        "answers query,result1,…",
        "answers.reading:query_rows",
        (
            _one("table", fits=signatures.table_says),
            _one("array", "query", signatures.says_what_is_right),
            _one("jsonl", "query", signatures.says_what_is_right),
            _one("array", fits=signatures.says_by_id),
            _one("jsonl", fits=signatures.says_by_id),
            *(_one("toml", name) for name in ("answers", *sorted(signatures.SAYS))),
        ),
    ),
    Format(
        "queries",
        "csv",
        "a table query_id,query,…",
        "csv_files:query_rows",
        (
            _one("table", "query", signatures.asks_alone),
            _one("table", "query_id text", signatures.has_id_and_text),
        ),
    ),
    Format("queries", "benchmark", _BENCHMARK, "benchmark:query_rows", _BENCHMARKS),
    Format(
        "queries",
        "jsonl",
        '{"query_id": …, "text": …}',
        "jsonl_files:query_rows",
        (
            _one("jsonl", "query_id"),
            _one("jsonl", "text", signatures.may_be_queries),
            _one("jsonl", "query", signatures.may_be_queries),
            _one("jsonl", fits=signatures.has_only_ids),
        ),
    ),
    Format(
        "queries",
        "trec",
        "<top> <num> … <title> … </top>",
        "trec_sgml:topic_rows",
        (_one("sgml", "top"),),
    ),
    Format(
        "queries",
        "trec-xml",
        "<topic number=…> <query> … </query> … </topic>",
        "trec_xml:topic_rows",
        (_one("sgml", "topic", signatures.is_no_sgml),),
    ),
    Format("queries", "msmarco-top1000", _TOP_1000, "tsv_files:candidate_queries", _CANDIDATES),
    Format(
        "queries",
        "quepid",
        "Quepid's CSV of ratings, results, a book, query,information_need or a case in general",
        "quepid_csv:query_rows",
        (
            _one("table", "query doc_id rating"),
            _one("table", "query doc_id doc_position"),
            _one("table", _SNAPSHOT, surer=True),
            _one("table", _CASE_IN_DETAIL),
            _one("table", "query doc_id", signatures.is_book),
            _one("table", "query information_need"),
        ),
    ),
    Format("queries", "quepid-json", _CASE, "quepid_json:case_queries", _CASES),
    Format("queries", "quepid-book-json", _BOOK, "quepid_json:book_queries", _BOOKS),
    Format("queries", "rre", _RRE, "search_tools:rre_queries", _RRES),
    Format("queries", "opensearch", _OPENSEARCH, "search_tools:opensearch_queries", _OPENSEARCHES),
    Format("queries", "rank-eval", _RANK_EVAL, "search_tools:rank_eval_queries", _RANK_EVALS),
    Format(
        "documents",
        "jsonl",
        '{"doc_id": …, "text": …}',
        "jsonl_files:document_rows",
        (
            _one("jsonl", "text", signatures.are_documents, surer=True),
            _one("jsonl", "text", signatures.may_be_documents),
            _one("jsonl", "doc_id"),
            _one("jsonl", "title", signatures.may_be_documents),
            _one("jsonl", fits=signatures.has_only_ids),
        ),
        "jsonl_files:id_of_line",
    ),
    Format("documents", "benchmark", _BENCHMARK, "benchmark:document_rows", _BENCHMARKS),
    Format(
        "documents",
        "csv",
        "a table doc_id,title,text,…",
        "csv_files:document_rows",
        (_one("table", fits=signatures.is_of_documents),),
    ),
    Format(
        "documents",
        "tsv",
        "id<TAB>text or id<TAB>title<TAB>text",
        "tsv_files:document_rows",
        (
            _one("tabs", fits=signatures.are_long_texts, surer=True),
            _one("tabs", fits=signatures.are_texts),
        ),
        "tsv_files:id_of_line",
    ),
    Format(
        "documents",
        "trec",
        "<DOC> <DOCNO> … </DOCNO> … </DOC>",
        "trec_sgml:document_rows",
        (_one("sgml", "doc"),),
    ),
    Format(
        "documents",
        "msmarco-docs",
        "docid<TAB>url<TAB>title<TAB>body",
        "tsv_files:msmarco_documents",
        (_one("tabs", fits=signatures.has_addresses),),
        "tsv_files:id_of_line",
    ),
    Format("documents", "quepid-book-json", _BOOK, "quepid_json:book_documents", _BOOKS),
    Format(
        "documents",
        "msmarco-top1000",
        _TOP_1000,
        "tsv_files:candidate_documents",
        (_one("tabs", fits=signatures.are_candidates, surer=True),),
    ),
)
"""By kind, the most usual first."""


def formats_of(*kinds: Kind) -> list[Format]:
    """Those of these kinds, in their order."""
    return [known for kind in kinds for known in FORMATS if known.kind == kind]


def names_of(kind: Kind) -> list[str]:
    """What `format=` may be for this kind."""
    names = [known.name for known in formats_of(kind)]
    return [*names, *([FOLDER] if kind == "documents" else [])]


def format_named(kind: Kind, name: str) -> Format:
    """The format of a kind of file that has this name, with or without its kind: `csv`, `run:csv`.

    Raises `UsageError` where none has.
    """
    for known in formats_of(kind):
        if known.name == name.removeprefix(f"{kind}:"):
            return known
    raise UsageError(
        f"{name!r:.70} is no format of {CALLED[kind]}", f"use {' or '.join(names_of(kind))}"
    )
