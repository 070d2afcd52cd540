"""The row about agreement: many judges who judged all, beside libraries that have parts of it."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy as np

from judge_tui.campaign import open_campaign
from judge_tui.campaign.overview.grading import first_grades
from tests.benchmarks.contest import Contestant, cost_of, hold
from tests.benchmarks.many_judges import make_many_judges
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
