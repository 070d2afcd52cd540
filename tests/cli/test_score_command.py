"""`judge-tui score`, through click and through real processes."""

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli
from tests.as_typed import printed_twice
from tests.programs import PROGRAM, run, start

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


def test_output_is_a_whole_file_or_none(files):
    assert invoke("qrels", "bm25.run", "-o", "scores.txt").stdout == ""
    assert (files / "scores.txt").read_text() == invoke("qrels", "bm25.run").stdout
    assert invoke("qrels", "bm25.run", "-o", "-").stdout == invoke("qrels", "bm25.run").stdout
    # A result that replaces another leaves nothing else behind; a refused one leaves the old one.
    assert invoke("qrels", "bm25.run", "-f", "csv", "-o", "scores.txt", "--force").exit_code == 0
    text = (files / "scores.txt").read_text()
    assert text.startswith("tag,")
    assert invoke("qrels", "bm25.run", "-m", "nope", "-o", "scores.txt", "--force").exit_code == 2
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
    assert invoke("qrels", "bm25.run", "-o", "link.txt", "--force").exit_code == 0
    assert (files / "link.txt").is_symlink()
    assert (files / "real.txt").read_text().startswith("run ")
    done = run("score", "qrels", "bm25.run", "-o", "/dev/stdout")
    assert done.stdout.decode() == invoke("qrels", "bm25.run").stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize(
    ("args", "place"), [([], "standard output: "), (["-o", "/dev/full"], "/dev/full: ")]
)
@pytest.mark.parametrize("queries", [1, 5000])  # what a buffer holds, and what it does not
def test_a_full_disk_is_told_in_one_line(files, args, place, queries):
    (files / "qrels").write_text("".join(f"q{i} 0 a 1\n" for i in range(queries)))
    (files / "bm25.run").write_text("".join(f"q{i} Q0 a 1 1 bm25\n" for i in range(queries)))
    with Path("/dev/full").open("r+b", buffering=0) as full, Path("told").open("w+") as told:
        streams = (full.fileno(), full.fileno(), told.fileno())
        words = [PROGRAM, "score", "qrels", "bm25.run", "-q", "-m", "RR", *args]
        assert start(words, streams).wait(60) == 2
        told.seek(0)
        error = told.read()
    assert error.startswith(f"error: {place}")
    assert "No space left on device; " in error
    assert error.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_an_error_that_cannot_be_told_has_its_exit_code(files):
    with Path("/dev/full").open("r+b", buffering=0) as full, Path("out").open("w+") as out:
        streams = (full.fileno(), out.fileno(), full.fileno())
        assert start([PROGRAM, "score", "qrels", "nowhere.run"], streams).wait(60) == 2
        assert out.read() == ""


def test_a_closed_standard_output_is_told_in_one_line(files):
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", PROGRAM, "score", "qrels", "bm25.run"],
        stderr=subprocess.PIPE,
        check=False,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr == "error: standard output is closed; write the result with -o FILE\n"


def test_the_same_input_gives_the_same_bytes(files):
    words = ("score", "qrels", "bm25.run", "dense.run", "-q")
    one, other = printed_twice(*words)
    assert one == other != ""
    assert str(files) not in one


def test_hostile_tags_are_shown_and_not_obeyed(files):
    (files / "evil.run").write_text(BM25.replace("bm25", "\x1b[2J\u202etag"))
    result = invoke("qrels", "evil.run")
    assert result.exit_code == 0
    assert "␛[2J\ufffdtag" in result.stdout
    assert "\x1b" not in result.stdout


def test_help_lists_the_measures():
    text = invoke("--help").stdout
    for name in ("nDCG", "Success", "Judged", "infAP"):
        assert name in text
