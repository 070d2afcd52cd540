"""How few judgments give the conclusions of all: `python -m tests.benchmarks.fewer_judgments DIR`.

DIR holds collections, NAME/qrels.txt and NAME/runs/*.run, of which nearly every result down to
the depth of the lists has a grade. Printed in Markdown, for each collection and measure: every
strategy at every budget, with unjudged results as zero and as expected; over pairs of systems that
are pooled by themselves, how often the verdict is that of all grades; and of the estimates from the
random stratum, how often the interval holds the difference by all grades, and how often a lead who
looks at every budget would have stopped for the wrong system.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from judge_tui.analysis.enough import Answer, Enough, is_enough
from judge_tui.analysis.replay import (
    FullPool,
    JudgedPart,
    Replay,
    Replays,
    ReplaySettings,
    judge_again,
    replay,
    replayable,
)
from judge_tui.analysis.unbiased import JudgedUnion
from judge_tui.evaluation.named_files import inputs_of_files
from judge_tui.evaluation.score_runs import ScoringQuestion, whole_runs
from judge_tui.model import Qrels, Run
from judge_tui.pooling.strategies import STRATEGIES
from judge_tui.scoring import UNJUDGED, Measure, parse_measures
from judge_tui.scoring.filled import StandIn
from judge_tui.scoring.linear import is_linear

TOLD = (Answer.SETTLED, Answer.LIKELY)
STAND_INS: tuple[StandIn, ...] = ("zero", "expected")


def main() -> int:
    """Replay the collections, and print the tables."""
    asked = _arguments()
    shares = [percent / 100 for percent in asked.budgets]
    measures = parse_measures(asked.measures or ["AP", "nDCG@10"])
    folders = [asked.folder / name for name in asked.names] or sorted(asked.folder.iterdir())
    for folder in folders:
        if not (folder / "qrels.txt").is_file():
            continue
        inputs = inputs_of_files([str(folder / "qrels.txt"), str(folder / "runs")])
        runs = whole_runs(inputs, ScoringQuestion())
        for measure in measures:
            full = FullPool.of(runs, inputs.qrels)
            _print_orders(folder.name, full, measure, shares)
            _print_estimates(folder.name, full, measure, shares, asked.seeds)
            _print_pairs(folder.name, runs, inputs.qrels, measure, shares, asked.pairs)
    return 0


def _settings(measure: Measure, shares: Sequence[float], unjudged: StandIn) -> ReplaySettings:
    return ReplaySettings(measure, replayable(measure), shares, unjudged)


def _print_orders(name: str, full: FullPool, measure: Measure, shares: Sequence[float]) -> None:
    for unjudged in STAND_INS:
        found = replay(full, _settings(measure, shares, unjudged))
        print(
            f"\n{name}, {measure}, unjudged {unjudged}: {found.runs} runs, {found.queries} queries,"
            f" {found.pairs:,} pairs, {found.verdicts} of {found.compared} verdicts."
            " Kendall's tau (verdicts lost/new/flipped)\n"
        )
        _print_table(shares, _cells(found))


def _cells(found: Replays) -> Iterator[tuple[str, list[str]]]:
    for strategy in found.settings.strategies:
        rows = [row for row in found.rows if row.strategy == strategy]
        yield strategy, [f"{_number(r.tau)} ({r.lost}/{r.new}/{r.flipped})" for r in rows]


def _print_pairs(
    name: str,
    runs: Sequence[Run],
    qrels: Qrels,
    measure: Measure,
    shares: Sequence[float],
    most: int,
) -> None:
    """How often two systems have the verdict that all grades of their own pool give."""
    pairs = list(combinations(runs, 2))
    pairs = random.Random(27).sample(pairs, min(most, len(pairs)))
    if not pairs:
        return
    pools = [FullPool.of(two, qrels) for two in pairs]
    for unjudged in STAND_INS:
        settings = _settings(measure, shares, unjudged)
        rows = [row for pool in pools for row in replay(pool, settings).rows]
        print(
            f"\n{name}, {measure}, unjudged {unjudged}: the same verdict on two systems, of"
            f" {len(pairs)} pairs (flipped)\n"
        )
        _print_table(
            shares,
            (
                (
                    strategy,
                    [
                        _agreement([r for r in rows if (r.strategy, r.share) == (strategy, share)])
                        for share in shares
                    ],
                )
                for strategy in replayable(measure)
            ),
        )


def _print_estimates(
    name: str, full: FullPool, measure: Measure, shares: Sequence[float], seeds: int
) -> None:
    """What the random stratum says of every two runs, over so many draws."""
    if not is_linear(measure):
        return
    print(
        f"\n{name}, {measure}, intervals of unbiased differences that hold the difference by all"
        f" grades, {seeds} draws (settled or likely settled; of these wrongly)\n"
    )
    learning = [strategy for strategy, its in STRATEGIES.items() if its.uses_judgments]
    rows, stops = [], []
    for strategy in learning:
        looks = [
            list(_looks(full, strategy, replace(_settings(measure, shares, "zero"), seed=seed)))
            for seed in range(seeds)
        ]
        cells = [_coverage(at_once) for at_once in zip(*looks, strict=True)]
        rows.append((strategy, cells))
        wrong = sum(len(set().union(*(look.wrong for look in its))) for its in looks)
        told = sum(len(set().union(*(look.told for look in its))) for its in looks)
        stops.append(f"{strategy} {wrong:,} of {told:,}")
    _print_table(shares, iter(rows))
    print(f"\npairs of runs wrongly told at any look: {', '.join(stops)}")


class Look(NamedTuple):
    """Of pairs of runs: whose interval is there, whose holds the truth; which are told apart, and
    which of them wrongly."""

    intervals: int
    held: int
    told: set[tuple[int, int]]
    wrong: set[tuple[int, int]]


def _looks(full: FullPool, strategy: str, settings: ReplaySettings) -> Iterator[Look]:
    means = full.judged.means(settings.measure)
    pairs = list(combinations(range(len(means)), 2))
    scale = range(full.judged.greatest + 1)
    for _, part in judge_again(full, strategy, settings):
        found = is_enough(_union(full, part), settings.measure, scale, pairs)
        true = {two: float(means[two[1]] - means[two[0]]) for two in pairs}
        told = {two: one for two, one in zip(pairs, found, strict=True) if one.answer in TOLD}
        unbiased = [(two, one.unbiased) for two, one in zip(pairs, found, strict=True)]
        ends = [(true[two], its.ci95) for two, its in unbiased if its is not None]
        yield Look(
            len(ends),
            sum(low <= truth <= high for truth, (low, high) in ends),
            set(told),
            {two for two, one in told.items() if true[two] * _shown(one) < 0},
        )


def _coverage(looks: Sequence[Look]) -> str:
    intervals, held = sum(one.intervals for one in looks), sum(one.held for one in looks)
    told, wrong = sum(len(one.told) for one in looks), sum(len(one.wrong) for one in looks)
    share = f"{held / intervals:.3f}" if intervals else "-"
    return f"{share} ({told / len(looks):.0f}; {wrong / len(looks):.1f})"


def _shown(found: Enough) -> float:
    """Return a number of the sign of the difference that is told."""
    if found.answer is Answer.SETTLED and found.bounds is not None:
        return sum(found.bounds)
    return found.delta or 0.0


def _union(full: FullPool, part: JudgedPart) -> JudgedUnion:
    """Return the full pool as a campaign has it of which this part is judged."""
    judged = full.judged
    pairs = full.retrieved
    at = pairs.places_of(judged.queries, judged.documents)
    grades = np.full(len(pairs), UNJUDGED, dtype=np.int64)
    chosen, drawn = np.zeros((2, len(pairs)), dtype=bool)
    grades[at[part.judged]] = judged.grades[part.judged]
    chosen[at], drawn[at] = part.chosen, part.drawn
    nothing = np.zeros(0, dtype=np.int64)
    return JudgedUnion(
        judged.lists.tags,
        pairs,
        grades,
        chosen,
        drawn,
        judged.lists.documents.shape[2],
        judged.lists.counted,
        np.zeros(pairs.queries, dtype=bool),
        nothing,
        nothing,
    )


def _agreement(rows: Sequence[Replay]) -> str:
    same = sum(not (row.lost or row.new or row.flipped) for row in rows)
    return f"{same / len(rows):.3f} ({sum(row.flipped for row in rows)})"


def _print_table(shares: Sequence[float], rows: Iterator[tuple[str, list[str]]]) -> None:
    print(f"| strategy | {' | '.join(f'{share:.0%}' for share in shares)} |")
    print(f"|---|{'---|' * len(shares)}")
    for name, cells in rows:
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fewer_judgments", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("names", nargs="*", help="of collections; all unless named")
    parser.add_argument("-m", dest="measures", action="append", help="AP and nDCG@10 unless named")
    parser.add_argument("--budgets", type=int, nargs="+", default=[10, 20, 30, 40, 60])
    parser.add_argument("--pairs", type=int, default=60, help="of systems, at most")
    parser.add_argument("--seeds", type=int, default=4, help="how often the random pairs are drawn")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
