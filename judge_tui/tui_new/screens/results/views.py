"""The views of the results, each made from the report that `judge-tui results` prints and export
writes."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from functools import partial

from textual.content import Content

from judge_tui.analysis.basis import Basis
from judge_tui.analysis.document_slices import kind_slices, length_slices
from judge_tui.analysis.misses import Miss, find_misses, first_relevant
from judge_tui.analysis.queries import most_divergent, own_values
from judge_tui.analysis.run_slices import RunSlices, ShareFound, measures_by, query_slices
from judge_tui.analysis.warnings import of_results
from judge_tui.comparison.comparison import Comparison
from judge_tui.counts import counted
from judge_tui.errors import UsageError
from judge_tui.percent import percent
from judge_tui.report.layout import Cell, Report, Table, span
from judge_tui.report.layout import short_difference as signed
from judge_tui.report.layout import short_number as number
from judge_tui.report.results import (
    deltas_report,
    divergent_report,
    document_slices_report,
    histogram_report,
    misses_report,
    own_values_report,
    query_slices_report,
)
from judge_tui.scoring import Measure
from judge_tui.scoring.slices import shown_slice
from judge_tui.tui_new.screens.results.bars import (
    Axis,
    column_bar,
    difference_bar,
    difference_title,
    interval_bar,
    value_bar,
)
from judge_tui.tui_new.screens.results.findings import Findings
from judge_tui.tui_new.screens.results.rankings import rankings
from judge_tui.tui_new.screens.results.view import Drawn, Place, View, because_empty, lines
from judge_tui.tui_new.text import foreign

_KIND, _LENGTH = "document.kind", "document.length"


# Query by query


def per_query(findings: Findings, *, tag: str, by: str = "", of: str = "") -> View:
    """The queries of a run, of all or of the slice `of` a field `by`: beside the baseline, the
    greatest gain first; the baseline's own values, the least first."""
    measure, among = findings.measure, None
    if by:
        among, declared = _queries_of(findings, by, of)
        measure = declared or measure
    slice_ = f"{by}={of}" if by else ""
    path = Content.assemble(*((foreign(shown_slice(of)), " › ") if by else ()), foreign(tag))
    texts = findings.queries.texts
    alone = tag == findings.baseline
    shown = [tag] if alone else [findings.baseline, tag]
    warnings = of_results(findings.judged, findings.basis, shown, among=among)
    basis = replace(findings.basis, warnings=warnings)

    def turned(to: int) -> Place:
        tags = findings.tags
        return partial(per_query, tag=tags[(tags.index(tag) + to) % len(tags)], by=by, of=of)

    def opened(row: int, _side: int) -> Place:
        return partial(rankings, tags=tuple(shown), query_ids=ids, at=row)

    if alone:
        own = own_values(findings.judged, measure, tag, among)
        ids = [one.query_id for one in own.rows]
        axis = Axis.from_zero(one.value for one in own.rows)
        report = own_values_report(own, basis, texts, among=slice_)
        drawn = Drawn("value", axis.title, lambda row: value_bar(axis, own.rows[row].value))
        said = f"{counted(own.zeros, 'query', 'queries')} at 0" if own.zeros else "no query at 0"
        if len(findings.tags) > 1:
            said += "; this is the baseline: make another run that to compare it"
        nothing = [[(tag, one.nothing)] for one in own.rows]
    else:
        found = findings.deltas(measure, tag, among)
        rows = () if found.comparison is None else found.comparison.by_query
        ids = [one.query_id for one in rows]
        most = max((abs(one.difference) for one in rows), default=0.0)
        report = deltas_report(found, basis, texts, among=slice_)
        drawn = Drawn(
            "delta", difference_title(most), lambda row: difference_bar(rows[row].difference, most)
        )
        said = "" if found.comparison is None else _compared(found.comparison)
        for count, whose in ((found.only_run, tag), (found.only_baseline, findings.baseline)):
            said += f"; {counted(count, 'query', 'queries')} of {whose} alone" if count else ""
        nothing = [[*found.nothing.get(one, {}).items()] for one in ids]
    return View(
        name=f"{'values' if alone else 'deltas'}-{tag}" + (f"-{by}-{of}" if by else ""),
        path=path,
        report=report,
        keys=ids,
        detail=lambda row, _side: lines(
            foreign(findings.called(ids[row]), "bold"),
            foreign(said, "dim"),
            because_empty(nothing[row]),
        ),
        open=opened,
        turn=turned if len(findings.tags) > 1 else None,
        tag=tag,
        fill="text",
        drawn=[drawn],
        empty="The run answers no judged query." if alone else "Both runs share no judged query.",
    )


