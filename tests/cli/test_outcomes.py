import csv
import io
import json

import pytest

from tests.as_typed import invoke

TABLE = "task,arm,compiles,tests\n" + "".join(
    f"t{place},none,{int(place == 7)},{int(place == 3)}\nt{place},docs,1,{int(place in (1, 2))}\n"
    for place in range(1, 8)
)


@pytest.fixture
def outcomes(tmp_path):
    path = tmp_path / "outcomes.csv"
    path.write_text(TABLE)
    return str(path)


def run(*args):
    return invoke("outcomes", *args)


def test_a_reader_sees_the_verdict_and_which_tasks_differ(outcomes):
    result = run(outcomes)
    assert result.exit_code == 0
    lines = [line.split() for line in result.output.splitlines()]
    (compiles,) = [line for line in lines if line[:3] == ["compiles", "docs", "7"]]
    assert compiles[4:6] == ["1", "7"]
    assert "+0.8571" in compiles
    # b = 0, c = 6: .03125, and Holm over two checks.
    assert compiles[compiles.index("0.0312") :][:2] == ["0.0312", "0.0625"]
    assert ["compiles", "docs", "t6", "docs"] in lines
    assert ["tests", "docs", "t3", "none"] in lines


def test_as_json_and_csv(outcomes):
    document = json.loads(run(outcomes, "-f", "json", "--correction", "none").output)
    first, second = document["comparisons"]
    assert first["p"] == first["p_adjusted"] == 0.03125
    assert (first["verdict"], first["gained"], second["lost"]) == ("better", 6, 1)
    told = [one["task"] for one in document["discordant"] if one["check"] == "compiles"]
    assert told == [f"t{place}" for place in range(1, 7)]
    assert document["settings"]["baseline"] == "none"
    result = run(outcomes, "-f", "csv", "--baseline", "docs")
    (row, _) = csv.DictReader(io.StringIO(result.stdout))
    assert (row["baseline"], row["arm"], row["gained"], row["lost"]) == ("docs", "none", "0", "6")
    assert float(row["delta"]) == pytest.approx(-6 / 7)


def test_arms_that_never_differ_have_no_interval_without_width(tmp_path):
    path = tmp_path / "alike.csv"
    path.write_text("task,arm,passed\n" + "".join(f"t{n},a,1\nt{n},b,1\n" for n in range(8)))
    assert "interval of passed, b: the difference is the same for all 8" in run(str(path)).output
    (one,) = json.loads(run(str(path), "-f", "json").stdout)["comparisons"]
    assert (one["ci95_low"], one["ci95_high"]) == (None, None)


def test_what_failed_or_was_not_run_is_counted_of_each_arm(tmp_path):
    """`error` counts as not passed; an empty cell counts as nothing."""
    rows = [f"t{at},old,{'error' if at < 9 else 1}\nt{at},new,1" for at in range(12)]
    rows += ["t12,old,", "t12,new,0", "t13,new,NA", "t14,old,not run", "t14,new,"]
    (tmp_path / "o.csv").write_text("task,arm,passed\n" + "\n".join(rows) + "\n")
    (compared,) = json.loads(run(str(tmp_path / "o.csv"), "-f", "json").stdout)["comparisons"]
    (row,) = csv.DictReader(io.StringIO(run(str(tmp_path / "o.csv"), "-f", "csv").stdout))
    assert (compared["verdict"], row["verdict"]) == ("better", "better")
    assert (compared["baseline_failed"], compared["failed"], compared["left_out"]) == (9, 0, 3)
    assert (row["baseline_failed"], row["failed"]) == ("9", "0")


def test_failures_are_those_of_the_check_and_of_the_tasks_compared(tmp_path):
    rows = ["t1,old,error,1", "t1,new,1,1", "t2,old,error,0", "t2,new,,1", "t3,new,error,"]
    (tmp_path / "o.csv").write_text("task,arm,x,y\n" + "\n".join(rows) + "\n")
    read = csv.DictReader(io.StringIO(run(str(tmp_path / "o.csv"), "-f", "csv").stdout))
    told = [(row["check"], row["baseline_failed"], row["failed"]) for row in read]
    assert told == [("x", "1", "0"), ("y", "0", "0")]


def test_hostile_names_are_shown_and_never_obeyed(tmp_path):
    path = tmp_path / "o.csv"
    path.write_text('task,arm,x\n"\x1b]0;t\x07","a\x1b[2J",1\n"\x1b]0;t\x07",b,0\n')
    result = run(str(path))
    assert result.exit_code == 0
    assert "\x1b" not in result.output


def test_bad_input_is_refused_in_one_line(outcomes, tmp_path):
    result = run(outcomes, "--baseline", "dogs")
    assert result.exit_code == 2
    assert "no arm 'dogs'; did you mean 'docs'?" in result.output
    bad = tmp_path / "bad.csv"
    bad.write_text("task,arm,x\n1,a,maybe\n")
    result = run(str(bad))
    assert result.exit_code == 2
    assert f"{bad}:2: x is 'maybe'" in result.output
    assert run(outcomes, "-o", outcomes).exit_code == 2


def test_what_stands_beside_passed_takes_nothing_from_its_verdict(tmp_path):
    """Six tasks that b alone passes: McNemar's p is 2 * 0.5 ** 6, above .05 in a family of two."""
    path = tmp_path / "o.csv"
    rows = [f"t{n},{arm},{int(arm == 'b')},1\n" for n in range(6) for arm in "ab"]
    path.write_text("task,arm,passed,attempt\n" + "".join(rows))
    result = run(str(path))
    assert "correction holm over 1\n" in result.stdout
    (compared,) = json.loads(run(str(path), "-f", "json").stdout)["comparisons"]
    assert (compared["p_adjusted"], compared["verdict"]) == (0.03125, "better")
    result = run(str(path), "--check", "passed", "--check", "attempt")
    assert "correction holm over 2\n" in result.stdout
