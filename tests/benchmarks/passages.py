"""One run in the shape of MS MARCO passage ranking, and its sparse qrels.

Numeric ids of up to seven digits, 1,000 results a query as Anserini writes them: scores with six
decimals, of which 6 % equal the one before; 1.07 judged passages a query, and of 14 % of the
queries the first of them is not retrieved.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import numpy as np

from tests.benchmarks.shape import Shape

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
