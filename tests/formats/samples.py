"""A tiny file of each format, and what it holds: the table over which the readers are tried."""

from __future__ import annotations

import json
from typing import Any

from judge_tui.model import Document, Query

CASE = "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating,text\n"
SNAPSHOT = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position,rating\n"
DETAILED = (
    f"{CASE}T,C,1,star wars,d1,1,A title,3,x\n"
    'T,C,1,""exact"" words,=d2,1,"A ""b"", c",0,x\n'
    "T,C,1,star wars,d3,,not returned,1,x\nT,C,1,nothing\n"
)
RRE = {
    "index": "i",
    "topics": [
        {
            "query_groups": [
                {
                    "queries": [{"placeholders": {"$query": "star wars", "$lang": "en"}}],
                    "relevant_documents": {"3": ["d1"], "1": ["d2"]},
                },
                {
                    "queries": [
                        {
                            "placeholders": {"$query": "a  b"},
                            "relevant_documents": {"d3": {"gain": 2}},
                        },
                        {"placeholders": {"$query": "nothing"}, "relevant_documents": {}},
                    ]
                },
            ]
        }
    ],
}
OPENSEARCH = {
    "judgmentRatings": [
        {"query": "star wars", "ratings": [{"docId": "d1", "rating": "3.0"}]},
        {"query": "nothing", "ratings": []},
    ]
}
RANK_EVAL = {
    "requests": [
        {
            "id": "q1",
            "params": {"query": "star wars"},
            "ratings": [{"_index": "i", "_id": "d1", "rating": 3}],
        },
        {"id": "q2", "request": {"query": {}}, "ratings": []},
    ]
}
QUEPID_CASE = {
    "case_name": "C",
    "queries": [
        {
            "query_text": "star wars",
            "information_need": "the film",
            "notes": "n",
            "ratings": [
                {"doc_id": "d1", "rating": 3.0, "user_email": "x"},
                {"doc_id": "d2", "rating": None},
            ],
        },
        {"query": "a b", "ratings": {"d1": 1}},
        {"query_text": "nothing", "ratings": []},
    ],
}
QUEPID_SNAPSHOT = {
    "id": 1,
    "name": "S 1",
    "docs": {
        "7": [
            {"id": "d2", "explain": "{}", "rated_only": False},
            {"id": "d1", "explain": "{}"},
            {"id": "d3", "explain": "{}", "rated_only": True},
        ],
        "8": [],
        "9": [{"id": "d1", "explain": "{}"}],
    },
    "queries": [
        {"query_id": 7, "query_text": "star wars", "ratings": {"d1": 3}},
        {"query_id": 8, "query_text": "nothing", "ratings": {}},
    ],
    "scores": [],
}
BOOK: dict[str, Any] = {
    "name": "b",
    "query_doc_pairs": [
        {
            "query_text": "star wars",
            "doc_id": "d1",
            "information_need": "the film",
            "document_fields": '{"title": "T", "tags": ["a", "b"]}',
            "judgements": [
                {"user_email": "ann@x.org", "rating": 3.0, "explanation": "why"},
                {"rating": 1.0},
                {"rating": 2.0},
                {"user_email": "bo@x.org", "unrateable": True},
                {"user_email": "cy@x.org", "judge_later": True},
            ],
        },
        {"query_text": "star wars", "doc_id": "d2", "judgements": []},
    ],
}
BENCHMARK = [
    {
        "query": "read a csv",
        "class": "how-to",
        "documents": [
            {"id": "d1", "text": "t1", "score": 2, "kind": "guide"},
            {"id": "d2", "text": "t2", "score": 0.0},
        ],
    },
    {"query_id": "x", "query": "sort", "documents": [{"id": "d1", "text": "t1", "score": 1,
                                                      "kind": "guide"}]},
]  # fmt: skip


def annotation(judge: object, *results: object, **more: object) -> dict[str, Any]:
    return {"completed_by": judge, "result": list(results), **more}


