"""What else is told by the content of a file, and what `check` takes and says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.check import check_file, files_to_check
from judge_tui.formats.recognition import Recognised, format_for, recognise
from judge_tui.formats.registry import FORMATS, names_of
from judge_tui.formats.rows import iter_documents
from judge_tui.formats.source import open_source
from judge_tui.formats.whole_files import read_qrels, read_queries, read_run

RUN = "q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\n"
QRELS = "q1 0 d1 1\nq1 0 d2 0\n"
QUERIES = "q1\thow to read\nq2\twhat is 3\n"
LONG = "word " * 100
DEMAND = '"query": "a", "prefer": {"better": "x", "worse": "y"}'
DEMANDING = f'{{"query_id": "q1", {DEMAND}}}\n'
PLAIN = '{"query_id": "q2", "query": "b", "class": "lookup"}\n'
RIGHT = '{"query_id": "q3", "query": "c", "expected": "d"}\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file"


# What the samples do not show.
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("q1 Q0 d1 1 2.5\n", "run:trec"),
        (RUN + "a bad line\n", "run:trec"),
        ("q0\tQ0\td1\t1\t2.5\ttag\n", "run:trec"),
        ("q1 Q0 d1 1 2.5 my own tag\nq1 Q0 d2 2 1.5 my\n", "run:trec"),
        (f"# {QRELS}{RUN}", "run:trec"),
        (QRELS.replace(" ", "\t"), "qrels:trec"),
        ("1 0 11 3.0\n\n1 0 1895 0.0\n", "qrels:trec"),
        (f'{{"id": "q1", "text": "a", "narrative": "{LONG}"}}\n', "queries:jsonl"),
        ('{"m": {"y": 1}, "id": 1, "text": ""}\n' * 2, "queries:jsonl"),
        ('{"_id": "d1", "title": "", "text": "a"}\n', "documents:jsonl"),
        (f'{{"id": "d1", "text": "{LONG}"}}\n', "documents:jsonl"),
        ('{"doc_id": "d1", "class": "x"}\n', "documents:jsonl"),
        ('{"metadata": {"year": 1999}, "_id": "d1", "title": ""}\n', "documents:jsonl"),
        (f"d1\t{LONG}\n", "documents:tsv"),
        ("score;QID;docno\n1;q;d\n", "run:csv"),
        (",query_id,doc_id,rank,text\n0,q,d,1,a\n", "run:csv"),
        ("query_id\tQ0\tdoc_id\trank\tscore\ttag\nq\t0\td\t1\t1\tt\n", "run:csv"),
        ('{"q1": {"d1": 100}}\n', "run:json"),
        ('{\n  "q1": {\n    "d1": 2\n  },\n  "q2": {}\n}\n', "qrels:json"),
        (f'{{"q1": {{"{LONG}": 0.5}}, "q2": {{"d1": 1}}}}\n', "run:json"),
        ("information_need;query\nof a line each;read files\n", "queries:csv"),
        (DEMANDING + PLAIN, "queries:jsonl"),
        # Where every query says what is to come, it may be scored by that alone; what is right
        # stands nowhere but in answers: in one line none is a mistake.
        (DEMANDING, "queries:answers"),
        (DEMANDING + RIGHT, "queries:answers"),
        (PLAIN + RIGHT, "queries:answers"),
        (DEMANDING + PLAIN + RIGHT, "queries:answers"),
    ],
)
def test_files_are_told_by_their_content(file: Path, content: str, expected: str) -> None:
    file.write_text(content, encoding="utf-8")
    assert ":".join(recognise(file)) == expected


@pytest.mark.parametrize(
    ("fields", "kinds"),
    [
        ('"text": "a"', "queries documents"),
        ('"text": "a", "metadata": {"url": "u", "class": "x"}', "queries documents"),
        (f'"text": "{LONG}"', "queries documents"),
        ('"text": "a", "title": "t"', "documents"),
        ('"text": "a", "url": "u"', "documents"),
        ('"doc_id": "1", "text": "a", "class": "x"', "documents"),
        ('"text": "a", "title": "t", "description": "d"', "queries documents"),
        (f'"text": "{LONG}", "description": "d"', "queries"),
        ('"text": "a", "narrative": "n"', "queries"),
        ('"query_id": "1", "text": "a", "title": "t"', "queries"),
    ],
)
def test_records_are_read_as_queries_or_documents_unless_their_keys_are_of_the_others_alone(
    file: Path, fields: str, kinds: str
) -> None:
    file.write_text(f'{{"_id": "1", {fields}}}\n')
    read = [kind for kind in ("queries", "documents") if not check_file(file, format=kind)]
    assert read == kinds.split()
    assert recognise(file).kind in read


def test_only_what_tells_the_format_is_read_of_a_long_file(file: Path) -> None:
    lines = [json.dumps({"doc_id": f"d{number}", "text": "word " * 2_000}) for number in range(200)]
    file.write_text("\n".join([*lines, ""]))
    with open_source(file) as source:
        assert format_for(source, "documents").name == "jsonl"
        assert len(source.head) <= 1 << 20
        assert [raw.decode() for _, raw in source.lines()] == lines
    file.write_text('{"doc_id": "d1", "text": "' + "x" * 200_000 + '"}\n')
    assert recognise(file) == ("documents", "jsonl")
    assert [len(document.text) for _, document in iter_documents(file)] == [200_000]
    file.write_text("\n" * 100_000 + QRELS)
    assert read_qrels(file) == {"q1": {"d1": 1, "d2": 0}}


def test_a_format_that_is_named_is_obeyed(file: Path) -> None:
    file.write_text('{"text": "x", "query_id": "q1", "doc_id": "d", "label": ["2"]}\n')
    assert [doc.doc_id for _, doc in iter_documents(file, format="jsonl")] == ["d"]
    assert check_file(file, format="documents:jsonl") == []
    file.write_text("query_id,doc_id,score\nq,d,1\n")
    with pytest.raises(InputError, match=r":1: 1 field"):
        read_run(file, format="trec")
    file.write_text("q1\t0 d1 1\n{q2}\ttext\n")
    found = [(query.query_id, query.text) for query in read_queries(file, format="tsv")]
    assert found == [("q1", "0 d1 1"), ("{q2}", "text")]
    with pytest.raises(InputError, match=r":1: not valid JSON: "):
        read_queries(file, format="jsonl")
    for read in (read_run, read_qrels):
        with pytest.raises(UsageError, match=r"'tsv' is not a format of .*; use trec or "):
            read(file, format="tsv")


def test_check_takes_a_kind_a_format_or_both(file: Path, tmp_path: Path) -> None:
    file.write_text("q1\ttext\n")
    for form in (None, "queries", "documents", "tsv", "queries:tsv", "documents:tsv"):
        assert check_file(file, format=form) == []
    for form in ("run", "run:trec", "qrels", "jsonl", "documents:jsonl", "trec", "folder", "csv"):
        assert len(check_file(file, format=form)) == 1
    for form in ("lines", "runs", "run:tsv", "queries:folder", ""):
        with pytest.raises(
            UsageError, match=r"is not a format; use a kind \(run, qrels, queries, doc"
        ):
            check_file(file, format=form)
    for form in (None, "documents", "folder", "documents:folder"):
        assert check_file(tmp_path, format=form) == []
    (problem,) = check_file(tmp_path, format="run")
    assert "this is a directory" in str(problem)


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
    assert " ".join(":".join(how) for how in read_as) == (
        "run:trec qrels:json run:json qrels:results run:csv documents:folder"
    )


def test_a_folder_is_checked_as_documents_or_file_by_file(tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.mkdir()
    (folder / "b.txt").write_text("a document\n")
    assert files_to_check(str(folder)) == [str(folder)]
    assert recognise(folder) == ("documents", "folder")
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
    assert str(problem).startswith(
        f"{file}:2: 'a.py' has 2 lines, not 3; check that {root} is the right"
    )
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


def test_the_most_usual_format_of_a_kind_is_the_first() -> None:
    # It is the one that a file is diagnosed as that looks like none.
    assert names_of("run")[0] == names_of("qrels")[0] == "trec"
    names = [(known.kind, known.name) for known in FORMATS]
    assert set(names_of("documents")) - {name for _, name in names} == {"folder"}
