"""Vectors kept on disk: what was paid for is not asked for again, whatever else has changed.

One file for each model: a line of JSON with the number of dimensions, the first text, by whose
vector the model is known again, and a digest of what it calls itself, and behind it records of a
fixed size, the SHA-256 of a text and its vector as 32-bit floats, least byte first.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge_tui.errors import InputError
from judge_tui.formats.problems import quoted

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Vectors", "difference"]

_ALIKE = 0.999
"""The least cosine of two vectors of one text."""

_STEPS = 6
"""From the first to the last of the texts that tell whether there are vectors of two models."""

_ELSEWHERE = "give cache = DIR"


class Vectors:
    """The vectors of one model, by the text that they are of."""

    def __init__(self, folder: Path, key: str, number: int = 1) -> None:
        """`key`: the model, and all else that vectors depend on; `number`: which of those that went
        by that key, where behind the same name there was another one. Raises `InputError` where the
        folder cannot be made or the file is none of ours."""
        self._path = folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}{_numbered(number)}"
        self._text = self._model = ""
        self._dimensions = self._size = 0
        self._where: dict[bytes, int] = {}
        self._rows: npt.NDArray[Any] | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                folder, None, f"cannot be made: {error.strerror or error}", _ELSEWHERE
            ) from error
        if self._path.exists():
            self._read()

    @classmethod
    def all_of(cls, folder: Path, key: str) -> list[Vectors]:
        """Those of every model that went by the key. Errors are those of `Vectors`."""
        found: list[Vectors] = []
        while (one := cls(folder, key, len(found) + 1))._path.exists():
            found.append(one)
        return found

    @property
    def tells_model(self) -> bool:
        """Whether there is the vector of the first text that was added, which tells whose it is."""
        return _digest(self._text) in self._where

    def samples(self, texts: Iterable[str]) -> list[str]:
        """Texts that tell by their vectors whether all that is here of `texts` is of one model: the
        first one that was added, and some of `texts` from the first to the last that was. They are
        none unless that `tells_model`."""
        if not self.tells_model:
            return []
        digests = ((text, _digest(text)) for text in texts)
        places = {self._where[one]: text for text, one in digests if one in self._where}
        ordered = sorted(places)
        last = len(ordered) - 1
        spread = (places[ordered[last * step // _STEPS]] for step in range(_STEPS + 1) if ordered)
        return list(dict.fromkeys([self._text, *spread]))

    @property
    def is_empty(self) -> bool:
        """Whether there is no vector of any model."""
        return not self._where

    def other_than(
        self, samples: Sequence[str], vectors: npt.NDArray[np.float32], model: str
    ) -> str:
        """Why a model that makes these vectors of the `samples`, and calls itself `model` (empty
        where it does not say), is not the one whose vectors are here; empty where it is."""
        if self._model and model and self._model != _named(model):
            return f"it says that it is {quoted(model)}, and said something else before"
        pairs = zip(self.of(samples), vectors, strict=True)
        return next((why for kept, now in pairs if (why := difference(kept, now))), "")

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Those that have no vector, each once."""
        return [text for text in dict.fromkeys(texts) if _digest(text) not in self._where]

    def of(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """float32[texts, dimensions]. Raises `KeyError` for one that is `missing`."""
        import numpy as np  # noqa: PLC0415

        if self._rows is None:
            return np.empty((0, 0), dtype=np.float32)
        places = [self._where[_digest(text)] for text in texts]
        return np.array(self._rows["vector"][places], dtype=np.float32)

    def add(self, texts: Sequence[str], vectors: npt.NDArray[np.float32], model: str = "") -> None:
        """Keep them, a row for each text; on disk when this returns. `model`: what the model calls
        itself. Raises `InputError` where they
        are of another length than those that are there."""
        import numpy as np  # noqa: PLC0415

        dimensions = vectors.shape[1]
        records = np.empty(len(texts), dtype=_record(dimensions))
        records["text"] = np.frombuffer(b"".join(map(_digest, texts)), dtype="V32")
        records["vector"] = vectors
        try:
            head = {"dimensions": dimensions, "model": _named(model), "text": texts[0]}
            self._write(dimensions, head, records.tobytes())
        except OSError as error:
            raise self._unwritable(error) from error
        self._dimensions = dimensions
        self._keep(records)

    def forget_added(self) -> None:
        """Take all that was added since this was read out of the file: it is of no one model. What
        another program added meanwhile came from the same one. Raises `InputError`."""
        import fcntl  # noqa: PLC0415 - not on every system

        try:
            with self._path.open("r+b") as stream:
                fcntl.flock(stream, fcntl.LOCK_EX)
                stream.truncate(min(self._size, stream.seek(0, os.SEEK_END)))
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> InputError:
        what = f"cannot be written: {error.strerror or error}"
        return InputError(self._path, None, what, _ELSEWHERE)

    def _write(self, dimensions: int, new: dict[str, Any], records: bytes) -> None:
        """At the end of the file, which another program may write to as well."""
        import fcntl  # noqa: PLC0415 - not on every system

        with self._path.open("a+b") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
            stream.seek(0)
            head = stream.readline()
            size = stream.seek(0, os.SEEK_END) - len(head)
            whole = head.endswith(b"\n")
            if not whole or size < _record(int(self._head(head)["dimensions"])).itemsize:
                stream.truncate(0)
                head = json.dumps(new).encode() + b"\n"
                stream.write(head)
                self._text, self._model = new["text"], new["model"]
            before = int(self._head(head)["dimensions"])
            if before != dimensions:
                raise InputError(
                    self._path,
                    None,
                    f"the model's vectors have {dimensions} numbers now, and {before} before",
                    "it is another model: delete this file",
                )
            # A write that a crash cut short would shift all that come behind it.
            rest = stream.seek(0, os.SEEK_END) - len(head)
            stream.truncate(len(head) + rest - rest % _record(dimensions).itemsize)
            stream.write(records)
            stream.flush()
            os.fsync(stream.fileno())

    def _read(self) -> None:
        import numpy as np  # noqa: PLC0415

        try:
            data = self._path.read_bytes()
        except OSError as error:
            raise InputError(
                self._path, None, f"cannot be read: {error.strerror or error}", _ELSEWHERE
            ) from error
        head, end, rest = data.partition(b"\n")
        if not end:
            return
        told = self._head(head)
        self._dimensions = int(told["dimensions"])
        self._text, self._model = str(told.get("text", "")), str(told.get("model", ""))
        record = _record(self._dimensions)
        whole = len(rest) // record.itemsize * record.itemsize
        self._size = len(head) + len(end) + whole
        records = np.frombuffer(rest[:whole], dtype=record)
        # None but these were ever added: what is otherwise now was damaged, and is missing.
        finite = np.isfinite(records["vector"]).all(axis=1)
        self._keep(records if finite.all() else records[finite])

    def _head(self, head: bytes) -> dict[str, Any]:
        try:
            told: dict[str, Any] = json.loads(head)
            int(told["dimensions"])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                self._path, None, "is no file of vectors", f"delete it, or {_ELSEWHERE}"
            ) from error
        return told

    def _keep(self, records: npt.NDArray[Any]) -> None:
        import numpy as np  # noqa: PLC0415

        start = 0 if self._rows is None else len(self._rows)
        for at, digest in enumerate(records["text"]):
            self._where[digest.tobytes()] = start + at
        self._rows = records if self._rows is None else np.concatenate([self._rows, records])


