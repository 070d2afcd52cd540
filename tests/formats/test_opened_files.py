"""Where bytes come from: plain, compressed, piped, damaged, missing."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from judge_tui.errors import InputError
from judge_tui.formats.rows import iter_rows
from judge_tui.formats.source import open_source
from judge_tui.formats.whole_files import read_qrels, read_run, read_text

LINES = b"".join(b"q%d Q0 d%d 1 %d.5 bm25\n" % (i // 9, i, -i) for i in range(20_000))


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


def zipped(*held: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, data in enumerate(held):
            archive.writestr(f"book_export_{number}.json", data)
    return packed.getvalue()


COMPRESSORS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zst,
}
EVERY = {**COMPRESSORS, "zip": zipped}


def message(error: pytest.ExceptionInfo[InputError]) -> str:
    return str(error.value)


@pytest.mark.parametrize("name", EVERY)
def test_compressed_files_are_read_whatever_their_name(tmp_path: Path, name: str) -> None:
    plain, packed = tmp_path / "plain", tmp_path / "a.txt"
    plain.write_bytes(LINES)
    data = EVERY[name](LINES)
    packed.write_bytes(data)
    assert read_run(packed) == read_run(plain)
    assert [row.line for row in iter_rows("run", packed)] == list(range(1, 20_001))
    flipped = bytearray(data)
    flipped[len(data) // 2] ^= 0xFF
    # Zstandard and bzip2 may tell it by what they unpack, if at all.
    odd = [bytes(flipped)] if name in ("gz", "xz", "zip") else []
    for damaged in (data[:-1], data[: len(data) // 2], data[:30], *odd):
        packed.write_bytes(damaged)
        with pytest.raises(InputError, match=r"a\.txt: the \w+ data is damaged or cut short"):
            read_run(packed)


@pytest.mark.parametrize("name", COMPRESSORS)
def test_parts_compressed_one_by_one_and_put_together_are_one_file(
    tmp_path: Path, name: str
) -> None:
    half = len(LINES) // 2
    packed = tmp_path / "a.run"
    packed.write_bytes(COMPRESSORS[name](LINES[:half]) + COMPRESSORS[name](LINES[half:]))
    assert sum(map(len, read_run(packed).scores.values())) == 20_000


def test_a_skippable_frame_before_zstandard_data_is_skipped(tmp_path: Path) -> None:
    packed = tmp_path / "a.zst"
    # RFC 8878, 3.1.2: magic 0x184D2A50, the size in four bytes, and data for someone else.
    packed.write_bytes(b"\x50\x2a\x4d\x18\x04\0\0\0abcd" + zst(LINES))
    assert len(read_run(packed).scores["q0"]) == 9


@pytest.mark.parametrize(
    ("names", "is_read"),
    [
        (["a.run", "__MACOSX/._a.run"], True),
        (["a/", "a/.DS_Store", "__MACOSX/", "__MACOSX/a/._.DS_Store", "a/a.run"], True),
        (["a.run", "b.run", "__MACOSX/._a.run"], False),
        ([".DS_Store"], False),
    ],
)
def test_what_macos_adds_to_an_archive_is_none_of_it(
    tmp_path: Path, names: list[str], is_read: bool
) -> None:
    packed = tmp_path / "a.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, LINES if name.endswith("/a.run") or name == "a.run" else b"\0")
    if is_read:
        assert len(read_run(packed).scores["q0"]) == 9
    else:
        with pytest.raises(InputError, match="this is a zip archive, not a text file"):
            read_run(packed)


def test_whatever_byte_of_a_zip_archive_is_another_it_is_read_or_refused(tmp_path: Path) -> None:
    lines = b"q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\n"
    packed = tmp_path / "a.run.zip"
    whole = zipped(lines)
    refused = 0
    for at in range(len(whole)):
        packed.write_bytes(whole[:at] + bytes([whole[at] ^ 0x09]) + whole[at + 1 :])
        try:
            with open_source(packed) as source:
                assert b"".join(source.pieces()) == lines
        except InputError:
            refused += 1
    assert refused > len(lines)


def test_a_fault_before_the_cut_is_named_first(tmp_path: Path) -> None:
    packed = tmp_path / "a.run.gz"
    packed.write_bytes(gzip.compress(b"q1 Q0 d0 1 x t\n" + LINES)[:-9])
    with pytest.raises(InputError) as error:
        read_run(packed)
    assert error.value.line == 1


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (gzip.compress(gzip.compress(LINES)), "this is compressed twice"),
        (b"SQLite format 3\0" + bytes(84), "this is an SQLite file, not a text file"),
        (b"PK\x03\x04\x14\0", "the zip data is damaged or cut short"),
        (zipped(LINES, LINES), "this is a zip archive, not a text file"),
        (zipped(LINES) + zipped(LINES), "this is a zip archive, not a text file"),
        (zipped(LINES)[:-9], "the zip data is damaged or cut short"),
        (zipped(LINES, LINES)[:-9], "the zip data is damaged or cut short"),
        (zipped(LINES)[: len(zipped(LINES)) // 2], "the zip data is damaged or cut short"),
        (zipped(gzip.compress(LINES)), "this is compressed twice"),
        (b"PK\x03\x04\x14\0xl/workbook.xml", "this is a workbook, not a text file"),
        (
            b"PK\x03\x04\x14\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
            "this is a workbook, not a text file",
        ),
        (b"PAR1\x15", "this is a Parquet file, not a text file"),
        (b"%PDF-1.7\n", "this is a PDF file, not a text file"),
        ("q1 0 d1 1\n".encode("utf-16"), "this is text in UTF-16, not a text file"),
    ],
)
def test_what_is_no_text_is_called_by_its_name(tmp_path: Path, data: bytes, expected: str) -> None:
    file = tmp_path / "odd"
    file.write_bytes(data)
    for read in (read_run, read_qrels, read_text):
        with pytest.raises(InputError) as error:
            read(file)
        assert message(error).startswith(f"{file}: {expected}; ")


@pytest.mark.parametrize("before", [0, 3, 20_000])
def test_a_nul_byte_is_named_with_its_line(tmp_path: Path, before: int) -> None:
    file = tmp_path / "a.run"
    file.write_bytes(b"".join(LINES.splitlines(keepends=True)[:before]) + b"q \0 d 1 1 t\n")
    with pytest.raises(InputError) as error:
        read_run(file)
    assert message(error).startswith(f"{file}:{before + 1}: a NUL byte: this is a binary file")


def test_missing_files_directories_and_impossible_names(tmp_path: Path) -> None:
    for path, expected in (
        (tmp_path / "none.run", "there is no such file; check the path"),
        (tmp_path, "this is a directory, not a file; give a file in it"),
        (tmp_path / "x" / "y", "there is no such file"),
        (tmp_path / ("n" * 300), "cannot be opened: File name too long"),
        (f"{tmp_path}/a\0b", "cannot be opened: embedded null byte"),
    ):
        with pytest.raises(InputError) as error:
            read_run(path)
        assert message(error).startswith(f"{path}: {expected}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_said_to_be_unreadable(tmp_path: Path) -> None:
    file = tmp_path / "a.run"
    file.write_bytes(LINES)
    file.chmod(0)
    with pytest.raises(InputError, match="cannot be opened: Permission denied"):
        read_run(file)


def test_a_link_to_itself_is_said_to_be_unreadable(tmp_path: Path) -> None:
    link = tmp_path / "a.run"
    link.symlink_to(link)
    with pytest.raises(InputError, match="cannot be opened: Too many levels of symbolic links"):
        read_run(link)


def in_a_process(code: str, given: bytes) -> subprocess.CompletedProcess[bytes]:
    # The prompt of no terminal: what a shell's pipe does.
    return subprocess.run(
        [sys.executable, "-c", code], input=given, capture_output=True, check=True
    )


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zst])
def test_standard_input_is_read_compressed_or_not(pack: Callable[[bytes], bytes]) -> None:
    code = (
        "from judge_tui.formats.whole_files import read_run\n"
        "run = read_run('-')\n"
        "print(run.tag, sum(map(len, run.scores.values())))"
    )
    assert in_a_process(code, pack(LINES)).stdout == b"bm25 20000\n"


def test_a_fault_in_standard_input_is_named_though_it_cannot_be_read_twice() -> None:
    code = (
        "from judge_tui.errors import InputError\n"
        "from judge_tui.formats.whole_files import read_run\n"
        "try: read_run('-')\n"
        "except InputError as error: print(error)"
    )
    printed = in_a_process(code, LINES + b"q0 Q0 d3 1 0.5 bm25\n").stdout.decode()
    assert printed.startswith("-:20001: document 'd3' is already in query 'q0', line 4;")


def test_a_named_pipe_that_gives_a_few_bytes_at_a_time_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = gzip.compress(b"q1 0 d1 1\nq1 0 d2 0\n")

    def write() -> None:
        with pipe.open("wb", buffering=0) as stream:
            for byte in data:
                stream.write(bytes([byte]))

    writer = threading.Thread(target=write)
    writer.start()
    assert read_qrels(pipe) == {"q1": {"d1": 1, "d2": 0}}
    writer.join()


def test_a_text_comes_as_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "guidelines.md"
    file.write_bytes(b"\xef\xbb\xbf# How\r\n\r\nRead.")
    assert read_text(file) == "# How\r\n\r\nRead."
    file.write_bytes(b"")
    assert read_text(file) == ""
    file.write_bytes("# How\nna\u00efve".encode("latin-1"))
    with pytest.raises(InputError) as error:
        read_text(file)
    assert message(error).startswith(f"{file}:2: byte 3 of the line (0xEF) is not valid UTF-8; ")


@pytest.mark.parametrize("name", [None, *COMPRESSORS])
def test_what_is_told_adds_up_to_the_size_of_the_file(tmp_path: Path, name: str | None) -> None:
    # Numbers that hardly compress: the file is larger than what is read ahead of it.
    lines = b"".join(
        b"q%d Q0 %s 1 1 t\n" % (i // 9, os.urandom(40).hex().encode()) for i in range(9000)
    )
    file = tmp_path / "a"
    file.write_bytes(COMPRESSORS[name](lines) if name else lines)
    size = file.stat().st_size
    told: list[int] = []
    with open_source(file, on_read=told.append) as source:
        assert b"".join(source.pieces()) == lines
        assert sum(told) == size
        assert min(told) >= 0
        source.rewind()
        assert sum(told) == 0
        buffer = memoryview(bytearray(100_000))
        part = 0
        while source.read_into(buffer):
            part = part or sum(told)
        assert 0 < part <= sum(told) == size


class Pipe(io.RawIOBase):
    """Standard input that breaks off after so many bytes."""

    def __init__(self, size: int) -> None:
        self.left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self.left:
            raise OSError(5, "Input/output error")
        size = min(len(buffer), self.left)
        self.left -= size
        buffer[:size] = b"q Q0 d 1 1 t\n"[:1] * size
        return size


@pytest.mark.parametrize("size", [10, 1 << 25, (1 << 25) + 10])
def test_a_pipe_that_breaks_off_is_not_told_as_a_full_disk(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Pipe(size))))
    with pytest.raises(InputError, match=r"^-: cannot be read: Input/output error$"):
        read_run("-")


def test_a_pipe_that_cannot_be_kept_says_where_it_would_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Pipe(1 << 26))))
    with pytest.raises(InputError, match=r"cannot be kept for reading: .*; set TMPDIR to a folder"):
        read_run("-")


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_an_archive_is_named(tmp_path: Path, mode: str) -> None:
    (tmp_path / "a.run").write_bytes(LINES)
    with tarfile.open(tmp_path / "runs.tar", mode) as archive:
        archive.add(tmp_path / "a.run", "a.run")
    with pytest.raises(InputError, match="this is a tar archive, not a text file; unpack it first"):
        read_run(tmp_path / "runs.tar")
