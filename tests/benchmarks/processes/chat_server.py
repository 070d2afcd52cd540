"""`chat_server.py SECONDS`: a chat endpoint that answers everything alike after so long. It prints
its address and serves until its standard input ends."""

from __future__ import annotations

import asyncio
import json
import re
import sys

_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_MESSAGE = {"role": "assistant", "content": "##final score: 2"}
_BODY = json.dumps(
    {
        "object": "chat.completion",
        "model": "bench",
        "choices": [{"index": 0, "message": _MESSAGE, "logprobs": None, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 500, "completion_tokens": 7, "total_tokens": 507},
    }
).encode()
_REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
    len(_BODY),
    _BODY,
)


class _Connection(asyncio.Protocol):
    """Requests with a Content-Length, one at a time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._read = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._read += data
        head, mark, body = self._read.partition(b"\r\n\r\n")
        if mark and len(body) == int(_LENGTH.search(head)[1]):
            self._read = b""
            loop = asyncio.get_running_loop()
            loop.call_later(self._seconds, self._transport.write, _REPLY)


async def _serve(seconds: float) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(seconds), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    print(f"http://127.0.0.1:{port}/v1", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1])))
