"""What a file is, told by its content, and all that is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.check import check_file, files_to_check
from judge_tui.formats.recognition import Recognised, format_for, recognise
from judge_tui.formats.registry import CALLED, FORMATS, Kind, names_of
from judge_tui.formats.rows import iter_documents
from judge_tui.formats.source import open_source
from judge_tui.formats.whole_files import read_qrels, read_queries, read_run

RUN = "q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\n"
QRELS = "q1 0 d1 1\nq1 0 d2 0\n"
QUERIES = "q1\thow to read\nq2\twhat is 3\n"
LONG = "word " * 100


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "given"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (RUN, "run:trec"),
        ("q1 Q0 d1 1 2.5\n", "run:trec"),
        (RUN + "a bad line\n", "run:trec"),
        (QRELS, "qrels:trec"),
        (QRELS.replace(" ", "\t"), "qrels:trec"),
        (QUERIES, "queries:tsv"),
        ("12\tpython in 3\n", "queries:tsv"),
        ('{"query_id": "q1", "text": "a"}\n', "queries:jsonl"),
        ('{"id": "q1", "text": "a", "narrative": "' + LONG + '"}\n', "queries:jsonl"),
        ('{"_id": "q1", "text": "a", "metadata": {}}\n', "queries:jsonl"),
        ("\n<top>\n<num> Number: 1\n<title> a\n", "queries:trec"),
        ('{"doc_id": "d1"}\n', "documents:jsonl"),
        ('{"_id": "d1", "title": "", "text": "a"}\n', "documents:jsonl"),
        ('{"id": "d1", "text": "' + LONG + '"}\n', "documents:jsonl"),
        ('{"doc_id": "d1", "class": "x"}\n', "documents:jsonl"),
        ("1\td1\t1\n1\td2\t2\n2\td1\t1\n", "run:msmarco"),
        ("d1\ttitle\ttext\n", "documents:tsv"),
        (f"d1\t{LONG}\n", "documents:tsv"),
        ("<DOC>\n<DOCNO>1</DOCNO>\n</DOC>\n", "documents:trec"),
        ("query_id,doc_id,score\nq,d,1\n", "run:csv"),
        ("score;QID;docno\n1;q;d\n", "run:csv"),
        (",query_id,doc_id,rank,text\n0,q,d,1,a\n", "run:csv"),
        ("query_id\tQ0\tdoc_id\trank\tscore\ttag\nq\t0\td\t1\t1\tt\n", "run:csv"),
        ("query_id,doc_id,relevance\nq,d,1\n", "qrels:csv"),
        ("query_id\titer\tdoc_id\trelevance\nq\t0\td\t1\n", "qrels:csv"),
        ("query-id\tcorpus-id\tscore\nq\td\t1\n", "qrels:beir"),
        ('"query_id","doc_id","rank","relevant"\n"q","d",1,1.0\n', "run:results"),
        ('{"q1": {"d1": 1, "d2": 0}}\n', "qrels:json"),
        ('{"q1": {"d1": 0.5, "d2": 0}}\n', "run:json"),
        ('{"q1": {"d1": 100}}\n', "run:json"),
        ('{\n  "q1": {\n    "d1": 2\n  },\n  "q2": {}\n}\n', "qrels:json"),
        ('{"q1": {"' + LONG + '": 0.5}, "q2": {"d1": 1}}\n', "run:json"),
        ("query,docid,rating\nread files,d1,3\nnothing,,", "qrels:quepid"),
        (
            "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating,score\r\n"
            "T,C,1,read,d1,1,a title,3,0.5\r\n",
            "qrels:quepid",
        ),
        (
            "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\r\n"
            "S,2020,1,read,d1,1\r\n",
            "run:quepid",
        ),
        ("query,docid,Ann Smith\nread files,d1,3\n", "judgments:quepid-book"),
        ("query,information_need\nread files,of a line each\n", "queries:quepid"),
        ("query_id,query,information_need\n12,read files,of a line each\n", "queries:quepid"),
        ("query_id\tquery\tinformation_need\n12\tread files\t\n", "queries:quepid"),
        ("query_id,query_text,information_need\n12,read files,\n", "queries:quepid"),
        ("information_need;query\nof a line each;read files\n", "queries:quepid"),
        ('{"name": "b", "query_doc_pairs": []}\n', "judgments:quepid-book-json"),
        (
            '{"index": "i", "queries": [{"placeholders": {"$query": "a"}}]}\n',
            "qrels:rre",
        ),
        ('{"judgmentRatings": [{"query": "a", "ratings": []}]}\n', "qrels:opensearch"),
        ('{\n"requests": [{"id": "a", "ratings": [{"_id": "d"}]}]}\n', "qrels:rank-eval"),
        ('{"metadata": {"year": 1999}, "_id": "d1", "title": ""}\n', "documents:jsonl"),
        (
            '{"m": {"y": 1}, "id": 1, "text": ""}\n{"m": {"y": 2}, "id": 2, "text": ""}\n',
            "queries:jsonl",
        ),
    ],
)
def test_files_are_told_by_their_content(file: Path, content: str, expected: str) -> None:
    for before in ("", "\ufeff", "\r\n\n"):
        file.write_text(before + content, encoding="utf-8")
        assert ":".join(recognise(file)) == expected


def test_a_folder_is_documents(tmp_path: Path) -> None:
    assert recognise(tmp_path) == ("documents", "folder")


def test_a_line_longer_than_what_is_looked_at_is_told(file: Path) -> None:
    file.write_text('{"doc_id": "d1", "text": "' + "x" * 200_000 + '"}\n')
    assert recognise(file) == ("documents", "jsonl")
    assert [len(document.text) for _, document in iter_documents(file)] == [200_000]


def test_blank_lines_may_come_first_for_as_long_as_they_like(file: Path) -> None:
    file.write_text("\n" * 100_000 + QRELS)
    assert read_qrels(file) == {"q1": {"d1": 1, "d2": 0}}


@pytest.mark.parametrize(
    ("kind", "content", "like"),
    [
        ("run", QRELS, "looks like qrels (query_id 0 doc_id grade)"),
        ("qrels", RUN, "looks like a run (query_id Q0 doc_id rank score tag)"),
        ("run", QUERIES, "looks like a queries file (id<TAB>text)"),
        ("queries", RUN, "looks like a run"),
        ("queries", QRELS, "looks like qrels"),
        ("queries", "<DOC>\n</DOC>\n", "looks like a documents file"),
        (
            "run",
            "query_id,text,rank\nq,d,1\n",
            "is a table with the columns 'query_id', 'text', 'rank'",
        ),
        ("run", "query-id\tcorpus-id\tscore\nq\td\t1\n", "looks like qrels (TSV"),
        ("qrels", "query_id,doc_id,score\nq,d,1\n", "looks like a run (CSV"),
        ("run", "query_id,doc_id,grade\nq,d,1\n", "looks like qrels (CSV"),
        ("qrels", "query_id,doc_id,judge,decision,grade\nq,d,a,grade,1\n", "looks like judgments"),
        ("qrels", "q\td\t3\nq\te\t1\n", "is 3 columns between tabs, and no header"),
        ("documents", "qid;query\nq;how\n", "looks like a queries file (a table query_id,query"),
        ("queries", '{"_id": "d1", "title": "T", "text": "How"}\n', "looks like a documents file"),
        ("documents", '{"_id": "q1", "text": "how", "class": "x"}\n', "looks like a queries file"),
        (
            "documents",
            '{"text": "x", "query_id": "q", "doc_id": "d", "label": ["2"]}\n',
            "looks like judgments",
        ),
        ("queries", '[\n{"id": 1}\n]\n', "is a JSON array with the names 'id'"),
        ("queries", '{"x": 1}\n', "is JSON with the names 'x'"),
        (
            "qrels",
            "task,arm,passed\nt,a,1\n",
            "is a table with the columns 'task', 'arm', 'passed'",
        ),
    ],
)
def test_a_file_of_another_kind_gets_one_message_that_says_so(
    file: Path, kind: Kind, content: str, like: str
) -> None:
    file.write_text(content)
    (problem,) = check_file(file, format=kind)
    assert str(problem).startswith(f"{file}:1: this {like}")
    assert f", not {CALLED[kind]}; give" in str(problem)


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ('{"_id": "1", "text": "a"}', {"queries", "documents"}),
        ('{"_id": "1", "title": "", "text": "a"}', {"queries", "documents"}),
        ('{"_id": "1", "text": "a", "metadata": {"url": "u", "class": "x"}}',
         {"queries", "documents"}),
        ('{"_id": "1", "text": "' + LONG + '"}', {"queries", "documents"}),
        ('{"_id": "1", "text": "a", "title": "t"}', {"documents"}),
        ('{"_id": "1", "text": "a", "url": "u"}', {"documents"}),
        ('{"doc_id": "1", "text": "a", "class": "x"}', {"documents"}),
        ('{"_id": "1", "text": "a", "title": "t", "description": "d"}', {"queries", "documents"}),
        ('{"_id": "1", "text": "' + LONG + '", "description": "d"}', {"queries", "documents"}),
        ('{"_id": "1", "text": "a", "narrative": "n"}', {"queries"}),
        ('{"query_id": "1", "text": "a", "title": "t"}', {"queries"}),
    ],
)  # fmt: skip
def test_records_are_read_as_queries_or_documents_unless_their_keys_are_of_the_others_alone(
    file: Path, line: str, kinds: set[str]
) -> None:
    file.write_text(f"{line}\n")
    assert {kind for kind in ("queries", "documents") if not check_file(file, format=kind)} == kinds
    assert recognise(file).kind in kinds


def test_check_finds_nothing_wrong_with_good_files(file: Path) -> None:
    for content in (RUN, QRELS, QUERIES, '{"doc_id": "d1"}\n', "<DOC><DOCNO>1</DOCNO></DOC>\n"):
        file.write_text(content)
        assert check_file(file) == []


def test_check_lists_every_problem_with_its_line(file: Path) -> None:
    lines = [f"q1 Q0 d{i} 1 2.5 t" for i in range(60)]
    lines[10] = "q1 Q0 d10 1 x t"
    lines[20] = "q1 Q0 d3 1 1 t"
    lines[30] = "q1 Q0"
    lines[40] = "q1 Q0 d40 1 1 u"
    lines += ["bad"] * 30
    file.write_text("\n".join(lines))
    found = check_file(file)
    assert [problem.line for problem in found] == [11, 21, 31, 41, *range(61, 91)]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("some prose\nand more\n", ":1: this is text that begins with 'some prose', not anything"),
        ('[{"id": 1}]\n', ":1: this is a JSON array with the names 'id', not anything known"),
        ('[[system]]\nname = "a"\n', ":1: this is TOML with the names 'name', 'system'"),
        ("question,answer\nx,a.py\n", ":1: this is a table with the columns 'question', 'answer'"),
        ("", ": the file is empty"),
        (" \n", ": the file holds only blank lines"),
    ],
)
def test_check_says_what_cannot_be_recognised(file: Path, content: str, what: str) -> None:
    file.write_text(content)
    (problem,) = check_file(file)
    assert str(problem).startswith(f"{file}{what}")


def test_check_takes_a_kind_a_format_or_both(file: Path, tmp_path: Path) -> None:
    file.write_text("q1\ttext\n")
    for form in (None, "queries", "documents", "tsv", "queries:tsv", "documents:tsv"):
        assert check_file(file, format=form) == []
    for form in ("run", "run:trec", "qrels", "jsonl", "documents:jsonl", "trec", "folder", "csv"):
        assert len(check_file(file, format=form)) == 1
    for form in ("lines", "runs", "run:tsv", "queries:folder", ""):
        with pytest.raises(
            UsageError, match=r"is no format; use a kind \(run, qrels, queries, doc"
        ):
            check_file(file, format=form)
    for form in (None, "documents", "folder", "documents:folder"):
        assert check_file(tmp_path, format=form) == []
    (problem,) = check_file(tmp_path, format="run")
    assert "this is a directory" in str(problem)


def test_check_finds_every_problem_in_every_format(file: Path) -> None:
    for content, lines in (
        ("query_id,doc_id,score\nq,a,x\nq,b,1\nq,b,1\n,c,1\nq,d\n", [2, 4, 5, 6]),
        ("query_id,doc_id,score,grade\nq,a,x,1\nq,b,1,x\n", [2, 3]),
        ("query-id\tcorpus-id\tscore\nq\ta\t1.5\nq\tb\t1\nq\tb\t1\n", [2, 4]),
        ('{"q": {\n"a": 0.5,\n"b": null,\n"c": [1]}}', [3, 4]),
    ):
        file.write_text(content)
        assert [problem.line for problem in check_file(file)] == lines


def test_check_says_as_what_it_read_a_file(file: Path, tmp_path: Path) -> None:
    read_as: list[Recognised] = []
    for content, form in (
        (RUN, None),
        ('{"q": {"d": 1}}', None),
        ('{"q": {"d": 1}}', "run"),
        ("query_id,doc_id,score,grade\nq,d,1,1\n", "qrels"),
        ("query_id,doc_id,score,grade\nq,d,1,1\n", "csv"),
    ):
        file.write_text(content)
        assert check_file(file, format=form, taken=read_as.append) == []
    check_file(tmp_path, taken=read_as.append)
    assert [":".join(how) for how in read_as] == [
        "run:trec",
        "qrels:json",
        "run:json",
        "qrels:results",
        "run:csv",
        "documents:folder",
    ]


def test_a_folder_is_checked_as_documents_or_file_by_file(tmp_path: Path) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    (folder / "b.txt").write_text("a document\n")
    assert files_to_check(str(folder)) == [str(folder)]
    (folder / "a.run").write_text(RUN)
    both = [str(folder / "a.run"), str(folder / "b.txt")]
    for form in (None, "run", "qrels:trec", "documents:tsv", "trec"):
        assert files_to_check(str(folder), format=form) == both
    for form in ("documents", "folder", "documents:folder"):
        assert files_to_check(str(folder), format=form) == [str(folder)]
    assert files_to_check(str(folder / "*.run")) == both[:1]
    (folder / "a.qrels.provenance.json").write_text("{}\n")
    assert files_to_check(str(folder)) == both
    assert files_to_check("-") == ["-"]


def test_check_reads_the_ids_from_a_checkout(file: Path, tmp_path: Path) -> None:
    root = tmp_path / "checkout"
    root.mkdir()
    (root / "a.py").write_text("1\n2\n")
    file.write_text("q1 Q0 a.py:1-2 1 9 t\nq2 Q0 a.py:2-3 1 9 t\nq3 Q0 a.py:2-3 1 9 t\n")
    (problem,) = check_file(file, root=root)
    assert str(problem).startswith(f"{file}:2: 'a.py' has 2 lines, not 3; is {root} the checkout")
    (root / "my file").write_text("1\n")
    file.write_text("q1 0 my%20file:1-1 1\n")
    assert check_file(file, root=root) == []
    file.write_text('{"doc_id": "a.py"}\n{"doc_id": "b.py"}\n')
    (problem,) = check_file(file, root=root)
    assert str(problem).startswith(f"{file}:2: 'b.py' is not there; ")
    (problem,) = check_file(file, root=tmp_path / "none")
    assert str(problem).startswith(f"{tmp_path / 'none'}: there is no such folder")
    file.write_text(QUERIES)
    assert check_file(file, root=root) == []


def test_every_format_is_registered_under_a_name_of_its_own() -> None:
    names = [(known.kind, known.name) for known in FORMATS]
    assert len(set(names)) == len(names)
    assert {name for kind, name in names if kind == "run"} == set(names_of("run"))
    # The most usual is what a file is diagnosed as that looks like none.
    assert names_of("run")[0] == names_of("qrels")[0] == "trec"
    assert set(names_of("documents")) - {name for _, name in names} == {"folder"}


ENDLESS = "manual page. " * 12_000
TASK = {
    "data": {"query_id": "q1", "text": ENDLESS, "doc_id": "d"},
    "annotations": [{"completed_by": 1, "result": [{"type": "rating", "value": {"rating": 3}}]}],
}
MANY = {f"field {number}": "x" for number in range(200)}
AFTER_A_ENDLESS_VALUE: dict[str, object] = {
    "judgments:label-studio": [TASK],
    "judgments:label-studio JSON-MIN": [
        {
            "id": 0,
            "text": ENDLESS,
            **MANY,
            "query_id": "q1",
            "doc_id": "d",
            "annotator": 1,
            "grade": 2,
        }
    ],
    "judgments:quepid-book-json": {"name": ENDLESS, "query_doc_pairs": []},
    "qrels:opensearch": {
        "metadata": {"x": ENDLESS},
        "judgmentRatings": [{"query": "q", "ratings": []}],
    },
    "qrels:rank-eval": {
        "templates": [{"id": "t", "template": {"source": ENDLESS, **MANY}}],
        "requests": [{"id": "q1", "ratings": [{"_id": "d", "rating": 1}]}],
    },
    "qrels:rre": {
        "template": ENDLESS,
        "queries": [{"placeholders": {"$query": "q"}, "relevant_documents": {"1": ["d"]}}],
    },
    "run:quepid-json": {"docs": {"7": [{"id": "d", "explain": ENDLESS}]}, "queries": []},
    "qrels:quepid-json": {"name": ENDLESS, "queries": [{"query": "q", "ratings": {"d": 1}}]},
}


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("expected", AFTER_A_ENDLESS_VALUE)
def test_a_long_value_hides_nothing(file: Path, expected: str, indent: int | None) -> None:
    file.write_text(json.dumps(AFTER_A_ENDLESS_VALUE[expected], indent=indent))
    assert ":".join(recognise(file)) == expected.partition(" ")[0]


@pytest.mark.parametrize(
    "text", ["short", ENDLESS, 'a "quote" and a \\ ' * 9_000, "naïve " * 20_000]
)
@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ({"label": ["2"], "query_id": "q1", "doc_id": "d"}, "judgments:doccano"),
        ({"label": [], "query_id": "q1", "doc_id": "d"}, "judgments:doccano"),
        ({"doc_id": "d", "url": "u"}, "documents:jsonl"),
    ],
)
def test_json_lines_are_told_whatever_their_length(
    file: Path, text: str, rest: dict[str, object], expected: str
) -> None:
    file.write_text("".join(json.dumps({"text": text, **rest}) + "\n" for _ in range(3)))
    assert ":".join(recognise(file)) == expected
    if expected == "judgments:doccano":
        with pytest.raises(InputError, match="this looks like judgments of several judges"):
            list(iter_documents(file))


def test_a_format_that_is_named_is_obeyed(file: Path) -> None:
    file.write_text('{"text": "x", "query_id": "q1", "doc_id": "d", "label": ["2"]}\n')
    assert [doc.doc_id for _, doc in iter_documents(file, format="jsonl")] == ["d"]
    assert check_file(file, format="documents:jsonl") == []
    file.write_text("query_id,doc_id,score\nq,d,1\n")
    with pytest.raises(InputError, match=r":1: 1 field"):
        read_run(file, format="trec")
    file.write_text("q1\t0 d1 1\n")
    (query,) = read_queries(file, format="tsv")
    assert (query.query_id, query.text) == ("q1", "0 d1 1")


def test_only_what_tells_the_format_is_read_of_a_long_file(file: Path) -> None:
    lines = [
        json.dumps({"doc_id": f"d{number}", "text": "word " * 2_000}) for number in range(2_000)
    ]
    file.write_text("\n".join(lines) + "\n")
    with open_source(file) as source:
        assert format_for(source, "documents", None).name == "jsonl"
        assert len(source.head) <= 1 << 20
        assert [raw.decode() for _, raw in source.lines()] == lines
