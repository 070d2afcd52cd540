"""The judge's screen, from outside: a real pseudo-terminal of 120x40, from the key to the paint."""

from __future__ import annotations

import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from judge_tui.campaign import create_campaign
from judge_tui.campaign.documents import load_documents
from judge_tui.campaign.pool import extend_pool
from judge_tui.campaign.queries import load_queries
from judge_tui.campaign.runs import load_run
from judge_tui.model import DEFAULT_SCALE
from tests.end_to_end.terminal import PROGRAM, Terminal

__all__ = ["measure_judge_screen"]

SAMPLES = Path(__file__).parents[2] / "sample_runs"
SIZE = (120, 40)
SEED = 20
STARTS = 15
KEYS = 120
QUIET = 0.04
TOKEN = re.compile(rb"TOK\d{6}")
LATIN = "abcdefghijklmnopqrstuvwxyz"
# characters, and the letters that made-up words consist of; all of it on one line
DOCUMENTS = {
    "2 KB": (2_000, LATIN),
    "50 KB": (50_000, LATIN),
    "50 KB accented": (50_000, LATIN + "éèàçüöß"),
    "50 KB Chinese": (50_000, "".join(map(chr, range(0x4E00, 0x4F00)))),
    "1 MB": (1_000_000, LATIN),
    "1 MB Chinese": (1_000_000, "".join(map(chr, range(0x4E00, 0x4F00)))),
}


def measure_judge_screen(work: Path) -> None:
    """Print how long the first document takes, and the next one after a grade."""
    first_document(work)
    next_document(work)


def first_document(work: Path) -> None:
    """From the command to the first painted document, on the sample campaign."""
    path = work / "sample.db"
    build_samples(path, work)
    times = []
    for _ in range(STARTS + 1):
        begun = time.perf_counter()
        argv = [PROGRAM, "judge", "--db", str(path), "--judge", "bench"]
        with Terminal(argv, cwd=work, size=SIZE, draw=False) as terminal:
            wait(terminal, re.compile(rb"not judged yet"))
            times.append(time.perf_counter() - begun)
    print("command `judge` to the first painted document, sample campaign (ms)")
    print(f"  {described(times[1:])}\n")


def next_document(work: Path) -> None:
    """From the grade key to the last byte of the next document, by size of the documents."""
    print(f"grade key to next document painted ({KEYS} keys each, ms)")
    for place, (name, (size, letters)) in enumerate(DOCUMENTS.items()):
        path = work / f"{place}.db"
        build_documents(path, work, size, letters)
        argv = [PROGRAM, "judge", "--db", str(path), "--judge", "bench"]
        with Terminal(argv, cwd=work, size=SIZE, draw=False) as terminal:
            wait(terminal, TOKEN)
            quiet(terminal)
            times = [graded(terminal) for _ in range(KEYS)]
        print(f"  {name:<15} {described(times)}")


def graded(terminal: Terminal) -> float:
    """Press one grade key; the seconds until the next document stands and nothing more is drawn."""
    before = len(terminal.raw)
    begun = time.perf_counter()
    terminal.send("2")
    wait(terminal, TOKEN, before)
    return quiet(terminal) - begun


def wait(terminal: Terminal, pattern: re.Pattern[bytes], start: int = 0) -> None:
    """Read until a pattern has come after offset `start`."""
    end = time.monotonic() + 60
    while not pattern.search(terminal.raw, start):
        if time.monotonic() > end:
            raise SystemExit("nothing was painted within a minute")
        terminal.read(0.05)


def quiet(terminal: Terminal) -> float:
    """Read until nothing comes any more; when the last byte came."""
    last = time.perf_counter()
    while terminal.read(QUIET):
        last = time.perf_counter()
    return last


def described(seconds: Sequence[float]) -> str:
    ordered = sorted(1000 * value for value in seconds)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"median {statistics.median(ordered):6.1f}   p95 {p95:6.1f}   of {len(ordered)}"


def build_samples(path: Path, work: Path) -> None:
    """The sample campaign, as the demo builds it."""
    documents = work / "documents.jsonl"
    argv = [sys.executable, str(SAMPLES / "make_documents.py"), "-o", str(documents)]
    subprocess.run(argv, check=True, stderr=subprocess.DEVNULL)
    with create_campaign(path, name="samples", scale=DEFAULT_SCALE, seed=SEED) as campaign:
        load_queries(campaign, SAMPLES / "queries.jsonl")
        for run in sorted((SAMPLES / "runs").glob("*.run")):
            load_run(campaign, run)
        load_documents(campaign, documents)
        extend_pool(campaign, depth=10)


def build_documents(path: Path, work: Path, size: int, letters: str) -> None:
    """One query with a document for each key to be pressed, each of `size` characters."""
    generator = random.Random(SEED)
    count = KEYS + 2
    (work / "q.tsv").write_text("q1\trelevance judgments of pooled documents\n")
    (work / "r.run").write_text(
        "".join(f"q1 Q0 d{i} {i + 1} {count - i} r\n" for i in range(count))
    )
    with (work / "d.tsv").open("w") as file:
        for i in range(count):
            file.write(f"d{i}\tTOK{i:06d} {words(generator, size, letters)}\n")
    with create_campaign(path, name="bench", scale=DEFAULT_SCALE, seed=SEED) as campaign:
        load_queries(campaign, work / "q.tsv")
        load_run(campaign, work / "r.run", depth=count)
        load_documents(campaign, work / "d.tsv")
        extend_pool(campaign, depth=count)


def words(generator: random.Random, size: int, letters: str) -> str:
    """Made-up prose with some of the query's words in it."""
    vocabulary = [
        "".join(generator.choices(letters, k=generator.randint(2, 10))) for _ in range(500)
    ]
    vocabulary += ["relevance", "judgment", "documents"] * 5
    return " ".join(generator.choices(vocabulary, k=size // 6))[:size]
