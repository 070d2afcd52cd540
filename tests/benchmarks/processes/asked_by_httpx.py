"""`asked_by_httpx.py URL COUNT CONCURRENCY`: the same requests in a bare loop of httpx, which reads
each answer and tries nothing again."""

from __future__ import annotations

import asyncio
import sys

import httpx

from tests.benchmarks.processes.prompts import prompts


async def _ask(url: str, count: int, concurrency: int) -> int:
    wanted, answered = iter(prompts(count)), 0
    limits = httpx.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)

    async def work() -> None:
        nonlocal answered
        for messages in wanted:
            body = {"model": "bench", "messages": messages, "temperature": 0.0, "top_p": 1.0}
            body |= {"frequency_penalty": 0.5, "max_tokens": 100}
            body |= {"logprobs": True, "top_logprobs": 10}
            response = await client.post(f"{url}/chat/completions", json=body)
            response.raise_for_status()
            reply = response.json()
            text, tokens = reply["choices"][0]["message"]["content"], reply["usage"]
            answered += text == "##final score: 2" and tokens["prompt_tokens"] == 500

    async with httpx.AsyncClient(limits=limits, timeout=120) as client:
        await asyncio.gather(*(work() for _ in range(concurrency)))
    return int(answered != count)


if __name__ == "__main__":
    sys.exit(asyncio.run(_ask(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
