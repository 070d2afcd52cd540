"""`judge-tui score`, through click and through real processes."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli

PROGRAM = [sys.executable, "-c", "from judge_tui.cli import main; main()", "score"]
QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 2\nq3 0 d 1\n"
BM25 = "q1 Q0 a 1 3 bm25\nq1 Q0 b 2 2 bm25\nq2 Q0 x 1 2 bm25\nq2 Q0 c 2 1 bm25\n"
DENSE = "q1 Q0 b 1 3 dense\nq1 Q0 y 2 2 dense\nq2 Q0 c 1 2 dense\nq9 Q0 c 1 2 dense\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("qrels", QRELS), ("bm25.run", BM25), ("dense.run", DENSE)):
        (tmp_path / name).write_text(text)
    return tmp_path


def invoke(*args):
    return CliRunner().invoke(cli, ["score", *args])


def process(*args, **env):
    return subprocess.run(
        [*PROGRAM, *args],
        capture_output=True,
        check=False,
        text=True,
        env={**os.environ, **env},
    )


def test_the_table(files):
    result = invoke("qrels", "bm25.run", "dense.run")
    assert result.exit_code == 0
    # bm25: q1 has a at rank 1, q2 has c at rank 2. By hand: RR (1 + 1/2)/2, nDCG (1 + .6309)/2.
    head, *lines = result.stdout.split("\n", 3)
    assert head == (
        "run    queries  not in run  not in qrels  "
        "nDCG@10   RR@10     P@5   R@100      AP  Judged@10"
    )
    assert lines[0] == (
        "bm25         2           1             0  "
        " 0.8155  0.7500  0.2000  1.0000  0.7500     0.7500"
    )
    assert lines[1] == (
        "dense        2           1             1  "
        " 0.5000  0.5000  0.1000  0.5000  0.5000     0.7500"
    )
    assert lines[2] == (
        "\n"
        "warning: queries without results in run 'bm25': 1 of 3, left out, "
        "so that its means may be too good (--complete counts them as 0): 'q3'\n"
        "warning: queries without results in run 'dense': 1 of 3, left out, "
        "so that its means may be too good (--complete counts them as 0): 'q3'\n"
        "warning: queries of run 'dense' that are not in the qrels: 1, left out; "
        "the first is 'q9'\n"
    )
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("measures", "columns"),
    [
        (["nDCG@10", "R@100"], ["nDCG@10", "R@100", "Judged@10", "Judged@100"]),
        (["AP"], ["AP", "Judged@10"]),
        (["Judged@3", "P@5"], ["Judged@3", "P@5"]),
        (["MRR", "nDCG(dcg='exp-log2')@5"], ["RR", "nDCG(dcg='exp-log2')@5", "Judged@5"]),
    ],
)
def test_the_share_judged_stands_beside_every_score(files, measures, columns):
    options = [part for measure in measures for part in ("-m", measure)]
    head = invoke("qrels", "bm25.run", *options).stdout.splitlines()[0]
    assert head.split("  ")[-len(columns) :] == columns or head.split()[-len(columns) :] == columns
    document = json.loads(invoke("qrels", "bm25.run", *options, "-f", "json").stdout)
    assert document["measures"] == columns[: len(measures)]
    for form in ("md", "latex"):
        assert "Judged@" in invoke("qrels", "bm25.run", *options, "-f", form).stdout


def test_json_with_queries(files):
    result = invoke("qrels", "bm25.run", "-m", "RR", "-q", "-f", "json")
    assert json.loads(result.stdout) == {
        "schema_version": 1,
        "measures": ["RR"],
        "settings": {
            "complete": False,
            "judged_only": False,
            "depth": None,
            "score_precision": 64,
        },
        "runs": [
            {
                "tag": "bm25",
                "queries": 2,
                "missing": {"run": 1, "qrels": 0},
                "mean": {"RR": 0.75},
                "per_query": {"q1": {"RR": 1.0}, "q2": {"RR": 0.5}},
            }
        ],
        "warnings": [
            "queries without results in run 'bm25': 1 of 3, left out, "
            "so that its means may be too good (--complete counts them as 0): 'q3'"
        ],
    }


def test_csv_with_queries_says_on_stderr_what_was_averaged(files):
    result = invoke("qrels", "bm25.run", "-m", "RR", "-q", "-f", "csv")
    assert list(csv.reader(io.StringIO(result.stdout))) == [
        ["tag", "query_id", "measure", "value"],
        ["bm25", "q1", "RR", "1.0"],
        ["bm25", "q2", "RR", "0.5"],
        ["bm25", "all", "RR", "0.75"],
    ]
    assert result.stderr == ("bm25: 2 queries averaged, 1 not in the run, 0 not in the qrels\n")


def test_a_table_with_queries(files):
    result = invoke("qrels", "bm25.run", "-m", "RR", "-q")
    assert (
        "By query\nrun   query      RR  Judged@10\nbm25  q1     1.0000     1.0000\n"
        in result.stdout
    )


def test_complete_and_judged_only(files):
    complete = json.loads(
        invoke("qrels", "bm25.run", "-m", "RR", "--complete", "-f", "json").stdout
    )
    assert complete["runs"][0]["mean"] == {"RR": 0.5}
    assert complete["runs"][0]["queries"] == 3
    condensed = json.loads(
        invoke("qrels", "bm25.run", "-m", "RR", "--judged-only", "-f", "json").stdout
    )
    assert condensed["runs"][0]["mean"] == {"RR": 1.0}
    assert condensed["settings"]["judged_only"] is True


def test_gates_that_hold(files):
    result = invoke(
        "qrels", "bm25.run", "dense.run", "--require", "RR>=0.5", "--require", "bm25:Hit@1>=.5"
    )
    assert (result.exit_code, result.stderr) == (0, "")


def test_gates_that_do_not_hold_are_named_and_the_result_is_printed(files):
    result = invoke(
        "qrels",
        "bm25.run",
        "dense.run",
        "-m",
        "AP",
        "--require",
        "RR>=0.6",
        "--require",
        "bm25:AP>=0.9",
    )
    assert result.exit_code == 1
    assert result.stderr == (
        "gate not met: RR>=0.6: dense has 0.5000\ngate not met: bm25:AP>=0.9: bm25 has 0.7500\n"
    )
    assert result.stdout.startswith("run ")
    assert "RR" not in result.stdout  # a gate's measure is not asked for by that


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["qrels", "bm25.run", "-m", "ndcg@10"], "no measure 'ndcg'; did you mean nDCG@10?"),
        (["qrels", "bm25.run", "--require", "RR>0.5"], "'RR>0.5' is no gate; write"),
        (["qrels", "bm25.run", "--require", "x:RR>=0.5"], "no run 'x'; known: bm25"),
        (["qrels", "bm25.run", "copy.run"], "bm25.run and copy.run have the same tag 'bm25'; give"),
        (["qrels", "nothing.run"], "nothing.run: "),
        (["qrels", "other.run"], "run 'other' and the qrels have no query in common: the run has"),
        (["qrels"], "qrels alone is not enough: it does not hold both results and their"),
        ([], "Missing argument 'QRELS RUN...'; or name a campaign with --db"),
        (["bad.qrels", "bm25.run"], "bad.qrels:2: "),
        (["qrels", "bad.run"], "bad.run:1: "),
        (["qrels", "bm25.run", "-f", "xml"], "Invalid value for '-f' / '--format'"),
        (["qrels", "bm25.run", "-o", "no/such/folder"], "no/such/folder: cannot be written: "),
    ],
)
def test_bad_usage_and_bad_input(files, args, message):
    (files / "copy.run").write_text(BM25)
    (files / "other.run").write_text("301 Q0 a 1 1 other\n")
    (files / "bad.qrels").write_text("q1 0 a 1\nq1 0 b one\n")
    (files / "bad.run").write_text("q1 Q0 a 1 high bm25\n")
    before = sorted(files.iterdir())
    result = process(*args)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"error: {message}")
    assert result.stderr.count("\n") == 1
    assert sorted(files.iterdir()) == before


def test_output_is_a_whole_file_or_none(files):
    assert invoke("qrels", "bm25.run", "-o", "scores.txt").stdout == ""
    assert (files / "scores.txt").read_text() == invoke("qrels", "bm25.run").stdout
    assert invoke("qrels", "bm25.run", "-o", "-").stdout == invoke("qrels", "bm25.run").stdout
    # A result that replaces another leaves nothing else behind; a refused one leaves the old one.
    assert invoke("qrels", "bm25.run", "-f", "csv", "-o", "scores.txt").exit_code == 0
    text = (files / "scores.txt").read_text()
    assert text.startswith("tag,")
    assert invoke("qrels", "bm25.run", "-m", "nope", "-o", "scores.txt").exit_code == 2
    assert (files / "scores.txt").read_text() == text
    assert sorted(path.name for path in files.iterdir()) == [
        "bm25.run",
        "dense.run",
        "qrels",
        "scores.txt",
    ]


def test_output_through_a_link_keeps_the_link_and_to_a_device_keeps_the_device(files):
    (files / "real.txt").write_text("old")
    (files / "link.txt").symlink_to("real.txt")
    assert invoke("qrels", "bm25.run", "-o", "link.txt").exit_code == 0
    assert (files / "link.txt").is_symlink()
    assert (files / "real.txt").read_text().startswith("run ")
    done = process("qrels", "bm25.run", "-o", "/dev/stdout")
    assert done.stdout == invoke("qrels", "bm25.run").stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize(
    ("args", "place"), [([], "standard output: "), (["-o", "/dev/full"], "/dev/full: ")]
)
@pytest.mark.parametrize("queries", [1, 5000])  # what a buffer holds, and what it does not
def test_a_full_disk_is_told_in_one_line(files, args, place, queries):
    (files / "qrels").write_text("".join(f"q{i} 0 a 1\n" for i in range(queries)))
    (files / "bm25.run").write_text("".join(f"q{i} Q0 a 1 1 bm25\n" for i in range(queries)))
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, "qrels", "bm25.run", "-q", *args],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            text=True,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {place}")
    assert "No space left on device; " in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_an_error_that_cannot_be_told_has_its_exit_code(files):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, "qrels", "nowhere.run"], stdout=subprocess.PIPE, stderr=full, check=False
        )
    assert (done.returncode, done.stdout) == (2, b"")


def test_a_closed_standard_output_is_told_in_one_line(files):
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *PROGRAM, "qrels", "bm25.run"],
        stderr=subprocess.PIPE,
        check=False,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr == "error: standard output is closed; write the result with -o FILE\n"


@pytest.mark.parametrize("form", ["table", "json", "csv", "md", "latex"])
def test_the_same_input_gives_the_same_bytes(files, form):
    one = process("qrels", "bm25.run", "dense.run", "-q", "-f", form, PYTHONHASHSEED="1")
    other = process("qrels", "bm25.run", "dense.run", "-q", "-f", form, PYTHONHASHSEED="2")
    assert one.returncode == 0
    assert one.stdout == other.stdout
    assert str(files) not in one.stdout


def test_hostile_tags_are_shown_and_not_obeyed(files):
    (files / "evil.run").write_text(BM25.replace("bm25", "\x1b[2J\u202etag"))
    result = invoke("qrels", "evil.run")
    assert result.exit_code == 0
    assert "␛[2J\ufffdtag" in result.stdout
    assert "\x1b" not in result.stdout


def test_scoring_starts_without_what_it_does_not_need(files):
    code = (
        "import sys\n"
        "from judge_tui.cli import cli\n"
        "try:\n    cli(['score', 'qrels', 'bm25.run', '--require', 'RR>=.1'])\n"
        "except SystemExit as done:\n    assert done.code == 0\n"
        "heavy = {'numpy', 'scipy', 'sqlite3', 'sqlite_utils', 'textual', 'rich.table', 'httpx'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


def test_help_lists_the_measures():
    text = invoke("--help").stdout
    for name in ("nDCG", "Success", "Judged", "infAP"):
        assert name in text
