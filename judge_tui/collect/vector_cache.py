"""Vectors kept on disk: what was paid for is not asked for again.

One file for each model: a line of JSON with the number of dimensions, and behind it records of a
fixed size, the SHA-256 of a text and its vector as 32-bit floats, least byte first.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from filelock import FileLock

from judge_tui.errors import InputError

_MEND = "delete it, or give cache = DIR"


class VectorCache:
    """The vectors of one model, by the text that they are of."""

    def __init__(self, folder: Path, key: str) -> None:
        """`key`: the model, and all else that vectors depend on. Raises `InputError` where the
        folder cannot be made or the file is none of ours."""
        self._path = folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.vectors"
        self._vectors: dict[bytes, npt.NDArray[np.float32]] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            data = self._path.read_bytes() if self._path.exists() else b""
        except OSError as error:
            what = f"cannot be used: {error.strerror or error}"
            raise InputError(folder, None, what, "give cache = DIR") from error
        head, end, rest = data.partition(b"\n")
        if end:
            record = _record(self._dimensions(head))
            whole = len(rest) // record.itemsize
            self._keep(np.frombuffer(rest[: whole * record.itemsize], dtype=record))

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Those that have no vector, each once."""
        return [text for text in dict.fromkeys(texts) if _digest(text) not in self._vectors]

    def rows(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """float32[texts, dimensions]. Raises `KeyError` for one that is `missing`."""
        return np.stack([self._vectors[_digest(text)] for text in texts])

    def add(self, texts: Sequence[str], rows: npt.NDArray[np.float32]) -> None:
        """Keep them, a row for each text; on disk when this returns. Raises `InputError` where they
        have another length than those that are there."""
        record = _record(rows.shape[1])
        records = np.empty(len(texts), dtype=record)
        records["text"] = np.frombuffer(b"".join(map(_digest, texts)), dtype="V32")
        records["vector"] = rows
        try:
            with FileLock(f"{self._path}.lock"), self._path.open("a+b") as stream:
                stream.seek(0)
                head = stream.readline()
                if not head.endswith(b"\n"):
                    stream.truncate(0)
                    head = json.dumps({"dimensions": rows.shape[1]}).encode() + b"\n"
                    stream.write(head)
                    stream.flush()
                if (before := self._dimensions(head)) != rows.shape[1]:
                    what = f"the model's vectors have {rows.shape[1]} numbers, and had {before}"
                    raise InputError(self._path, None, what, f"it is another model: {_MEND}")
                # A record that a crash cut short would shift all that come behind it.
                whole = (stream.seek(0, os.SEEK_END) - len(head)) // record.itemsize
                stream.truncate(len(head) + whole * record.itemsize)
                stream.write(records.tobytes())
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            what = f"cannot be written: {error.strerror or error}"
            raise InputError(self._path, None, what, "give cache = DIR") from error
        self._keep(records)

    def _dimensions(self, head: bytes) -> int:
        try:
            return int(json.loads(head)["dimensions"])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(self._path, None, "is no file of vectors", _MEND) from error

    def _keep(self, records: npt.NDArray[Any]) -> None:
        # What is not finite now was damaged on disk, and is missing.
        for record in records[np.isfinite(records["vector"]).all(axis=1)]:
            self._vectors[record["text"].tobytes()] = record["vector"]


def _record(dimensions: int) -> np.dtype[Any]:
    return np.dtype([("text", "V32"), ("vector", "<f4", (dimensions,))])


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
