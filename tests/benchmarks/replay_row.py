"""The row about pooling: five strategies replayed at ten budgets."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.benchmarks.contest import Contestant, hold
from tests.programs import PROGRAM

SYSTEMS, TOPICS, DEPTH, DOCUMENTS = 17, 100, 100, 3000


def measure_replay(work: Path, seed: int) -> list[str]:
    """Print what it takes; a line where it fails."""
    qrels, runs = write_pool(work, seed)
    words = ["pool", "--simulate", str(qrels), *map(str, runs)]
    command = [PROGRAM, *words, "-o", str(work / "replays.txt"), "--force"]
    print(
        f"{SYSTEMS} runs x {TOPICS} topics x a pool of depth {DEPTH}: every strategy at ten"
        " budgets\n  goal: within 20 s"
    )
    [row] = hold([Contestant("judge-tui pool --simulate", [command])], rounds=3)
    print()
    return ["pool --simulate failed"] if row.failed else []


def write_pool(work: Path, seed: int) -> tuple[Path, list[Path]]:
    """Write runs that see what documents are worth, each with noise of its own, and the grades of
    all that they retrieved."""
    draw = np.random.default_rng(seed)
    runs = [work / f"system{number:02}.run" for number in range(SYSTEMS)]
    lines: list[list[str]] = [[] for _ in runs]
    grades = []
    for topic in range(TOPICS):
        worth = draw.gamma(0.3, size=DOCUMENTS)
        retrieved = set()
        for number, its in enumerate(lines):
            seen = worth + draw.normal(0, 0.4 + 0.03 * number, DOCUMENTS)
            best = np.argsort(-seen)[:DEPTH].tolist()
            retrieved.update(best)
            its += [
                f"{topic} Q0 d{document} {rank} {DEPTH - rank} system{number:02}\n"
                for rank, document in enumerate(best, 1)
            ]
        grades += [f"{topic} 0 d{one} {min(3, int(worth[one]))}\n" for one in sorted(retrieved)]
    for path, its in zip(runs, lines, strict=True):
        path.write_text("".join(its))
    qrels = work / "replayed.qrels"
    qrels.write_text("".join(grades))
    return qrels, runs