def _compared(found: Comparison) -> str:
    said = f"mean {signed(found.delta)}"
    if found.ci95 is not None:
        said += f" ({span(found.ci95, signed)})"
    counts = [
        counted(found.wins, "win"),
        counted(found.ties, "tie"),
        counted(found.losses, "loss", "losses"),
    ]
    return f"{said}; {', '.join(counts)}"


def disagreements(findings: Findings) -> View:
    """The queries on which the systems are furthest apart."""
    findings.basis.refuse_deep_top()
    judged, measure, k = findings.judged, findings.measure, findings.basis.question.k
    found = most_divergent(judged.lists, judged.values(measure), measure, k)
    rows, ids = found.rows, [one.query_id for one in found.rows]
    axis = Axis.from_zero(one.greatest for one in rows)

    def detail(row: int, _side: int) -> Content:
        one = rows[row]
        apart = f"best {number(one.greatest)} {', '.join(one.best)}"
        apart += f"; worst {number(one.least)} {', '.join(one.worst)}"
        alike = "fewer than two runs have results"
        if one.overlap is not None:
            alike = f"mean Jaccard index of the tops {k}: {number(one.overlap)}"
        return lines(
            foreign(findings.called(ids[row]), "bold"),
            foreign(f"all level at {number(one.greatest)}" if one.level else apart),
            because_empty([*one.nothing.items()]) if one.nothing else Content.styled(alike, "dim"),
        )

    def opened(row: int, _side: int) -> Place | None:
        """The worst beside the best; of runs that are level, any other."""
        best, worst = rows[row].best[0], rows[row].worst[0]
        others = [tag for tag in (worst, *findings.tags) if tag != best]
        return partial(rankings, tags=(others[0], best), query_ids=ids, at=row)

    return View(
        name="disagreements",
        path=Content("Disagreements"),
        report=divergent_report(found, _warned(findings), findings.queries.texts),
        keys=ids,
        detail=detail,
        open=opened,
        fill="text",
        drawn=[
            Drawn(
                "sd",
                axis.title,
                lambda row: interval_bar(axis, (rows[row].least, rows[row].greatest)),
            )
        ],
        empty="No query is answered by two runs and judged.",
    )


# Document by document


def failures(findings: Findings, *, tag: str) -> View:
    """The queries for which a run has nothing relevant at the top, and what came instead."""
    findings.basis.refuse_deep_top(tag)
    found = find_misses(findings.judged, tag, findings.basis.question.k)
    names = findings.named({document for row in found.rows for document in row.documents})
    ids = [one.query_id for one in found.rows]

    def opened(row: int, _side: int) -> Place:
        """Beside the run that has most of what is missing at the best rank, else the baseline."""
        finders = sorted(
            (rank, by) for one in found.rows[row].relevant for by, rank in one.found_by
        )
        candidates = (*(by for _, by in finders[:1]), findings.baseline, *findings.tags)
        others = [one for one in candidates if one != tag]
        return partial(rankings, tags=(*others[:1], tag), query_ids=ids, at=row)

    def detail(row: int, _side: int) -> Content:
        miss = found.rows[row]
        return lines(
            foreign(findings.called(miss.query_id), "bold"),
            foreign(
                "; ".join(_relevant(findings, miss)) or "nothing is known to be relevant to it"
            ),
            _proven(miss),
        )

    def turned(by: int) -> Place:
        tags = findings.tags
        return partial(failures, tag=tags[(tags.index(tag) + by) % len(tags)])

    empty = f"No failures: each judged query has something relevant in the top {found.k}."
    if not found.queries:
        empty = "No query has a final grade: settle what the judges differ about."
    return View(
        name=f"failures-{tag}",
        path=Content.assemble("Failures of ", foreign(tag)),
        report=misses_report(found, _warned(findings, tag), findings.queries.texts, names),
        keys=ids,
        detail=detail,
        open=opened,
        turn=turned if len(findings.tags) > 1 else None,
        tag=tag,
        empty=empty,
    )


