"""Every value of every query that we print for the bench's data, against pytrec_eval's and
trec_eval's own.

What legitimately differs: a tool may read scores as 32-bit floats, and then ties some that we
keep apart. Which one does is asked of itself, and our side told `--score-precision`. Judged@10 has
no counterpart there (ir_measures breaks ties the other way round): it is counted here, by its
definition.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytrec_eval

from tests.benchmarks.peers import MEASURES, TREC_EVAL_ARGUMENTS
from tests.benchmarks.scoring_files import Shape
from tests.end_to_end.terminal import PROGRAM

Values: TypeAlias = dict[str, dict[str, float]]
"""query_id -> measure -> value."""

NAMES = {
    "ndcg_cut_10": "nDCG@10",
    "recip_rank": "RR",
    "map": "AP",
    "P_5": "P@5",
    "recall_100": "R@100",
}
JUDGED_DEPTH = 10
CLOSE = 1e-12  # of values in 0-1: the last bits depend on the order of a sum
PRINTED = 0.5e-4 + 1e-9  # four decimals
SAME = {True: "the same", False: "NOT the same"}
HELD = 1_000_000  # lines of a run that are in memory before they are evaluated

# Equal in 32 bits, and then b comes first; else a, which alone is relevant.
PROBE_QRELS = "q 0 a 1\nq 0 b 0\n"
PROBE_RUN = "q Q0 a 1 1.00000001 t\nq Q0 b 2 1.0 t\n"


def differences_from_pytrec_eval(shape: Shape) -> list[str]:
    """A line for each value that is not pytrec_eval's; prints how many were looked at."""
    precision = _precision_of_pytrec_eval()
    print(f"  every value against pytrec_eval, which reads {precision}-bit scores:")
    return differences(our_values(shape, precision), values_by_pytrec_eval(shape, precision), CLOSE)


def differences_from_trec_eval(shape: Shape, binary: str) -> list[str]:
    """A line for each value that does not round to what trec_eval prints."""
    precision = _precision_of_trec_eval(binary)
    print(f"  every value against what trec_eval prints, which reads {precision}-bit scores:")
    theirs = ((run.name, _by_trec_eval(binary, shape.qrels, run)) for run in shape.runs)
    return differences(our_values(shape, precision), theirs, PRINTED)


def differences_from_one_process(shape: Shape) -> list[str]:
    """One line if `-j 1` does not print the same bytes as `-j 2`."""
    one, two = (_printed(shape, "-j", processes) for processes in ("1", "2"))
    print(f"  {len(one):,} bytes printed with one process and with two: {SAME[one == two]}")
    return [] if one == two else [f"{shape.name}: -j 1 and -j 2 print different bytes"]


def our_values(shape: Shape, precision: int) -> Iterator[tuple[str, Values]]:
    """Each run's file and what `judge-tui score -q` says of it."""
    printed = json.loads(_printed(shape, "--score-precision", str(precision)))
    for path, run in zip(shape.runs, printed["runs"], strict=True):
        yield path.name, run["per_query"]


def values_by_pytrec_eval(shape: Shape, precision: int) -> Iterator[tuple[str, Values]]:
    """Each run's file and what pytrec_eval says of it; Judged@10 is counted here."""
    with shape.qrels.open() as file:
        qrels = pytrec_eval.parse_qrel(file)
    names = {"ndcg_cut.10", "recip_rank", "map", "P.5", "recall.100"}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, names)
    for path in shape.runs:
        values: Values = {}
        for run in _in_parts(path):
            for query_id, of_query in evaluator.evaluate(run).items():
                values[query_id] = {NAMES[name]: value for name, value in of_query.items()}
                values[query_id]["Judged@10"] = _judged(qrels[query_id], run[query_id], precision)
        yield path.name, values


def differences(
    ours: Iterable[tuple[str, Values]], theirs: Iterable[tuple[str, Values]], tolerance: float
) -> list[str]:
    """A line for each of their values that ours is further from, and for each query without one."""
    found = []
    count, greatest = 0, 0.0
    for (name, our), (_, their) in zip(ours, theirs, strict=True):
        alone = sorted(our.keys() ^ their.keys())
        found += [f"{name}: query {query_id} is on one side only" for query_id in alone]
        for query_id in sorted(our.keys() & their.keys()):
            for measure, there in their[query_id].items():
                here = our[query_id][measure]
                count += 1
                greatest = max(greatest, abs(here - there))
                if not abs(here - there) <= tolerance:  # NaN is a difference too
                    found.append(f"{name}: {measure} of query {query_id}: {here}, not {there}")
    print(
        f"    {count:,} values, {len(found):,} wrong; greatest difference {greatest:.1e},"
        f" allowed {tolerance:.1e}"
    )
    return found


def _printed(shape: Shape, *arguments: str) -> bytes:
    argv = [PROGRAM, "score", str(shape.qrels), *map(str, shape.runs)]
    argv += [argument for measure in MEASURES for argument in ("-m", measure)]
    argv += ["-q", "-f", "json", *arguments]
    return subprocess.run(argv, check=True, stdout=subprocess.PIPE).stdout


def _in_parts(path: Path) -> Iterator[dict[str, dict[str, float]]]:
    """The run as pytrec_eval wants it, some whole queries at a time if it is a long one."""
    part: dict[str, dict[str, float]] = {}
    begun: set[str] = set()
    held = 0
    with path.open() as file:
        for line in file:
            query_id, _, doc_id, _, score, _ = line.split()
            if query_id not in part:
                if held >= HELD:
                    yield part
                    part, held = {}, 0
                if query_id in begun:
                    raise SystemExit(f"{path}: query {query_id} comes twice in a long run")
                begun.add(query_id)
                part[query_id] = {}
            part[query_id][doc_id] = float(score)
            held += 1
    yield part


def _judged(grades: Mapping[str, int], scores: Mapping[str, float], precision: int) -> float:
    """The share of the first ten that has a grade; score descending, then doc_id descending."""
    doc_ids = list(scores)
    read = np.array(list(scores.values()), dtype=f"float{precision}")
    best = np.sort(read)[-JUDGED_DEPTH:][0]
    near = np.flatnonzero(read >= best).tolist()
    near.sort(key=lambda place: (read[place], doc_ids[place].encode()), reverse=True)
    first = near[:JUDGED_DEPTH]
    return sum(doc_ids[place] in grades for place in first) / len(first)


def _by_trec_eval(binary: str, qrels: Path, run: Path) -> Values:
    argv = [binary, "-q", *TREC_EVAL_ARGUMENTS, str(qrels), str(run)]
    printed = subprocess.run(argv, check=True, stdout=subprocess.PIPE, text=True).stdout
    values: Values = {}
    for line in printed.splitlines():
        name, query_id, value = line.split()
        if query_id != "all":
            values.setdefault(query_id, {})[NAMES[name]] = float(value)
    return values


def _precision_of_trec_eval(binary: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        qrels, run = Path(folder, "qrels"), Path(folder, "run")
        qrels.write_text(PROBE_QRELS)
        run.write_text(PROBE_RUN)
        return 64 if _by_trec_eval(binary, qrels, run)["q"]["RR"] == 1 else 32


def _precision_of_pytrec_eval() -> int:
    evaluator = pytrec_eval.RelevanceEvaluator(
        pytrec_eval.parse_qrel(PROBE_QRELS.splitlines()), {"recip_rank"}
    )
    values = evaluator.evaluate(pytrec_eval.parse_run(PROBE_RUN.splitlines()))
    return 64 if values["q"]["recip_rank"] == 1 else 32
