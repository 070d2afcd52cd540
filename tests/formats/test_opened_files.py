"""Where bytes come from: plain, compressed, piped, damaged, missing."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import threading
from pathlib import Path

import pytest

from judge_tui.errors import InputError
from judge_tui.formats.rows import iter_rows
from judge_tui.formats.source import open_source
from judge_tui.formats.whole_files import read_qrels, read_run, read_text
from tests.packing import PACKERS

LINES = b"".join(b"q%d Q0 d%d 1 %d.5 bm25\n" % (i // 9, i, -i) for i in range(3_000))
HALF = len(LINES) // 2


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.txt"


@pytest.mark.parametrize("name", PACKERS)
def test_compressed_files_are_read_whatever_their_name_and_damage_is_told(
    file: Path, name: str
) -> None:
    file.write_bytes(LINES)
    plain = read_run(file).scores
    pack = PACKERS[name]
    data = pack(LINES)
    whole = [data, pack(LINES[:HALF]) + pack(LINES[HALF:])]
    if name == "zst":
        # RFC 8878, 3.1.2: magic 0x184D2A50, the size in four bytes, and data for someone else.
        whole.append(b"\x50\x2a\x4d\x18\x04\0\0\0abcd" + data)
        # 3.1.1: a frame with a window of 2 GiB (0xA8), and one last block, raw, of so many bytes.
        block = (len(LINES) << 3 | 1).to_bytes(3, "little")
        whole.append(b"\x28\xb5\x2f\xfd\0\xa8" + block + LINES)
    for packed in whole:
        file.write_bytes(packed)
        assert read_run(file).scores == plain
        assert [row.line for row in iter_rows("run", file)] == list(range(1, 3_001))
    damages = [data[:-1], data[: len(data) // 2], data[:30]]
    # Zstandard and bzip2 may tell a byte that is another by what they unpack, if at all.
    if at := {"gz": -6, "xz": len(data) // 2}.get(name):
        flipped = bytearray(data)
        flipped[at] ^= 0xFF
        damages.append(bytes(flipped))
    for damaged in damages:
        file.write_bytes(damaged)
        with pytest.raises(InputError, match=r"a\.txt: the \w+ data is damaged or cut short"):
            read_run(file)


@pytest.mark.parametrize("name", PACKERS)
def test_a_fault_before_the_cut_is_named_first(file: Path, name: str) -> None:
    noise = os.urandom(100_000).hex().encode()
    file.write_bytes(PACKERS[name](b"q1 Q0 d0 1 x t\n# " + noise)[:-9])
    with pytest.raises(InputError) as error:
        read_run(file)
    assert error.value.line == 1


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_an_archive_is_named(tmp_path: Path, mode: str) -> None:
    (tmp_path / "a.run").write_bytes(LINES)
    with tarfile.open(tmp_path / "runs.tar", mode) as archive:
        archive.add(tmp_path / "a.run", "a.run")
    with pytest.raises(InputError, match="this is a tar archive, not a text file; unpack it first"):
        read_run(tmp_path / "runs.tar")


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for path, expected in (
        (tmp_path / "none.run", "there is no such file; check the path"),
        (tmp_path, "this is a directory, not a file; give a file in it"),
        (tmp_path / "x" / "y", "there is no such file"),
        (tmp_path / ("n" * 300), "cannot be opened: File name too long"),
        (f"{tmp_path}/a\0b", "cannot be opened: embedded null byte"),
        (tmp_path / "loop", "cannot be opened: Too many levels of symbolic links"),
    ):
        with pytest.raises(InputError) as error:
            read_run(path)
        assert str(error.value).startswith(f"{path}: {expected}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_said_to_be_unreadable(file: Path) -> None:
    file.write_bytes(LINES)
    file.chmod(0)
    with pytest.raises(InputError, match="cannot be opened: Permission denied"):
        read_run(file)


STANDARD_INPUT = """\
from judge_tui.errors import InputError
from judge_tui.formats.whole_files import read_run
try:
    run = read_run("-")
    print(run.tag, sum(map(len, run.scores.values())))
except InputError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("data", "printed"),
    [
        (gzip.compress(LINES), "bm25 3000\n"),
        # Though it cannot be read twice, a fault is named.
        (LINES + b"q0 Q0 d3 1 0.5 bm25\n", "-:3001: document 'd3' is already in query 'q0', line"),
    ],
    ids=["gz", "fault"],
)
def test_standard_input_is_read_compressed_or_not(data: bytes, printed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STANDARD_INPUT], input=data, capture_output=True, check=True
    )
    assert done.stdout.decode().startswith(printed)


def test_a_named_pipe_that_gives_a_few_bytes_at_a_time_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        with pipe.open("wb", buffering=0) as stream:
            for byte in gzip.compress(b"q1 0 d1 1\nq1 0 d2 0\n"):
                stream.write(bytes([byte]))

    writer = threading.Thread(target=write)
    writer.start()
    assert read_qrels(pipe) == {"q1": {"d1": 1, "d2": 0}}
    writer.join()


class BrokenPipe(io.RawIOBase):
    """Standard input that breaks off at once, or where it does not fit into memory."""

    def __init__(self, size: int) -> None:
        self.left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self.left:
            raise OSError(5, "Input/output error")
        size = min(len(buffer), self.left)
        self.left -= size
        buffer[:size] = b"q" * size
        return size


@pytest.mark.parametrize(
    ("size", "folder", "words"),
    [
        (10, "", r"^-: cannot be read: Input/output error$"),
        ((1 << 25) + 10, "", r"^-: cannot be read: Input/output error$"),
        (1 << 26, "none", r"cannot be kept for reading: .*; set TMPDIR to a folder"),
    ],
)
def test_a_pipe_that_breaks_off_and_one_that_cannot_be_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, size: int, folder: str, words: str
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / folder))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(BrokenPipe(size))))
    with pytest.raises(InputError, match=words):
        read_run("-")


def test_a_text_comes_as_it_stands(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf# How\r\n\r\nRead.")
    assert read_text(file) == "# How\r\n\r\nRead."
    file.write_bytes(b"")
    assert read_text(file) == ""
    for data, words in (
        ("# How\nna\u00efve".encode("latin-1"), ":2: byte 3 of the line (0xEF) is not valid UTF"),
        (b"%PDF-1.7\n", ": this is a PDF file, not a text file; "),
    ):
        file.write_bytes(data)
        with pytest.raises(InputError) as error:
            read_text(file)
        assert str(error.value).startswith(f"{file}{words}")


@pytest.mark.parametrize("name", [None, *PACKERS])
def test_what_is_told_of_reading_adds_up_to_the_size_of_the_file(
    file: Path, name: str | None
) -> None:
    # Numbers that hardly compress: the file is larger than what is read ahead of it.
    lines = b"".join(
        b"q%d Q0 %s 1 1 t\n" % (i // 9, os.urandom(400).hex().encode()) for i in range(300)
    )
    file.write_bytes(PACKERS[name](lines) if name else lines)
    size = file.stat().st_size
    counts: list[int] = []
    with open_source(file, on_read=counts.append) as source:
        assert b"".join(source.pieces()) == lines
        assert sum(counts) == size
        assert min(counts) >= 0
        source.rewind()
        assert sum(counts) == 0
        buffer = memoryview(bytearray(100_000))
        part = 0
        while source.read_into(buffer):
            part = part or sum(counts)
        assert 0 < part <= sum(counts) == size
