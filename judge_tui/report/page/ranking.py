"""What every page says of its systems: which to take, what that rests on, and what could change
it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from judge_tui.analysis.leaderboard import intervals
from judge_tui.analysis.warnings import LEAST_JUDGED, first_few
from judge_tui.comparison.comparison import Comparison, Comparisons
from judge_tui.comparison.family import Verdict
from judge_tui.counts import counted
from judge_tui.percent import percent
from judge_tui.report.layout import (
    Cell,
    Column,
    Table,
    reader_table,
    short_difference,
    short_number,
    short_probability,
    span,
    text,
    toned,
)
from judge_tui.report.page.content import Block, blocks_of
from judge_tui.report.plots import Interval, Intervals
from judge_tui.report.results.by_query import query_chart, query_table
from judge_tui.report.results.leaderboard import systems_chart
from judge_tui.scoring import Measure, Scores
from judge_tui.scoring.measure import STEP

__all__ = ["Ranking", "System"]

_CHARTS = 4
_EXTREMES = 20


@dataclass(frozen=True, slots=True)
class System:
    """A system by the measure of a page: its mean over so many `queries`, the `interval` of that,
    and the `bounds` that ungraded results leave open; how much of the top is `judged`; its
    comparison with the baseline."""

    tag: str
    mean: float | None
    queries: int
    interval: tuple[float, float] | None = None
    bounds: tuple[float, float] | None = None
    judged: float | None = None
    compared: Comparison | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """The systems by one `measure`, greatest mean first; `share`: by what it is measured how much
    is judged; `comparisons`: all that were corrected together, None where nothing is compared;
    `alike`: the means are over the same queries."""

    measure: str
    baseline: str | None
    systems: Sequence[System]
    comparisons: Comparisons | None = None
    share: str = ""
    alike: bool = True

    @classmethod
    def of(
        cls,
        scores: Scores,
        measure: Measure,
        baseline: str | None,
        comparisons: Comparisons | None,
        *,
        seed: int = 0,
        bounds: Mapping[str, tuple[float, float] | None] = MappingProxyType({}),
    ) -> Ranking:
        """Rank the runs that are scored, of equal ones the earlier first; the first Judged@k
        among the measures says how much is judged."""
        name = measure.name
        share = next((one for one in scores.by_measure if one.startswith("Judged@")), "")
        within = intervals(scores.only([measure]), seed).of[name]
        beside = {one.tag: one for one in comparisons or () if one.measure == name}
        systems = [
            System(
                run.tag,
                run.mean_or_none(name),
                run.count(measure),
                within[run.tag],
                bounds.get(run.tag),
                run.mean_or_none(share) if share else None,
                beside.get(run.tag),
            )
            for run in scores.runs
        ]
        # In steps of 1e-9: what is equal to a reader is equal here.
        systems.sort(key=lambda one: (one.mean is None, -round((one.mean or 0.0) / STEP)))
        alike = len({run.query_ids for run in scores.runs if run.query_ids}) <= 1
        return cls(name, baseline, systems, comparisons, share, alike)

    @property
    def compared(self) -> list[Comparison]:
        """Those by the measure, in the order of the systems."""
        return [one.compared for one in self.systems if one.compared is not None]

    @property
    def best(self) -> Comparison:
        """That of the best system beside the baseline, first of those that are shown to be
        better."""
        better = [one for one in self.compared if one.verdict is Verdict.BETTER]
        return max(better or self.compared, key=lambda one: one.delta)

    def answer(self) -> tuple[str, str]:
        """Which system to take, and what shows it: two sentences."""
        if not self.compared:
            return self._alone()
        best = self.best
        if best.verdict is Verdict.BETTER:
            return f"Take {best.tag}: it is better than {best.baseline}, {_apart(best)}.", (
                self._others(best) or _difference(best)
            )
        if all(one.verdict is Verdict.TOO_FEW for one in self.compared):
            few = counted(best.queries, "query", "queries")
            first = f"No decision: {few} in common are too few to tell the systems apart."
        else:
            first = f"Keep {best.baseline}: no other system is shown to be better."
        verdict = "it is worse" if best.verdict is Verdict.WORSE else best.verdict
        return first, f"{best.tag} comes closest, {_apart(best)}: {verdict}."

    def sure(self) -> Iterator[str]:
        """What speaks for the answer."""
        if self.compared and self.comparisons is not None:
            yield _difference(self.best)
            used, family = self.comparisons.settings, self.comparisons.family
            corrected = f", corrected for {family:,} comparisons ({used.correction})"
            if used.correction == "none" or family < 2:
                corrected = ""
            yield (
                f"A system is called better or worse where p is below {used.alpha:g} by the"
                f" {used.verdict_by} test, paired by query{corrected}."
            )
        shares = [one.judged for one in self.systems if one.judged is not None]
        if shares and min(shares) >= LEAST_JUDGED:
            ends = dict.fromkeys(percent(end) for end in (min(shares), max(shares)))
            depth = self.share.partition("@")[2]
            yield f"Of each system's first {depth} results, {' to '.join(ends)} are judged."

    def doubts(self) -> Iterator[str]:
        """What speaks against it, besides the warnings."""
        if not self.alike:
            named = [f"{one.tag} {one.queries:,}" for one in self.systems]
            yield (
                f"The means are over unequal queries ({first_few(named)}); differences are over the"
                " queries that both systems answer."
            )
        decided = [one for one in self.compared if one.verdict in (Verdict.BETTER, Verdict.WORSE)]
        holding = [one.tag for one in decided if one.ci95 and one.ci95[0] <= 0 <= one.ci95[1]]
        if holding:
            yield (
                f"{first_few(holding)}: the {decided[0].verdict_by} test gives a verdict, though"
                " the interval of the mean difference holds 0."
            )
        better = [one for one in self.compared if one.verdict is Verdict.BETTER]
        better.sort(key=lambda one: -one.delta)
        bounds = {one.tag: one.bounds for one in self.systems}
        for best in [self.best] if self.compared else []:
            own, other = bounds[best.tag], bounds[best.baseline]
            if own and other and own[0] < other[1] and other[0] < own[1]:
                yield (
                    "Grades for results that are not judged yet could turn the order: they could"
                    f" make {best.tag} anything from {span(own, short_number)}, and"
                    f" {best.baseline} from {span(other, short_number)}."
                )
        for second in better[1:2]:
            yield (
                f"{better[0].tag} and {second.tag} were not tested against each other: for that,"
                f" make {second.tag} the baseline."
            )

    def chart(self) -> Intervals:
        """The means, with what is known of them."""
        rows = [
            Interval(one.tag, one.mean, one.interval, one.bounds, self._words(one))
            for one in self.systems
        ]
        return systems_chart(self.measure, self.baseline, rows)

    def table(self) -> Table:
        """The same in numbers. A column in which nothing is said is left out."""
        rows: list[list[Cell]] = []
        for one in self.systems:
            its = one.compared
            compared: list[Cell] = [None] * 4
            if its is not None and self.comparisons is not None:
                p, why = its.p_adjusted[its.verdict_by], self.comparisons.reason(its)
                compared = [its.delta, span(its.ci95, short_difference), p, why or None]
            rows.append(
                [
                    *(one.tag, toned(self._words(one)), one.mean),
                    *(span(one.interval, short_number), *compared),
                    None if one.judged is None else percent(one.judged, short=True),
                    *(*(one.bounds or (None, None)), None if self.alike else one.queries),
                ]
            )
        columns = [
            *(text("", "system"), text("", "verdict"), Column("", self.measure, short_number)),
            *(Column("", "95 % interval"), Column("", "difference", short_difference)),
            *(Column("", "its 95 % interval"), Column("", "p", short_probability)),
            *(text("", "because"), Column("", self.share), Column("", "low", short_number)),
            *(Column("", "high", short_number), Column("", "queries")),
        ]
        return reader_table("", columns, rows).compact()

    def differences(self) -> Intervals:
        """The differences from the baseline."""
        rows = [Interval(one.tag, one.delta, one.ci95, words=one.verdict) for one in self.compared]
        return Intervals(
            f"Difference from {self.baseline}",
            f"{self.measure}, system minus {self.baseline}",
            rows,
            mark=0.0,
            note="Mean difference over the queries of both, with its 95 % interval.",
            signed=True,
        )

    def by_query(self, texts: Mapping[str, str]) -> Iterator[Block]:
        """Where the systems win and lose; `texts`: query_id -> text."""
        yield from (query_chart(one, texts) for one in self.compared[:_CHARTS])
        for one in self.compared[:1]:
            yield from blocks_of([query_table(one, texts)], _EXTREMES)

    def _words(self, one: System) -> str:
        if one.compared is not None:
            return str(one.compared.verdict)
        return "baseline" if one.tag == self.baseline and len(self.systems) > 1 else ""

    def _alone(self) -> tuple[str, str]:
        best = self.systems[0]
        if best.mean is None:
            return "No system is scored.", "None of them answers a query that is judged."
        ends = span(best.interval, short_number)
        first = (
            f"{best.tag} reaches {self.measure} {short_number(best.mean)}"
            f"{f' (95 % interval {ends})' if ends else ''} over"
            f" {counted(best.queries, 'query', 'queries')}."
        )
        if len(self.systems) == 1:
            return first, "There is no other system to compare it with."
        return first, f"Beside {self.baseline}, nothing can be compared."

    def _others(self, best: Comparison) -> str:
        """`Of the others, rrf is better, too; a and b are worse.`"""
        others = [one for one in self.compared if one is not best]
        said = {
            Verdict.BETTER: ("{} is better, too", "{} are better, too"),
            Verdict.WORSE: ("{} is worse", "{} are worse"),
            Verdict.NOTHING_SHOWN: ("no difference is shown for {}",) * 2,
            Verdict.TOO_FEW: ("there are too few queries to tell of {}",) * 2,
        }
        parts = []
        for verdict, forms in said.items():
            tags = [one.tag for one in others if one.verdict is verdict]
            if tags:
                parts.append(forms[len(tags) > 1].format(_named(tags)))
        return f"Of the others, {'; '.join(parts)}." if parts else ""


def _named(tags: Sequence[str]) -> str:
    return " and ".join(tags) if len(tags) < 3 else first_few(tags)


def _apart(one: Comparison) -> str:
    """`nDCG@10 0.744 against 0.511 (p 0.003)`."""
    p = one.p_adjusted[one.verdict_by]
    return (
        f"{one.measure} {short_number(one.mean)} against {short_number(one.baseline_mean)}"
        f" ({'no p' if p is None else f'p {short_probability(p)}'})"
    )


def _difference(one: Comparison) -> str:
    ends = span(one.ci95, short_difference)
    return (
        f"{one.tag} differs from {one.baseline} by {short_difference(one.delta)}"
        f"{f' (95 % interval {ends})' if ends else ''}: ahead on {one.wins:,} of"
        f" {counted(one.queries, 'query', 'queries')}, behind on {one.losses:,}"
        f"{f', level on {one.ties:,}' if one.ties else ''}."
    )
