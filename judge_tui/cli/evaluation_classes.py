"""What `evaluate` measures each class of queries by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge_tui.analysis.evaluation import BANDED
from judge_tui.class_measures import CLASS, ClassMeasures, measures_of_queries, standard_measures
from judge_tui.scoring import (
    Measure,
    Scores,
    Slices,
    judged_among,
    judged_beside,
    parse_measures,
    slice_scores,
)
from judge_tui.scoring.class_terms import refuse_for_class, terms_of
from judge_tui.scoring.demands import undemanding

if TYPE_CHECKING:
    from judge_tui.analysis.class_means import ClassPart
    from judge_tui.analysis.demands import Demanded
    from judge_tui.expectations import Expectations
    from judge_tui.scoring.demands import Met
    from judge_tui.significance import Comparisons, Settings

__all__ = ["ClassPlan", "class_plan"]


@dataclass(frozen=True, slots=True)
class ClassPlan:
    """`own`: class -> what it is measured by on terms of its own. The others are by `usual`, and
    compared by `compared`. With `own_terms` nothing is said over all queries; `banded`: whether
    RR@10 stands beside the `usual` measures. `beside`: the Judged@k that tables have in
    addition, where `usual` has been asked for and holds none."""

    right: Expectations
    usual: tuple[Measure, ...]
    compared: tuple[Measure, ...]
    own: ClassMeasures
    own_terms: bool
    banded: bool
    beside: tuple[Measure, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Which queries no class counts, each class in a line."""
        return undemanding(self.right.demands, self.right.qrels)

    @property
    def class_of(self) -> Mapping[str, str]:
        """query_id -> its class, of all queries."""
        return {query.query_id: query.query_class for query in self.right.queries}

    @property
    def apart(self) -> Mapping[str, str]:
        """The same of the queries that are compared class by class."""
        demanding = self.right.demands.query_ids
        return {q: name for q, name in self.class_of.items() if self.own_terms or q in demanding}

    @property
    def scored(self) -> tuple[str, ...]:
        """The classes of which right answers are known, in the order of the queries."""
        its = (q.query_class for q in self.right.queries if q.query_id in self.right.qrels)
        return tuple(dict.fromkeys(its))

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Everything that anything is measured by."""
        own = (measure for its in self.own.values() for measure in its)
        return parse_measures([*self.usual, *own, *self.beside])

    @property
    def compared_by(self) -> tuple[Measure, ...]:
        """Everything that anything is compared by."""
        return parse_measures(
            [*self.compared, *(m for its in self._own_of().values() for m in its)]
        )

    def seen(self, scores: Scores) -> tuple[Scores, Slices]:
        """The scores by what is shown, and all of them by class."""
        usual = scores.only(self.usual)
        slices = slice_scores(usual, CLASS, self.class_of, self.own)
        if not self.own_terms:
            return usual, slices
        return usual.only(slices.measures).cut_into(slices), slices

    def parts(self, slices: Slices) -> tuple[ClassPart, ...]:
        """The classes one by one, where that says more than all of them together."""
        from judge_tui.analysis.class_means import class_parts

        subset_of = self.right.demands.subset_of
        return class_parts(slices, subset_of) if self.own_terms or subset_of else ()

    def compare(
        self, scores: Scores, met: Mapping[str, Met], settings: Settings
    ) -> tuple[Demanded | None, Comparisons | None]:
        """The systems beside the baseline, everything corrected as one family."""
        from judge_tui.analysis.demands import demanded
        from judge_tui.analysis.one_family import compared_as_one

        demands = self.right.demands
        others = [tag for tag in scores if tag != settings.baseline]
        pairs = [(settings.baseline or "", tag) for tag in others]
        found = demanded(demands, met, pairs, settings) if demands else None
        measured = others and self.right.qrels and (self.compared or self.own_terms)
        comparisons, found = compared_as_one(
            scores if measured else None,
            self.compared,
            found,
            settings,
            slices=self.class_of if self.own_terms else None,
            measures_of=self._own_of(),
        )
        return found, comparisons

    def _own_of(self) -> dict[str, tuple[Measure, ...]]:
        return {
            name: tuple(measure for measure in its if measure.definition.quality)
            for name, its in self.own.items()
        }


def class_plan(
    right: Expectations, measures: Sequence[Measure], compared: Sequence[Measure], *, named: bool
) -> ClassPlan:
    """`measures` and `compared`: by what queries are scored and compared whose class has no terms
    of its own. With `named` they were asked for, and standard classes keep them as well. Raises
    `UsageError` for measures that say nothing of a class."""
    scored = [query for query in right.queries if query.query_id in right.qrels]
    of_query = {query.query_id: query.query_class for query in scored}
    names = dict.fromkeys(of_query.values())
    own = measures_of_queries(scored, of_query, parse_measures)
    for name, its in own.items():
        refuse_for_class(name, its)
    if named:
        for name in names:
            if name not in own:
                refuse_for_class(name, measures)
    else:
        own = standard_measures(names, parse_measures, right.demands) | own
    banded = not any(_without_ranks(name) for name in names)
    # Answers do not say what is judged.
    told = right.truths is not None or judged_among(measures)
    shares = () if told else judged_beside(compared)
    usual = parse_measures([*measures, *([BANDED] if banded else []), *(() if named else shares)])
    return ClassPlan(
        right,
        usual,
        tuple(compared),
        own,
        bool(own) or not right.qrels,
        banded,
        shares if named else (),
    )


def _without_ranks(name: str) -> bool:
    terms = terms_of(name)
    return terms is not None and bool(terms.only)
