"""`judge-tui score`: where qrels and runs come from, and trec_eval's options and form."""

import json
import subprocess

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


def test_the_grades_of_several_results_are_put_together(files):
    # q2's c was judged in the other file alone; by it, sys.csv has a relevant document first.
    (files / "other.csv").write_text("query_id;doc_id;rank;grade\nq2;c;1;1\nq1;b;1;0\n")
    found = means("sys.csv", "other.csv", "-m", "RR", "-m", "NumRel")
    assert found == {"sys": {"RR": 1.0, "NumRel": 3.0}, "other": {"RR": 0.5, "NumRel": 3.0}}
    assert means("*.csv", "-m", "RR") == {"other": {"RR": 0.5}, "sys": {"RR": 1.0}}


def test_scores_may_be_compared_in_32_bits(files):
    # As 32-bit numbers the two scores are one, and z goes before a: trec_eval 9.0.4 has RR 0.5.
    (files / "qrels").write_text("q1 0 a 1\n")
    (files / "near.run").write_text("q1 Q0 a 1 0.50000000001 near\nq1 Q0 z 2 0.5 near\n")
    assert means("qrels", "near.run", "-m", "RR") == {"near": {"RR": 1.0}}
    found = means("qrels", "near.run", "-m", "RR", "--score-precision", "32")
    assert found == {"near": {"RR": 0.5}}


def test_the_level_and_the_first_results(files):
    # Grade 2 alone: q1 has a at 3, q2 nothing.
    (mean,) = means("qrels", "runs/one.run", "-m", "RR", "-m", "nDCG", "-l", "2").values()
    assert mean["RR(rel=2)"] == pytest.approx(1 / 6)
    assert set(mean) == {"RR(rel=2)", "nDCG"}  # nDCG has no level, as in trec_eval
    (mean,) = means("qrels", "runs/one.run", "-m", "NumRet", "-M", "1").values()
    assert mean == {"NumRet": 2.0}


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
