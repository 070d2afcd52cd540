"""The measures there are: what `judge-tui score --measures` prints."""

from __future__ import annotations

from judge_tui.report.layout import Report, Table, word, words
from judge_tui.scoring import MEASURES, Definition
from judge_tui.scoring.names import GROUPS, TREC_NAMES

_WRITTEN = (
    (", ".join(GROUPS), "groups of trec_eval's"),
    ("P_5, P.5,10", "trec_eval's cutoffs; P alone means the usual ones"),
    ("P(judged_only=True)@5", "unjudged documents are taken out of the lists first, as by -J"),
)


def measures_report() -> Report:
    """One row a measure, in the order of the registry: how it is written (`[@k]` where it may have
    a cutoff), its other names, one line, its parameters with their usual values, and trec_eval's
    names."""
    columns = [
        word("measure", "measure"),
        word("aliases", "also"),
        word("summary", "what it is"),
        *words("parameters", "trec_eval"),
    ]
    return Report(
        [
            Table("", columns, [_row(one) for one in MEASURES.values()], "measures"),
            Table("", words("written", "means"), _WRITTEN),
        ]
    )


def _row(definition: Definition) -> tuple[str, ...]:
    trec_eval = (
        f"{trec.name}_k" if trec.lists == "cutoff" else trec.name
        for trec in TREC_NAMES.values()
        if trec.measure == definition.name
    )
    return (
        _written(definition),
        ", ".join(definition.aliases),
        definition.summary,
        ", ".join(f"{one.name}={one.default!r}" for one in definition.parameters),
        ", ".join(trec_eval),
    )


def _written(definition: Definition) -> str:
    if definition.at is not None:
        return f"{definition.name}@{definition.at.name}"
    cutoffs = {"required": "@k", "optional": "[@k]", "none": ""}
    return definition.name + cutoffs[definition.cutoff]
