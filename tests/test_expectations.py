"""What is right for each query, by answers and by qrels, and how systems fare by it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

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


def test_an_id_of_answers_stands_for_itself(tmp_path):
    path = answered(tmp_path, {"query_id": "my%20q", "query": "what", "expected": "f"})
    assert ids_of(expectations_of(queries=None, answers=path)) == ["my%20q"]
