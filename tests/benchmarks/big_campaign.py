"""A campaign of a million pooled pairs, as files to be loaded, and what loading it costs.

Every query has the same number of documents, each in three runs of which no two agree; the pool of
depth 50 is all of them. A second campaign has one query with a pool of 100,000.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.contest import Cost, cost_of
from tests.end_to_end.terminal import PROGRAM

SEED = 20
RETRIEVED = 100
"""Documents of a query: what its three runs hold, and its pool."""

POOL_DEPTH = 50
JUDGE = "busy"
TEXT = 600
_VOCABULARY = 2_000


@dataclass(frozen=True)
class Size:
    """`queries` x 100 pooled pairs over so many `documents`, of which the judge `JUDGE` has graded
    the share `graded`, and another judge half as many. `others`: documents of the corpus that no
    run retrieved."""

    queries: int
    documents: int
    others: int
    graded: float = 1 / 3

    @property
    def pairs(self) -> int:
        return self.queries * RETRIEVED

    @property
    def judgments(self) -> int:
        return sum(int(share * self.queries) for share in self.shares.values()) * RETRIEVED

    @property
    def shares(self) -> dict[str, float]:
        """Which part of the queries each judge has graded whole."""
        return {JUDGE: self.graded, "other": self.graded / 2}


BIG = Size(queries=10_000, documents=400_000, others=100_000)


@dataclass(frozen=True)
class Files:
    """What is loaded, in this order."""

    queries: Path
    runs: tuple[Path, ...]
    documents: Path
    qrels: dict[str, Path]


def write_big(folder: Path, size: Size) -> Files:
    """Write the files of a campaign: the same bytes for the same size."""
    generator = random.Random(SEED)
    words = _words(generator)
    queries = folder / "queries.tsv"
    with queries.open("w") as file:
        for query in range(size.queries):
            file.write(f"q{query}\tTOPIC{query:06d} {' '.join(generator.choices(words, k=8))}\n")
    runs = tuple(folder / f"{tag}.run" for tag in _ORDERS)
    for path in runs:
        order = _ORDERS[path.stem]
        with path.open("w") as file:
            for query in range(size.queries):
                retrieved = _retrieved(query, size)
                file.writelines(
                    f"q{query} Q0 d{retrieved[place]} {rank} {1000 - rank} {path.stem}\n"
                    for rank, place in enumerate(order, 1)
                )
    documents = folder / "documents.tsv"
    with documents.open("w") as file:
        for number in range(size.documents + size.others):
            text = " ".join(generator.choices(words, k=TEXT // 6))
            file.write(f"d{number}\tTOK{number:06d} {text}\n")
    qrels = {}
    for judge, share in size.shares.items():
        if not int(share * size.queries):
            continue
        path = qrels[judge] = folder / f"{judge}.qrels"
        draw = random.Random(judge)
        with path.open("w") as file:
            for query in range(int(share * size.queries)):
                file.writelines(
                    f"q{query} 0 d{document} {draw.randrange(4)}\n"
                    for document in _retrieved(query, size)
                )
    return Files(queries, runs, documents, qrels)


def write_wide(folder: Path, pooled: int) -> Files:
    """Write a campaign of two queries: ten documents, and `pooled`."""
    queries = folder / "wide-queries.tsv"
    queries.write_text("q0\tTOPIC000000 a narrow one\nq1\tTOPIC000001 a wide one\n")
    run = folder / "wide.run"
    documents = folder / "wide-documents.tsv"
    with run.open("w") as file:
        for query, count in enumerate((10, pooled)):
            file.writelines(
                f"q{query} Q0 d{rank} {rank + 1} {pooled - rank} wide\n" for rank in range(count)
            )
    with documents.open("w") as file:
        file.writelines(
            f"d{rank}\tTOK{rank:06d} text of document {rank}\n" for rank in range(pooled)
        )
    return Files(queries, (run,), documents, {})


def load_big(path: Path, files: Files) -> dict[str, Cost]:
    """Make the campaign with the program's own commands; what each of them cost."""
    return _load(path, files, depth=RETRIEVED, pool_depth=POOL_DEPTH)


def load_wide(path: Path, files: Files, pooled: int) -> dict[str, Cost]:
    """The same for the files of `write_wide`."""
    return _load(path, files, depth=pooled, pool_depth=pooled)


def _load(path: Path, files: Files, *, depth: int, pool_depth: int) -> dict[str, Cost]:
    steps = {
        "init": ["init", "--seed", str(SEED), "--name", "big"],
        "load queries": ["load", "queries", str(files.queries)],
        "load run": ["load", "run", "--depth", str(depth), *map(str, files.runs)],
        "load docs": ["load", "docs", str(files.documents)],
        "pool": ["pool", "--depth", str(pool_depth), "-o", str(path.with_suffix(".pool"))],
    }
    for judge, qrels in files.qrels.items():
        steps[f"load qrels, {judge}"] = ["load", "qrels", "--judge", judge, str(qrels)]
    return {
        name: cost_of([["/usr/bin/env", f"JUDGE_TUI_DB={path}", PROGRAM, *argv]])
        for name, argv in steps.items()
    }


def _retrieved(query: int, size: Size) -> list[int]:
    """Distinct documents, spread over the corpus and shared with other queries."""
    step = 1 + size.documents // (RETRIEVED + 1)
    return [(query * 7919 + place * step) % size.documents for place in range(RETRIEVED)]


def _words(generator: random.Random) -> list[str]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return [
        "".join(generator.choices(letters, k=generator.randint(2, 10))) for _ in range(_VOCABULARY)
    ]


_PLACES = list(range(RETRIEVED))
_ORDERS: dict[str, list[int]] = {
    "first": _PLACES,
    "second": _PLACES[POOL_DEPTH:] + _PLACES[:POOL_DEPTH],
    "third": _PLACES[::2] + _PLACES[1::2],
}
"""Tag to the order in which a run has a query's documents."""
