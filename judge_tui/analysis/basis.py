"""What is asked of a campaign's results, and what the answers rest on: whose grades, and how much
of each run is kept."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judge_tui.counts import counted
from judge_tui.errors import UsageError
from judge_tui.scoring import Measure, Rules
from judge_tui.scoring.filled import StandIn, why_unfilled

_USUAL = Rules()


@dataclass(frozen=True, slots=True)
class KeptRun:
    """How much of a run the campaign has: the top `depth` of each list of the file `source`, of
    which the `longest` has so many results.

    `cut`: there may have been more for some judged query.
    """

    tag: str
    source: str
    depth: int
    longest: int
    cut: bool = False

    def may_go_on(self, results: int) -> bool:
        """Whether a list of which so many results are here may have had more."""
        return results >= self.depth < self.longest

    @property
    def beyond(self) -> str:
        """How a measure or a top k that looks further than is kept is worded: deeper than …"""
        return f"deeper than the {counted(self.depth, 'result')} a query kept of run {self.tag!r}"


class KeptRuns(tuple[KeptRun, ...]):
    """The runs that a question is about, each with how much of it is kept."""

    __slots__ = ()

    @property
    def cut(self) -> Mapping[str, int]:
        """Tag -> how many results a query are kept of a run that may have had more."""
        return {run.tag: run.depth for run in self if run.cut}

    def too_deep(
        self, measure: Measure, rules: Rules = _USUAL, *, whole_lists: bool = False
    ) -> KeptRun | None:
        """Return the first run of which the measure would need more than is kept.

        Lists condensed to judged documents, and `whole_lists` (bounds grade every unjudged result),
        need all of a list whatever the cutoff, unless the rules cut it. Whether the order of
        results is decided by what is kept depends on what each query demands
        (`QrelsAndRuns.refuse_too_deep`).
        """
        if not measure.definition.looks_at_results or measure.definition.of_order:
            return None
        whole_lists |= _condenses(measure, rules)
        depth = sys.maxsize if whole_lists else measure.depth
        depth = depth if rules.depth is None else min(depth, rules.depth)
        deep = (run for run in self if run.cut and depth + rules.ignore_self > run.depth)
        return next(deep, None)

    def cannot_tell(self, measure: Measure) -> str:
        """Say why what is kept cannot answer a measure, which looks too deep; "" where it can."""
        run = self.too_deep(measure)
        return "" if run is None else run.beyond

    def answerable(
        self, measures: Sequence[Measure], rules: Rules = _USUAL, *, whole_lists: bool = False
    ) -> tuple[tuple[Measure, ...], dict[str, str]]:
        """Return the measures that what is kept can answer, and name -> why not, of the others.
        Raises `UsageError` where it can answer none."""
        deep = {one: self.too_deep(one, rules, whole_lists=whole_lists) for one in measures}
        if all(deep.values()):
            self.refuse_too_deep(measures, rules, whole_lists=whole_lists)
        left_out = {measure.name: run.beyond for measure, run in deep.items() if run is not None}
        return tuple(measure for measure in measures if deep[measure] is None), left_out

    def refuse_too_deep(
        self, measures: Iterable[Measure], rules: Rules = _USUAL, *, whole_lists: bool = False
    ) -> None:
        """Raise `UsageError` for the first measure that looks deeper than the campaign keeps a
        run."""
        for measure in measures:
            run = self.too_deep(measure, rules, whole_lists=whole_lists)
            if run is not None:
                why = ""
                if whole_lists:
                    why = " with --bounds"
                elif rules.judged_only and _condenses(measure, rules):
                    why = " with --judged-only"
                raise UsageError(
                    f"{measure}{why} looks {run.beyond}",
                    "load it again with a greater --depth, or score its file"
                    f" {run.source} with exported qrels",
                )


def _condenses(measure: Measure, rules: Rules) -> bool:
    """Tell whether unjudged documents are taken out of the lists."""
    return measure.judged_only or (rules.judged_only and measure.definition.condenses)


@dataclass(frozen=True, slots=True)
class Question:
    """Which runs are looked at, by what, and by whose grades.

    `tags`: the runs, none for all. `measures`: their names, none for the usual ones. `baseline`:
    the run that the others are compared with, None for the first. `k`: how far from the top a
    result is seen. `policy` and `include_models` say how judgments become grades, as for exported
    qrels; None: as the campaign's setting has it. `unjudged`: what an ungraded result counts as
    (`scoring.filled`). `with_model`: the judge of kind model that makes means more exact, "" for
    none; raises `UsageError` for one where measures are filled.
    """

    tags: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    baseline: str | None = None
    k: int = 10
    policy: str = "majority"
    include_models: bool | None = None
    unjudged: StandIn = "zero"
    with_model: str = ""

    def __post_init__(self) -> None:
        if self.with_model and self.unjudged != "zero":
            raise UsageError(
                "a model that makes means more exact is held against what people judged, not"
                " against what is filled in",
                "give --with-model or --unjudged",
            )


@dataclass(frozen=True, slots=True)
class GradesUsed:
    """How the grades of a campaign came about.

    By the `policy`, `pairs` of the pool have a final grade, `unresolved` ones were judged and are
    not decided, and `unjudged` ones were graded by nobody who counts: by `judge:NAME`, not by that
    judge. `models`: grades of models count; `models_alone` of the final grades rest on no others;
    of those that people alone come to, models changed `models_changed` and left
    `models_unresolved` unresolved.
    """

    policy: str
    pairs: int
    unresolved: int
    unjudged: int
    models: bool = False
    models_alone: int = 0
    models_changed: int = 0
    models_unresolved: int = 0

    @property
    def only_models(self) -> bool:
        """Whether all final grades are those of models alone."""
        return 0 < self.models_alone == self.pairs

    @property
    def left_out(self) -> str:
        """How many pairs of the pool have no final grade, in words."""
        judge = self.policy.partition(":")[2]
        whose = f" by {judge}" if judge else ""
        return f"{self.unresolved:,} unresolved, {self.unjudged:,} not judged{whose}"

    def to_dict(self, campaign: str) -> dict[str, Any]:
        """Return it as the settings of a JSON document have it: for results, and for scores and
        comparisons of a campaign."""
        return {
            "campaign": {
                "name": campaign,
                "policy": self.policy,
                "include_models": self.models,
                "models_alone": self.models_alone,
                "left_out": {"unresolved": self.unresolved, "not_judged": self.unjudged},
            },
            "pairs": self.pairs,
        }


@dataclass(frozen=True, slots=True)
class Basis:
    """What the numbers rest on.

    `measures`: what the runs are scored by, and `shares`: the Judged@k that stand beside them.
    `left_out`: measure -> why what is kept of the runs cannot answer it. `baseline`: tag of a run.
    `scale`: the campaign's grades, ascending. `kept_runs`: cut is a run that had more for a judged
    query. `warnings`: what a reader must know (`analysis.warnings`).
    """

    question: Question
    campaign: str
    seed: int
    measures: tuple[Measure, ...]
    shares: tuple[Measure, ...]
    baseline: str
    scale: tuple[int, ...]
    grades: GradesUsed
    kept_runs: KeptRuns = field(default_factory=KeptRuns)
    left_out: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def about(self) -> str:
        """Where the grades came from, in a line for readers."""
        its = self.grades
        models = ", those of models among them" if its.models else ""
        whose = " (models only)" if its.only_models else models
        return (
            f"grades of the campaign by policy {its.policy}{whose}: {counted(its.pairs, 'pair')}; "
            f"left out of the pool: {its.left_out}"
        )

    def refuse_deep_top(self, tag: str | None = None) -> None:
        """Raise `UsageError` where the top k is deeper than what is kept of the run, or of any."""
        for run in self.kept_runs:
            if run.cut and self.question.k > run.depth and tag in (None, run.tag):
                raise UsageError(
                    f"the top {self.question.k} is {run.beyond}",
                    f"look at the top {run.depth} with -k {run.depth}, or load it again with a"
                    " greater --depth",
                )

    def cannot_tell(self, measure: Measure) -> str:
        """Say why grades and what is kept of the runs do not tell a measure; "" where they do."""
        if measure.definition.of_order:
            return "it is about the order of results, of which grades say nothing"
        why = why_unfilled(measure) if self.filled else ""
        return why or self.kept_runs.cannot_tell(measure)

    @property
    def filled(self) -> str:
        """What stands for grades that are missing: `expected`, or the name of a model; "" for
        nothing."""
        return "" if self.question.unjudged == "zero" else self.question.unjudged

    def to_dict(self) -> dict[str, Any]:
        """Return it as the settings of a JSON document have it; no path of the machine."""
        return {
            **self.grades.to_dict(self.campaign),
            "grades": list(self.scale),
            "baseline": self.baseline,
            "k": self.question.k,
            "seed": self.seed,
            **({"unjudged": self.question.unjudged} if self.filled else {}),
            **({"with_model": its} if (its := self.question.with_model) else {}),
        }
