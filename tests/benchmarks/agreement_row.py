"""The row about agreement: many judges who judged all, beside libraries that have parts of it."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy as np

from judge_tui.campaign import create_campaign, open_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.judgments import load_gold, load_judgments
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.loading.runs import load_runs
from judge_tui.campaign.overview.grading import first_grades
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import find_judge
from judge_tui.formats.rows import iter_qrels
from judge_tui.model import DEFAULT_SCALE
from tests.benchmarks.contest import Contestant, cost_of, hold
from tests.end_to_end.terminal import PROGRAM

PROCESSES = Path(__file__).parent / "processes"
JUDGES, PAIRS = 30, 5_000
RESAMPLES = 1_000
PEERS_RESAMPLES = 10
_CLOSE = 1e-9


def measure_agreement(
    work: Path, seed: int, *, judges: int = JUDGES, pairs: int = PAIRS, rounds: int = 5
) -> list[str]:
    """Print what it takes; a line for each value that is not the other libraries'."""
    folder = work / "judges"
    folder.mkdir()
    path, ours, theirs = (folder / name for name in ("campaign.db", "ours.json", "theirs.json"))
    make_many_judges(path, judges=judges, pairs=pairs)
    grades = folder / "grades.npy"
    with open_campaign(path) as campaign:
        np.save(grades, np.stack([given for _, given in first_grades(campaign).values()]))
    print(
        f"agreement of {judges} judges on {pairs:,} pairs, {RESAMPLES:,} resamples\n"
        "  goal: the whole command within 5 s"
    )
    command = ["/usr/bin/env", f"JUDGE_TUI_DB={path}", PROGRAM, "agreement", "-f", "json"]
    [held] = hold(
        [Contestant("judge-tui agreement", [[*command, "-o", str(ours), "--force"]])], rounds=rounds
    )
    if held.failed:
        return ["judge-tui agreement failed on many judges"]
    _run_peers(grades, theirs, seed)
    found, measured = json.loads(ours.read_text()), json.loads(theirs.read_text())
    alpha, kappas = measured["seconds"]["alpha"], measured["seconds"]["kappas"]
    scaled = alpha * (RESAMPLES + 1) / (PEERS_RESAMPLES + 1)
    print(
        f"  krippendorff: ordinal alpha alone {alpha:.2f} s with {PEERS_RESAMPLES} resamples,"
        f" {scaled:.0f} s if scaled to {RESAMPLES:,}\n"
        f"  scikit-learn: kappa, linear and quadratic {kappas:.2f} s, without intervals\n"
        f"  both, and nothing else: {(scaled + kappas) / held.seconds:.1f} times as long"
    )
    return _differences(found, measured)


def _run_peers(grades: Path, result: Path, seed: int) -> None:
    script = PROCESSES / "agreement_by_peers.py"
    asked = (script, grades, result, PEERS_RESAMPLES, seed)
    cost = cost_of([[sys.executable, *map(str, asked)]])
    if cost.failed:
        raise SystemExit(f"error: the peers' process failed with exit code {cost.failed}")


def _differences(found: dict, measured: dict) -> list[str]:
    pairs = [("alpha", found["alpha"]["ordinal"]["value"], measured["alpha"])]
    for two, kappas in zip(found["between"], measured["kappas"], strict=True):
        pairs += [(f"{name} of {two['judges']}", two[name], kappas[name]) for name in kappas]
    wrong = [
        f"{name}: {ours}, not {theirs}"
        for name, ours, theirs in pairs
        if ours is None or not math.isclose(ours, theirs, abs_tol=_CLOSE)
    ]
    print(f"  {len(pairs):,} values, {len(wrong)} wrong\n")
    return wrong


SEED = 30
PAIRS_OF_A_QUERY = 20
REPEATS = 10
_CLASSES = ("lookup", "how-to", "concept")


def make_many_judges(path: Path, *, judges: int = 30, pairs: int = 5000, runs: int = 5) -> None:
    """Make the campaign at `path`; what it is loaded from is written beside it.

    `pairs`: in the pool, 20 a query. The judges `j00`, `j01` … grade all of them, each with noise
    and a leaning of their own, ten of them again as hidden repeats, and one in 20 is a gold pair.
    """
    generator = np.random.default_rng(SEED)
    folder = path.parent
    count = pairs // PAIRS_OF_A_QUERY
    ids = [f"q{number:04d}" for number in range(count)]
    worth = generator.normal(size=(count, PAIRS_OF_A_QUERY))
    queries = folder / "queries.jsonl"
    queries.write_text(
        "".join(
            f'{{"query_id": "{query_id}", "text": "find it", "class": "{_CLASSES[at % 3]}"}}\n'
            for at, query_id in enumerate(ids)
        )
    )
    paths = []
    for number in range(runs):
        scores = worth + generator.normal(scale=1 + number / 10, size=worth.shape)
        paths.append(folder / f"system{number}.run")
        _write(paths[-1], ids, np.argsort(-scores, axis=1), f"system{number}")

    with create_campaign(path, name="many judges", scale=DEFAULT_SCALE, seed=SEED) as campaign:
        load_queries(campaign, queries)
        load_runs(campaign, paths)
        extend_pool(campaign, depth=PAIRS_OF_A_QUERY)
        few = slice(None, None, PAIRS_OF_A_QUERY)
        gold = _write_grades(folder / "gold.qrels", ids[few], _grades(worth[few]))
        load_gold(campaign, gold, list(iter_qrels(gold)))
        for number in range(judges):
            seen = worth + generator.normal(scale=0.5, size=worth.shape)
            grades = _grades(seen + generator.normal(scale=0.2))
            name = f"j{number:02d}"
            load_judgments(
                campaign, _write_grades(folder / f"{name}.qrels", ids, grades), judge=name
            )
            judge = find_judge(campaign, name)
            assert judge is not None
            for pair, grade in enumerate(generator.integers(0, 4, REPEATS).tolist(), 1):
                append_event(
                    campaign, judge=judge.key, pair=pair, action="grade", grade=grade, turn=1
                )


def _grades(worth: np.ndarray) -> np.ndarray:
    return np.clip(np.floor(worth + 1), 0, 3).astype(int)


def _write(path: Path, ids: list[str], order: np.ndarray, tag: str) -> None:
    with path.open("w") as file:
        for query_id, documents in zip(ids, order.tolist(), strict=True):
            file.writelines(
                f"{query_id} Q0 d{document} {rank} {100 - rank} {tag}\n"
                for rank, document in enumerate(documents, 1)
            )


def _write_grades(path: Path, ids: list[str], grades: np.ndarray) -> Path:
    with path.open("w") as file:
        for query_id, row in zip(ids, grades.tolist(), strict=True):
            file.writelines(
                f"{query_id} 0 d{document} {grade}\n" for document, grade in enumerate(row)
            )
    return path
