"""The row about significance: all pairs of 50 runs on 50 topics, beside SciPy."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy as np

from tests.benchmarks.contest import Contestant, cost_of, hold

PROCESSES = Path(__file__).parent / "processes"
SYSTEMS, TOPICS = 50, 50
PERMUTATIONS = 100_000
SCIPY_PAIRS = 5
SIGMAS = 5  # seeded, so what agrees once agrees always


def measure_all_pairs(work: Path, seed: int) -> list[str]:
    """Print what it takes; a line for each p that is further from SciPy's than chance allows."""
    file, ours, theirs = work / "differences.npy", work / "ours.npy", work / "scipy.json"
    differences = all_differences(system_values(SYSTEMS, TOPICS, seed))
    np.save(file, differences)
    pairs = len(differences)
    print(
        f"all {pairs:,} pairs of {SYSTEMS} runs x {TOPICS} topics: {PERMUTATIONS:,} permutations"
        " and 10,000 bootstraps each\n  goal: within 1 s"
    )
    command = _script("all_pairs", file, seed, ours)
    [held] = hold([Contestant("judge_tui.comparison", [command])], warm=True)
    if held.failed:
        return ["judge_tui.comparison failed on all pairs"]
    _run_scipy(file, seed, theirs)
    measured = json.loads(theirs.read_text())
    for name, seconds in measured["seconds"].items():
        print(
            f"  scipy.stats {name}: {seconds:.2f} s for {SCIPY_PAIRS} pairs,"
            f" {seconds * pairs / SCIPY_PAIRS:.0f} s if scaled to {pairs:,}"
        )
    return _differences(np.load(ours)[:SCIPY_PAIRS].tolist(), measured["p"])


def _run_scipy(file: Path, seed: int, result: Path) -> None:
    cost = cost_of([_script("all_pairs_scipy", file, seed, result, SCIPY_PAIRS)])
    if cost.failed:
        raise SystemExit(f"error: scipy's process failed with exit code {cost.failed}")


def _script(name: str, *arguments: object) -> list[str]:
    return [sys.executable, str(PROCESSES / f"{name}.py"), *map(str, arguments)]


def _differences(ours: list[float], theirs: list[float]) -> list[str]:
    found = []
    for pair, (here, there) in enumerate(zip(ours, theirs, strict=True)):
        # Shares of random draws: ours has the variance p (1 - p) / n; SciPy's, which is twice a
        # one-sided share, has 4 (p / 2) (1 - p / 2) / n.
        chance = math.sqrt(3 * there / PERMUTATIONS)
        if not abs(here - there) <= SIGMAS * chance + 2 / PERMUTATIONS:
            found.append(f"permutation p of pair {pair}: {here}, SciPy has {there}")
    print(f"  {len(ours)} p-values against SciPy's: {len(found)} differ by more than chance\n")
    return found


def system_values(systems: int, topics: int, seed: int) -> np.ndarray:
    """float[systems, topics] in 0-1: hard and easy topics, better and worse systems, some zeros."""
    generator = np.random.default_rng(seed)
    difficulty = generator.beta(2, 2, topics)
    quality = generator.normal(0, 0.08, (systems, 1))
    noise = generator.normal(0, 0.15, (systems, topics))
    return np.clip(difficulty + quality + noise, 0, 1)


def all_differences(values: np.ndarray) -> np.ndarray:
    """float[pairs, topics]: each system's values less those of every earlier one."""
    earlier, later = np.triu_indices(len(values), k=1)
    return values[later] - values[earlier]
