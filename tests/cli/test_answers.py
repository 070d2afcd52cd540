"""Answers in place of qrels, through the command line: score, compare, check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.as_typed import judge_tui

# By hand: of run `new`, q001 has a.py at rank 2 and b.py:18-30 at 3, as in octocode's example
# (nDCG@10 .6697); c.py stands first for q002.
ANSWERS = """\
[{"query": "read", "expected": ["src/a.py:1-9:2", "src/b.py:10-20"], "class": "how"},
 {"query": "sort", "expected": "src/c.py", "class": "where"}]
"""
OLD = """\
q001 Q0 src/x.py 1 3 old
q001 Q0 src/y.py 2 2 old
q002 Q0 src/x.py 1 2 old
q002 Q0 src/c.py:7-9 2 1 old
"""
NEW = """\
q001 Q0 src/x.py 1 3 new
q001 Q0 src/a.py:5-30 2 2 new
q001 Q0 ./src/b.py:18-30 3 1 new
q002 Q0 src/c.py 1 1 new
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    for name, text in (
        ("answers.json", ANSWERS),
        ("runs/old.run", OLD),
        ("runs/new.run", NEW),
        ("qrels", "q001 0 src/a.py:5-30 1\n"),
    ):
        (tmp_path / name).write_text(text)
    return tmp_path


def score(*words: str, given: str | None = None) -> dict[str, Any]:
    result = judge_tui("score", "--answers", "answers.json", "-f", "json", *words, given=given)
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_grades_by_answers() -> None:
    found = score("runs/new.run", "-m", "nDCG@10", "-q")
    values = found["runs"][0]["per_query"]
    assert values["q001"]["nDCG@10"] == pytest.approx(0.6697, abs=0.00005)
    assert values["q002"]["nDCG@10"] == 1


def test_a_table_of_results_beside_answers_is_a_run() -> None:
    Path("table.csv").write_text(
        "query_id,doc_id,rank,relevance\nq001,src/x.py,1,1\nq001,src/a.py:5-30,2,0\n"
        "q001,src/b.py:18-30,3,0\nq002,src/c.py,1,0\n"
    )
    assert score("table.csv")["runs"][0]["mean"] == score("runs/new.run")["runs"][0]["mean"]


def test_credit_for_every_result_may_exceed_1() -> None:
    run = "q002 Q0 src/c.py:1-2 1 3 t\nq002 Q0 src/c.py:5-6 2 2 t\n"
    found = score("-m", "nDCG", "--credit", "every", "-", given=run)
    assert found["settings"]["credit"] == "every"
    # 1 + 1/log2(3), by an ideal of 1.
    assert found["runs"][0]["mean"]["nDCG"] == pytest.approx(1.63093, abs=0.00001)
    assert score("-m", "nDCG", "-", given=run)["runs"][0]["mean"]["nDCG"] == 1
