"""`judge-tui compare`, through click and through real processes."""

import csv
import io
import json

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli
from tests.as_typed import printed_twice

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


@pytest.mark.parametrize(
    ("named", "compared"),
    [
        ([], ["nDCG@10"]),
        (["ndcg@5", "map"], ["nDCG@5", "AP"]),
        (["RR", "-m", "AP(rel=2)"], ["AP(rel=2)", "RR"]),
    ],
)
def test_measures_are_named_after_the_files_or_by_an_option(files, named, compared):
    result = invoke("qrels", "old.run", "new.run", *named, "-f", "json")
    document = json.loads(result.stdout)
    assert [one["measure"] for one in document["comparisons"]] == compared
    assert document["settings"]["tests"] == ["wilcoxon", "permutation"]


def test_a_word_that_names_a_file_is_no_measure(files):
    (files / "RR").write_text((files / "new.run").read_text())
    document = json.loads(invoke("qrels", "old.run", "RR", "-f", "json").stdout)
    assert [one["tag"] for one in document["comparisons"]] == ["new"]
    assert "no such file" in invoke("qrels", "old.run", "nDGC@10").stderr


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
        "complete": False,
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
    assert "wilcoxon p of P@5 new: no query differs\n" in result.stdout
    document = json.loads(invoke("qrels", "old.run", "new.run", "-m", "P@5", "-f", "json").stdout)
    (comparison,) = document["comparisons"]
    assert comparison["tests"]["wilcoxon"] == {"p": None, "why": "no query differs"}
    assert comparison["effect_size"] is None
    assert comparison["ci95"] is None
    assert list(comparison["why"]) == ["ci95", "effect_size"]


def test_a_reason_is_told_once_of_all_comparisons_that_share_it(files):
    told = invoke("qrels", "old.run", "new.run", "-m", "P@5", "-m", "P@10", "-m", "P@20").stdout
    assert [line for line in told.splitlines() if "wilcoxon p of" in line] == [
        "wilcoxon p of P@5 new, wilcoxon p of P@10 new, wilcoxon p of P@20 new: no query differs"
    ]


@pytest.mark.parametrize("correction", ["holm", "bh"])
def test_the_family_that_is_printed_is_the_one_corrected_for(files, correction):
    (files / "twin.run").write_text(run_text("twin", lambda i: 2))
    args = ["qrels", "old.run", "bad.run", "new.run", "twin.run", "-m", "P@5"]
    args += ["--correction", correction]
    # Of three comparisons two have no p, for no query differs; bad loses nine queries: 2 / 2^9.
    assert f"correction {correction} over 3\n" in invoke(*args).stdout
    document = json.loads(invoke(*args, "-f", "json").stdout)
    tests = [comparison["tests"]["wilcoxon"] for comparison in document["comparisons"]]
    assert tests[0]["p_adjusted"] == 3 * tests[0]["p"] == 3 * 2 / 2**9
    assert [test["p"] for test in tests[1:]] == [None, None]


CLASSES = "".join(
    json.dumps({"query_id": query_id, "text": "t", **({"class": name} if name else {})}) + "\n"
    for query_id, name in zip(QUERIES, ["hard"] * 20 + ["easy"] * 12 + [""] * 4, strict=True)
)


def test_a_campaign_in_place_of_files(files):
    (files / "queries.jsonl").write_text(CLASSES)
    db = ("--db", "campaign.db")
    for args in (
        ["init"],
        ["load", "queries", "queries.jsonl"],
        ["load", "run", "old.run", "new.run"],
        ["load", "qrels", "qrels", "--judge", "ann"],
    ):
        assert CliRunner().invoke(cli, [*args, *db]).exit_code == 0, args
    args = ["-m", "RR@5", "-f", "json"]
    campaign = json.loads(invoke(*db, *args).stdout)
    from_files = json.loads(invoke("qrels", "old.run", "new.run", *args).stdout)
    assert campaign["settings"]["campaign"]["policy"] == "majority"
    assert campaign["comparisons"] == from_files["comparisons"]
    assert json.loads(invoke(*db, "old", "RR@5", "new", "-f", "json").stdout) == campaign
    sliced = json.loads(invoke(*db, "new", "old", *args, "--by", "class").stdout)
    assert [(c["baseline"], c["slice"]) for c in sliced["comparisons"]] == [
        ("new", "easy"),
        ("new", "hard"),
        ("new", ""),
    ]


def test_all_pairs_and_tukey(files):
    args = ["qrels", "old.run", "new.run", "bad.run", "-m", "RR", "-m", "P@5"]
    args += ["--all-pairs", "--tukey"]
    document = json.loads(invoke(*args, "-f", "json").stdout)
    pairs = [("old", "new"), ("old", "bad"), ("new", "bad")]
    assert [(c["baseline"], c["tag"]) for c in document["comparisons"]] == pairs * 2
    assert document["settings"]["baseline"] is None
    assert [tuple(t["tags"]) for t in document["tukey"]] == pairs * 2
    assert list(document["tukey"][0]) == ["measure", "tags", "queries", "delta", "p", "draws"]
    # Where no permutation of 100,000 gives so great a range, p = (0 + 1) / (draws + 1).
    assert document["tukey"][2]["p"] == 1 / 100_001
    table = invoke(*args).stdout
    assert table.startswith("Each run compared with every earlier one\n")
    assert "Randomised Tukey HSD, all pairs of runs at once" in table
    rows = list(csv.DictReader(io.StringIO(invoke(*args, "-f", "csv").stdout)))
    assert [float(row["tukey_p"]) for row in rows] == [t["p"] for t in document["tukey"]]