def control(name: str, kind: str, value: object) -> dict[str, Any]:
    key = "text" if kind == "textarea" else kind
    return {"from_name": name, "type": kind, "value": {key: value}}


LABEL_STUDIO = [
    {
        "id": 1,
        "data": {"query_id": "q1", "doc_id": "d1"},
        "annotations": [
            annotation(
                {"email": "ann@x.org"},
                control("relevance", "choices", ["Relevant"]),
                control("tone", "rating", 5),
                control("note", "textarea", ["why"]),
                lead_time=2.5,
            ),
            annotation(7, was_cancelled=True),
            annotation(8, control("relevance", "choices", ["Bad"]), updated_at="2024-01-01T10:00Z"),
            annotation(
                8, control("relevance", "choices", ["Good"]), updated_at="2024-01-02T10:00Z"
            ),
        ],
        "predictions": [{"model_version": "m", "result": [control("r", "rating", 3)]}],
    },
    {"id": 2, "data": {"query": "what", "text": "a passage"}, "annotations": []},
]
LABEL_STUDIO_MIN = [
    {"query_id": "q1", "doc_id": "d1", "id": 5, "relevance": "Good", "note": "n", "annotator": 1,
     "annotation_id": 9, "lead_time": 3},
    {"query_id": "q1", "doc_id": "d2", "id": 6, "relevance": 2, "annotator": 1, "annotation_id": 8},
]  # fmt: skip
UMBRELA = [
    {"model": "m", "query": "what", "passage": "p", "judgment": 2, "prediction": "O: 2",
     "result_status": 1},
    {"model": "m", "query": "what", "passage": "q", "judgment": 0, "result_status": 0},
    {"model": "m", "query": "what", "passage": "r", "judgment": 0, "prediction": "so 0 it is"},
    {"model": "m", "query": "what", "passage": "s", "judgment": 0, "prediction": "who knows"},
]  # fmt: skip
DOCCANO = [
    {"text": "t", "query_id": "q1", "doc_id": "d1", "label": ["Good"], "judge": "ann", "seconds": 2,
     "Comments": ["c"]},
    {"text": "t", "meta": {"query_id": "q1", "doc_id": "d2"}, "label": []},
]  # fmt: skip
CANDIDATES = "1\td1\twhat is it\tA passage.\n1\td2\twhat is it\tAnother one.\n"
SPACED = "q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 -1e1 t\n"


