"""The registry of measures: one file and one line each. `MEASURES` holds them by name, in the order
in which help and tables list them.
"""

from __future__ import annotations

from judge_tui.scoring.measure import Definition
from judge_tui.scoring.measures.ap import AP
from judge_tui.scoring.measures.judged import JUDGED
from judge_tui.scoring.measures.ndcg import NDCG
from judge_tui.scoring.measures.p import P
from judge_tui.scoring.measures.r import R
from judge_tui.scoring.measures.rr import RR
from judge_tui.scoring.measures.success import SUCCESS

__all__ = ["DEFAULT_MEASURES", "MEASURES"]

MEASURES: dict[str, Definition] = {
    definition.name: definition for definition in (NDCG, RR, P, R, AP, SUCCESS, JUDGED)
}

DEFAULT_MEASURES = ("nDCG@10", "RR@10", "P@5", "R@100", "AP", "Judged@10")
