"""`judge-tui power`, through click."""

import csv
import io
import json

import pytest

from tests import as_typed
from tests.comparison.paired_power import power_by_scipy


def invoke(*args):
    return as_typed.invoke("power", *args)


def test_how_many_queries():
    result = invoke("--effect", ".5")
    assert (result.exit_code, result.stderr) == (0, "")
    # G*Power: 34 queries, actual power .8078.
    assert result.stdout.splitlines()[2].split() == ["queries", "needed", "0.5000", "34", "0.8078"]


def test_what_so_many_queries_can_show():
    args = ["--delta", ".02", "--sd", ".1", "--queries", "50"]
    document = json.loads(invoke(*args, "-f", "json").stdout)
    assert document["settings"]["effect"] == pytest.approx(0.2)
    needed, had, seen = document["answers"]
    assert needed["answer"] == "queries needed"
    # SciPy's power, and the published .404 for 50 queries.
    assert had["power"] == pytest.approx(power_by_scipy(0.2, 50, 0.05), abs=1e-9)
    assert seen["effect"] == pytest.approx(0.404, abs=5e-4)
    assert seen["delta"] == pytest.approx(0.0404, abs=5e-5)
    rows = list(csv.DictReader(io.StringIO(invoke(*args, "-f", "csv").stdout)))
    assert [row["answer"] for row in rows] == [one["answer"] for one in document["answers"]]
    for form in ("md", "latex"):
        assert "smallest effect seen" in invoke(*args, "-f", form).stdout


def test_what_is_undefined_has_its_reason():
    result = invoke("--queries", "1")
    assert "no power can be had from 1 queries" in result.stdout
    document = json.loads(invoke("--effect", ".3", "--queries", "1", "-f", "json").stdout)
    had = document["answers"][1]
    assert had["power"] is None
    assert had["why"] == "a variance needs at least 2 queries, here 1"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "neither an effect nor a number of queries"),
        (["--delta", ".1"], "a difference of 0.1 says nothing without its spread; add --sd"),
        (["--effect", ".3", "--power", "2"], "power 2.0 is not between"),
        (["--effect", "x"], "Invalid value for '--effect'"),
    ],
)
def test_bad_usage(args, message):
    result = invoke(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {message}")
    assert result.stderr.count("\n") == 1
