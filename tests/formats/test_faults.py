"""What is wrong with a file is told with its line: one table of (format, content, line, what)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge_tui.formats.check import check_file

DEEP = '{"query_id": "q", "text": "a", "x": ' + "[" * 101 + "]" * 101 + "}"
HEAD = "query_id,doc_id,score\n"
OWN = "query_id,doc_id,judge,decision,grade\n"
LS = '[{"data": {"query_id": "q", "doc_id": "d"}, "annotations": [%s]}]'
RELEVANCE = (
    '{"completed_by": 1, "result": [{"from_name": "%s", "type": "%s", "value": {"%s": %s}}]}'
)

FAULTS = [
    ("run:trec", "q Q0 d 1 x t\n", 1, "score 'x' is not a finite decimal number"),
    ("run:trec", "q Q0 d 1 1 t\nq Q0 d 2 1 t\n", 2, "document 'd' is already in query 'q', line 1"),
    ("qrels:trec", "q 0 d 1\nq 0 e 1.5\n", 2, "grade '1.5' is not a whole number"),
    ("qrels:trec", "q 0 d 3000000000\n", 1, "grade '3000000000' is not a whole number of 32 bits"),
    ("run:csv", f"{HEAD}q,d,1_000\n", 2, "score '1_000' is not a finite decimal number"),
    ("run:csv", f"{HEAD}q,d,nan\n", 2, "score 'nan' is not a finite decimal number"),
    ("run:csv", f"{HEAD}q,d,1e999\n", 2, "score '1e999' is not a finite decimal number"),
    ("run:csv", f"{HEAD}q,d,٣\n", 2, "score '٣' is not a finite decimal number"),
    ("run:csv", f"{HEAD}q,d,\n", 2, "score '' is not a finite decimal number"),
    ("run:csv", f"{HEAD}q,d\n", 2, "2 cells, but the header has 3"),
    ("run:csv", f"{HEAD} ,d,1\n", 2, "the query has no id"),
    ("run:csv", f"{HEAD}q,,1\n", 2, "the document has no id"),
    (
        "run:csv",
        f"{HEAD}q,a b,1\nq,a%20b,1\n",
        3,
        "document 'a%20b' is already in query 'q', line 2",
    ),
    ("run:csv", f'{HEAD}q,"d,1\nq,e,1\n', 2, "a quote that opens in this row is never closed"),
    ("run:csv", f'{HEAD}q,"d"x,1\n', 2, "not CSV"),
    ("run:csv", f"{HEAD}q,d\re,1\n", 2, "a carriage return stands within a cell"),
    ("run:csv", "query_id,docno,doc_id,doc_id,rank\nq,d,e,f,1\n", 1, "could both be the doc_id"),
    ("run:csv", "query_id,x,y\nq,d,1\n", 1, "there is no column score or rank; it has 'query_id'"),
    (
        "run:csv",
        "query_id,doc_id,rank\nq,d,1\nq,e,1.0\n",
        3,
        "rank 1 is already in query 'q', line 2",
    ),
    ("run:csv", "query_id,doc_id,rank\nq,d,-1\n", 2, "rank '-1' is not a whole number from 0 up"),
    ("run:csv", "query_id,doc_id,rank,tag\nq,d,1,a\nq,e,2,b\n", 3, "tag 'b', but 'a' on line 2"),
    ("run:results", "query_id,doc_id,rank,grade\nq,d,1,x\n", 2, "grade 'x' is not a whole number"),
    ("run:json", '{"q": {"d": 1,\n"e": NaN}}', 2, "'NaN' is not a finite number"),
    ("run:json", '{"q": {"d": 1,\n"e": "2"}}', 2, "query 'q', document 'e': '2' is no number"),
    ("run:json", '{"q": {"d": 1,\n"d": 2}}', 2, "'d' comes twice in one object"),
    ("run:json", '{"q": {"d": 1},\n"r": [1]}', 2, "query 'r' has no object of documents"),
    ("run:json", '{"q": {"d": 1},\n"r": ', 2, "not valid JSON"),
    ("run:json", '{"q": {"\\ud800": 1}}', 1, "half a surrogate pair"),
    ("run:json", '{"q": {"a\\u0000b": 1}}', 1, "holds a NUL character"),
    ("run:json", '{"q": {"d": ' + "1" * 5000 + "}}", 1, "a number of too many digits"),
    ("run:quepid", "Query Text,Doc ID,Doc Position\na,d,1\na,e,1\n", 3, "rank 1 is already"),
    ("run:msmarco", "1\td\t1\n1\te\tx\n", 2, "rank 'x' is not a whole number"),
    ("run:msmarco", "1\td\t1\n1\te\n", 2, "2 tab-separated fields; a line has 3"),
    ("qrels:beir", "query-id\tcorpus-id\tscore\nq\td\t\n", 2, "grade '' is not a whole number"),
    ("qrels:csv", "query_id,doc_id,grade\nq,d,0.5\n", 2, "grade '0.5' is not a whole number"),
    ("qrels:quepid", "query,docid,rating\n,d,1\n", 2, "the row has no query"),
    (
        "qrels:quepid",
        "query,rating\nq,1\n",
        1,
        "there is no column docid; it has 'query', 'rating'",
    ),
    ("qrels:quepid-json", '{"queries": [\n{"ratings": {}}]}', 2, "the query has no text"),
    (
        "qrels:quepid-json",
        '{"queries": [{"query": "a", "ratings": {\n"d": 1.5}}]}',
        2,
        "grade 1.5 is",
    ),
    ("run:quepid-json", '{"queries": []}', 1, "there is no object 'docs'"),
    (
        "run:quepid-json",
        '{"docs": {"7":\n[{}]}, "queries": [{"query_id": 7, "query_text": "a"}]}',
        2,
        "the document has no id",
    ),
    (
        "run:quepid-json",
        '{"docs":\n{"7": 1}, "queries": [{"query_id": 7, "query_text": "a"}]}',
        2,
        "'7' is no list of objects",
    ),
    ("qrels:quepid-json", '{"x": 1}', 1, "there is no list 'queries' of objects"),
    ("qrels:letor", "2 qid:1 1:1 no document\n", 1, "the line is not a label, qid:"),
    (
        "qrels:rre",
        '{"queries": [\n{"placeholders": {"a": "x", "b": "y"}}]}',
        2,
        "is no text among its placeholders",
    ),
    (
        "qrels:rre",
        '{"queries": [{"placeholders": {"$query": "a"},\n"relevant_documents": {\n"d": 1}}]}',
        3,
        "'d' has neither documents nor a gain",
    ),
    (
        "qrels:rre",
        '{"queries": [{"placeholders": {"$query": "a"}, "relevant_documents": {"1": ["d"],\n'
        '"2": ["d"]}}]}',
        2,
        "document 'd' has grade 2, and 1 on line 1",
    ),
    ("qrels:opensearch", '{"judgmentRatings": [{"query": "a",\n"ratings": 1}]}', 1, "no list of"),
    (
        "qrels:rank-eval",
        '{"requests": [{"id": "q", "ratings": [\n{"_id": "d", "rating": true}]}]}',
        2,
        "there is no rating that is a number",
    ),
    ("judgments:judge-tui", f"{OWN}q,d,,grade,1\n", 2, "the row has no judge"),
    ("judgments:judge-tui", f"{OWN}q,d,a,maybe,\n", 2, "decision 'maybe' is none"),
    ("judgments:judge-tui", f"{OWN}q,d,a,grade,12\n", 2, "grade 12 is none"),
    ("judgments:judge-tui", f"{OWN}q,d,a,grade,1\nq,d,a,skip,\n", 3, "has judged document 'd'"),
    ("judgments:quepid-book", "query,docid,Ann,\nq,d,1,2\n", 2, "a column without a name"),
    ("judgments:quepid-book-json", '{"query_doc_pairs": [\n{"doc_id": "d"}]}', 2, "has no query"),
    ("judgments:hical", "USER,TOPIC,DOCID,JUDGMENT\n,q,d,1\n", 2, "the row has no judge"),
    (
        "judgments:umbrela",
        '{"model": "m", "judgment": 1, "passage": "p"}\n',
        1,
        "the query is named",
    ),
    (
        "judgments:umbrela",
        '{"model": "m", "query": "q", "judgment": 0, "passage": "p", "result_status": 0}\n',
        None,
        "none of 1 answer could be parsed",
    ),
    (
        "judgments:doccano",
        '{"text": "t", "query_id": "q", "label": "a"}\n',
        1,
        "not a list of strings",
    ),
    ("judgments:doccano", '{"text": "t", "query_id": "q", "label": ["a", "b"]}\n', 1, "2 labels"),
    ("judgments:label-studio", '[{"data": 1}]', 1, "task 1: the task has no 'data'"),
    (
        "judgments:label-studio",
        LS
        % RELEVANCE.replace(
            "}]}", '}, {"from_name": "x", "type": "rating", "value": {"rating": 1}}]}'
        )
        % ("y", "rating", "rating", "2"),
        1,
        "several controls could give the grade: 'y', 'x'",
    ),
    (
        "judgments:label-studio",
        '[{"annotation_id": 1, "query": "q", "text": "t"}]',
        1,
        "task number",
    ),
    ("queries:tsv", "q1\ta\nq1\tb\n", 2, "query id 'q1' is already on line 1"),
    ("queries:tsv", "id\ttext\nq1\ta\n", 1, "this line is a header"),
    ("queries:tsv", "q1\t \n", 1, "query 'q1' has no text"),
    ("queries:csv", "query_id,query\nq1,\n", 2, "the row has no query"),
    ("queries:csv", "query_id,query\n,a\n", 2, "the query has no id"),
    ("queries:csv", "query,\na,x\n", 2, "no column is named above 'x'"),
    ("queries:csv", "query,x,x\na,b,c\n", 1, "two columns are called 'x'"),
    ("queries:csv", "query,prefer\na,b\n", 1, "a cell cannot say 'prefer'"),
    ("queries:jsonl", DEEP, 1, "JSON nested deeper than 100 levels"),
    (
        "queries:jsonl",
        '{"query_id": 1.5, "text": "a"}\n',
        1,
        "'query_id' is a number, not a string",
    ),
    ("queries:jsonl", '{"query_id": "q", "text": ["a"]}\n', 1, "'text' is a list, not a string"),
    (
        "queries:jsonl",
        '{"query_id": "q", "text": "a"}\n[1]\n',
        2,
        "this is a list, not a JSON object",
    ),
    ("queries:jsonl", '{"query_id": "q", "text": "a"}\n{"x"\n', 2, "not valid JSON"),
    ("queries:jsonl", '{"query_id": "q", "text": "a", "query": "b"}\n', 1, "'text' is 'a', and"),
    ("queries:trec", "<top>\n<num> 1 2\n<title> a\n</top>\n", 1, "has white space in it"),
    ("documents:csv", "doc_id,text\na,b\na,c\n", 3, "document id 'a' is already on line 2"),
    ("documents:msmarco-top1000", "1\td\ta\tb c\n2\td\ta\tc d\n", 2, "has another text on line 1"),
    ("documents:quepid-book-json", '{"query_doc_pairs": []}', None, "has 'document_fields'"),
]


@pytest.mark.parametrize(("called", "content", "line", "what"), FAULTS)
def test_a_fault_is_told_with_its_line(
    tmp_path: Path, called: str, content: str, line: int | None, what: str
) -> None:
    path = tmp_path / "given"
    path.write_text(content, encoding="utf-8", newline="")
    problem = check_file(path, format=called)[0]
    assert problem.line == line
    assert what in problem.what
    assert problem.mend


@pytest.mark.parametrize("kind", ["run:csv", "run:json", "queries:tsv", "queries:jsonl"])
def test_a_byte_that_is_no_utf8_is_told_with_its_line(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "given"
    content = (
        json.dumps({"query_id": "q", "text": "a"}) if "json" in kind else "query_id\tdoc_id\tscore"
    )
    path.write_bytes(content.encode() + b"\n\xff\n")
    problem = check_file(path, format=kind)[-1]
    assert (problem.line, problem.what) == (2, "byte 1 of the line (0xFF) is not valid UTF-8")


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "given"
    path.write_text(f'{HEAD}q,a,x\nq,b,1\nq,b,1\n,c,1\nq,"d"e,1\nq,f\nq,g,1\n')
    assert [one.line for one in check_file(path)] == [2, 4, 5, 6, 7]
