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

from judge_tui.collect.kinds import Asking, Searcher, Surroundings
from judge_tui.collect.nearest import Nearest, refuse_pair
from judge_tui.collect.over_http import client, refuse_bad_headers, send, url_of
from judge_tui.collect.pace import GaveUpError, Pace
from judge_tui.collect.reply import AskError, Hit
from judge_tui.collect.section import Section
from judge_tui.collect.vectors import Vectors, difference
from judge_tui.errors import UsageError
from judge_tui.model import Document, Query

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["read", "vectors_in"]

_CACHE = ".judge_tui-vectors"


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
        """What vectors depend on beside the text; another key in the URL changes none."""
        return json.dumps([self.named, self.model, self.dimensions])


class _Endpoint:
    """Texts -> vectors."""

    def __init__(self, ready: httpx.AsyncClient, settings: _Settings, timeout: float) -> None:
        self._client = ready
        self._settings = settings
        self._timeout = timeout
        self.model = ""
        """What the model calls itself in the last reply; empty where that does not say."""

    async def vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """A row for each text, as it came. Raises `AskError`."""
        body: dict[str, Any] = {"model": self._settings.model, "input": list(texts)}
        if self._settings.dimensions:
            body["dimensions"] = self._settings.dimensions
        try:
            text = await send(
                self._client,
                self._timeout,
                "POST",
                self._settings.url,
                headers={"Content-Type": "application/json", **self._settings.headers},
                content=json.dumps(body).encode(),
            )
        except AskError as error:
            if not error.too_large or len(texts) == 1:
                raise
            what = f"{error.what} ({len(texts)} texts were sent at once; for fewer set batch)"
            raise AskError(what, error.said, too_large=True) from error
        rows, self.model = vectors_in(text, len(texts))
        wanted, there = self._settings.dimensions, rows.shape[1]
        if wanted and there != wanted:
            raise AskError(
                f"dimensions is {wanted}, and its vectors have {there} numbers: it does not cut"
                " them; leave dimensions out"
            )
        return rows


class _Searching:
    """The documents nearest to a query."""

    def __init__(self, endpoint: _Endpoint, prefix: str, nearest: Nearest) -> None:
        self._endpoint = endpoint
        self._prefix = prefix
        self._nearest = nearest

    async def ask(self, query: Query, k: int) -> Sequence[Hit]:
        """By cosine. Raises `AskError`."""
        (vector,) = await self._endpoint.vectors([self._prefix + query.text])
        return self._nearest.to(query.query_id, vector, k)

    async def mark(self, before: Mapping[str, str]) -> tuple[dict[str, str], str]:
        """As it was known `before` it was asked: by the vector of the same query."""
        return await _mark_again(self._endpoint, before)


class _Trial:
    """The endpoint alone: it is tried before all the documents are made vectors of, with one of
    them, `text` being what of it is sent."""

    def __init__(self, endpoint: _Endpoint, prefix: str, document: Document, text: str) -> None:
        self._endpoint = endpoint
        self._prefix = prefix
        self._document = document
        self._text = text
        self._asked: tuple[str, npt.NDArray[np.float32]] | None = None

    async def ask(self, query: Query, _k: int) -> Sequence[Hit]:
        """Nothing is found; what is wrong with the endpoint is. Raises `AskError`."""
        text = self._prefix + query.text
        (vector,) = await self._endpoint.vectors([text])
        refuse_pair(vector, len(vector))
        self._asked = (text, vector)
        return []

    async def mark(self, before: Mapping[str, str]) -> tuple[dict[str, str], str]:
        """Known by what the model calls itself, and by the vector of one query. What is wrong with
        the document is no fault of a query: it is tried here."""
        assert self._asked is not None, "it is asked first"  # noqa: S101
        text, vector = self._asked
        try:
            (document,) = await self._endpoint.vectors([self._text])
        except AskError as error:
            raise error.of(f"no vector for document {self._document.doc_id!r}") from error
        refuse_pair(vector, len(document))
        known = {"model": self._endpoint.model, "text": text, "vector": _packed(vector)}
        if not before:
            return known, ""
        if before["text"] != text:
            return known, (await _mark_again(self._endpoint, before))[1]
        return known, difference(_unpacked(before["vector"]), vector)


