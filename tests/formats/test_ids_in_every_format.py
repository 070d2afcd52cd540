"""What an id in a file is called, in every format that there is: one sample of each, whose ids hold
a blank, codes of one, and white space beyond ASCII."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from judge_tui.errors import InputError
from judge_tui.formats.ids import id_in
from judge_tui.formats.query_names import QueryText
from judge_tui.formats.registry import FORMATS
from judge_tui.formats.rows import iter_rows

IDS = ("a b", "c%20d", "c%2520d", "é́f")
"""What the documents of a sample are called, and the queries of one of queries."""

QUERY = "q%20r s"
"""What the query is called in a sample of documents; where it has no id, this is its text."""

WORDS = "some words of a text"


def lines(one: Callable[[str, int], str], head: str = "") -> Callable[[str, Sequence[str]], str]:
    """A line for each id, below a head; of the query that is put in the place of ¤."""

    def written(query: str, ids: Sequence[str]) -> str:
        rows = (one(its, number) for number, its in enumerate(ids, 1))
        return "".join(f"{row}\n" for row in (*([head] if head else []), *rows)).replace("¤", query)

    return written


def jsonl(one: Callable[[str], dict[str, Any]]) -> Callable[[str, Sequence[str]], str]:
    return lines(lambda its, _: json.dumps(one(its), ensure_ascii=False))


def whole(of: Callable[[str, Sequence[str]], Any]) -> Callable[[str, Sequence[str]], str]:
    return lambda query, ids: json.dumps(of(query, ids))


def benchmark(query: str, ids: Sequence[str]) -> Any:
    documents = [{"id": its, "text": WORDS, "score": 2} for its in ids]
    return [{"query_id": query, "query": WORDS, "documents": documents}]


def book(query: str, ids: Sequence[str]) -> Any:
    judged = [{"user_email": "ann@x.org", "rating": 2.0}]
    fields = json.dumps({"title": WORDS})
    return {
        "query_doc_pairs": [
            {"query_text": query, "doc_id": its, "judgements": judged, "document_fields": fields}
            for its in ids
        ]
    }


def label_studio(query: str, ids: Sequence[str]) -> Any:
    value = {"type": "rating", "value": {"rating": 2}, "from_name": "r", "to_name": "t"}
    return [
        {
            "data": {"query_id": query, "doc_id": its, "text": WORDS},
            "annotations": [{"completed_by": 1, "result": [value]}],
        }
        for its in ids
    ]


CANDIDATES = lines(lambda its, _: f"¤\t{its}\tthe query\t{WORDS}")
QUERIES_OF = {
    "quepid-json": whole(lambda _, ids: {"queries": [rated(one) for one in ids]}),
    "rre": whole(
        lambda _, ids: {
            "queries": [
                {"placeholders": {"$query": one}, "relevant_documents": {"2": ["d"]}} for one in ids
            ]
        }
    ),
    "opensearch": whole(
        lambda _, ids: {
            "judgmentRatings": [
                {"query": one, "ratings": [{"docId": "d", "rating": "2"}]} for one in ids
            ]
        }
    ),
    "rank-eval": whole(
        lambda _, ids: {
            "requests": [
                {
                    "id": one,
                    "params": {"query": f"text of {one}"},
                    "ratings": [{"_index": "i", "_id": "d", "rating": 2}],
                }
                for one in ids
            ]
        }
    ),
}


def rated(query: str) -> Any:
    return {"query": query, "ratings": {"d": 2}}


SAMPLES: dict[tuple[str, str], Callable[[str, Sequence[str]], str]] = {
    ("run", "trec"): lines(lambda its, n: f"¤ Q0 {its} {n} {9 - n} t"),
    ("run", "csv"): lines(lambda its, n: f"¤,{its},{n}", "query_id,doc_id,rank"),
    ("run", "results"): lines(lambda its, n: f"¤,{its},{n},1", "query_id,doc_id,rank,relevance"),
    ("run", "json"): whole(lambda query, ids: {query: dict.fromkeys(ids, 0.5)}),
    ("run", "quepid"): lines(
        lambda its, n: f"S,2020,1,¤,{its},{n}",
        "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position",
    ),
    ("run", "quepid-json"): whole(
        lambda query, ids: {
            "docs": {"7": [{"id": its, "explain": ""} for its in ids]},
            "queries": [{"query_id": 7, "query_text": query}],
        }
    ),
    ("run", "msmarco"): lines(lambda its, n: f"¤\t{its}\t{n}"),
    ("qrels", "trec"): lines(lambda its, _: f"¤ 0 {its} 2"),
    ("qrels", "beir"): lines(lambda its, _: f"¤\t{its}\t2", "query-id\tcorpus-id\tscore"),
    ("qrels", "csv"): lines(lambda its, _: f"¤,{its},2", "query_id,doc_id,relevance"),
    ("qrels", "results"): lines(lambda its, n: f"¤,{its},{n},1", "query_id,doc_id,rank,relevance"),
    ("qrels", "quepid"): lines(lambda its, _: f"¤,{its},2", "query,docid,rating"),
    ("qrels", "quepid-json"): whole(
        lambda query, ids: {"queries": [{"query": query, "ratings": dict.fromkeys(ids, 2)}]}
    ),
    ("qrels", "letor"): lines(lambda its, _: f"2 qid:¤ 1:0.5 #docid = {its}"),
    ("qrels", "rre"): whole(
        lambda query, ids: {
            "queries": [{"placeholders": {"$query": query}, "relevant_documents": {"2": [*ids]}}]
        }
    ),
    ("qrels", "opensearch"): whole(
        lambda query, ids: {
            "judgmentRatings": [
                {"query": query, "ratings": [{"docId": its, "rating": "2"} for its in ids]}
            ]
        }
    ),
    ("qrels", "rank-eval"): whole(
        lambda query, ids: {
            "requests": [
                {
                    "id": query,
                    "params": {"query": WORDS},
                    "ratings": [{"_index": "i", "_id": its, "rating": 2} for its in ids],
                }
            ]
        }
    ),
    ("qrels", "benchmark"): whole(benchmark),
    ("qrels", "json"): whole(lambda query, ids: {query: dict.fromkeys(ids, 2)}),
    ("judgments", "judge-tui"): lines(
        lambda its, _: f"¤,{its},ann,grade,2", "query_id,doc_id,judge,decision,grade"
    ),
    ("judgments", "csv"): lines(lambda its, _: f"¤,{its},ann,2", "query_id,doc_id,judge,grade"),
    ("judgments", "quepid-book"): lines(lambda its, _: f"¤,{its},2", "query,docid,ann@x.org"),
    ("judgments", "quepid-book-json"): whole(book),
    ("judgments", "hical"): lines(lambda its, _: f"ann,¤,{its},2", "USER,TOPIC,DOCID,JUDGMENT"),
    ("judgments", "umbrela"): jsonl(
        lambda its: {
            "model": "m",
            "qid": "¤",
            "docid": its,
            "query": "the query",
            "passage": WORDS,
            "judgment": 2,
        }
    ),
    ("judgments", "label-studio"): whole(label_studio),
    ("judgments", "doccano"): jsonl(
        lambda its: {"id": 1, "text": WORDS, "query_id": "¤", "doc_id": its, "label": ["2"]}
    ),
    ("queries", "tsv"): lines(lambda its, _: f"{its}\ttext of {its}"),
    ("queries", "answers"): lines(
        lambda its, _: f"{its},text of {its},d", "query_id,query,result1"
    ),
    ("queries", "csv"): lines(lambda its, _: f"{its},text of {its}", "query_id,query"),
    ("queries", "benchmark"): whole(
        lambda _, ids: [
            {**benchmark(its, ["d"])[0], "query": f"{WORDS} {number}"}
            for number, its in enumerate(ids)
        ]
    ),
    ("queries", "jsonl"): jsonl(lambda its: {"query_id": its, "text": f"text of {its}"}),
    ("queries", "trec"): lines(
        lambda its, _: f"<top>\n<num> Number: {its}\n<title> text of {its}\n</top>"
    ),
    ("queries", "trec-xml"): lambda _, ids: "".join(
        [
            "<topics>\n",
            *(f"<topic><number>{its}</number><query>of {its}</query></topic>\n" for its in ids),
            "</topics>",
        ]
    ),
    ("queries", "msmarco-top1000"): lines(lambda its, _: f"{its}\td\ttext of {its}\t{WORDS}"),
    ("queries", "quepid"): lines(
        lambda its, n: f"S,2020,1,{its},d,{n}",
        "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position",
    ),
    ("queries", "quepid-book-json"): whole(
        lambda _, ids: {
            "query_doc_pairs": [pair for its in ids for pair in book(its, ["d"])["query_doc_pairs"]]
        }
    ),
    **{("queries", name): written for name, written in QUERIES_OF.items()},
    ("documents", "benchmark"): whole(benchmark),
    ("documents", "jsonl"): jsonl(lambda its: {"doc_id": its, "text": WORDS}),
    ("documents", "csv"): lines(lambda its, _: f"{its},T,{WORDS}", "doc_id,title,text"),
    ("documents", "tsv"): lines(lambda its, _: f"{its}\tT\t{WORDS}"),
    ("documents", "trec"): lines(
        lambda its, _: f"<DOC>\n<DOCNO>{its}</DOCNO>\n<TEXT>{WORDS}</TEXT>\n</DOC>"
    ),
    ("documents", "msmarco-docs"): lines(lambda its, _: f"{its}\thttp://x.org\tT\t{WORDS}"),
    ("documents", "quepid-book-json"): whole(book),
    ("documents", "msmarco-top1000"): CANDIDATES,
}


SPACED = {"trec", "letor"}
"""Forms whose fields a blank parts."""

BY_TEXT = {"quepid", "quepid-json", "quepid-book", "quepid-book-json", "rre", "opensearch"}
"""Forms in which the text of a query stands for its id."""


@pytest.mark.parametrize(("kind", "name"), [(one.kind, one.name) for one in FORMATS])
def test_an_id_is_one_token_whatever_the_format(kind: Any, name: str, tmp_path: Path) -> None:
    path = tmp_path / "sample"
    query, ids = (QUERY, IDS) if name not in SPACED else (id_in(QUERY), [*map(id_in, IDS)])
    path.write_text(SAMPLES[kind, name](query, ids))
    rows = list(iter_rows(kind, path, name, None))
    by_text = name in BY_TEXT
    if kind == "queries" and by_text:
        assert [(row[1].query_id, row[1].own_id) for row in rows] == [
            (f"q00{place}", False) for place in range(1, len(ids) + 1)
        ]
        assert [row[1].text for row in rows] == [*IDS]
        return
    if kind in ("queries", "documents"):
        found = [row[1].query_id if kind == "queries" else row[1].doc_id for row in rows]
    else:
        # A text is no id: nothing in it is coded.
        (named,) = {row.query_id for row in rows}
        assert named == (QUERY if by_text else id_in(QUERY))
        assert isinstance(named, QueryText) == by_text
        found = [row.doc_id for row in rows]
    assert found == [*map(id_in, IDS)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("csv", "query_id,doc_id,relevance\nq1,a b,1\nq1,a%20b,1\n"),
        ("json", '{"q1": {"a b": 1, "a%20b": 1}}'),
    ],
)
def test_two_spellings_of_one_id_are_one(name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text(content)
    with pytest.raises(InputError, match="'a%20b' is already in query 'q1'"):
        list(iter_rows("qrels", path, name, None))
