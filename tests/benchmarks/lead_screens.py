"""The lead's screens, from outside: a real pseudo-terminal of 120x40, from the command and from the
key at Home to what is painted."""

from __future__ import annotations

import json
import re
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from judge_tui.campaign import create_campaign, open_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.loading.runs import load_runs
from judge_tui.campaign.overview.disagreements import disputes_of, open_disputes
from judge_tui.campaign.overview.grading import first_grades
from judge_tui.model import DEFAULT_SCALE
from tests.benchmarks.contest import cost_of
from tests.benchmarks.stopwatch import (
    KEYS,
    SIZE,
    STARTS,
    TOKEN,
    Goal,
    Taken,
    pressed,
    quiet,
    report,
    start,
    wait,
    worked,
)
from tests.end_to_end.terminal import PROGRAM, Terminal

SEED = 20
JUDGES = ("first", "second")
_GREATEST = max(DEFAULT_SCALE.grades)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Disputed:
    """`runs` with `retrieved` documents for each query, out of `candidates` that a query has; the
    pool is their top ten, and the two judges differ on `disagreements` of its pairs."""

    runs: int
    queries: int
    retrieved: int
    disagreements: int
    candidates: int = 400
    documents: int = 2_000
    text: int = 2_000


DISPUTED = Disputed(runs=50, queries=250, retrieved=100, disagreements=10_000)

LEAD = "lead"
AT_HOME = re.compile(rb"new judge")
BOARD = re.compile(rb"SYS\d\d(?s:.)*?0?\.\d{3}")
"""A system, and after it a number."""

ROUNDS = 7
SETTLE = Goal(500, "median")
RESULTS = Goal(1_000, "median")


def measure_lead_screens(
    work: Path,
    size: Disputed = DISPUTED,
    *,
    starts: int = STARTS,
    keys: int = KEYS,
    rounds: int = ROUNDS,
) -> None:
    """Print how long a lead waits for Settle, for Results, and for what is worked out there."""
    folder = work / "lead"
    folder.mkdir()
    path = folder / "campaign.db"
    build_disputed(path, size)
    print(
        f"{size.disagreements:,} disagreements; {size.runs} runs x {size.queries} queries"
        f" x {size.retrieved} (ms)"
    )
    _starts("command `settle` to the first case", lambda: settling(path), TOKEN, starts, SETTLE)
    _starts("command `results` to the leaderboard", lambda: results(path), BOARD, starts, RESULTS)
    _from_home(path, starts)
    _effects(path, rounds)
    _in_settle(path, keys)
    for name, argv in (
        ("status", ["status"]),
        ("results --leaderboard", ["results", "--leaderboard"]),
        ("agreement", ["agreement"]),
    ):
        _command(path, name, argv, rounds)
    print()


def settling(path: Path) -> Terminal:
    """The Settle screen, opened in a terminal of its own in which nothing is drawn."""
    return _opened("settle", "--db", str(path), "--lead", LEAD, at=path)


def results(path: Path) -> Terminal:
    """The Results screen, likewise."""
    return _opened("results", "--db", str(path), at=path)


def _opened(*argv: str, at: Path) -> Terminal:
    return Terminal([PROGRAM, *argv], cwd=at.parent, size=SIZE, draw=False, copied=False)


def _starts(
    name: str, opened: Callable[[], Terminal], seen: re.Pattern[bytes], count: int, goal: Goal
) -> None:
    """A first start does not count."""
    report(name, [start(opened, seen) for _ in range(count + 1)][1:], goal)


def _from_home(path: Path, count: int) -> None:
    """The one lead is known by now."""
    for key, what, seen, goal in (
        ("L", "the leaderboard", BOARD, RESULTS),
        ("S", "the first case", TOKEN, SETTLE),
    ):
        taken = []
        for _ in range(count):
            with _opened("--db", str(path), at=path) as terminal:
                wait(terminal, AT_HOME)
                quiet(terminal)
                taken.append(_painted(terminal, key, seen))
        report(f"{key} at Home to {what}", taken, goal)


def _painted(terminal: Terminal, keys: str, seen: re.Pattern[bytes]) -> Taken:
    """Press keys, until `seen` is painted: what comes after it may be filled in for a while."""
    before, already = len(terminal.raw), worked(terminal)
    begun = time.perf_counter()
    terminal.send(keys)
    wait(terminal, seen, before)
    return Taken(time.perf_counter() - begun, worked(terminal) - already)


def _in_settle(path: Path, keys: int) -> None:
    with settling(path) as terminal:
        wait(terminal, TOKEN)
        quiet(terminal)
        report("] to the next case", [pressed(terminal, "]") for _ in range(keys)])
        report("grade key to the next case", [pressed(terminal, "2") for _ in range(keys)])


