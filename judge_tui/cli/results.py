"""`judge-tui results`: what the runs are worth, printed view by view, or the app to look around."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from judge_tui.analysis.basis import Basis, Question
from judge_tui.analysis.leaderboard import (
    intervals,
    mean_bounds,
    tested_measures,
    verdicts,
)
from judge_tui.analysis.misses import find_misses, first_relevant, side_by_side
from judge_tui.analysis.queries import deltas, most_divergent
from judge_tui.analysis.slices import (
    kind_slices,
    length_slices,
    measures_by,
    query_slices,
    relevant_documents,
)
from judge_tui.analysis.warnings import of_query, of_results
from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.overview.facts import document_facts, query_facts
from judge_tui.campaign.overview.standing import ResultsNow, results_now
from judge_tui.campaign.shell_command import shell_command
from judge_tui.campaign.store.documents import document_names
from judge_tui.campaign.store.pool import pooled_documents
from judge_tui.cli.app import open_app, refuse_no_terminal
from judge_tui.cli.commands import Command, make_command, option, options
from judge_tui.cli.options import database, include_models, measures_option, policy
from judge_tui.cli.printing import output_options, print_report, refuse_inputs
from judge_tui.errors import UsageError, check_known
from judge_tui.report import Report
from judge_tui.report.results import (
    deltas_report,
    divergent_report,
    document_slices_report,
    histogram_report,
    leaderboard_report,
    misses_report,
    query_slices_report,
    rankings_report,
)
from judge_tui.scoring.slices import CLASS

_KIND, _LENGTH = "document.kind", "document.length"
_OF_DOCUMENTS = {_KIND: _KIND, _LENGTH: _LENGTH, "kind": _KIND, "length": _LENGTH}


@dataclass(frozen=True)
class View:
    """`--name`, an option that takes these `words`, of which the last `runs` are tags. `report`
    makes the view from the campaign, its results and the words."""

    name: str
    words: str
    help: str
    report: Callable[..., Report]
    runs: int = 0
    needs_one_measure: bool = False

    @property
    def flag(self) -> Callable[[Command], Command]:
        """How it is asked for."""
        count = len(self.words.split())
        takes = {"nargs": count, "metavar": self.words} if count else {"is_flag": True}
        return option(f"--{self.name}", group="Views", help=self.help, **takes)

    def of(self, db: Path, question: Question, words: Sequence[str]) -> Report:
        """The view as of one moment; tags among the words join those that were asked for."""
        if question.tags and self.runs:
            tags = (*question.tags, *words[len(words) - self.runs :])
            question = replace(question, tags=tuple(dict.fromkeys(tags)))
        with open_campaign(db) as campaign, campaign.reading():
            return self.report(campaign, results_now(campaign, question), *words)


def _warned(results: ResultsNow, *tags: str) -> Basis:
    """What a view of all runs, or of these, rests on, with what a reader of it must know."""
    warnings = of_results(results.now.judged, results.basis, tags or None)
    return replace(results.basis, warnings=warnings)


def _leaderboard(_: Campaign, results: ResultsNow) -> Report:
    judged, basis = results.now.judged, results.basis
    compared = verdicts(judged, tested_measures(basis), basis.baseline)
    warnings = of_results(judged, basis, comparisons=compared.comparisons)
    return leaderboard_report(
        judged.scores(dict.fromkeys([*basis.measures, *basis.shares])),
        replace(basis, warnings=warnings),
        intervals=intervals(judged.scores(basis.measures), basis.seed),
        bounds=mean_bounds(judged, basis.measures, basis.scale),
        verdicts=compared,
    )


def _failures(campaign: Campaign, results: ResultsNow, tag: str) -> Report:
    results.basis.refuse_deep_top(tag)
    missed = find_misses(results.now.judged, tag, results.basis.question.k)
    documents = {document for row in missed.rows for document in row.documents}
    texts, names = query_facts(campaign).texts, document_names(campaign, documents)
    return misses_report(missed, _warned(results, tag), texts, names)


def _histogram(_: Campaign, results: ResultsNow) -> Report:
    return histogram_report(first_relevant(results.now.judged), _warned(results))


def _slices(campaign: Campaign, results: ResultsNow, field: str) -> Report:
    facts = query_facts(campaign)
    fields = facts.fields
    # Unless the queries themselves have a field of that name.
    if field not in fields:
        if field == CLASS:
            raise UsageError(
                "no query has a class",
                'load queries with one, as {"query_id": "q1", "text": "…", "class": "lookup"},'
                " with --replace where they are loaded already",
            )
        check_known("field", field, (*fields, _KIND, _LENGTH))
        return _document_slices(campaign, results, _OF_DOCUMENTS[field])
    measures = results.basis.measures
    if not results.basis.question.measures:
        measures = measures[:1]
    declared, basis = measures_by(field, facts.queries, fields[field], _warned(results))
    slices = query_slices(results.now.judged, measures, field, fields[field], declared)
    return query_slices_report(slices, basis)


def _document_slices(campaign: Campaign, results: ResultsNow, field: str) -> Report:
    judged = results.now.judged
    results.basis.refuse_deep_top()
    facts = document_facts(campaign, relevant_documents(judged))
    cut = kind_slices if field == _KIND else length_slices
    return document_slices_report(cut(judged, facts, results.basis.question.k), _warned(results))


def _delta(campaign: Campaign, results: ResultsNow, baseline: str, tag: str) -> Report:
    compared = deltas(results.now.judged, results.basis.measures[0], baseline, tag)
    return deltas_report(compared, _warned(results, baseline, tag), query_facts(campaign).texts)


def _query(campaign: Campaign, results: ResultsNow, query_id: str, *tags: str) -> Report:
    judged, basis = results.now.judged, results.basis
    query = judged.lists.index_of_query(query_id)
    beside = side_by_side(judged, query, *tags, depth=basis.question.k)
    documents = {one.document for row in beside.rows for one in row if one is not None}
    return rankings_report(
        beside,
        replace(basis, warnings=of_query(judged, basis, query_id, tags)),
        query_facts(campaign).texts,
        document_names(campaign, documents),
        pooled_documents(campaign, int(results.now.loaded.queries[query])),
        values={
            one.name: judged.values_of_query(one, query, tags)
            for one in (*basis.measures, *basis.shares)
        },
    )


def _disagreements(campaign: Campaign, results: ResultsNow) -> Report:
    results.basis.refuse_deep_top()
    judged, measure = results.now.judged, results.basis.measures[0]
    k = results.basis.question.k
    divergent = most_divergent(judged.lists, judged.values(measure), measure, k)
    return divergent_report(divergent, _warned(results), query_facts(campaign).texts)


VIEWS = (
    View("leaderboard", "", "The runs, best first, beside the baseline.", _leaderboard),
    View(
        "failures",
        "TAG",
        "The queries with nothing relevant in the top k of TAG, and what came.",
        _failures,
        runs=1,
    ),
    View("histogram", "", "The rank of the first relevant document.", _histogram),
    View(
        "by",
        "FIELD",
        "Each value of a field of the queries, such as class; document.kind and document.length"
        " slice the relevant documents.",
        _slices,
    ),
    View(
        "delta",
        "A B",
        "Run B beside run A, query by query.",
        _delta,
        runs=2,
        needs_one_measure=True,
    ),
    View("query", "QID A B", "Both runs' rankings of one query.", _query, runs=2),
    View(
        "disagreements",
        "",
        "The queries on which the runs are furthest apart.",
        _disagreements,
        needs_one_measure=True,
    ),
)


@make_command(
    manual="results",
    examples=["results --leaderboard -m nDCG@10 -m AP", "results --query q017 bm25 dense"],
)
@click.argument("tags", nargs=-1, metavar="[TAG]...")
@options(*(view.flag for view in VIEWS))
@option(
    "--all",
    "whole",
    group="Views",
    is_flag=True,
    help="Print also what a view rests on: bounds, intervals, what is kept of the runs.",
)
@database()
@measures_option("As score has them; may be repeated.  [default: the usual ones; of one nDCG@10]")
@option(
    "--baseline",
    metavar="TAG",
    help="The run to compare with.  [default: the campaign's, else the first]",
)
@option(
    "-k",
    type=click.IntRange(1, 100_000),
    default=10,
    show_default=True,
    help="How many results are the top.",
)
@policy()
@include_models
@output_options
def command(
    db: Path,
    tags: tuple[str, ...],
    whole: bool,
    measures: tuple[str, ...],
    baseline: str | None,
    k: int,
    policy: str,
    include_models: bool | None,
    form: str,
    output: str | None,
    **views: Any,
) -> int:
    """Print a view of the results, of all runs or of those TAGs; without a view, open the app.

    The numbers are those of score --db and compare --db. With -f, -o or --all and no view, the
    leaderboard is printed.
    """
    question = Question(tags, measures, baseline, k, policy, include_models)
    chosen = [view for view in VIEWS if views[view.name] not in (None, False)]
    if len(chosen) > 1:
        flags = " and ".join(f"--{view.name}" for view in chosen)
        raise click.UsageError(f"{flags} are two views; ask for one at a time")
    if not chosen and form == "table" and output is None and not whole:
        return _open(db, question)
    view = chosen[0] if chosen else VIEWS[0]
    if len(measures) > 1 and view.needs_one_measure:
        raise click.UsageError(f"--{view.name} is by one measure; give one -m")
    refuse_inputs(output, [str(db)])
    words = views[view.name] if view.words else ()
    report = view.of(db, question, (words,) if isinstance(words, str) else words)
    print_report(report if whole else report.brief(), form, output)
    return 0


def _open(db: Path, question: Question) -> int:
    flags = [f"--{view.name} {view.words}".rstrip() for view in VIEWS]
    views = f"{', '.join(flags[:-1])} or {flags[-1]}"
    refuse_no_terminal(f"print a view: {shell_command(db, 'results', views)}")
    with open_campaign(db) as campaign:
        return open_app(campaign, lambda app: app.showing_results(question))
