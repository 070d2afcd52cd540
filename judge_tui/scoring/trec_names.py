"""The names that trec_eval has for measures, alone, in groups and with lists of parameters."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from judge_tui.errors import UsageError


class TrecName(NamedTuple):
    """One name of trec_eval, and what it means here.

    `name` as in `trec_eval -m`; `measure` is a name of `MEASURES`, empty for what is no number.
    `lists` is the parameter that a list after the name sets (`P.5,10`), empty where none may
    follow; `usual` the list that stands for none. Of `cutoff`, `recall` and `multiple` each part
    of the list is a measure of its own. `single` is False where there is no line for each
    query; `groups` are the nicknames that it belongs to, `since` which version of trec_eval.
    """

    name: str
    measure: str
    lists: str = ""
    usual: str = ""
    single: bool = True
    groups: str = "all_trec"
    since: Literal[9, 10] = 9

    @property
    def several(self) -> bool:
        """Whether each part of a list is a measure of its own."""
        return self.lists in ("cutoff", "recall", "multiple")

    def settings(self, listed: str) -> list[dict[str, str]]:
        """Return the parameters, as text, of each measure that a list of parameters means, the
        usual one if empty. Raises `UsageError` where the list does not fit."""
        listed = listed or self.usual
        parts = listed.split(",")
        if not listed:
            return [{}]
        if self.lists == "cutoff":
            # trec_eval reads whole numbers up to the first sign that is no digit: 23.4 is 23.
            return [{"cutoff": part.partition(".")[0]} for part in parts]
        if self.several:
            return [{self.lists: part} for part in parts]
        if self.lists == "beta":
            return [{"beta": parts[0]}]  # trec_eval looks at the first alone
        if self.lists == "points" or (self.lists == "gains" and "=" in listed):
            return [{self.lists: listed}]
        if self.lists == "p" and listed.startswith("p="):
            return [{"p": listed[2:], "rel": "1"}]  # it heeds no -l
        if self.lists == "weights" and len(parts) == 4:
            if not re.fullmatch(r"[-+]?0*\.?0*", parts[3]):
                raise UsageError(
                    "the fourth weight of utility needs the size of the collection, which is not"
                    " known",
                    "let it be 0",
                )
            return [dict(zip(("hit", "noise", "miss"), parts, strict=False))]
        cut = f"{self.name}_cut"
        shown = f"{self.name}.{self.usual or '1=3.5,2=9'}" if self.lists else self.name
        raise UsageError(
            f"{listed!r} does not fit {self.name}, trec_eval's name of a measure",
            f"for a cutoff, write {cut}.10" if cut in TREC_NAMES else f"write {shown}",
        )


_RANKS = "5,10,15,20,30,100,200,500,1000"
_EVERY, _OFFICIAL, _SET = "official set all_trec", "official all_trec", "set all_trec"

TREC_NAMES: dict[str, TrecName] = {
    each.name: each
    for each in (
        TrecName("runid", "", single=False, groups=_EVERY),
        TrecName("num_q", "NumQ", single=False, groups=_EVERY),
        TrecName("num_ret", "NumRet", groups=_EVERY),
        TrecName("num_rel", "NumRel", groups=_EVERY),
        TrecName("num_rel_ret", "NumRelRet", groups=_EVERY),
        TrecName("map", "AP", groups=_OFFICIAL),
        TrecName("gm_map", "GMAP", single=False, groups=_OFFICIAL),
        TrecName("Rprec", "Rprec", groups=_OFFICIAL),
        TrecName("bpref", "Bpref", groups=_OFFICIAL),
        TrecName("recip_rank", "RR", groups=_OFFICIAL),
        TrecName(
            "iprec_at_recall", "IPrec", "recall", "0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1", groups=_OFFICIAL
        ),
        TrecName("P", "P", "cutoff", _RANKS, groups=_OFFICIAL),
        TrecName("relstring", "", "length", "10"),
        TrecName("recall", "R", "cutoff", _RANKS),
        TrecName("infAP", "infAP"),
        TrecName("gm_bpref", "GMBpref", single=False),
        TrecName("Rprec_mult", "RprecMult", "multiple", "0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0"),
        TrecName("utility", "Utility", "weights", "1,-1,0,0", groups=_SET),
        TrecName("11pt_avg", "IPrecAvg", "points"),
        TrecName("binG", "BinG"),
        TrecName("G", "G", "gains"),
        TrecName("ndcg", "nDCG", "gains"),
        TrecName("ndcg_rel", "nDCGRel", "gains"),
        TrecName("Rndcg", "Rndcg", "gains"),
        TrecName("ndcg_cut", "nDCG", "cutoff", _RANKS),
        TrecName("map_cut", "AP", "cutoff", _RANKS),
        TrecName("relative_P", "RelP", "cutoff", _RANKS),
        TrecName("success", "Success", "cutoff", "1,5,10"),
        TrecName("set_P", "SetP", groups=_SET),
        TrecName("set_relative_P", "SetRelP", groups=_SET),
        TrecName("set_recall", "SetR", groups=_SET),
        TrecName("set_map", "SetAP", groups=_SET),
        TrecName("set_F", "SetF", "beta", "1", groups=_SET),
        TrecName("num_nonrel_judged_ret", "NumNonrelRet"),
        TrecName("yaap", "YAAP", groups=""),
        TrecName("rbp", "RBP", "p", "p=0.9", since=10),
        TrecName("rbp_resid", "RBPResidual", "p", "p=0.9", since=10),
        TrecName("unj", "Unjudged", "cutoff", "5,10,20", since=10),
    )
}
"""By name, in trec_eval's order (`measures.c`); its measures of preferences, of several judges,
dcg alone and its z-scores are not offered."""

GROUPS: dict[str, tuple[TrecName, ...]] = {
    group: tuple(each for each in TREC_NAMES.values() if group in each.groups.split())
    for group in ("official", "set", "all_trec")
}
"""trec_eval's names of groups: what it prints without -m, sets, and everything but yaap."""


def read_trec_name(text: str) -> tuple[TrecName, str, str] | None:
    """Read `P`, `P.5,10` or `P_5`: the name, its list of parameters, and the sign before the list.

    List and sign are empty where the name stands alone. None where it is no name of trec_eval's.
    """
    name, dot, listed = text.partition(".")
    if name in TREC_NAMES and bool(dot) == bool(listed):
        return TREC_NAMES[name], listed, dot
    starts = [name for name in TREC_NAMES if text.startswith(f"{name}_")]
    name = max(starts, key=len, default="")
    listed = text[len(name) + 1 :]
    return (TREC_NAMES[name], listed, "_") if name and re.match(r"[-.0-9]", listed) else None
