"""trec_eval's names for measures, in the order in which it prints them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from judge_tui.errors import UsageError

__all__ = ["NICKNAMES", "TREC_MEASURES", "Given", "TrecMeasure", "read_trec_name"]

Given: TypeAlias = dict[str, str]
"""Parameters of one measure as text; `cutoff` is one of them."""

_USUAL_RANKS = "5,10,15,20,30,100,200,500,1000"


@dataclass(frozen=True, slots=True)
class TrecMeasure:
    """One measure, or set of measures, of trec_eval and what it is here.

    `name` as in `trec_eval -m`; `measure` is a name of `MEASURES`, empty for what is no number.
    `parts` turns a list of parameters into the parameters of each measure of the set, and is None
    where there are none to give; `each` names the parameter that tells the measures of a set apart.
    `usual` is the list that stands for no list. `single` is False where there is no line for each
    query, `official` and `set` say to which nicknames it belongs.
    """

    name: str
    measure: str
    parts: Callable[[str], list[Given]] | None = None
    each: str = ""
    usual: str = ""
    single: bool = True
    official: bool = False
    set: bool = False
    all_trec: bool = True

    def given(self, listed: str) -> list[Given]:
        """The parameters of each measure for a list of parameters as trec_eval takes them.

        An empty list is the usual one. Raises `UsageError` where the list does not fit.
        """
        listed = listed or self.usual
        if not listed:
            return [{}]
        try:
            if self.parts is None:
                raise ValueError(listed)
            return self.parts(listed)
        except ValueError:
            raise UsageError(
                f"{listed!r} does not fit {self.name}, trec_eval's name of a measure", self._mend()
            ) from None

    def _mend(self) -> str:
        if self.parts is None or self.name == "ndcg":
            cut = f"{self.name}_cut"
            return f"for a cutoff, write {cut}.10" if cut in TREC_MEASURES else f"write {self.name}"
        return f"write {self.name}.{self.usual or '1=3.5,2=9'}"


def _each(name: str) -> Callable[[str], list[Given]]:
    return lambda listed: [{name: part} for part in listed.split(",")]


def _ranks(listed: str) -> list[Given]:
    # trec_eval reads whole numbers up to the first sign that is no digit (atol): 23.4 is 23.
    return [{"cutoff": part.partition(".")[0]} for part in listed.split(",")]


def _pairs(listed: str) -> list[Given]:
    if "=" not in listed:
        raise ValueError(listed)
    return [{"gains": listed}]


def _persistence(listed: str) -> list[Given]:
    name, sign, value = listed.partition("=")
    if name != "p" or not sign:
        raise ValueError(listed)
    return [{"p": value}]


def _weights(listed: str) -> list[Given]:
    hit, noise, miss, rest = listed.split(",")
    if float(rest):
        raise UsageError(
            "the fourth weight of utility needs the size of the collection, which is not known",
            "let it be 0",
        )
    return [{"hit": hit, "noise": noise, "miss": miss}]


def _cut(
    name: str, measure: str, usual: str = _USUAL_RANKS, *, official: bool = False
) -> TrecMeasure:
    return TrecMeasure(name, measure, _ranks, "cutoff", usual, official=official)


TREC_MEASURES: dict[str, TrecMeasure] = {
    trec.name: trec
    for trec in (
        TrecMeasure("runid", "", single=False, official=True, set=True),
        TrecMeasure("num_q", "NumQ", single=False, official=True, set=True),
        TrecMeasure("num_ret", "NumRet", official=True, set=True),
        TrecMeasure("num_rel", "NumRel", official=True, set=True),
        TrecMeasure("num_rel_ret", "NumRelRet", official=True, set=True),
        TrecMeasure("map", "AP", official=True),
        TrecMeasure("gm_map", "GMAP", single=False, official=True),
        TrecMeasure("Rprec", "Rprec", official=True),
        TrecMeasure("bpref", "Bpref", official=True),
        TrecMeasure("recip_rank", "RR", official=True),
        TrecMeasure(
            "iprec_at_recall",
            "IPrec",
            _each("recall"),
            "recall",
            "0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1",
            official=True,
        ),
        _cut("P", "P", official=True),
        TrecMeasure("relstring", "", _ranks, usual="10"),
        _cut("recall", "R"),
        TrecMeasure("infAP", "infAP"),
        TrecMeasure("gm_bpref", "GMBpref", single=False),
        TrecMeasure(
            "Rprec_mult",
            "RprecMult",
            _each("multiple"),
            "multiple",
            "0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0",
        ),
        TrecMeasure("utility", "Utility", _weights, usual="1,-1,0,0", set=True),
        TrecMeasure("11pt_avg", "IPrecAvg", lambda listed: [{"points": listed}]),
        TrecMeasure("binG", "BinG"),
        TrecMeasure("G", "G", _pairs),
        TrecMeasure("ndcg", "nDCG", _pairs),
        TrecMeasure("ndcg_rel", "nDCGRel", _pairs),
        TrecMeasure("Rndcg", "Rndcg", _pairs),
        _cut("ndcg_cut", "nDCG"),
        _cut("map_cut", "AP"),
        _cut("relative_P", "RelP"),
        _cut("success", "Success", "1,5,10"),
        TrecMeasure("set_P", "SetP", set=True),
        TrecMeasure("set_relative_P", "SetRelP", set=True),
        TrecMeasure("set_recall", "SetR", set=True),
        TrecMeasure("set_map", "SetAP", set=True),
        TrecMeasure("set_F", "SetF", _each("beta"), usual="1", set=True),
        TrecMeasure("num_nonrel_judged_ret", "NumNonrelRet"),
        TrecMeasure("yaap", "YAAP", all_trec=False),
        # These came with trec_eval 10, and are in no nickname of 9.0.8.
        TrecMeasure("unj", "Unjudged", _ranks, "cutoff", "5,10,20", all_trec=False),
        TrecMeasure("rbp", "RBP", _persistence, usual="p=0.9", all_trec=False),
        TrecMeasure("rbp_resid", "RBPResidual", _persistence, usual="p=0.9", all_trec=False),
    )
}
"""By name, in the order of trec_eval 9.0.8 (`measures.c`); its measures of preferences, of several
judges and its z-scores are not offered."""

NICKNAMES: dict[str, tuple[TrecMeasure, ...]] = {
    "official": tuple(trec for trec in TREC_MEASURES.values() if trec.official),
    "set": tuple(trec for trec in TREC_MEASURES.values() if trec.set),
    "all_trec": tuple(trec for trec in TREC_MEASURES.values() if trec.all_trec),
}
"""trec_eval's names of groups: what it prints without -m, sets, and everything but yaap."""


def read_trec_name(text: str) -> tuple[TrecMeasure, str, str] | None:
    """`P`, `P.5,10` or `P_5`: the measure, its list of parameters, and the sign before the list.

    List and sign are empty where the name stands alone. None where it is no name of trec_eval's.
    """
    if text in TREC_MEASURES:
        return TREC_MEASURES[text], "", ""
    name, dot, listed = text.partition(".")
    if name in TREC_MEASURES and listed:
        return TREC_MEASURES[name], listed, dot
    starts = [name for name in TREC_MEASURES if text.startswith(f"{name}_")]
    if not starts:
        return None
    name = max(starts, key=len)
    listed = text[len(name) + 1 :]
    return (TREC_MEASURES[name], listed, "_") if re.match(r"[-.0-9]", listed) else None
