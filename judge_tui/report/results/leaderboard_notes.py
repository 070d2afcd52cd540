"""What must be said beside a leaderboard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from judge_tui.report.results.worked_out import WorkedOut
from judge_tui.scoring import mean

if TYPE_CHECKING:
    from judge_tui.analysis.bounds import LooseEnds
    from judge_tui.analysis.leaderboard import Intervals, Verdicts
    from judge_tui.significance import Comparisons

__all__ = ["leaderboard_notes"]


def leaderboard_notes(worked: WorkedOut) -> Iterator[str]:
    """How the numbers were come by, and why one is not there; a line each."""
    if worked.intervals is not None:
        yield from _on_intervals(worked, worked.intervals)
    if worked.loose is not None:
        yield from _on_bounds(worked, worked.loose)
    if any(row.nothing_found for row in worked.board.rows):
        yield from (
            f"{share}: a query that counts and for which a run found nothing is 0 in it"
            for share in worked.board.shares
        )
    if worked.verdicts is not None:
        yield from _on_verdicts(worked, worked.verdicts)
    if not worked.has_room:
        yield "in detail by another measure: -m MEASURE; -f json and csv have all"


def _on_intervals(worked: WorkedOut, intervals: Intervals) -> Iterator[str]:
    yield f"95% interval of the mean over queries: percentile bootstrap, seed {worked.basis.seed}"
    yield from _reasons("interval", intervals.why)


def _on_bounds(worked: WorkedOut, loose: LooseEnds) -> Iterator[str]:
    grades = ", ".join(map(str, worked.basis.grades))
    yield (
        f"low and high: the least and the greatest mean over the grades {grades} for every "
        "unjudged document in the run's own lists"
    )
    if any(row.missing_qrels for row in worked.board.rows):
        yield (
            "low and high are over the queries that are averaged now: judge a document of one that "
            "has no grade yet, and it is averaged, too"
        )
    if loose.lowered:
        yield (
            f"what only other runs or the pool have is left as it is there: judged relevant, it "
            f"lowers {', '.join(loose.lowered)}, below the low bound if need be"
        )
    yield from (f"no bounds of {name}: {why}" for name, why in loose.why.items())
    cut = worked.basis.cut
    if cut and loose.of_kept:
        depths = " or ".join(map(str, sorted(set(cut.values()))))
        yield (
            f"the bounds of {', '.join(loose.of_kept)} look at what is kept of the lists, and "
            f"{len(cut)} of {len(worked.board.rows)} runs were cut when they were loaded, at "
            f"{depths} results a query: what was relevant below could lower them further"
        )


def _on_verdicts(worked: WorkedOut, verdicts: Verdicts) -> Iterator[str]:
    found = verdicts.comparisons
    if not any(map(worked.compares, worked.measures)):
        yield "no verdicts: more of it does not make a run better"
    elif found is None:
        yield f"no verdicts: there is nothing to compare with {verdicts.baseline}"
    else:
        settings = found.settings
        if worked.common:
            yield (
                "common: the queries that both the run and "
                f"{verdicts.baseline} are scored for; delta, p and verdict are over these, means "
                "over each run's own (queries)"
            )
        yield (
            f"verdict beside {verdicts.baseline} by {settings.tests[0]}, {settings.alternative}, "
            f"correction {settings.correction} over a family of {len(found)} (all measures and "
            f"runs compared here: with others a verdict may be another), alpha "
            f"{settings.alpha:g}; intervals are not corrected; judge-tui compare has all tests"
        )
        yield from _reasons("p", _untested(worked, found))
        yield from _contradicted(found)
    for measure in worked.measures:
        if worked.compares(measure) and measure.definition.average is not mean:
            yield (
                f"{measure}: delta and verdict are of arithmetic means, which its own mean is not"
            )
    yield from (f"{tag}: no verdict: {why}" for tag, why in verdicts.why.items())


def _untested(worked: WorkedOut, found: Comparisons) -> Mapping[str, Mapping[str, str]]:
    """Measure -> tag -> why the test has no p, of the measures that are shown in detail."""
    shown = {one.name for one in (worked.measures if worked.has_room else worked.measures[:1])}
    why: dict[str, dict[str, str]] = {}
    for one in found:
        test = one.tests[found.settings.tests[0]]
        if test.p is None and one.measure in shown:
            why.setdefault(one.measure, {})[one.tag] = test.why
    return why


def _contradicted(found: Comparisons) -> Iterator[str]:
    """Where a reader of p alone would see another verdict."""
    for one in found:
        if one.contradicted(found.settings):
            yield (
                f"{one.tag} by {one.measure}: the test and the mean difference do not point the "
                "same way: no difference is shown"
            )


def _reasons(what: str, why: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Why there is no number, once for all runs and measures of which the same is said."""
    told: dict[tuple[str, str], list[str]] = {}
    for name, of in why.items():
        for tag, reason in of.items():
            told.setdefault((name, reason), []).append(tag)
    same: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (name, reason), tags in told.items():
        same.setdefault((reason, tuple(tags)), []).append(name)
    for (reason, runs), names in same.items():
        whose = runs[0] if len(runs) == 1 else f"{runs[0]} and {len(runs) - 1} more"
        yield f"no {what} of {', '.join(names)} for {whose}: {reason}"
