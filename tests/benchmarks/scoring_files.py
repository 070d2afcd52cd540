"""The files of one row about scoring: qrels and runs, made from a seed.

`write_passages` makes one run in the shape of MS MARCO passage ranking, with sparse qrels: numeric
ids, 1,000 results a query as Anserini writes them, scores with six decimals, of which 6 % equal the
one before, and 1.07 judged passages a query; of 14 % of the queries the first is not retrieved.

`write_graded` makes runs in the shape of TREC Deep Learning: few topics, 200 graded documents each,
long ids. The runs differ in how they write scores, and some are untidy, as real files are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np


@dataclass(frozen=True)
class Shape:
    """Qrels and the runs that are scored with them."""

    name: str
    qrels: Path
    runs: Sequence[Path]

    def size(self) -> int:
        """Bytes of all the files."""
        return sum(path.stat().st_size for path in (self.qrels, *self.runs))


DEPTH = 1000
LINE_BYTES = 41
"""Of one line of the run, on average, rounded up."""

PASSAGES = 8_841_823  # in the collection; a prime, on which `_documents` relies
QUERIES = 1_102_400  # the highest query id
TIED = 0.06
NOT_RETRIEVED = 0.14
JUDGED_TWICE = 0.07
BLOCK = 500  # queries made at once


def write_passages(folder: Path, queries: int, seed: int) -> Shape:
    """Write `run` and `qrels` to the folder: the same bytes for the same number and seed."""
    generator = np.random.default_rng(seed)
    query_ids = generator.choice(QUERIES, queries, replace=False) + 1
    run, qrels = folder / "passages.run", folder / "passages.qrels"
    with run.open("wb") as run_file, qrels.open("wb") as qrels_file:
        for begin in range(0, queries, BLOCK):
            some = query_ids[begin : begin + BLOCK]
            # One more than the run holds: a document that it did not retrieve.
            documents = _documents(generator, len(some), DEPTH + 1)
            _write_run(run_file, some, documents[:, :DEPTH], _scores(generator, len(some)))
            _write_qrels(qrels_file, generator, some, documents)
    return Shape(f"one run of {queries:,} queries x {DEPTH:,}, sparse qrels", qrels, [run])


def _documents(generator: np.random.Generator, queries: int, depth: int) -> np.ndarray:
    """Distinct for each query without looking: steps of one length around a prime circle."""
    begin, step = generator.integers(1, PASSAGES, size=(2, queries, 1))
    return (begin + step * np.arange(depth)) % PASSAGES


def _scores(generator: np.random.Generator, queries: int) -> np.ndarray:
    """In millionths, not increasing: BM25-like, 15-45 at the top, flattening out with the rank."""
    top = generator.normal(22, 5, size=(queries, 1)).clip(15, 45)
    gaps = generator.exponential(0.4 * np.arange(1, DEPTH + 1) ** -0.7, size=(queries, DEPTH))
    gaps = np.ceil(gaps * 1e6).astype(np.int64)
    gaps[generator.random((queries, DEPTH)) < TIED] = 0
    scores = (top * 1e6).astype(np.int64) - np.cumsum(gaps, axis=1)
    return np.maximum(scores, 1)


def _write_run(
    file: BinaryIO, query_ids: np.ndarray, documents: np.ndarray, scores: np.ndarray
) -> None:
    queries, depth = documents.shape
    units, millionths = np.divmod(scores.ravel(), 1_000_000)
    columns = [
        np.repeat(_digits(query_ids, 7), depth, axis=0),
        b" Q0 ",
        _digits(documents.ravel(), 7),
        b" ",
        np.tile(_digits(np.arange(1, depth + 1), 4), (queries, 1)),
        b" ",
        _digits(units, 2),
        b".",
        _digits(millionths, 6, leading_zeros=True),
        b" Anserini\n",
    ]
    file.write(_lines(columns, queries * depth))


def _write_qrels(
    file: BinaryIO, generator: np.random.Generator, query_ids: np.ndarray, documents: np.ndarray
) -> None:
    queries = len(query_ids)
    rows = np.arange(queries)
    place = (DEPTH ** generator.random(queries)).astype(np.int64) - 1  # near the top, mostly
    place[generator.random(queries) < NOT_RETRIEVED] = DEPTH
    second = (place + generator.integers(1, DEPTH + 1, queries)) % (DEPTH + 1)
    for query_id, first, other, twice in zip(
        query_ids,
        documents[rows, place],
        documents[rows, second],
        generator.random(queries) < JUDGED_TWICE,
        strict=True,
    ):
        file.write(b"%d 0 %d 1\n" % (query_id, first))
        if twice:
            file.write(b"%d 0 %d 1\n" % (query_id, other))


def _digits(numbers: np.ndarray, width: int, *, leading_zeros: bool = False) -> np.ndarray:
    """bytes[numbers, width]: decimal digits, and NUL where a shorter number has none."""
    rest = numbers.astype(np.uint32)
    text = np.zeros((len(rest), width), dtype=np.uint8)
    for place in range(width - 1, -1, -1):
        shown = leading_zeros or place == width - 1 or rest > 0
        rest, digit = np.divmod(rest, np.uint32(10))
        text[:, place] = np.where(shown, digit + ord("0"), 0)
    return text


def _lines(columns: list[np.ndarray | bytes], count: int) -> bytes:
    """The columns side by side, line after line, without their NULs."""
    widths = [len(part) if isinstance(part, bytes) else part.shape[1] for part in columns]
    text = np.empty((count, sum(widths)), dtype=np.uint8)
    for part, end in zip(columns, np.cumsum(widths), strict=True):
        if isinstance(part, bytes):
            text[:, end - len(part) : end] = np.frombuffer(part, dtype=np.uint8)
        else:
            text[:, end - part.shape[1] : end] = part
    return text[text != 0].tobytes()


CANDIDATES = 3000  # documents a topic from which every run takes its own 1,000
JUDGED = 200
INTERLEAVED = 5  # the run whose topics are mixed line by line
UNSORTED = 3  # every seventh run, from this one on, is not in the order of its scores

STYLES: tuple[Callable[[float], str], ...] = (
    lambda score: f"{4 * score + 10:.6f}",
    lambda score: f"{score:.2f}",  # many ties
    lambda score: repr(20 + score * 1e-6),  # distinct in 64 bits, tied in 32
    lambda score: f"{score:.8e}",
    lambda score: str(int(8 * score)),  # long ties, negative ones too
)
"""How one run writes its scores, by turns."""


def write_graded(folder: Path, runs: int, topics: int, seed: int) -> Shape:
    """Write `qrels` and the runs to the folder: the same bytes for the same numbers and seed."""
    generator = np.random.default_rng(seed)
    topic_ids = [str(number) for number in generator.choice(2_082_400, topics, replace=False) + 1]
    pools = {topic_id: _candidates(generator) for topic_id in topic_ids}
    qrels = folder / "graded.qrels"
    with qrels.open("w") as file:
        for topic_id, documents in pools.items():
            for document, grade in zip(documents[:JUDGED], _grades(generator), strict=True):
                file.write(f"{topic_id} 0 {document} {grade}\n")
    paths = []
    for number in range(runs):
        lines = _run_lines(generator, pools, number)
        paths.append(folder / f"system{number:02d}.run")
        paths[-1].write_text("".join(lines))
    some = "one run" if runs == 1 else f"{runs} runs"
    return Shape(f"{some} of {topics} topics x {DEPTH:,}, {JUDGED} judged a topic", qrels, paths)


def _candidates(generator: np.random.Generator) -> list[str]:
    """Distinct ids, the likeliest to be relevant first."""
    parts = generator.integers(0, 70, CANDIDATES)
    offsets = generator.choice(999_999_999, CANDIDATES, replace=False)
    return [
        f"msmarco_passage_{part:02d}_{offset}" for part, offset in zip(parts, offsets, strict=True)
    ]


def _grades(generator: np.random.Generator) -> list[int]:
    """0-3, falling with the place in the pool."""
    noisy = np.linspace(2, -1.5, JUDGED) + generator.normal(0, 0.7, JUDGED)
    return [int(grade) for grade in np.clip(np.round(noisy), 0, 3)]


def _run_lines(
    generator: np.random.Generator, pools: dict[str, list[str]], number: int
) -> list[str]:
    written = STYLES[number % len(STYLES)]
    noise = generator.uniform(0.6, 2.5)
    lines = []
    for topic_id, documents in pools.items():
        scores = np.linspace(3, -1, CANDIDATES) + generator.normal(0, noise, CANDIDATES)
        ranked = np.argsort(-scores)[:DEPTH]
        block = [
            f"{topic_id} Q0 {documents[place]} {rank} {written(score)} system{number:02d}\n"
            for rank, (place, score) in enumerate(
                zip(ranked.tolist(), scores[ranked].tolist(), strict=True), start=1
            )
        ]
        if number % 7 == UNSORTED:
            generator.shuffle(block)
        lines += block
    if number == INTERLEAVED:
        generator.shuffle(lines)
    return lines
