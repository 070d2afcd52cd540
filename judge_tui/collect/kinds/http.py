"""`kind = "http"`: a search API that answers JSON, or any text with ids in it."""

from __future__ import annotations

import asyncio
import email.utils
import json
import os
import ssl
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from urllib.parse import quote, urlencode

import httpx

from judge_tui.collect.answer import AskError, Hit
from judge_tui.collect.extraction import FromJson, FromText, results_settings
from judge_tui.collect.filling import asks_for, fill, fill_json, fill_url
from judge_tui.collect.kinds import Asking, Opener, Surroundings
from judge_tui.collect.section import Section
from judge_tui.errors import UsageError
from judge_tui.model import Query
from judge_tui.version import __version__

__all__ = ["LARGEST", "read", "send", "url_of"]

# Systems are searched and never written to; QUERY is a GET with a body.
_METHODS = ("GET", "POST", "QUERY")

LARGEST = 64_000_000
"""Bytes of one answer; of more no query of a person is answered."""

_TOO_MANY_REQUESTS = 429
_THIS_MACHINE = ("all://localhost", "all://*.localhost", "all://127.0.0.1", "all://[::1]")


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
        text = await send(
            self._client,
            self._timeout,
            asked.method,
            _with_params(fill_url(asked.url, query, k), asked.params, query, k),
            headers={**more, **{n: fill(v, query, k) for n, v in asked.headers.items()}},
            content=content,
        )
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
    if url and not any(map(_asks, (url, params, body))):
        section.refuse("", "the query is in neither url, params nor body", "write {query} there")
    found = results_settings(section)
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
    """A client for one system. Redirects are refused: what is measured is what was named. Proxies
    of the environment are used, but not for this machine. Raises `UsageError`."""
    limits = httpx.Limits(max_connections=around.at_once, max_keepalive_connections=around.at_once)
    try:
        ready = httpx.AsyncClient(
            timeout=around.patience.timeout,
            limits=limits,
            headers={"User-Agent": f"judge_tui/{__version__}"},
            follow_redirects=False,
            verify=_certificates(*map(os.environ.get, ("SSL_CERT_FILE", "SSL_CERT_DIR"))),
            mounts=dict.fromkeys(_THIS_MACHINE),
        )
    except (ValueError, ImportError, OSError, httpx.InvalidURL):
        # The error may name the proxy with its password.
        raise UsageError(
            "the proxy or the certificates that the environment names cannot be used",
            "mend or unset HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE and SSL_CERT_DIR",
        ) from None
    # What one query leaves behind must not change the answer to the next one.
    ready.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return ready


@cache
def _certificates(*_where: str | None) -> ssl.SSLContext:
    """Of the authorities that are trusted, from where the environment says; read once."""
    return httpx.create_ssl_context()


def url_of(section: Section, name: str) -> str:
    """A setting that is a URL; '' where it is refused."""
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
    return text


async def send(
    client: httpx.AsyncClient, timeout: float, method: str, url: str, **request: Any
) -> str:
    """Send a request once, `request` as httpx has it; the text of the answer. Raises `AskError`,
    whose words may hold secrets."""
    try:
        asked = client.build_request(method, url, **request)
        async with asyncio.timeout(timeout):
            response = await client.send(asked, stream=True)
            try:
                return await _text(response)
            finally:
                await response.aclose()
    except (TimeoutError, httpx.TimeoutException) as error:
        raise AskError(f"no answer within {timeout:g} s") from error
    except httpx.InvalidURL as error:
        raise AskError(f"the URL cannot be asked: {error}") from error
    except UnicodeEncodeError as error:
        raise AskError("a header is not ASCII, and cannot be sent") from error
    except (httpx.LocalProtocolError, httpx.UnsupportedProtocol) as error:
        raise AskError(f"cannot be sent: {error}") from error
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
            *_refused(response, bytes(body)),
            again=True,
            wait=_seconds_to_wait(response.headers.get("Retry-After")),
        )
    if not response.is_success:
        raise AskError(*_refused(response, bytes(body)))
    try:
        text = bytes(body).decode(response.charset_encoding or "utf-8")
    except (UnicodeDecodeError, LookupError) as error:
        raise AskError(f"the answer is not the text that it says it is: {error}") from error
    return text.removeprefix("\ufeff")


def _refused(response: httpx.Response, body: bytes) -> tuple[str, str]:
    """What happened, and what was said to it."""
    where = response.headers.get("Location") if response.is_redirect else None
    status = f"HTTP {response.status_code} {response.reason_phrase}".rstrip()
    if where:
        return f"{status}, to another place, which is to be its url", where
    return status, body.decode("utf-8", "replace")


def _seconds_to_wait(header: str | None) -> float | None:
    """Of a Retry-After header (RFC 9110, 10.2.3): seconds or a date; None where it says neither."""
    if header is None:
        return None
    if header.strip().isascii() and header.strip().isdigit():
        return float(header.strip()[:12])
    try:
        then = email.utils.parsedate_to_datetime(header).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, then - time.time())


def _with_params(url: str, params: Mapping[str, str], query: Query, k: int) -> str:
    """`url` with these behind its own; httpx would put them in their place."""
    if not params:
        return url
    more = urlencode({n: fill(v, query, k) for n, v in params.items()}, quote_via=quote, safe="")
    there, _, _fragment = url.partition("#")
    return f"{there}{'&' if '?' in there else '?'}{more}"


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
            section.refuse(
                "headers", f"header {name!r} cannot be sent", "a header is one line of ASCII"
            )


def _asks(value: Any) -> bool:
    return asks_for(value, "query") or asks_for(value, "query_id")


_AS = 'write it as "https://host/path"'
