"""`kind = "http"`: a search API that answers JSON, or any text with ids in it."""

from __future__ import annotations

import asyncio
import email.utils
import json
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from judge_tui.collect.answer import AskError, Hit
from judge_tui.collect.extraction import FromJson, FromText, excerpt, from_json_settings
from judge_tui.collect.filling import asks_for, fill, fill_json, fill_url
from judge_tui.collect.kinds import Asking, Opener, Surroundings
from judge_tui.collect.section import Section
from judge_tui.model import Query
from judge_tui.version import __version__

__all__ = ["LARGEST", "read", "send", "url_of"]

# Systems are searched and never written to; QUERY is a GET with a body.
_METHODS = ("GET", "POST", "QUERY")

LARGEST = 64_000_000
"""Bytes of one answer; of more no query of a person is answered."""

_TOO_MANY_REQUESTS = 429


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
    ) -> None:
        self._client = client
        self._request = request
        self._found = found
        self._timeout = timeout

    async def ask(self, query: Query, k: int) -> Sequence[Hit]:
        """Raises `AskError`."""
        asked = self._request
        content, more = _body(asked.body, query, k)
        request = self._client.build_request(
            asked.method,
            fill_url(asked.url, query, k),
            headers={**more, **{n: fill(v, query, k) for n, v in asked.headers.items()}},
            params={n: fill(v, query, k) for n, v in asked.params.items()} or None,
            content=content,
        )
        text = await send(self._client, request, self._timeout)
        return self._found.hits(text)


def read(section: Section) -> Opener | None:
    """Read the settings; None where one was refused."""
    url = url_of(section, "url")
    method = section.choice("method", _METHODS, "POST" if "body" in section else "GET")
    headers = section.texts("headers")
    params = section.texts("params")
    body = section.json("body")
    if body is not None and method == "GET":
        section.refuse("method", "a GET has no body", 'write method = "POST"')
    if not any(map(_asks, (url, params, body))):
        section.refuse("", "the query is in neither url, params nor body", "write {query} there")
    found: FromJson | FromText | None
    if "pattern" in section:
        pattern = section.pattern("pattern")
        found = FromText(pattern) if pattern is not None else None
    else:
        found = from_json_settings(section)
    _refuse_bad_headers(section, headers)
    if found is None or not url:
        return None
    results, request = found, _Request(method, url, headers, params, body)

    @asynccontextmanager
    async def opened(around: Surroundings) -> AsyncIterator[Asking]:
        async with client(around) as ready:
            yield _Http(ready, request, results, around.patience.timeout)

    return opened


def client(around: Surroundings) -> httpx.AsyncClient:
    """A client for one system. Redirects are refused: what is measured is what was named."""
    limits = httpx.Limits(max_connections=around.at_once, max_keepalive_connections=around.at_once)
    return httpx.AsyncClient(
        timeout=around.patience.timeout,
        limits=limits,
        headers={"User-Agent": f"judge_tui/{__version__}"},
        follow_redirects=False,
    )


def url_of(section: Section, name: str) -> str:
    """A setting that is a URL; '' where it is refused. Names and passwords in it are hidden."""
    text = section.text(name, required=True)
    if not text:
        return ""
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, ValueError) as error:
        section.refuse(name, f"{name} is no URL: {section.secrets.hidden(str(error))}", _AS)
        return ""
    if url.scheme not in ("http", "https") or not url.host:
        section.refuse(name, f"{name} is not http://… or https://…", _AS)
        return ""
    section.secrets.hide_basic(url.username, url.password)
    return text


async def send(client: httpx.AsyncClient, request: httpx.Request, timeout: float) -> str:
    """Send it once; the text of the answer. Raises `AskError`, whose words may hold secrets."""
    try:
        async with asyncio.timeout(timeout):
            response = await client.send(request, stream=True)
            try:
                return await _text(response)
            finally:
                await response.aclose()
    except (TimeoutError, httpx.TimeoutException) as error:
        raise AskError(f"no answer within {timeout:g} s") from error
    except httpx.InvalidURL as error:
        raise AskError(f"the URL cannot be asked: {error}") from error
    except httpx.TransportError as error:
        raise AskError(
            f"no connection: {str(error) or type(error).__name__}", again=True
        ) from error
    except (httpx.HTTPError, httpx.StreamError, UnicodeError) as error:
        raise AskError(f"{type(error).__name__}: {error}") from error


async def _text(response: httpx.Response) -> str:
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > LARGEST:
            raise AskError(f"the answer is larger than {LARGEST // 1_000_000} MB")
    status = response.status_code
    if status == _TOO_MANY_REQUESTS or status >= 500:
        raise AskError(
            _refused(response, bytes(body)),
            again=True,
            wait=_seconds_to_wait(response.headers.get("Retry-After")),
        )
    if not response.is_success:
        raise AskError(_refused(response, bytes(body)))
    try:
        return bytes(body).decode(response.charset_encoding or "utf-8")
    except (UnicodeDecodeError, LookupError) as error:
        raise AskError(f"the answer is not the text that it says it is: {error}") from error


def _refused(response: httpx.Response, body: bytes) -> str:
    said = excerpt(body.decode("utf-8", "replace"))
    where = response.headers.get("Location") if response.is_redirect else None
    status = f"HTTP {response.status_code} {response.reason_phrase}".rstrip()
    if where:
        return f"{status} to {where}; write that as its url"
    return f"{status}: {said}" if said else status


def _seconds_to_wait(header: str | None) -> float | None:
    """Of a Retry-After header (RFC 9110, 10.2.3): seconds or a date; None where it says neither."""
    if header is None:
        return None
    if header.strip().isascii() and header.strip().isdigit():
        return float(header.strip()[:12])
    try:
        then = email.utils.parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, then.timestamp() - time.time())


def _body(body: Any, query: Query, k: int) -> tuple[bytes | None, dict[str, str]]:
    """What is sent, and its type: a table as JSON, a text as it is."""
    if body is None:
        return None, {}
    filled = fill_json(body, query, k)
    if isinstance(body, str):
        return str(filled).encode(), {}
    return json.dumps(filled, ensure_ascii=False).encode(), {"Content-Type": "application/json"}


def _refuse_bad_headers(section: Section, headers: Mapping[str, str]) -> None:
    for name, value in headers.items():
        try:
            httpx.Headers({name: value})
            whole = "\n" not in value and "\r" not in value and name.isascii() and name.strip()
        except (UnicodeError, ValueError):
            whole = ""
        if not whole:
            section.refuse("headers", f"header {name!r} cannot be sent", "write it in one line")


def _asks(value: Any) -> bool:
    return asks_for(value, "query") or asks_for(value, "query_id")


_AS = 'write it as "https://host/path"'
