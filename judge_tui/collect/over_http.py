"""HTTP, as every kind that asks by it does: a client for one system, a request sent once."""

from __future__ import annotations

import email.utils
import os
import re
import ssl
import time
from collections.abc import Mapping
from functools import cache
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import httpx

from judge_tui.collect.kinds import Surroundings
from judge_tui.collect.lack import telling_lack
from judge_tui.collect.limit import within
from judge_tui.collect.reply import LARGEST, AskError
from judge_tui.collect.section import Section
from judge_tui.errors import UsageError
from judge_tui.version import __version__

__all__ = ["client", "refuse_bad_headers", "send", "url_of"]

_CONTENT_TOO_LARGE = 413
_TOO_MANY_REQUESTS = 429
_NAMED_FIRST = re.compile(r"\$\{(\w+)\}")
_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_FOR_EVER = 999_999_999_999.0
_THIS_MACHINE = ("all://localhost", "all://*.localhost", "all://127.0.0.1", "all://[::1]")


def client(around: Surroundings, *, kept: bool = True) -> httpx.AsyncClient:
    """A client for one system. Redirects are refused: what is measured is what was named. Proxies
    of the environment are used, but not for this machine. `kept`: whether a connection stays open
    for the next question. Raises `UsageError`."""
    at_once = around.at_once
    limits = httpx.Limits(max_connections=at_once, max_keepalive_connections=at_once if kept else 0)
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
    # What one query leaves behind must not change the reply to the next one.
    ready.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return ready


@cache
def _certificates(*_where: str | None) -> ssl.SSLContext:
    """Of the authorities that are trusted, from where the environment says; read once."""
    return httpx.create_ssl_context()


def url_of(section: Section, name: str) -> str:
    """A setting that is a URL; '' where it is refused."""
    text = section.url(name)
    broken = _refuse_line_breaks(section, name, section.table.get(name), f"{name} is no URL")
    if broken or not text.strip():
        return ""
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, ValueError) as error:
        section.refuse(name, f"{name} is no URL: {section.secrets.hidden(str(error))}", _AS)
        return ""
    if url.scheme not in ("http", "https") or not url.host:
        first = _NAMED_FIRST.match(section.table[name])
        mend = _AS if first is None else f"set {first[1]} to https://… and the host"
        section.refuse(name, f"{name} is not http://… or https://…", mend)
        return ""
    return text


def refuse_bad_headers(section: Section, headers: Mapping[str, str]) -> None:
    """Refuse those that no request can carry."""
    for name, value in headers.items():
        try:
            httpx.Headers({name: value})
            whole = "\n" not in value and "\r" not in value and name.isascii() and name.strip()
        except (UnicodeError, ValueError):
            whole = ""
        if whole:
            continue
        what = f"header {name!r} cannot be sent"
        if not _refuse_line_breaks(section, "headers", section.table["headers"].get(name), what):
            section.refuse("headers", what, "a header is one line of ASCII")


def _refuse_line_breaks(section: Section, name: str, written: Any, what: str) -> bool:
    """Whether a setting was refused for line breaks in what the environment has for its secrets."""
    broken = section.secrets.of_many_lines(str(written))
    for one in broken:
        why = f"{what}: {one} of the environment has a line break in it"
        section.refuse(name, why, f"set {one} to one line")
    return bool(broken)


async def send(
    client: httpx.AsyncClient, timeout: float, method: str, url: str, **request: Any
) -> str:
    """Send a request once, `request` as httpx has it; the text of the reply. Raises `AskError`,
    whose words may hold secrets, and `LackError`."""
    with telling_lack():
        return await _sent(client, timeout, method, url, request)


async def _sent(
    client: httpx.AsyncClient, timeout: float, method: str, url: str, request: Mapping[str, Any]
) -> str:
    try:
        asked = client.build_request(method, url, **request)
        async with within(timeout):
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
        raise AskError(_no_reply(error), again=True) from error
    except (httpx.HTTPError, httpx.StreamError, UnicodeError) as error:
        raise AskError(f"{type(error).__name__}: {error}") from error


def _no_reply(error: httpx.TransportError) -> str:
    """What is wrong with a connection."""
    if isinstance(error, httpx.RemoteProtocolError):
        return f"no whole answer: {error}"
    if isinstance(error, httpx.ReadError | httpx.WriteError | httpx.CloseError):
        return "no whole answer: the connection was broken off"
    return f"no connection: {error}" if str(error) else "no connection"


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
            too_many=status == _TOO_MANY_REQUESTS,
        )
    if not response.is_success:
        raise AskError(*_refused(response, bytes(body)), too_large=status == _CONTENT_TOO_LARGE)
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
    """Of a Retry-After header (RFC 9110, 10.2.3): seconds, which some send with decimals, or a
    date; None where it says neither."""
    if header is None:
        return None
    if _SECONDS.fullmatch(header.strip()):
        return min(float(header), _FOR_EVER)
    try:
        then = email.utils.parsedate_to_datetime(header).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, then - time.time())


_AS = 'write it as "https://host/path"'
