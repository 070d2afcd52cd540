"""The leaderboard: what each run is worth, how far that can be trusted, and whether it is better
than the baseline."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from textual.content import Content

from judge_tui.analysis.leaderboard import RankedRun, Verdicts, rank_runs
from judge_tui.analysis.warnings import LEAST_JUDGED, of_results
from judge_tui.counts import counted
from judge_tui.percent import percent
from judge_tui.report.layout import Cell, plain, probability, span
from judge_tui.report.layout import short_difference as signed
from judge_tui.report.layout import short_number as number
from judge_tui.report.results import leaderboard_report
from judge_tui.scoring import judged_among
from judge_tui.tui_new.screens.results.bars import Axis, interval_bar
from judge_tui.tui_new.screens.results.findings import Findings
from judge_tui.tui_new.screens.results.view import Drawn, View, lines
from judge_tui.tui_new.screens.results.views import per_query
from judge_tui.tui_new.text import foreign


def leaderboard(findings: Findings) -> View:
    """The runs, best first, each with its interval drawn."""
    measure, known, scores = findings.measure, findings.verdicts, findings.scores
    between, bounds = findings.intervals, findings.bounds
    runs = rank_runs(
        scores, measure, measure, intervals=between, bounds=bounds, verdicts=known
    ).runs
    compared = None if known is None else known.comparisons
    warnings = of_results(findings.judged, findings.basis, comparisons=compared)
    basis = replace(findings.basis, warnings=warnings)
    axis = Axis.around(value for one in runs for value in (one.mean, *(one.interval or ())))
    mark = next((one.mean for one in runs if one.tag == findings.baseline), None)

    def draw(row: int) -> Content:
        one = runs[row]
        if one.mean is None:
            return Content("")
        return interval_bar(axis, one.interval or (one.mean, one.mean), one.mean, mark)

    def verdict(row: int, cell: Cell) -> Content:
        """Green or red only where enough is judged to believe it."""
        share = _judged(findings, runs[row])
        if cell is None:
            return Content.styled("-", "dim")
        if getattr(cell, "tone", None) and share is not None and share < LEAST_JUDGED:
            said = f"{plain(cell)}, {percent(share, short=True)} judged"
            return Content.styled(said, "$text-warning")
        tone = {"better": "$text-success", "worse": "$text-error"}.get(plain(cell), "dim")
        return Content.styled(plain(cell), tone)

    return View(
        name="leaderboard",
        path=Content("Leaderboard"),
        report=leaderboard_report(
            scores, basis, intervals=between, bounds=bounds, verdicts=known, by=measure
        ),
        keys=[one.tag for one in runs],
        detail=lambda row, _side: _run_detail(findings, runs[row], known),
        open=lambda row, _side: partial(per_query, tag=runs[row].tag),
        drawn=[Drawn("mean", axis.title, draw)],
        looks={"verdict": verdict},
    )


def _judged(findings: Findings, one: RankedRun) -> float | None:
    """The share judged of what the measure looks at, or of what any does."""
    shares = judged_among(findings.scores.measures)
    alike = [share for share in shares if share.cutoff == findings.measure.cutoff]
    return next((one.run.means.get(share.name) for share in (*alike, *shares)), None)


def _run_detail(findings: Findings, one: RankedRun, known: Verdicts | None) -> Content:
    measure = findings.measure.name
    mean = "-" if one.mean is None else number(one.mean)
    first = f"  {measure} {mean} over {counted(one.queries, 'query', 'queries')}"
    if one.interval is not None:
        first += f"; 95 % interval {span(one.interval)}"
    elif findings.intervals is not None:
        first += f"; no interval: {findings.intervals.why.get(measure, {}).get(one.tag, '')}"
    notes = []
    if nothing := len(one.run.without_results):
        failed = _failed(findings, one)
        notes.append(
            f"nothing found for {nothing:,}" + (f", {failed:,} of them failed" if failed else "")
        )
    if left_out := len(one.run.missing_run) - nothing:
        notes.append(f"{counted(left_out, 'judged query', 'judged queries')} not answered")
    notes += _left_open(findings, one)
    share = _judged(findings, one)
    low = share is not None and share < LEAST_JUDGED
    if share is not None and low:
        notes.insert(0, f"only {percent(share)} of the results that count is judged")
    style = "$text-warning" if low else "dim"
    return lines(
        Content.assemble(foreign(one.tag, "bold"), first),
        _verdict(one, known, findings.baseline),
        Content.styled("; ".join(notes), style),
    )


def _failed(findings: Findings, one: RankedRun) -> int:
    """At how many queries without results the run is known to have failed."""
    lists = findings.judged.lists
    run, ids = lists.index_of_run(one.tag), {*one.run.without_results}
    return sum(its == run and lists.query_ids[query] in ids for its, query in lists.failed)


def _left_open(findings: Findings, one: RankedRun) -> list[str]:
    """What the run's own unjudged documents leave open."""
    known, name = findings.bounds, findings.measure.name
    if known is None:
        return []
    if why := known.why.get(name):
        return [f"no low and high: {why}"]
    if one.bounds is None:
        return []
    if one.bounds[0] == one.bounds[1]:
        return ["no unjudged document in it matters"]
    cut = findings.basis.kept.cut.get(one.tag) if name in known.of_kept else None
    kept = "" if cut is None else f", as far as the list is kept ({cut:,} results)"
    return [f"its unjudged documents leave open {span(one.bounds)}{kept}"]


def _verdict(one: RankedRun, known: Verdicts | None, baseline: str) -> Content:
    if one.tag == baseline:
        return Content("the baseline: the others are compared with it")
    if known is None:
        return Content.styled("comparing …", "dim")
    if (found := one.compared) is None:
        why = known.why.get(one.tag, "more of this measure is not better")
        return foreign(f"not compared: {why}")
    said = f"{found.verdict}: {signed(found.delta)}"
    if found.ci95 is not None:
        said += f" ({span(found.ci95, signed)})"
    adjusted = found.p_adjusted[found.verdict_by]
    why = found.tests[found.verdict_by].why
    said += f", {why}" if adjusted is None else f", p {probability(adjusted)}"
    counts = f"won {found.wins:,}, tied {found.ties:,}, lost {found.losses:,}"
    both = "" if one.common is None else f" of {one.common:,} of both"
    because = None if known.comparisons is None else known.comparisons.reason(found)
    return foreign(f"{said}; {counts}{both}" + (f"; {because}" if because else ""))
