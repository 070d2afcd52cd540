"""`judge-tui score --bounds`: how far grading what nobody judged could move a score."""

import csv
import io
import json

import pytest

from judge_tui.report import FORMS
from tests import as_typed

RUN = "".join(f"q1 Q0 d{rank} {rank} {99 - rank} sys\n" for rank in range(1, 11))


@pytest.fixture
def files(tmp_path, monkeypatch):
    """One judged document, which the run has first, and nine behind it that nobody judged."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "sys.run").write_text(RUN)
    return tmp_path


def invoke(*args):
    return as_typed.invoke("score", "qrels", "sys.run", *args)


def run_of(*args):
    return json.loads(invoke(*args, "-f", "json", "--bounds").stdout)["runs"][0]


def test_json_has_the_bounds_of_every_measure(files):
    run = run_of("-m", "P@5", "-m", "RR", "-m", "Judged@10")
    assert run["bounds"] == {"P@5": [0.2, 1.0], "RR": [1.0, 1.0], "Judged@10": None}
    assert run["why"]["bounds"]["Judged@10"] == "not bounded"


def test_csv_has_them_beside_the_mean(files):
    rows = list(csv.reader(io.StringIO(invoke("-m", "P@5", "--bounds", "-q", "-f", "csv").stdout)))
    assert rows == [
        ["tag", "query_id", "measure", "value", "queries", "low", "high"],
        ["sys", "q1", "P@5", "0.2", "1", "", ""],
        ["sys", "all", "P@5", "0.2", "1", "0.2", "1.0"],
    ]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_them(files, form):
    assert "1.0" in invoke("-m", "P@5", "--bounds", "-f", form).stdout