def _relevant(findings: Findings, miss: Miss) -> list[str]:
    """The first relevant documents that are known, and who found each of them."""
    first = miss.relevant[:3]
    names = findings.named(one.document for one in first)
    said = []
    for one in first:
        finders = ", ".join(f"{tag} at {rank}" for tag, rank in one.found_by[:2])
        doc_id = names[one.document].doc_id if one.document in names else ""
        said.append(f"{doc_id} (grade {one.grade}) found by {finders or 'no other run'}")
    more = len(miss.relevant) - len(first)
    return [*said, *([f"{more:,} more"] if more else [])]


def _proven(miss: Miss) -> Content:
    if miss.failed:
        return foreign(f"The system failed: {miss.failed}", "$text-warning")
    if not miss.answered:
        return Content.styled("The run returned nothing.", "$text-warning")
    first = f"; the first relevant one is at rank {miss.first:,}" if miss.first else ""
    if miss.proven:
        return Content.styled(f"All of the top is judged{first}.", "dim")
    unjudged = counted(miss.unjudged, "document there is", "documents there are")
    return Content.styled(f"Not proven: {unjudged} unjudged{first}.", "$text-warning")


def first_ranks(findings: Findings) -> View:
    """At which rank each run has its first relevant document, a histogram in a row for each."""
    found = first_relevant(findings.judged)
    runs = found.runs

    def share(row: int, cell: Cell) -> Content:
        count = cell if isinstance(cell, int) else 0
        return Content.assemble(
            f"{count:,}", (column_bar(count, runs[row].queries), "$text-accent")
        )

    def detail(row: int, _side: int) -> Content:
        run, unknown = runs[row], found.nothing_known
        none = "" if run.share_none is None else f" ({percent(run.share_none)})"
        notes = [f"nothing relevant is known for {counted(unknown, 'query', 'queries')}"] * (
            unknown > 0
        )
        notes += [f"no median: {run.why}"] if run.why else []
        verb = "query has" if run.open == 1 else "queries have"
        before = f"{run.open:,} {verb} an unjudged document before that rank, which may be less"
        said = f"  {counted(run.queries, 'query', 'queries')}, {run.none:,}{none} with nothing"
        return lines(
            Content.assemble(foreign(run.tag, "bold"), f"{said} relevant kept"),
            Content.styled("; ".join(notes), "dim"),
            Content.styled(before if run.open else "", "$text-warning"),
        )

    return View(
        name="first-relevant",
        path=Content("First relevant"),
        report=histogram_report(found, _warned(findings)),
        keys=[run.tag for run in runs],
        detail=detail,
        open=lambda row, _side: partial(failures, tag=runs[row].tag),
        looks=dict.fromkeys((*(label.replace("–", "-") for label in found.labels), "none"), share),
    )


# Slice by slice


def slices(findings: Findings, *, by: str = "", at: int = 0) -> View:
    """A row for each slice of a field, with the means of all runs; one table for each measure that
    slices declare."""
    fields = [*findings.queries.fields, _KIND, _LENGTH]
    by = by if by in fields else fields[0]
    every, report = _sliced(findings, by)
    at = min(at, len(every) - 1)
    found = every[at]
    parts = found.slices

    def detail(row: int, _side: int) -> Content:
        means = [(spread.mean, tag) for tag, spread in parts[row].runs.items()]
        known = sorted((mean, tag) for mean, tag in means if mean is not None)
        if not known:
            return Content.styled("no run is scored here", "dim")
        ends = (
            f"best {known[-1][1]} {number(known[-1][0])}; worst {known[0][1]} {number(known[0][0])}"
        )
        return lines(foreign(shown_slice(parts[row].name), "bold"), foreign(ends))

    def turned(to: int) -> Place:
        if 0 <= at + to < len(every):
            return partial(slices, by=by, at=at + to)
        return partial(slices, by=fields[(fields.index(by) + to) % len(fields)])

    return View(
        name=f"by-{by}",
        path=Content.assemble("By ", foreign(by)),
        report=replace(report, tables=[report.tables[at], *_without(report, at)]),
        keys=[part.name for part in parts],
        detail=detail,
        open=lambda row, _side: partial(one_slice, by=by, of=parts[row].name, at=at),
        turn=turned,
        empty="No query has a final grade.",
    )


