"""`judge-tui results`: what the runs are worth, printed view by view, or the app to look around."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge_tui.cli.options import database, include_models
from judge_tui.cli.printing import output_options_and, print_report, refuse_inputs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from judge_tui.analysis import Standing
    from judge_tui.analysis.asked import Asked, Basis
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.document_facts import Named
    from judge_tui.report import Report
    from judge_tui.scoring import Measure
    from judge_tui.tui.app import Opening

__all__ = ["command"]

_KIND, _LENGTH = "document.kind", "document.length"
_OF_DOCUMENTS = {_KIND: _KIND, _LENGTH: _LENGTH, "kind": _KIND, "length": _LENGTH}


@click.command()
@database
@click.argument("tags", nargs=-1, metavar="[TAG]...")
@click.option("--leaderboard", is_flag=True, help="The runs with means, intervals and verdicts.")
@click.option(
    "--failures", metavar="TAG", help="Queries with nothing relevant in its top k; what came."
)
@click.option("--histogram", is_flag=True, help="The rank of the first relevant document.")
@click.option(
    "--by",
    metavar="FIELD",
    help="By a field of the queries, such as class; or by document.kind or document.length, for"
    " which kind and length will do where the queries have no such field.",
)
@click.option("--delta", nargs=2, metavar="A B", help="Run B beside run A, query by query.")
@click.option("--query", nargs=3, metavar="QID A B", help="Both runs' rankings of one query.")
@click.option(
    "--disagreements", is_flag=True, help="The queries on which the runs are furthest apart."
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="As score has them; may be repeated.  [default: the usual ones; of one nDCG@10]",
)
@click.option("--baseline", metavar="TAG", help="The run to compare with.  [default: the first]")
@click.option(
    "-k",
    type=click.IntRange(1, 100_000),
    default=10,
    show_default=True,
    help="How many results are the top.",
)
@click.option(
    "--rel",
    type=click.IntRange(1, 9),
    default=1,
    show_default=True,
    help="The least grade that counts as relevant.",
)
@click.option(
    "--policy",
    default="majority",
    show_default=True,
    metavar="POLICY",
    help="How several judgments become one grade: majority, median, mean-rounded, min, max or"
    " judge:NAME.",
)
@click.option(
    "--unresolved",
    type=click.Choice(["skip", "lead", "refuse"]),
    default="skip",
    show_default=True,
    help="Pairs that the policy does not decide: leave them out (skip), take only what the lead"
    " settled or nobody disputes (lead), or refuse.",
)
@include_models
@output_options_and("svg")
def command(
    db: Path,
    tags: tuple[str, ...],
    leaderboard: bool,
    failures: str | None,
    histogram: bool,
    by: str | None,
    delta: tuple[str, str] | None,
    query: tuple[str, str, str] | None,
    disagreements: bool,
    measures: tuple[str, ...],
    baseline: str | None,
    k: int,
    rel: int,
    policy: str,
    unresolved: str,
    include_models: bool,
    form: str,
    output: str | None,
) -> int:
    """Print a view of the results, of all runs or of those TAGs; without a view, open the app.

    Values are those of judge-tui score --db. -f and -o without a view print the leaderboard.
    """
    from judge_tui.analysis.asked import Asked

    asked = Asked(
        tags=tags,
        measures=measures,
        baseline=baseline,
        k=k,
        rel=rel,
        policy=policy,
        unresolved=unresolved,
        include_models=include_models,
    )
    views: dict[str, Callable[[_Seen], Report] | None] = {
        "--leaderboard": _leaderboard if leaderboard else None,
        "--failures": None if failures is None else lambda seen: _failures(seen, failures),
        "--histogram": _histogram if histogram else None,
        "--by": None if by is None else lambda seen: _slices(seen, by),
        "--delta": None if delta is None else lambda seen: _deltas(seen, *delta),
        "--query": None if query is None else lambda seen: _rankings(seen, *query),
        "--disagreements": _disagreements if disagreements else None,
    }
    chosen = {name: view for name, view in views.items() if view is not None}
    if len(chosen) > 1:
        raise click.UsageError(f"{' and '.join(chosen)} are two views; ask for one at a time")
    written = form != "table" or output is not None
    if not chosen and not written:
        return _open(db, asked)
    ((name, view),) = chosen.items() or (("--leaderboard", _leaderboard),)
    if len(measures) > 1 and name in ("--delta", "--disagreements"):
        raise click.UsageError(f"{name} is by one measure; give one -m")
    refuse_inputs(output, [str(db)])
    report = _read(db, asked, view, needed=(*(delta or ()), *(query or ())[1:], failures))
    print_report(report, form, output)
    return 0


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a view is made of: the standing, what it rests on, and the campaign behind it."""

    campaign: Campaign
    standing: Standing
    basis: Basis

    @property
    def measure(self) -> Measure:
        return self.basis.measures[0]

    def texts(self) -> dict[str, str]:
        from judge_tui.campaign.document_facts import query_facts

        return dict(query_facts(self.campaign).texts)

    def names(self, documents: Iterable[int]) -> dict[int, Named]:
        from judge_tui.campaign.document_facts import named_documents

        return named_documents(self.campaign, documents)


