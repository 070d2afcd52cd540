"""`judge-tui score --bounds`: how far grading what nobody judged could move a score."""

import csv
import io
import json

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli
from judge_tui.report import FORMS

RUN = "".join(f"q1 Q0 d{rank} {rank} {99 - rank} sys\n" for rank in range(1, 11))


@pytest.fixture
def files(tmp_path, monkeypatch):
    """One judged document, which the run has first, and nine behind it that nobody judged."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "sys.run").write_text(RUN)
    return tmp_path


def invoke(*args):
    return CliRunner().invoke(cli, ["score", "qrels", "sys.run", *args])


def run_of(*args):
    return json.loads(invoke(*args, "-f", "json", "--bounds").stdout)["runs"][0]


def test_json_has_the_bounds_of_every_measure(files):
    run = run_of("-m", "P@5", "-m", "RR", "-m", "Judged@10")
    assert run["bounds"] == {"P@5": [0.2, 1.0], "RR": [1.0, 1.0], "Judged@10": None}
    assert run["why"]["bounds"]["Judged@10"] == "not bounded"


def test_the_greatest_grade_widens_them(files):
    # The design's example: nDCG is 1 with all others 0, and .853 with all others 3; the least is
    # lower still, as the grades may rise from rank to rank.
    low, high = run_of("-m", "nDCG", "--max-grade", "3")["bounds"]["nDCG"]
    assert (low < 0.853, high) == (True, 1.0)
    assert run_of("-m", "nDCG")["bounds"]["nDCG"][0] > low


def test_the_table_has_them_beside_the_score(files):
    text = invoke("-m", "P@5", "-m", "RR", "--bounds").stdout
    assert text.split("\n\n")[1].splitlines() == [
        "Were every retrieved document judged",
        "measure  run     low   score    high",
        "P@5      sys  0.2000  0.2000  1.0000",
        "RR       sys  1.0000  1.0000  1.0000",
    ]
    assert "low and high over the grades 0, 1\n" in text


def test_they_are_of_the_queries_that_are_averaged_now(files):
    said = "low and high over the queries that are averaged now: judge a document of one"
    assert said not in invoke("-m", "RR", "--bounds").output
    (files / "sys.run").write_text(RUN + "q2 Q0 d1 1 1 sys\n")
    assert run_of("-m", "RR")["bounds"]["RR"] == [1.0, 1.0]
    assert said in invoke("-m", "RR", "--bounds").output
    (files / "qrels").write_text("q1 0 d1 1\nq2 0 d1 0\n")
    assert run_of("-m", "RR")["mean"]["RR"] == 0.5


def test_csv_has_them_beside_the_mean(files):
    rows = list(csv.reader(io.StringIO(invoke("-m", "P@5", "--bounds", "-q", "-f", "csv").stdout)))
    assert rows == [
        ["tag", "query_id", "measure", "value", "low", "high"],
        ["sys", "q1", "P@5", "0.2", "", ""],
        ["sys", "all", "P@5", "0.2", "0.2", "1.0"],
    ]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_them(files, form):
    assert "1.0" in invoke("-m", "P@5", "--bounds", "-f", form).stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ["-J"],
            "bounds are about unjudged documents, and judged-only takes them out",
        ),
        (["-f", "trec"], "-f trec has no place for --by, --against and --bounds"),
    ],
)
def test_what_makes_no_sense_is_refused(files, args, message):
    result = invoke("--bounds", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {message}")
