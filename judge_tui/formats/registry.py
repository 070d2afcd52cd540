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
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.formats import sniff
from judge_tui.formats.problems import Reporter
from judge_tui.formats.sniff import Shape, ShapeKind

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
"""The name of the one format of documents that is not a file: a folder of text files."""


class Signature(NamedTuple):
    """What a file of a format looks like.

    It has the `shape`, one name of each group in `needs` and none in `lacks`; and `fits`, where
    there is such a check, is true of it. Of several signatures that a file has, the one with the
    greatest `weight` decides what the file is.
    """

    shape: ShapeKind
    needs: tuple[frozenset[str], ...]
    lacks: frozenset[str]
    fits: Callable[[Shape], bool] | None
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
    shape: ShapeKind,
    names: str = "",
    fits: Callable[[Shape], bool] | None = None,
    *,
    surer: bool = False,
) -> Signature:
    """Return the signature of a shape and of names, which are written with blanks between them:

    | written | a file has the signature if | weight |
    |---|---|---|
    | `score` | it has this name | 1 |
    | `score|rank` | it has one of these names | 1 |
    | `-judge` | it lacks this name | 0 |
    | `fits` | this function of its shape is true | 0; 1/2 if `surer` |
    """
    words = names.split()
    groups = [word for word in words if word[0] != "-"]
    return Signature(
        shape,
        tuple(frozenset(group.split("|")) for group in groups),
        frozenset(word[1:] for word in words if word[0] == "-"),
        fits,
        len(groups) + surer / 2,
    )


@dataclass(frozen=True, slots=True)
class Format:
    """One format of one kind of file.

    `summary` says in a few words what a line or a record holds; a file has one of the `signatures`.
    `reader` names the function that yields the rows, as `module:function`; it is imported when a
    file needs it. It yields the rows in file order with their lines, and reports and leaves out
    those that are malformed; duplicates are not its business. `id_of_line` names the function that
    finds a record's id in its line without parsing it, if there is one.

    `is_trec`: TREC's run or qrels, which have quicker readers besides (`trec`, the room `scan`).
    `has_texts`: qrels with the texts of their queries, which the format of queries of the same name
    reads.
    """

    kind: Kind
    name: str
    summary: str
    reader: str
    signatures: tuple[Signature, ...]
    id_of_line: str = ""
    is_trec: bool = False
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
_CASES = looks("json", "queries ratings|case_name")
_BOOK = 'JSON of Quepid {"query_doc_pairs": [{"query_text", "doc_id", "judgements"}]}'
_BOOKS = looks("json", "query_doc_pairs")
QUEPID_RESULTS = looks("table", "query doc_id doc_position rating -snapshot_name")
"""Results and their ratings. A `rating` in a snapshot is a field of the documents."""
_CSV_BOOKS = looks("table", "query doc_id", sniff.is_book)
_OPENSEARCH = (
    'JSON of OpenSearch {"judgmentRatings": [{"query", "ratings": [{"docId", "rating"}]}]}'
)
_OPENSEARCHES = looks("json", "judgmentRatings")
_RANK_EVAL = 'JSON of _rank_eval {"requests": [{"id", "ratings": [{"_index", "_id", "rating"}]}]}'
_RANK_EVALS = looks("json", "requests ratings")

_OWN = "query_id doc_id judge decision grade"
_QUERY = "query_id|qid|topic_id|topic|query_text|query|question"
_PAIR = f"{_QUERY} doc_id|docid|docno|document_id|passage_id"
_SAYS = "expected|pattern|patterns|prefer|authority"
_ALONE = "-doc_id -result -expected -pattern"

