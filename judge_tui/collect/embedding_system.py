"""`kind = "embedding"`: an OpenAI-compatible embedding endpoint, and the documents nearest by exact
cosine: of a file, or of those that a benchmark has for the query. Vectors of documents are kept on
disk, by text and model; those of queries never: what a query takes is measured."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, JsonValue

from judge_tui.collect.http_system import OverHttp, send
from judge_tui.collect.journal import Journal
from judge_tui.collect.search_system import Hit, SearchError
from judge_tui.collect.settings import EmbeddingSettings
from judge_tui.errors import InputError, UsageError
from judge_tui.formats.rows import iter_documents
from judge_tui.formats.source import fitting
from judge_tui.model import Document, Query

if TYPE_CHECKING:
    from judge_tui.collect.retry import Throttle
    from judge_tui.collect.work import CollectRequest

Matrix = npt.NDArray[np.float32]

VECTORS = ".judge_tui-vectors"
"""The folder of vectors, beside the systems file."""

_BLOCK = 16_384


class EmbeddingSearch(OverHttp):
    """The documents nearest to a query."""

    def __init__(self, settings: EmbeddingSettings, request: CollectRequest) -> None:
        super().__init__(settings, request)
        self._settings = settings
        self._rows: Matrix = np.empty((0, 0), dtype=np.float32)
        self._lengths: npt.NDArray[np.float64] = np.empty(0)

    @cached_property
    def documents(self) -> list[Document]:
        """Those of its file in their order; candidates in the order of their ids, since a benchmark
        may name the best ones first. Raises `InputError` and `UsageError`."""
        file = self._settings.documents
        if file is None:
            candidates = self.request.candidates.values()
            by_id = {one.doc_id: one for documents in candidates for one in documents}
            if not by_id:
                raise UsageError(
                    "it ranks candidates, and there are none",
                    "evaluate it with a graded benchmark, or give documents in place of candidates",
                )
            return [by_id[doc_id] for doc_id in sorted(by_id)]
        path = self.request.path(file)
        layout = self.request.layout
        layout = layout and fitting(path, layout)
        read = [one for _line, one in iter_documents(path, format=layout)]
        if not read:
            raise UsageError(f"there are no documents in {file}", "name another file")
        for one in read:
            if not _text(one).strip():
                what = f"document {one.doc_id!r} of {file} has no text"
                raise UsageError(what, "give it one, or leave it out")
        return read

    def content_digest(self) -> str:
        """Of the documents, and of which query has which candidates."""
        digest = hashlib.sha256()
        for one in self.documents:
            line = json.dumps([one.doc_id, one.title, one.text, one.url])
            digest.update(line.encode() + b"\n")
        for query_id, places in self._candidates.items():
            digest.update(json.dumps([query_id, places.tolist()]).encode() + b"\n")
        return digest.hexdigest()

    async def probe(self, query: Query) -> None:
        """The endpoint alone, with one query and one document. Raises `SearchError`."""
        await self._embed([self._settings.query_prefix + query.text])
        await self._embed([self._settings.document_prefix + _text(self.documents[0])])

    async def prepare(self, throttle: Throttle, tell: Callable[[int, int], None]) -> None:
        """Vectors for all documents that have none yet. Raises `SearchError`, `InputError` and
        `UsageError`."""
        settings = self._settings
        texts = [settings.document_prefix + _text(one) for one in self.documents]
        digests = [hashlib.sha256(one.encode()).hexdigest() for one in texts]
        model = json.dumps([settings.url, settings.model, settings.dimensions or 0])
        with _open_vectors(self.request.path(VECTORS), model) as journal:
            text_of = dict(zip(digests, texts, strict=True))
            missing = [digest for digest in text_of if digest not in journal.records]
            for at in range(0, len(missing), settings.batch):
                tell(len(texts) - len(missing) + at, len(texts))
                batch = missing[at : at + settings.batch]
                embed = partial(self._embed, [text_of[digest] for digest in batch])
                try:
                    rows = (await throttle.call(embed)).value()
                except SearchError as error:
                    first = self.documents[digests.index(batch[0])].doc_id
                    error.what = f"no vectors for {first!r} and {len(batch) - 1} more: {error.what}"
                    raise
                for digest, row in zip(batch, rows, strict=True):
                    numbers = base64.b64encode(row.astype("<f4").tobytes()).decode()
                    journal.add(StoredVector(digest, numbers))
            stored = [base64.b64decode(journal.records[digest].numbers) for digest in digests]
        if len({len(one) for one in stored}) > 1:
            what = "holds vectors of different lengths, of two models behind one name"
            raise InputError(journal.path, None, what, "delete it")
        self._rows = np.frombuffer(b"".join(stored), "<f4").reshape(len(stored), -1)
        squares = np.einsum("ij,ij->i", self._rows, self._rows, dtype=np.float64)
        self._lengths = np.sqrt(squares)

    async def fetch(self, query: Query) -> list[Hit]:
        """By cosine. Raises `SearchError`."""
        (vector,) = await self._embed([self._settings.query_prefix + query.text])
        if len(vector) != (length := self._rows.shape[1]):
            what = f"the query's vector has {len(vector)} numbers, those of the documents {length}"
            raise SearchError(what)
        among = self._candidates.get(query.query_id, slice(None))
        depth = self.request.depth
        cosines, order = nearest(self._rows[among], self._lengths[among], vector, depth)
        found = np.arange(len(self.documents))[among][order].tolist()
        return [
            Hit(one.doc_id, cosine, one.title, one.text, one.url)
            for place, cosine in zip(found, cosines[order].tolist(), strict=True)
            for one in [self.documents[place]]
        ]

    def find_hits(self, reply: list[Hit]) -> list[Hit]:
        """Those that were found."""
        return reply

    @cached_property
    def _candidates(self) -> dict[str, npt.NDArray[np.intp]]:
        """query_id -> where its documents stand, ascending; of all documents where it has none."""
        if not self._settings.candidates:
            return {}
        at = {one.doc_id: place for place, one in enumerate(self.documents)}
        return {
            query_id: np.array(sorted({at[one.doc_id] for one in documents}), dtype=np.intp)
            for query_id, documents in self.request.candidates.items()
        }

    async def _embed(self, texts: Sequence[str]) -> Matrix:
        """A row for each text. Raises `SearchError`."""
        settings = self._settings
        body: dict[str, JsonValue] = {"model": settings.model, "input": list(texts)}
        if settings.dimensions is not None:
            body["dimensions"] = settings.dimensions
        try:
            reply = await send(self.client, self.timeout, "POST", self.url, self.headers, body)
        except SearchError as error:
            if len(texts) > 1 and not error.transient:
                error.what += f" ({len(texts)} texts were sent at once; for fewer set batch)"
            raise
        return read_vectors(reply, len(texts))


@dataclass(frozen=True, slots=True)
class StoredVector:
    """A line of a file of vectors. `text`: the SHA-256 of what was embedded; `numbers`: 32-bit
    floats, least byte first, in base64."""

    text: str
    numbers: str


@contextmanager
def _open_vectors(folder: Path, model: str) -> Iterator[Journal[StoredVector]]:
    """The vectors of a model, by the digest of their text: what was paid for is not asked for
    again. Raises `InputError`."""
    path = folder / f"{hashlib.sha256(model.encode()).hexdigest()[:32]}.jsonl"
    try:
        folder.mkdir(exist_ok=True)
        with (
            FileLock(f"{path}.lock", timeout=0),
            Journal(path, StoredVector, lambda one: one.text) as journal,
        ):
            yield journal
    except Timeout as error:
        what, mend = "another program adds vectors to it", "wait for its end"
        raise InputError(path, None, what, mend) from error
    except OSError as error:
        what, mend = f"cannot be used: {error.strerror or error}", "make the folder writable"
        raise InputError(folder, None, what, mend) from error


class _Embedding(BaseModel):
    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    index: int
    embedding: list[float]


class _Embeddings(BaseModel):
    data: list[_Embedding]


def read_vectors(reply: str, wanted: int) -> Matrix:
    """The vectors of a reply, in the order in which their texts were sent. Raises `SearchError`."""
    try:
        data = _Embeddings.model_validate_json(reply).data
    except ValueError:
        raise SearchError("the answer has no vectors", reply) from None
    data.sort(key=lambda one: one.index)
    if [one.index for one in data] != [*range(wanted)]:
        what = f"the answer has {len(data)} vectors for {wanted} texts"
        raise SearchError(f"{what}, or their indexes are not 0, 1, 2 …")
    if len({len(one.embedding) for one in data}) > 1:
        raise SearchError("its vectors have different lengths")
    with np.errstate(over="ignore"):
        rows = np.array([one.embedding for one in data], dtype=np.float32)
    if not np.isfinite(rows).all() or not rows.any(axis=1).all():
        raise SearchError("a vector is all zeros, or has a number that is too large")
    return rows


def nearest(
    rows: Matrix, lengths: npt.NDArray[np.float64], vector: npt.NDArray[np.float32], depth: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.intp]]:
    """The cosine of each row, and where the `depth` highest stand, of equals the first one first.

    Cosines are rounded to 12 digits: sums differ in the last ones from machine to machine, and
    ranks must not."""
    exact = vector.astype(np.float64)
    exact /= np.linalg.norm(exact)
    blocks = range(0, len(rows), _BLOCK)
    products = [rows[at : at + _BLOCK].astype(np.float64) @ exact for at in blocks]
    cosines = np.round(np.concatenate(products or [np.empty(0)]) / lengths, 12)
    return cosines, np.argsort(-cosines, kind="stable")[:depth]


def _text(document: Document) -> str:
    return "\n".join(part for part in (document.title, document.text) if part)
