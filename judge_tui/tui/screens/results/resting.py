"""What the numbers on screen rest on: in a line, and at length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from judge_tui.analysis.basis import Basis
from judge_tui.counts import counted
from judge_tui.report.basis import undefined_lines
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.screens.results.figures import queries
from judge_tui.tui.screens.results.findings import Findings
from judge_tui.tui.shown import foreign


def resting_content(findings: Findings) -> Content:
    """The policy, how many queries and pairs of the pool have a grade and how many have not, and
    whether models are among those who judged."""
    basis, now = findings.basis, findings.now
    if basis is None or now is None:
        return Content("")
    grades = basis.grades
    parts = [
        queries(int(now.judged.graded_queries.sum())),
        # Elsewhere on the screen, what is unjudged is counted in the runs' lists.
        f"pool: {counted(grades.pairs, 'grade')}, {grades.unresolved:,} unresolved,"
        f" {grades.unjudged:,} not judged",
    ]
    said = [
        *(["models only"] if grades.only_models else []),
        *(["with models"] if grades.models and not grades.only_models else []),
    ]
    who = f" ({', '.join(said)})" if said else ""
    return Content.assemble(foreign(grades.policy, "bold"), f"{who}  ", "  ".join(parts))


class RestingOverlay(Overlay[None]):
    """Where the grades came from, what was left out, and what a reader must be told."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w,q", "close", "close", id="warnings.close"),
    ]

    def __init__(self, basis: Basis) -> None:
        super().__init__()
        self._basis = basis

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="panel"):
            yield Static("What the numbers rest on", classes="heading", markup=False)
            for line in self._lines():
                yield Static(foreign(line), classes="part", markup=False)
            yield Static(f"{self.closing} closes", classes="hint", markup=False)

    def _lines(self) -> Iterator[str]:
        basis = self._basis
        yield basis.about
        yield f"the top is the first {basis.question.k:,} results"
        yield from undefined_lines(basis.left_out.items())
        yield from basis.warnings
        yield f"what is drawn is drawn from the seed {basis.seed}"
