"""Runs in the shape of TREC Deep Learning: few topics, 200 graded documents each, long ids.

The runs differ in how they write scores, and some are untidy: what real files do, and what a
reader that is only fast on tidy ones would not show.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.benchmarks.shape import Shape

DEPTH = 1000
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
    pools = {topic_id: _documents(generator) for topic_id in topic_ids}
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


def _documents(generator: np.random.Generator) -> list[str]:
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
