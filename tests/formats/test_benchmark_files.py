"""Graded benchmarks: what is in one, which grades its scores are, and all that may be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import InputError, UsageError
from judge_tui.formats import (
    check_file,
    decode_id,
    iter_documents,
    read_qrels,
    read_queries,
    recognise,
)
from judge_tui.formats.benchmark import Grades, found_grades, parse_grades, read_benchmark
from judge_tui.formats.query_names import folded_text
from judge_tui.model import Document, Query

BENCHMARK: list[dict[str, Any]] = [
    {
        "query": "read a csv file",
        "class": "how-to",
        "level": 2,
        "documents": [
            {"id": "d1", "text": "read a csv file", "score": 2, "kind": "guide", "year": 1999},
            {"id": "my doc", "title": "Sorting", "text": "sort a list", "score": 0},
        ],
    },
    {
        "query": "sort a list",
        "query_id": "sort it",
        "documents": [
            {"doc_id": "my doc", "title": "Sorting", "text": "sort a list", "score": 3.0},
            {"id": 7, "text": "delete everything", "score": "1", "url": None},
        ],
    },
]


def written(folder: Path, content: Any, *, lines: bool = False, indent: int | None = None) -> Path:
    path = folder / "benchmark.json"
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    elif lines:
        path.write_text("".join(json.dumps(one) + "\n" for one in content), encoding="utf-8")
    else:
        path.write_text(json.dumps(content, indent=indent), encoding="utf-8")
    return path


def with_scores(folder: Path, *scores: Any) -> Path:
    documents = [{"id": f"d{n}", "text": f"text {n}", "score": s} for n, s in enumerate(scores)]
    return written(folder, [{"query": "what", "documents": documents}], indent=1)


def grades_of(path: Path, **options: Any) -> list[int]:
    (its,) = read_benchmark(path, **options).qrels.values()
    return list(its.values())


@pytest.mark.parametrize("form", [{}, {"lines": True}, {"indent": 2}])
def test_queries_documents_and_grades(tmp_path, form):
    path = written(tmp_path, BENCHMARK, **form)
    read = read_benchmark(path)
    assert [entry.query for entry in read.entries] == [
        Query("q001", "read a csv file", query_class="how-to", meta={"level": 2}),
        Query("sort%20it", "sort a list"),
    ]
    sorting = Document("my%20doc", "Sorting", "sort a list")
    assert list(read.documents.values()) == [
        Document("d1", text="read a csv file", kind="guide", meta={"year": 1999}),
        sorting,
        Document("7", text="delete everything"),
    ]
    assert read.qrels == {"q001": {"d1": 2, "my%20doc": 0}, "sort%20it": {"my%20doc": 3, "7": 1}}
    assert read.candidates["sort%20it"] == [sorting, Document("7", text="delete everything")]
    assert read.notes == (
        "keys that are not known here, kept as further fields: of queries 'level' (1); of documents"
        " 'year' (1)",
    )


def test_of_many_keys_the_most_frequent_are_named(tmp_path):
    """One that is written wrongly is among them; `measures` is none."""
    documents = [
        {"id": str(n), "text": f"text {n}", "score": 0, "knd": "x", **({"k": n} if n else {})}
        for n in range(3)
    ]
    more = dict.fromkeys("abcdefg", 1)
    (note,) = read_benchmark(
        written(tmp_path, [{"query": "q", "measures": ["RR"], **more, "documents": documents}])
    ).notes
    assert note.endswith(
        ": of queries 'a' (1), 'b' (1), 'c' (1), 'd' (1), 'e' (1), and 2 more; of documents"
        " 'knd' (3), 'k' (2)"
    )


@pytest.mark.parametrize("form", [{}, {"lines": True}, {"indent": 2}])
def test_it_is_told_by_its_content_and_serves_wherever_a_part_of_it_does(tmp_path, form):
    path = written(tmp_path, BENCHMARK, **form)
    assert recognise(path) == ("qrels", "benchmark")
    assert check_file(path) == []
    assert read_qrels(path) == {
        "q001": {"d1": 2, "my%20doc": 0},
        "sort%20it": {"my%20doc": 3, "7": 1},
    }
    assert [query.text for query in read_queries(path)] == ["read a csv file", "sort a list"]
    assert [one.doc_id for _, one in iter_documents(path)] == ["d1", "my%20doc", "7"]


def test_of_other_scores_each_is_a_grade_and_the_file_says_how(tmp_path):
    path = with_scores(tmp_path, 0.5, 0, 1, 0.5, 0.0)
    assert grades_of(path) == [1, 0, 2, 1, 0]
    assert read_benchmark(path).notes == (
        "scores became grades, found: 0 is grade 0 (2), 0.5 is grade 1 (2), 1 is grade 2 (1)",
    )


def test_scores_that_are_close_are_told_in_as_many_digits_as_it_takes(tmp_path):
    path = with_scores(tmp_path, 0.3333, 0.33330000001)
    (note,) = [one for one in read_benchmark(path).notes if one.startswith("scores")]
    assert note.endswith("0.3333 is grade 1 (1), 0.33330000001 is grade 2 (1)")
    problems: list[InputError] = []
    read_benchmark(path, grades=parse_grades("0.33330000001=1"), problems=problems.append)
    assert "score 0.3333 is below 0.33330000001, the least of --scores" in str(problems[0])


def test_what_has_a_score_stays_right_where_nothing_has_none(tmp_path):
    """Zero alone is grade 0, as with whole numbers."""
    assert grades_of(with_scores(tmp_path, 0.2, 0.9)) == [1, 2]
    assert grades_of(with_scores(tmp_path, 1, 5)) == [1, 5]


def test_whole_scores_above_all_grades_are_steps_too(tmp_path):
    path = with_scores(tmp_path, 3000, 0, 1000, 2000)
    assert grades_of(path) == [3, 0, 1, 2]
    (note,) = read_benchmark(path).notes
    assert note.startswith("scores became grades, found: 0 is grade 0 (1), 1000 is grade 1 (1), 2")
    assert grades_of(with_scores(tmp_path, 1000, 0)) == [1000, 0]


SAYS = "which documents are, --scores of load collection says"


@pytest.mark.parametrize(
    ("scores", "declared", "what"),
    [
        ((1, 2, 5), None, f"no document has grade 0: all count as relevant; {SAYS}"),
        ((0.1, 0.3, 0.5, 0.9), None, f"no document has grade 0: all count as relevant; {SAYS}"),
        ((0.5, 0.9), "0=0,0.5=1", f"no document has grade 0: all count as relevant; {SAYS}"),
        (
            (0, 55, 100),
            None,
            "scores up to 100 are taken as grades, and all above 0 count as relevant; " + SAYS,
        ),
        ((0, 55, 100), "0=0,55=50", ""),
        ((0, 10), None, ""),
        ((0, 0.3), None, ""),
    ],
)
def test_where_more_may_count_as_relevant_than_is_meant(tmp_path, scores, declared, what):
    path = with_scores(tmp_path, *scores)
    grades = None if declared is None else parse_grades(declared)
    told = [one for one in read_benchmark(path, grades=grades).notes if "warning" in one]
    assert told == ([f"warning: {what}"] if what else [])
    if declared is None:
        noted: list[str] = []
        read_qrels(path, noted=noted.append)
        assert [one for one in noted if "warning" in one] == told


def test_a_declared_scale_says_from_which_score_on(tmp_path):
    path = with_scores(tmp_path, 0.91, 0.5, 0.49, 0.0, 1)
    grades = parse_grades("0=0, .5=1,0.9 = 3")
    assert grades_of(path, grades=grades) == [3, 1, 0, 0, 3]
    assert read_benchmark(path, grades=grades).notes == (
        "scores became grades, as declared: from 0 is grade 0 (2), from 0.5 is grade 1 (1),"
        " from 0.9 is grade 3 (2)",
    )
    with pytest.raises(InputError, match=r"score 0\.49 is below 0\.5, the least of --scores"):
        grades_of(path, grades=parse_grades("0.5=1"))


@pytest.mark.parametrize(
    "text", ["", "0", "0=", "0=1.5", "x=1", "-1=0", "0=0,0.0=1", "1=1001", "0=0,0.5=2,0.9=1"]
)
def test_a_scale_that_is_none(text):
    with pytest.raises(UsageError, match=r"--scores"):
        parse_grades(text)


def test_no_scale_is_made_up_of_many_scores(tmp_path):
    path = with_scores(tmp_path, 1, *(n / 100 for n in range(11)))
    with pytest.raises(InputError) as raised:
        read_benchmark(path)
    assert raised.value.line == 15
    assert "score 0.01 is one of 12: no scale" in str(raised.value)
    assert "--scores 0=0,0.5=1" in str(raised.value)
    assert grades_of(path, grades=parse_grades("0=0,0.05=1"))[:7] == [1, 0, 0, 0, 0, 0, 1]
    assert len(set(grades_of(with_scores(tmp_path, *(n / 10 for n in range(10)))))) == 10


@given(st.lists(st.floats(0, 1000, allow_nan=False), min_size=1, max_size=20))
def test_grades_are_in_the_order_of_the_scores(scores):
    grades = found_grades(scores)
    if grades is None:
        assert len(set(scores)) > 10
        return
    found = [grades.of(score) for score in scores]
    assert None not in found
    for a, one in zip(scores, found, strict=True):
        assert (one == 0) == (a == 0)
        for b, other in zip(scores, found, strict=True):
            assert (a < b) == (one < other)  # type: ignore[operator]


@given(
    st.dictionaries(
        st.floats(0, 100).map(lambda x: round(x, 2)), st.integers(0, 9), min_size=1, max_size=5
    ).map(lambda steps: dict(zip(sorted(steps), sorted(steps.values()), strict=True))),
    st.floats(0, 200),
)
def test_declared_by_the_greatest_step_that_is_not_more(steps, score):
    text = ",".join(f"{start:.2f}={grade}" for start, grade in steps.items())
    below = [start for start in steps if start <= score]
    assert parse_grades(text).of(score) == (steps[max(below)] if below else None)
    assert isinstance(parse_grades(text), Grades)


DOCUMENT = {"id": "d", "text": "t", "score": 1}
SCORE = "write a number as 'score'; leave out documents that nobody graded"


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        ("", None, "there are no queries in it"),
        ("[]", None, "there are no queries in it"),
        ('[\n{"query": "a", "documents": [', 2, "not valid JSON: a value is missing"),
        (f"{json.dumps(BENCHMARK)} {{}}", 1, "there is more after the end"),
        ("[1]", None, "entry 1 is no object"),
        ([{"documents": [DOCUMENT]}], 1, "there is no query"),
        ([{"query": " ", "documents": [DOCUMENT]}], 1, "there is no query"),
        ([{"query": 7, "documents": [DOCUMENT]}], 1, "'query' is not a string"),
        ([{"query": "a"}], 1, "no list 'documents' of objects"),
        ([{"query": "a", "documents": []}], 1, "no documents"),
        ([{"query": "a", "documents": ["d"]}], 1, "no list 'documents' of objects"),
        ([{"query": "a", "documents": [{"text": "t", "score": 1}]}], 1, "the document has no id"),
        ([{"query": "a", "documents": [{"id": "d", "score": 1}]}], 1, "'d' has no text"),
        ([{"query": "a", "documents": [{**DOCUMENT, "text": 1}]}], 1, "'text' is not a string"),
        ([{"query": "a", "documents": [{"id": "d", "text": "t"}]}], 1, f"has no score; {SCORE}"),
        ([{"query": "a", "documents": [{**DOCUMENT, "score": ""}]}], 1, f"has no score; {SCORE}"),
        ([{"query": "a", "documents": [{**DOCUMENT, "score": None}]}], 1, f"has no score; {SCORE}"),
        (
            [{"query": "a", "documents": [{**DOCUMENT, "score": True}]}],
            1,
            "score true is no number",
        ),
        ([{"query": "a", "documents": [{**DOCUMENT, "score": [1]}]}], 1, "'score' is no number"),
        ([{"query": "a", "documents": [{**DOCUMENT, "score": -1}]}], 1, "score -1 is negative"),
        (
            [
                {
                    "query": "a",
                    "documents": [{**DOCUMENT, "id": n, "score": 990 + n} for n in range(12)],
                }
            ],
            1,
            "score 1001 is one of 12: no scale",
        ),
        ([{"query": "a", "documents": [{**DOCUMENT, "score": "x"}]}], 1, "'x' is not a finite"),
        ('[{"query": "a", "documents": [{"id": "d", "text": "t", "score": NaN}]}]', 1, "NaN"),
        ([{"query": "a", "documents": [DOCUMENT, DOCUMENT]}], 1, "among the query's already"),
        (
            [{"query": text, "documents": [DOCUMENT]} for text in ("a  b", "a b")],
            1,
            "entry 2 (query 'a b'): query 'a b' is entry 1 already",
        ),
        (
            [{"query_id": "q", "query": text, "documents": [DOCUMENT]} for text in "ab"],
            1,
            "query 'q' is entry 1 already",
        ),
        (
            [
                {"query": "a", "documents": [DOCUMENT]},
                {"query": "b", "documents": [{**DOCUMENT, "text": "another"}]},
            ],
            1,
            "document 'd' is not the same in entry 1",
        ),
    ],
)
def test_what_cannot_be_used_is_told_with_its_line(tmp_path, content, line, what):
    path = written(tmp_path, content)
    with pytest.raises(InputError) as raised:
        read_benchmark(path)
    assert what in str(raised.value)
    assert raised.value.line == line
    assert raised.value.mend


def test_what_is_wrong_in_a_file_of_one_line_is_told_with_its_entry(tmp_path):
    bad = [{**DOCUMENT, "id": "e"}, {**DOCUMENT, "score": -1}]
    entries = [{"query": "a", "documents": [DOCUMENT]}, {"query": "x", "documents": bad}]
    told = "entry 2 (query 'x'), document 2: score -1 is negative"
    assert [error.what for error in check_file(written(tmp_path, entries))] == [told]
    spread = check_file(written(tmp_path, entries, indent=1))
    assert [error.what for error in spread] == ["score -1 is negative"]
    assert [error.line for error in spread] == [20]


def test_all_that_is_wrong_is_told_at_once(tmp_path):
    good = BENCHMARK[0]
    bad = {"query": "b", "documents": [{**DOCUMENT, "score": -1}, {**DOCUMENT, "text": ""}]}
    path = written(tmp_path, [good, bad, {"query": "c"}], lines=True)
    assert [error.line for error in check_file(path)] == [2, 2, 3]


@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(
            lambda text: bool(" ".join(text.split())) and "\0" not in text and text == text.strip()
        ),
        st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 4), min_size=1),
        min_size=1,
        max_size=4,
    )
)
def test_what_was_written_is_what_is_read(tmp_path_factory, graded):
    entries = [
        {
            "query_id": f"q{n}",
            "query": text,
            "documents": [
                {"id": one, "text": f"about {one}", "score": grade} for one, grade in its.items()
            ],
        }
        for n, (text, its) in enumerate(graded.items())
    ]
    texts = {folded_text(text) for text in graded}
    path = written(tmp_path_factory.mktemp("any"), entries)
    if len(texts) < len(graded):
        with pytest.raises(InputError, match="already"):
            read_benchmark(path)
        return
    read = read_benchmark(path)
    assert {entry.query.text for entry in read.entries} == set(graded)
    assert [*read.qrels.values()] == [*graded.values()]
    by_id = {decode_id(query): its for query, its in read_qrels(path).items()}
    assert by_id == read.qrels
