"""How much of its runs a campaign keeps, and which measures look no deeper."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from judge_tui.errors import UsageError
from judge_tui.scoring import Measure, Rules

__all__ = ["KeptRun", "KeptRuns"]

_USUAL = Rules()


@dataclass(frozen=True, slots=True)
class KeptRun:
    """How much of a run the campaign has: the top `depth` of each list of the file `source`.

    `cut`: some judged query has as many results as are kept, so that there may have been more. A
    query with fewer is complete: the run had no more.
    """

    tag: str
    source: str
    depth: int
    cut: bool


class KeptRuns(tuple[KeptRun, ...]):
    """Those that somebody asks about."""

    __slots__ = ()

    @property
    def cut(self) -> Mapping[str, int]:
        """Tag -> how many results a query are kept of a run that may have had more."""
        return {run.tag: run.depth for run in self if run.cut}

    def too_deep(
        self, measure: Measure, rules: Rules = _USUAL, *, whole_lists: bool = False
    ) -> KeptRun | None:
        """The first run of which the measure would need more than is kept.

        Lists condensed to judged documents, and `whole_lists` (bounds grade every unjudged result),
        need all of a list whatever the cutoff, unless the rules cut it. Whether the order of
        results is decided by what is kept depends on what each query demands
        (`JudgedRuns.refuse_too_deep`).
        """
        if not measure.definition.looks_at_results or measure.definition.of_order:
            return None
        whole_lists |= _condensed(measure, rules)
        depth = sys.maxsize if whole_lists else measure.depth
        depth = depth if rules.depth is None else min(depth, rules.depth)
        deep = (run for run in self if run.cut and depth + rules.ignore_self > run.depth)
        return next(deep, None)

    def cannot_tell(
        self, measure: Measure, rules: Rules = _USUAL, *, whole_lists: bool = False
    ) -> str:
        """Why what is kept cannot answer a measure; "" where it can."""
        run = self.too_deep(measure, rules, whole_lists=whole_lists)
        if run is None:
            return ""
        return f"deeper than the {run.depth} results a query kept of run {run.tag!r}"

    def answerable(
        self,
        measures: Sequence[Measure],
        rules: Rules = _USUAL,
        *,
        whole_lists: bool = False,
        can_cut: bool = True,
    ) -> tuple[tuple[Measure, ...], dict[str, str]]:
        """Those of the measures that what is kept can answer; of the others, by name, why not.

        Raises `UsageError` where it can answer none; `can_cut`: see `refuse_too_deep`.
        """
        told = {one: self.cannot_tell(one, rules, whole_lists=whole_lists) for one in measures}
        if all(told.values()):
            self.refuse_too_deep(measures, rules, whole_lists=whole_lists, can_cut=can_cut)
        left_out = {measure.name: why for measure, why in told.items() if why}
        return tuple(measure for measure in measures if not told[measure]), left_out

    def refuse_too_deep(
        self,
        measures: Iterable[Measure],
        rules: Rules = _USUAL,
        *,
        whole_lists: bool = False,
        can_cut: bool = True,
    ) -> None:
        """Raise `UsageError` for the first measure that looks deeper than the campaign keeps a run.
        `can_cut`: whether who asks can look at the first results alone."""
        for measure in measures:
            run = self.too_deep(measure, rules, whole_lists=whole_lists)
            if run is not None:
                why = ""
                if whole_lists:
                    why = " with --bounds"
                elif rules.judged_only and _condensed(measure, rules):
                    why = " with --judged-only"
                first = run.depth - rules.ignore_self
                mends = [
                    f"score its file {run.source} with exported qrels",
                    "load it again with a greater --depth",
                    *([f"look at the first -M {first} alone"] if can_cut else []),
                ]
                raise UsageError(
                    f"{measure}{why} looks deeper than the {run.depth} results a query that the"
                    f" campaign keeps of run {run.tag!r}",
                    f"{', '.join(mends[:-1])}, or {mends[-1]}",
                )


def _condensed(measure: Measure, rules: Rules) -> bool:
    """Whether unjudged documents are taken out of the lists."""
    return measure.judged_only or (rules.judged_only and measure.definition.condenses)
