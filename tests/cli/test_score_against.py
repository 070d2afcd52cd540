"""`judge-tui score --save`, `--against` and the gates that stand beside an earlier result."""

import csv
import io
import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from judge_tui.baseline.saved import _checksum
from judge_tui.cli import cli
from judge_tui.report import FORMS

PROGRAM = [sys.executable, "-c", "from judge_tui.cli import main; main()", "score"]
QUERIES = [f"q{number:02}" for number in range(12)]


def run_text(tag, best):
    """A run with the relevant document first in the `best` queries, else second."""
    return "".join(
        f"{q} Q0 good 1 {3 if q in best else 1} {tag}\n{q} Q0 bad 2 2 {tag}\n" for q in QUERIES
    )


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Qrels, a run `old` that answers the first half best, and its saved result base.json."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("".join(f"{q} 0 good 1\n{q} 0 bad 0\n" for q in QUERIES))
    (tmp_path / "old.run").write_text(run_text("sys", QUERIES[:6]))
    (tmp_path / "better.run").write_text(run_text("sys", QUERIES))
    (tmp_path / "worse.run").write_text(run_text("sys", []))
    result = invoke("qrels", "old.run", "-m", "RR", "-m", "P@1", "--save", "base.json")
    assert result.exit_code == 0
    return tmp_path


def invoke(*args):
    return CliRunner().invoke(cli, ["score", *args])


