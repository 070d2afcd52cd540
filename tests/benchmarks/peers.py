"""The scorers that `make bench` measures beside ours, and how each is asked for the same work.

nDCG@10, RR, AP, P@5, R@100 and Judged@10; who lacks one of them is asked for the others, and the
table says so.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.contest import Contestant
from tests.benchmarks.scoring_files import Shape
from tests.end_to_end.terminal import PROGRAM

MEASURES = ["nDCG@10", "RR", "AP", "P@5", "R@100", "Judged@10"]
TREC_EVAL_ARGUMENTS = [
    f"-m{name}" for name in ("ndcg_cut.10", "recip_rank", "map", "P.5", "recall.100")
]
PROCESSES = Path(__file__).parent / "processes"
NO_JUDGED = "has no Judged@10: 5 of the 6 measures"


def ours(shape: Shape, *, one_process_too: bool = True) -> list[Contestant]:
    """`judge-tui score` as it comes, and held to one process."""
    asked = [argument for measure in MEASURES for argument in ("-m", measure)]
    argv = [PROGRAM, "score", *_files(shape), *asked, "-f", "json"]
    contestants = [Contestant("judge-tui score", [argv], several_processes=True)]
    if one_process_too:
        contestants.append(Contestant("judge-tui score -j 1", [[*argv, "-j", "1"]]))
    return contestants


def trec_eval(shape: Shape, binary: str) -> Contestant:
    """trec_eval itself: one call for each run."""
    commands = [[binary, *TREC_EVAL_ARGUMENTS, str(shape.qrels), str(run)] for run in shape.runs]
    calls = f"{len(commands)} calls; " if len(commands) > 1 else ""
    return Contestant("trec_eval", commands, remark=calls + NO_JUDGED)


def in_memory_peers(shape: Shape) -> list[Contestant]:
    """The Python libraries: each holds a whole run in memory. One not installed is said to be."""
    contestants = [_script("pytrec_eval_means", "pytrec_eval-terrier", shape, NO_JUDGED)]
    if len(shape.runs) == 1:
        command = [str(Path(sys.executable).with_name("ir_measures")), *_files(shape), *MEASURES]
        contestants.append(Contestant("ir_measures", [command]))
    else:
        contestants.append(_script("ir_measures_means", "ir_measures (library)", shape))
    if importlib.util.find_spec("ranx"):
        contestants.append(_script("ranx_means", "ranx", shape, NO_JUDGED))
    else:
        print("  ranx is not installed: `make bench` has an environment of its own with it")
    return contestants


def _script(script: str, name: str, shape: Shape, remark: str = "") -> Contestant:
    command = [sys.executable, str(PROCESSES / f"{script}.py"), *_files(shape)]
    return Contestant(name, [command], remark=remark)


def _files(shape: Shape) -> Sequence[str]:
    return [str(shape.qrels), *map(str, shape.runs)]
