"""A tiny file of each format, and what it holds: the table over which the readers are tried.

Where a form has ids, its documents are d1, d2, … and its query is q1; where the text of a query
stands for its id, there is one of `star wars`.
"""

from __future__ import annotations

from typing import Any

from judge_tui.model import Document, Query

CASE = "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating,text\n"
SNAPSHOT = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position,rating\n"
DETAILED = (
    f"{CASE}T,C,1,star wars,d1,1,A title,3,x\n"
    'T,C,1,""exact"" words,=d2,1,"A ""b"", c",0,x\n'
    "T,C,1,star wars,d3,,not returned,1,x\nT,C,1,nothing\n"
)
OPENSEARCH = """\
{"judgmentRatings": [
  {"query": "star wars", "ratings": [{"docId": "d1", "rating": "3.0"}]},
  {"query": "nothing", "ratings": []}]}
"""
RANK_EVAL = """\
{"requests": [
  {"id": "q1", "params": {"query": "star wars"},
   "ratings": [{"_index": "i", "_id": "d1", "rating": 3}]},
  {"id": "q2", "request": {"query": {}}, "ratings": []}]}
"""
QUEPID_CASE = """\
{"case_name": "C", "queries": [
  {"query_text": "star wars", "information_need": "the film", "notes": "n", "ratings": [
    {"doc_id": "d1", "rating": 3.0, "user_email": "x"}, {"doc_id": "d2", "rating": null}]},
  {"query": "a b", "ratings": {"d1": 1}},
  {"query_text": "nothing", "ratings": []}]}
"""
BOOK = """\
{"name": "b", "scale": "0,1,2,3", "query_doc_pairs": [
  {"query_text": "star wars", "doc_id": "d1", "information_need": "the film",
   "document_fields": "{\\"title\\": \\"T\\", \\"tags\\": [\\"a\\", \\"b\\"]}", "judgements": [
    {"user_email": "ann@x.org", "rating": 3.0, "explanation": "why"},
    {"rating": 1.0}, {"rating": 2.0},
    {"user_email": "bo@x.org", "unrateable": true},
    {"user_email": "cy@x.org", "judge_later": true}]},
  {"query_text": "star wars", "doc_id": "d2", "judgements": []}]}
"""
BENCHMARK = """\
[{"query": "read a csv", "class": "how-to", "documents": [
   {"id": "d1", "text": "t1", "score": 2, "kind": "guide"},
   {"id": "d2", "text": "t2", "score": 0.0}]},
 {"query_id": "q1", "query": "sort", "documents": [
   {"id": "d1", "text": "t1", "score": 1, "kind": "guide"}]}]
"""
LABEL_STUDIO = """\
[{"id": 1, "data": {"query_id": "q1", "doc_id": "d1"}, "annotations": [
   {"completed_by": {"email": "ann@x.org"}, "lead_time": 2.5, "result": [
     {"from_name": "relevance", "type": "choices", "value": {"choices": ["Relevant"]}},
     {"from_name": "tone", "type": "rating", "value": {"rating": 5}},
     {"from_name": "note", "type": "textarea", "value": {"text": ["why"]}}]},
   {"completed_by": 7, "result": [], "was_cancelled": true},
   {"completed_by": 8, "result": [], "was_cancelled": true, "updated_at": "2024-01-03T10:00Z"},
   {"completed_by": 8, "updated_at": "2024-01-02T10:00Z", "result": [
     {"from_name": "relevance", "type": "choices", "value": {"choices": ["Good"]}}]},
   {"completed_by": 8, "updated_at": "2024-01-01T10:00Z", "result": [
     {"from_name": "relevance", "type": "choices", "value": {"choices": ["Bad"]}}]},
   {"completed_by": 9, "created_at": "2024-01-01T10:00Z", "result": [
     {"from_name": "relevance", "type": "choices", "value": {"choices": ["Bad"]}}]},
   {"completed_by": 9, "created_at": "2024-01-01T11:00+01:00", "result": [
     {"from_name": "relevance", "type": "choices", "value": {"choices": ["Good"]}}]}],
  "predictions": [{"model_version": "m", "result": [
     {"from_name": "r", "type": "rating", "value": {"rating": 3}}]}]},
 {"id": 2, "data": {"query": "what", "text": "a passage"}, "annotations": []}]
"""
UMBRELA = """\
{"model": "m", "query": "what", "passage": "p", "judgment": 2, "prediction": "O: 2"}
{"model": "m", "query": "what", "passage": "q", "judgment": 0, "result_status": 0}
{"model": "m", "query": "what", "passage": "r", "judgment": 0, "result_status": 1, "reasoning": "r"}
{"model": "m", "query": "what", "passage": "t", "judgment": "0000000012"}
{"model": "m", "query": "what", "passage": "p", "judgment": 2.0}
"""
UMBRELA_OF_IDS = (
    '{"model": "m", "qid": "q1", "docid": "d1", "query": "w", "passage": "p", "judgment": 2}\n'
)
DOCCANO = """\
{"text": "t", "query_id": "q1", "doc_id": "d1", "label": ["Good"], "judge": "A", "Comments": ["c"]}
{"text": "t", "query_id": "q1", "doc_id": "d2", "label": []}
"""
OWN = """\
query_id,doc_id,judge,decision,grade,note,kind,purpose,seconds
q1,d1,ann,grade,2,'=x,human,normal,1.5
q1,d1,ann,grade,1,,human,repeat,
q1,d2,ann,skip,,,,,
q1,d3,ann,,,only a note,,,
q1,d4,ann,,,,,,
q1,d4,lea,adjudicate,2,,,,
"""
OWN_LINES = """\
{"query_id": "q1", "doc_id": "d1", "judge": "ann", "decision": "grade", "grade": 2}
{"query_id":"q1","doc_id":"d1","judge":"ann","decision":"grade","grade":1,"purpose":"repeat"}
{"query_id": "q1", "doc_id": "d1", "judge": "lea", "decision": "adjudicate", "grade": 2}
{"query_id": "q1", "doc_id": "d3", "judge": "bo", "decision": null, "grade": null, "note": "see"}
{"query_id": "q1", "doc_id": "d3", "judge": "cy", "decision": null, "grade": null, "flagged": true}
"""
RESULTS = "query_id,doc_id,rank,relevant\nq1,d1,1,True\nq1,d2,2,\nq1,d3,,1.0\n"
TOPICS = """\
<topics>
<topic number="q1">
 <query>a  b</query>
 <question>d &amp; e</question>
 <narrative>n
  o</narrative>
</topic>
</topics>
"""
OTHER_TOPICS = """\
<topics><topic><number>q1</number><title>T</title><description>
d
</description></topic>
<topic number="2" type="t">  a man
  of 45
</topic></topics>
"""