def refused(*args):
    result = invoke(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_the_table_says_before_now_and_the_verdict(files):
    result = invoke("qrels", "worse.run", "--against", "base.json")
    assert result.exit_code == 0
    # Without -m, the measures are those that were saved. By hand: RR (6 + 6/2)/12 and 1/2.
    assert result.stdout.splitlines()[0].split()[-3:] == ["RR", "P@1", "Judged@1"]
    title, head, rr, p1 = result.stdout.split("\n\n")[1].splitlines()
    assert title == "Beside the earlier result"
    assert head.split("  ")[0] == "measure"
    assert rr.split()[:6] == ["RR", "sys", "0.7500", "0.5000", "-0.2500", "12"]
    # Six queries fell and none rose: two-sided 2/2^6, twice that by Holm over two measures.
    assert "0.0312  0.0625  no difference shown" in rr
    assert "0.0312  0.0625  no difference shown" in p1


def test_json_has_each_change(files):
    result = invoke("qrels", "worse.run", "--against", "base.json", "-f", "json", "-m", "RR")
    against = json.loads(result.stdout)["against"]
    (change,) = against.pop("changes")
    assert against == {
        "judge_tui": against["judge_tui"],
        "other_qrels": False,
        "gone": [],
        "test": "wilcoxon",
        "correction": "holm",
        "alpha": 0.05,
        "family": 1,
        "seed": 0,
    }
    assert change["p"] == change["p_adjusted"] == 2 / 2**6
    assert change["verdict"] == "worse"
    assert (change["before"], change["now"], change["difference"]) == (0.75, 0.5, -0.25)
    assert (change["wins"], change["ties"], change["losses"]) == (0, 6, 6)


def test_csv_has_before_beside_every_value(files):
    result = invoke("qrels", "worse.run", "--against", "base.json", "-f", "csv", "-m", "RR", "-q")
    header, first, *_, last = csv.reader(io.StringIO(result.stdout))
    assert header == [
        *("tag", "query_id", "measure", "value"),
        *("before", "difference", "p", "p_adjusted", "verdict"),
    ]
    assert first == ["sys", "q00", "RR", "0.5", "1.0", "-0.5", "", "", ""]
    assert last == ["sys", "all", "RR", "0.5", "0.75", "-0.25", "0.03125", "0.03125", "worse"]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_says_the_verdict(files, form):
    args = ("qrels", "worse.run", "--against", "base.json", "-m", "RR", "-f", form)
    assert "worse" in invoke(*args).stdout


@pytest.mark.parametrize("form", FORMS)
def test_the_same_bytes_whatever_the_hash_seed_and_the_processes(files, form):
    printed = set()
    for seed, jobs in (("1", "1"), ("2", "2")):
        args = ("qrels", "worse.run", "--against", "base.json", "-q", "-f", form, "-j", jobs)
        done = subprocess.run(
            [*PROGRAM, *args, "--save", f"{seed}.json"],
            capture_output=True,
            check=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        printed.add(done.stdout)
    assert len(printed) == 1
    assert (files / "1.json").read_bytes() == (files / "2.json").read_bytes()
    assert str(files) not in (files / "1.json").read_text()


@pytest.mark.parametrize(
    ("run", "gates", "failed"),
    [
        ("better.run", ["no-regression", "RR>=baseline", "sys:P@1>=baseline+0.1"], []),
        ("old.run", ["no-regression", "RR>=baseline"], []),
        (
            "old.run",
            ["RR>=baseline+0.01"],
            ["RR>=baseline+0.01: sys has 0.7500, the baseline 0.7500"],
        ),
        ("worse.run", ["RR>=baseline-0.3"], []),
        (
            "worse.run",
            ["no-regression", "RR>=baseline-0.2", "AP>=0.9"],
            [
                "no-regression: sys is worse than it was by RR: -0.2500",
                "RR>=baseline-0.2: sys has 0.5000, the baseline 0.7500",
                "AP>=0.9: sys has 0.5000",
            ],
        ),
    ],
)
def test_gates(files, run, gates, failed):
    options = [part for gate in gates for part in ("--require", gate)]
    result = invoke("qrels", run, "--against", "base.json", "-m", "RR", *options)
    assert result.exit_code == (1 if failed else 0)
    assert result.stderr == "".join(f"gate not met: {sentence}\n" for sentence in failed)
    assert result.stdout.startswith("run ")


def test_queries_that_were_lost_are_a_regression(files):
    (files / "lost.run").write_text("".join(run_text("sys", QUERIES).splitlines(True)[2:]))
    result = invoke("qrels", "lost.run", "--against", "base.json", "--require", "no-regression")
    assert result.exit_code == 1
    assert result.stderr == (
        "gate not met: no-regression: sys has no results for 1 query that counts for the earlier"
        " result; with --complete it counts as 0, and the verdict goes by that\n"
    )


def test_nothing_is_held_to_an_earlier_result_that_found_nothing_for_most_queries(files):
    (files / "few.run").write_text("".join(run_text("sys", QUERIES).splitlines(True)[:10]))
    (files / "half.run").write_text("".join(run_text("sys", QUERIES).splitlines(True)[:12]))
    gates = ("no-regression", "RR>=baseline", "RR>=0.1")
    options = [part for gate in gates for part in ("--require", gate)]
    for run, failed in (("few.run", gates[:2]), ("half.run", ())):
        saved = invoke("qrels", run, "-m", "RR", "--complete", "--save", "few.json")
        assert saved.exit_code == 0
        args = ("qrels", "old.run", "-m", "RR", "--complete", "--against", "few.json")
        result = invoke(*args, *options)
        why = (
            "the earlier result of sys found nothing for 7 of 12 queries, so that nothing can be"
            " held to it; look at how it is set up"
        )
        told = "".join(f"gate not met: {gate}: {why}\n" for gate in failed)
        assert (result.exit_code, result.stderr) == (1 if failed else 0, told)


def test_it_knows_what_counted_as_0_without_complete(files):
    head = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    ratings = "".join(f"{q},good,1\n" for q in QUERIES)
    (files / "ratings.csv").write_text(f"query,docid,rating\n{ratings}")
    for name, found in (("dead", QUERIES[:5]), ("now", QUERIES)):
        rows = [f"sys,2024-01-01,1,{q},{'good,1' if q in found else ','}\n" for q in QUERIES]
        (files / f"{name}.csv").write_text(head + "".join(rows))
    invoke("ratings.csv", "dead.csv", "-m", "RR", "--save", "dead.json")
    (run,) = json.loads((files / "dead.json").read_text())["runs"]
    assert run["in_vain"] == QUERIES[5:]
    result = invoke(
        "ratings.csv", "now.csv", "--against", "dead.json", "--require", "no-regression"
    )
    assert result.exit_code == 1, result.output
    assert "the earlier result of sys found nothing for 7 of 12 queries" in result.stderr


def test_nothing_is_kept_of_what_could_not_be_said(files):
    result = invoke("qrels", "old.run", "--save", "new.json", "-o", "no/such/folder")
    assert (result.exit_code, result.stdout) == (2, "")
    assert not (files / "new.json").exists()


@pytest.fixture
def other_half(files):
    """Grades of half of the queries, and of six that nobody knew before; a run that falls for each
    of those that stay, and finds all of the others."""
    kept, new = QUERIES[:6], [f"new{n}" for n in range(6)]
    (files / "half").write_text("".join(f"{q} 0 good 1\n" for q in (*kept, *new)))
    lines = [f"{q} Q0 {d} 1 {s} sys\n" for q in kept for d, s in (("bad", 2), ("good", 1))]
    (files / "half.run").write_text("".join((*lines, *(f"{q} Q0 good 1 1 sys\n" for q in new))))
    return ("half", "half.run", "--against", "base.json", "--allow-other-qrels", "-m", "RR")


def test_queries_that_came_or_went_make_no_difference(other_half):
    result = invoke(*other_half, "-f", "json")
    (change,) = json.loads(result.stdout)["against"]["changes"]
    # By hand: .75 over the earlier twelve, now (6/2 + 6)/12; the six in both fell from 1 to 1/2.
    assert (change["before"], change["now"], change["queries"]) == (0.75, 0.75, 6)
    assert change["difference"] == change["delta"] == -0.5
    note = "before and now are over the queries of each result; difference, what stands behind it"
    assert note in invoke(*other_half).stdout
    assert note not in invoke("qrels", "worse.run", "--against", "base.json").stdout


def test_gates_beside_an_earlier_result_are_over_the_queries_in_both(other_half):
    gates = ("RR>=baseline-0.1", "sys:RR>=baseline-0.6", "RR>=0.7", "no-regression")
    result = invoke(*other_half, *(part for gate in gates for part in ("--require", gate)))
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "gate not met: RR>=baseline-0.1: sys has 0.5000, the baseline 1.0000",
        "gate not met: no-regression: the earlier result of sys has queries that have no grades"
        " now: 6 (q06, q07, q08 and 3 more); if that is meant, save a result without them (--save)",
        "gate not met: no-regression: sys is worse than it was by RR: -0.5000",
    ]


def test_a_gate_beside_an_earlier_result_of_other_queries_is_not_met(files, other_half):
    (files / "half.run").write_text("new0 Q0 good 1 1 sys\n")
    result = invoke(*other_half, "--require", "RR>=baseline-1")
    assert (result.exit_code, result.stderr) == (
        1,
        "gate not met: RR>=baseline-1: no query of sys counts in the earlier result, too; save it"
        " anew\n",
    )


def test_of_very_many_changes_only_those_are_shown_that_are_some(files):
    options = [part for k in range(1, 60) for part in ("-m", f"P@{k}")]
    assert invoke("qrels", "old.run", *options, "--save", "many.json").exit_code == 0
    text = invoke("qrels", "better.run", "--against", "many.json").stdout
    table = text[text.index("Beside the earlier result") :].split("\n\n")[0].splitlines()
    # Both documents are in the first two, whatever their order.
    assert [row.split()[0] for row in table[2:]] == ["P@1"]
    assert "not shown: 58 that are the same for every query; -f json and csv have all\n" in text
    document = json.loads(invoke("qrels", "old.run", "--against", "many.json", "-f", "json").stdout)
    assert len(document["against"]["changes"]) == 59


def test_other_grades_are_refused_unless_told(files):
    (files / "more").write_text((files / "qrels").read_text() + "q00 0 new 1\n")
    assert refused("more", "old.run", "--against", "base.json") == (
        "error: base.json: it was made with other grades of queries: 1 (q00); save it again with"
        " these, or compare all the same with --allow-other-qrels\n"
    )
    result = invoke("more", "old.run", "--against", "base.json", "--allow-other-qrels")
    assert result.exit_code == 0
    assert "warning: the earlier result was made with other qrels" in result.stdout
    # Queries that came or went have no other grades; who kept them all together cannot tell.
    lines = (files / "qrels").read_text().splitlines(keepends=True)
    (files / "others").write_text("".join([*lines[2:], "new 0 d 1\n"]))
    same = invoke("others", "old.run", "--against", "base.json", "-f", "json")
    assert json.loads(same.stdout)["against"]["other_qrels"] is False
    saved = json.loads((files / "base.json").read_text())
    del saved["grades"], saved["checksum"]
    saved["checksum"] = _checksum(saved)
    (files / "older.json").write_text(json.dumps(saved))
    assert invoke("qrels", "old.run", "--against", "older.json").exit_code == 0
    assert refused("others", "old.run", "--against", "older.json").startswith(
        "error: older.json: it was made with other grades: they are not the same; save it again"
    )
    # The same grades in another layout are the same qrels.
    lines = (files / "qrels").read_text().splitlines()
    (files / "again").write_text("\r\n\r\n".join(line.replace(" ", "\t") for line in lines[::-1]))
    assert invoke("again", "old.run", "--against", "base.json").exit_code == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-c"], "base.json: it was made with --complete off, not on; score with the same"),
        (["-J"], "base.json: it was made with --judged-only off, not on"),
        (["-M", "5"], "base.json: it was made with --max-results unset, not 5"),
        (["--score-precision", "32"], "base.json: it was made with --score-precision 64, not 32"),
        (["-m", "AP", "-m", "RR"], "base.json: it holds no AP, but RR, P@1; ask for those with -m"),
        (["-l", "2"], "base.json: it holds no RR(rel=2), P(rel=2)@1, but RR, P@1"),
        (["--require", "AP>=baseline"], "base.json: it holds no AP, but RR, P@1"),
        (["-f", "trec"], "-f trec has no place for --by, --against and --bounds"),
        (["-o", "base.json"], "-o base.json is a file that is read here"),
        (["--save", "qrels"], "--save qrels is a file that is read here"),
        (["--save", "old.run"], "--save old.run is a file that is read here"),
        (["--save", "x", "-o", "./x"], "--save and -o name the same file"),
        (["--save", "-"], "--save - names no file"),
        (["--save", "no/such/x"], "no/such/x: cannot be written: "),
    ],
)
def test_what_cannot_be_compared_is_refused(files, args, message):
    before = {path.name: path.read_bytes() for path in files.iterdir()}
    assert refused("qrels", "old.run", "--against", "base.json", *args).startswith(
        f"error: {message}"
    )
    assert {path.name: path.read_bytes() for path in files.iterdir()} == before


