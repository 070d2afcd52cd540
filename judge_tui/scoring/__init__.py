"""qrels x runs -> per-query values, by trec_eval's rules. Pure: arrays and dataclasses alone."""

from __future__ import annotations

from judge_tui.scoring.judged_lists import NOTHING, UNJUDGED, JudgedLists, JudgedQueries
from judge_tui.scoring.measure import Definition, Measure, Parameter, mean
from judge_tui.scoring.measures import DEFAULT_MEASURES, MEASURES
from judge_tui.scoring.names import (
    MeasureLike,
    by_grades,
    judged_among,
    judged_beside,
    parse_measure,
    parse_measures,
)
from judge_tui.scoring.scores import NO_COMPOSITE, Rules, RunScores, Scores

__all__ = [
    "DEFAULT_MEASURES",
    "MEASURES",
    "NOTHING",
    "NO_COMPOSITE",
    "UNJUDGED",
    "Definition",
    "JudgedLists",
    "JudgedQueries",
    "Measure",
    "MeasureLike",
    "Parameter",
    "Rules",
    "RunScores",
    "Scores",
    "by_grades",
    "judged_among",
    "judged_beside",
    "mean",
    "parse_measure",
    "parse_measures",
]
