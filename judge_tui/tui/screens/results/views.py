"""The views of the results on screen: what is drawn of them, and where a row leads."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from textual.content import Content

from judge_tui.analysis.slices import SLICES_OF_DOCUMENTS, RunSlice, RunSlices
from judge_tui.analysis.warnings import LEAST_JUDGED
from judge_tui.campaign.overview.findings import Findings
from judge_tui.counts import counted
from judge_tui.errors import UsageError
from judge_tui.percent import percent
from judge_tui.report.layout import Cell, Report, Table, plain, short_difference, span, tone_of
from judge_tui.report.results import views
from judge_tui.report.results.by_query import GREATEST_GAIN_FIRST
from judge_tui.report.results.with_model import with_estimates
from judge_tui.scoring import judged_among
from judge_tui.scoring.slices import shown_slice
from judge_tui.tui.screens.results import bars
from judge_tui.tui.screens.results.rankings import rankings
from judge_tui.tui.screens.results.view import STYLES, MakeView, View
from judge_tui.tui.text import foreign


def leaderboard(findings: Findings) -> View:
    """The runs, best first, each with its interval drawn."""
    ranking, report = views.leaderboard(findings, whole=False)
    runs = ranking.runs
    axis = bars.Axis.around(value for one in runs for value in (one.mean, *(one.interval or ())))
    mark = next((one.mean for one in runs if one.tag == findings.baseline), None)
    shares = judged_among(findings.scores.measures)
    alike = [share for share in shares if share.cutoff == findings.measure.cutoff]

    def draw(row: int) -> Content:
        mean = runs[row].mean
        if mean is None:
            return Content("")
        return bars.interval(axis, runs[row].interval or (mean, mean), mean, mark)

    def verdict(row: int, cell: Cell) -> Content:
        """Green or red only where enough is judged to believe it."""
        words, tone = plain(cell or "-"), tone_of(plain(cell or ""))
        judged = (runs[row].run.means.get(share.name) for share in (*alike, *shares))
        share = next(judged, None)
        if tone and share is not None and share < LEAST_JUDGED:
            return Content.styled(f"{words}, {percent(share, short=True)} judged", "$text-warning")
        return Content.styled(words, "dim" if tone is None else STYLES[tone])

    estimates = findings.with_model([findings.measure], findings.baseline)
    if estimates:
        first, *rest = report.tables
        report = replace(report, tables=[with_estimates(first, estimates), *rest])
    return View(
        name="leaderboard",
        path=Content("Leaderboard"),
        report=report,
        keys=[one.tag for one in runs],
        open=lambda row, _side: partial(deltas, tag=runs[row].tag),
        drawn={"mean": (axis.title, draw)},
        looks={"verdict": verdict},
    )


# Query by query


def deltas(findings: Findings, *, tag: str, by: str = "", of: str = "", at: int = 0) -> View:
    """The queries of a run, of all or of the slice `of` a field: beside the baseline, the greatest
    gain first; the baseline's own values, the least first."""
    part = None
    if by:
        found, its, _ = _slice(findings, by, of, at)
        part = views.QuerySlice(by, of, frozenset(its.query_ids), found.measure or findings.measure)
    alone = tag == findings.baseline
    shown = (tag,) if alone else (findings.baseline, tag)
    if alone:
        own, report = views.own_values(findings, tag, part)
        values = {one.query_id: one.value for one in own.rows}
    else:
        beside, report = views.deltas(findings, findings.baseline, tag, part)
        rows = () if beside.comparison is None else beside.comparison.by_query
        values = {one.query_id: one.difference for one in rows}
    ids, every = [*values], [*values.values()]
    title = report.tables[0].title.removesuffix(GREATEST_GAIN_FIRST)
    axis, most = bars.Axis.from_zero(every), max(map(abs, every), default=0.0)
    differences = bars.difference_title(most)

    def draw(row: int) -> Content:
        return bars.value(axis, every[row]) if alone else bars.difference(every[row], most)

    return View(
        name=f"{'values' if alone else 'deltas'}-{tag}" + (f"-{part}" if part else ""),
        path=foreign(tag),
        report=report,
        keys=ids,
        open=lambda row, _side: partial(rankings, tags=shown, query_id=ids[row]),
        tag=tag,
        titles=[f"{title}{'' if alone or by else _estimated(findings, tag)}"],
        fill=("text",),
        drawn={"value": (axis.title, draw)} if alone else {"delta": (differences, draw)},
        empty="The run answers no judged query." if alone else "Both runs share no judged query.",
    )


