"""What the numbers on screen rest on, in a line."""

from __future__ import annotations

from textual.content import Content

from judge_tui.tui.screens.results.findings import Findings
from judge_tui.tui.shown import foreign

__all__ = ["resting_content"]


def resting_content(findings: Findings) -> Content:
    """The policy, how many queries and pairs have a grade and how many have not, and whether models
    are among those who judged."""
    basis, now = findings.basis, findings.now
    if basis is None or now is None:
        return Content("")
    queries = int((now.standing.known.sum(axis=1) > 0).sum())
    parts = [
        f"{queries:,} {'query' if queries == 1 else 'queries'}",
        f"{basis.pairs:,} {'grade' if basis.pairs == 1 else 'grades'}",
        f"{basis.unresolved:,} unresolved",
        f"{basis.unjudged:,} unjudged",
    ]
    said = [
        *(["models only"] if findings.models else []),
        *(["with models"] if basis.asked.include_models and not findings.models else []),
        *(["undisputed alone"] if basis.asked.unresolved == "lead" else []),
    ]
    who = f" ({', '.join(said)})" if said else ""
    return Content.assemble(foreign(basis.asked.policy, "bold"), f"{who}  ", "  ".join(parts))
