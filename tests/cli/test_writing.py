"""Where the output goes: a reader that has enough, a full disk, a name that is none, a bug."""

import os
import subprocess
import sys
import tempfile

import pytest

from judge_tui.errors import CRASHED
from tests.as_typed import judge_tui, refused
from tests.programs import PROGRAM, start

CAMPAIGN = ("--db", "c.db")
MANY = 6_000
"""Lines enough that no pipe holds them all."""

TO_A_PIPE = [
    ["score", "qrels", "run", "-m", "RR", "-q", "-f", "csv"],
    ["score", "qrels", "run", "-m", "RR", "-q", "-f", "csv", "-o", "/dev/stdout"],
    ["export", "run", *CAMPAIGN, "--tag", "one", "-o", "-"],
    ["export", "run", *CAMPAIGN, "--tag", "one", "-o", "/dev/stdout"],
    ["export", "judgments", *CAMPAIGN, "-o", "-"],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Qrels and a run of many queries, and a campaign that has both."""
    folder = tmp_path_factory.mktemp("written")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        queries = range(MANY)
        (folder / "queries.tsv").write_text("".join(f"q{query}\twhat\n" for query in queries))
        (folder / "qrels").write_text("".join(f"q{query} 0 d 1\n" for query in queries))
        (folder / "run").write_text("".join(f"q{query} Q0 d 1 1 one\n" for query in queries))
        for arguments in (
            ["init", *CAMPAIGN],
            ["load", "queries", *CAMPAIGN, "queries.tsv"],
            ["load", "run", *CAMPAIGN, "run"],
            ["load", "qrels", *CAMPAIGN, "qrels", "--judge", "ann"],
        ):
            judge_tui(*arguments)
        yield folder


@pytest.mark.parametrize("arguments", TO_A_PIPE, ids=" ".join)
def test_a_reader_that_has_enough_ends_it_without_complaint(folder, arguments):
    reader, writer = os.pipe()
    with tempfile.TemporaryFile() as said, open(os.devnull, "rb") as nothing:  # noqa: PTH123
        process = start([PROGRAM, *arguments], (nothing.fileno(), writer, said.fileno()))
        os.close(writer)
        with os.fdopen(reader, "rb") as lines:
            first = lines.readline()
        code = process.wait(60)
        said.seek(0)
        told = said.read()
    assert code == 0, told
    assert first.endswith(b"\n")
    assert b"rror" not in told


def unread(*arguments, stream="stdout"):
    """The exit code of a command whose stream is closed at the other end, and what it said."""
    reader, writer = os.pipe()
    os.close(reader)
    with tempfile.TemporaryFile() as other, open(os.devnull, "rb") as nothing:  # noqa: PTH123
        streams = (writer, other.fileno())
        written = streams if stream == "stdout" else streams[::-1]
        process = start([PROGRAM, *arguments], (nothing.fileno(), *written))
        os.close(writer)
        code = process.wait(60)
        other.seek(0)
        return code, other.read().decode()


@pytest.mark.parametrize(("gate", "code"), [("RR>=0.5", 0), ("P@10>=0.99", 1)])
@pytest.mark.parametrize("to", [[], ["-o", "/dev/stdout"]], ids=["stdout", "/dev/stdout"])
def test_a_gate_holds_or_not_whoever_reads(folder, gate, code, to):
    arguments = ["score", "qrels", "run", "-m", "RR", "-q", "-f", "csv", *to]
    found, told = unread(*arguments, "--require", gate)
    assert (found, "gate not met" in told) == (code, bool(code))
    assert unread(*arguments, "--require", gate, stream="stderr")[0] == code


def test_what_was_written_stays_where_only_the_notes_have_no_reader(folder):
    code, written = unread("score", "qrels", "run", "-f", "csv", "-m", "RR", stream="stderr")
    assert code == 0
    assert written.splitlines() == ["tag,query_id,measure,value,queries", f"one,all,RR,1.0,{MANY}"]


WRITING = [
    ["score", "qrels", "run", "-q", "-m", "RR"],
    ["score", "qrels", "few", "-m", "RR"],  # which a buffer holds
    ["export", "run", *CAMPAIGN, "--tag", "one"],
    ["export", "judgments", "-f", "csv", *CAMPAIGN],
    ["export", "qrels", *CAMPAIGN],
]


@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_a_full_disk_is_told_with_its_name(folder, arguments):
    (folder / "few").write_text("q0 Q0 d 1 1 few\n")
    told = refused(*arguments, "-o", "/dev/full")
    assert told.startswith("/dev/full: cannot be written: No space left on device; ")
    with open("/dev/full", "r+b", buffering=0) as full, tempfile.TemporaryFile() as said:  # noqa: PTH123
        streams = (full.fileno(), full.fileno(), said.fileno())
        assert start([PROGRAM, *arguments], streams).wait(60) == 2
        said.seek(0)
        assert said.read().decode().startswith("error: standard output: No space left on device; ")


def test_an_error_that_cannot_be_told_has_its_exit_code(folder):
    with open("/dev/full", "r+b", buffering=0) as full:  # noqa: PTH123
        streams = (full.fileno(),) * 3
        assert start([PROGRAM, "score", "qrels", "nowhere.run"], streams).wait(60) == 2


@pytest.mark.parametrize("arguments", WRITING[::3], ids=" ".join)
def test_a_closed_standard_output_is_told_in_one_line(folder, arguments):
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", PROGRAM, *arguments],
        stderr=subprocess.PIPE,
        check=False,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: standard output is closed; write ")
    assert done.stderr.count("\n") == 1


def test_a_bug_ends_with_a_traceback_and_no_code_of_a_gate():
    code = "from judge_tui import cli; cli.cli = lambda: 1 / 0; cli.main()"
    ended = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert ended.returncode == CRASHED
    assert b"ZeroDivisionError" in ended.stderr
