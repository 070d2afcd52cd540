"""What is wrong with a file is told with its line: one table of files, lines and words."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from judge_tui.errors import InputError
from judge_tui.formats.check import check_file
from judge_tui.formats.latency_csv import read_latency
from judge_tui.formats.outcomes_csv import read_outcomes
from tests.formats.samples import SNAPSHOT


def task(*results: str) -> str:
    """A task of Label Studio with one annotation."""
    controls = ", ".join(
        f'{{"from_name": "{name}", "type": "rating", "value": {{"rating": 2}}}}' for name in results
    )
    data = '"data": {"query_id": "q", "doc_id": "d"}'
    return f'[{{{data}, "annotations": [{{"completed_by": 1, "result": [{controls}]}}]}}]'


def graded(entry: str) -> str:
    """A benchmark of one entry more."""
    return f'[{{"query": "z", "documents": [{{"id": "z", "text": "z", "score": 1}}]}},\n{entry}]'


def of_document(fields: str) -> str:
    return graded(f'{{"query": "a", "documents": [{{{fields}}}]}}')


RUN = "q1 Q0 d1 1 2.5 t\n"
QRELS = "q1 0 d1 1\n"
LINES = RUN.encode() * 2_000
HEAD = "query_id,doc_id,score\n"
OWN = "query_id,doc_id,judge,decision,grade\n"
RANKED = "query_id,doc_id,rank\n"
LATENCY = "query_id,seconds,tries,results,repeated,failure\n"
NO_NUMBERS = ("12abc", "0x1p3", "1_000", "nan", "-NaN", "inf", "1e999", "1,5", "٣", "--1")
NO_GRADES = ("1.5", ".0", "1.0e0", "1_0", "x", "0x1", "--1", "+", "1e2", "٣", "2147483648")
NO_INTEGERS = (*NO_GRADES, "-2147483649", "9" * 5000)
DEEP, DEEPER = "[" * 100 + "]" * 100, "[" * 100_000
OLD_XLSX = b"PK\x03\x04\x14\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet"

# What a file is to be: a format, a kind, nothing; or what a file of other things is read by. Then
# the files, each with the line and the words of the first problem.
Fault = tuple[str | bytes, int | None, str]
# fmt: off
FAULTS: dict[str, list[Fault]] = {
    "": [
        ("", None, "the file is empty; check that the file is complete"),
        ("\n \r\n\t\n", None, "the file holds only blank lines"),
        ("some prose\nand more\n", 1, "this is text that begins with 'some prose', not anything"),
        ('[{"id": 1}]\n', 1, "this is a JSON array with the names 'id', not anything known"),
        ("sku,name\nd,t\n", 1, "or query=…,result=…"),
        ('[[system]]\nname = "a"\n', 1, "this is TOML with the names 'name', 'system'"),
        ("question,answer\nx,a.py\n", 1, "this is a table with the columns 'question', 'answer'"),
        (gzip.compress(gzip.compress(LINES, mtime=0), mtime=0), None, "this is compressed twice"),
        (b"SQLite format 3\0" + bytes(84), None, "this is an SQLite file, not a text file"),
        (b"PK\x03\x04\x14\0", None, "this is a zip archive, not a text file"),
        (b"PK\x03\x04\x14\0xl/workbook.xml", None, "this is a workbook, not a text file"),
        (OLD_XLSX, None, "this is a workbook, not a text file"),
        (b"PAR1\x15", None, "this is a Parquet file, not a text file"),
        (b"%PDF-1.7\n", None, "this is a PDF file, not a text file"),
        (QRELS.encode("utf-16"), None, "this is text in UTF-16, not a text file"),
    ],
    "run": [
        (QRELS, 1, "this looks like qrels (query_id 0 doc_id grade), not a run; give"),
        ("q1\thow to\nq2\twhat is\n", 1, "looks like a queries file (id<TAB>text), not a run"),
        ("query-id\tcorpus-id\tscore\nq\td\t1\n", 1, "looks like qrels (TSV"),
        ("query_id,doc_id,grade\nq,d,1\n", 1, "looks like qrels (CSV"),
        ("Topic,page,s\nq,d,1\n", 1, "table with the columns 'Topic', 'page', 's', not a run"),
        ("topic;page\nq;d\n", 1, "or say what its columns are called: --columns query_id=…,"),
        ("topic\tpage\ts\nq\td\t1\n", 1, "its columns are called: --columns query_id=…"),
        ("q,d,1\nq,e,1\n", 1, "1 field; a line of a run has 6"),
        ("query_id,text,rank\nq,d,1\n", 1, "table with the columns 'query_id', 'text', 'rank'"),
    ],
    "qrels": [
        (RUN, 1, "looks like a run (query_id Q0 doc_id rank score tag), not qrels; give"),
        (f"{HEAD}q,d,1\n", 1, "looks like a run (CSV"),
        (f"{OWN}q,d,a,grade,1\n", 1, "looks like judgments of several judges"),
        (f"{OWN}q,d,a,grade,1\n", 1, "export qrels --policy majority"),
        ("q\td\t3\nq\te\t1\n", 1, "is 3 columns between tabs, and no header"),
        ("task,arm,passed\nt,a,1\n", 1, "is a table with the columns 'task', 'arm', 'passed'"),
    ],
    "queries": [
        (RUN, 1, "looks like a run"),
        ("<DOC>\n</DOC>\n", 1, "looks like a documents file"),
        ('{"_id": "d1", "title": "T", "text": "How"}\n', 1, "looks like a documents file"),
        ('[\n{"id": 1}\n]\n', 1, "is a JSON array with the names 'id'"),
        ('{"x": 1}\n', 1, "is JSON with the names 'x'"),
        ("query_id\tbody\nq1\ta\n", 1, "is a table with the columns 'query_id', 'body', not a"),
    ],
    "documents": [
        ("qid;query\nq;how\n", 1, "looks like a queries file (a table query_id,query"),
        ('{"_id": "q1", "text": "how", "class": "x"}\n', 1, "looks like a queries file"),
        ("<html>\n<p>Text</p>\n</html>\n", 1, "is XML or HTML with the names 'html', 'p', not a"),
        ('{"id": "d1", "inhalt": "x"}\n', None, "no document has a text; what they have is 'inh"),
        ("doc_id,inhalt\nd1,x\n", None, "no document has a text; what they have is 'inhalt'"),
    ],
    "run:trec": [
        *((f"{RUN}q1 Q0 d2 2 {score} t\n", 2,
           f"score '{score}' is not a finite decimal number; write it like 12.5 or 1.25e1")
          for score in NO_NUMBERS),
        (f"{RUN}q Q0 d 1 {'x' * 1000} t\n", 2, f"score '{'x' * 59}…' is"),
        (f"{RUN}\nq1\n", 3, "1 field; a line of a run has 6 (query_id Q0 doc_id rank score tag)"),
        (f"{RUN}q1,Q0,d1,1,2.5,t\n", 2, "1 field; a line of a run has 6"),
        (f"{RUN}q1 Q0 d1 1\n{RUN}", 2, "4 fields; a line of a run has 6"),
        (f"{RUN}q1 Q0 d2 2 2.5\n", 2, "5 fields, but the lines before have 6, the last of"),
        (f"{RUN}q1 Q0 my doc 1 2.5 t\n", 2, "7 fields, of which the rank 'doc' is not a number"),
        (f"{RUN}q1 Q0 d1 2 2.5 t\n", 2, "document 'd1' is already in query 'q1', line 1"),
        (f"{RUN}q1 Q0 d2 2 2.5 u\n", 2, "tag 'u', but 't' on line 1"),
        (RUN.encode() + b"q\xff Q0 d1 1 2 t\n", 2, "byte 2 of the line (0xFF) is not valid UTF-8"),
        (RUN.encode() + b"q1 Q0 d 1 2 t\xff\n", 2, "byte 14 of the line (0xFF) is not valid"),
        (RUN.encode() + b"q \0 d 1 1 t\n", 2, "a NUL byte: this is a binary file"),
        (b"# a note\n" * 9_000 + b"q \0 d 1 1 t\n", 9_001, "a NUL byte: this is a binary file"),
        # What is wrong before it is told first.
        (b"# a note\n" * 9_000 + b"q Q0 d 1 x t\nq \0 d 1 1 t\n", 9_001, "score 'x' is not a"),
        ("# a comment\n", None, "holds no row of"),
    ],
    "qrels:trec": [
        *((f"{QRELS}q1 0 d2 {grade}\n", 2, f"grade '{grade[:50]}") for grade in NO_INTEGERS),
        ("q 0 d 3000000000\n", 1, "is not a whole number of 32 bits; write a whole"),
        (f"{QRELS}q1 0 d2\n", 2, "3 fields; a line of qrels has 4 (query_id 0 doc_id grade)"),
        (f"{QRELS}q1 0 my doc 1\n", 2, "5 fields; a line of qrels has 4"),
        (f"{QRELS}q1 0 d1 0\n", 2, "document 'd1' is already in query 'q1', line 1"),
        (QRELS.encode() + b"q1 0 d\xe9 1\n", 2, "byte 7 of the line (0xE9) is not valid UTF-8"),
        ("# a comment\n", None, "holds no row of"),
    ],
    "run:csv": [
        *((f"{HEAD}q,d,{score}\n", 2, f"score '{score}' is not a finite decimal number")
          for score in ("1_000", "nan", "1e999", "٣", "")),
        (f"{HEAD}q,d\n", 2, "2 cells, but the header has 3"),
        (f"{HEAD}q,a b,1\nq,a%20b,1\n", 3, "document 'a%20b' is already in query 'q', line 2"),
        (f'{HEAD}q,"d,1\nq,e,1\n', 2, "a quote that opens in this row is never closed"),
        (f'{HEAD}q,"d"x,1\n', 2, "not CSV"),
        (f"{HEAD}q,d\re,1\n", 2, "a carriage return stands within a cell"),
        ("query_id,docno,doc_id,doc_id,rank\nq,d,e,f,1\n", 1, "could both be the doc_id"),
        ("query_id,x,y\nq,d,1\n", 1, "there is no column score or rank; it has 'query_id'"),
        (f"{RANKED}q,d,1\nq,e,1.0\n", 3, "rank 1 is already in query 'q', line 2"),
        (f"{RANKED}q,d,-1\n", 2, "rank '-1' is not a whole number from 0 up"),
        ("query_id,doc_id,rank,tag\nq,d,1,a\nq,e,2,b\n", 3, "tag 'b', but 'a' on line 2"),
        (b"query_id\tdoc_id\tscore\n\xff\n", 2, "byte 1 of the line (0xFF) is not valid UTF-8"),
    ],
    "run:results": [
        ("query_id,doc_id,rank,grade\nq,d,1,x\n", 2, "grade 'x' is not a whole number"),
    ],
    "run:json": [
        ('{"q": {"d": 1,\n"e": NaN}}', 2, "'NaN' is not a finite number"),
        ('{"q": {"d": 1,\n"e": "2"}}', 2, "query 'q', document 'e': '2' is not a number"),
        ('{"q": {"d": 1,\n"d": 2}}', 2, "'d' comes twice in one object"),
        ('{"q": {"d": 1},\n"r": [1]}', 2, "query 'r' has no object of documents"),
        ('{"q": {"d": 1},\n"r": ', 2, "not valid JSON"),
        ('{"q": {"\\ud800": 1}}', 1, "half a surrogate pair"),
        ('{"q": {"d": 1,\n"a\\u0000b": 1}}', 2, "a NUL character (\\u0000) in a string"),
        ('{"q": {"d": ' + "1" * 5000 + "}}", 1, "a number of too many digits"),
        (b'{"query_id": "q"}\n\xff\n', 2, "byte 1 of the line (0xFF) is not valid UTF-8"),
    ],
    "run:quepid": [
        ("Query Text,Doc ID,Doc Position\na,d,1\na,e,1\n", 3, "rank 1 is already"),
        (f"{SNAPSHOT}S,1,,a,d,1,\nT,2,,a,d,1,\n", 3, "snapshot 'T', but 'S' in the rows before"),
    ],
    "run:msmarco": [
        ("1\td\t1\n1\te\tx\n", 2, "rank 'x' is not a whole number"),
        ("1\td\t1\n1\te\n", 2, "2 tab-separated fields; a line has 3"),
    ],
    "qrels:beir": [
        ("query-id\tcorpus-id\tscore\nq\td\t\n", 2, "grade '' is not a whole number"),
    ],
    "qrels:csv": [
        ("query_id,doc_id,grade\nq,d,0.5\n", 2, "grade '0.5' is not a whole number"),
    ],
    "qrels:quepid": [
        ("query,rating\nq,1\n", 1, "there is no column docid; it has 'query', 'rating'"),
    ],
    "qrels:quepid-json": [
        ('{"x": 1}', 1, "there is no list 'queries' of objects"),
        ('{"queries": [{"query": "a", "ratings": {\n"d": 1.5}}]}', 2, "grade 1.5 is"),
    ],
    "qrels:json": [
        ('{"q": {"d": 1,\n"e": true}}', 2, "query 'q', document 'e': "),
    ],
    "qrels:opensearch": [('{"judgmentRatings": [{"query": "a",\n"ratings": 1}]}', 1, "a list of")],
    "qrels:rank-eval": [
        ('{"requests": [{"id": "q", "ratings": [\n{"_id": "d", "rating": true}]}]}', 2,
         "grade True is not a whole number"),
    ],
    "qrels:benchmark": [
        (graded('{"query": " ", "documents": []}'), 2, "there is no query"),
        (graded('{"query": "a", "documents": []}'), 2, "the query has no documents"),
        (graded('{"query": "a", "documents": [1]}'), 2, "'documents' is not a list of objects"),
        (graded('{"query": " z ", "documents": [{"id": "z", "text": "z", "score": 1}]}'), 2,
         "the query with the text 'z' is already on line 1"),
        (graded('{"query": "a", "documents": [{"id": "z", "text": "z", "score": 1}],'
                ' "authority": 1}'), 2, "authority needs a list"),
        (graded('{"query": "a", "documents": [{"id": "d", "text": "t", "score": 1},'
                ' {"id": "d", "text": "t", "score": 1}]}'), 2, "document 'd' comes twice"),
        (of_document('"id": "z", "text": "u", "score": 1'), 2, "document 'z' is another on line 1"),
        (of_document('"id": "d", "text": "", "score": 1'), 2, "document 'd' has no text"),
        (of_document('"id": "d", "text": "t"'), 2, "grade (none) is not a whole number"),
        (of_document('"id": "d", "text": "t", "score": true'), 2, "grade True is not a whole"),
        (of_document('"id": "d", "text": "t", "score": 0.25'), 2, "say what it means: --labels"),
    ],
    "judgments:judge-tui": [
        (f"{OWN}q,d,,grade,1\n", 2, "the row has no judge"),
        (f"{OWN}q,d,a,maybe,\n", 2, "decision 'maybe' is unknown; write grade"),
        (f"{OWN}q,d,a,grade,\n", 2, "grade '' is not a whole number"),
        (f"{OWN}q,d,a,grade,2.5\n", 2, "grade '2.5' is not a whole number"),
        (f"{OWN}q,d,a,grade,12\n", 2, "grade 12 is not from 0 to 9"),
        (f"{OWN}q,d,a,grade,1\nq,d,a,skip,\n", 3, "already judged document 'd'"),
        (f"{OWN[:-1]},seconds\nq,d,a,grade,1,-1\n", 2, "'-1' is not a number of seconds"),
    ],
    "judgments:quepid-book": [("query,docid,Ann,\nq,d,1,2\n", 2, "the row has no judge")],
    "judgments:quepid-book-json": [
        ('{"query_doc_pairs": [\n{"doc_id": "d"}]}', 2, "the query has no text"),
    ],
    "judgments:csv": [("USER,TOPIC,DOCID,JUDGMENT\n,q,d,1\n", 2, "the row has no judge")],
    "judgments:umbrela": [
        ('{"model": "m", "judgment": 1, "passage": "p"}\n', 1, "names no query"),
        ('{"model": "m", "query": "q", "passage": "p", "judgment": true}\n', 1, "is not a number"),
        ('{"model": "m", "query": "q", "judgment": 0, "passage": "p", "result_status": 0}\n', 1,
         "could parse no answer"),
    ],
    "judgments:doccano": [
        ('{"text": "t", "query_id": "q", "label": "a"}\n', 1, "not a list of strings"),
        ('{"text": "t", "query_id": "q", "label": ["a", "b"]}\n', 1, "2 labels"),
    ],
    "judgments:label-studio": [
        ('[{"data": 1}]', 1, "task 1: the task has no 'data'"),
        (task("y", "x"), 1, "several controls could give the grade: 'y', 'x'"),
    ],
    "queries:tsv": [
        ("q1\ta\nq2\n", 2, "1 tab-separated field; a line has 2 (id<TAB>text); put one tab"),
        ("q1\ta\nq2\tb\tc\nq3\td\n", 2, "3 tab-separated fields; a line has 2"),
        ("q1\ta\nq1\tb\n", 2, "query id 'q1' is already on line 1; give each query"),
        ("id\ttext\nq1\ta\n", 1, "this line is a header"),
        ("q1\t \n", 1, "query 'q1' has no text"),
        (b"q1\ta\nq2\tna\xefve\n", 2, "byte 6 of the line (0xEF) is not valid UTF-8; save"),
    ],
    "queries:csv": [
        ("query_id,query\nq1,\n", 2, "the row has no query"),
        ("query,\na,x\n", 2, "no column is named above 'x'"),
        ("query,x,x\na,b,c\n", 1, "two columns are called 'x'"),
        ("query,prefer\na,b\n", 1, "a table cannot hold 'prefer'"),
    ],
    "queries:jsonl": [
        ('{"id": "q", "text": "a"}\n{"id": "q", "text": "b"}\n', 2, "query id 'q' is already on"),
        ('{"id": "q", "text": "a"}\n{"text": "b"}\n', 2, "no id: none of 'query_id', '_id', 'id'"),
        ('{"id": "q", "text": "a\\\\u0000"}\n{"id": "r", "text": "\\\\\\u0000"}\n', 2, "a NUL ch"),
        ('{"id": true, "text": "a"}\n', 1, "'id' is true, not a string; write the id"),
        ('{"query_id": 1.5, "text": "a"}\n', 1, "'query_id' is a number, not a string"),
        ('{"id": ["q"], "text": "a"}\n', 1, "'id' is a list, not a string"),
        ('{"id": "q"}\n', 1, "query 'q' has no text"),
        ('{"id": "q", "text": ["a"]}\n', 1, "'text' is a list, not a string; write 'text' as one"),
        ('{"id": "q", "text": "a", "class": {}}\n', 1, "'class' is an object, not a string"),
        ('{"id": "q", "text": "a", "query": "b"}\n', 1, "'text' is 'a', and 'query' is 'b'; keep"),
        ('{"id": "q", "text": "\\ud800"}\n', 1, "half a surrogate pair (\\ud800) in a string"),
        ('{"id": "q", "text": "a", "\\udfff": 1}\n', 1, "half a surrogate pair (\\udfff)"),
        ('{"id": "q", "text": "a", "m": [{"n": "x\\udc00"}]}\n', 1, "half a surrogate pair"),
        ('{"id": "q", "text": "a"\n', 1, "not valid JSON: Expecting ',' delimiter at column 24"),
        ('{"id": "q", "text": NaN}\n', 1, "'NaN' is not a finite number"),
        ('{"id": "q", "text": "a", "m": 1e999}\n', 1, "'1e999' is not a finite number"),
        (f'{{"id": "q", "text": "a", "m": {"9" * 5000}}}\n', 1, "a number of too many digits"),
        (f'{{"id": "q", "m": {DEEP}}}\n', 1, "JSON nested deeper than 100 levels"),
        (f'{{"id": "q", "m": {DEEPER}\n', 1, "JSON nested deeper than 100 levels"),
        ('{"id": "q", "text": "a"}\n[1]\n', 2, "this is a list, not a JSON object; write one"),
        ('{"id": "q", "text": "a"}\n"x"\n', 2, "this is a string, not a JSON object"),
        (b'{"id": "q", "text": "a"}\n\xff\n', 2, "byte 1 of the line (0xFF) is not valid UTF-8"),
    ],
    "queries:trec": [
        ("<top>\n<num> 1\n<title> a\n</top>\nstray\n", 5, "text 'stray' outside <top>"),
        ("<top>\n<title> a\n</top>\n", 1, "the query has no id"),
        ("\n<top>\n<num> 1\n</top>\n", 2, "query '1' has no text"),
        ("<top>\n<num> 1 2\n<title> a\n</top>\n", 1, "the topic's number '1 2' has white space"),
        ("<top><num>1<title>a<top><num>1<title>b\n", 1, "query id '1' is already on line 1"),
        ("<top><num>1<title>a</top>\n<top><num>2<title>b<narr>only the beg", 2, "without </top>"),
        ("<top><num>1<title>a<narr>only the beg", 1, "<top> without </top>"),
        (b"<top><num>1<title>a</top>\nq2\tna\xefve\n", 2, "byte 6 of the line (0xEF) is not valid"),
    ],
    "queries:trec-xml": [
        ('<topics>\n<topic number="1"/></topics>', 2, "query '1' has no text"),
        ("<topics><!-- <topic> -->\n<topic><num>1</num>a</topic>\n<topic><num>1</num>b</topic>\n"
         "</topics>", 3, "query id '1' is already on line 2"),
        ("<topics><topic>\n<query>a & b</query>", 2, "not valid XML: not well-formed"),
        ("<topics>\n<topic><number>1</topic>", 2, "not valid XML: mismatched tag at column 19"),
        ("<topics><topic>\n<query>a", 2, "not valid XML: no element found"),
        ('<!DOCTYPE t [\n<!ENTITY e "x">]>\n<topic/>', 2, "the document type has an entity"),
        ('<!DOCTYPE t SYSTEM "x">\n<topic>&nbsp;</topic>', 2, "not valid XML: undefined entity"),
    ],
    "documents:csv": [("doc_id,text\na,b\na,c\n", 3, "document id 'a' is already on line 2")],
    "documents:jsonl": [
        ('{"id": "a", "url": 1}\n', 1, "'url' is a number, not a string"),
        ('{"id": "a"}\n{"id": "b"}\n{"id": "a"}\n', 3, "document id 'a' is already on line 1"),
        ('{"title": "a"}\n', 1, "no id: none of 'doc_id', '_id', 'id'; add 'doc_id'"),
    ],
    "documents:tsv": [
        ("d1\ta\nd2\n", 2, "1 tab-separated field; a line has 2 or 3 (id<TAB>text or id<TAB>title"),
        ("d1\ta\nd2\ta\tb\tc\n", 2, "4 tab-separated fields; a line has 2 or 3"),
        ("d1\ta\nd1\tb\n", 2, "document id 'd1' is already on line 1"),
    ],
    "documents:trec": [
        ("<DOC><DOCNO>1</DOCNO></DOC>\n<DOC><DOCNO>2</DOCNO>\n", 2, "<DOC> without </DOC>; add"),
        ("<DOC>\n<DOCNO>1</DOCNO>\n<DOC><DOCNO>2</DOCNO></DOC>\n", 1, "<DOC> without </DOC>"),
        ("<DOC>\ntext\n</DOC>\n", 1, "the document has no id"),
        ("<DOC><DOCNO>1\n2</DOC>\n", 1, "the document's number '1 2' has white space in it"),
        ("<DOC><DOCNO>1</DOCNO></DOC>\nstray\n", 2, "text 'stray' outside <DOC>"),
        ("<DOC><DOCNO>1</DOCNO></DOC>\n<DOC><DOCNO>1</DOCNO></DOC>\n", 2, "already on line 1"),
    ],
    "documents:quepid-book-json": [('{"query_doc_pairs": []}', None, "has 'document_fields'")],
    "answers": [
        ("query,result1\nx,a\ny,\n", 3, "the query has no right answer"),
        ("query,result1\nx,a:9-1\n", 2, "'a:9-1' ends before it begins"),
        ("query,result1\nx,a:9:1001\n", 2, "grade 1001 of 'a:9' is out of"),
        ("query,result1,rating\nx,a,1\n", 1, "answers have no column 'rating'"),
        ("query,result1,query\nx,a,b\n", 1, "two columns hold the query"),
        ("query,result1\nx,a,b\n", 2, "3 cells, but the header has 2"),
        ('query,result1\nx,"a\nb"\n', 2, "is several lines"),
        ('query,result1\nx,"a\n', 2, "a quote that opens in this row is never closed"),
        ("query,pattern\nx,(\n", 2, "pattern '(' is not a regular expression"),
        ('[{"query": "x",\n "expected": "a", "expected": "b"}]', 2, "'expected' comes twice"),
        ('[{"query": "x", "expected": "a"},\n {"query": "y", "expect": "a"}]', 2, "is not a key"),
        ('[{"query": "x", "expected": 1}]', 1, "query 'x': expected is neither a text nor a list"),
        ('[{"query": "x", "expected": "a", "grade": 1.5}]', 1, "grade 1.5 is not a whole number"),
        ('[{"query": "x", "expected": "a", "grade": -1}]', 1, "grade -1 is out of range"),
        ('[{"expected": "a", "query": ""}]', 1, "the answer has no query"),
        ('[{"query": "x", "id": "a", "query_id": "b", "expected": "a"}]', 1, "are both there"),
        ('[{"query": "x", "prefer": {"better": "a"}}]', 1, "prefer needs a better and a worse"),
        ('[{"query": "x", "authority": ["a"]}]', 1, "authority needs a list of two"),
        ('[{"query": "x", "expected": "a"},\n{"query"', 2, "not valid JSON"),
        ('{"query": "x", "expected": "a"}\n{"query": }\n', 2, "not valid JSON"),
        ('{"id": "a", "query": "x", "expected": "a"}\n' * 2, 2, "already has answers on line 1"),
        ('[[answers]]\nquery = "x"\npattern = \n', 3, "not TOML"),
        (b'[[answers]]\nquery = "\xe9"\n', 2, "byte 10 of the line (0xE9) is not valid UTF-8"),
        ('[[a]]\nquery = "x\u2028y"\npattern = "a"\n[[a]]\nquery = "z"\n',
         4, "the query has no right"),
        ('[[a]]\nquery = "x"\npattern = "a"\n[[b]]\nquery = "y"\npattern = "a"\n', 1, "one list"),
        (QRELS, 1, "this is text that begins with 'q1 0 d1 1', not an answers file"),
        ("Question;Right answer\nx;a\n", 1,
         "or say what its columns are called: --columns query=…,result=…"),
        ("query;Right answer\nx;a\n", 1, "--columns result='Right answer'"),
    ],
    "latency": [
        (f"{LATENCY}q1,0.5,1,2,0\n", 2, "5 cells, but the header has 6"),
        (f"{LATENCY},0.5,1,2,0,\n", 2, "the row has no query_id"),
        *((f"{LATENCY}q1,{cell},1,2,0,\n", 2, f"'{cell}' is not a number of seconds")
          for cell in ("soon", "nan", "-1", "1_0")),
        (f"{LATENCY}q1,0.5,1,many,0,\n", 2, "results 'many' is not a whole number"),
        (f"{LATENCY}q1,0.5,1,2,0,timed out\n", 2, "a query that failed has results"),
        (f"{LATENCY}q1,0.5,1,2,0,\nq1,0.5,1,2,0,\n", 3, "query 'q1' is already on line 2"),
        (f'{LATENCY}q1,0.5,1,2,0,"timed out\n', 2, "a quote that opens in this row is never"),
    ],
    "outcomes": [
        ("task,arm,passed\n", None, "there are no outcomes in it"),
        ("task,passed\n1,1\n", 1, "there is no column arm"),
        ("task,arm\n1,a\n", 1, "the header has no column of outcomes"),
        ("task,arm,arm,x\n1,a,b,1\n", 1, "'arm' and 'arm' could both be the arm"),
        ("task,arm,x,x\n1,a,1,1\n", 1, "two columns are called 'x'"),
        ("task,arm,x\n1,a,1\n2,a,perhaps\n", 3, "x is 'perhaps', which is neither"),
        ("task,arm,x,seconds\n1,a,1,2.5\n", 2, "seconds is '2.5', which is neither"),
        ("task,arm,passed,note\n1,a,2.5,x\n", 2, "passed is '2.5', which is neither"),
        ("task,arm,x\n1,a,1\n1,a,0\n", 3, "task '1' of arm 'a' is already on line 2"),
        ("task,arm,x\n1,a\n", 2, "2 cells, but the header has 3"),
        ("task,arm,x\n,a,1\n", 2, "the row has no task"),
        ("task,arm,x\n1,,1\n", 2, "the row has no arm"),
        ('task,arm,x\n"1,a,1\n', 2, "a quote that opens in this row is never closed"),
    ],
}
# fmt: on


def problems(path: Path, called: str) -> list[InputError]:
    others: dict[str, Callable[[Path], object]] = {
        "latency": read_latency,
        "outcomes": read_outcomes,
    }
    if called not in others:
        return check_file(path, format=called or None)
    with pytest.raises(InputError) as error:
        others[called](path)
    return [error.value]


@pytest.mark.parametrize(
    ("called", "content", "line", "words"),
    [(called, *fault) for called, faults in FAULTS.items() for fault in faults],
)
def test_a_fault_is_told_with_its_line(
    tmp_path: Path, called: str, content: str | bytes, line: int | None, words: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    problem = problems(path, called)[0]
    assert str(problem).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert problem.line == line
    assert words in str(problem)
    assert problem.mend


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (f'{HEAD}q,a,x\nq,b,1\nq,b,1\n,c,1\nq,"d"e,1\nq,f\nq,g,1\n', [2, 4, 5, 6, 7]),
        ("query_id,doc_id,score,grade\nq,a,x,1\nq,b,1,x\n", [2, 3]),
        ("query-id\tcorpus-id\tscore\nq\ta\t1.5\nq\tb\t1\nq\tb\t1\n", [2, 4]),
        ('{"q": {\n"a": 0.5,\n"b": null,\n"c": [1]}}', [3, 4]),
        (f"{RUN}q1 Q0 d2 1 x t\n{RUN}q1 Q0\nq1 Q0 d3 1 1 u\n" + "bad\n" * 2, [2, 3, 4, 5, 6, 7]),
        (f"{QRELS}{QRELS}q1 0 d2 x\nq1 0\nq1 0 d3 1\n", [2, 3, 4]),
        ('{"id": 1, "text": "a"}\n{"id": 1, "text": "b"}\n{x}\n{"id": 2}\n', [2, 3, 4]),
        ("<top><num>1\n<title>a\n<num>2\n</top>\nx\n<top><num>2<title>b\n</top>\n", [1, 5]),
    ],
)
def test_all_faults_are_told_at_once(tmp_path: Path, content: str, lines: list[int]) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    assert [one.line for one in check_file(path)] == lines
