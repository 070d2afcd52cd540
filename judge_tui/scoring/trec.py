"""trec_eval's names of measures, and what it prints for its -m options, line by line."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from judge_tui.errors import UsageError
from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.parse import parse_measures, trec_measures
from judge_tui.scoring.seen import Seen

__all__ = [
    "NICKNAMES",
    "NO_RESULT",
    "TREC_MEASURES",
    "UNJUDGED",
    "UNPOOLED",
    "Given",
    "TrecLine",
    "TrecMeasure",
    "TrecPlan",
    "read_trec_name",
    "trec_plan",
]

UNPOOLED, UNJUDGED, NO_RESULT = -1.0, -2.0, -3.0
"""In place of a grade: not in the qrels, there with a negative grade, a rank behind the last."""

_MOST_RANKS = 1000


@dataclass(frozen=True, slots=True)
class TrecLine:
    """One line of trec_eval's output, with one for each query before it where `single` is True.

    `name` stands in front. `measure` is what is printed, and `summed` what is instead, over all
    queries under -c. Two lines have none: `runid`, and `relstring`, which shows the grades at its
    `ranks` for each query, and nothing over all.
    """

    name: str
    measure: Measure | None = None
    single: bool = True
    summed: Measure | None = None
    ranks: tuple[Measure, ...] = ()


@dataclass(frozen=True, slots=True)
class TrecPlan:
    """The lines in the order in which trec_eval prints them."""

    lines: tuple[TrecLine, ...]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What runs must be scored by to print the lines, each once."""
        needed = [
            measure
            for line in self.lines
            for measure in (line.measure, line.summed, *line.ranks)
            if measure is not None
        ]
        return tuple(dict.fromkeys(needed))


def trec_plan(
    names: Iterable[str | Measure] = (), *, rel: int = 1, max_rel: int | None = None
) -> TrecPlan:
    """The lines for these names; those of `official` where there are none.

    `names`: as in `trec_eval -m`, or as `parse_measures` takes them. As in trec_eval 9.0.8, the
    order is its own, whatever the order of the names; cutoffs ascend; and of several lists of
    parameters for one measure (`P.5` and `P.10`) the first holds. Measures that trec_eval does not
    have come last, under their full name here. `rel` is its -l, which nDCG does not heed, and
    `max_rel` that of `parse_measures`, whose errors this raises too.
    """
    asked: dict[str, _Asked] = {}
    others: list[Measure] = []
    for name in list(names) or ["official"]:
        text = name.strip() if isinstance(name, str) else ""
        found = read_trec_name(text)
        if text in NICKNAMES:
            for trec in NICKNAMES[text]:
                asked.setdefault(trec.name, _Asked()).add("", "")
        elif found is not None:
            asked.setdefault(found[0].name, _Asked()).add(*found[1:])
        else:
            for measure in parse_measures(name, rel=rel, max_rel=max_rel):
                trec_name = _trec_name(measure, rel)
                if trec_name is None:
                    others.append(measure)
                else:
                    asked.setdefault(trec_name[0], _Asked()).add(trec_name[1], "_")
    lines = [
        line
        for trec in TREC_MEASURES.values()
        if trec.name in asked
        for line in _lines(trec, asked[trec.name].listed(trec), rel)
    ]
    return TrecPlan((*lines, *(TrecLine(str(other), other) for other in dict.fromkeys(others))))


@dataclass(slots=True)
class _Asked:
    """How a measure was asked for: by its name alone, with a list (`P.5,10`), one part (`P_5`)."""

    alone: bool = False
    dotted: str = ""
    parts: tuple[str, ...] = ()

    def add(self, listed: str, sign: str) -> None:
        if sign == ".":
            self.dotted = self.dotted or listed
        elif listed:
            self.parts = (*self.parts, listed)
        else:
            self.alone = True

    def listed(self, trec: TrecMeasure) -> str:
        """The list that holds; empty where it is the usual one and does not show in the name."""
        if not trec.each:
            return self.dotted or next(iter(self.parts), "")
        return ",".join(filter(None, (self.dotted or trec.usual * self.alone, *self.parts)))


def _lines(trec: TrecMeasure, listed: str, rel: int) -> list[TrecLine]:
    if trec.name == "runid":
        return [TrecLine("runid", single=False)]
    if trec.name == "relstring":
        return [_relstring(listed, trec.usual)]
    measures = trec_measures(trec, listed, rel)
    if trec.each:
        ascending = sorted({_place(trec, measure): measure for measure in measures}.items())
        return [TrecLine(f"{trec.name}_{_shown(at)}", measure) for at, measure in ascending]
    name = f"{trec.name}_{listed}" if listed else trec.name
    # Under -c, trec_eval sums up every grade above 0 whatever -l says (m_num_rel.c).
    summed = trec_measures(trec, listed)[0] if trec.name == "num_rel" and rel != 1 else None
    return [TrecLine(name, measures[0], trec.single, summed)]


def _relstring(listed: str, usual: str) -> TrecLine:
    text = listed or usual
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= _MOST_RANKS):
        raise UsageError(
            f"{text!r} does not fit relstring, which shows the grades of the first results",
            f"write relstring.10, or another number up to {_MOST_RANKS}",
        )
    ranks = tuple([Measure(_GRADE, cutoff=rank) for rank in range(1, int(text) + 1)])
    return TrecLine(f"relstring_{listed}" if listed else "relstring", ranks=ranks)


def _trec_name(measure: Measure, rel: int) -> tuple[str, str] | None:
    """The name and the list by which trec_eval means the same measure; None where it has none."""
    for trec in TREC_MEASURES.values():
        if trec.measure != measure.definition.name:
            continue
        if trec.each == "cutoff" and measure.cutoff is None:
            continue
        listed = str(_place(trec, measure)) if trec.each else ""
        if trec_measures(trec, listed, rel) == [measure]:
            return trec.name, listed
    return None


def _place(trec: TrecMeasure, measure: Measure) -> float:
    """What tells a measure of a set from the others: its cutoff, or what stands there instead."""
    return measure.depth if trec.each == "cutoff" else measure.number(trec.each)


def _shown(place: float) -> str:
    return str(place) if isinstance(place, int) else f"{place:3.2f}"


def _grade_at_rank(seen: Seen, measure: Measure) -> float:
    rank = measure.depth
    place = bisect_left(seen.ranks, rank)
    if place < len(seen.ranks) and seen.ranks[place] == rank:
        return float(seen.grades[place])
    if rank in seen.pooled:
        return UNJUDGED
    return UNPOOLED if rank <= seen.retrieved else NO_RESULT


# A grade is no measure that could be averaged, so it is in no registry.
_GRADE = Definition(
    name="Grade",
    summary="grade of the result at one rank",
    value=_grade_at_rank,
    cutoff="required",
)


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
