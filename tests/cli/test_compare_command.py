"""`judge-tui compare`, through click and through real processes."""

import csv
import io
import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli

QUERIES = [f"q{i:02}" for i in range(36)]


def run_text(tag, rank):
    return "".join(
        f"{query_id} Q0 {'good' if place == rank(i) else f'x{place}'} {place} {-place} {tag}\n"
        for i, query_id in enumerate(QUERIES)
        for place in range(1, 6)
    )


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("".join(f"{q} 0 good 1\n" for q in QUERIES))
    (tmp_path / "old.run").write_text(run_text("old", lambda i: 2))
    (tmp_path / "new.run").write_text(run_text("new", lambda i: 1 if i % 3 else 3))
    (tmp_path / "bad.run").write_text(run_text("bad", lambda i: 4 if i % 4 else 99))
    return tmp_path


def invoke(*args):
    return CliRunner().invoke(cli, ["compare", *args])


def test_the_tables(files):
    result = invoke("qrels", "old.run", "new.run", "bad.run", "-m", "RR@10")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "Compared with old"
    # 24 queries gain 1/2 and 12 lose 1/6: (24/2 - 12/6) / 36 = .2778.
    assert lines[2].split()[:6] == ["RR@10", "new", "36", "0.5000", "0.7778", "+0.2778"]
    assert lines[2].endswith("better")
    assert lines[3].endswith("worse")
    assert "Judged@10" in result.stdout
    assert (
        "verdict by wilcoxon, alternative two-sided, correction holm over a family of 2"
        in result.stdout
    )


def test_json(files):
    document = json.loads(invoke("qrels", "old.run", "bad.run", "-m", "P@5", "-f", "json").stdout)
    (comparison,) = document["comparisons"]
    assert document["schema_version"] == 1
    assert comparison["changed"]["removed"] == QUERIES[::4]
    assert comparison["nonzero"] == 9
    # Nine losses of one size: 2 of the 2^9 sign patterns are as extreme.
    assert comparison["tests"]["wilcoxon"]["p"] == 2 / 2**9
    assert comparison["tests"]["permutation"]["p"] == 2 / 2**9
    assert comparison["verdict"] == "worse"


def test_defaults_are_those_of_score_without_judged(files):
    document = json.loads(invoke("qrels", "old.run", "new.run", "-f", "json").stdout)
    measures = [comparison["measure"] for comparison in document["comparisons"]]
    assert measures == ["nDCG@10", "RR@10", "P@5", "R@100", "AP"]
    assert document["settings"]["tests"] == ["wilcoxon", "permutation"]


def test_csv_is_a_row_a_comparison(files):
    result = invoke("qrels", "old.run", "new.run", "bad.run", "-m", "RR", "-t", "sign", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["tag"] for row in rows] == ["new", "bad"]
    assert rows[0]["sign_statistic"] == "24.0"
    assert rows[1]["verdict"] == "worse"
    assert rows[1]["removed"] == "9"


def test_options_reach_the_tests(files):
    args = ["qrels", "old.run", "new.run", "-m", "RR", "-f", "json"]
    document = json.loads(
        invoke(
            *args,
            "-t",
            "t",
            "--correction",
            "none",
            "--alternative",
            "less",
            "--alpha",
            ".01",
            "--seed",
            "5",
        ).stdout
    )
    assert document["settings"] == {
        "baseline": "old",
        "all_pairs": False,
        "tests": ["t"],
        "verdict_by": "t",
        "correction": "none",
        "alternative": "less",
        "p_adjusted_of": "p_less",
        "alpha": 0.01,
        "seed": 5,
        "permutations": 100_000,
        "resamples": 10_000,
    }
    test = document["comparisons"][0]["tests"]["t"]
    assert test["p_adjusted"] == test["p_less"] > 0.99
    assert document["comparisons"][0]["verdict"] == "no difference shown"


def test_a_p_that_is_not_there_has_its_reason(files):
    result = invoke("qrels", "old.run", "new.run", "-m", "P@5")
    assert "P@5, new: no wilcoxon p: no query differs" in result.stdout
    document = json.loads(invoke("qrels", "old.run", "new.run", "-m", "P@5", "-f", "json").stdout)
    (comparison,) = document["comparisons"]
    assert comparison["tests"]["wilcoxon"] == {"p": None, "why": "no query differs"}
    assert comparison["effect_size"] is None
    assert list(comparison["why"]) == ["effect_size"]


@pytest.mark.parametrize("correction", ["holm", "bh"])
def test_the_family_that_is_printed_is_the_one_corrected_for(files, correction):
    (files / "twin.run").write_text(run_text("twin", lambda i: 2))
    args = ["qrels", "old.run", "bad.run", "new.run", "twin.run", "-m", "P@5"]
    args += ["--correction", correction]
    # Of three comparisons two have no p, for no query differs; bad loses nine queries: 2 / 2^9.
    assert f"correction {correction} over a family of 3" in invoke(*args).stdout
    document = json.loads(invoke(*args, "-f", "json").stdout)
    tests = [comparison["tests"]["wilcoxon"] for comparison in document["comparisons"]]
    assert tests[0]["p_adjusted"] == 3 * tests[0]["p"] == 3 * 2 / 2**9
    assert [test["p"] for test in tests[1:]] == [None, None]


def test_no_regression(files):
    held = invoke("qrels", "old.run", "new.run", "-m", "RR", "--require", "no-regression")
    assert (held.exit_code, held.stderr) == (0, "")
    failed = invoke(
        "qrels", "old.run", "new.run", "bad.run", "-m", "RR", "--require", "no-regression"
    )
    assert failed.exit_code == 1
    assert failed.stderr.startswith(
        "gate not met: no-regression: bad is worse than old by RR: -0.3"
    )
    assert failed.stdout.startswith("Compared with old")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["qrels", "old.run"], "a comparison needs two runs, here 1; give another run"),
        (["qrels", "old.run", "old.run"], "old.run and old.run have the same tag 'old'"),
        (["qrels", "old.run", "new.run", "--baseline", "od"], "no run 'od'; did you mean 'old'?"),
        (["qrels", "old.run", "new.run", "-t", "ttest"], "no test 'ttest'"),
        (["qrels", "old.run", "new.run", "--alpha", "5"], "alpha 5.0 is not between 0 and 1"),
        (["qrels", "old.run", "new.run", "--seed", "-1"], "Invalid value for '--seed'"),
        (["qrels", "old.run", "new.run", "--require", "RR>1"], "'RR>1' is no gate"),
        (
            [
                "qrels",
                "old.run",
                "new.run",
                "--require",
                "no-regression",
                "--alternative",
                "greater",
            ],
            "--alternative greater cannot see a loss",
        ),
    ],
)
def test_bad_usage(files, args, message):
    result = invoke(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"error: {message}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("form", ["table", "json", "csv", "md", "latex"])
def test_the_same_input_gives_the_same_bytes(files, form):
    command = [sys.executable, "-c", "from judge_tui.cli import main; main()", "compare"]
    command += ["qrels", "old.run", "new.run", "bad.run", "-f", form]
    outputs = {subprocess.run(command, capture_output=True, check=True).stdout for _ in range(2)}
    assert len(outputs) == 1


def test_help_lists_the_tests():
    text = " ".join(invoke("--help").stdout.split())
    assert "wilcoxon: Wilcoxon signed-rank, zeros dropped" in text
    assert "sign: exact sign test" in text
