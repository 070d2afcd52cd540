"""Runs and qrels written: the order, the ids, and all or nothing."""

from __future__ import annotations

import gzip
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.writing import (
    form_of,
    qrels_bytes,
    write_atomically,
    write_lines,
    write_run,
    write_text,
)
from judge_tui.model import Run


def test_a_run_is_written_in_the_order_of_ranks(tmp_path: Path) -> None:
    file = tmp_path / "a.run"
    scores = {"q2": {"d1": 1, "d2": 0.1 + 0.2}, "q10": {"a": 1.0, "b": 1.0, "c": 2.5e-7}}
    write_run(Run("my run", scores), file)
    # Ties by doc_id descending: trec_eval's order. Queries by their bytes: q10 before q2.
    assert file.read_text() == (
        "q10 Q0 b 1 1.0 my%20run\n"
        "q10 Q0 a 2 1.0 my%20run\n"
        "q10 Q0 c 3 2.5e-07 my%20run\n"
        "q2 Q0 d1 1 1.0 my%20run\n"
        "q2 Q0 d2 2 0.30000000000000004 my%20run\n"
    )


def test_qrels_are_written_in_byte_order(tmp_path: Path) -> None:
    file = tmp_path / "a.qrels"
    qrels = {"q2": {"b": 0, "\U0001f600": 1, "\uffff": -1}, "q10": {"a b": 3}}
    write_atomically(file, [qrels_bytes(qrels)])
    assert file.read_text(encoding="utf-8") == (
        "q10 0 a%20b 3\nq2 0 b 0\nq2 0 \uffff -1\nq2 0 \U0001f600 1\n"
    )


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (Run("t", {"q": {"d": float("nan")}}), "score nan of 'd' in query 'q' cannot be written"),
        (Run("t", {"q": {"d": float("inf")}}), "score inf of 'd'"),
        (Run("t", {"#1": {"d": 1.0}}), "query '#1' cannot be written: a line that begins with #"),
        (Run("t", {"q": {"a\ud800": 1.0}}), r"id 'a\\ud800' holds half a surrogate pair"),
        (Run("t", {"q": {"a\0": 1.0}}), r"id 'a\\x00' holds a NUL character"),
    ],
)
def test_what_no_file_can_hold_is_refused_and_the_file_that_was_there_stays(
    tmp_path: Path, run: Run, expected: str
) -> None:
    file = tmp_path / "a.run"
    file.write_text("before")
    with pytest.raises(UsageError, match=expected):
        write_run(Run(run.tag, {"a": {"d": 1.0}, **run.scores}), file)
    assert file.read_text() == "before"
    assert os.listdir(tmp_path) == ["a.run"]  # noqa: PTH208


def test_a_writer_that_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "new", pieces())
    assert list(tmp_path.iterdir()) == []


def test_what_killed_programs_left_is_removed(tmp_path: Path) -> None:
    left, written = tmp_path / ".a.0123456789ab.part", tmp_path / ".a.ba9876543210.part"
    for one in (left, written):
        one.write_text("half")
    os.utime(left, (0, 0))
    write_text("whole", tmp_path / "a")
    assert sorted(tmp_path.iterdir()) == [written, tmp_path / "a"]


def test_links_and_permissions_stay(tmp_path: Path) -> None:
    file, link = tmp_path / "a", tmp_path / "link"
    file.write_text("before")
    file.chmod(0o664)
    link.symlink_to("a")
    write_text("caf\u00e9\n", link)
    assert link.is_symlink()
    assert file.read_bytes() == b"caf\xc3\xa9\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o664


def test_nobody_reads_what_is_written_who_cannot_read_what_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("before")
    file.chmod(0o600)

    def pieces() -> Iterator[bytes]:
        yield b"half"
        (part,) = tmp_path.glob(".*.part")
        assert stat.S_IMODE(part.stat().st_mode) == 0o600

    write_atomically(file, pieces())
    assert file.read_text() == "half"


def test_a_new_file_has_the_permissions_that_files_have(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    write_text("", tmp_path / "new")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_what_is_no_plain_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_text("through", pipe)
    reader.join()
    assert read == [b"through"]
    assert pipe.is_fifo()


def test_places_that_cannot_be_written_to_are_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path, expected in (
        (
            tmp_path / "none" / "a.run",
            "cannot be written: No such file or directory; check the folder",
        ),
        (tmp_path / "file" / "a.run", "cannot be written: Not a directory; check the folder"),
        (tmp_path, "cannot be written: is a folder; give a file"),
    ):
        with pytest.raises(InputError) as error:
            write_atomically(path, [qrels_bytes({"q": {"d": 1}})])
        assert str(error.value).startswith(f"{path}: {expected}")


def test_a_dash_is_standard_output() -> None:
    code = (
        "from judge_tui.formats.writing import qrels_bytes, write_atomically\n"
        "print('before')\n"
        "write_atomically('-', [qrels_bytes({'q\u00e9': {'d': 1}})])\n"
        "print('after')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == "before\nq\u00e9 0 d 1\nafter\n".encode()


@pytest.mark.parametrize("magic", [b"SQLite format 3\0", b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"])
def test_a_database_and_its_log_are_never_written_over(tmp_path: Path, magic: bytes) -> None:
    """The magic numbers are those of sqlite.org/fileformat2.html, sections 1.3 and 4.1."""
    file = tmp_path / "campaign.db"
    file.write_bytes(magic + bytes(100))
    with pytest.raises(InputError, match="SQLite"):
        write_text("hello", file)
    assert file.read_bytes() == magic + bytes(100)
    for end in ("-wal", "-shm", "-journal"):
        with pytest.raises(InputError, match="SQLite"):
            write_text("hello", tmp_path / f"campaign.db{end}")
    assert list(tmp_path.iterdir()) == [file]


def test_a_redirected_stream_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("important\n")
    code = "from judge_tui.formats.writing import write_text; write_text('more\\n', '/dev/stdout')"
    with log.open("a") as stream:
        subprocess.run([sys.executable, "-c", code], stdout=stream, check=True)
    assert log.read_text() == "important\nmore\n"


@pytest.mark.parametrize(
    ("path", "form", "expected"),
    [
        ("a.csv", None, "csv"),
        ("a.csv.GZ", None, "csv"),
        ("a.jsonl.gz", None, "jsonl"),
        ("a.jsonl", None, "jsonl"),
        ("a.ndjson", None, "jsonl"),
        ("-", None, "csv"),
        ("a.csv", "jsonl", "jsonl"),
        ("dir.csv/a.jsonl", None, "jsonl"),
        ("a.json", None, None),
        ("a", None, None),
    ],
)
def test_the_form_is_what_the_name_says(path: str, form: str | None, expected: str | None) -> None:
    if expected:
        assert form_of(path, form) == expected
        return
    with pytest.raises(UsageError, match="CSV or JSON Lines; name it"):
        form_of(path)


def test_what_is_named_so_is_compressed_and_always_the_same(tmp_path: Path) -> None:
    first, second = tmp_path / "a.csv.gz", tmp_path / "b.csv.GZ"
    for path in (first, second):
        write_lines(path, ["a\n", "na\u00efve\n"])
    assert gzip.decompress(first.read_bytes()) == "a\nna\u00efve\n".encode()
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes()[4:8] == bytes(4)  # no time (RFC 1952, 2.3.1)
    write_text("text\n", tmp_path / "c.md.gz")
    assert gzip.decompress((tmp_path / "c.md.gz").read_bytes()) == b"text\n"
