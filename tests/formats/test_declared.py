"""What the content of a file does not tell: what columns and grades are called in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.check import check_file
from judge_tui.formats.columns import declared_columns
from judge_tui.formats.judgments import declared_labels
from judge_tui.formats.registry import names_of
from judge_tui.formats.rows import iter_documents
from judge_tui.formats.source import Layout
from judge_tui.formats.whole_files import read_grades, read_qrels, read_queries, read_run

QRELS = {
    "trec": "q1 0 d1 0.7\n",
    "beir": "query-id\tcorpus-id\tscore\nq1\td1\t0.70\n",
    "csv": "query_id,doc_id,relevance\nq1,d1,0.7\n",
    "results": "query_id,doc_id,rank,relevance\nq1,d1,1,0.7\n",
    "json": '{"q1": {"d1": 0.7}}',
    "rank-eval": '{"requests": [{"id": "q1", "ratings": [{"_id": "d1", "rating": 0.7}]}]}',
    "quepid": "query,docid,rating\nq1,d1,0.7\n",
    "quepid-json": '{"queries": [{"query": "q1", "ratings": {"d1": 0.7}}]}',
    "opensearch": '{"judgmentRatings": [{"query": "q1",'
    ' "ratings": [{"docId": "d1", "rating": "0.7"}]}]}',
    "benchmark": '[{"id": "q1", "query": "a", "documents": [{"id": "d1", "text": "t",'
    ' "score": 0.7}]}]',
}
JUDGMENTS = {
    "csv": "query_id,doc_id,judge,grade\nq1,d1,ann,0.7\n",
    "quepid-book": "query,docid,ann\nq1,d1,0.7\n",
    "judge-tui": "query_id,doc_id,judge,decision,grade\nq1,d1,ann,grade,0.7\n",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.csv"


@pytest.mark.parametrize("name", names_of("qrels"))
def test_grades_of_any_form_are_what_is_declared(path: Path, name: str) -> None:
    path.write_text(QRELS[name])
    with pytest.raises(InputError, match="--labels"):
        read_qrels(path, format=name)
    for declared, grade in (("0.7=2", 2), ("0.700=3,1=1", 3), ("0.7=skip", -1)):
        layout = Layout(name, labels=declared_labels(declared))
        assert read_qrels(path, format=layout) == {"q1": {"d1": grade}}
    assert check_file(path, format=Layout(f"qrels:{name}", labels=declared_labels("0.7=2"))) == []


@pytest.mark.parametrize("name", names_of("qrels"))
def test_beside_fractions_no_number_stands_for_itself(path: Path, name: str) -> None:
    path.write_text(QRELS[name].replace("0.70", "1.0").replace("0.7", "1.0"))
    for declared, grade in (("0.7=2,1=3", 3), ("2=3", 1), ("good=2", 1)):
        layout = Layout(name, labels=declared_labels(declared))
        assert read_qrels(path, format=layout) == {"q1": {"d1": grade}}
    with pytest.raises(InputError, match=r"names numbers that are not whole, but not grade '?1"):
        read_qrels(path, format=Layout(name, labels=declared_labels("0.3=1,0.7=2")))


@pytest.mark.parametrize("name", JUDGMENTS)
def test_grades_of_several_judges_are_what_is_declared(path: Path, name: str) -> None:
    path.write_text(JUDGMENTS[name])
    for declared, verdict in (("0.7=2", ("grade", 2)), ("0.7=cannot", ("cannot", None))):
        _, rows = read_grades(path, format=Layout(name, labels=declared_labels(declared)))
        assert [one[3:6] for one in rows] == [("ann", *verdict)]


@pytest.mark.parametrize(
    ("declared", "texts"),
    [
        (declared_columns, ["", "a", "=b", "query_id=", "query_id=a,query_id=b", "color=a"]),
        (declared_labels, ["Relevant", "=2", "a=2,b", "a=10", "a=2,A=1"]),
    ],
)
def test_a_declaration_that_is_none_is_refused(
    declared: Callable[[str], object], texts: list[str]
) -> None:
    for text in texts:
        with pytest.raises(UsageError):
            declared(text)


def test_columns_are_what_is_declared(path: Path) -> None:
    def of(text: str, columns: str) -> Layout:
        path.write_text(text)
        return Layout(columns=declared_columns(columns))

    layout = of("Thema;Dok;Note\nq1;d1;2\n", "query_id=thema,doc_id=dok,grade=note")
    assert read_qrels(path, format=layout) == {"q1": {"d1": 2}}
    layout = of("score,a,b,c\n9,q1,d1,0.5\n", "query_id=a,doc_id=b,score=c")
    assert read_run(path, format=layout).scores == {"q1": {"d1": 0.5}}
    layout = of("nr\tfrage\n1\twho?\n", "query_id=nr,query=frage")
    assert [(one.query_id, one.text) for one in read_queries(path, format=layout)] == [
        ("1", "who?")
    ]
    layout = of("nr,inhalt,jahr\nd1,a text,1999\n", "doc_id=nr,text=inhalt")
    (document,) = (one for _, one in iter_documents(path, format=layout))
    assert (document.doc_id, document.text, document.meta) == ("d1", "a text", {"jahr": "1999"})
    layout = of("query_id,topic,doc_id,rel\n7,q1,d1,1\n", "query_id=topic")
    assert read_qrels(path, format=layout) == {"q1": {"d1": 1}}
    for content, words in (
        ("query_id,doc_id,rel\nq1,d1,1\n", "there is no column topic; it has 'query_id'"),
        ("q1 0 d1 1\n", "the file is not a table; leave --columns out"),
    ):
        path.write_text(content)
        with pytest.raises(InputError, match=words):
            read_qrels(path, format=layout)
