"""A real HTTP server on this machine that answers, and that fails in the ways of real ones."""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections import Counter
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


Reply = tuple[int, dict[str, str], bytes]

STATIC: dict[str, Reply] = {
    "huge": (200, {}, b'{"results": [' + b" " * 70_000_000 + b"]}"),
    "moved": (302, {"Location": "/search"}, b""),
    "text": (200, {}, b"see docs://a/1 and docs://b/2\nagain docs://a/1"),
    "version": (200, {}, b'{"index": "books", "version": "2.7"}'),
}


class Server(ThreadingHTTPServer):
    """`asked`: what was asked, in order, as (method, path, query string, headers, body).

    Any path that is in `replies` gets what stands there: status, headers and body. Other paths:
    /search answers `found` (query -> list of results); /once/STATUS/N/search fails N times with
    that status first; /STATUS/search always, with `retry_after`; /slow/SECONDS/search;
    /drip/search sends a byte a tenth of a second, for ever; /echo/search says what was sent;
    /hangup/search; those of `STATIC`; /embeddings. Paths that end with /chat are a chat endpoint,
    which says what `says` makes of the prompt: a text, or a whole choice. Those that end with
    /chat/completions send what `completes` makes of the request: JSON, or status, headers and body.
    `connections`: how many were opened. `vectors`: text -> its
    vector, for texts that are to have another one than their own, or the status by which it is
    refused; `embedded`: every text that a vector was made of.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[tuple[str, str, dict[str, list[str]], dict[str, str], bytes]] = []
        self.found: dict[str, list[Any]] = {}
        self.retry_after: str | None = None
        self.at_work = 0
        self.most_at_work = 0
        self.failures: Counter[str] = Counter()
        self.replies: dict[str, Reply] = {}
        self.vectors: dict[str, Any] = {}
        self.embedded: list[str] = []
        self.says: Callable[[str], Any] = lambda prompt: prompt
        self.completes: Callable[[dict[str, Any]], Any] = lambda request: request
        self.connections = 0
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

    def setup(self) -> None:
        super().setup()
        with self.server.lock:
            self.server.connections += 1

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the tests look at `asked`."""

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = urlsplit(self.path)
        params = parse_qs(url.query, keep_blank_values=True)
        server = self.server
        with server.lock:
            server.asked.append((self.command, url.path, params, dict(self.headers), body))
            server.at_work += 1
            server.most_at_work = max(server.most_at_work, server.at_work)
        try:
            self._answer(url.path, params, body)
        finally:
            with server.lock:
                server.at_work -= 1

    do_POST = do_GET  # noqa: N815 - its name is that of the library

    def _answer(self, path: str, params: dict[str, list[str]], body: bytes) -> None:
        server = self.server
        what, *more = path.strip("/").split("/")
        if (reply := server.replies.get(path) or STATIC.get(what)) is not None:
            self._send(*reply)
        elif what == "drip":
            self._drip()
        elif what == "hangup":
            self.close_connection = True
        elif what.isdigit() or (what == "once" and self._still_fails(int(more[1]))):
            headers = {"Retry-After": server.retry_after} if server.retry_after else {}
            status = int(what if what.isdigit() else more[0])
            self._send(status, headers, b'{"error": "this one is not to be had"}')
        elif what == "echo":
            said = {"headers": dict(self.headers), "path": self.path, "body": body.decode()}
            self._send_json({"results": [{"id": "e1", "text": json.dumps(said)}]})
        elif what == "embeddings":
            self._embeddings(json.loads(body))
        elif path.endswith("/chat/completions"):
            said = server.completes(json.loads(body))
            self._send(*said) if isinstance(said, tuple) else self._send_json(said)
        elif path.endswith("chat"):
            said = server.says(json.loads(body)["messages"][-1]["content"])
            choice = {"message": {"content": said}} if isinstance(said, str) else said
            self._send_json({"object": "chat.completion", "choices": [choice]})
        else:
            if what == "slow":
                time.sleep(float(more[0]))
            query = params["q"][0] if "q" in params else json.loads(body)["query"]
            self._send_json({"results": server.found.get(query, [])})

    def _still_fails(self, times: int) -> bool:
        with self.server.lock:
            self.server.failures[self.path] += 1
            return self.server.failures[self.path] <= times

    def _embeddings(self, wanted: dict[str, Any]) -> None:
        server, texts = self.server, wanted["input"]
        vectors = [server.vectors.get(text, vector(text)) for text in texts]
        if status := next((one for one in vectors if isinstance(one, int)), 0):
            self._send(status, {}, b"no vector")
            return
        server.embedded += texts
        data = [{"index": at, "embedding": its} for at, its in enumerate(vectors)]
        # In any order: the index says which is which.
        self._send_json({"data": data[::-1], "model": wanted["model"]})

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

    def _send_json(self, value: Any) -> None:
        self._send(200, {}, json.dumps(value).encode())

    def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Transfer-Encoding" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