def _estimated(findings: Findings, tag: str) -> str:
    """The difference that a model makes more exact, for a title."""
    model = findings.basis.question.with_model
    every = findings.with_model([findings.measure], findings.baseline, [tag])
    for one in (one for one in every if one.baseline):
        if one.powered is None:
            return f"; with {model}: {one.why}"
        its = one.powered
        ends = span(its.ci95, short_difference)
        worth = counted(int(its.worth), "query", "queries")
        return f"; with {model} {short_difference(its.estimate)}, {ends}, worth {worth}"
    return ""


def divergent(findings: Findings) -> View:
    """The queries that divide the systems."""
    found, report = views.divergent(findings)
    rows, ids = found.rows, [one.query_id for one in found.rows]
    axis = bars.Axis.from_zero(one.greatest for one in rows)

    def opened(row: int, _side: int) -> MakeView:
        """The worst beside the best; of runs that are level, any other."""
        best, worst = rows[row].best[0], rows[row].worst[0]
        other = next(tag for tag in (worst, *findings.tags) if tag != best)
        return partial(rankings, tags=(other, best), query_id=ids[row])

    return View(
        name="dividing-queries",
        path=Content("Dividing queries"),
        report=report,
        keys=ids,
        open=opened,
        fill=("text",),
        drawn={
            "sd": (
                axis.title,
                lambda row: bars.interval(axis, (rows[row].least, rows[row].greatest)),
            )
        },
        empty="No query is answered by two runs and judged.",
    )


# Document by document


def failures(findings: Findings, *, tag: str = "") -> View:
    """The queries for which a run, by default the first, has nothing relevant at the top, and what
    came instead."""
    tag = tag or findings.tags[0]
    found, report = views.failures(findings, tag)
    ids = [one.query_id for one in found.rows]

    def opened(row: int, _side: int) -> MakeView:
        """Beside the run that has most of what is missing at the best rank, else the baseline."""
        finders = sorted(
            (rank, by) for one in found.rows[row].relevant for by, rank in one.found_by
        )
        candidates = (*(by for _, by in finders[:1]), findings.baseline, *findings.tags)
        others = [one for one in candidates if one != tag]
        return partial(rankings, tags=(*others[:1], tag), query_id=ids[row])

    def turned(by: int) -> MakeView:
        tags = findings.tags
        return partial(failures, tag=tags[(tags.index(tag) + by) % len(tags)])

    empty = f"No failures: each judged query has something relevant in the top {found.k}."
    if not found.queries:
        empty = "No query has a final grade: settle what the judges differ about."
    return View(
        name=f"failures-{tag}",
        path=Content.assemble("Failures of ", foreign(tag)),
        report=report,
        keys=ids,
        open=opened,
        turn=turned,
        tag=tag,
        fill=("text",),
        empty=empty,
    )


def first_relevant(findings: Findings) -> View:
    """At which rank each run has its first relevant document, a histogram in a row for each."""
    found, report = views.first_relevant(findings)
    runs = found.runs

    def share(row: int, cell: Cell) -> Content:
        count = cell if isinstance(cell, int) else 0
        return Content.assemble(
            f"{count:,}", (bars.column(count, runs[row].queries), "$text-accent")
        )

    return View(
        name="first-relevant",
        path=Content("First relevant"),
        report=report,
        keys=[run.tag for run in runs],
        open=lambda row, _side: partial(failures, tag=runs[row].tag),
        looks=dict.fromkeys((*(label.replace("–", "-") for label in found.labels), "none"), share),
    )


# Slice by slice


