"""The row about models: how fast an endpoint is asked, beside the HTTP library alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.benchmarks.contest import Contestant, hold

PROCESSES = Path(__file__).parent / "processes"
COUNT, CONCURRENCY, SECONDS = 20_000, 32, 0.005
_GOAL = 0.9


def measure_asking(*, count: int = COUNT, rounds: int = 3) -> list[str]:
    """Print what it takes, and what a few requests take of memory; a line where one fails."""
    print(
        f"{count:,} requests to a chat endpoint that answers in {1000 * SECONDS:g} ms,"
        f" {CONCURRENCY} at a time\n  goal: {_GOAL:.0%} of the requests a second of a bare loop of"
        " httpx, and memory that does not grow"
    )
    server = subprocess.Popen(
        [sys.executable, str(PROCESSES / "chat_server.py"), str(SECONDS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with server:
        url = server.stdout.readline().strip()

        def asking(name: str, module: str, requests: int) -> Contestant:
            module = f"tests.benchmarks.processes.{module}"
            command = [sys.executable, "-m", module, url, str(requests), str(CONCURRENCY)]
            return Contestant(name, [command])

        rows = hold(
            [
                asking("judge-tui model judge: asking", "asked_by_us", count),
                asking("httpx, a bare loop", "asked_by_httpx", count),
                asking("judge-tui: a twentieth of them", "asked_by_us", count // 20),
            ],
            rounds=rounds,
            patience=300.0,
        )
        server.stdin.close()
    if any(row.failed for row in rows):
        return ["asking a chat endpoint failed"]
    ours, bare, _ = rows
    print(
        f"  {count / ours.seconds:,.0f} requests a second, {bare.seconds / ours.seconds:.1%} of the"
        " bare loop's\n"
    )
    return []