def test_gates_on_means(files):
    args = ["qrels", "old.run", "new.run", "bad.run", "-m", "P@5"]
    # RR: old .5, new .7778; of bad 27 queries have it at rank 4: .75 / 4 = .1875.
    held = invoke(*args, "--require", "new:RR>=0.77", "--require", "old:RR>=.5")
    assert held.exit_code == 0
    gates = [line for line in held.stderr.splitlines() if line.startswith("gate")]
    assert gates == ["gate met: new:RR>=0.77: new 0.7778", "gate met: old:RR>=.5: old 0.5000"]
    failed = invoke(*args, "--require", "RR>=baseline-0.01", "--require", "RR>=0.8")
    assert failed.exit_code == 1
    lines = [line for line in failed.stderr.splitlines() if line.startswith("gate")]
    assert lines[0] == "gate not met: RR>=baseline-0.01: bad has 0.1875, the baseline 0.5000"
    assert lines[1].startswith("gate not met: RR>=0.8: new has 0.7778")
    assert lines[2:] == ["gate not met: RR>=0.8: bad has 0.1875"]
    # What only a gate asks for is not compared.
    assert "correction holm over 2\n" in failed.stdout
    assert "RR" not in failed.stdout


def test_a_gate_stands_beside_the_baseline_over_the_queries_of_both(files):
    # Where new gains, it has 1; the baseline has .5 there as everywhere.
    kept = (files / "new.run").read_text().splitlines(keepends=True)
    (files / "part.run").write_text("".join(kept[5:15]).replace("new", "part"))
    args = ["qrels", "old.run", "part.run", "-m", "RR", "--allow-missing", "40"]
    assert invoke(*args, "--require", "RR>=baseline+0.5").exit_code == 0
    assert invoke(*args, "--require", "RR>=baseline+0.51").exit_code == 1


def test_the_p_that_was_corrected_is_named(files):
    args = ["qrels", "old.run", "new.run", "-m", "RR", "--alternative", "greater"]
    document = json.loads(invoke(*args, "-f", "json").stdout)
    test = document["comparisons"][0]["tests"]["wilcoxon"]
    assert document["settings"]["p_adjusted_of"] == "p_greater"
    assert test["p_adjusted"] == test["p_greater"] < test["p"]
    (row,) = csv.DictReader(io.StringIO(invoke(*args, "-f", "csv").stdout))
    assert row["p_adjusted_of"] == "p_greater"
    assert row["wilcoxon_p_adjusted"] == row["wilcoxon_p_greater"]


def test_mcnemar_is_for_values_of_0_and_1(files):
    args = ["qrels", "old.run", "bad.run", "-m", "Success@4", "-m", "RR", "-t", "mcnemar"]
    success, rank = json.loads(invoke(*args, "-f", "json").stdout)["comparisons"]
    # Nine queries are lost and none gained: 2 / 2^9.
    assert success["tests"]["mcnemar"]["statistic"] == 0.0
    assert success["tests"]["mcnemar"]["p"] == 2 / 2**9
    assert rank["tests"]["mcnemar"] == {
        "p": None,
        "why": "the test is for measures whose values are 0 or 1, such as Success@10",
    }


def test_no_regression(files):
    held = invoke("qrels", "old.run", "new.run", "-m", "RR", "--require", "no-regression")
    assert held.exit_code == 0
    assert "gate met: no-regression\n" in held.stderr
    failed = invoke(
        "qrels", "old.run", "new.run", "bad.run", "-m", "RR", "--require", "no-regression"
    )
    assert failed.exit_code == 1
    assert "gate not met: no-regression: bad is worse than old by RR: -0.3" in failed.stderr
    assert failed.stdout.startswith("Compared with old")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["qrels", "old.run"], "a comparison needs two runs, here 1; give another run"),
        (["qrels", "old.run", "old.run"], "'old.run' is given twice"),
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


def test_the_same_input_gives_the_same_bytes(files):
    words = ("compare", "qrels", "old.run", "new.run", "bad.run")
    one, other = printed_twice(*words)
    assert one == other != ""


def test_help_lists_the_tests():
    text = " ".join(invoke("--help").stdout.split())
    assert "wilcoxon: Wilcoxon signed-rank, zeros dropped" in text
    assert "sign: exact sign test" in text


def test_a_run_that_answers_less_than_the_baseline_is_a_regression(files):
    lines = run_text("few", lambda i: 1).splitlines(keepends=True)
    (files / "few.run").write_text("".join(lines[: 7 * 5]))
    args = ("qrels", "old.run", "few.run", "-m", "RR", "--require", "no-regression")
    result = invoke(*args)
    assert result.exit_code == 1
    # By the seven queries that it does answer, it is the better one.
    assert "gate not met: no-regression: few lacks results for 29 queries" in result.stderr
    assert invoke(*args, "--allow-missing", "29").exit_code == 0
    complete = invoke(*args, "--complete", "-f", "json")
    assert complete.exit_code == 1
    document = json.loads(complete.stdout)
    assert document["settings"]["complete"] is True
    (comparison,) = document["comparisons"]
    # 7 of 36 queries with the relevant document first, the others 0; old has it second always.
    assert comparison["mean"] == 7 / 36
    assert (comparison["queries"], comparison["verdict"]) == (36, "worse")


@pytest.mark.parametrize("measure", ["Judged@10", "Unjudged@5", "NumRet", "NumNonrelRet", "unj_5"])
def test_nothing_is_compared_by_what_is_no_quality(files, measure):
    result = invoke("qrels", "old.run", "new.run", "-m", "RR", "-m", measure)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "does not make a run better, so that runs cannot be compared by it" in result.stderr
