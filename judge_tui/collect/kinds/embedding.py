"""`kind = "embedding"`: an OpenAI-compatible embedding endpoint, and the documents that are nearest
by exact cosine: of a file, or of those that a benchmark has for the query. Vectors of documents are
kept on disk by model and content, those of queries never: what a query takes is measured."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx

from judge_tui.collect.answer import AskError, Hit
from judge_tui.collect.kinds import Asking, Opener, Surroundings
from judge_tui.collect.over_http import client, send, url_of
from judge_tui.collect.pace import GaveUpError, Pace
from judge_tui.collect.section import Section
from judge_tui.collect.vectors import Vectors
from judge_tui.errors import UsageError
from judge_tui.model import Document, Query

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["read"]

_CACHE = ".judge_tui-vectors"
_BLOCK = 16_384


@dataclass(frozen=True, slots=True)
class _Settings:
    url: str
    named: str
    model: str
    headers: Mapping[str, str]
    dimensions: int
    batch: int
    query_prefix: str
    document_prefix: str
    documents: str
    candidates: bool
    cache: str

    @property
    def key(self) -> str:
        """What vectors depend on beside the text; another secret in the URL changes none."""
        return json.dumps([self.named, self.model, self.dimensions])


class _Endpoint:
    """Texts -> vectors."""

    def __init__(self, ready: httpx.AsyncClient, settings: _Settings, timeout: float) -> None:
        self._client = ready
        self._settings = settings
        self._timeout = timeout

    async def vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """A row for each text, as it came. Raises `AskError`."""
        body: dict[str, Any] = {"model": self._settings.model, "input": list(texts)}
        if self._settings.dimensions:
            body["dimensions"] = self._settings.dimensions
        text = await send(
            self._client,
            self._timeout,
            "POST",
            self._settings.url,
            headers={"Content-Type": "application/json", **self._settings.headers},
            content=json.dumps(body).encode(),
        )
        return _rows(text, len(texts))


class _Nearest:
    """The documents nearest to a query."""

    def __init__(
        self,
        endpoint: _Endpoint,
        prefix: str,
        documents: Sequence[Document],
        rows: npt.NDArray[np.float32],
        lengths: npt.NDArray[np.float64],
        among: Mapping[str, npt.NDArray[np.intp]] | None,
    ) -> None:
        """`among`: query_id -> which of the documents it is to find its own among, ascending; None
        where those are all of them."""
        self._endpoint = endpoint
        self._prefix = prefix
        self._documents = documents
        self._rows = rows
        self._lengths = lengths
        self._among = among

    async def ask(self, query: Query, k: int) -> Sequence[Hit]:
        """By cosine, equals in the order of the documents. Raises `AskError`."""
        import numpy as np  # noqa: PLC0415

        vector = (await self._endpoint.vectors([self._prefix + query.text]))[0].astype(np.float64)
        if vector.shape[0] != self._rows.shape[1]:
            raise AskError(
                f"the query's vector has {vector.shape[0]} numbers and those of the documents have "
                f"{self._rows.shape[1]}"
            )
        if not (length := float(np.linalg.norm(vector))):
            raise AskError("the query's vector is all zeros, which has no direction")
        # The same sums in the same order on every machine would be too much to ask; the same ranks
        # are not: what differs in the last digits counts as equal.
        places = None if self._among is None else self._among[query.query_id]
        rows, lengths = self._rows, self._lengths
        if places is not None:
            rows, lengths = rows[places], lengths[places]
        products = [
            rows[at : at + _BLOCK].astype(np.float64) @ (vector / length)
            for at in range(0, len(rows), _BLOCK)
        ]
        cosines = np.round(np.concatenate(products) / lengths, 12)
        return [
            self._hit(int(at if places is None else places[at]), float(cosines[at]))
            for at in _highest(cosines, k)
        ]

    def _hit(self, at: int, cosine: float) -> Hit:
        document = self._documents[at]
        return Hit(document.doc_id, cosine, document.title, document.text, document.url)


class _Trial:
    """The endpoint alone: it is tried before all the documents are made vectors of."""

    def __init__(self, endpoint: _Endpoint, prefix: str) -> None:
        self._endpoint = endpoint
        self._prefix = prefix

    async def ask(self, query: Query, _k: int) -> Sequence[Hit]:
        """Nothing is found; what is wrong with the endpoint is. Raises `AskError`."""
        await self._endpoint.vectors([self._prefix + query.text])
        return []


def read(section: Section) -> Opener | None:
    """Read the settings; None where one was refused."""
    settings = _Settings(
        url=url_of(section, "url"),
        named=str(section.table.get("url")),
        model=section.plain("model", required=True),
        headers=section.texts("headers"),
        dimensions=section.count("dimensions", 0, least=1, most=1_000_000),
        batch=section.count("batch", 64, least=1, most=10_000),
        query_prefix=section.plain("query_prefix"),
        document_prefix=section.plain("document_prefix"),
        documents=section.plain("documents", required="candidates" not in section),
        candidates=section.flag("candidates"),
        cache=section.plain("cache", _CACHE),
    )
    if settings.documents and settings.candidates:
        section.refuse("candidates", "there are documents, too", "leave one of the two out")
    if not (settings.documents or settings.candidates):
        if "candidates" in section:
            section.refuse("candidates", "candidates is false", "write true, or give documents")
        return None
    if not (settings.url and settings.model):
        return None

    @asynccontextmanager
    async def opened(around: Surroundings) -> AsyncIterator[Asking]:
        documents = _candidates(around) if settings.candidates else _documents(around, settings)
        async with client(around) as ready:
            endpoint = _Endpoint(ready, settings, around.patience.timeout)
            if around.trial:
                yield _Trial(endpoint, settings.query_prefix)
                return
            rows, lengths = await _vectors(endpoint, settings, documents, around)
            among = _places(around, documents) if settings.candidates else None
            yield _Nearest(endpoint, settings.query_prefix, documents, rows, lengths, among)

    return opened


def _documents(around: Surroundings, settings: _Settings) -> list[Document]:
    from judge_tui.formats import iter_documents  # noqa: PLC0415

    documents = [one for _line, one in iter_documents(around.folder / settings.documents)]
    if not documents:
        raise UsageError(f"there are no documents in {settings.documents}", "mend documents")
    for document in documents:
        if not (document.title.strip() or document.text.strip()):
            raise UsageError(
                f"document {document.doc_id!r} of {settings.documents} has no text",
                "give it one, or leave it out",
            )
    return documents


def _candidates(around: Surroundings) -> list[Document]:
    """Those of all queries in the order of their ids: a benchmark may name the best ones first."""
    every = {one.doc_id: one for held in around.candidates.values() for one in held}
    if not every:
        raise UsageError(
            "it ranks candidates, and there are none",
            "evaluate it with --benchmark FILE, or give documents in place of candidates",
        )
    return [every[doc_id] for doc_id in sorted(every)]


def _places(around: Surroundings, documents: Sequence[Document]) -> dict[str, npt.NDArray[np.intp]]:
    """query_id -> where its candidates stand among the documents."""
    import numpy as np  # noqa: PLC0415

    at = {document.doc_id: place for place, document in enumerate(documents)}
    return {
        query_id: np.array(sorted(at[one.doc_id] for one in held), dtype=np.intp)
        for query_id, held in around.candidates.items()
    }


async def _vectors(
    endpoint: _Endpoint, settings: _Settings, documents: Sequence[Document], around: Surroundings
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]:
    """A row for each document, and its length. Raises `AskError` and `JudgeTuiError`."""
    import numpy as np  # noqa: PLC0415

    texts = [settings.document_prefix + _text(document) for document in documents]
    pace = Pace(around.patience)
    kept = Vectors(around.folder / settings.cache, settings.key)
    missing = kept.missing(texts)
    for done in range(0, len(missing), settings.batch):
        around.told(f"{len(texts) - len(missing) + done:,} of {len(texts):,} vectors of documents")
        batch = missing[done : done + settings.batch]
        try:
            tried = await pace.trying(partial(endpoint.vectors, batch))
        except GaveUpError as error:
            first = documents[texts.index(batch[0])].doc_id
            raise AskError(
                f"no vectors for {len(batch)} documents from {first!r} on (those that have one are"
                f" kept): {error.what}",
                error.said,
            ) from None
        kept.add(batch, tried.value)
    rows = kept.of(texts)
    lengths = np.concatenate(
        [
            np.linalg.norm(rows[at : at + _BLOCK].astype(np.float64), axis=1)
            for at in range(0, len(rows), _BLOCK)
        ]
    )
    if (zeros := np.flatnonzero(lengths == 0)).size:
        raise UsageError(
            f"the vector of document {documents[zeros[0]].doc_id!r} is all zeros",
            "a cosine needs a direction; leave it out",
        )
    return rows, lengths


def _text(document: Document) -> str:
    return "\n".join(part for part in (document.title, document.text) if part)


def _highest(values: npt.NDArray[np.float64], k: int) -> npt.NDArray[np.intp]:
    """Where the `k` highest stand, highest first, of equals the first one first."""
    import numpy as np  # noqa: PLC0415

    if k < len(values):
        least = np.partition(values, len(values) - k)[len(values) - k]
        among = np.flatnonzero(values >= least)
    else:
        among = np.arange(len(values))
    return among[np.argsort(-values[among], kind="stable")][:k]


def _rows(text: str, wanted: int) -> npt.NDArray[np.float32]:
    """The vectors of an answer, in the order in which their texts were sent."""
    import numpy as np  # noqa: PLC0415

    try:
        data = json.loads(text)["data"]
        by_index = {int(one.get("index", at)): one["embedding"] for at, one in enumerate(data)}
        rows = [_vector(by_index[at]) for at in range(wanted)]
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        OverflowError,
        RecursionError,
    ):
        raise AskError("the answer has no vectors", text) from None
    if len(by_index) != wanted or len({len(row) for row in rows}) != 1 or not len(rows[0]):
        raise AskError(f"the answer has not one vector of one length for each of {wanted} texts")
    matrix = np.asarray(rows, dtype=np.float32)
    if not np.isfinite(matrix).all():
        raise AskError("a vector holds what is not a finite number")
    return matrix


def _vector(embedding: Any) -> npt.NDArray[np.float32]:
    import numpy as np  # noqa: PLC0415

    if isinstance(embedding, str):
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
    with np.errstate(over="ignore"):  # what is too large is told as not finite
        return np.asarray(embedding, dtype=np.float32).reshape(-1)