async def _mark_again(endpoint: _Endpoint, before: Mapping[str, str]) -> tuple[dict[str, str], str]:
    (vector,) = await endpoint.vectors([before["text"]])
    known = {"model": endpoint.model, "text": before["text"], "vector": _packed(vector)}
    return known, difference(_unpacked(before["vector"]), vector)


def read(section: Section) -> Searcher | None:
    """Read the settings; None where one was refused."""
    settings = _Settings(
        url=url_of(section, "url"),
        named=" ".join([str(section.shown.get("url")), *section.marks.get("url", ())]),
        model=section.plain("model", required=True, public=True),
        headers=section.headers(),
        dimensions=section.count("dimensions", 0, least=1, most=1_000_000),
        batch=section.count("batch", 64, least=1, most=10_000),
        query_prefix=section.plain("query_prefix", public=True),
        document_prefix=section.plain("document_prefix", public=True),
        documents=section.plain("documents", required="candidates" not in section, public=True),
        candidates=section.flag("candidates"),
        cache=section.plain("cache", _CACHE, public=True),
    )
    refuse_bad_headers(section, settings.headers)
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
                text = settings.document_prefix + _text(documents[0])
                yield _Trial(endpoint, settings.query_prefix, documents[0], text)
                return
            rows = await _vectors(endpoint, settings, documents, around)
            among = around.candidates if settings.candidates else None
            nearest = Nearest(documents, rows, among)
            yield _Searching(endpoint, settings.query_prefix, nearest)

    return Searcher(
        open=opened,
        beside=frozenset({"batch", "cache"}),
        gives_texts=True,
        documents=settings.documents,
        ranks_candidates=settings.candidates,
    )


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


async def _vectors(
    endpoint: _Endpoint, settings: _Settings, documents: Sequence[Document], around: Surroundings
) -> npt.NDArray[np.float32]:
    """A row for each document, all of one model. Raises `AskError` and `JudgeTuiError`."""
    texts = [settings.document_prefix + _text(document) for document in documents]
    pace = Pace(around.patience, around.rested)
    kept = await _kept(endpoint, pace, settings, around, texts)
    missing = kept.missing(texts)
    done = len(texts) - len(missing)
    batches = [missing[at : at + settings.batch] for at in range(0, len(missing), settings.batch)]
    batches.reverse()
    while batches:
        around.told(f"{done:,} of {len(texts):,} vectors of documents")
        batch = batches.pop()
        try:
            tried = await pace.trying(partial(endpoint.vectors, batch))
        except GaveUpError as error:
            if len(batch) > 1 and not (error.again or error.too_large):
                # One of them is refused, and is to be named.
                half = len(batch) // 2
                batches += [batch[half:], batch[:half]]
                continue
            first, last = (documents[texts.index(one)].doc_id for one in (batch[0], batch[-1]))
            which = f"vector for document {first!r}"
            if len(batch) > 1:
                which = f"vectors for {len(batch)} documents from {first!r} to {last!r}"
            what = f"no {which} (those that have one are kept): {error.what}"
            raise AskError(what, error.said) from None
        kept.add(batch, tried.value, endpoint.model)
        done += len(batch)
    if missing and (why := await _other(endpoint, pace, kept, texts, settings)):
        kept.forget_added()
        raise UsageError(
            f"its model was exchanged while the documents were made vectors of: {why}",
            "the vectors made meanwhile are not kept; see that one model answers, and give the"
            " command again",
        )
    return kept.of(texts)


