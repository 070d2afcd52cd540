"""The registry of measures: one file (or an entry in a family's file) and one line each. `MEASURES`
holds them by name, in the order in which help and tables list them.
"""

from __future__ import annotations

from judge_tui.scoring.measure import Definition
from judge_tui.scoring.measures.ap import AP, GMAP
from judge_tui.scoring.measures.bpref import BPREF, GM_BPREF
from judge_tui.scoring.measures.counts import NUM_NONREL_RET, NUM_Q, NUM_REL, NUM_REL_RET, NUM_RET
from judge_tui.scoring.measures.err import ERR
from judge_tui.scoring.measures.g import BIN_G, G
from judge_tui.scoring.measures.infap import INFAP
from judge_tui.scoring.measures.iprec import IPREC, IPREC_AVG
from judge_tui.scoring.measures.judged import JUDGED
from judge_tui.scoring.measures.ndcg import NDCG
from judge_tui.scoring.measures.ndcg_points import NDCG_REL, R_NDCG
from judge_tui.scoring.measures.p import P
from judge_tui.scoring.measures.r import R
from judge_tui.scoring.measures.rbp import RBP, RBP_RESIDUAL
from judge_tui.scoring.measures.relative_p import RELATIVE_P
from judge_tui.scoring.measures.rprec import RPREC
from judge_tui.scoring.measures.rprec_mult import RPREC_MULT
from judge_tui.scoring.measures.rr import RR
from judge_tui.scoring.measures.sets import SET_AP, SET_F, SET_P, SET_R, SET_RELATIVE_P
from judge_tui.scoring.measures.success import SUCCESS
from judge_tui.scoring.measures.unjudged import UNJUDGED
from judge_tui.scoring.measures.utility import UTILITY
from judge_tui.scoring.measures.yaap import YAAP

__all__ = ["DEFAULT_MEASURES", "MEASURES"]

MEASURES: dict[str, Definition] = {
    definition.name: definition
    for definition in (
        NDCG,
        RR,
        P,
        R,
        AP,
        SUCCESS,
        JUDGED,
        UNJUDGED,
        RPREC,
        BPREF,
        INFAP,
        RBP,
        RBP_RESIDUAL,
        ERR,
        SET_P,
        SET_R,
        SET_F,
        SET_AP,
        SET_RELATIVE_P,
        IPREC,
        IPREC_AVG,
        GMAP,
        GM_BPREF,
        NUM_Q,
        NUM_RET,
        NUM_REL,
        NUM_REL_RET,
        NUM_NONREL_RET,
        RELATIVE_P,
        RPREC_MULT,
        NDCG_REL,
        R_NDCG,
        G,
        BIN_G,
        YAAP,
        UTILITY,
    )
}

DEFAULT_MEASURES = ("nDCG@10", "RR@10", "P@5", "R@100", "AP", "Judged@10")