def jsonl(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


# Rows without their lines. Of runs: query, document, score, tag; of qrels: query, document, grade;
# of judgments: query, document or passage, judge, decision, grade or label, note.
SAMPLES: list[tuple[str, str, list[Any]]] = [
    ("run:trec", SPACED, [("q1", "d1", 2.5, "t"), ("q1", "d2", -10.0, "t")]),
    ("run:csv", "qid,Doc ID,x,score\nq1,d1,a,2\n", [("q1", "d1", 2.0, None)]),
    ("run:csv", 'tag;rank;doc_id;query_id\nt;2;"d;1";a b\n', [("a%20b", "d;1", -2.0, "t")]),
    ("run:csv", 'query_id\tdoc_id\trank\nq1\t"d\t1\n', [("q1", '"d', -1.0, None)]),
    ("run:csv", ",query_id,doc_id,score\n0,q1,'=d,2\n", [("q1", "=d", 2.0, None)]),
    (
        "run:results",
        "query_id,doc_id,rank,relevant\nq1,d1,1,True\nq1,d2,2,\nq1,d3,,1.0\n",
        [("q1", "d1", -1.0, None), ("q1", "d2", -2.0, None)],
    ),
    ("run:json", '{"q1": {"d1": 0.5},\n "q2": {}}', [("q1", "d1", 0.5, None)]),
    (
        "run:quepid",
        f"{SNAPSHOT}S 1,2020,1,star wars,d1,1,9\nS 1,2020,1,nothing,,,\n",
        [("star wars", "d1", -1.0, "S%201")],
    ),
    (
        "run:quepid",
        DETAILED,
        [("star wars", "d1", -1.0, None), ('"exact" words', "=d2", -1.0, None)],
    ),
    (
        "run:quepid-json",
        json.dumps(QUEPID_SNAPSHOT, indent=1),
        [("star wars", "d2", -1.0, "S%201"), ("star wars", "d1", -2.0, "S%201")],
    ),
    (
        "run:msmarco",
        "1\td1\t1\n1\td2\t2\n1\td3\t3\n",
        [("1", f"d{n}", -float(n), None) for n in (1, 2, 3)],
    ),
    ("qrels:trec", "q1 0 d1 1\nq1 0 d2 -1\n", [("q1", "d1", 1), ("q1", "d2", -1)]),
    ("qrels:beir", "query-id\tcorpus-id\tscore\nq1\t'=d\t2\n", [("q1", "'=d", 2)]),
    ("qrels:csv", "topic,docno,label\nq1,d1,2.0\nq1,d2,\n", [("q1", "d1", 2)]),
    (
        "qrels:results",
        "query_id,doc_id,rank,relevant\nq1,d1,1,True\nq1,d2,2,\nq1,d3,,1.0\n",
        [("q1", "d1", 1), ("q1", "d3", 1)],
    ),
    (
        "qrels:quepid",
        'query,docid,rating\n"star, wars", =d1,3\nnothing,,\nx,d2,\n',
        [("star, wars", "=d1", 3)],
    ),
    (
        "qrels:quepid",
        DETAILED,
        [("star wars", "d1", 3), ('"exact" words', "=d2", 0), ("star wars", "d3", 1)],
    ),
    (
        "qrels:quepid-json",
        json.dumps(QUEPID_CASE, indent=1),
        [("star wars", "d1", 3), ("a b", "d1", 1)],
    ),
    ("qrels:quepid-json", json.dumps(QUEPID_SNAPSHOT), [("star wars", "d1", 3)]),
    (
        "qrels:letor",
        "2 qid:10 1:0.5 #docid = X inc = 1\n0 qid:10 1:3 # y\n",
        [("10", "X", 2), ("10", "y", 0)],
    ),
    (
        "qrels:rre",
        json.dumps(RRE),
        [("star wars", "d1", 3), ("star wars", "d2", 1), ("a b", "d3", 2)],
    ),
    ("qrels:opensearch", json.dumps(OPENSEARCH), [("star wars", "d1", 3)]),
    (
        "qrels:opensearch",
        json.dumps({"hits": {"hits": [{"_source": OPENSEARCH}]}}),
        [("star wars", "d1", 3)],
    ),
    ("qrels:rank-eval", json.dumps(RANK_EVAL), [("q1", "d1", 3)]),
    (
        "qrels:benchmark",
        json.dumps(BENCHMARK),
        [("read a csv", "d1", 2), ("read a csv", "d2", 0), ("x", "d1", 1)],
    ),
    ("qrels:json", '{"q1": {"a b": 1,\n "d2": 0}}', [("q1", "a%20b", 1), ("q1", "d2", 0)]),
    (
        "judgments:judge-tui",
        "query_id,doc_id,judge,decision,grade,note,kind,purpose,seconds\n"
        "q1,d1,ann,grade,2,'=x,human,normal,1.5\nq1,d1,ann,grade,1,,human,repeat,\n"
        "q1,d2,ann,skip,,,,,\nq1,d3,ann,,,only a note,,,\nq1,d4,ann,,,,,,\n",
        [
            ("q1", "d1", "ann", "grade", 2, "=x"),
            ("q1", "d2", "ann", "skip", None, ""),
            ("q1", "d3", "ann", "open", None, "only a note"),
        ],
    ),
    (
        "judgments:judge-tui",
        jsonl({"query_id": "q1", "doc_id": "d1", "judge": "ann", "decision": "grade", "grade": 2}),
        [("q1", "d1", "ann", "grade", 2, "")],
    ),
    (
        "judgments:csv",
        "topic,docno,assessor,rel\nq1,d1,ann,2\nq1,d1,bo,0\nq1,d2,bo,\n",
        [("q1", "d1", "ann", "grade", 2, ""), ("q1", "d1", "bo", "grade", 0, "")],
    ),
    (
        "judgments:quepid-book",
        "query,docid,Ann,Ann,Bo\nstar wars,d1,3,,0\nx,d2,,,\n",
        [
            ("star wars", "d1", "Ann", "grade", 3, ""),
            ("star wars", "d1", "Bo", "grade", 0, ""),
            ("x", "d2", "", "open", None, ""),
        ],
    ),
    (
        "judgments:quepid-book-json",
        json.dumps(BOOK),
        [
            ("star wars", "d1", "ann@x.org", "grade", 3, "why"),
            ("star wars", "d1", "Anonymous", "grade", 1, ""),
            ("star wars", "d1", "Anonymous 2", "grade", 2, ""),
            ("star wars", "d1", "bo@x.org", "cannot", None, ""),
            ("star wars", "d1", "cy@x.org", "skip", None, ""),
            ("star wars", "d2", "", "open", None, ""),
        ],
    ),
    (
        "judgments:hical",
        "USER,TOPIC,DOCID,METHOD,JUDGMENT,TIME_AWAY,TIME_TO_JUDGE\nann,q1,d1,x,2,0.0,1.5\n",
        [("q1", "d1", "ann", "grade", 2, "")],
    ),
    ("judgments:hical", "docno,judgment\nd1,1\n", [("", "d1", "", "grade", 1, "")]),
    (
        "judgments:umbrela",
        jsonl(*UMBRELA),
        [
            ("what", "p", "m", "grade", 2, ""),
            ("what", "q", "", "open", None, ""),
            ("what", "r", "m", "grade", 0, "so 0 it is"),
            ("what", "s", "", "open", None, ""),
        ],
    ),
    (
        "judgments:label-studio",
        json.dumps(LABEL_STUDIO),
        [
            ("q1", "d1", "ann@x.org", "grade", "Relevant", "why"),
            ("q1", "d1", "7", "skip", None, ""),
            ("q1", "d1", "8", "grade", "Good", ""),
            ("q1", "d1", "m", "grade", "3", ""),
            ("what", "a passage", "", "open", None, ""),
        ],
    ),
    (
        "judgments:label-studio",
        json.dumps(LABEL_STUDIO_MIN),
        [("q1", "d1", "1", "grade", "Good", "n"), ("q1", "d2", "1", "grade", "2", "")],
    ),
    (
        "judgments:doccano",
        jsonl(*DOCCANO),
        [("q1", "d1", "ann", "grade", "Good", "c"), ("q1", "d2", "", "open", None, "")],
    ),
    (
        "queries:tsv",
        'q1\t"how" to\nq2\twhat, is\n',
        [Query("q1", '"how" to'), Query("q2", "what, is")],
    ),
    (
        "queries:answers",
        "query,result1,result2\nhow,a.py:2-4:3,b.py\n",
        [Query("q001", "how", own_id=False)],
    ),
    ("queries:answers", '[{"query": "how", "expected": "a"}]', [Query("q001", "how")]),
    ("queries:answers", jsonl({"id": "x", "query": "how", "pattern": "a"}), [Query("x", "how")]),
    ("queries:answers", '[[answers]]\nquery = "how"\npattern = "a"\n', [Query("q001", "how")]),
    (
        "queries:csv",
        "ID;query;class;measures;Owner\nq1;x, y;c;P@1, RR;ann\n",
        [Query("q1", "x, y", query_class="c", meta={"measures": ["P@1", "RR"], "Owner": "ann"})],
    ),
    (
        "queries:csv",
        'query\nhow, to\n"a ""b"""\n',
        [Query("q001", "how, to"), Query("q002", 'a "b"')],
    ),
    (
        "queries:benchmark",
        json.dumps(BENCHMARK),
        [Query("q001", "read a csv", query_class="how-to"), Query("x", "sort")],
    ),
    (
        "queries:jsonl",
        jsonl({"_id": 1, "text": "a", "metadata": {"class": "c", "x": 1}}),
        [Query("1", "a", query_class="c", meta={"x": 1})],
    ),
    (
        "queries:trec",
        "<top>\n<num> Number: 1\n<title> a b\n<desc> Description:\nd\n<narr> Narrative:\nn\n"
        "</top>\n",
        [Query("1", "a b", "d", "n")],
    ),
    (
        "queries:trec-xml",
        '<topics>\n<topic number="1">\n <query>a  b</query>\n <question>d &amp; e</question>\n'
        " <narrative>n\n  o</narrative>\n</topic>\n</topics>\n",
        [Query("1", "a b", "d & e", "n\no")],
    ),
    (
        "queries:trec-xml",
        "<topics><topic><number>101</number><title>T</title><description>\nd\n</description>"
        '</topic>\n<topic number="2" type="t">  a man\n  of 45\n</topic></topics>',
        [Query("101", "T", "d"), Query("2", "a man of 45", meta={"type": "t"})],
    ),
    ("queries:msmarco-top1000", CANDIDATES, [Query("1", "what is it")]),
    (
        "queries:quepid",
        "query,information_need,notes\nstar  wars,the film,n\n",
        [Query("q001", "star wars", "n", "the film")],
    ),
    (
        "queries:quepid",
        DETAILED,
        [
            Query(f"q00{place}", text)
            for place, text in enumerate(("star wars", '"exact" words', "nothing"), 1)
        ],
    ),
    (
        "queries:quepid-json",
        json.dumps(QUEPID_CASE),
        [
            Query("q001", "star wars", "n", "the film"),
            Query("q002", "a b"),
            Query("q003", "nothing"),
        ],
    ),
    (
        "queries:quepid-json",
        json.dumps(QUEPID_SNAPSHOT),
        [Query("q001", "star wars"), Query("q002", "nothing")],
    ),
    (
        "queries:quepid-book-json",
        json.dumps(BOOK),
        [Query("q001", "star wars", "", "the film")],
    ),
    (
        "queries:rre",
        json.dumps(RRE),
        [
            Query(f"q00{place}", text)
            for place, text in enumerate(("star wars", "a b", "nothing"), 1)
        ],
    ),
    (
        "queries:opensearch",
        json.dumps(OPENSEARCH),
        [Query("q001", "star wars"), Query("q002", "nothing")],
    ),
    ("queries:rank-eval", json.dumps(RANK_EVAL), [Query("q1", "star wars"), Query("q2", "q2")]),
    (
        "documents:benchmark",
        json.dumps(BENCHMARK),
        [Document("d1", text="t1", kind="guide"), Document("d2", text="t2")],
    ),
    (
        "documents:jsonl",
        jsonl({"_id": "d1", "title": "T", "text": "a", "metadata": {"url": "u", "y": 1}}),
        [Document("d1", "T", "a", "u", meta={"y": 1})],
    ),
    (
        "documents:csv",
        'doc_id,title,body,year\nd1,T,"a\nb",1999\n',
        [Document("d1", "T", "a\nb", meta={"year": "1999"})],
    ),
    (
        "documents:tsv",
        "d1\tT\ta b\nd2\tU\tc\n",
        [Document("d1", "T", "a b"), Document("d2", "U", "c")],
    ),
    (
        "documents:trec",
        "<DOC>\n<DOCNO> d1 </DOCNO>\n<TITLE>T</TITLE>\n<TEXT>\na\n</TEXT>\n</DOC>\n",
        [Document("d1", "T", "a")],
    ),
    (
        "documents:msmarco-docs",
        "d1\thttp://x\tT\ta b\n",
        [Document("d1", "T", "a b", "http://x")],
    ),
    ("documents:quepid-book-json", json.dumps(BOOK), [Document("d1", "T", "tags: a, b")]),
    (
        "documents:msmarco-top1000",
        CANDIDATES,
        [Document("d1", text="A passage."), Document("d2", text="Another one.")],
    ),
]


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
