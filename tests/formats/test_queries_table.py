"""Queries in a spreadsheet: which tables are taken for them, and what of a row goes where."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats import read_queries, recognise
from judge_tui.formats.queries_and_documents import queries_for_campaign
from judge_tui.model import Query

_LIST: list[Query | str] = ['"exact"', '"exact" or not', "a, b", '12" disk']


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "given"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("query_id,query\na,how to sort\n", [Query("a", "how to sort")]),
        ("qid\tQuery\n7\thow to sort\n", [Query("7", "how to sort")]),
        ("query-id,text\na,b\n", [Query("a", "b")]),
        ("query\nfirst, and more; yes\n\n   \nsecond\n", ["first, and more; yes", "second"]),
        ('"query"\n"say ""this"", please"\n', ['say "this", please']),
        ("query,class\na,\n,\nb,x\n", [Query("q001", "a"), Query("q002", "b", query_class="x")]),
        (
            "url,query,narrative,Description,Subset,\nu,a,n,d,hard,\n",
            [Query("q001", "a", "d", "n", meta={"url": "u", "subset": "hard"})],
        ),
        ("query_text,text\na,of a page\n", [Query("q001", "a", meta={"text": "of a page"})]),
        (",query,\n0,a,\n,,\n1,b,\n", ["a", "b"]),
        ('query,narrative\na,"b\r\nc"\n', [Query("q001", "a", narrative="b\nc")]),
        ('query\n"exact"\n"exact" or not\n"a, b"\n12" disk\n', _LIST),
        # Between tabs, as people type it or Sheets writes it, and programs that quote at need.
        ('query_id\tquery\n1\t"exact"\n2\tb\n', [Query("1", '"exact"'), Query("2", "b")]),
        ('query\tclass\n"exact" or not\tc\n', [Query("q001", '"exact" or not', query_class="c")]),
        (
            'query\tclass\r\n"a ""b"""\tc\r\n"a, b"\t\r\n"a\tb\nc"\t""\r\n',
            [Query("q001", 'a "b"', query_class="c"), "a, b", "a\tb\nc"],
        ),
        # As those do that put quotes around all, or around all texts.
        ('"qid"\t"query"\n"1"\t"exact"\n', [Query("1", "exact")]),
        ('"qid"\tquery\n1\t"exact"\n', [Query("1", "exact")]),
        ('qid\tquery\tage\n"a"\t"exact"\t5\n', [Query("a", "exact", meta={"age": "5"})]),
        ('query,class\n"exact",c\n', [Query("q001", "exact", query_class="c")]),
        (
            'query,measures\na,"RR, P@1"\nb,P@5;P@10\n',
            [
                Query("q001", "a", meta={"measures": ["RR", "P@1"]}),
                Query("q002", "b", meta={"measures": ["P@5", "P@10"]}),
            ],
        ),
    ],
)
def test_a_row_is_a_query(file: Path, content: str, expected: list[Query | str]) -> None:
    file.write_text(content, encoding="utf-8", newline="")
    assert recognise(file) == ("queries", "csv")
    whole = [
        Query(f"q{number:03}", each) if isinstance(each, str) else each
        for number, each in enumerate(expected, 1)
    ]
    assert read_queries(file) == whole


def test_only_ids_of_the_file_are_its_own(file: Path) -> None:
    file.write_text("query\na\n")
    (without,) = read_queries(file)
    file.write_text("id,query\nq001,a\n")
    (with_id,) = read_queries(file)
    assert (without.own_id, with_id.own_id) == (False, True)


