"""Files as they are found, scored while they are read: the values are those of trec_eval.

pytrec-eval-terrier is trec_eval with scores of 32 bits; it is given what was written to the file.
With 64 bits it would see what it sees of the scores' places, which 32 bits hold exactly. It writes
past its tables where a grade is negative, so it is given qrels without those: trec_eval takes such
a document for one that nobody judged.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytrec_eval

from judge_tui.scoring.names import TREC_NAMES
from judge_tui.scoring.trec_eval import trec_plan
from tests.scored import score_sources
from tests.small_files import Patch, read_small

# infAP is the one measure to which a negative grade says something.
NAMES = sorted(pytrec_eval.supported_measures & {*TREC_NAMES} - {"runid", "infAP"})
TOPICS = ["1", "10", "2", "MB001", "q-é", "a-topic-of-more-than-16-bytes"]


class Messy(NamedTuple):
    """Grades, and the lines of a run: query, document and score as it is written."""

    qrels: dict[str, dict[str, int]]
    rows: list[tuple[str, str, str]]


def messy(seed: int) -> Messy:
    source = random.Random(seed)
    docs = [f"d{source.randrange(10 ** source.randrange(2, 12))}" for _ in range(150)]
    docs += [f"clueweb09-en{n % 7:04}-{n % 10:02}-{n * 37 % 99999:05}" for n in range(60)]
    docs += [f'http://a.b/{n}?x=#y"z' for n in range(30)] + ["é", "d", "\u00a0", "x" * 200]
    docs = list(dict.fromkeys(docs))
    qrels = {
        topic: {
            doc: 0 if topic == "2" else source.choice([-2, -1, 0, 0, 0, 1, 1, 2, 3])
            for doc in source.sample(docs, source.choice([5, 60, 200]))
        }
        for topic in [*TOPICS, "unanswered"]
    }
    rows = [
        (topic, doc, source.choice(SCORES)(source))
        for topic in [*TOPICS, "unjudged"]
        for doc in source.sample(docs, source.choice([1, 30, 150]))
    ]
    return Messy(qrels, rows)


SCORES: list[Callable[[random.Random], str]] = [
    lambda source: f"{source.gauss(0, 3):.1f}",
    lambda source: f"{source.gauss(0, 3):.6f}",
    lambda source: repr(source.gauss(0, 3)),
    lambda source: f"{source.gauss(0, 3):.3e}",
    lambda source: str(int(source.gauss(0, 3))),
    lambda source: f"20.{source.randrange(10):08}",  # of these, 32 bits tell few apart
    lambda source: source.choice(["5.", ".5", "-0.0", "0", "+1.5", "1E2", "00012.50", "9" * 30]),
]


def spaces(rows: list[tuple[str, str, str]], source: random.Random) -> str:
    return "".join(f"{q} Q0 {d} {place} {s} t\n" for place, (q, d, s) in enumerate(rows))


def crlf(rows: list[tuple[str, str, str]], source: random.Random) -> str:
    return "".join(f"{query}\tQ0\t{doc}\t1\t{score}\tt\r\n" for query, doc, score in rows)


def odd(rows: list[tuple[str, str, str]], source: random.Random) -> str:
    """One line in ten has other separators, blanks around it, or a blank line behind it."""
    lines = []
    for query, doc, score in rows:
        between = " " if source.random() < 0.9 else source.choice(["\t", "  ", " \t", "\x0b"])
        end = "\n" if source.random() < 0.9 else source.choice(["\r\n", " \n", "\n\n", "\n \t\n"])
        lines.append(between.join([query, "Q0", doc, "0", score, "t"]) + end)
    return "".join(lines)


def not_contiguous(rows: list[tuple[str, str, str]], source: random.Random) -> str:
    return spaces(source.sample(rows, len(rows)), source)


def places(scores: dict[str, float]) -> dict[str, float]:
    """Whole numbers that are ordered, and tied, as the scores are."""
    order = sorted(set(scores.values()))
    return {doc: float(order.index(score)) for doc, score in scores.items()}


@pytest.mark.parametrize("precision", [32, 64])
@pytest.mark.parametrize("layout", [spaces, crlf, odd, not_contiguous])
@pytest.mark.parametrize("seed", range(3))
def test_messy_files_have_the_values_of_trec_eval(
    tmp_path: Path,
    monkeypatch: Patch,
    seed: int,
    layout: Callable[[list[tuple[str, str, str]], random.Random], str],
    precision: Any,
) -> None:
    qrels, rows = messy(seed)
    file = tmp_path / "messy.run"
    file.write_text(layout(rows, random.Random(seed)), newline="")
    run: dict[str, dict[str, float]] = {}
    for query, doc, score in rows:
        run.setdefault(query, {})[doc] = float(score)
    if precision == 64:
        run = {query: places(scores) for query, scores in run.items()}
    oracle = pytrec_eval.RelevanceEvaluator(
        {
            query: {doc: grade for doc, grade in grades.items() if grade >= 0} or {"no such": 0}
            for query, grades in qrels.items()
        },
        NAMES,
    ).evaluate(run)
    plan = trec_plan(NAMES, rel=1, version=9)
    for fast, jobs in ((False, 1), (True, 1), (True, 2)):
        read_small(monkeypatch, fast=fast, block=4000)
        scores = score_sources(qrels, file, plan.measures, precision=precision, jobs=jobs)["t"]
        assert list(scores.query_ids) == sorted(TOPICS) == sorted(oracle)
        for line in plan.lines:
            values: Sequence[float] = scores.values[str(line.measure)]
            if line.name.startswith("gm_"):  # trec_eval has the logarithm of what it averages so
                values = [math.log(max(value, 0.00001)) for value in values]
            expected = [oracle[query][line.name] for query in scores.query_ids]
            assert values == pytest.approx(expected, abs=1e-12), line.name