def difference(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> str:
    """Why two vectors of the same text are not one model's, with their cosine; empty where they may
    be: real servers differ in the last digits from one batch to another, another model in
    everything. To round to 16-bit floats changes a cosine by less than 1e-6, far less than is
    allowed."""
    import numpy as np  # noqa: PLC0415

    if one.shape != other.shape:
        return f"its vectors have {other.shape[0]} numbers, and had {one.shape[0]} before"
    first, second = one.astype(np.float64), other.astype(np.float64)
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    if not lengths:
        return "" if not (first.any() or second.any()) else "a vector of it is all zeros"
    cosine = float(first @ second) / lengths
    if cosine >= _ALIKE:
        return ""
    return (
        f"of the same text it makes another vector than before, with cosine {cosine:.6f} to that"
        f" one, and {_ALIKE} is the least that counts as the same model"
    )


def _numbered(number: int) -> str:
    return ".vectors" if number == 1 else f".{number}.vectors"


def _named(model: str) -> str:
    """A digest: a server may say back in it what is secret."""
    return hashlib.sha256(model.encode("utf-8", "surrogatepass")).hexdigest()[:16] if model else ""


def _record(dimensions: int) -> np.dtype[Any]:
    import numpy as np  # noqa: PLC0415

    return np.dtype([("text", "V32"), ("vector", "<f4", (dimensions,))])


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
