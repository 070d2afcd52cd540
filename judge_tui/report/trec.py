"""Scores as trec_eval prints them, for scripts that read its output."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.scoring import Measure, RunScores, Scores
from judge_tui.scoring.trec import NO_RESULT, UNJUDGED, UNPOOLED, TrecLine, TrecPlan
from judge_tui.visible import visible_line

__all__ = ["trec_lines"]

_SIGNS = {UNPOOLED: "-", UNJUDGED: ".", NO_RESULT: ""}


def trec_lines(scores: Scores, plan: TrecPlan, *, per_query: bool = False) -> str:
    """What trec_eval 9.0.8 prints for each run in turn, as several calls of it would.

    `scores` must hold `plan.measures`; `per_query` is its -q. To the byte, but for: control
    characters in names, which are made visible; interpolated precision of a list that -J leaves
    empty, 0.0000 here and NaN there; and what is made of given gains that are less than 1 apart
    (`ndcg.1=.5`), which it does not sort. It compares scores in 32 bits (trec_eval 10 in 64), so
    those that only differ behind that are to be read so for the same bytes. trec_eval 10 prints
    queries without results too, for -q -c.
    """
    return "".join(
        f"{line}\n" for run in scores.runs for line in _run(run, scores, plan, per_query=per_query)
    )


def _run(run: RunScores, scores: Scores, plan: TrecPlan, *, per_query: bool) -> Iterator[str]:
    missing = set(run.missing_run)
    for place, query_id in enumerate(run.query_ids):
        if not per_query or query_id in missing:
            continue
        for line in plan.lines:
            if line.single:
                yield _row(line.name, query_id, _single(run, line, place))
    for line in plan.lines:
        if line.measure is not None:
            measure = line.summed if scores.complete and line.summed else line.measure
            yield _row(line.name, "all", _number(measure, run.mean(measure)))
        elif not line.ranks:
            yield _row(line.name, "all", visible_line(run.tag))


def _single(run: RunScores, line: TrecLine, place: int) -> str:
    if line.measure is not None:
        return _number(line.measure, run.values[str(line.measure)][place])
    grades = [run.values[str(rank)][place] for rank in line.ranks]
    return "'" + "".join(_SIGNS.get(g, f"{g:.0f}" if g <= 9 else ">") for g in grades) + "'"


def _number(measure: Measure, value: float) -> str:
    return f"{value:.0f}" if measure.definition.whole else f"{value:6.4f}"


def _row(name: str, query_id: str, value: str) -> str:
    return f"{name:<22}\t{visible_line(query_id)}\t{value}"
