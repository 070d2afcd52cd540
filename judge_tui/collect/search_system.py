"""What every live system is to `collect`: asked a query, it gives results or says why not; and how
a query is filled into its settings."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from judge_tui.collect.secrets import map_texts
from judge_tui.errors import JudgeTuiError
from judge_tui.model import Query
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.collect.retry import Throttle
    from judge_tui.collect.work import CollectRequest

LARGEST = 64_000_000
"""Bytes of one reply; no query of a person is answered with more."""

_LOOKED_AT = 1_000_000
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Hit:
    """One result; results stand in the system's order. `score` is the system's own; texts are empty
    where it gives none."""

    doc_id: str
    score: float | None = None
    title: str = ""
    text: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What one query brought: no document twice. `seconds`: of the last try, without waits;
    `repeated`: results dropped because their document stood above; `failure`: why there is no
    reply, in one line, empty where there is one; `asked`: on which day, as 2026-05-31."""

    query_id: str
    query: str
    hits: tuple[Hit, ...] = ()
    seconds: float = 0.0
    tries: int = 1
    repeated: int = 0
    failure: str = ""
    asked: str = ""


class SearchError(JudgeTuiError):
    """A query that was not answered. `detail`: what the system said, uncut, since a cut may end
    amid a secret; `transient`: another try may help; `retry_after`: the seconds it asked for;
    `status`: that of its HTTP response, None where there was none."""

    def __init__(
        self,
        what: str,
        detail: Any = "",
        *,
        transient: bool = False,
        retry_after: float | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(what)
        self.detail = detail
        self.status = status
        self.transient = transient
        self.retry_after = retry_after

    def line(self, redact: Callable[[str], str]) -> str:
        """Why, and how what was said begins, in one line that a terminal may show."""
        detail = self.detail if isinstance(self.detail, str) else json.dumps(self.detail)
        detail = " ".join(redact(detail[:_LOOKED_AT]).split())
        if len(detail) > _SHOWN:
            detail = f"{detail[:_SHOWN]}…"
        what = " ".join(redact(self.what).split())
        return visible_line(f"{what}: {detail}" if detail else what)


class LateError(SearchError):
    """No answer within the time."""

    def __init__(self, timeout: float) -> None:
        super().__init__(f"no answer within {timeout:g} s")


class SearchSystem(ABC):
    """A live system, usable within `async with`."""

    def __init__(self, request: CollectRequest) -> None:
        self.request = request

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:  # noqa: B027 - for some systems alone
        """Nothing to put away."""

    async def probe(self, query: Query) -> None:
        """Try it with one query, before anything is prepared. Raises `SearchError`."""
        self.take_hits(await self.fetch(query))

    async def prepare(  # noqa: B027 - for some systems alone
        self, throttle: Throttle, tell: Callable[[int, int], None]
    ) -> None:
        """Make ready what the first query needs; `tell` takes how many vectors of documents of how
        many there are. Raises `JudgeTuiError`."""

    @abstractmethod
    async def fetch(self, query: Query) -> Any:
        """The whole reply; the seconds of a query end when this returns. Raises `SearchError`."""

    @abstractmethod
    def find_hits(self, reply: Any) -> Iterable[Hit]:
        """The results in it, each judged when it is taken; not timed. Raises `SearchError`."""

    def content_digest(self) -> str:
        """SHA-256 of the documents that it searches; empty where they are not known here."""
        return ""

    def take_hits(self, reply: Any) -> tuple[tuple[Hit, ...], int]:
        """The documents of a reply down to the depth, each at its first place and without secrets,
        and how many results repeated one. Results behind them are not looked at. Raises
        `SearchError`."""
        documents: dict[str, Hit] = {}
        repeated = 0
        for hit in self.find_hits(reply):
            if hit.doc_id in documents:
                repeated += 1
            else:
                documents[hit.doc_id] = _redact_hit(hit, self.request.secrets.redact)
            if len(documents) >= self.request.depth:
                break
        return tuple(documents.values()), repeated


def _redact_hit(hit: Hit, redact: Callable[[str], str]) -> Hit:
    if redact(hit.doc_id) != hit.doc_id:
        # With the name in its place it would be the id of no document.
        what = (
            "the id of a result contains a secret; write a value that is not secret into the file"
        )
        raise SearchError(what, hit.doc_id)
    return replace(hit, title=redact(hit.title), text=redact(hit.text), url=redact(hit.url))


def query_values(query: Query, depth: int) -> dict[str, str]:
    """What is filled in for a query of which so many results are wanted."""
    return {"query": query.text, "query_id": query.query_id, "k": str(depth)}


def fill(text: str, values: Mapping[str, str]) -> str:
    """`text` with each `{name}` of `values` filled in, in one pass: what a query holds is never
    filled in again, and other braces stay as they are."""
    names = "|".join(map(re.escape, values))
    return re.sub(rf"\{{({names})\}}", lambda match: values[match[1]], text)


def fill_json(value: Any, values: Mapping[str, str]) -> Any:
    """The same in every text of a JSON value; a text that is `{k}` alone becomes a number."""
    return map_texts(value, lambda text: int(values["k"]) if text == "{k}" else fill(text, values))
