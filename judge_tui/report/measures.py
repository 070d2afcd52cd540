"""The measures there are: what `judge-tui score --measures` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge_tui.report.grids import Column, Grid, Report, plain
from judge_tui.scoring import MEASURES, Definition
from judge_tui.scoring.trec_names import GROUPS, TREC_NAMES

__all__ = ["measures_report"]

_HEADER = ("measure", "also", "what it is", "parameters", "trec_eval")

_WRITTEN = (
    (", ".join(GROUPS), "groups of trec_eval's"),
    ("P_5, P.5,10", "trec_eval's cutoffs; P alone means the usual ones"),
    ("P(judged_only=True)@5", "unjudged documents are taken out of the lists first, as by -J"),
)


def measures_report() -> Report:
    """One row a measure, in the order of the registry: how it is written (`[@k]` where it may have
    a cutoff), its parameters with their usual values, its other names, trec_eval's, and one line.
    """
    found = [_entry(definition) for definition in MEASURES.values()]
    rows = [
        (
            measure["name"],
            ", ".join(measure["aliases"]),
            measure["summary"],
            ", ".join(f"{name}={value}" for name, value in measure["parameters"].items()),
            ", ".join(measure["trec_eval"]),
        )
        for measure in found
    ]
    return Report(
        document={"schema_version": 1, "measures": found},
        header=_HEADER,
        rows=rows,
        grids=[
            Grid("", [Column(name, plain, right=False) for name in _HEADER], rows),
            Grid("", [Column(name, right=False) for name in ("written", "means")], _WRITTEN),
        ],
    )


def _entry(definition: Definition) -> Mapping[str, Any]:
    return {
        "name": _written(definition),
        "parameters": {
            parameter.name: repr(parameter.default) for parameter in definition.parameters
        },
        "aliases": list(definition.aliases),
        "trec_eval": [
            f"{trec.name}_k" if trec.lists == "cutoff" else trec.name
            for trec in TREC_NAMES.values()
            if trec.measure == definition.name
        ],
        "summary": definition.summary,
    }


def _written(definition: Definition) -> str:
    if definition.at is not None:
        return f"{definition.name}@{definition.at.name}"
    cutoffs = {"required": "@k", "optional": "[@k]", "none": ""}
    return definition.name + cutoffs[definition.cutoff]
