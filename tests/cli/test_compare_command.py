"""`judge-tui compare`, through click and through real processes."""

import csv
import io
import json
from itertools import combinations

import pytest

from tests.as_typed import judge_tui, refused

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


def compared(*words):
    """The JSON of a comparison."""
    return json.loads(judge_tui("compare", *words, "-f", "json").stdout)


def test_queries_one_by_one_are_those_of_score(files):
    words = ("qrels", "old.run", "new.run", "-m", "RR", "-q")
    scored = json.loads(judge_tui("score", *words, "-f", "json").stdout)["runs"]
    old, new = (run["per_query"] for run in scored)
    (one,) = compared(*words)["comparisons"]
    rows = csv.DictReader(io.StringIO(judge_tui("compare", *words, "-f", "csv").stdout))
    assert [row["query_id"] for row in rows] == list(one["per_query"])
    deltas = [query["delta"] for query in one["per_query"].values()]
    assert deltas == sorted(deltas, reverse=True)
    for query_id, query in one["per_query"].items():
        assert (query["before"], query["value"]) == (old[query_id]["RR"], new[query_id]["RR"])
        assert query_id in one["changed"][query["changed"]]


def test_a_word_that_names_a_file_is_no_measure(files):
    (files / "RR").write_text((files / "new.run").read_text())
    document = compared("qrels", "old.run", "RR")
    assert [one["tag"] for one in document["comparisons"]] == ["new"]
    assert "did you mean nDCG@10?" in refused("compare", "qrels", "old.run", "nDGC@10")
    assert "no such file" in refused("compare", "qrels", "old.run", "run(1).txt")


def test_gates_on_means(files):
    args = ["compare", "qrels", "old.run", "new.run", "bad.run", "-m", "P@5"]
    # RR: old .5, new .7778; of bad 27 queries have it at rank 4: .75 / 4 = .1875.
    held = judge_tui(*args, "--require", "new:RR>=0.77", "--require", "old:RR>=.5")
    gates = [line for line in held.stderr.splitlines() if line.startswith("gate")]
    assert gates == ["gate met: new:RR>=0.77: new 0.7778", "gate met: old:RR>=.5: old 0.5000"]
    failed = judge_tui(*args, "--require", "RR>=baseline-0.01", "--require", "RR>=0.8", code=1)
    lines = [line for line in failed.stderr.splitlines() if line.startswith("gate")]
    assert lines == [
        "gate not met: RR>=baseline-0.01: bad has 0.1875 (baseline 0.5000)",
        "gate not met: RR>=0.8: new has 0.7778; bad has 0.1875",
    ]
    # What only a gate asks for is not compared.
    assert "correction holm over 2\n" in failed.stdout
    assert "RR" not in failed.stdout


def test_a_run_that_answers_less_than_the_baseline_is_a_regression(files):
    lines = run_text("few", lambda i: 1).splitlines(keepends=True)
    (files / "few.run").write_text("".join(lines[: 7 * 5]))
    args = ("compare", "qrels", "old.run", "few.run", "-m", "RR", "--require", "no-regression")
    result = judge_tui(*args, code=1)
    # By the seven queries that it does answer, it is the better one.
    assert "gate not met: no-regression: few lacks results for 29 queries" in result.stderr
    document = json.loads(judge_tui(*args, "--complete", "-f", "json", code=1).stdout)
    assert document["settings"]["complete"] is True
    (comparison,) = document["comparisons"]
    # 7 of 36 queries with the relevant document first, the others 0; old has it second always.
    assert comparison["mean"] == 7 / 36
    assert (comparison["queries"], comparison["verdict"]) == (36, "worse")


def test_many_runs_want_a_baseline_or_all_pairs_in_csv(files, monkeypatch):
    monkeypatch.setattr("judge_tui.evaluation.score_inputs._MOST_AT_ONCE", 9)
    tags = [f"s{number}" for number in range(10)]
    rows = ["query," + ",".join(tags), *(f"{q},{','.join('1' * len(tags))}" for q in QUERIES)]
    (files / "values.csv").write_text("\n".join(rows))
    words = ("--values", "values.csv", "-t", "sign")
    assert refused("compare", *words).startswith("10 runs are many to compare with the first")
    compared(*words, "--baseline", "s7")
    many = ("compare", *words, "--all-pairs", "-f")
    rows_of_pairs = csv.DictReader(io.StringIO(judge_tui(*many, "csv").stdout))
    assert [(row["baseline"], row["tag"]) for row in rows_of_pairs] == [*combinations(tags, 2)]
    for more in (["table"], ["json"], ["csv", "-q"], ["csv", "--tukey"]):
        assert refused(*many, *more).startswith("10 runs have 45 pairs: too many")
    (files / "values.csv").write_text("\n".join(row.rpartition(",")[0] for row in rows))
    compared(*words)
