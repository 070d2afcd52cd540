"""Runs, qrels and results as tables with a header, as pandas and spreadsheets write them.

Expected values are those written into the files; pandas and the standard library's `csv` write
some of them, and are the oracle of how a cell is quoted.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats import (
    QrelsRow,
    RunRow,
    check_file,
    iter_documents,
    iter_qrels,
    iter_queries,
    iter_run,
    qrels_bytes,
    read_grades,
    read_qrels,
    read_results,
    read_run,
)
from judge_tui.formats.ids import as_field
from judge_tui.formats.row_guard import unguarded


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "given.csv"


def test_a_run_as_pandas_writes_it(file: Path) -> None:
    frame = pd.DataFrame(
        {
            "query_id": ["q1", "q1", "q2"],
            "doc_id": ["d,1", 'd"2', "my d"],
            "score": [2.5, -1e-9, 0.1 + 0.2],
            "text": ["two\nlines", None, "a,b"],
        }
    )
    expected = {"q1": {"d,1": 2.5, 'd"2': -1e-9}, "q2": {"my%20d": 0.1 + 0.2}}
    for options in ({}, {"index": False}, {"sep": ";"}, {"sep": "\t", "lineterminator": "\r\n"}):
        for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC):
            frame.to_csv(file, quoting=quoting, **options)
            run = read_run(file)
            assert run.scores == expected, (options, quoting)
            assert run.tag == "given"
    frame.to_csv(file)
    assert list(iter_run(file)) == [
        RunRow(2, "q1", "d,1", 2.5, None),
        RunRow(4, "q1", 'd"2', -1e-9, None),
        RunRow(5, "q2", "my%20d", 0.1 + 0.2, None),
    ]


def test_qrels_as_pandas_writes_them(file: Path) -> None:
    pairs = {"query_id": [1, 1, 1], "doc_id": ["a", "b", "c"]}
    expected = {"1": {"a": 2, "b": 0, "c": -1}}
    pd.DataFrame({**pairs, "relevance": [2, 0, -1]}).to_csv(file)
    assert read_qrels(file) == expected
    # One cell without a grade makes floats of all.
    pd.DataFrame({**pairs, "grade": [2, None, -1]}).to_csv(file)
    assert "2.0" in file.read_text()
    assert read_qrels(file) == {"1": {"a": 2, "c": -1}}
    pd.DataFrame({**pairs, "relevant": [True, False, True]}).to_csv(file, index=False)
    assert list(iter_qrels(file)) == [
        QrelsRow(2, "1", "a", 1),
        QrelsRow(3, "1", "b", 0),
        QrelsRow(4, "1", "c", 1),
    ]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("query_id,doc_id,score", "q,d,2"),
        ("Query-ID,Doc_ID,SCORE", "q,d,2"),
        ('"score";"doc id";"query id"', '2;"d";q'),
        ("qid\tdocno\tsim", "q\td\t2"),
        ("topic,document,score", "q,d,2"),
        ("query,doc,score", "q,d,2"),
        ("query-id,corpus-id,score", "q,d,2"),
        ("q_id,doc_id,score", "q,d,2"),
        # PyTerrier: `docid` is a number of its own, `query` the text.
        ("qid,docid,docno,rank,score,query", "q,17,d,0,2,how to"),
        ("query_id, doc_id, score", "q, d, 2"),
        ("query_id , doc_id , score", 'q , "d" , 2'),
        ("query_id,doc_id,score", "q, d, 2"),
        ("query_id,doc_id,score", "q, d,2"),
        ("query_id,doc_id,score", '" q "," d",2'),
        ("query_id\tdoc_id\tscore", "q \t d\t2"),
        ("query_id,doc_id,score,rank,rank,text", 'q,d,2,x,y,5" disk'),
    ],
)
def test_columns_are_found_by_their_names(file: Path, header: str, row: str) -> None:
    for end in ("\n", "\r\n", "\n\n"):
        for before in ("", "\ufeff", "\r\n"):
            text = f"{before}{header}{end}{row}{end}"
            file.write_text(text, encoding="utf-8", newline="")
            assert read_run(file).scores == {"q": {"d": 2.0}}


def test_a_rank_is_a_score_where_there_is_no_other(file: Path) -> None:
    file.write_text("query_id,doc_id,rank\nq,a,2\nq,b,1.0\nq2,a,0\n")
    assert read_run(file).scores == {"q": {"a": -2.0, "b": -1.0}, "q2": {"a": 0.0}}
    file.write_text("query_id,doc_id,rank,score\nq,a,2,9\nq,b,2,8\n")
    assert read_run(file).scores == {"q": {"a": 9.0, "b": 8.0}}


def test_the_tag_is_that_of_the_column(file: Path) -> None:
    file.write_text("tag,query_id,doc_id,score\nbm 25,q,a,2\n,q,b,1\n")
    assert read_run(file).tag == "bm 25"
    file.write_text("tag,query_id,doc_id,score\na,q,a,2\nb,q,b,1\n")
    with pytest.raises(InputError, match=r":3: tag 'b', but 'a' on line 2"):
        read_run(file)
    assert read_run(file, tag="mine").scores == {"q": {"a": 2.0, "b": 1.0}}


def test_qrels_of_beir(file: Path) -> None:
    file.write_text("query-id\tcorpus-id\tscore\n1\tMED-1\t2\n1\tMED-2\t0\n")
    assert read_qrels(file) == {"1": {"MED-1": 2, "MED-2": 0}}
    file.write_text("query-id,corpus-id,score\n1,MED-1,2\n")
    for form in (None, "beir", "qrels:beir"):
        assert read_qrels(file, format=form) == {"1": {"MED-1": 2}}
    file.write_text("query-id\tcorpus-id\tscore\n1\tMED-1\t\n")
    with pytest.raises(InputError, match=r":2: grade '' is not a whole number"):
        read_qrels(file)


def test_results_are_qrels_and_run_in_one(file: Path) -> None:
    run = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "rank": [1, 2]})
    qrels = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "c"], "relevance": [1, 0]})
    run.merge(qrels, how="outer").to_csv(file)
    expected_run = {"q": {"a": -1.0, "b": -2.0}}
    expected_qrels = {"q": {"a": 1, "c": 0}}
    assert read_run(file).scores == expected_run
    assert read_qrels(file) == expected_qrels
    assert read_results(file) == (expected_qrels, read_run(file))
    for form in ("csv", "results"):
        assert read_qrels(file, format=form) == expected_qrels
    assert read_run(file, format="results").scores == expected_run
    # As nothing but a run, a row without a rank is a fault.
    with pytest.raises(InputError, match=r":4: the row has no rank; give each row one, or scores"):
        read_run(file, format="csv")


def test_both_numbers_of_results_are_looked_at(file: Path) -> None:
    file.write_text(
        "query_id,doc_id,score,grade\nq,a,x,1\nq,b,1,good\nq,c,,\nq,d,1,1\nq,d,,2\nq,e,2,\n"
    )
    expected = [
        (2, "score 'x' is not a finite decimal number"),
        (3, "grade 'good' is not a whole number of 32 bits"),
        (4, "the row has no score"),
    ]
    for read in (read_run, read_qrels, read_results):
        problems: list[InputError] = []
        read(file, problems=problems.append)
        assert [(p.line, p.what) for p in problems[:3]] == expected
    assert [(p.line, p.what) for p in problems[3:]] == [
        (6, "document 'd' is already in query 'q', line 5")
    ]
    assert read_run(file, problems=problems.append).scores == {"q": {"d": 1.0, "e": 2.0}}


def test_results_without_a_grade_are_no_qrels(file: Path) -> None:
    file.write_text("query_id,doc_id,score,relevance\nq,a,1,\n")
    assert read_run(file).scores == {"q": {"a": 1.0}}
    with pytest.raises(InputError, match=r"given\.csv: the file holds no row of qrels"):
        read_qrels(file)
    file.write_text("query_id,doc_id,score,relevance\n")
    for read in (read_run, read_qrels, read_results):
        with pytest.raises(InputError, match="the file holds no row of "):
            read(file)


def test_ids_have_the_form_of_trec_files(file: Path) -> None:
    file.write_text(
        "query_id,doc_id,relevance\n"
        'q 1,"a\tb\r\n c",1\n'
        "q 1,already%20so,0\n"
        'q 1," d",2\n'
        "q 1,\u00a0,3\n",
        encoding="utf-8",
        newline="",
    )
    found = read_qrels(file)
    assert found == {"q%201": {"a%09b%0D%0A%20c": 1, "already%20so": 0, "d": 2, "%C2%A0": 3}}
    exported = file.with_name("exported.qrels")
    exported.write_bytes(qrels_bytes({"q 1": {"a\tb\r\n c": 1, "already so": 0, "d": 2}}))
    assert set(read_qrels(exported)["q%201"]) < set(found["q%201"])


@pytest.mark.parametrize(
    ("row", "line", "expected"),
    [
        *(
            (f"q,d9,{score}", 4, f"score '{score}' is not a finite decimal number; write it like")
            for score in ("12abc", "0x1p3", "1_000", "nan", "-inf", "1e999", '"1,5"', "٣", "--1")
        ),
        ("q,d9,", 4, "the row has no score; give each row one, or ranks alone"),
        ("q,d9", 4, "2 cells, but the header has 3; put a cell that holds the separator between"),
        ("q,d9,1,", 4, "4 cells, but the header has 3"),
        (",d9,1", 4, "the row has no query id; give each row a query id"),
        ('q," ",1', 4, "the row has no document id"),
        ("q,d1,1", 4, "document 'd1' is already in query 'q', line 2; remove one of the two lines"),
        ('q,"d9"9,1', 4, "'9,1' stands after the closing quote of a cell; write a quote within"),
        ('q,d9,1\n"q\n2","d\n\n', 6, "the quote that opens here is never closed; close it; a"),
        ('q,"d\n9"x,1', 4, "'x,1' stands after"),
    ],
)
def test_rows_that_are_none_of_a_run(file: Path, row: str, line: int, expected: str) -> None:
    row = row.replace('"1,5"', '"1,5"')
    file.write_text(f"query_id,doc_id,score\nq,d1,3\n\n{row}\nq3,d1,3\n", encoding="utf-8")
    for read in (read_run, lambda path: list(iter_run(path))):
        with pytest.raises(InputError) as error:
            read(file)
        place, _, said = str(error.value).partition(": ")
        assert place == f"{file}:{line}"
        assert said.replace("'1,5'", "'\"1,5\"'").startswith(expected)


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        ("query_id,doc_id,rank\nq,a,1\nq,b,1\n", 3, "rank 1 is already in query 'q', line 2; give"),
        ("query_id,doc_id,rank\nq,a,-1\n", 2, "rank '-1' is not a whole number from 0 up; write"),
        ("query_id,doc_id,rank\nq,a,1.5\n", 2, "rank '1.5' is not a whole number"),
        ("query_id,doc_id,rank\nq,a,\n", 2, "the row has no rank; give each row one, or scores"),
        (
            "query_id,doc_id,score,doc_id\nq,a,1,b\n",
            1,
            "columns 2 ('doc_id') and 4 ('doc_id') could both be the doc_id; rename or remove one",
        ),
    ],
)
def test_faults_of_a_run_in_ranks_or_columns(
    file: Path, content: str, line: int, expected: str
) -> None:
    file.write_text(content)
    with pytest.raises(InputError) as error:
        read_run(file)
    assert str(error.value).startswith(f"{file}:{line}: {expected}")


@pytest.mark.parametrize("grade", ["1.5", "1_0", "x", "0x1", "1e2", "٣", "2147483648", "9" * 5000])
def test_grades_that_are_no_integers(file: Path, grade: str) -> None:
    file.write_text(f"query_id,doc_id,relevance\nq,a,1\nq,b,{grade}\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_qrels(file)
    assert str(error.value).startswith(f"{file}:3: grade '{grade[:50]}")
    assert "is not a whole number of 32 bits; write it in digits" in str(error.value)


@pytest.mark.parametrize(
    ("grade", "mend"),
    [
        ("0.5", "write it in digits, like 2: of a scale such as 0, 0.5, 1 make 0, 1, 2"),
        ("NaN", "where nobody judged the document, leave it out"),
        ("null", "where nobody judged the document, leave it out"),
    ],
)
def test_a_grade_that_is_none_says_what_to_do(file: Path, grade: str, mend: str) -> None:
    file.write_text(f"query_id,doc_id,relevance\nq,a,{grade}\n")
    with pytest.raises(InputError) as error:
        read_qrels(file)
    assert error.value.mend == mend


def test_two_columns_of_grades_are_not_chosen_from(file: Path) -> None:
    file.write_text("query_id,doc_id,relevance,grade\nq,a,1,2\n")
    with pytest.raises(InputError, match=r":1: columns 3 \('relevance'\) and 4 \('grade'\) could"):
        read_qrels(file)
    # A name that is only tolerated gives way to one that is promised.
    file.write_text("query_id,doc_id,label,grade\nq,a,x,2\n")
    assert read_qrels(file) == {"q": {"a": 2}}


def test_every_problem_is_handed_over_and_the_rest_is_read(file: Path) -> None:
    file.write_bytes(
        b'query_id,doc_id,score\nq,a,x\nq,b,1\nq,\xff,1\nq,"c\n\xff",1\nq,b,2\nq,"d,1\nq,e,1\n'
    )
    problems: list[InputError] = []
    assert read_run(file, problems=problems.append).scores == {"q": {"b": 1.0}}
    assert [problem.line for problem in problems] == [2, 4, 6, 7, 8]
    assert "byte 3 of the line (0xFF) is not valid UTF-8" in problems[1].what


def test_a_header_that_is_not_utf8(file: Path) -> None:
    file.write_bytes(b"query_id,doc_id,score,caf\xe9\nq,d,1,x\n")
    with pytest.raises(InputError, match=r":1: byte 26 of the line \(0xE9\) is not valid UTF-8"):
        read_run(file, format="csv")


def test_a_query_between_tabs_keeps_the_quotes_that_were_typed(file: Path) -> None:
    """Where the text of a query is its id, tables of all kinds have to read it alike."""
    file.write_text('query\tdoc_id\tscore\n"a b"\td1\t.5\n"c, d"\td1\t1\n"e"\t"d1"\t2\n')
    assert read_run(file).scores == {
        name: {"d1": n} for name, n in (('"a%20b"', 0.5), ("c,%20d", 1), ("e", 2))
    }
    file.write_text('query\tdocid\trating\n"a b"\td1\t1\n"c, d"\td1\t2\n"e"\t"d1"\t3\n')
    grades = [(row.query_id, row.grade) for row in iter_qrels(file)]
    assert grades == [('"a%20b"', 1), ("c,%20d", 2), ("e", 3)]
    file.write_text('query,doc_id,score\n"a b",d1,.5\n')
    assert read_run(file).scores == {"a%20b": {"d1": 0.5}}


def _judgments(file: Path, **options: Any) -> Iterable[object]:
    return read_grades(file, **options).judgments or ()


@pytest.mark.parametrize(
    ("read", "names", "row"),
    [
        (iter_run, "query_id,doc_id,score", "q1,d1,1"),
        (iter_qrels, "query_id,doc_id,relevance", "q1,d1,1"),
        (iter_qrels, "query,docid,rating", "q1,d1,1"),
        (iter_queries, "query_id,query", "q1,one"),
        (iter_documents, "doc_id,text", "d1,one"),
        (_judgments, "user,topic,docid,judgment", "ann,q1,d1,1"),
        (_judgments, "query_id,doc_id,judge,decision,grade", "q1,d1,ann,grade,1"),
    ],
)
@pytest.mark.parametrize(
    ("end", "what"),
    [
        (b'"a"b', "'b' stands after the closing quote of a cell"),
        (b"\xff", "(0xFF) is not valid UTF-8"),
    ],
)
def test_below_a_header_that_cannot_be_read_to_its_end_is_no_row(
    file: Path, read: Callable[..., Iterable[object]], names: str, row: str, end: bytes, what: str
) -> None:
    """Of a line that long, the columns are told by its begin alone."""
    last = b",".join([names.encode(), b"x" * 70_000, end])
    for rows in ("", f"\n{row},x,y\n" * 2):
        file.write_bytes(last + rows.encode())
        problems: list[InputError] = []
        assert list(read(file, problems=problems.append)) == []
        (problem,) = problems
        assert (problem.line, what in problem.what) == (1, True)


def test_a_quote_that_swallows_the_file_is_given_up_on(file: Path) -> None:
    file.write_bytes(b'query_id,doc_id,score\nq,a,1\nq,"' + b"x,y,1\n" * 3_000_000)
    with pytest.raises(InputError, match=r":3: the quote that opens here is still open 16 MB lat"):
        read_run(file)


def test_a_cell_of_any_size_is_read(file: Path) -> None:
    file.write_bytes(
        b'query_id,doc_id,score,text\nq,a,1,"' + b'x""' * 2_000_000 + b'"\nq,b,2,'
        b"" + b"y" * 5_000_000 + b"\n"
    )
    assert read_run(file).scores == {"q": {"a": 1.0, "b": 2.0}}


def fields(pair: tuple[str, str]) -> tuple[str, str]:
    """What is read of two ids, where nobody asks whether a code stands for white space."""
    return as_field(unguarded(pair[0])), as_field(unguarded(pair[1]))


ID = st.text(
    st.one_of(
        st.sampled_from(" \t\n\r,;\"'%20aä\u00a0\u2028\ufeff"),
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    ),
    min_size=1,
    max_size=6,
).filter(lambda text: text.strip(" \t\n\r\v\f"))


@given(
    pairs=st.lists(st.tuples(ID, ID), min_size=1, max_size=6, unique_by=fields),
    separator=st.sampled_from(",;\t"),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    end=st.sampled_from(["\n", "\r\n"]),
    order=st.permutations([0, 1, 2, 3]),
)
@settings(max_examples=150)
def test_what_the_standard_library_writes_is_read(
    tmp_path_factory: pytest.TempPathFactory,
    pairs: list[tuple[str, str]],
    separator: str,
    quoting: int,
    end: str,
    order: list[int],
) -> None:
    # Python before 3.13 leaves a carriage return unquoted, which then looks like a line's end.
    if quoting != csv.QUOTE_ALL:
        pairs = [(query.replace("\r", "a"), doc.replace("\r", "a")) for query, doc in pairs]
        assume(len(set(map(fields, pairs))) == len(pairs))
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, quoting=quoting, lineterminator=end)
    rows = [["query_id", "doc_id", "score", "text"]]
    rows += [[query, doc, place / 8, f"{doc} {query}"] for place, (query, doc) in enumerate(pairs)]
    writer.writerows([[row[place] for place in order] for row in rows])
    file = tmp_path_factory.getbasetemp() / "written.csv"
    file.write_text(text.getvalue(), encoding="utf-8", newline="")
    expected: dict[str, dict[str, float]] = {}
    for place, (query, doc) in enumerate(map(fields, pairs)):
        expected.setdefault(query, {})[doc] = place / 8
    assert read_run(file).scores == expected


@pytest.mark.parametrize("column", ["system", "tag", "Run"])
@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("rank,relevant", ["1,1", "2,0", "1,0", "2,1"]),
        ("score", ["2", "1", "2", "1"]),
        ("rank", ["1", "2", "2", "1"]),
    ],
)
def test_several_systems_in_a_table_are_told_as_that(
    file: Path, column: str, head: str, rows: list[str]
) -> None:
    whose = ["A,q 1,a", "A,q 1,my doc", "B,q 1,my doc", "B,q 1,a"]
    table = [f"{one},{cells}\n" for one, cells in zip(whose, rows, strict=True)]
    file.write_text(f"{column},query_id,doc_id,{head}\n{''.join(table)}")
    (problem,) = check_file(file)
    assert str(problem) == (
        f"{file}:4: document 'my%20doc' of query 'q%201', line 3, comes again for another"
        f" '{column}', 'B': a table holds one run; write a file for each"
        f" '{column}', and give score or compare all of them"
    )
    with pytest.raises(InputError, match="a table holds one run"):
        read_run(file)


def test_a_rank_that_another_system_has_is_told_as_that(file: Path) -> None:
    file.write_text("system,query_id,doc_id,rank\nA,q,a,1\nB,q,b,1\n")
    with pytest.raises(InputError, match=r":3: rank '1' of query 'q', line 2, comes again for ano"):
        read_run(file)
    file.write_text("system,query_id,doc_id,rank\nA,q,a,1\nA,q,b,1\n")
    with pytest.raises(InputError, match=r":3: rank 1 is already in query 'q', line 2; give each"):
        read_run(file)
    # Where nothing comes again, such a column tells nothing.
    file.write_text('run,query_id,doc_id,score\n1,q,"a",1\n2,q,b,2\n')
    assert read_run(file).scores == {"q": {"a": 1.0, "b": 2.0}}