def test_columns_that_become_metadata_are_told(file: Path) -> None:
    file.write_text("query,url,subset,owner\na,u,hard,me\n")
    _, _, notes = queries_for_campaign(file)
    assert notes == ["columns 'url', 'owner' kept as metadata of the queries"]


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        ("query_id,query\na,x\nb\n", 3, "1 cell, but the header has 2"),
        ("query_id,query\na,x\nb, \n", 3, "the row has no query; give each row a query"),
        ("query_id,query\na,x\n ,y\n", 3, "the row has no query id; give each row an id, or take"),
        ("query_id,query\na,x\na,y\n", 3, "query id 'a' is already on line 2"),
        ("query,Query\na,x\n", 1, "columns 1 and 2 are both called 'query'; rename or remove one"),
        ("query,prefer\na,x\n", 1, "a cell cannot say 'prefer'; JSON Lines can"),
        ('query\n"a\nb"\n', 2, "a quote opens and is not closed on its line; close it; a text is"),
        ('"query\na\nb\n', 1, "a quote opens and is not closed on its line; close it"),
        ('query\tclass\n"a\tb" c\td\n', 2, "' c\td' stands after the closing quote of a cell"),
        ('query\tclass\na\t"b\nc" d\n', 2, "' d' stands after the closing quote of a cell"),
        ('query\tclass\na\t"b\n', 2, "the quote that opens here is never closed; close it"),
        (
            '""query"\na\nb\n',
            1,
            "'query\"' stands after the closing quote of a cell; write a quote",
        ),
        ('"query"\n"a\nb\n', 2, "the quote that opens here is never closed"),
        ("query,\na,secret\n", 2, "no column is named above 'secret'; name it in the header, or"),
        (",query\n1,a\n2,b\n", 2, "no column is named above '1'; name it"),
        ("query,class\n", None, "the file holds no row of a queries file"),
    ],
)
def test_faults_are_named(file: Path, content: str, line: int | None, expected: str) -> None:
    file.write_text(content)
    with pytest.raises(InputError) as error:
        read_queries(file)
    assert str(error.value).startswith(f"{file}:{line}: " if line else f"{file}: ")
    assert expected in str(error.value)


@pytest.mark.parametrize(
    ("content", "kind", "name"),
    [
        ("query,result1\na,x.py\n", "queries", "answers"),
        ("query,information_need\na,x\n", "queries", "quepid"),
        ("query,docid,rating\na,d,1\n", "qrels", "quepid"),
        ("query_id,doc_id,grade\na,d,1\n", "qrels", "csv"),
    ],
)
def test_a_table_of_something_else_stays_that(
    file: Path, content: str, kind: str, name: str
) -> None:
    file.write_text(content)
    assert recognise(file) == (kind, name)


_CELLS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Z"]), min_size=1).map(str.strip)


@given(
    st.lists(st.tuples(_CELLS.filter(bool), _CELLS), min_size=1, unique_by=lambda row: row[0]),
    st.sampled_from(",;\t"),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
)
def test_what_python_writes_is_read(
    tmp_path_factory: pytest.TempPathFactory,
    written: list[tuple[str, str]],
    separator: str,
    quoting: Literal[0, 1, 2],
) -> None:
    out = io.StringIO(newline="")
    rows = csv.writer(out, delimiter=separator, quoting=quoting)
    rows.writerows([("query", "class"), *written])
    path = tmp_path_factory.mktemp("table") / "t.csv"
    path.write_text(out.getvalue(), encoding="utf-8", newline="")
    assert [(query.text, query.query_class) for query in read_queries(path)] == written


@given(st.lists(st.tuples(_CELLS.filter(bool), _CELLS.filter(bool)), min_size=1))
def test_what_holds_no_sign_of_quoting_is_read_as_it_stands_between_tabs(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]]
) -> None:
    """As Google Sheets writes it, quotes are like other characters: where they surround a text that
    has neither quotes nor commas, or stand within one, nothing else can be meant."""
    mark = re.compile('[",;]')
    written = [(f'"{mark.sub("", one)}x"', f"x{other}") for one, other in texts]
    path = tmp_path_factory.mktemp("table") / "t.tsv"
    lines = ["query\tclass", *map("\t".join, written), *(f"{one} y\tx" for one, _ in written)]
    path.write_text("\n".join(lines), encoding="utf-8", newline="")
    expected = [*written, *((f"{one} y", "x") for one, _ in written)]
    assert [(query.text, query.query_class) for query in read_queries(path)] == expected


def test_a_table_of_answers_is_one_by_its_names_whatever_else_its_rows_look_like(
    file: Path,
) -> None:
    file.write_text("query\tresult 1\tresult 2\nhow to do this now\tsrc/sort.py\t\n")
    assert recognise(file) == ("queries", "answers")


def test_a_text_may_be_the_word_itself(file: Path) -> None:
    file.write_text("1\tquery\n2\tother\n")
    assert read_queries(file) == [Query("1", "query"), Query("2", "other")]
