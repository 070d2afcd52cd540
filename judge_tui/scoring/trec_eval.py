"""What trec_eval prints for runs that are scored here, line by line and to the byte.

Version 10.0 is the tag `v10.0`, version 9 the tag `trec_eval-9.0.8`; both read scores in 64 bits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from judge_tui.scoring.measure import Measure
from judge_tui.scoring.names import (
    GROUPS,
    TREC_NAMES,
    TrecName,
    measures_of_trec,
    parse_measure,
    parse_measures,
    read_trec_name,
)
from judge_tui.scoring.scores import RunScores, Scores
from judge_tui.visible import visible_line

Version: TypeAlias = Literal[9, 10]

_JUDGED = parse_measure("Judged")
_ANY_RELEVANT = parse_measure("NumRel")


@dataclass(frozen=True, slots=True)
class TrecLine:
    """One line of trec_eval's output. `name` stands in front; `measure` is what is printed, None
    for the tag of the run (`runid`). `trec` is its measure in trec_eval, None for ours."""

    name: str
    measure: Measure | None
    trec: TrecName | None = None

    @property
    def of_trec(self) -> str:
        """trec_eval's name of the measure."""
        return "" if self.trec is None else self.trec.name


@dataclass(frozen=True, slots=True)
class TrecPlan:
    """The lines in the order in which trec_eval prints them."""

    lines: tuple[TrecLine, ...]
    version: Version

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What runs must be scored by to print the lines, each once."""
        beside = {"num_rel": _ANY_RELEVANT, "rbp_resid": _JUDGED}
        every = [one for line in self.lines for one in (line.measure, beside.get(line.of_trec))]
        return tuple(dict.fromkeys(one for one in every if one is not None))


def trec_plan(
    names: Iterable[str | Measure] = (),
    *,
    rel: int = 1,
    max_rel: int | None = None,
    version: Version = 10,
) -> TrecPlan:
    """Plan the lines for these names; those of `official` where there are none.

    `names`: as in `trec_eval -m`, or as `parse_measures` takes them. As in trec_eval, the order is
    its own, whatever the order of the names; cutoffs ascend; and of several lists of parameters for
    one measure (`P.5` and `P.10`) the first holds. Measures that trec_eval does not have come last,
    under their full name here. `rel` is its -l, which nDCG and rbp do not heed, and `max_rel` that
    of `parse_measures`, whose errors this raises too.
    """
    defaults = {"rel": str(rel), **({"rounding": "nearest"} if version == 10 else {})}
    asked: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    others: list[Measure] = []
    for name in list(names) or ["official"]:
        text = name.strip() if isinstance(name, str) else ""
        found = read_trec_name(text)
        if text in GROUPS:
            for trec in GROUPS[text]:
                if trec.since <= version:
                    asked[trec.name].append(("", ""))
        elif found is not None:
            asked[found[0].name].append(found[1:])
        else:
            for measure in parse_measures(name, rel=rel, max_rel=max_rel):
                trec_name = _trec_name(measure, defaults)
                if trec_name is None:
                    others.append(measure)
                else:
                    asked[trec_name[0]].append((trec_name[1], "_"))
    lines = [
        line
        for trec in TREC_NAMES.values()
        if trec.name in asked
        for line in _lines(trec, _choose_parameters(trec, asked[trec.name]), defaults)
    ]
    lines += [TrecLine(str(other), other) for other in dict.fromkeys(others)]
    return TrecPlan(tuple(lines), version)


def _choose_parameters(trec: TrecName, mentions: Sequence[tuple[str, str]]) -> str:
    """Choose the list of parameters that holds among those that a measure was asked for with, and
    the sign before each: `P.5,10`, `P_5`, or none; empty where it is the usual one and does not
    show in the name."""
    dotted = next((parameters for parameters, sign in mentions if sign == "."), "")
    parts = [parameters for parameters, sign in mentions if sign != "." and parameters]
    if not trec.several:
        return dotted or next(iter(parts), "")
    usual = trec.usual if any(not parameters for parameters, _ in mentions) else ""
    return ",".join(filter(None, (dotted or usual, *parts)))


def _lines(trec: TrecName, parameters: str, defaults: dict[str, str]) -> list[TrecLine]:
    measures = measures_of_trec(trec, parameters, defaults)
    if trec.several:
        by_place = sorted({_place(trec, one): one for one in measures}.items())
        return [TrecLine(f"{trec.name}_{_shown(at)}", one, trec) for at, one in by_place]
    name = f"{trec.name}_{parameters}" if parameters else trec.name
    return [TrecLine(name, next(iter(measures), None), trec)]


def _trec_name(measure: Measure, defaults: dict[str, str]) -> tuple[str, str] | None:
    """Return the name and the list by which trec_eval means the same measure; None where it has
    none."""
    for trec in TREC_NAMES.values():
        if trec.measure != measure.definition.name:
            continue
        if trec.lists == "cutoff" and measure.cutoff is None:
            continue
        parameters = str(_place(trec, measure)) if trec.several else ""
        if measures_of_trec(trec, parameters, defaults) == [measure]:
            return trec.name, parameters
    return None


def _place(trec: TrecName, measure: Measure) -> float:
    """Return what tells a measure of a set from the others: its cutoff, or what stands there
    instead."""
    return measure.depth if trec.lists == "cutoff" else measure.number(trec.lists)


def _shown(place: float) -> str:
    return str(place) if isinstance(place, int) else f"{place:3.2f}"


def trec_lines(scores: Scores, plan: TrecPlan, *, per_query: bool = False) -> str:
    """Return what trec_eval prints for each run in turn, as several calls of it would.

    `scores` must hold `plan.measures`; `per_query` is its -q. To the byte, but for: control
    characters in names, which are made visible; interpolated precision of a list that -J leaves
    empty, 0.0000 here and NaN there; what is made of given gains that are less than 1 apart
    (`ndcg.1=.5`), which it does not sort; and of 10.0, `rbp` on grades above 1, which reads what
    nobody set, and `rbp_resid.p=` under -c of a topic without results. Where a run lacks a topic,
    10.0 without -c stops; here it goes on as 9 does.
    """
    return "".join(
        f"{line}\n" for run in scores.runs for line in _run(run, scores, plan, per_query=per_query)
    )


def _run(run: RunScores, scores: Scores, plan: TrecPlan, *, per_query: bool) -> Iterator[str]:
    missing = set(run.missing_run)
    columns = [_column(run, scores, line) for line in plan.lines]
    for place, query_id in enumerate(run.query_ids if per_query else ()):
        if query_id in missing and plan.version == 9:
            continue
        for line, column in zip(plan.lines, columns, strict=True):
            if line.measure is not None and (line.trec is None or line.trec.single):
                yield _row(line.name, query_id, _number(line.measure, column[place]))
    for line, column in zip(plan.lines, columns, strict=True):
        if line.measure is None:
            yield _row(line.name, "all", visible_line(run.tag))
            continue
        if line.of_trec == "num_rel" and scores.rules.complete:
            # Under -c, trec_eval adds up every grade above 0 whatever -l says (m_num_rel.c).
            column = run.values[str(_ANY_RELEVANT)]  # noqa: PLW2901 - of this line
        value = line.measure.definition.average(column)
        yield _row(line.name, "all", _number(line.measure, value))


def _column(run: RunScores, scores: Scores, line: TrecLine) -> Sequence[float]:
    """Return the value of each query; that of trec_eval where it has another one than the
    measure."""
    if line.measure is None:
        return ()
    values = run.values[str(line.measure)]
    if line.of_trec in ("unj", "rbp_resid") and scores.rules.judged_only:
        return [0.0] * len(values)
    if line.of_trec == "rbp_resid":
        judged = run.values[str(_JUDGED)]
        return [0.0 if share == 1 else value for share, value in zip(judged, values, strict=True)]
    return values


def _number(measure: Measure, value: float) -> str:
    return f"{value:.0f}" if measure.definition.whole else f"{value:6.4f}"


def _row(name: str, query_id: str, value: str) -> str:
    return f"{name:<22}\t{visible_line(query_id)}\t{value}"