# fmt: off
FORMATS: tuple[Format, ...] = (
    Format("run", "trec", "query_id Q0 doc_id rank score tag", "trec:run_rows",
           (looks("fields", fits=sniff.has_width(6)),), is_trec=True),
    Format("run", "csv", "CSV query_id,doc_id,score|rank", "csv_files:run_rows",
           (looks("table", "query_id doc_id score", sniff.is_no_beir),
            looks("table", "query_id doc_id rank"))),
    Format("run", "results", _RANKED, "csv_files:result_run", (_RESULTS,)),
    Format("run", "json", _PAIRS, "search_tools:ranx_run",
           (looks("json", fits=sniff.are_pairs),)),
    Format("run", "quepid", "Quepid's CSV Query Text,Doc ID,Doc Position", "quepid:result_rows",
           (looks("table", "snapshot_name query doc_id doc_position"),
            looks("table", "query doc_id doc_position"))),
    Format("run", "msmarco", "qid<TAB>pid<TAB>rank", "csv_files:ranking_rows",
           (looks("tabs", fits=sniff.are_ranks),)),

    Format("qrels", "trec", "query_id 0 doc_id grade", "trec:qrels_rows",
           (looks("fields", fits=sniff.has_width(4)),), is_trec=True),
    Format("qrels", "beir", "TSV query-id<TAB>corpus-id<TAB>score", "csv_files:beir_rows",
           (looks("table", "query_id doc_id score", sniff.is_beir),)),
    Format("qrels", "csv", "CSV query_id,doc_id,relevance", "csv_files:qrels_rows",
           (looks("table", "query_id doc_id relevance -judge"),)),
    Format("qrels", "results", _RANKED, "csv_files:result_qrels", (_RESULTS,)),
    Format("qrels", "quepid", "Quepid's CSV query,docid,rating", "quepid:rating_rows",
           (looks("table", "query doc_id rating -snapshot_name"),
            QUEPID_RESULTS)),
    Format("qrels", "quepid-json", _CASE, "quepid:case_rows", (_CASES,)),
    Format("qrels", "opensearch", _OPENSEARCH, "search_tools:opensearch_rows", (_OPENSEARCHES,)),
    Format("qrels", "rank-eval", _RANK_EVAL, "search_tools:rank_eval_rows", (_RANK_EVALS,),
           has_texts=True),
    Format("qrels", "benchmark", _BENCHMARK, "benchmark:qrels_rows", _BENCHMARKS, has_texts=True),
    Format("qrels", "json", _PAIRS, "search_tools:ranx_qrels",
           (looks("json", fits=sniff.are_grades, surer=True),
            looks("json", fits=sniff.are_pairs))),

    Format("judgments", "judge-tui",
           "CSV or JSON Lines of export judgments: query_id,doc_id,judge,decision,grade",
           "judging_tools:own_rows", (looks("table", _OWN), looks("jsonl", _OWN))),
    Format("judgments", "csv", "CSV query_id,doc_id,judge,relevance", "csv_files:judgment_rows",
           (looks("table", "query_id doc_id judge relevance"),)),
    Format("judgments", "quepid-book", "Quepid's CSV query,docid,<judge>…", "quepid:book_rows",
           (_CSV_BOOKS,)),
    Format("judgments", "quepid-book-json", _BOOK, "quepid:book_json_rows", (_BOOKS,)),
    Format("judgments", "umbrela",
           "JSON Lines of UMBRELA {model, query, passage, judgment, result_status}",
           "judging_tools:umbrela_rows", (looks("jsonl", "judgment query passage"),
            looks("jsonl", f"judgment model {_PAIR}"))),
    Format("judgments", "label-studio", 'JSON of Label Studio [{"data", "annotations"}]',
           "label_studio:rows", (looks("array", "data annotations|predictions"),)),
    Format("judgments", "doccano",
           'JSON Lines of doccano {"text", "label": […], "query_id", "doc_id"}',
           "judging_tools:doccano_rows",
           (looks("jsonl", f"text label {_QUERY}", sniff.have_labels),)),

    Format("queries", "tsv", "id<TAB>text", "csv_files:tsv_queries",
           (looks("tabs", fits=sniff.has_width(2)),)),
    Format("queries", ANSWERS, "answers query,result1,…", "answers:query_rows",
           (looks("table", "query|query_id|id result|expected|pattern -doc_id"),
            looks("array", f"query {_SAYS} -documents"),
            looks("array", f"query_id|id {_SAYS} -documents -text"),
            looks("jsonl", "query -documents", sniff.lines_say),
            looks("jsonl", "query_id|id -documents -text", sniff.lines_say),
            looks("toml", f"{_SAYS}|answers"))),
    Format("queries", "csv", "a table query_id,query,…", "csv_files:query_rows",
           (looks("table", f"query {_ALONE}"),
            looks("table", f"query_id text {_ALONE}", sniff.is_of_queries))),
    Format("queries", "benchmark", _BENCHMARK, "benchmark:query_rows", _BENCHMARKS),
    Format("queries", "jsonl", '{"query_id": …, "text": …}', "jsonl_files:query_rows",
           (looks("jsonl", "query_id|_id|id", sniff.may_be_queries),)),
    Format("queries", "trec", "<top> <num> … <title> … </top>", "trec_sgml:topic_rows",
           (looks("sgml", "top"),)),
    Format("queries", "trec-xml", "<topic number=…> <query> … </query> … </topic>",
           "trec_sgml:xml_topic_rows", (looks("sgml", "topic -top -doc"),)),
    Format("queries", "quepid", "Quepid's CSV of ratings, results or a book", "quepid:query_rows",
           (looks("table", "query doc_id rating|doc_position"), _CSV_BOOKS)),
    Format("queries", "quepid-json", _CASE, "quepid:case_queries", (_CASES,)),
    Format("queries", "quepid-book-json", _BOOK, "quepid:book_queries", (_BOOKS,)),
    Format("queries", "opensearch", _OPENSEARCH, "search_tools:opensearch_queries",
           (_OPENSEARCHES,)),
    Format("queries", "rank-eval", _RANK_EVAL, "search_tools:rank_eval_queries", (_RANK_EVALS,)),

    Format("documents", "jsonl", '{"doc_id": …, "text": …}', "jsonl_files:document_rows",
           (looks("jsonl", "doc_id|_id|id", sniff.are_documents, surer=True),
            looks("jsonl", "doc_id|_id|id", sniff.may_be_documents)),
           id_of_line="jsonl_files:id_of_line"),
    Format("documents", "benchmark", _BENCHMARK, "benchmark:document_rows", _BENCHMARKS),
    Format("documents", "csv", "a table doc_id,title,text,…", "csv_files:document_rows",
           (looks("table", fits=sniff.is_of_documents),)),
    Format("documents", "tsv", "id<TAB>text or id<TAB>title<TAB>text", "csv_files:tsv_documents",
           (looks("tabs", fits=sniff.are_long_texts, surer=True),
            looks("tabs", fits=sniff.are_texts)), id_of_line="csv_files:id_of_tsv_line"),
    Format("documents", "trec", "<DOC> <DOCNO> … </DOCNO> … </DOC>", "trec_sgml:document_rows",
           (looks("sgml", "doc"),)),
    Format("documents", "msmarco-docs", "docid<TAB>url<TAB>title<TAB>body",
           "csv_files:msmarco_documents", (looks("tabs", fits=sniff.has_addresses),),
           id_of_line="csv_files:id_of_tsv_line"),
    Format("documents", "quepid-book-json", _BOOK, "quepid:book_documents", (_BOOKS,)),
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
        f"{name!r:.70} is not a format of {CALLED[kind]}", f"use {' or '.join(names_of(kind))}"
    )
