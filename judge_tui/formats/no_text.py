"""What is no text that can be read: files of other kinds, known by how they begin, and what no text
holds."""

from __future__ import annotations

from typing import BinaryIO

from judge_tui.errors import InputError
from judge_tui.formats.compression import compression_of, is_cut_zip

__all__ = ["UnreadableError", "damaged", "is_binary", "refuse_binary", "refuse_nul"]

_TEXT = "give a text file"
_KNOWN = (
    (b"SQLite format 3\0", "an SQLite file", "a campaign is given with --db; here a text file is"),
    (b"PK\x03\x04", "a zip archive", "unpack it, or name it if it holds one file"),
    (b"%PDF-", "a PDF file", _TEXT),
    (b"\x04\x22\x4d\x18", "an LZ4 file", "unpack it first, e.g. with lz4 -d"),
    (b"PAR1", "a Parquet file", "export it as text first"),
    (b"\xff\xfe", "text in UTF-16", "save it as UTF-8, e.g. with iconv -f utf-16 -t utf-8"),
    (b"\xfe\xff", "text in UTF-16", "save it as UTF-8, e.g. with iconv -f utf-16 -t utf-8"),
)
# What an .xlsx or an .ods has among its first files, by Excel, LibreOffice and openpyxl.
_WORKBOOKS = (b"xl/", b"opendocument.spreadsheet")


class UnreadableError(InputError):
    """The file as a whole, or the rest of it, cannot be read: there are no more rows."""


def refuse_binary(path: str, head: bytes, raw: BinaryIO | None) -> None:
    """Raise `UnreadableError` for what begins as no text does; `raw`: the file, if it can seek."""
    if head.startswith(b"PK\x03\x04") and any(name in head for name in _WORKBOOKS):
        raise UnreadableError(path, None, "this is a workbook, not a text file", "save it as CSV")
    if head.startswith(b"PK\x03\x04") and raw is not None and is_cut_zip(raw):
        raise UnreadableError(path, None, *damaged("zip"))
    for magic, what, mend in _KNOWN:
        if head.startswith(magic):
            raise UnreadableError(path, None, f"this is {what}, not a text file", mend)
    if head[257:262] == b"ustar":  # POSIX.1, pax(1): what an archive begins with has no mark
        raise UnreadableError(
            path, None, "this is a tar archive, not a text file", "unpack it first"
        )
    if compression_of(head):
        raise UnreadableError(path, None, "this is compressed twice", "decompress it once")
    refuse_nul(path, head, 0)


def refuse_nul(path: str, data: bytes, lines_before: int) -> None:
    """Raise `UnreadableError` where there is one; `lines_before`: before `data`, in its file."""
    at = data.find(b"\0")
    if at >= 0:
        line = lines_before + data.count(b"\n", 0, at) + 1
        raise UnreadableError(
            path, line, "a NUL byte: this is a binary file, not a text file", _TEXT
        )


def damaged(what: str) -> tuple[str, str]:
    """What is told of such data, and how it is mended."""
    return f"the {what} data is damaged or cut short", "make or copy the file again"


def is_binary(data: bytes) -> bool:
    """Whether `data` holds bytes that no text has: NUL, or controls that text does not use."""
    return data.translate(None, _CONTROLS) != data or compression_of(data) is not None


# As file(1) draws the line: bell to carriage return, and escape, do occur in text.
_CONTROLS = bytes(byte for byte in range(0x20) if byte not in b"\a\b\t\n\v\f\r\x1b")
