"""What is told of an evaluation, in whichever form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from judge_tui.analysis.evaluation import HISTOGRAM, Evaluation
from judge_tui.report.collected import collected_report
from judge_tui.report.page.sections.phrases import counted, is_or_are
from judge_tui.scoring import Measure, parse_measure
from judge_tui.significance import Comparison, Comparisons
from judge_tui.significance.cautions import FEW_QUERIES

if TYPE_CHECKING:
    from judge_tui.collect import Collected

__all__ = ["AUDIT_FILE", "BANDED", "RESULTS_FILE", "Evaluated", "Required"]

RESULTS_FILE, AUDIT_FILE = "results.json", "audit.md"

BANDED = parse_measure(f"RR@{HISTOGRAM}")
"""The measure whose mean is put into words."""


class Required(NamedTuple):
    """A gate, and one sentence for each system that does not pass it."""

    gate: str
    unmet: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """`collected`: what was asked and answered, one a system, as in `evaluation`; `kinds`: system
    -> kind. `comparisons`: by some of the measures, the first of which goes before the others; None
    where there is one system. `depth`: results asked for of each query. `by` says what is
    right, `answers` or `qrels`; `files`: the names of the files that were read, by what they are;
    `credit` as in `score_by_answers`, None with qrels. `notes`: what else a reader must know.

    Nothing in it tells how long anything took: the same answers give the same bytes.
    """

    evaluation: Evaluation
    collected: tuple[Collected, ...]
    kinds: Mapping[str, str]
    comparisons: Comparisons | None
    required: tuple[Required, ...]
    depth: int
    by: str
    files: Mapping[str, str]
    credit: str | None
    notes: tuple[str, ...] = ()

    @property
    def first(self) -> Measure:
        """The measure that goes before the others: the first one of which more is better."""
        measures = self.evaluation.scores.measures
        return next((one for one in measures if one.definition.quality), measures[0])

    @property
    def about_credit(self) -> str:
        """How right answers are credited; empty with qrels."""
        if self.credit is None:
            return ""
        if self.credit == "once":
            return "nDCG, AP and RR credit each right answer once, at its first hit"
        return "every result that matches a right answer is credited: nDCG and AP may exceed 1"

    def band(self, tag: str) -> str:
        """Of a system, in words."""
        return self.evaluation.bands.word(self.evaluation.scores[tag].mean(BANDED))

    def compared(self, measure: Measure) -> list[Comparison]:
        """The systems beside the baseline by one measure."""
        return [one for one in self.comparisons or () if one.measure == measure.name]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why to be careful, each in a line."""
        return tuple(self._warnings())

    def _warnings(self) -> Iterator[str]:
        queries = len(self.evaluation.queries)
        if queries < FEW_QUERIES:
            yield (
                f"{counted(queries, 'query', 'queries')} {is_or_are(queries)} fewer than"
                f" {FEW_QUERIES}: any of these numbers may be chance"
            )
        yield from collected_report(self.collected).notes
        yield from self.evaluation.scores.remarks
        deeper = [
            f"{measure.name}"
            for measure in self.evaluation.scores.measures
            if measure.cutoff is not None and measure.cutoff > self.depth
        ]
        if deeper:
            yield (
                f"{', '.join(deeper)} would look deeper than the {self.depth:,} results asked for"
                " (--depth)"
            )
        if self.comparisons is not None:
            # What it says of queries that are few or without results is said above.
            yield from (
                f"{one.tag!r} by {one.measure}: the {self.comparisons.settings.tests[0]} test and"
                " the mean difference do not point the same way: no difference is shown"
                for one in self.comparisons
                if one.contradicted(self.comparisons.settings)
            )
