"""The registry of measures: a definition in a family's file, and one line each. `MEASURES`
holds them by name, in the order in which help and tables list them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from judge_tui.scoring.measure import Definition

__all__ = ["DEFAULT_MEASURES", "MEASURES"]

# name -> the module of this folder and the definition in it.
_DEFINED = {
    "nDCG": "usual.NDCG",
    "RR": "usual.RR",
    "P": "usual.P",
    "R": "usual.R",
    "AP": "usual.AP",
    "Success": "usual.SUCCESS",
    "Judged": "usual.JUDGED",
    "Unjudged": "usual.UNJUDGED",
    "Rprec": "usual.RPREC",
    "Bpref": "other.BPREF",
    "infAP": "other.INFAP",
    "RBP": "other.RBP",
    "RBPResidual": "other.RBP_RESIDUAL",
    "ERR": "other.ERR",
    "SetP": "sets.SET_P",
    "SetR": "sets.SET_R",
    "SetF": "sets.SET_F",
    "SetAP": "sets.SET_AP",
    "SetRelP": "sets.SET_RELATIVE_P",
    "IPrec": "other.IPREC",
    "IPrecAvg": "other.IPREC_AVG",
    "GMAP": "usual.GMAP",
    "GMBpref": "other.GM_BPREF",
    "NumQ": "counts.NUM_Q",
    "NumRet": "counts.NUM_RET",
    "NumRel": "counts.NUM_REL",
    "NumRelRet": "counts.NUM_REL_RET",
    "NumNonrelRet": "counts.NUM_NONREL_RET",
    "RelP": "other.RELATIVE_P",
    "RprecMult": "other.RPREC_MULT",
    "nDCGRel": "other.NDCG_REL",
    "Rndcg": "other.R_NDCG",
    "G": "other.G",
    "BinG": "other.BIN_G",
    "YAAP": "other.YAAP",
    "Utility": "other.UTILITY",
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
