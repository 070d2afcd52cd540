"""`TAG=FILE` with score and compare: runs whose files do not tell them apart."""

import json
from pathlib import Path

import pytest

from tests.as_typed import judge_tui, refused

# Some tools write their own name into the tag of every run; others put the time there.
RUN = "q1 Q0 a 1 2 Anserini\nq1 Q0 b 2 1 Anserini\nq2 Q0 c 1 1 Anserini\n"
OTHER = "q1 Q0 b 1 2 Anserini\nq1 Q0 a 2 1 Anserini\nq2 Q0 c 1 1 Anserini\n"
TIMES = "q1 Q0 b 1 2 12:00\nq1 Q0 a 2 1 12:01\nq2 Q0 c 1 1 12:01\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("q1 0 a 1\nq2 0 c 1\n")
    (tmp_path / "a.run").write_text(RUN)
    (tmp_path / "b.run").write_text(OTHER)
    (tmp_path / "times.run").write_text(TIMES)
    return tmp_path


def means(*words, **more):
    result = judge_tui("score", *words, "-m", "RR", "-f", "json", **more)
    return {run["tag"]: run["mean"]["RR"] for run in json.loads(result.stdout)["runs"]}


def test_runs_of_one_tag_are_named_by_their_files():
    # By hand: b.run has the relevant document of q1 at 2.
    assert means("qrels", "a.run", "b.run") == {"a": 1.0, "b": 0.75}
    Path("other").mkdir()
    Path("other/a.run").write_text(OTHER)
    line = refused("score", "qrels", "a.run", "other/a.run")
    assert line.startswith("a.run and other/a.run have the same tag 'Anserini'; name one of")
    assert means("qrels", "a.run", "new=b.run") == {"Anserini": 1.0, "new": 0.75}
    assert means("qrels", "old=a.run", "new=b.run", "-j", "2") == {"old": 1.0, "new": 0.75}
    assert means("qrels", "a.run", "new=-", given=OTHER) == {"Anserini": 1.0, "new": 0.75}


def test_a_file_of_several_tags_is_a_run_once_it_has_a_name():
    line = refused("score", "qrels", "times.run")
    assert line.startswith("times.run:2: tag '12:01', but '12:00' on line 1; ")
    assert means("qrels", "mine=times.run") == {"mine": 0.75}


def test_results_with_their_grades_can_be_named(folder):
    for place in ("one", "two"):
        (folder / place).mkdir()
        (folder / place / "sys.csv").write_text("query_id,doc_id,score,relevance\nq1,a,1,1\n")
    assert "have the same tag 'sys'; " in refused("score", "one/sys.csv", "two/sys.csv")
    assert means("one/sys.csv", "two=two/sys.csv") == {"sys": 1.0, "two": 1.0}
    assert means("one=one/sys.csv", "two=two/sys.csv") == {"one": 1.0, "two": 1.0}
    assert means("one=one/sys.csv") == {"one": 1.0}
    text = "query_id,doc_id,score,relevance\nq1,a,1,1\n"
    assert means("piped=-", given=text) == {"piped": 1.0}
