"""What there is to say of one run, in words: its mean, the verdict, what is left open."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from judge_tui.analysis.leaderboard import RankedRun, Ranking
from judge_tui.comparison.comparison import Comparison
from judge_tui.counts import counted
from judge_tui.tui.names import by_name, if_room
from judge_tui.tui.screens.results.figures import figure, p_text, queries, signed
from judge_tui.tui.screens.results.findings import Findings
from judge_tui.tui.shown import foreign


def run_content(run: RankedRun, ranking: Ranking, findings: Findings) -> Content:
    """Three lines."""
    counts, left_open = _counts(run), _open(run, ranking, findings)
    # Where both have no room, the row above has the bounds.
    bounds = if_room(f"; {left_open}") if counts and left_open else Content(left_open)
    return Content("\n").join(
        [
            _worth(run, ranking, findings),
            _verdict(run, ranking, findings),
            Content.assemble(counts, bounds).stylize("dim"),
        ]
    )


def _worth(run: RankedRun, ranking: Ranking, findings: Findings) -> Content:
    known, measure = ranking.intervals, ranking.measure
    said = f"  {measure} {figure(run.mean)} over {queries(run.queries)}"
    nothing = run.run.without_results
    # Before the interval, which has no room on a narrow screen; the row above has it.
    if nothing:
        failed = _failed(run.tag, nothing, findings)
        failures = f", {failed:,} of them failed" if failed else ""
        said += f"; nothing found for {len(nothing):,}{failures}"
    if left_out := len(run.run.missing_run) - len(nothing):
        said += f"; {counted(left_out, 'judged query', 'judged queries')} not answered"
    interval = Content("")
    if known is not None:
        ends = run.interval
        if ends is not None:
            interval = if_room(f"; 95 % interval {figure(ends[0])} to {figure(ends[1])}")
        else:
            said += f"; no interval: {known.why[measure.name][run.tag]}"
    return Content.assemble(by_name(run.tag, "bold"), said, interval)


def _failed(tag: str, query_ids: Sequence[str], findings: Findings) -> int:
    """At how many of these queries the run is known to have failed."""
    if findings.now is None:
        return 0
    lists = findings.judged.lists
    run, ids = lists.index_of_run(tag), {*query_ids}
    return sum(one == run and lists.query_ids[query] in ids for one, query in lists.failed)


def _verdict(run: RankedRun, ranking: Ranking, findings: Findings) -> Content:
    known = ranking.verdicts
    if run.tag == findings.baseline:
        return Content("the baseline: the others are compared with it")
    if known is None:
        return Content("")
    if (found := run.compared) is None:
        why = known.why.get(run.tag, "more of this measure is not better")
        return Content.assemble("not compared: ", foreign(why))
    delta, interval = f"  {signed(found.delta)}", _interval(found)
    adjusted = found.p_adjusted[found.verdict_by]
    if adjusted is not None:
        return Content.assemble(
            (str(found.verdict), "bold"), f"{delta}{interval}  adjusted p {p_text(adjusted)}"
        )
    # Why there is no p comes first: on a narrow screen the row above alone has the difference.
    return Content.assemble(
        (str(found.verdict), "bold"),
        f": {found.tests[found.verdict_by].why}",
        if_room(delta),
        if_room(interval),
    )


def _interval(found: Comparison) -> str:
    if found.ci95 is None:
        return ""
    return f" ({signed(found.ci95[0])} to {signed(found.ci95[1])})"


def _counts(run: RankedRun) -> str:
    """How many queries are better than in the baseline, and worse."""
    if (found := run.compared) is None:
        return ""
    both = "" if run.common is None else f" of the {queries(run.common)} of both runs"
    return f"won {found.wins:,}, tied {found.ties:,}, lost {found.losses:,}{both}"


def _open(run: RankedRun, ranking: Ranking, findings: Findings) -> str:
    known, measure = ranking.bounds, ranking.measure
    if known is None:
        return ""
    if measure.name in known.why:
        return f"no bounds: {known.why[measure.name]}"
    if (ends := run.bounds) is None:
        return ""
    said = f"its own unjudged documents leave open {figure(ends[0])} to {figure(ends[1])}"
    if ends[0] == ends[1]:
        said = "no unjudged document in it matters"
    if (
        measure.name in known.of_kept
        and findings.basis is not None
        and run.tag in findings.basis.kept.cut
    ):
        said += f", as far as the list is kept ({findings.basis.kept.cut[run.tag]:,} results)"
    return said
