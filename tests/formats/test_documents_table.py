"""Documents in a spreadsheet: which tables are taken for them, and what of a row goes where."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.errors import InputError
from judge_tui.formats import iter_documents, recognise
from judge_tui.formats.sieve import Sieve
from judge_tui.model import Document


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "given"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("doc_id,text\na,b\n", Document("a", text="b")),
        ("id;Title;body\r\na;t;b\r\n", Document("a", "t", "b")),
        (",docno,text\n0,a,b\n", Document("a", text="b")),
        ('_id\ttitle\ttext\na\tt\t"two\nlines"\n', Document("a", "t", "two\nlines")),
        ("id,price,url,text\na b,3,u,\n", Document("a%20b", url="u", meta={"price": "3"})),
        ("content,kind,doc-id\nc,k,00\n", Document("00", text="c", kind="k")),
    ],
)
def test_a_row_is_a_document(file: Path, content: str, expected: Document) -> None:
    file.write_text(content, encoding="utf-8", newline="")
    assert recognise(file) == ("documents", "csv")
    assert [document for _, document in iter_documents(file)] == [expected]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        *(
            (f"doc_id,title,text,{name}\na,t,b,7\n", Document("a", "t", "b", meta={name: "7"}))
            for name in ("score", "rank", "grade", "label", "query", "query_id", "topic")
        ),
        ("doc_id,date\na,2020\n", Document("a", meta={"date": "2020"})),
        ("doc_id\tdate\na\t2020\n", Document("a", meta={"date": "2020"})),
        ("docno\ttext\tscore\na\tb\t7\n", Document("a", text="b", meta={"score": "7"})),
        ("doc_id,score\na,7\n", Document("a", meta={"score": "7"})),
        ("id,title,topic\na,t,x\n", Document("a", "t", meta={"topic": "x"})),
    ],
)
def test_where_documents_are_asked_for_a_table_with_their_ids_is_one(
    file: Path, content: str, expected: Document
) -> None:
    file.write_text(content)
    assert [document for _, document in iter_documents(file)] == [expected]


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        ("doc_id,text\na,b,c\n", 2, "3 cells, but the header has 2; put a cell that holds the"),
        ("doc_id,text\n,b\n", 2, "the row has no document id; give each row a document id"),
        ("doc_id,text\na,b\na,c\n", 3, "document id 'a' is already on line 2"),
        ("doc_id,text,Text\na,b,c\n", 1, "columns 2 and 3 are both called 'text'; rename or"),
    ],
)
def test_faults_are_named(file: Path, content: str, line: int, expected: str) -> None:
    file.write_text(content)
    with pytest.raises(InputError) as error:
        list(iter_documents(file))
    assert str(error.value).startswith(f"{file}:{line}: {expected}")


@pytest.mark.parametrize(
    ("content", "kind", "name"),
    [
        ("query_id,doc_id,score,text\nq,d,1,t\n", "run", "csv"),
        ("query,docid,rating,title\nq,d,1,t\n", "qrels", "quepid"),
        ("query,text,id\nq,t,1\n", "queries", "csv"),
        ("d1\ttext of it\nd2\tmore\n", "queries", "tsv"),
        ("doc_id\tdate\na\t2020\n", "documents", "csv"),
    ],
)
def test_a_table_of_something_else_stays_that(
    file: Path, content: str, kind: str, name: str
) -> None:
    file.write_text(content)
    assert recognise(file) == (kind, name)


def _sieve(doc_id: str) -> Sieve:
    return Sieve([doc_id], count=1, told=lambda _: None)


def test_no_wanted_document_is_missed(file: Path) -> None:
    file.write_text('doc_id,text\na,"x\nb,y"\nb,z\n')
    found = [document.doc_id for _, document in iter_documents(file, sieve=_sieve("b"))]
    assert "b" in found
