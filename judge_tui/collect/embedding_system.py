"""`kind = "embedding"`: an OpenAI-compatible embedding endpoint, and the documents nearest by exact
cosine: of a file, or of those that a benchmark has for the query. Vectors of documents are kept on
disk, those of queries never: what a query takes is measured."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from judge_tui.collect.http_system import OverHttp, send
from judge_tui.collect.search_system import Hit, SearchError
from judge_tui.collect.settings import EmbeddingSettings
from judge_tui.collect.vector_cache import VectorCache
from judge_tui.errors import UsageError
from judge_tui.formats.rows import iter_documents
from judge_tui.model import Document, Query

if TYPE_CHECKING:
    from judge_tui.collect.retry import Throttle
    from judge_tui.collect.work import CollectRequest

Matrix = npt.NDArray[np.float32]

_BLOCK = 16_384


class EmbeddingSearch(OverHttp):
    """The documents nearest to a query."""

    prepares = True

    def __init__(self, settings: EmbeddingSettings, request: CollectRequest) -> None:
        super().__init__(settings.timeout, request.jobs)
        self._settings = settings
        self._request = request
        self._url = request.secrets.expand_url(settings.url)
        self._headers = {
            "Content-Type": "application/json",
            **request.secrets.expand(settings.headers),
        }
        self._rows: Matrix = np.empty((0, 0), dtype=np.float32)
        self._lengths: npt.NDArray[np.float64] = np.empty(0)

    @cached_property
    def documents(self) -> list[Document]:
        """Those of its file in their order; candidates in the order of their ids, since a benchmark
        may name the best ones first. Raises `InputError` and `UsageError`."""
        settings = self._settings
        if settings.documents is None:
            every = {
                one.doc_id: one
                for documents in self._request.candidates.values()
                for one in documents
            }
            if not every:
                raise UsageError(
                    "it ranks candidates, and there are none",
                    "evaluate it with a graded benchmark, or give documents in place of candidates",
                )
            return [every[doc_id] for doc_id in sorted(every)]
        read = [one for _line, one in iter_documents(self._request.path(settings.documents))]
        if not read:
            raise UsageError(f"there are no documents in {settings.documents}", "mend documents")
        for one in read:
            if not _text(one).strip():
                what = f"document {one.doc_id!r} of {settings.documents} has no text"
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
        (vector,) = await self._embed([self._settings.query_prefix + query.text])
        first = self.documents[0]
        try:
            (other,) = await self._embed([self._settings.document_prefix + _text(first)])
        except SearchError as error:
            error.what = f"no vector for document {first.doc_id!r}: {error.what}"
            raise
        _refuse_pair(vector, len(other))

    async def prepare(self, throttle: Throttle, tell: Callable[[int, int], None]) -> None:
        """Vectors for all documents that have none yet. Raises `SearchError`, `UsageError`."""
        settings = self._settings
        texts = [settings.document_prefix + _text(one) for one in self.documents]
        key = json.dumps([settings.url, settings.model, settings.dimensions or 0])
        cache = VectorCache(self._request.path(settings.cache), key)
        missing = cache.missing(texts)
        for at in range(0, len(missing), settings.batch):
            tell(len(texts) - len(missing) + at, len(texts))
            batch = missing[at : at + settings.batch]
            try:
                rows = (await throttle.call(partial(self._embed, batch))).result()
            except SearchError as error:
                first = self.documents[texts.index(batch[0])].doc_id
                error.what = f"no vectors for {first!r} and {len(batch) - 1} more: {error.what}"
                raise
            cache.add(batch, rows)
        self._rows = cache.rows(texts)
        squares = np.einsum("ij,ij->i", self._rows, self._rows, dtype=np.float64)
        self._lengths = np.sqrt(squares)
        if (zeros := np.flatnonzero(self._lengths == 0)).size:
            what = f"the vector of document {self.documents[zeros[0]].doc_id!r} is all zeros"
            raise UsageError(what, "a cosine needs a direction; leave it out")

    async def fetch(self, query: Query, depth: int) -> list[Hit]:
        """By cosine. Raises `SearchError`."""
        (vector,) = await self._embed([self._settings.query_prefix + query.text])
        _refuse_pair(vector, self._rows.shape[1])
        among = self._candidates.get(query.query_id, slice(None))
        cosines, order = nearest(self._rows[among], self._lengths[among], vector, depth)
        found = np.arange(len(self.documents))[among][order]
        return [
            Hit(one.doc_id, cosine, one.title, one.text, one.url)
            for one, cosine in zip(
                map(self.documents.__getitem__, found.tolist()),
                cosines[order].tolist(),
                strict=True,
            )
        ]

    def hits(self, reply: list[Hit]) -> list[Hit]:
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
            for query_id, documents in self._request.candidates.items()
        }

    async def _embed(self, texts: Sequence[str]) -> Matrix:
        """A row for each text. Raises `SearchError`."""
        settings = self._settings
        body: dict[str, Any] = {"model": settings.model, "input": list(texts)}
        if settings.dimensions is not None:
            body["dimensions"] = settings.dimensions
        content = json.dumps(body).encode()
        timeout = settings.timeout
        try:
            reply = await send(self.client, timeout, "POST", self._url, self._headers, content)
        except SearchError as error:
            if len(texts) > 1 and not error.transient:
                error.what += f" ({len(texts)} texts were sent at once; for fewer set batch)"
            raise
        rows = read_vectors(reply, len(texts))
        if settings.dimensions not in (None, rows.shape[1]):
            raise SearchError(
                f"dimensions is {settings.dimensions}, and its vectors have {rows.shape[1]} numbers"
            )
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
    among = np.arange(len(cosines))
    if depth < len(cosines):
        least = np.partition(cosines, len(cosines) - depth)[len(cosines) - depth]
        among = np.flatnonzero(cosines >= least)
    return cosines, among[np.argsort(-cosines[among], kind="stable")][:depth]


def read_vectors(reply: str, wanted: int) -> Matrix:
    """The vectors of a reply, in the order in which their texts were sent. Raises `SearchError`."""
    try:
        data = json.loads(reply)["data"]
        by_index = {one.get("index", at): one["embedding"] for at, one in enumerate(data)}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SearchError("the answer has no vectors", reply) from None
    if len(data) != wanted or set(by_index) != set(range(wanted)):
        raise SearchError(f"the answer has {len(data)} vectors for {wanted} texts, or odd indexes")
    rows = [_read_vector(by_index[at]) for at in range(wanted)]
    if len({len(row) for row in rows}) > 1:
        raise SearchError("its vectors have different lengths")
    return np.stack(rows)


def _read_vector(embedding: Any) -> npt.NDArray[np.float32]:
    if not isinstance(embedding, list) or any(type(one) not in (float, int) for one in embedding):
        raise SearchError("a vector is no list of numbers", embedding)
    with np.errstate(over="ignore"):
        try:
            vector = np.asarray(embedding, dtype=np.float64).astype(np.float32)
        except OverflowError:  # an integer that no float can hold
            raise SearchError("a vector is no list of numbers", embedding) from None
    if not len(vector) or not np.isfinite(vector).all():
        raise SearchError("a vector has no numbers, or one that is not finite")
    return vector


def _refuse_pair(vector: npt.NDArray[np.float32], dimensions: int) -> None:
    if len(vector) != dimensions:
        raise SearchError(
            f"the query's vector has {len(vector)} numbers, those of the documents {dimensions}"
        )
    if not vector.any():
        raise SearchError("the query's vector is all zeros, which has no direction")


def _text(document: Document) -> str:
    return "\n".join(part for part in (document.title, document.text) if part)