def by_place(*texts: str, **more: str) -> list[Query]:
    """Queries without ids, called by their places."""
    return [Query(f"q{place:03}", text, **more) for place, text in enumerate(texts, 1)]


# A file; and each format that reads it, first the one that it is recognised as, with the rows
# without their lines. Of runs: query|document|score|tag; of qrels: query|document|grade; of
# judgments: query|document or passage|judge|decision|grade or label|note.
SAMPLES: list[tuple[str, dict[str, list[Any]]]] = [
    ("q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 -1e1 t\n", {"run:trec": ["q1|d1|2.5|t", "q1|d2|-10.0|t"]}),
    ("qid,Doc ID,x,score\nq1,d1,a,2\n", {"run:csv": ["q1|d1|2.0|"]}),
    ('tag;rank;doc_id;query_id\nt;2;"e;1";q1\n', {"run:csv": ["q1|e;1|-2.0|t"]}),
    ('query_id\tdoc_id\trank\nq1\t"d\t1\n', {"run:csv": ['q1|"d|-1.0|']}),
    (",query_id,doc_id,score\n0,q1,'=d,2\n", {"run:csv": ["q1|=d|2.0|"]}),
    (
        RESULTS,
        {"run:results": ["q1|d1|-1.0|", "q1|d2|-2.0|"], "qrels:results": ["q1|d1|1", "q1|d3|1"]},
    ),
    ('{"q1": {"d1": 0.5},\n "q2": {}}', {"run:json": ["q1|d1|0.5|", "q2||0.0|"]}),
    (
        f"{SNAPSHOT}S 1,2020,1,star wars,d1,1,PG\nS 1,2020,1,nothing,,,\n",
        {
            "run:quepid": ["star wars|d1|-1.0|S%201", "nothing||0.0|S%201"],
            "queries:quepid": by_place("star wars", "nothing"),
        },
    ),
    (
        DETAILED,
        {
            "qrels:quepid": ["star wars|d1|3", '"exact" words|=d2|0', "star wars|d3|1"],
            "run:quepid": ["star wars|d1|-1.0|", '"exact" words|=d2|-1.0|', "nothing||0.0|"],
            "queries:quepid": by_place("star wars", '"exact" words', "nothing"),
        },
    ),
    (
        "q1\td1\t1\nq1\td2\t2\nq1\td3\t3\n",
        {"run:msmarco": ["q1|d1|-1.0|", "q1|d2|-2.0|", "q1|d3|-3.0|"]},
    ),
    ("q1 0 d1 1\nq1 0 d2 -1\n", {"qrels:trec": ["q1|d1|1", "q1|d2|-1"]}),
    (
        "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\t'=d\t2\n",
        {"qrels:beir": ["q1|d1|1", "q1|'=d|2"]},
    ),
    ("topic,docno,label\nq1,d1,2.0\nq1,d2,\n", {"qrels:csv": ["q1|d1|2"]}),
    (
        'query,docid,rating\n"star, wars", =e1,3\nnothing,,\nstar wars,d1,0\nx,d2,\n',
        {"qrels:quepid": ["star, wars|=e1|3", "star wars|d1|0"]},
    ),
    (
        QUEPID_CASE,
        {
            "qrels:quepid-json": ["star wars|d1|3", "a b|d1|1"],
            "queries:quepid-json": [
                Query("q001", "star wars", "n", "the film"),
                Query("q002", "a b"),
                Query("q003", "nothing"),
            ],
        },
    ),
    (
        OPENSEARCH,
        {
            "qrels:opensearch": ["star wars|d1|3"],
            "queries:opensearch": by_place("star wars", "nothing"),
        },
    ),
    (
        f'{{"hits": {{"hits": [{{"_source": {OPENSEARCH}}}]}}}}',
        {"qrels:opensearch": ["star wars|d1|3"]},
    ),
    (
        RANK_EVAL,
        {
            "qrels:rank-eval": ["q1|d1|3"],
            "queries:rank-eval": [Query("q1", "star wars"), Query("q2", "q2")],
        },
    ),
    (
        BENCHMARK,
        {
            "qrels:benchmark": ["read a csv|d1|2", "read a csv|d2|0", "q1|d1|1"],
            "queries:benchmark": [
                Query("q001", "read a csv", query_class="how-to"),
                Query("q1", "sort"),
            ],
            "documents:benchmark": [
                Document("d1", text="t1", kind="guide"),
                Document("d2", text="t2"),
            ],
        },
    ),
    ('{"q1": {"d1": 1,\n "d2": 0}}', {"qrels:json": ["q1|d1|1", "q1|d2|0"]}),
    (
        OWN,
        {
            "judgments:judge-tui": [
                "q1|d1|ann|grade|2|=x",
                "q1|d2|ann|skip||",
                "q1|d3|ann|open||only a note",
            ]
        },
    ),
    (
        "USER,TOPIC,DOCID,METHOD,JUDGMENT,TIME_AWAY,TIME_TO_JUDGE\nann,q1,d1,x,2,0.0,1.5\n",
        {"judgments:csv": ["q1|d1|ann|grade|2|"]},
    ),
    (OWN_LINES, {"judgments:judge-tui": ["q1|d1|ann|grade|2|", "q1|d3|bo|open||see"]}),
    (
        "topic,docno,assessor,rel\nq1,d1,ann,2\nq1,d1,bo,0\nq1,d2,bo,\n",
        {"judgments:csv": ["q1|d1|ann|grade|2|", "q1|d1|bo|grade|0|"]},
    ),
    (
        "query,docid,Ann,Bo\nstar wars,d1,3,0\nx,d2,,\n",
        {
            "judgments:quepid-book": [
                "star wars|d1|Ann|grade|3|",
                "star wars|d1|Bo|grade|0|",
                "x|d2||open||",
            ]
        },
    ),
    (
        BOOK,
        {
            "judgments:quepid-book-json": [
                "star wars|d1|ann@x.org|grade|3|why",
                "star wars|d1|Anonymous|grade|1|",
                "star wars|d1|Anonymous 2|grade|2|",
                "star wars|d1|bo@x.org|cannot||",
                "star wars|d1|cy@x.org|skip||",
                "star wars|d2||open||",
            ],
            "queries:quepid-book-json": by_place("star wars", narrative="the film"),
            "documents:quepid-book-json": [Document("d1", "T", "tags: a, b")],
        },
    ),
    (
        UMBRELA,
        {
            "judgments:umbrela": [
                "what|p|m|grade|2|",
                "what|q||open||",
                "what|r|m|grade|0|r",
                "what|t||open||",
            ]
        },
    ),
    (UMBRELA_OF_IDS, {"judgments:umbrela": ["q1|d1|m|grade|2|"]}),
    (
        LABEL_STUDIO,
        {
            "judgments:label-studio": [
                "q1|d1|ann@x.org|grade|Relevant|why",
                "q1|d1|7|skip||",
                "q1|d1|8|grade|Good|",
                "q1|d1|9|grade|Good|",
                "q1|d1|m|grade|3|",
                "what|a passage||open||",
            ]
        },
    ),
    (DOCCANO, {"judgments:doccano": ["q1|d1|A|grade|Good|c", "q1|d2||open||"]}),
    (
        'q1\t"how" to\nq2\twhat, is\n',
        {"queries:tsv": [Query("q1", '"how" to'), Query("q2", "what, is")]},
    ),
    (
        "query,result1,result2\nhow,a.py:2-4:3,b.py\n",
        {"queries:answers": [Query("q001", "how", own_id=False)]},
    ),
    ('[{"query": "how", "expected": "a"}]', {"queries:answers": [Query("q001", "how")]}),
    ('{"id": "q1", "query": "how", "pattern": "a"}\n', {"queries:answers": [Query("q1", "how")]}),
    ('[[answers]]\nquery = "how"\npattern = "a"\n', {"queries:answers": [Query("q001", "how")]}),
    (
        "ID;query;class;measures;Owner\nq1;x, y;c;P@1, RR;ann\n",
        {
            "queries:csv": [
                Query(
                    "q1", "x, y", query_class="c", meta={"measures": ["P@1", "RR"], "Owner": "ann"}
                )
            ]
        },
    ),
    (
        "query,information_need\nstar wars,the film\n",
        {"queries:csv": by_place("star wars", narrative="the film")},
    ),
    ('query\nhow, to\n"a ""b"""\n', {"queries:csv": by_place("how, to", 'a "b"')}),
    (
        '{"_id": "q1", "text": "a", "metadata": {"class": "c", "x": 1}}\n',
        {"queries:jsonl": [Query("q1", "a", query_class="c", meta={"x": 1})]},
    ),
    (
        '{"query_id": "q1", "text": "a", "description": "b", "narrative": "c", "class": "d"}\n'
        '{"id": 3, "text": "\\ud83d\\ude00\\u2028", "query_id": null, "x": [1, null]}\n',
        {
            "queries:jsonl": [
                Query("q1", "a", "b", "c", "d"),
                Query("3", "\U0001f600\u2028", meta={"x": [1, None]}),
            ]
        },
    ),
    (
        "<top>\n<num> Number: q1\n<title> a b\n<desc> Description:\nd\n<narr> Narrative:\nn\n"
        "</top>\n",
        {"queries:trec": [Query("q1", "a b", "d", "n")]},
    ),
    (TOPICS, {"queries:trec-xml": [Query("q1", "a b", "d & e", "n\no")]}),
    (
        OTHER_TOPICS,
        {
            "queries:trec-xml": [
                Query("q1", "T", "d"),
                Query("2", "a man of 45", meta={"type": "t"}),
            ]
        },
    ),
    (
        '{"_id": "d1", "title": "T", "text": "a", "metadata": {"url": "u", "y": 1}}\n',
        {"documents:jsonl": [Document("d1", "T", "a", "u", meta={"y": 1})]},
    ),
    (
        'doc_id,title,body,year\nd1,T,"a\nb",1999\n',
        {"documents:csv": [Document("d1", "T", "a\nb", meta={"year": "1999"})]},
    ),
    (
        "d1\tT\ta b\nd2\tU\tc\n",
        {"documents:tsv": [Document("d1", "T", "a b"), Document("d2", "U", "c")]},
    ),
    (
        "<DOC>\n<DOCNO> d1 </DOCNO>\n<TITLE>T</TITLE>\n<TEXT>\na\n</TEXT>\n</DOC>\n",
        {"documents:trec": [Document("d1", "T", "a")]},
    ),
    (
        "d1\thttp://x\tT\ta b\n",
        {"documents:msmarco-docs": [Document("d1", "T", "a b", "http://x")]},
    ),
]

EACH = [(content, called, rows) for content, of in SAMPLES for called, rows in of.items()]
"""Each sample as each format that reads it."""


QUEPID_BOOK = """\
{"name": "B", "scale": "0,1,2,3", "scale_with_labels": {"0": "Poor"},
 "query_doc_pairs": [
  {"query_text": "read a CSV file", "doc_id": "csv.reader", "position": 1,
   "document_fields": "{\\"title\\": \\"x\\"}", "judgements": [
    {"rating": 3.0, "unrateable": false, "judge_later": false, "user_email": "ann@x.org",
     "explanation": "all there"},
    {"rating": null, "unrateable": true, "judge_later": false, "user_email": "bob@x.org"},
    {"rating": null, "unrateable": false, "judge_later": true, "explanation": null}]},
  {"query_text": "sort lists", "doc_id": "sorted", "judgements": [
    {"rating": 1.0, "user_email": "ann@x.org"}]}]}
"""
"""A book of Quepid in JSON, of two pairs and three judges."""
