"""Files of a few kilobytes that are read as large ones are, and what they hold when read whole."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from judge_tui.evaluation import score_runs as of_runs
from judge_tui.model import Run
from judge_tui.scan import parts, scan
from judge_tui.scoring import Rules, Scores
from tests.scored import score_runs

MEASURES = ["nDCG@10", "nDCG", "RR", "AP", "P@5", "R@10", "Judged@10", "Bpref", "NumRet", "Rprec"]

Patch = pytest.MonkeyPatch


def read_small(patch: Patch, *, fast: bool = True, block: int = 700, part: int = 300) -> None:
    """Have files of a few kilobytes read as large ones are; or all by the exact reader."""
    patch.setattr(scan, "BLOCK", block)
    if not fast:
        patch.setattr(scan, "read_fast", lambda *_, **__: None)
    patch.setattr(parts, "_PART_FROM", part)
    patch.setattr(of_runs, "PARALLEL_FROM", 0)


def rows_of(seed: int) -> list[tuple[str, str, str]]:
    """30 queries of up to 40 documents: ids of several lengths, ties, scores that 32 bits tie."""
    source = random.Random(seed)
    docs = [f"d{n}" for n in range(60)] + [f"clueweb09-en0000-{n:05}" for n in range(60)] + ["é"]
    scores = ["1.5", "-2", "20.0000001", "20.0000002", "0.1", "1e-05", "3"]
    return [
        (f"q{query}", doc, source.choice([*scores, repr(source.gauss(0, 3))]))
        for query in range(30)
        for doc in source.sample(docs, source.randrange(1, 40))
    ]


def text_of(rows: Sequence[tuple[str, str, str]], tag: str) -> str:
    """The lines of a run file."""
    return "".join(f"{query} Q0 {doc} 1 {score} {tag}\n" for query, doc, score in rows)


def qrels_of(seed: int) -> dict[str, dict[str, int]]:
    """Grades of some of the documents; queries are missing on either side."""
    source = random.Random(seed)
    qrels: dict[str, dict[str, int]] = {f"q{number}": {"never-found": 1} for number in range(3, 35)}
    for query, doc, _ in rows_of(seed):
        if query in qrels and source.random() < 0.3:
            qrels[query][doc] = source.randrange(-1, 4)
    return qrels


QRELS = qrels_of(1)


def as_a_whole(
    qrels: Mapping[str, Mapping[str, int]],
    runs: Sequence[Run],
    *,
    precision: int = 64,
    rules: Rules = Rules(),  # noqa: B008 - it cannot be changed
) -> Scores:
    """The scores of runs that are held in memory."""
    if precision == 32:
        runs = [Run(run.tag, {q: rounded(docs) for q, docs in run.scores.items()}) for run in runs]
    return score_runs(
        qrels,
        runs,
        MEASURES,
        complete=rules.complete,
        judged_only=rules.judged_only,
        depth=rules.depth,
    )


def rounded(scores: Mapping[str, float]) -> dict[str, float]:
    with np.errstate(over="ignore"):
        return {doc: float(np.float32(score)) for doc, score in scores.items()}