@pytest.mark.parametrize("gate", ["no-regression", "RR>=baseline", "sys:RR>=baseline-0.1"])
def test_gates_beside_nothing_are_refused(files, gate):
    assert refused("qrels", "old.run", "--require", gate).startswith(
        f"error: gate {gate} stands beside an earlier result; name it with --against FILE.json"
    )


def test_a_run_that_was_not_saved_is_refused(files):
    (files / "new.run").write_text(run_text("new", QUERIES))
    assert refused("qrels", "new.run", "--against", "base.json").startswith(
        "error: base.json: it holds no run 'new', but 'sys'; leave that run out"
    )


def test_a_file_that_is_no_saved_result_is_refused(files):
    assert refused("qrels", "old.run", "--against", "nothing.json").startswith(
        "error: nothing.json: there is no such file"
    )
    assert refused("qrels", "old.run", "--against", "qrels").startswith("error: qrels:1: not valid")


def test_a_saved_result_is_brought_up_to_date_only_where_the_gates_hold(files):
    before = (files / "base.json").read_text()
    args = ("--against", "base.json", "--save", "base.json", "--require", "no-regression")
    failed = invoke("qrels", "worse.run", "-m", "RR", *args)
    assert failed.exit_code == 1
    assert failed.stderr.startswith("base.json is left as it was: a gate is not met\n")
    assert (files / "base.json").read_text() == before
    assert invoke("qrels", "better.run", "-m", "RR", *args).exit_code == 0
    assert json.loads((files / "base.json").read_text())["runs"][0]["mean"] == {"RR": 1.0}


def test_a_result_is_saved_beside_gates_that_fail(files):
    result = invoke("qrels", "old.run", "--save", "new.json", "--require", "RR>=0.9")
    assert result.exit_code == 1
    assert json.loads((files / "new.json").read_text())["runs"][0]["mean"]["RR@10"] == 0.75


def test_saving_needs_no_numpy(files):
    code = (
        "import sys\n"
        "from judge_tui.cli import cli\n"
        "try:\n    cli(['score', 'qrels', 'old.run', '--save', 'x.json'])\n"
        "except SystemExit as done:\n    assert done.code == 0\n"
        "print(sorted({'numpy', 'sqlite3'} & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
