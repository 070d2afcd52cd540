"""`judge-tui score`: where qrels and runs come from, and trec_eval's options and form."""

import json
import subprocess
import sys

import pytest

from tests.as_typed import judge_tui, refused
from tests.programs import PROGRAM

QRELS = "q1 0 a 2\nq1 0 b 1\nq2 0 c 1\nq3 0 d 1\n"
ONE = "q1 Q0 b 1 3 one\nq1 Q0 x 2 2 one\nq1 Q0 a 3 1 one\nq2 Q0 y 1 2 one\nq2 Q0 c 2 1 one\n"
RESULTS = "query_id,doc_id,score,relevance\nq1,a,3,1\nq1,b,2,0\nq2,c,5,\nq2,d,4,2\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/one.run").write_text(ONE)
    (tmp_path / "runs/two.run").write_text(ONE.replace("one", "two"))
    (tmp_path / "sys.csv").write_text(RESULTS)
    return tmp_path


def score(*words, **more):
    return judge_tui("score", *words, **more).stdout


def means(*words, **more):
    runs = json.loads(score(*words, "-f", "json", **more))["runs"]
    return {run["tag"]: run["mean"] for run in runs}


@pytest.mark.parametrize("runs", [["runs"], ["runs/*.run"], ["runs/one.run", "runs/two.run"]])
def test_runs_from_a_folder_a_pattern_or_one_by_one(files, runs):
    assert means("qrels", *runs, "-m", "RR") == {"one": {"RR": 0.75}, "two": {"RR": 0.75}}


def test_runs_and_qrels_from_a_pipe(files):
    assert means("qrels", "-", "-m", "RR", given=ONE) == {"one": {"RR": 0.75}}
    assert means("-", "runs/one.run", "-m", "RR", given=QRELS) == {"one": {"RR": 0.75}}
    assert refused("score", "-", "-", given=ONE).startswith("standard input can be read once")
    assert refused("score", "qrels", "-", "-", given=ONE).startswith(
        "standard input is given twice"
    )


def test_a_fifo_is_read_once(files):
    done = subprocess.run(
        ["/bin/sh", "-c", 'cat runs/one.run | "$@" /dev/stdin', "sh", PROGRAM, "score", "qrels"],
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == score("qrels", "runs/one.run")


def test_queries_that_a_live_system_was_asked_in_vain_count(files):
    header = "query_id,seconds,tries,results,repeated,failure"
    answered = ["q1,0.1,1,3,0,", "q2,0.1,1,2,0,"]
    beside = files / "runs/one.latency.csv"
    alone = json.loads(score("qrels", "runs/one.run", "-f", "json", "-q"))["runs"][0]
    assert list(alone["per_query"]) == ["q1", "q2"]

    rows = [*answered, "q3,2.0,3,0,0,HTTP 500", "q9,2.0,3,0,0,HTTP 500"]
    beside.write_text("\n".join([header, *rows, ""]))
    found = json.loads(score("qrels", "runs/one.run", "-f", "json", "-q"))["runs"][0]
    assert list(found["per_query"]) == ["q1", "q2", "q3"]
    assert set(found["per_query"]["q3"].values()) == {0.0}
    assert found["mean"]["RR@10"] == pytest.approx(alone["mean"]["RR@10"] * 2 / 3, abs=1e-15)
    complete = json.loads(score("qrels", "runs/one.run", "-f", "json", "--complete"))
    assert complete["runs"][0]["mean"] == found["mean"]
    # As trec_eval has it, which knows no such file.
    assert score("qrels", "runs/one.run", "-f", "trec", "-m", "num_q").split()[-1] == "2"


def test_a_narrow_terminal_gets_several_tables_and_a_file_one(files, monkeypatch):
    monkeypatch.setattr("judge_tui.cli.printing._width", lambda _: 60)
    assert score("qrels", "runs/one.run", "-o", "scores.txt") == ""
    whole = (files / "scores.txt").read_text().split("\n\n")[0].splitlines()
    assert len(whole) == 2
    tables = score("qrels", "runs/one.run").split("\n\n")[:2]
    lines = [line for table in tables for line in table.splitlines()]
    assert len(lines) == 4
    assert max(map(len, lines)) <= 60 < len(whole[0])
    # The names of the rows stand before each.
    assert " ".join(lines[1::2]).replace(" one", "").split() == whole[1].split()


def test_trec_form_holds_gates_and_writes_files(files):
    args = ("qrels", "runs/one.run", "-f", "trec", "-m", "P.1", "-m", "runid")
    gate = ("--require", "RR>=.8")
    words = ("score", *args, *gate, "-o", "out.txt", "--save", "base.json")
    result = judge_tui(*words, code=1)
    assert result.stdout == ""
    assert result.stderr.endswith("(--complete counts them as 0)\n")
    assert (files / "out.txt").read_text() == score(*args)
    assert json.loads((files / "base.json").read_text())["measures"] == ["P@1"]


@pytest.mark.parametrize("option", [(), ("--jobs", "2")])
def test_files_of_an_object_store_are_read_by_their_urls(files, option):
    by_url = [f"file://{files}/{name}" for name in ("qrels", "runs/one.run", "runs/two.run")]
    words = ("-q", "-f", "json", *option)
    found = judge_tui("score", *by_url[:2], f"2={by_url[2]}", *words).stdout
    assert found == judge_tui("score", "qrels", "runs/one.run", "2=runs/two.run", *words).stdout


def test_a_url_that_names_nothing(files):
    assert "there is no such file" in refused("score", "qrels", f"file://{files}/none.run")
    said = refused("score", "qrels", "nowhere://bucket/one.run")
    assert said.startswith("nowhere://bucket/one.run: cannot be opened")


def test_fsspec_is_not_installed(files, monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    said = refused("score", "qrels", f"file://{files}/runs/one.run")
    assert said.endswith("pip install 'judge_tui[cluster]'")
