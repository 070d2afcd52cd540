"""`kind = "http"`: a search API; and one request over HTTP, as every kind sends it."""

from __future__ import annotations

import asyncio
import email.utils
import re
import ssl
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

import httpx
from pydantic import JsonValue

from judge_tui.collect.extract import extract
from judge_tui.collect.search_system import (
    LARGEST,
    Hit,
    LateError,
    SearchError,
    SearchSystem,
    fill,
    fill_json,
    query_values,
)
from judge_tui.collect.settings import HttpSettings, RemoteSettings
from judge_tui.errors import UsageError
from judge_tui.model import Query
from judge_tui.version import __version__

if TYPE_CHECKING:
    from judge_tui.collect.work import CollectRequest

_TOO_MANY_REQUESTS = 429
_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_THIS_MACHINE = ("all://localhost", "all://*.localhost", "all://127.0.0.1", "all://[::1]")


class OverHttp(SearchSystem):
    """A system that is asked over HTTP, by the `client` that is there within `async with`; `url`
    and `headers` have their secrets in them."""

    client: httpx.AsyncClient

    def __init__(self, settings: RemoteSettings, request: CollectRequest) -> None:
        super().__init__(request)
        self.timeout = settings.timeout
        self.url = request.secrets.expand_url(settings.url)
        self.headers: dict[str, str] = request.secrets.expand(settings.headers)

    async def __aenter__(self) -> Self:
        self.client = open_client(self.timeout, self.request.jobs)
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.client.aclose()


class HttpSearch(OverHttp):
    """A search API that answers JSON, or text with ids in it."""

    def __init__(self, settings: HttpSettings, request: CollectRequest) -> None:
        super().__init__(settings, request)
        self._settings = settings
        self._body = request.secrets.expand(settings.body)
        self._method = settings.method or ("GET" if settings.body is None else "POST")

    async def fetch(self, query: Query) -> str:
        """The text of the reply. Raises `SearchError`."""
        values = query_values(query, self.request.depth)
        url = fill(self.url, {name: quote(value, safe="") for name, value in values.items()})
        body = None if self._body is None else fill_json(self._body, values)
        headers = {name: fill(value, values) for name, value in self.headers.items()}
        return await send(self.client, self.timeout, self._method, url, headers, body)

    def find_hits(self, reply: str) -> Iterator[Hit]:
        """Raises `SearchError`."""
        return extract(self._settings, reply, self.timeout)


def open_client(
    timeout: float, jobs: int, certificates: ssl.SSLContext | bool = True
) -> httpx.AsyncClient:
    """A client for one system. Redirects are refused: what is measured is what was named. Proxies
    of the environment are used, but not for this machine. Raises `UsageError`."""
    with _refusing_environment():
        client = httpx.AsyncClient(
            verify=certificates,
            timeout=timeout,
            limits=httpx.Limits(max_connections=jobs, max_keepalive_connections=jobs),
            headers={"User-Agent": f"judge_tui/{__version__}"},
            follow_redirects=False,
            mounts=dict.fromkeys(_THIS_MACHINE),
        )
    # What one query leaves behind must not change the reply to the next one.
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client


@asynccontextmanager
async def open_clients(timeout: float, jobs: int) -> AsyncIterator[list[httpx.AsyncClient]]:
    """As many clients for one system, each of one connection: one of many connections looks at all
    of them for every request. Raises `UsageError`."""
    with _refusing_environment():
        certificates = httpx.create_ssl_context()
    async with AsyncExitStack() as stack:
        opened = (open_client(timeout, 1, certificates) for _ in range(jobs))
        yield [await stack.enter_async_context(one) for one in opened]


@contextmanager
def _refusing_environment() -> Iterator[None]:
    try:
        yield
    except (ValueError, ImportError, OSError, httpx.InvalidURL):
        # The error may name the proxy with its password.
        raise UsageError(
            "the proxy or the certificates that the environment names cannot be used",
            "mend or unset HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE and SSL_CERT_DIR",
        ) from None


async def send(
    client: httpx.AsyncClient,
    timeout: float,
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: JsonValue = None,
) -> str:
    """Send a request once, with JSON if there is any; the text of the whole reply. Raises
    `SearchError`, whose words may hold secrets."""
    try:
        request = client.build_request(method, url, headers=headers, json=body)
        async with asyncio.timeout(timeout):
            response = await client.send(request, stream=True)
            try:
                return await _read_text(response)
            finally:
                await response.aclose()
    except (TimeoutError, httpx.TimeoutException):
        raise LateError(timeout) from None
    except (
        httpx.InvalidURL,
        httpx.LocalProtocolError,
        httpx.UnsupportedProtocol,
        ValueError,  # also of a header that is not ASCII
    ) as error:
        raise SearchError(f"cannot be sent: {error}") from None
    except (httpx.TransportError, OSError) as error:
        what = "no whole answer"
        if isinstance(error, httpx.ConnectError | httpx.ProxyError | OSError):
            # Without what stands before an @ and behind a ?, which is nobody's business.
            to = request.url
            what = f"no connection to {to.scheme}://{to.netloc.decode('ascii')}{to.path}"
        said = str(error) or "the connection was broken off"
        raise SearchError(what, said, transient=True) from None
    except (httpx.HTTPError, httpx.StreamError) as error:
        raise SearchError(type(error).__name__, str(error)) from None


async def _read_text(response: httpx.Response) -> str:
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > LARGEST:
            raise SearchError(f"the answer is larger than {LARGEST // 1_000_000} MB")
    if not response.is_success:
        raise _describe_refusal(response, bytes(body))
    try:
        text = bytes(body).decode(response.charset_encoding or "utf-8")
    except (UnicodeDecodeError, LookupError) as error:
        raise SearchError(
            "the answer is not text in the encoding that it names", str(error)
        ) from None
    return text.removeprefix("\ufeff")


def _describe_refusal(response: httpx.Response, body: bytes) -> SearchError:
    """What happened, and what was said to it."""
    code = response.status_code
    status = f"HTTP {code} {response.reason_phrase}".rstrip()
    if response.is_redirect:
        where = response.headers.get("Location", "")
        what = f"{status}: it has moved; write the new address as url"
        return SearchError(what, where, status=code)
    transient = code == _TOO_MANY_REQUESTS or code >= 500
    wait = _read_retry_after(response.headers.get("Retry-After")) if transient else None
    said = body.decode("utf-8", "replace")
    return SearchError(status, said, transient=transient, retry_after=wait, status=code)


def _read_retry_after(header: str | None) -> float | None:
    """Seconds of a Retry-After header (RFC 9110, 10.2.3): a number, which some send with decimals,
    or a date; None where it says neither."""
    if header is None:
        return None
    if _SECONDS.fullmatch(header.strip()):
        return float(header)
    try:
        then = email.utils.parsedate_to_datetime(header).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, then - time.time())
