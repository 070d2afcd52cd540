"""`kind = "http"`: a search API that answers JSON, or any text with ids in it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

import httpx

from judge_tui.collect.extraction import FromJson, FromText, hits_in, read_anew, results_settings
from judge_tui.collect.filling import (
    asks_for,
    fill,
    fill_json,
    fill_text_body,
    fill_url,
    is_escaped_as,
    json_type,
)
from judge_tui.collect.kinds import Answer, Asking, Searcher, Surroundings
from judge_tui.collect.matching import Matching, matching
from judge_tui.collect.over_http import client, refuse_bad_headers, send, url_of
from judge_tui.collect.section import Section
from judge_tui.model import Query

__all__ = ["read"]

_TYPE = "Content-Type"

# Systems are searched and never written to; QUERY is a GET with a body.
_METHODS = ("GET", "POST", "QUERY")


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    url: str
    headers: Mapping[str, str]
    params: Mapping[str, str]
    body: Any


class _Http:
    def __init__(
        self,
        client: httpx.AsyncClient,
        request: _Request,
        found: FromJson | FromText,
        timeout: float,
        matching: Matching,
    ) -> None:
        self._client = client
        self._request = request
        self._found = found
        self._timeout = timeout
        self._matching = matching

    async def ask(self, query: Query, k: int) -> Answer:
        """Raises `AskError`."""
        asked = self._request
        text = await send(
            self._client,
            self._timeout,
            asked.method,
            _with_params(fill_url(asked.url, query, k), asked.params, query, k),
            headers={n: fill(v, query, k) for n, v in asked.headers.items()},
            content=_body(asked, query, k),
        )
        return partial(hits_in, text, self._found, self._matching, k)


def read(section: Section) -> Searcher | None:
    """Read the settings; None where one was refused."""
    url = url_of(section, "url")
    method = section.choice("method", _METHODS, "POST" if "body" in section else "GET")
    headers = section.headers()
    params = section.params()
    body = section.json("body")
    if body is not None and method == "GET":
        section.refuse("method", "a GET has no body", 'write method = "POST"')
    if url and not any(map(_asks, (url, params, body))):
        section.refuse("", "the query is in neither url, params nor body", "write {query} there")
    for name in ("url", "headers", "params", "body"):
        section.known_names(name)
    found = results_settings(section)
    refuse_bad_headers(section, headers)
    if found is None or not url:
        return None
    typed = _with_type(headers, body)
    results, request = found, _Request(method, url, typed, params, body)
    anew = list(read_anew(found))
    if isinstance(body, str):
        # Texts had no type before, and what is filled in was escaped in JSON alone.
        anew += ["body: its type"] if typed != headers else []
        escaped = "" if json_type(body) else is_escaped_as(_type_of(typed))
        anew += [f"body: escaped in {escaped}"] if escaped else []

    @asynccontextmanager
    async def opened(around: Surroundings) -> AsyncIterator[Asking]:
        timeout = around.patience.timeout
        async with (
            client(around) as ready,
            matching(timeout, sure=isinstance(results, FromText)) as searches,
        ):
            yield _Http(ready, request, results, timeout, searches)

    return Searcher(
        open=opened,
        beside=frozenset(),
        gives_texts="text" in section,
        read_anew=tuple(anew),
    )


def _with_params(url: str, params: Mapping[str, str], query: Query, k: int) -> str:
    """`url` with these behind its own; httpx would put them in their place."""
    if not params:
        return url
    more = urlencode({n: fill(v, query, k) for n, v in params.items()}, quote_via=quote, safe="")
    there, _, _fragment = url.partition("#")
    return f"{there}{'&' if '?' in there else '?'}{more}"


def _body(asked: _Request, query: Query, k: int) -> bytes | None:
    """What is sent: a table as JSON, a text as it stands."""
    body = asked.body
    if body is None:
        return None
    if isinstance(body, str):
        return fill_text_body(body, query, k, _type_of(asked.headers)).encode()
    return json.dumps(fill_json(body, query, k), ensure_ascii=False).encode()


def _with_type(headers: Mapping[str, str], body: Any) -> dict[str, str]:
    """These headers, with that of the body's type unless they have it."""
    media = ""
    if isinstance(body, str):
        media = json_type(body)
    elif body is not None:
        media = "application/json"
    if not media or any(name.lower() == _TYPE.lower() for name in headers):
        return dict(headers)
    return {_TYPE: media, **headers}


def _type_of(headers: Mapping[str, str]) -> str:
    return next((value for name, value in headers.items() if name.lower() == _TYPE.lower()), "")


def _asks(value: Any) -> bool:
    return asks_for(value, "query") or asks_for(value, "query_id")
