"""What is told of an evaluation, in whichever form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from judge_tui.analysis.class_means import ClassPart
from judge_tui.analysis.demands import Demanded
from judge_tui.analysis.evaluation import BANDED, TOP, EvaluatedQuery, Evaluation, worst
from judge_tui.analysis.warnings import FEW_QUERIES
from judge_tui.nothing_right import nothing_right
from judge_tui.report.collected import collected_report
from judge_tui.report.credit import about_credit
from judge_tui.report.evaluation.ungraded import ungraded
from judge_tui.report.page.sections.phrases import counted, is_or_are, listed
from judge_tui.scoring import Measure, Required, shown_slice
from judge_tui.scoring.class_terms import taken_together, why_refused
from judge_tui.significance import Comparison, Comparisons

if TYPE_CHECKING:
    from judge_tui.analysis.closer_look import CloserLook
    from judge_tui.collect import Collected
    from judge_tui.scoring.truths import Credit

__all__ = ["AUDIT_FILE", "DECISION_FILE", "RESULTS_FILE", "Evaluated"]

RESULTS_FILE, AUDIT_FILE, DECISION_FILE = "results.json", "audit.md", "decision.md"


@dataclass(frozen=True, slots=True)
class Evaluated:
    """`collected`: what was asked and answered, one a system, as in `evaluation`; `kinds`: system
    -> kind. `comparisons`: by some of the measures, the first of which goes before the others; None
    where there is one system. `depth`: results asked for of each query. `by` says what is
    right, `answers` or `qrels`; `files`: the names of the files that were read, by what they are;
    `credit` as in `score_by_answers`, None with qrels. `notes`: what else a reader must know.

    `parts`: the classes one by one, none where all of them together say as much. With `own_terms`
    these are measured each on their own terms, and compared so. `beside`: the Judged@k that tables
    have beside means over all queries, where none is among the measures. `banded`: whether a
    rank says something of all queries. `demanded`: how demands are met;
    `subset_of`: query_id -> its subset, where one is named; `undemanding`: as the function of this
    name has it; `closer`: None where nobody looked.

    Nothing in it tells how long anything took: the same replies give the same bytes.
    """

    evaluation: Evaluation
    collected: tuple[Collected, ...]
    kinds: Mapping[str, str]
    comparisons: Comparisons | None
    required: tuple[Required, ...]
    depth: int
    by: str
    files: Mapping[str, str]
    credit: Credit | None
    notes: tuple[str, ...] = ()
    parts: tuple[ClassPart, ...] = ()
    own_terms: bool = False
    beside: tuple[Measure, ...] = ()
    banded: bool = True
    demanded: Demanded | None = None
    subset_of: Mapping[str, str] = field(default_factory=dict)
    undemanding: tuple[str, ...] = ()
    closer: CloserLook | None = None

    @property
    def texts(self) -> Mapping[str, str]:
        """query_id -> what was asked."""
        return {query.query_id: query.query for query in self.evaluation.queries}

    @property
    def first(self) -> Measure:
        """The measure that goes before the others: the first one of which more is better."""
        measures = self.evaluation.scores.measures
        return next((one for one in measures if one.definition.quality), measures[0])

    @property
    def about_credit(self) -> str:
        """How answers are credited; empty with qrels."""
        return "" if self.credit is None else about_credit(self.credit)

    @property
    def over_all(self) -> tuple[Measure, ...]:
        """By what all queries together are measured; nothing where classes are unlike."""
        return () if self.unlike else self.evaluation.scores.measures

    @property
    def scored(self) -> str:
        """Over how many queries a mean over all of them is: `40 queries`, or, where nothing is
        known to be right for some, `28 of 43 queries, those of which right answers are known`."""
        count, of = len(self.evaluation.answered), len(self.evaluation.queries)
        if count == of:
            return counted(of, "query", "queries")
        which = "the one" if count == 1 else "those"
        return f"{count:,} of {of:,} queries, {which} of which right answers are known"

    @property
    def unlike(self) -> bool:
        """Whether classes on terms of their own are measured by different things."""
        names = {part.slice.name for part in self.parts}
        names |= {one.name for one in self.demanded.classes} if self.demanded else set()
        kinds: set[object] = {frozenset(part.slice.measures) for part in self.parts}
        kinds |= {one.demand for one in self.demanded.classes} if self.demanded else set()
        return self.own_terms and len(kinds) > 1 and len(names) > 1

    @property
    def family(self) -> int:
        """How many tests are corrected for together."""
        of_demands = 0 if self.demanded is None else len(self.demanded.p_values())
        return of_demands + (0 if self.comparisons is None else len(self.comparisons))

    @property
    def unranked(self) -> tuple[str, ...]:
        """The classes of which a rank says nothing, in the order of the queries."""
        names = dict.fromkeys(query.query_class for query in self.evaluation.answered)
        return tuple(name for name in names if why_refused(name, BANDED))

    @property
    def left_out(self) -> str:
        """What no rank is told of, as it stands behind a title: these classes, and the queries for
        which nothing is right; empty where there is neither."""
        left = [f"class {listed(self.unranked)}"] if self.unranked else []
        if without := self.without_right:
            left.append(without)
        return f" (without {' and '.join(left)})" if left else ""

    @property
    def without_right(self) -> str:
        """How many queries there are for which nothing is right; empty where there are none."""
        if not (nothing := len(self.evaluation.nothing_right)):
            return ""
        return f"{counted(nothing, 'query', 'queries')} for which nothing is right"

    @property
    def worst(self) -> tuple[EvaluatedQuery, ...]:
        """The worst queries, of all classes of which a rank says something."""
        return tuple(worst(self.evaluation, but=self.unranked))

    def band(self, tag: str) -> str | None:
        """Of a system, in words; None where a rank does not say something of all queries."""
        if self.own_terms or not self.banded:
            return None
        return self.evaluation.bands.word(self.evaluation.scores[tag].mean(BANDED))

    def compared(self, measure: Measure) -> list[Comparison]:
        """The systems beside the baseline by one measure."""
        return [one for one in self.comparisons or () if one.measure == measure.name]

    @property
    def rests_on_failures(self) -> str:
        """Which of the systems that are compared failed at queries, which then count as nothing
        found: a difference may show nothing else. Empty where none did."""
        if self.comparisons is None:
            return ""
        failed = [
            f"{one.name} failed at {len(one.failed):,} of"
            f" {counted(len(one.replies), 'query', 'queries')}"
            for one in self.collected
            if one.failed
        ]
        if not failed:
            return ""
        return f"{listed(failed, len(failed))}, and every difference rests on that, too"

    @property
    def ungraded(self) -> str:
        """That results without a grade may be why systems differ; empty where they are not."""
        if self.by == "answers":
            return ""
        cutoffs = [one.cutoff for one in self.beside if one.cutoff is not None]
        classes: dict[str, frozenset[str]] = {}
        for part in self.parts if self.unlike else ():
            ids = frozenset[str]().union(*(run.query_ids for run in part.slice.runs))
            classes[part.slice.shown] = ids
        return ungraded(self.evaluation, min(max(cutoffs, default=TOP), TOP), classes)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why to be careful, each in a line."""
        return tuple(self._warnings())

    def _of_classes(self) -> Iterator[tuple[str, int]]:
        """Every class that has numbers of its own, and over how many queries."""
        if self.own_terms:
            yield from ((part.slice.shown, part.queries) for part in self.parts)
        if self.demanded is not None:
            for one in self.demanded.classes:
                yield f"{shown_slice(one.name)} by {one.demand}", len(one.query_ids)

    def _warnings(self) -> Iterator[str]:
        asked = len(self.evaluation.queries)
        # How demands are met is counted class by class.
        queries = asked if self.own_terms else len(self.evaluation.answered) or asked
        few = [f"{name} ({count})" for name, count in self._of_classes() if count < FEW_QUERIES]
        if few and queries >= FEW_QUERIES:
            yield (
                f"classes of fewer than {FEW_QUERIES} queries, of which any number may be chance:"
                f" {', '.join(few)}"
            )
        if queries < FEW_QUERIES:
            which = "" if queries == asked else f" (of {asked:,}) of which right answers are known"
            yield (
                f"{counted(queries, 'query', 'queries')}{which} {is_or_are(queries)} fewer than"
                f" {FEW_QUERIES}: any of these numbers may be chance"
            )
        if not self.own_terms:
            yield from taken_together(
                (query.query_class for query in self.evaluation.answered),
                "without -m each is measured by what it asks for",
            )
        yield from nothing_right(self.evaluation.nothing_right, asked)
        yield from filter(None, [self.ungraded])
        yield from self.undemanding
        yield from () if self.demanded is None else self.demanded.nowhere
        measures = self.evaluation.scores.measures
        yield from collected_report(self.collected, measures=measures).notes
        yield from self.evaluation.scores.remarks
        deeper = [
            f"{measure.name}"
            for measure in measures
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
