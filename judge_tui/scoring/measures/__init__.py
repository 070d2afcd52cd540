"""The registry of measures: one file (or an entry in a family's file) and one line each. `MEASURES`
holds them by name, in the order in which help and tables list them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from judge_tui.scoring.measure import Definition

__all__ = ["DEFAULT_MEASURES", "MEASURES"]

# name -> the module of this folder and the definition in it.
_DEFINED = {
    "nDCG": "ndcg.NDCG",
    "RR": "rr.RR",
    "P": "p.P",
    "R": "r.R",
    "AP": "ap.AP",
    "Success": "success.SUCCESS",
    "Judged": "judged.JUDGED",
    "Unjudged": "unjudged.UNJUDGED",
    "Rprec": "rprec.RPREC",
    "Bpref": "bpref.BPREF",
    "infAP": "infap.INFAP",
    "RBP": "rbp.RBP",
    "RBPResidual": "rbp.RBP_RESIDUAL",
    "ERR": "err.ERR",
    "SetP": "sets.SET_P",
    "SetR": "sets.SET_R",
    "SetF": "sets.SET_F",
    "SetAP": "sets.SET_AP",
    "SetRelP": "sets.SET_RELATIVE_P",
    "IPrec": "iprec.IPREC",
    "IPrecAvg": "iprec.IPREC_AVG",
    "GMAP": "ap.GMAP",
    "GMBpref": "bpref.GM_BPREF",
    "NumQ": "counts.NUM_Q",
    "NumRet": "counts.NUM_RET",
    "NumRel": "counts.NUM_REL",
    "NumRelRet": "counts.NUM_REL_RET",
    "NumNonrelRet": "counts.NUM_NONREL_RET",
    "RelP": "relative_p.RELATIVE_P",
    "RprecMult": "rprec_mult.RPREC_MULT",
    "nDCGRel": "ndcg_points.NDCG_REL",
    "Rndcg": "ndcg_points.R_NDCG",
    "G": "g.G",
    "BinG": "g.BIN_G",
    "YAAP": "yaap.YAAP",
    "Utility": "utility.UTILITY",
    "Prefer": "order.PREFER",
    "Authority": "order.AUTHORITY",
}


class _Measures(Mapping[str, Definition]):
    """Each definition is imported when it is asked for: most runs are scored by a few of them."""

    def __getitem__(self, name: str) -> Definition:
        module, constant = _DEFINED[name].split(".")
        found: Definition = getattr(import_module(f"{__name__}.{module}"), constant)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_DEFINED)

    def __len__(self) -> int:
        return len(_DEFINED)

    def __contains__(self, name: object) -> bool:
        return name in _DEFINED


MEASURES: Mapping[str, Definition] = _Measures()

DEFAULT_MEASURES = ("nDCG@10", "RR@10", "P@5", "R@100", "AP", "Judged@10")
