"""Compressed files, known by their first bytes whatever their names are, and read as they are."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

__all__ = [
    "COMPRESSIONS",
    "ENDINGS",
    "MAGIC_SIZE",
    "Compression",
    "compression_of",
    "is_cut_zip",
    "zip_of_one",
]

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


def _open_zip(raw: BinaryIO) -> tuple[BinaryIO, tuple[type[Exception], ...]]:
    import zipfile
    import zlib

    archive = zipfile.ZipFile(raw)
    stream = archive.open(_files_in(archive)[0])
    return cast(BinaryIO, stream), (zipfile.BadZipFile, zlib.error)


def _files_in(archive: ZipFile) -> list[ZipInfo]:
    """The files in it but for what macOS adds of its own: attributes, and how a folder looks."""
    return [
        one
        for one in archive.infolist()
        if not (one.is_dir() or one.filename.startswith("__MACOSX/"))
        and one.filename.rpartition("/")[2] != ".DS_Store"
    ]


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
    import zstandard

    return cast(BinaryIO, io.BufferedReader(_Zstandard(raw))), (zstandard.ZstdError,)


class _Zstandard(io.RawIOBase):
    """All frames of a Zstandard stream, one after the other.

    The package's own reader takes a file that is cut short for one that is complete.
    """

    _INPUT = 4096  # a few kilobytes can unpack to a hundred megabytes: memory follows this

    def __init__(self, raw: BinaryIO) -> None:
        self._pieces = self._decompress(raw)
        self._piece = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._piece:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._piece = memoryview(piece)
        size = min(len(buffer), len(self._piece))
        buffer[:size] = self._piece[:size]
        self._piece = self._piece[size:]
        return size

    def _decompress(self, raw: BinaryIO) -> Iterator[bytes]:
        import zstandard

        # 2 GiB windows are what `zstd --long=31` writes; the default refuses them.
        settings = zstandard.ZstdDecompressor(max_window_size=2**31)
        frame = settings.decompressobj()
        begun = False
        while data := raw.read(self._INPUT):
            while data:
                begun = True
                yield frame.decompress(data)
                data = frame.unused_data if frame.eof else b""
                if frame.eof:
                    frame = settings.decompressobj()
                    begun = False
        if begun:
            raise EOFError("the last frame has no end")


COMPRESSIONS = (
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

ENDINGS = (".gz", ".bz2", ".xz", ".zst", ".zip")
"""What names of compressed files usually end with."""

MAGIC_SIZE = 10


def compression_of(head: bytes) -> Compression | None:
    """How a file that begins with `head` (at least `MAGIC_SIZE` bytes of it) is compressed."""
    return next((known for known in COMPRESSIONS if known.begins(head)), None)


_ZIP = Compression("zip", lambda head: head.startswith(b"PK\x03\x04"), _open_zip)


def zip_of_one(head: bytes, raw: BinaryIO) -> Compression | None:
    """How a zip archive of one file is opened, as Quepid hands out its books; None for any other
    file. `raw` can seek, and is left anywhere: what an archive holds stands at its end."""
    if not _ZIP.begins(head):
        return None
    import zipfile

    try:
        with zipfile.ZipFile(raw) as archive:
            held = _files_in(archive)
            # What stands before them may be another archive, which would be passed over.
            if len(held) != 1 or min(one.header_offset for one in archive.infolist()):
                return None
            archive.open(held[0]).close()
    # What is encrypted or of another version is a RuntimeError.
    except (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile):
        return None
    known = held[0].compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    return _ZIP if known else None


def is_cut_zip(raw: BinaryIO) -> bool:
    """Whether what begins as a zip archive has no directory at its end. `raw` can seek, and is left
    anywhere."""
    import zipfile

    return not zipfile.is_zipfile(raw)
