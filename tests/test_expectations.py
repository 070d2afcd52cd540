"""What is right for each query, by answers and by qrels, and how systems fare by it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from judge_tui.analysis.evaluation import TOP
from judge_tui.errors import InputError, UsageError
from judge_tui.expectations import Expectations, expectations_of
from judge_tui.model import Run
from judge_tui.scoring import parse_measures, score_runs

MEASURES = parse_measures(["nDCG@10", "RR@10", "P@5", "R@10", "AP", "Hit@5"])


def answered(folder: Path, *entries: dict[str, Any]) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return path


def queries(folder: Path, *records: dict[str, str]) -> Path:
    path = folder / "queries.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def qrels(folder: Path, text: str) -> Path:
    path = folder / "grades.qrels"
    path.write_text(text, encoding="utf-8")
    return path


def ids_of(found: Expectations) -> list[str]:
    return [query.query_id for query in found.queries]


# What is asked


def test_answers_alone_hold_the_queries(tmp_path):
    path = answered(
        tmp_path,
        {"query": "first", "expected": "a", "class": "easy"},
        {"query": "second", "pattern": "b$"},
        {"query_id": "my own", "query": "third", "expected": ["c", "d"]},
    )
    found = expectations_of(queries=None, answers=path)
    assert ids_of(found) == ["q001", "q002", "my own"]
    assert [query.text for query in found.queries] == ["first", "second", "third"]
    assert found.queries[0].query_class == "easy"
    assert found.notes == ()


def test_answers_without_a_text_need_the_queries(tmp_path):
    path = answered(tmp_path, {"query_id": "q7", "expected": "a"})
    with pytest.raises(InputError, match="'q7' has no text here; write its query, or give the q"):
        expectations_of(queries=None, answers=path)
    found = expectations_of(
        queries=queries(tmp_path, {"query_id": "q7", "text": "seven"}), answers=path
    )
    assert found.queries[0].text == "seven"


def test_answers_belong_to_queries_by_id_or_by_text_whatever_its_white_space(tmp_path):
    asked = queries(
        tmp_path,
        {"query_id": "b q", "text": "the  second\tone", "class": "Lookups"},
        {"query_id": "a", "text": "the first one"},
        {"query_id": "twin", "text": "the second one"},
        {"query_id": "x", "text": "nobody knows"},
    )
    path = answered(
        tmp_path,
        {"query": " the second one ", "expected": "s", "class": "lookup"},
        {"query_id": "a", "query": "the\nfirst  one", "expected": "f", "class": "of answers"},
        {"query_id": "gone", "query": "nobody knows", "expected": "g"},
    )
    found = expectations_of(queries=asked, answers=path)
    # In the order of the queries.
    assert [(q.query_id, q.query_class) for q in found.queries] == [
        ("b q", "lookup"),
        ("a", "of answers"),
        ("twin", "lookup"),
    ]
    assert found.notes == (
        "queries for which nothing is known, left out and not asked: 1 (x)",
        "queries that are not asked, though something is known: 1 (gone)",
    )


def test_an_id_that_is_another_query_is_refused_with_both_files_lines_and_texts(tmp_path):
    asked = queries(
        tmp_path, {"query_id": "q1", "text": "one"}, {"query_id": "q2", "text": "three"}
    )
    path = answered(
        tmp_path,
        {"query_id": "q1", "query": "one", "expected": "a"},
        {"query_id": "q2", "query": "two", "expected": "b"},
        {"query_id": "q3", "query": "three", "expected": "c"},
    )
    with pytest.raises(InputError) as refusal:
        expectations_of(queries=asked, answers=path)
    assert str(refusal.value) == (
        f"{path}:2: query 'q2' is 'three' in {asked}:2, and 'two' here;"
        " mend the id or the text; an answer with an id needs no text"
    )


@pytest.mark.parametrize("written", ["my q", "my%20q"])
def test_an_id_with_a_blank_is_known_in_either_spelling(written, tmp_path):
    asked = queries(tmp_path, {"query_id": "my q", "text": "what"})
    path = answered(tmp_path, {"query_id": written, "expected": "my file"})
    assert ids_of(expectations_of(queries=asked, answers=path)) == ["my q"]


def test_two_answers_to_one_query_are_refused_with_both_lines(tmp_path):
    asked = queries(tmp_path, {"query_id": "a", "text": "one"})
    path = answered(
        tmp_path,
        {"query": "one", "expected": "x"},
        {"query": "one ", "expected": "y"},
    )
    with pytest.raises(InputError, match=r":2: query 'a' has answers in line 1 already"):
        expectations_of(queries=asked, answers=path)


def test_qrels_need_queries_and_those_without_a_line_are_not_asked(tmp_path):
    grades = qrels(tmp_path, "my%20q 0 my%20file 2\nlost 0 a 1\n")
    with pytest.raises(UsageError, match="give the queries, too"):
        expectations_of(queries=None, qrels=grades)
    asked = queries(
        tmp_path, {"query_id": "my q", "text": "what"}, {"query_id": "x", "text": "else"}
    )
    found = expectations_of(queries=asked, qrels=grades)
    assert (ids_of(found), found.qrels) == (["my q"], {"my q": {"my file": 2}})
    assert len(found.notes) == 2


def test_nothing_in_common_is_refused(tmp_path):
    asked = queries(tmp_path, {"query_id": "x", "text": "else"})
    for given in (
        {"answers": answered(tmp_path, {"query": "what", "expected": "a"})},
        {"qrels": qrels(tmp_path, "q 0 d 1\n")},
    ):
        with pytest.raises(InputError, match="none of its queries is in"):
            expectations_of(queries=asked, **given)


# How systems fare by it


def test_scores_are_those_of_plain_qrels_where_ids_have_no_blanks(tmp_path):
    luck = random.Random(1)
    grades = {f"q{n}": {f"d{m}": luck.choice([-1, 0, 1, 2]) for m in range(6)} for n in range(5)}
    lines = [f"{q} 0 {d} {g}\n" for q, its in grades.items() for d, g in its.items()]
    asked = queries(tmp_path, *({"query_id": q, "text": q} for q in grades))
    found = expectations_of(queries=asked, qrels=qrels(tmp_path, "".join(lines)))
    runs = [
        Run(tag, {q: {f"d{m}": luck.random() for m in range(3, 12)} for q in list(grades)[start:]})
        for tag, start in (("a", 0), ("b", 2))
    ]
    assert dict(found.scores(runs, MEASURES)) == dict(
        score_runs(grades, runs, MEASURES, complete=True)
    )


def test_a_run_of_nothing_has_zeros_over_all_queries(tmp_path):
    path = answered(tmp_path, {"query": "a", "expected": "x"}, {"query": "b", "pattern": "y"})
    found = expectations_of(queries=None, answers=path)
    scores = found.scores([Run("nothing", {}), Run("one", {"q002": {"yes": 1.0}})], MEASURES)
    assert scores["nothing"].query_ids == scores["one"].query_ids == ("q001", "q002")
    assert scores["nothing"].mean("RR@10") == 0
    assert scores["one"].values["RR@10"] == (0.0, 1.0)
    with pytest.raises(UsageError, match="two runs have one tag"):
        found.scores([Run("x", {}), Run("x", {})], MEASURES)


def test_ids_of_another_kind_are_told(tmp_path):
    """The commonest slip: the system says `/home/ann/src/a.py`, the answers `src/a.py`."""
    found = expectations_of(
        queries=None, answers=answered(tmp_path, {"query": "a", "expected": "src/a.py"})
    )
    runs = [Run("off", {"q001": {"/home/ann/src/a.py": 1.0}}), Run("on", {"q001": {"src/a.py": 1}})]
    (remark,) = found.scores(runs, MEASURES).remarks
    assert "'off'" in remark
    assert "'/home/ann/src/a.py'" in remark
    assert "'src/a.py'" in remark


@pytest.mark.parametrize("credit", ["once", "every"])
def test_first_ranks_and_reciprocal_ranks_are_of_one_mind(credit, tmp_path):
    """Lines that overlap, patterns, ids with blanks in either spelling, grades of 0."""
    path = answered(
        tmp_path,
        {"query": "lines", "expected": ["src/a.py:10-20"]},
        {"query": "pattern", "patterns": [r"b\.py$", "^c"]},
        {"query": "blank", "expected": ["my file"]},
        {"query": "code", "expected": ["my%20file"]},
        {"query": "wrong", "expected": ["w"], "grade": 0},
    )
    found = expectations_of(queries=None, answers=path)
    lists = {
        "q001": ["src/a.py:1-9", "src/a.py:20-30", "src/a.py"],
        "q002": ["a.py", "b.pyc", "c.py", "b.py"],
        "q003": ["file", "my file"],
        "q004": ["my", "other", "my file"],
        "q005": ["w", "v"],
    }
    run = Run("it", {q: {d: 1 / n for n, d in enumerate(its, 1)} for q, its in lists.items()})
    rr = found.scores([run], MEASURES, credit)["it"].values["RR@10"]
    first = [
        found.looked_at(q, {"it": lists[q.query_id]}, {}).found["it"].first for q in found.queries
    ]
    assert first == [2, 3, 2, 3, None]
    assert rr == tuple(0 if rank is None else 1 / rank for rank in first)


def test_what_was_found_has_its_grades(tmp_path):
    asked = queries(tmp_path, {"query_id": "q", "text": "t", "class": "c"})
    grades = qrels(tmp_path, "q 0 good 2\nq 0 some 1\nq 0 bad 0\nq 0 pooled -1\n")
    found = expectations_of(queries=asked, qrels=grades)
    (query,) = found.queries
    others = [(f"other{n}", None) for n in range(TOP - 4)]
    doc_ids = ["new", "pooled", "bad", "good", *(name for name, _ in others), "some"]
    looked = found.looked_at(query, {"a": doc_ids, "b": []}, {"b": "timed out"})
    assert looked.expected == (("good", 2), ("some", 1))
    first = (("new", None), ("pooled", None), ("bad", 0), ("good", 2))
    assert looked.found["a"].top == (*first, *others)
    assert (looked.found["a"].first, looked.found["a"].failed) == (4, "")
    assert (looked.found["b"].top, looked.found["b"].first) == ((), None)
    assert looked.found["b"].failed == "timed out"


def test_a_pattern_is_told_apart_from_a_path_that_reads_like_it(tmp_path):
    path = answered(tmp_path, {"query": "q", "expected": "src/a.py", "pattern": "src/a.py"})
    found = expectations_of(queries=None, answers=path)
    looked = found.looked_at(found.queries[0], {"it": ["src/aXpy"]}, {})
    assert looked.expected == (("src/a.py", 1), ("/src/a.py/", 1))
    assert looked.found["it"].first == 1


def test_what_answers_do_not_say_is_refused_and_qrels_do_say_it(tmp_path):
    found = expectations_of(
        queries=None, answers=answered(tmp_path, {"query": "q", "expected": "a"})
    )
    with pytest.raises(UsageError, match="Judged@10 is about documents that were judged"):
        found.refuse(parse_measures(["nDCG@10", "Judged@10"]))
    asked = queries(tmp_path, {"query_id": "q", "text": "t"})
    expectations_of(queries=asked, qrels=qrels(tmp_path, "q 0 d 1\n")).refuse(
        parse_measures(["Judged@10"])
    )


GRADED = {
    "trec": ("g.qrels", "q%201 0 my%20file 2\nq%201 0 a%2520b 1\nq%201 0 https://x/My%20Page 3\n"),
    "table": (
        "g.csv",
        "query_id,doc_id,grade\nq 1,my file,2\nq 1,a%20b,1\nq 1,https://x/My%20Page,3\n",
    ),
}


@pytest.mark.parametrize("form", GRADED)
def test_qrels_name_documents_as_files_of_either_sort_do(form, tmp_path):
    """An address is graded as it stands, also in foreign qrels of TREC, which do not encode it."""
    name, text = GRADED[form]
    (tmp_path / name).write_text(text)
    asked = queries(tmp_path, {"query_id": "q 1", "text": "what"})
    right = expectations_of(queries=asked, qrels=tmp_path / name)
    (query,) = right.queries
    results = {"my file": 5.0, "a%20b": 4.0, "https://x/My%20Page": 3.0, "other": 2.0}
    scored = right.scores([Run("s", {"q 1": results})], parse_measures(["Judged@4"]))
    assert scored["s"].mean("Judged@4") == 0.75
    found = right.looked_at(query, {"s": list(results)}, {}).found["s"]
    assert found.top == (("my file", 2), ("a%20b", 1), ("https://x/My%20Page", 3), ("other", None))
    # Both readings of an id are two results: no grade counts twice.
    both = right.looked_at(query, {"s": ["my%20file", "my file"]}, {}).found["s"]
    assert both.top == (("my%20file", None), ("my file", 2))


def test_an_id_of_answers_stands_for_itself(tmp_path):
    path = answered(tmp_path, {"query_id": "my%20q", "query": "what", "expected": "f"})
    assert ids_of(expectations_of(queries=None, answers=path)) == ["my%20q"]
