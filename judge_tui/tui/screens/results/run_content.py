"""What there is to say of one run, in words: its mean, the verdict, what is left open."""

from __future__ import annotations

from textual.content import Content

from judge_tui.analysis.leaderboard import RunRow
from judge_tui.comparison.comparison import Comparison
from judge_tui.counts import counted
from judge_tui.scoring import Measure
from judge_tui.tui.names import by_name, if_room
from judge_tui.tui.screens.results.figures import figure, p_text, queries, signed
from judge_tui.tui.screens.results.findings import Findings
from judge_tui.tui.shown import foreign

__all__ = ["run_content"]


def run_content(run: RunRow, measure: Measure, findings: Findings) -> Content:
    """Three lines."""
    counts, left_open = _counts(run, measure, findings), _open(run, measure, findings)
    # Where both have no room, the row above has the bounds.
    bounds = if_room(f"; {left_open}") if counts and left_open else Content(left_open)
    return Content("\n").join(
        [
            _worth(run, measure, findings),
            _verdict(run, measure, findings),
            Content.assemble(counts, bounds).stylize("dim"),
        ]
    )


def _worth(run: RunRow, measure: Measure, findings: Findings) -> Content:
    said = f"  {measure} {figure(run.means.get(measure.name))} over {queries(run.queries)}"
    # Before the interval, which has no room on a narrow screen; the row above has it.
    if run.nothing_found:
        failed = f", {run.failed:,} of them failed" if run.failed else ""
        said += f"; nothing found for {run.nothing_found:,}{failed}"
    if run.left_out:
        said += f"; {counted(run.left_out, 'judged query', 'judged queries')} not answered"
    known = findings.intervals
    interval = Content("")
    if known is not None:
        ends = known.of[measure.name][run.tag]
        if ends is not None:
            interval = if_room(f"; 95 % interval {figure(ends[0])} to {figure(ends[1])}")
        else:
            said += f"; no interval: {known.why[measure.name][run.tag]}"
    return Content.assemble(by_name(run.tag, "bold"), said, interval)


def _verdict(run: RunRow, measure: Measure, findings: Findings) -> Content:
    baseline, known = findings.baseline or "", findings.verdicts
    if run.tag == baseline:
        return Content("the baseline: the others are compared with it")
    if known is None:
        return Content("")
    found = known.of.get((run.tag, measure.name))
    if found is None:
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


def _counts(run: RunRow, measure: Measure, findings: Findings) -> str:
    """How many queries are better than in the baseline, and worse."""
    known = findings.verdicts
    found = None if known is None else known.of.get((run.tag, measure.name))
    if known is None or found is None:
        return ""
    over = known.common.get(run.tag)
    both = "" if over is None else f" of the {queries(over)} of both runs"
    return f"won {found.wins:,}, tied {found.ties:,}, lost {found.losses:,}{both}"


def _open(run: RunRow, measure: Measure, findings: Findings) -> str:
    known = findings.bounds
    if known is None:
        return ""
    if measure.name in known.why:
        return f"no bounds: {known.why[measure.name]}"
    ends = known.of[measure.name][run.tag]
    if ends is None:
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
