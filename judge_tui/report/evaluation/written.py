"""An evaluation as a page for people who were not there: the answer, then what it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge_tui.analysis.evaluation import BANDED, HISTOGRAM, EvaluatedQuery, missed
from judge_tui.formats.asked_beside import LATENCY, REPLIES
from judge_tui.formats.places import COLLECTED, DOCUMENTS_FILE
from judge_tui.report.classes import DEMAND_VIEWS
from judge_tui.report.collected import reason_line
from judge_tui.report.evaluation import tables
from judge_tui.report.evaluation.classes_section import (
    classes_section,
    demand_meanings,
    demand_words,
)
from judge_tui.report.evaluation.closer_sections import closer_sections
from judge_tui.report.evaluation.differences import differences
from judge_tui.report.evaluation.evaluated import DECISION_FILE, RESULTS_FILE, Evaluated
from judge_tui.report.layout import Cell, Column, Grid, number
from judge_tui.report.page.content import Block, Page, Paragraph, Points, Section, Table, Terms
from judge_tui.report.page.sections.phrases import (
    counted,
    excerpt,
    listed,
    sentence,
    set_beside,
    tests_told,
    verdict_words,
)
from judge_tui.scoring import shown_slice
from judge_tui.scoring.class_terms import DEMANDS
from judge_tui.significance import RESAMPLES, Comparison

__all__ = ["evaluation_page"]

_CAME = 3
_EXPECTED = 10


_FILES = Section(
    "files",
    "The files beside this one",
    [
        Terms(
            [
                (RESULTS_FILE, "All of this for programs, at full precision."),
                (
                    DECISION_FILE,
                    "Which system to take, what it takes in time and money, what is unknown.",
                ),
                ("SYSTEM.run", "What each system found, as a TREC run."),
                (f"SYSTEM{LATENCY}", "Seconds, tries and failures, query by query."),
                (f"SYSTEM{REPLIES}", "The answers as they came."),
                (DOCUMENTS_FILE, "Titles and texts that the systems gave."),
                (COLLECTED, "How each system was asked, and what it says of itself."),
            ]
        )
    ],
)


def evaluation_page(evaluated: Evaluated) -> Page:
    """Everything that is told, on one page."""
    tags = evaluated.evaluation.tags
    sections = [
        _asked(evaluated),
        _systems(evaluated),
        classes_section(evaluated),
        differences(evaluated),
        *closer_sections(evaluated),
        _ranks(evaluated),
        _failures(evaluated),
        _worst(evaluated),
        _each(evaluated),
        _method(evaluated),
        _FILES,
    ]
    return Page(
        f"Evaluation of {listed(tags)}",
        list(_answer(evaluated)),
        [section for section in sections if section is not None],
    )


def _answer(evaluated: Evaluated) -> Iterator[Block]:
    scores = evaluated.evaluation.scores
    words = [
        f"{run.tag} is {band} ({BANDED} {number(run.mean(BANDED))})"
        for run in scores.runs
        if (band := evaluated.band(run.tag)) is not None
    ]
    if words:
        yield Paragraph(f"{listed(words, len(words))}.", strong=True)
    if evaluated.unlike:
        yield Paragraph(
            "The classes of queries are measured by unlike things, each on its own terms: there is"
            " no number over all of them.",
            strong=True,
        )
    if why := evaluated.rests_on_failures:
        yield Paragraph(f"{why}; --again-failed asks once more.", strong=True)
    comparisons = evaluated.comparisons
    lines: list[str] = []
    if comparisons is not None:
        tests = comparisons.settings.tests
        shown = comparisons if evaluated.own_terms else evaluated.compared(evaluated.first)
        lines += [
            f"{_where(one)} {one.measure}, beside {one.baseline}: {verdict_words(one)}."
            f" {set_beside(one, tests, of=evaluated.family)}."
            for one in shown
        ]
    if lines := [*lines, *demand_words(evaluated)]:
        yield Points(lines)
    if meanings := demand_meanings(evaluated):
        yield Paragraph(meanings)
    if evaluated.required:
        yield Paragraph("What was required:")
        yield Points([one.words for one in evaluated.required])
    if evaluated.warnings:
        yield Paragraph("To be careful about:")
        # Many begin with the name of a system.
        yield Points([f"{warning}." for warning in evaluated.warnings])


def _where(one: Comparison) -> str:
    return "By" if one.slice is None else f"{shown_slice(one.slice)}: by"


def _asked(evaluated: Evaluated) -> Section:
    count = len(evaluated.evaluation.queries)
    right = (
        "What is right for a query is written down in an answers file: paths, lines of files, or"
        " patterns (regular expressions, between slashes here)."
        if evaluated.by == "answers"
        else "Which documents are right for a query is written down as grades (qrels); from grade 1"
        " on a document is right, and one without a grade counts as not right."
    )
    grid = Grid(
        "The systems as they were asked",
        [*tables.left("system", "kind", "what it says of itself")],
        [
            (one.name, evaluated.kinds[one.name], excerpt(one.identity) or None)
            for one in evaluated.collected
        ],
    )
    blocks: list[Block] = [
        Paragraph(
            f"Each system was asked {counted(count, 'query', 'queries')}, for the first"
            f" {counted(evaluated.depth, 'result')} of each. {right}"
        ),
        Terms([(f"File of {what}", name) for what, name in evaluated.files.items()]),
        Table(grid, f"How each was asked, without secrets, is kept in {COLLECTED}."),
    ]
    if evaluated.notes:
        blocks.append(Points([sentence(note) for note in evaluated.notes]))
    return Section("asked", "What was asked", blocks)


def _systems(evaluated: Evaluated) -> Section:
    bands = evaluated.evaluation.bands
    blocks: list[Block] = [Table(grid) for grid in tables.systems(evaluated, "")]
    if evaluated.own_terms:
        blocks.append(
            Paragraph(
                "Means of each class are below. A query at which a system failed, or for which it"
                " found nothing, counts as 0. Band, by the mean RR of a class: strong from"
                f" {bands.strong:g} on, usable from {bands.usable:g} on, poor below."
            )
        )
        return Section("systems", "The systems", blocks)
    blocks.append(
        Paragraph(
            f"Means over {evaluated.scored}; one at which a system failed, or for which it found"
            f" nothing, counts as 0. {BANDED} of a query is one divided by the rank of its first"
            f" right result, and 0 where that is not among the first {HISTOGRAM}. Band, by its"
            f" mean: strong from {bands.strong:g} on, usable from {bands.usable:g} on, poor below."
        )
    )
    if (classes := tables.classes(evaluated)).rows:
        blocks.append(Table(classes))
    return Section("systems", "The systems", blocks)


def _ranks(evaluated: Evaluated) -> Section | None:
    if not (grid := tables.ranks(evaluated)).rows:
        return None
    note = f"Not found: nothing right among the first {HISTOGRAM}."
    return Section("ranks", "How far down", [Table(grid, note)])


def _failures(evaluated: Evaluated) -> Section | None:
    titles = {
        hit.doc_id: hit.title
        for one in evaluated.collected
        for reply in one.replies
        for hit in reply.hits[:_CAME]
        if hit.title
    }
    evaluation = evaluated.evaluation
    if not evaluation.answered:
        return None
    blocks: list[Block] = []
    for tag in evaluation.tags:
        failed = missed(evaluation, tag)
        if failed:
            columns = [
                *tables.left("query", "expected", f"the first {_CAME} that came instead"),
                Column("first right at rank"),
            ]
            title = (
                f"{tag}: {len(failed):,} of"
                f" {counted(len(evaluation.answerable), 'query', 'queries')}"
            )
            rows = [_failure(query, tag, titles) for query in failed]
            blocks.append(Table(Grid(title, columns, rows)))
        else:
            blocks.append(Paragraph(f"{tag}: none."))
    if without := evaluated.without_right:
        blocks.append(Paragraph(f"Without {without}."))
    return Section("failures", f"Nothing right among the first {HISTOGRAM}", blocks)


def _failure(query: EvaluatedQuery, tag: str, titles: Mapping[str, str]) -> list[Cell]:
    found = query.found[tag]
    came = [
        f"{rank}. {doc_id}{f' ({excerpt(titles[doc_id], 60)})' if doc_id in titles else ''}"
        for rank, (doc_id, _) in enumerate(found.top[:_CAME], 1)
    ]
    expected = [what for what, _ in query.expected[:_EXPECTED]]
    more = len(query.expected) - len(expected)
    expected += [f"and {more:,} more"] if more else []
    return [
        f"{query.query_id} {excerpt(query.query)}",
        "; ".join(expected) or None,
        f"failed: {reason_line(found.failed)}" if found.failed else "; ".join(came) or "nothing",
        found.first,
    ]


def _worst(evaluated: Evaluated) -> Section | None:
    rows = evaluated.worst
    if not rows:
        return None
    tags = evaluated.evaluation.tags
    grid = tables.queries("", rows, tags, excerpt)
    many = " averaged over the systems" if len(tags) > 1 else ""
    note = (
        f"By reciprocal rank{many}, the least first; the rank of the first right"
        f" result{evaluated.left_out}."
    )
    return Section("worst", "The worst queries", [Table(grid, note)])


def _each(evaluated: Evaluated) -> Section | None:
    evaluation = evaluated.evaluation
    right = tables.queries("", evaluation.answered, evaluation.tags, str)
    first = tables.demanding(evaluated, "What comes first", str)
    about_right = (
        "The rank of the first right result; missed: none among the results asked for; failed: the"
        " system gave no answer."
    )
    told = ", of ".join(f"{demand} {DEMAND_VIEWS[demand].told}" for demand in DEMANDS)
    about_first = f"Of {told}; the number is the rank."
    tabled = [Table(grid, note) for grid, note in ((right, about_right), (first, about_first))]
    blocks: list[Block] = [table for table in tabled if table.grid.rows]
    return Section("queries", "Query by query", blocks) if blocks else None


def _method(evaluated: Evaluated) -> Section:
    terms = [
        (measure.name, sentence(measure.definition.summary))
        for measure in (*evaluated.evaluation.scores.measures, *evaluated.beside)
    ]
    if any(measure.cutoff is None for measure in evaluated.evaluation.scores.measures):
        terms.append(
            (
                "Without @",
                f"Looks at all results, here at most {evaluated.depth:,} of a query.",
            )
        )
    terms.append(("Order", "Results stand in the order in which the system gave them."))
    if evaluated.credit is not None:
        terms.append(("Credit", sentence(evaluated.about_credit)))
    if evaluated.comparisons is not None:
        settings = evaluated.comparisons.settings
        terms += [
            (
                "Tests",
                f"Paired by query, {settings.alternative}: {tests_told(settings.tests)}",
            ),
            ("Intervals", f"95 %, percentile bootstrap over queries, {RESAMPLES:,} resamples."),
            ("Seed", str(settings.seed)),
        ]
    return Section("method", "How the numbers were made", [Terms(terms)])
