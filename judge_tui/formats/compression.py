"""What the first bytes of a file say: how it is compressed, whatever its name is, and whether it is
no text at all. Compressed files are read as they are; of what is neither, messages say what it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import BinaryIO, NamedTuple, cast

from judge_tui.formats.problems import UnreadableError

# The modules are imported when a file needs them: most files are plain, and start-up is counted.
# ruff: noqa: PLC0415


class Compression(NamedTuple):
    """One way to compress: how its files begin, and how they are opened.

    `open` returns the stream of the decompressed bytes, and the errors it raises, besides OSError
    and EOFError, where the data is damaged.
    """

    name: str
    begins: Callable[[bytes], bool]
    open: Callable[[BinaryIO], tuple[BinaryIO, tuple[type[Exception], ...]]]


def _open_gzip(raw: BinaryIO) -> tuple[BinaryIO, tuple[type[Exception], ...]]:
    import gzip
    import zlib

    return cast(BinaryIO, gzip.GzipFile(fileobj=raw, mode="rb")), (zlib.error,)


def _open_bzip2(raw: BinaryIO) -> tuple[BinaryIO, tuple[type[Exception], ...]]:
    import bz2

    return cast(BinaryIO, bz2.BZ2File(raw)), (ValueError,)


def _open_xz(raw: BinaryIO) -> tuple[BinaryIO, tuple[type[Exception], ...]]:
    import lzma

    return cast(BinaryIO, lzma.LZMAFile(raw)), (lzma.LZMAError,)


def _open_zstandard(raw: BinaryIO) -> tuple[BinaryIO, tuple[type[Exception], ...]]:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    # 2 GiB windows are what `zstd --long=31` writes; the default refuses them.
    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 31}
    return cast(BinaryIO, zstd.ZstdFile(raw, options=options)), (zstd.ZstdError,)


_COMPRESSIONS = (
    Compression("gzip", lambda head: head.startswith(b"\x1f\x8b\x08"), _open_gzip),
    Compression(
        "bzip2",
        lambda head: head[:3] == b"BZh" and head[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"),
        _open_bzip2,
    ),
    Compression("xz", lambda head: head.startswith(b"\xfd7zXZ\0"), _open_xz),
    Compression(
        "Zstandard",
        # A stream may begin with a skippable frame (RFC 8878, 3.1.2), as that of pzstd does.
        lambda head: (
            head.startswith(b"\x28\xb5\x2f\xfd")
            or (head[1:4] == b"\x2a\x4d\x18" and 0x50 <= head[0] <= 0x5F)
        ),
        _open_zstandard,
    ),
)

ENDINGS = (".gz", ".bz2", ".xz", ".zst")
"""What names of compressed files usually end with."""

MAGIC_SIZE = 10


def compression_of(head: bytes) -> Compression | None:
    """Recognise how a file is compressed that begins with `head` (at least `MAGIC_SIZE` bytes of
    it)."""
    return next((one for one in _COMPRESSIONS if one.begins(head)), None)


# ---- What is not text ----

_TEXT = "give a text file"
_KNOWN = (
    (b"SQLite format 3\0", "an SQLite file", "a campaign is given with --db; here a text file is"),
    (b"PK\x03\x04", "a zip archive", "unpack it first"),
    (b"%PDF-", "a PDF file", _TEXT),
    (b"\x04\x22\x4d\x18", "an LZ4 file", "unpack it first, e.g. with lz4 -d"),
    (b"PAR1", "a Parquet file", "export it as text first"),
    (b"\xff\xfe", "text in UTF-16", "save it as UTF-8, e.g. with iconv -f utf-16 -t utf-8"),
    (b"\xfe\xff", "text in UTF-16", "save it as UTF-8, e.g. with iconv -f utf-16 -t utf-8"),
)
# What an .xlsx or an .ods has among its first files, by Excel, LibreOffice and openpyxl.
_WORKBOOKS = (b"xl/", b"opendocument.spreadsheet")
# As file(1) draws the line: bell to carriage return, and escape, do occur in text.
_CONTROLS = bytes(byte for byte in range(0x20) if byte not in b"\a\b\t\n\v\f\r\x1b")


def refuse_binary(path: str, head: bytes) -> None:
    """Raise `UnreadableError` for what begins as no text does."""
    if head.startswith(b"PK\x03\x04") and any(name in head for name in _WORKBOOKS):
        raise UnreadableError(path, None, "this is a workbook, not a text file", "save it as CSV")
    for magic, what, mend in _KNOWN:
        if head.startswith(magic):
            raise UnreadableError(path, None, f"this is {what}, not a text file", mend)
    if head[257:262] == b"ustar":  # POSIX.1, pax(1): what an archive begins with has no mark
        what = "this is a tar archive, not a text file"
        raise UnreadableError(path, None, what, "unpack it first")
    if compression_of(head):
        raise UnreadableError(path, None, "this is compressed twice", "decompress it once first")
    refuse_nul(path, head, 0)


def refuse_nul(path: str, data: bytes, lines_before: int) -> None:
    """Raise `UnreadableError` where there is one; `lines_before`: before `data`, in its file."""
    at = data.find(b"\0")
    if at >= 0:
        line = lines_before + data.count(b"\n", 0, at) + 1
        what = "a NUL byte: this is a binary file, not a text file"
        raise UnreadableError(path, line, what, _TEXT)


def damaged(what: str) -> tuple[str, str]:
    """Say of damaged data what is wrong, and how to mend it."""
    return f"the {what} data is damaged or cut short", "make or copy the file again"


def is_binary(data: bytes) -> bool:
    """Whether `data` holds bytes that no text has: NUL, or controls that text does not use."""
    return data.translate(None, _CONTROLS) != data or compression_of(data) is not None
