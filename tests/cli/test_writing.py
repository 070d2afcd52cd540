"""Where the output goes: a reader that has enough, a full disk, a name that is none."""

import os
import tempfile

import pytest

from tests.as_typed import judge_tui
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


def test_help_that_nobody_reads_is_no_failed_gate(folder):
    assert unread("score", "--help") == (0, "")


@pytest.mark.parametrize(("gate", "code"), [("RR>=0.5", 0), ("P@10>=0.99", 1)])
@pytest.mark.parametrize("to", [[], ["-o", "/dev/stdout"]], ids=["stdout", "/dev/stdout"])
def test_a_gate_holds_or_not_whoever_reads(folder, gate, code, to):
    arguments = ["score", "qrels", "run", "-m", "RR", "-q", "-f", "csv", *to]
    found, told = unread(*arguments, "--require", gate)
    assert (found, "gate not met" in told) == (code, bool(code))
    assert unread(*arguments, "--require", gate, stream="stderr")[0] == code


def test_what_is_to_be_kept_is_kept_though_nobody_reads(folder):
    assert unread("score", "qrels", "run", "-m", "RR", "--save", "kept.json")[0] == 0
    assert '"RR"' in (folder / "kept.json").read_text()


def test_an_error_that_nobody_reads_is_one(folder):
    assert unread("score", "qrels", "none", stream="stderr") == (2, "")


def test_what_was_written_stays_where_only_the_notes_have_no_reader(folder):
    code, written = unread("score", "qrels", "run", "-f", "csv", "-m", "RR", stream="stderr")
    assert code == 0
    assert written.splitlines() == ["tag,query_id,measure,value,queries", f"one,all,RR,1.0,{MANY}"]


def refused(*arguments):
    told = judge_tui(*arguments, code=2).stderr
    assert told.count("\n") == 1
    return told


@pytest.mark.parametrize(
    "arguments",
    [
        ["export", "run", *CAMPAIGN, "--tag", "one"],
        ["export", "qrels", *CAMPAIGN],
        ["export", "judgments", *CAMPAIGN],
        ["export", "bundle", *CAMPAIGN, "--judge", "ann"],
        ["report", *CAMPAIGN],
        ["results", *CAMPAIGN, "--histogram"],
        ["score", "qrels", "run"],
    ],
    ids=" ".join,
)
def test_a_file_without_a_name_is_refused_as_such(folder, arguments):
    assert refused(*arguments, "-o", "") == "error: -o '' names no file; give -o FILE\n"


def test_a_save_without_a_name_is_refused_as_such(folder):
    told = refused("score", "qrels", "run", "--save", "")
    assert told == "error: --save '' names no file; give --save FILE\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["score", "qrels", "run"], "/dev/full: cannot be written: No space left on device"),
        (["export", "run", *CAMPAIGN, "--tag", "one"], "/dev/full: cannot be written: No space"),
        (["export", "judgments", "-f", "csv", *CAMPAIGN], "/dev/full: cannot be written: No space"),
        (["export", "qrels", *CAMPAIGN], "/dev/full: cannot be written: No space"),
    ],
    ids=str,
)
def test_a_full_disk_is_told_with_its_name(folder, arguments, told):
    assert told in refused(*arguments, "-o", "/dev/full")
