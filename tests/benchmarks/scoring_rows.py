"""The rows about `judge-tui score`: how fast, in how much memory, and is it right?"""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.contest import hold
from tests.benchmarks.correctness import (
    differences_from_one_process,
    differences_from_pytrec_eval,
    differences_from_trec_eval,
)
from tests.benchmarks.peers import MEASURES, in_memory_peers, ours, trec_eval
from tests.benchmarks.scoring_files import DEPTH, LINE_BYTES, Shape, write_graded, write_passages
from tests.sample_runs import SAMPLES

BIG_QUERIES = 70_000


def measure_scoring(work: Path, seed: int, *, big: bool, trec_eval_binary: str | None) -> list[str]:
    """Print all rows; a line for each wrong value and each failure of ours."""
    print(f"score: {', '.join(MEASURES)}; whole processes, ratio of medians to ours\n")
    wrong = []
    for task in _tasks(seed, big=big):
        with _made(task, work) as shape:
            wrong += _measured(task, shape, trec_eval_binary)
    return wrong


def space_lacking_for_big(work: Path) -> str | None:
    """What to say where the disk is too small for the big row; None where it is not."""
    wanted = int(1.1 * BIG_QUERIES * DEPTH * LINE_BYTES)
    free = shutil.disk_usage(work).free
    if free >= wanted:
        return None
    return (
        f"the big row writes {wanted / 1e9:.1f} GB and {work} has {free / 1e9:.1f} GB free;"
        " name a larger folder with TMPDIR, or leave it out"
    )


@dataclass(frozen=True)
class Task:
    """Data, and what is to be measured on it. A `small` one is mostly start-up."""

    make: Callable[[Path], Shape]
    goal: str
    small: bool = False
    beyond_memory: bool = False


def _tasks(seed: int, *, big: bool) -> list[Task]:
    """Small ones first: they also warm what a peer compiles at its first use."""
    tasks = [
        Task(
            lambda folder: _samples(folder, seed),
            "starts like a Unix tool",
            small=True,
        ),
        Task(
            lambda folder: write_graded(folder, 1, 54, seed),
            "within .75 of pytrec_eval",
            small=True,
        ),
        Task(
            lambda folder: write_graded(folder, 50, 50, seed),
            "3x faster than trec_eval, 8x than the ir_measures library",
        ),
        Task(
            lambda folder: write_passages(folder, 6_980, seed),
            "10x faster than trec_eval, 7x with one process, within 120 MB each",
        ),
    ]
    if big:
        tasks.append(
            Task(
                lambda folder: write_passages(folder, BIG_QUERIES, seed),
                "10x faster than trec_eval, within 300 MB",
                beyond_memory=True,
            )
        )
    return tasks


def _measured(task: Task, shape: Shape, trec_eval_binary: str | None) -> list[str]:
    contestants = ours(shape, one_process_too=not task.small)
    if trec_eval_binary:
        contestants.append(trec_eval(shape, trec_eval_binary))
    if task.beyond_memory:
        print(
            "  the peers in Python hold a run in memory, ten times that of the row above: not run"
        )
    else:
        contestants += in_memory_peers(shape)
    held = hold(contestants, rounds=15, patience=10, warm=True) if task.small else hold(contestants)
    failed = [
        f"{shape.name}: {result.contestant.name} failed"
        for result in held
        if result.failed and result.contestant.name.startswith("judge-tui")
    ]
    if failed:
        return failed
    wrong = differences_from_pytrec_eval(shape) + differences_from_one_process(shape)
    if trec_eval_binary:
        wrong += differences_from_trec_eval(shape, trec_eval_binary)
    print(flush=True)
    return wrong


@contextmanager
def _made(task: Task, work: Path) -> Iterator[Shape]:
    """The task's files, in a folder that goes as soon as they are done with."""
    with tempfile.TemporaryDirectory(dir=work) as folder:
        begun = time.perf_counter()
        shape = task.make(Path(folder))
        seconds = time.perf_counter() - begun
        print(f"{shape.name}: {shape.size() / 1e6:,.1f} MB, made in {seconds:.1f} s")
        print(f"  goal: {task.goal}", flush=True)
        yield shape


def _samples(folder: Path, seed: int) -> Shape:
    """A shipped run, with made-up grades for some of what it found."""
    run = SAMPLES / "runs" / "bm25.run"
    qrels = folder / "samples.qrels"
    generator = random.Random(seed)
    pairs = [line.split()[0:3:2] for line in run.read_text().splitlines()]
    qrels.write_text(
        "".join(
            f"{query_id} 0 {doc_id} {generator.randint(0, 3)}\n"
            for query_id, doc_id in pairs
            if generator.random() < 0.4
        )
    )
    return Shape(f"one sample run of {len(pairs):,} lines", qrels, [run])