def _open(db: Path, asked: Asked) -> int:
    from judge_tui.campaign import open_campaign
    from judge_tui.cli.judge import open_app, refuse_no_terminal

    refuse_no_terminal(
        "print a view: judge-tui results --leaderboard, --failures TAG, --histogram, --by FIELD,"
        " --delta A B, --query QID A B or --disagreements"
    )
    with open_campaign(db) as campaign:

        def at_results(_: object) -> Opening:
            from judge_tui.tui.screens.results import opening

            return opening(asked)

        return open_app(campaign, at_results)


def _read(
    db: Path, asked: Asked, view: Callable[[_Seen], Report], *, needed: Iterable[str | None]
) -> Report:
    """Everything of one moment. Runs that a view names join those that were asked for."""
    from dataclasses import replace

    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.asked import results_now

    if asked.tags:
        tags = (*asked.tags, asked.baseline, *needed)
        asked = replace(asked, tags=tuple(dict.fromkeys(tag for tag in tags if tag is not None)))
    with open_campaign(db) as campaign, campaign.reading():
        found = results_now(campaign, asked)
        return view(_Seen(campaign, found.now.standing, found.basis))


def _leaderboard(seen: _Seen) -> Report:
    from judge_tui.analysis.bounds import loose_ends
    from judge_tui.analysis.leaderboard import intervals, leaderboard, verdicts
    from judge_tui.report.results import leaderboard_report

    standing, basis = seen.standing, seen.basis
    return leaderboard_report(
        leaderboard(standing, basis.measures, basis.shares),
        basis,
        intervals=intervals(standing, basis.measures, basis.seed),
        loose=loose_ends(standing, basis.measures, basis.grades),
        verdicts=verdicts(standing, basis.measures, basis.baseline),
    )


def _failures(seen: _Seen, tag: str) -> Report:
    from judge_tui.analysis.failures import failures
    from judge_tui.report.results import failures_report

    seen.basis.refuse_deep_top(tag)
    found = failures(seen.standing, tag, seen.basis.asked.k, seen.basis.asked.rel)
    documents = {one.document for row in found.rows for one in row.came}
    documents |= {one.document for row in found.rows for one in row.missed}
    return failures_report(found, seen.basis, seen.texts(), seen.names(documents))


def _histogram(seen: _Seen) -> Report:
    from judge_tui.analysis.first_relevant import first_relevant
    from judge_tui.report.results import histogram_report

    found = first_relevant(seen.standing, seen.basis.asked.rel)
    return histogram_report(found, seen.basis)


def _slices(seen: _Seen, field: str) -> Report:
    from judge_tui.analysis.slices import query_slices
    from judge_tui.campaign.document_facts import query_facts
    from judge_tui.errors import unknown
    from judge_tui.report.results import query_slices_report

    fields = query_facts(seen.campaign).fields
    # Unless the queries themselves have a field of that name.
    if field not in fields:
        if field not in _OF_DOCUMENTS:
            raise unknown("field", field, (*fields, _KIND, _LENGTH))
        return _document_slices(seen, _OF_DOCUMENTS[field])
    basis = seen.basis
    measures = basis.measures if basis.asked.measures else basis.measures[:1]
    found = [query_slices(seen.standing, one, field, fields[field]) for one in measures]
    return query_slices_report(found, basis)


def _document_slices(seen: _Seen, field: str) -> Report:
    from judge_tui.analysis.document_kinds import kind_slices, length_slices, relevant_documents
    from judge_tui.campaign.document_facts import document_facts
    from judge_tui.report.results import document_slices_report

    k, rel = seen.basis.asked.k, seen.basis.asked.rel
    seen.basis.refuse_deep_top()
    facts = document_facts(seen.campaign, relevant_documents(seen.standing, rel))
    cut = kind_slices if field == _KIND else length_slices
    found = cut(seen.standing, facts, k, rel)
    return document_slices_report(found, seen.basis)


def _deltas(seen: _Seen, baseline: str, tag: str) -> Report:
    from judge_tui.analysis.deltas import deltas
    from judge_tui.report.results import deltas_report

    found = deltas(seen.standing, seen.measure, baseline, tag)
    return deltas_report(found, seen.basis, seen.texts())


def _rankings(seen: _Seen, query_id: str, baseline: str, tag: str) -> Report:
    from judge_tui.analysis.side_by_side import place_of_query, two_rankings
    from judge_tui.formats import decode_id
    from judge_tui.report.results import two_rankings_report

    standing, basis = seen.standing, seen.basis
    # As exported files have it, too.
    known = query_id in standing.rankings.query_ids
    query = place_of_query(standing, query_id if known else decode_id(query_id))
    found = two_rankings(standing, query, baseline, tag, basis.asked.k)
    tags = standing.rankings.tags

    def worth(measure: Measure) -> tuple[float | None, float | None]:
        before, after = (
            float(standing.values(measure)[place, query]) if standing.scored[place, query] else None
            for place in (tags.index(baseline), tags.index(tag))
        )
        return before, after

    return two_rankings_report(
        found,
        basis,
        seen.texts(),
        seen.names(one.document for row in found.rows for one in row if one is not None),
        values={one.name: worth(one) for one in (*basis.measures, *basis.shares)},
    )


def _disagreements(seen: _Seen) -> Report:
    from judge_tui.analysis.divided import divided
    from judge_tui.report.results import divided_report

    seen.basis.refuse_deep_top()
    found = divided(seen.standing, seen.measure, seen.basis.asked.k)
    return divided_report(found, seen.basis, seen.texts())