def one_slice(findings: Findings, *, by: str, of: str, at: int) -> View:
    """The runs in one slice, how their values lie drawn."""
    every, report = _sliced(findings, by)
    found = every[min(at, len(every) - 1)]
    part = next((one for one in found.slices if one.name == of), None)
    if part is None:
        raise UsageError(f"{by} has no slice {shown_slice(of)!r} any more")
    table = next(one for one in report.tables if one.name == "slices")
    measure, name = str(found.measure), shown_slice(of)
    rows = [row for row in table.rows if [*row[:2]] == [measure, name]]
    title = f"{measure} where {by} is {name}, over {counted(part.queries, 'query', 'queries')}"
    table = table.hide("measure", "slice")._replace(rows=rows, title=title, about="findings")
    runs = [*part.runs.items()]
    consistency = {one.tag: one for one in found.consistency}
    axis = Axis.from_zero(spread.greatest for _, spread in runs)

    def draw(row: int) -> Content:
        spread = runs[row][1]
        if spread.least is None or spread.greatest is None:
            return Content("")
        return interval_bar(axis, (spread.least, spread.greatest), spread.mean)

    def detail(row: int, _side: int) -> Content:
        tag = runs[row][0]
        one = consistency.get(tag)
        if one is None or one.overall.mean is None:
            return foreign(tag, "bold")
        over = f"  over all {one.overall.n:,} queries: mean {number(one.overall.mean)}"
        ends = ""
        if one.best is not None and one.worst is not None and one.between.sd is not None:
            ends = f"best slice {shown_slice(one.best)}, worst {shown_slice(one.worst)}"
            ends += f"; sd of the slices' means {number(one.between.sd)}"
        return lines(Content.assemble(foreign(tag, "bold"), over), foreign(ends))

    return View(
        name=f"by-{by}-{of}",
        path=foreign(name),
        report=replace(report, tables=[table, *_without(report, -1)]),
        keys=[tag for tag, _ in runs],
        detail=detail,
        open=lambda row, _side: partial(per_query, tag=runs[row][0], by=by, of=of),
        drawn=[Drawn("mean", axis.title, draw)],
    )


def _sliced(
    findings: Findings, by: str
) -> tuple[tuple[RunSlices[Measure], ...] | tuple[RunSlices[ShareFound]], Report]:
    """The slices of a field, for each measure, and their report."""
    judged, basis, fields = findings.judged, _warned(findings), findings.queries.fields
    if by in fields:
        queries = findings.queries.queries
        declared, basis = measures_by(by, queries, fields[by], basis)
        found = query_slices(judged, [findings.measure], by, fields[by], declared)
        return found, query_slices_report(found, basis)
    basis.refuse_deep_top()
    if findings.facts is None:
        raise UsageError("the documents are still being read", "again in a moment")
    cut = kind_slices if by == _KIND else length_slices
    of_documents = cut(judged, findings.facts, basis.question.k)
    return (of_documents,), document_slices_report(of_documents, basis)


def _queries_of(findings: Findings, by: str, of: str) -> tuple[Set[str], Measure | None]:
    """The queries of a slice, and the measure that they declare."""
    every, _ = _sliced(findings, by)
    parts = [(one.measure, part) for one in every for part in one.slices if part.name == of]
    ids = frozenset(query_id for _, part in parts for query_id in part.query_ids)
    declared = parts[0][0] if len(parts) > 0 and isinstance(parts[0][0], Measure) else None
    return ids, declared


def _without(report: Report, at: int) -> list[Table]:
    return [table for place, table in enumerate(report.tables) if place != at]


def _warned(findings: Findings, *tags: str) -> Basis:
    """What a view of all runs, or of these, rests on, with what a reader of it must know."""
    warnings = of_results(findings.judged, findings.basis, tags or None)
    return replace(findings.basis, warnings=warnings)
