"""qrels x runs -> per-query values, by trec_eval's rules. Pure, and light enough to import that
`judge-tui score` starts like a Unix tool: no numpy, no SciPy, no SQL, no terminal.
"""

from __future__ import annotations

from judge_tui.scoring.gates import Gate, failures, parse_gate
from judge_tui.scoring.measure import Definition, Measure, Parameter
from judge_tui.scoring.measures import DEFAULT_MEASURES, MEASURES
from judge_tui.scoring.parse import parse_measure, parse_measures
from judge_tui.scoring.run import RunScores, mean, score_run
from judge_tui.scoring.scores import Scores, score_runs
from judge_tui.scoring.seen import Seen, see

__all__ = [
    "DEFAULT_MEASURES",
    "MEASURES",
    "Definition",
    "Gate",
    "Measure",
    "Parameter",
    "RunScores",
    "Scores",
    "Seen",
    "failures",
    "mean",
    "parse_gate",
    "parse_measure",
    "parse_measures",
    "score_run",
    "score_runs",
    "see",
]
