"""What the numbers on screen rest on: the end of the line below them, and the text behind `W`."""

from __future__ import annotations

from textual.content import Content

from judge_tui.analysis.basis import Basis
from judge_tui.campaign.overview.findings import Findings
from judge_tui.counts import counted
from judge_tui.model import Document
from judge_tui.report.layout import Report
from judge_tui.tui.text import foreign


def basis_parts(findings: Findings) -> list[Content | str]:
    """Whose grades count, what stands for those that are missing, and how many there are; "" for
    what there is not."""
    its = findings.basis.grades
    queries = int(findings.judged.graded_queries.sum())
    models = "with models" if its.models else "without models"
    return [
        foreign(its.policy, "bold"),
        "models only" if its.only_models else models,
        _by_model(findings.basis),
        f"{counted(queries, 'query', 'queries')}, {counted(its.pairs, 'grade')}",
        f"{its.unresolved:,} unresolved" if its.unresolved else "",
        f"{its.unjudged:,} not judged" if its.unjudged else "",
    ]


def basis_text(report: Report, basis: Basis) -> Document:
    """The warnings of a view, where its grades came from, and why numbers are not there."""
    reasons = [
        f"{table.columns[0].title}: {row[0]}"
        for table in report.tables
        if table.about == "reasons"
        for row in table.rows
    ]
    lines = [
        *report.warnings,
        basis.about,
        *reasons,
        f"the top is the first {basis.question.k:,} results; drawn from the seed {basis.seed}",
    ]
    return Document("", text="\n\n".join(map(str, lines)), kind="text")


def _by_model(basis: Basis) -> Content | str:
    """What fills measures, or makes means more exact."""
    if model := basis.question.with_model:
        return foreign(f"more exact by {model}", "bold $text-accent")
    if not basis.filled:
        return ""
    by = "filled" if basis.filled == "expected" else f"filled by {basis.filled}"
    return foreign(by, "bold $text-warning")
