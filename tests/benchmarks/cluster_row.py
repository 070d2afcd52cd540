"""The row about a Ray cluster: two nodes of one core each on this machine, beside two processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.benchmarks.contest import Contestant, hold
from tests.benchmarks.scoring_files import write_graded

RUNS, WRITTEN, TOPICS = 556, 24, 50
"""So many runs as Armadillo's benchmark of TREC has; a few are written, the others are their
links."""
MEASURES = ("nDCG@10", "AP")
ROUNDS, PATIENCE = 3, 300.0
GOAL = 1.2


def measure_cluster(work: Path, seed: int) -> list[str]:
    """Print what it takes; a line for each result that is not the same bytes."""
    shape = write_graded(work, WRITTEN, TOPICS, seed)
    runs = work / "many"
    runs.mkdir()
    for number in range(RUNS):
        os.link(shape.runs[number % WRITTEN], runs / f"run{number:03d}")
    size = sum(path.stat().st_size for path in runs.iterdir())
    print(f"{RUNS} runs, {size / 1e9:.1f} GB: two Ray nodes of one core each\n  goal: {GOAL}x")
    with two_nodes() as nodes:
        names = ("-j 2", "--cluster")
        here, there, lost = (work / f"{name}.json" for name in ("here", "there", "lost"))
        commands = [
            _score(shape.qrels, runs, here, "-j", "2"),
            _score(shape.qrels, runs, there, "--cluster", nodes.address),
        ]
        rows = hold(
            [Contestant(name, [command]) for name, command in zip(names, commands, strict=True)],
            rounds=ROUNDS,
            patience=PATIENCE,
        )
        if any(row.failed for row in rows):
            return ["scoring on a cluster failed"]
        wrong = _differences("a cluster", here, there)
        middle = min(cost.seconds for cost in rows[1].costs) / 2
        began = time.monotonic()
        command = _score(shape.qrels, runs, lost, "--cluster", nodes.address)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as driver:
            time.sleep(middle)
            alive = driver.poll() is None
            nodes.kill_one()
            printed, _ = driver.communicate()
        took = time.monotonic() - began
        print(f"  one node killed after {middle:.1f} s: done in {took:.1f} s\n")
        if not alive or driver.returncode:
            return [*wrong, f"killed while it ran: {alive}; exit code {driver.returncode}"]
        if printed:
            wrong.append(f"standard output has what is no result: {printed[:200]!r}")
        return wrong + _differences("a cluster that lost a node", here, lost)


class TwoNodes:
    """A cluster of two nodes; the driver sits at the first."""

    def __init__(self, cluster: Any, second: Any) -> None:
        self._cluster, self._second = cluster, second
        self.address: str = cluster.address

    def kill_one(self) -> None:
        """Kill the processes of the second node, without a word to anybody."""
        self._cluster.remove_node(self._second, allow_graceful=False)


@contextmanager
def two_nodes() -> Iterator[TwoNodes]:
    """Two nodes of one core each, as processes of this machine that end with this."""
    # Who can reach this machine's ports is not asked for a token.
    os.environ["RAY_AUTH_MODE"] = "disabled"
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ray.cluster_utils import Cluster

        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        try:
            yield TwoNodes(cluster, cluster.add_node(num_cpus=1))
        finally:
            cluster.shutdown()


def _score(qrels: Path, runs: Path, output: Path, *options: str) -> list[str]:
    program = str(Path(sys.executable).with_name("judge-tui"))
    words = [program, "score", str(qrels), str(runs), *MEASURES, "-q", "-f", "json"]
    return [*words, "-o", str(output), "--force", *options]


def _differences(name: str, here: Path, there: Path) -> list[str]:
    same = here.read_bytes() == there.read_bytes()
    print(f"  {name}: {'the same bytes' if same else 'OTHER BYTES'}", flush=True)
    return [] if same else [f"{name} gives other bytes than this machine"]