def _effects(path: Path, rounds: int) -> None:
    """The order of the queue, without reading what it is made of."""
    with open_campaign(path) as campaign:
        found = open_disputes(campaign, first_grades(campaign))
    taken = []
    if found.judged is None:
        raise SystemExit("nobody disagrees about systems")
    for _ in range(rounds):
        begun, worked = time.perf_counter(), time.process_time()
        disputes_of(found)
        taken.append(Taken(time.perf_counter() - begun, time.process_time() - worked))
    report(f"effects of {len(found.pairs):,} disagreements", taken)


def _command(path: Path, name: str, argv: list[str], rounds: int) -> None:
    command = [
        "/usr/bin/env",
        f"JUDGE_TUI_DB={path}",
        PROGRAM,
        *argv,
        "-o",
        str(path.with_suffix(".out")),
        "--force",
    ]
    costs = [cost_of([command]) for _ in range(rounds)]
    if failed := next((cost.failed for cost in costs if cost.failed), 0):
        print(f"  `{name}` failed: exit code {failed}", flush=True)
        return
    seconds = statistics.median(cost.seconds for cost in costs)
    print(f"  {f'command `{name}`':<46} median {1000 * seconds:6.1f}", flush=True)


def build_disputed(path: Path, size: Disputed) -> None:
    """Make the campaign `path`, and the files it is loaded from beside it: the same each time.

    Runs are `SYS00`, `SYS01`, …, each a little noisier than the one before, and the first line of
    document n has `TOK` and n in six digits.
    """
    draw = np.random.default_rng(SEED)
    folder = path.parent
    queries = [f"q{number:04d}" for number in range(size.queries)]
    lines = (f"{query}\ttext of the query {query}\n" for query in queries)
    (folder / "queries.tsv").write_text("".join(lines))
    candidates = np.stack([draw.permutation(size.documents)[: size.candidates] for _ in queries])
    quality = draw.normal(0, 1, (size.queries, size.candidates))
    runs = [
        _write_run(folder, number, size, candidates, quality, draw) for number in range(size.runs)
    ]
    _write_documents(folder / "documents.jsonl", size, draw)
    with create_campaign(path, name="disputed", scale=DEFAULT_SCALE, seed=SEED) as campaign:
        load_queries(campaign, folder / "queries.tsv")
        load_runs(campaign, runs)
        load_document_files(campaign, [folder / "documents.jsonl"])
        extend_pool(campaign, depth=10)
        pool = campaign.rows(
            "SELECT query_id, doc_id FROM pool JOIN queries ON queries.id = pool.query"
            " JOIN documents ON documents.id = pool.document ORDER BY pool.id"
        )
        if size.disagreements > len(pool):
            raise ValueError(f"{size.disagreements} disagreements on {len(pool)} pairs")
        first = _grades(pool, candidates, quality)
        second = first.copy()
        differs = np.linspace(0, len(pool) - 1, size.disagreements).astype(int)
        second[differs] += np.where(first[differs] < _GREATEST, 1, -1)
        for judge, grades in zip(JUDGES, (first, second), strict=True):
            qrels = folder / f"{judge}.qrels"
            qrels.write_text(
                "".join(
                    f"{query_id} 0 {doc_id} {grade}\n"
                    for (query_id, doc_id), grade in zip(pool, grades.tolist(), strict=True)
                )
            )
            load_judgments(campaign, qrels, judge=judge)


def _write_run(
    folder: Path,
    number: int,
    size: Disputed,
    candidates: np.ndarray,
    quality: np.ndarray,
    draw: np.random.Generator,
) -> Path:
    tag = f"SYS{number:02d}"
    path = folder / f"{tag}.run"
    scores = quality + draw.normal(0, 1 + number / size.runs, quality.shape)
    order = np.argsort(-scores, axis=1)[:, : size.retrieved]
    with path.open("w") as file:
        for query, retrieved in enumerate(np.take_along_axis(candidates, order, axis=1).tolist()):
            file.writelines(
                f"q{query:04d} Q0 d{document:06d} {rank} {size.retrieved - rank} {tag}\n"
                for rank, document in enumerate(retrieved)
            )
    return path


def _grades(pool: list[tuple[str, str]], candidates: np.ndarray, quality: np.ndarray) -> np.ndarray:
    """int[pairs]: the better a document is for the query, the higher."""
    worth = {
        (query, document): value
        for query, (documents, values) in enumerate(
            zip(candidates.tolist(), quality.tolist(), strict=True)
        )
        for document, value in zip(documents, values, strict=True)
    }
    values = [worth[int(query_id[1:]), int(doc_id[1:])] for query_id, doc_id in pool]
    return np.clip(np.floor(np.array(values) + 1), 0, _GREATEST).astype(int)


def _write_documents(path: Path, size: Disputed, draw: np.random.Generator) -> None:
    words = [
        "".join(draw.choice(list(_LETTERS), length))
        for length in draw.integers(2, 11, 500).tolist()
    ]
    with path.open("w") as file:
        for number in range(size.documents):
            text = f"TOK{number:06d} {' '.join(draw.choice(words, size.text // 7))}"
            file.write(json.dumps({"doc_id": f"d{number:06d}", "text": text}) + "\n")
