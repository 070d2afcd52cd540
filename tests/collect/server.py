"""A real HTTP server on this machine that answers, and that fails in the ways of real ones."""

from __future__ import annotations

import hashlib
import json
import math
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np

DIMENSIONS = 64


def vector(text: str) -> list[float]:
    """A real vector of a text: its words hashed into 64 numbers (feature hashing, signed)."""
    numbers = np.zeros(DIMENSIONS)
    for word in re.findall(r"\w+", text.lower()):
        digest = hashlib.sha256(word.encode()).digest()
        numbers[digest[0] % DIMENSIONS] += 1 if digest[1] % 2 else -1
    return [float(one) for one in numbers]


class Server(ThreadingHTTPServer):
    """`asked`: what was asked, in order, as (method, path, query string, headers, body, second).

    Paths: /search answers `found` (query -> list of results); /once/STATUS/N/search fails N times
    with that status first; /STATUS/search always; /window/N/SECONDS/search answers N in so many
    seconds; /slow/SECONDS/search; /drip/search sends a byte a tenth of a second, for ever;
    /huge/search, /echo/search, /moved/search, /hangup/search; /version;
    /embeddings. Any path that is in `replies` gets what stands there: status, headers and body.
    Paths that end with /chat are a chat endpoint, which says what `says` makes of the prompt: a
    text, or a whole choice. `vectors`: text -> its vector, for texts that are to have another one
    than their own, or the status by which it is refused; `embedded`: every text that a vector
    was made of.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[tuple[str, str, dict[str, list[str]], dict[str, str], bytes, float]] = []
        self.found: dict[str, list[Any]] = {}
        self.retry_after: str | None = None
        self.let_in: list[float] = []
        self.at_work = 0
        self.most_at_work = 0
        self.failures: dict[str, int] = {}
        self.replies: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.vectors: dict[str, Any] = {}
        self.embedded: list[str] = []
        self.says: Callable[[str], Any] = lambda prompt: prompt
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who asked may have left."""


@contextmanager
def serving() -> Iterator[Server]:
    """A server, for as long as the block runs."""
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the tests look at `asked`."""

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = urlsplit(self.path)
        server = self.server
        with server.lock:
            server.asked.append(
                (
                    self.command,
                    url.path,
                    parse_qs(url.query, keep_blank_values=True),
                    dict(self.headers),
                    body,
                    time.monotonic(),
                )
            )
            server.at_work += 1
            server.most_at_work = max(server.most_at_work, server.at_work)
        try:
            self._as_wanted(url.path.strip("/").split("/"), parse_qs(url.query), body)
        finally:
            with server.lock:
                server.at_work -= 1

    def _as_wanted(self, parts: list[str], params: dict[str, list[str]], body: bytes) -> None:
        what = parts[0]
        if (reply := self.server.replies.get("/" + "/".join(parts))) is not None:
            self._reply(*reply)
            return
        if what == "once":
            status, times = int(parts[1]), int(parts[2])
            with self.server.lock:
                before = self.server.failures.get(self.path, 0)
                self.server.failures[self.path] = before + 1
            if before < times:
                self._send(status, b"not now")
                return
        elif what.isdigit():
            self._send(int(what), b'{"error": "this one is not to be had"}')
            return
        elif what == "window":
            if (wait := self._wait_for_room(int(parts[1]), float(parts[2]))) > 0:
                self._send(429, b"too many", retry_after=str(math.ceil(wait)))
                return
        elif what == "slow":
            time.sleep(float(parts[1]))
        elif what == "drip":
            self._drip()
            return
        elif what == "hangup":
            self.close_connection = True
            return
        elif what == "moved":
            self._send(302, b"", location="/search")
            return
        elif what == "version":
            self._send(200, b'{"index": "books", "version": "2.7"}')
            return
        if what in ("huge", "echo", "text"):
            self._send(200, self._odd(what, body))
            return
        if what == "embeddings":
            self._embeddings(body)
            return
        if parts[-1] == "chat":
            self._chat(body)
            return
        query = params["q"][0] if "q" in params else json.loads(body)["query"]
        found = self.server.found.get(query, [])
        self._send(200, json.dumps({"results": found}).encode())

    def _wait_for_room(self, most: int, seconds: float) -> float:
        """Until another one may be answered; 0 where this one may."""
        with self.server.lock:
            now = time.monotonic()
            recent = [at for at in self.server.let_in if now - at < seconds]
            if len(recent) >= most:
                return seconds - (now - recent[0])
            self.server.let_in = [*recent, now]
            return 0.0

    def _odd(self, what: str, body: bytes) -> bytes:
        if what == "huge":
            return b'{"results": [' + b" " * 70_000_000 + b"]}"
        if what == "text":
            return b"see docs://a/1 and docs://b/2\nagain docs://a/1"
        sent = {"headers": dict(self.headers), "path": self.path, "body": body.decode()}
        return json.dumps({"results": [{"id": "e1", "text": json.dumps(sent)}]}).encode()

    def _embeddings(self, body: bytes) -> None:
        wanted = json.loads(body)
        refused = [self.server.vectors.get(text) for text in wanted["input"]]
        if status := next((one for one in refused if isinstance(one, int)), 0):
            self._send(status, b"no vector")
            return
        self.server.embedded += wanted["input"]
        data = [
            {
                "object": "embedding",
                "index": at,
                "embedding": self.server.vectors.get(text, vector(text)),
            }
            for at, text in enumerate(wanted["input"])
        ]
        # In any order: the index says which is which.
        self._send(200, json.dumps({"data": data[::-1], "model": wanted["model"]}).encode())

    def _chat(self, body: bytes) -> None:
        said = self.server.says(json.loads(body)["messages"][-1]["content"])
        if isinstance(said, str):
            message = {"role": "assistant", "content": said}
            said = {"index": 0, "message": message, "finish_reason": "stop"}
        self._send(200, json.dumps({"object": "chat.completion", "choices": [said]}).encode())

    def _drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        try:
            for _ in range(600):
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.1)
        except OSError:
            return

    def _reply(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Transfer-Encoding" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _send(
        self,
        status: int,
        body: bytes,
        location: str | None = None,
        retry_after: str | None = None,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        retry_after = retry_after or self.server.retry_after
        if retry_after is not None and status in (429, 503):
            self.send_header("Retry-After", retry_after)
        if location is not None:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)
