"""How far the answer can be trusted, in a line each."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.agreement.caveats import weak_checks
from judge_tui.analysis.cautions import of_classes
from judge_tui.analysis.query_counts import QueryCounts
from judge_tui.nothing_found import asked_in_vain
from judge_tui.percent import percent
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.agreement import agreement_in_words
from judge_tui.report.page.sections.phrases import least_to_most, sentence
from judge_tui.significance.cautions import FEW_QUERIES
from judge_tui.significance.verdict import FEWEST_QUERIES

__all__ = ["trust"]


def trust(found: Findings) -> Iterator[str]:
    """Agreement, coverage and the number of queries, whatever they are, and the judges who do not
    grade as they did before, or not as the gold; first of all, that they are no people, and
    that the answer is over classes that ask for unlike things."""
    if found.data.results.basis.only_models:
        yield "Judges: no person has graded; all grades are those of models."
    results = found.data.results
    yield from map(sentence, of_classes(results.now.standing, results.basis))
    yield agreement_in_words(found)
    yield from map(sentence, weak_checks(found.study.own, found.study.gold))
    yield _coverage(found)
    yield _queries(found)


def _queries(found: Findings) -> str:
    counts = found.queries
    if not counts.judged:
        return "Queries: none has a final grade, so no system is scored."
    there = f"{counts.judged:,} judged"
    if counts.in_vain:
        there += f"; {asked_in_vain(counts.in_vain, counts.failed)}"
    if counts.scored == (counts.counting, counts.counting):
        every = "all of these" if counts.in_vain else "all of them"
        said = f"{there}{';' if counts.in_vain else ', and'} every system is scored for {every}"
    else:
        scored = least_to_most(counts.scored)
        said = f"{there}; a system is scored for {scored} of them"
        if counts.common is not None:
            said += f" and compared with {found.baseline} over {least_to_most(counts.common)}"
    return f"Queries: {said}{_few(counts)}."


def _few(counts: QueryCounts) -> str:
    least, most = counts.beneath
    if least >= FEW_QUERIES:
        return ""
    if counts.common is None:
        return ", which is few"
    if most < FEWEST_QUERIES:
        return ", too few to show any difference"
    return ", which can show a large difference only"


def _coverage(found: Findings) -> str:
    """Over all queries, as the table of each system's part in the pool and `status` have it."""
    state = found.data.progress
    shares = [one.judged / one.results for one in state.coverage if one.results]
    if not shares:
        return "Coverage: no system has a result."
    low, high = percent(min(shares)), percent(max(shares))
    how = low if low == high else f"from {low} to {high}, depending on the system,"
    kept = min(found.data.results.basis.cut.values(), default=state.depth)
    seen = ", as far as lists were kept" if kept < state.depth else ""
    return (
        f"Coverage: {how} of the first {state.depth:,} results were judged, over all queries{seen}"
        f"{_unresolved(found)}."
    )


def _unresolved(found: Findings) -> str:
    """What of this has no final grade, though it was judged: coverage has it by majority."""
    coverage, asked = found.data.progress.coverage, found.data.results.basis.asked
    if asked.policy != "majority" or asked.unresolved == "lead":
        return ""
    most = max(one.unresolved / one.results for one in coverage if one.results)
    if not most:
        return ""
    of = f"up to {percent(most)} of a system's" if len(coverage) > 1 else f"{percent(most)} of them"
    return (
        f"; {of} are unresolved, judged but without a majority, and count as unjudged in the scores"
        " and Judged@k"
    )
