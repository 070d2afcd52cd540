"""The row about models: how fast an endpoint is asked, beside the HTTP library alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from judge_tui.campaign import create_campaign, open_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.loading.runs import load_runs
from judge_tui.campaign.store.model_answers import answered_pairs, asked_models
from judge_tui.model import DEFAULT_SCALE
from tests.benchmarks.contest import Contestant, hold
from tests.programs import PROGRAM

PROCESSES = Path(__file__).parent / "processes"
PAIRS, CONCURRENCY, SECONDS = 20_000, 32, 0.005
DEPTH, DOCUMENTS = 20, 2_000
_FEW = PAIRS // 20
_GOAL = 0.9


def measure_asking(work: Path) -> list[str]:
    """Print what it takes, and the memory of a few requests beside that of all; a line where one
    fails, or answers are missing."""
    folder = work / "asked"
    folder.mkdir()
    made = make_pool(folder)
    print(
        f"{PAIRS:,} requests to a chat endpoint that answers in {1000 * SECONDS:g} ms,"
        f" {CONCURRENCY} at a time\n  goal: {_GOAL:.0%} of the requests a second of a bare loop of"
        " httpx, and memory that does not grow\n  but by the list of pairs, and by the pages of the"
        " campaign that SQLite keeps, up to its limit"
    )
    server = subprocess.Popen(
        [sys.executable, str(PROCESSES / "chat_server.py"), str(SECONDS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with server:
        url = server.stdout.readline().strip()
        judges = folder / "judges.toml"
        judges.write_text(
            f'[judges.bench]\nurl = "{url}"\nmodel = "bench"\nconcurrency = {CONCURRENCY}\n'
        )

        def asking(name: str, module: str) -> Contestant:
            module = f"tests.benchmarks.processes.{module}"
            command = [sys.executable, "-m", module, url, str(PAIRS), str(CONCURRENCY)]
            return Contestant(name, [command])

        def judging(name: str, limit: int) -> Contestant:
            path = str(folder / f"{limit}.db")
            command = [PROGRAM, "model", "judge", "bench", "--db", path, "--judges", str(judges)]
            return Contestant(
                name, [["/usr/bin/env", "cp", str(made), path], [*command, "--limit", str(limit)]]
            )

        rows = hold(
            [
                asking("httpx, a bare loop", "asked_by_httpx"),
                asking("judge_tui.models.asking", "asked_by_us"),
                judging("judge-tui model judge", PAIRS),
                judging("judge-tui model judge --limit 1000", _FEW),
            ],
            rounds=3,
        )
        server.stdin.close()
    if any(row.failed for row in rows):
        return ["asking a chat endpoint failed"]
    bare, *ours = (PAIRS / row.seconds for row in rows[:3])
    print(f"  a bare loop: {bare:,.0f} requests a second")
    for row, rate in zip(rows[1:], ours, strict=False):
        print(f"  {row.contestant.name}: {rate:,.0f}, {rate / bare:.0%}")
    with open_campaign(folder / f"{PAIRS}.db") as campaign:
        [judge] = asked_models(campaign)
        answered = len(answered_pairs(campaign, judge.key))
    print(f"  {answered:,} answers stored\n")
    return [] if answered == PAIRS else [f"{answered:,} answers were stored, not {PAIRS:,}"]


def make_pool(folder: Path) -> Path:
    """A campaign with `PAIRS` pairs, whose documents have 2,000 characters."""
    ids = [f"q{number}" for number in range(PAIRS // DEPTH)]
    texts = {
        "queries.jsonl": [{"query_id": one, "text": f"what is {one}?"} for one in ids],
        "documents.jsonl": [
            {"doc_id": f"d{number}", "text": "All the words of a passage. " * 71 + str(number)}
            for number in range(DOCUMENTS)
        ],
    }
    for name, rows in texts.items():
        (folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    run = folder / "system.run"
    run.write_text(
        "".join(
            f"{one} Q0 d{(7 * at + rank) % DOCUMENTS} {rank} {DEPTH - rank} system\n"
            for at, one in enumerate(ids)
            for rank in range(1, DEPTH + 1)
        )
    )
    path = folder / "made.db"
    with create_campaign(path, name="asked", scale=DEFAULT_SCALE, seed=1) as campaign:
        load_queries(campaign, folder / "queries.jsonl")
        load_runs(campaign, [run])
        load_document_files(campaign, [folder / "documents.jsonl"])
        extend_pool(campaign, depth=DEPTH)
    return path