async def _kept(
    endpoint: _Endpoint,
    pace: Pace,
    settings: _Settings,
    around: Surroundings,
    texts: Sequence[str],
) -> Vectors:
    """The vectors that are there of this very model, as far as `texts` go: behind the same name and
    URL there may have been another one, also while some were made, whose vectors say nothing beside
    those of this one."""
    folder = around.folder / settings.cache
    others = Vectors.all_of(folder, settings.key)
    for one in others:
        if one.is_empty:
            return one
        if one.tells_model and not await _other(endpoint, pace, one, texts, settings):
            return one
    if others:
        what = (
            "of another model that had its name, or some of them are"
            if any(one.tells_model for one in others)
            else "damaged where they tell the model"
        )
        around.noted(f"the vectors of documents in {settings.cache} are {what}: made anew")
    return Vectors(folder, settings.key, len(others) + 1)


async def _other(
    endpoint: _Endpoint, pace: Pace, kept: Vectors, texts: Sequence[str], settings: _Settings
) -> str:
    """Why the vectors that are kept of `texts` are not all of the model that answers now; empty
    where they are. No more are asked for at once than of documents."""
    samples = kept.samples(texts)
    parts = [samples[at : at + settings.batch] for at in range(0, len(samples), settings.batch)]
    for part in parts:
        now = (await pace.trying(partial(endpoint.vectors, part))).value
        if why := kept.other_than(part, now, endpoint.model):
            return why
    return ""


def _text(document: Document) -> str:
    return "\n".join(part for part in (document.title, document.text) if part)


def vectors_in(text: str, wanted: int) -> tuple[npt.NDArray[np.float32], str]:
    """The vectors of a reply, in the order in which their texts were sent; and what the model
    calls itself, empty where it does not say."""
    import numpy as np  # noqa: PLC0415

    try:
        reply = json.loads(text)
        data = reply["data"]
        if not isinstance(data, list):
            raise TypeError
        numbered = [(one.get("index", at), one["embedding"]) for at, one in enumerate(data)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise AskError("the answer has no vectors", text) from None
    if len(numbered) != wanted:
        texts = "text" if wanted == 1 else "texts"
        raise AskError(f"the number of vectors is {len(numbered)} for {wanted} {texts}")
    by_index = {}
    for at, embedding in numbered:
        if type(at) is not int or not 0 <= at < wanted:
            raise AskError(
                f"a vector has the index {str(at)[:20]}, and they begin at 0 and end at"
                f" {wanted - 1}"
            )
        if at in by_index:
            raise AskError(f"the answer has two vectors with the index {at}")
        by_index[at] = embedding
    rows = [_vector(by_index[at], at) for at in range(wanted)]
    if len(lengths := sorted({len(row) for row in rows})) > 1:
        raise AskError(f"its vectors are of different lengths: {lengths[0]} and {lengths[-1]}")
    matrix = np.asarray(rows, dtype=np.float32)
    if not np.isfinite(matrix).all():
        raise AskError("a vector holds what is not a finite number")
    model = reply.get("model")
    return matrix, model if isinstance(model, str) else ""


def _vector(embedding: Any, at: int) -> npt.NDArray[np.float32]:
    import numpy as np  # noqa: PLC0415

    if isinstance(embedding, str):
        try:
            vector = np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
        except ValueError:
            raise AskError(f"vector {at} is no base64 of 32-bit numbers", embedding) from None
    elif isinstance(embedding, list) and all(type(one) in (float, int) for one in embedding):
        try:
            with np.errstate(over="ignore"):  # what is too large is told as not finite
                vector = np.asarray(embedding, dtype=np.float64).astype(np.float32)
        except OverflowError:
            raise AskError("a vector holds what is not a finite number") from None
    else:
        raise AskError(f"vector {at} is no list of numbers", embedding)
    if not len(vector):
        raise AskError(f"vector {at} has no numbers")
    return vector


def _packed(vector: npt.NDArray[np.float32]) -> str:
    """Its direction, as 16-bit floats: enough to know it again, and a line can hold it."""
    import numpy as np  # noqa: PLC0415

    exact = vector.astype(np.float64)
    return base64.b64encode((exact / np.linalg.norm(exact)).astype("<f2").tobytes()).decode()


def _unpacked(packed: str) -> npt.NDArray[np.float32]:
    import numpy as np  # noqa: PLC0415

    return np.frombuffer(base64.b64decode(packed), dtype="<f2").astype(np.float32)