def slices(findings: Findings, *, by: str = "", at: int = 0) -> View:
    """A row for each slice of a field, with the means of all runs; one table for each measure that
    slices declare."""
    fields = [*findings.queries.fields, *SLICES_OF_DOCUMENTS]
    by = by if by in fields else fields[0]
    every, report = views.slices(findings, by, one_measure=True)
    at = min(at, len(every) - 1)
    names = [part.name for part in every[at].slices]

    def turned(to: int) -> MakeView:
        if 0 <= at + to < len(every):
            return partial(slices, by=by, at=at + to)
        return partial(slices, by=fields[(fields.index(by) + to) % len(fields)])

    rest = (table for table in report.tables if table is not report.tables[at])
    return View(
        name=f"by-{by}",
        path=Content.assemble("By ", foreign(by)),
        report=replace(report, tables=[report.tables[at], *rest]),
        keys=names,
        open=lambda row, _side: partial(one_slice, by=by, of=names[row], at=at),
        turn=turned,
        empty="No query has a final grade.",
    )


def one_slice(findings: Findings, *, by: str, of: str, at: int) -> View:
    """The runs in one slice, and how their values lie."""
    found, part, report = _slice(findings, by, of, at)
    table = next(one for one in report.tables if one.name == "slices")
    measure, name = found.what, shown_slice(of)
    count = counted(part.queries, "query", "queries")
    table = table.hide("measure", "slice")._replace(
        rows=[row for row in table.rows if [*row[:2]] == [measure, name]],
        title=f"{measure} where {by} is {name}, over {count}",
        about="findings",
    )
    spreads = [*part.runs.values()]
    axis = bars.Axis.from_zero(spread.greatest for spread in spreads)

    def draw(row: int) -> Content:
        one = spreads[row]
        if one.least is None or one.greatest is None:
            return Content("")
        return bars.interval(axis, (one.least, one.greatest), one.mean)

    tags = [*part.runs]
    return View(
        name=f"by-{by}-{of}",
        path=foreign(name),
        report=replace(report, tables=[table, *report.tables]),
        keys=tags,
        open=lambda row, _side: partial(deltas, tag=tags[row], by=by, of=of, at=at),
        drawn={"mean": (axis.title, draw)},
    )


def _slice(findings: Findings, by: str, of: str, at: int) -> tuple[RunSlices, RunSlice, Report]:
    """One slice, of those by one measure."""
    every, report = views.slices(findings, by, one_measure=True)
    found = every[min(at, len(every) - 1)]
    for part in found.slices:
        if part.name == of:
            return found, part, report
    raise UsageError(f"{by} has no slice {shown_slice(of)!r} any more")


# Models beside people


def models(findings: Findings) -> View:
    """A row for each model that has pairs in common with people."""
    if findings.models is None:
        return _not_studied(findings, "models", Content("Models"))
    found, report = views.models(findings)
    names = [study.judge for study in found]
    return View(
        name="models",
        path=Content("Models"),
        report=report,
        keys=names,
        open=lambda row, _side: partial(one_model, judge=names[row]),
        empty="No model has graded a pair that people have graded, too.",
    )


def one_model(findings: Findings, *, judge: str) -> View:
    """The places that each system gains by the grades of a model."""
    if findings.models is None:
        return _not_studied(findings, f"model-{judge}", foreign(judge))
    study, report = views.one_model(findings, judge)
    tags = [one.tag for one in study.order.places]
    why = study.order.why.get("order", "")
    return View(
        name=f"model-{judge}",
        path=foreign(judge),
        report=report,
        keys=tags,
        open=lambda row, _side: partial(deltas, tag=tags[row]),
        empty=f"No order of the systems: {why}.",
    )


def _not_studied(findings: Findings, name: str, path: Content) -> View:
    """What stands in the place of a view of models until they are studied."""
    return View(
        name=name,
        path=path,
        report=Report([Table("Models beside people", [], [])]),
        keys=[],
        work_out=findings.study_models,
        empty="reading …",
    )


class ResultsTab(NamedTuple):
    """A tab of the screen; one that `needs_model` only where a model has graded."""

    name: str
    make_view: MakeView
    needs_model: bool = False


TABS = {
    1: ResultsTab("Leaderboard", leaderboard),
    2: ResultsTab("Failures", failures),
    3: ResultsTab("First relevant", first_relevant),
    4: ResultsTab("Slices", slices),
    5: ResultsTab("Dividing queries", divergent),
    6: ResultsTab("Models", models, needs_model=True),
}
"""By their keys."""
