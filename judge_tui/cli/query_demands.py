"""What a queries file, or a campaign's queries, demand, and their subsets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from judge_tui.cli.inputs import Inputs
from judge_tui.errors import InputError, UsageError

if TYPE_CHECKING:
    from judge_tui.cli.input_options import CampaignChoice
    from judge_tui.model import Query
    from judge_tui.scoring.demands import Demands

__all__ = ["with_queries"]

_STDIN = "-"


def with_queries(
    inputs: Inputs,
    queries: str | None,
    campaign: CampaignChoice | None,
    run_format: str | None,
    *,
    sliced: bool,
) -> Inputs:
    """The inputs with the queries that slices are made of, read once, and what these demand, which
    is measured where it is `sliced`; those of answers have it all.

    Qrels and runs, files of `run_format` if that is given, that name queries by their texts come
    under the ids of the file of queries. Raises `InputError` for a bad file or demand, and
    `UsageError` where what is demanded needs a run to be read twice that cannot be.
    """
    source = inputs.queries if queries is None else queries
    if source is None or inputs.truths is not None:
        return inputs
    from judge_tui.cli.slow_patterns import watch_patterns
    from judge_tui.formats.answers.demands import of_queries
    from judge_tui.scoring.class_terms import DEMANDS, misspelt
    from judge_tui.scoring.demands import Demands
    from judge_tui.sources import queries_from

    its = queries_from(source)
    there = inputs.files[0] if campaign is None else campaign.db
    if queries is not None:
        if campaign is not None:
            _refuse_other_texts(queries_from(inputs.queries or ()), there, its, queries)
        told = misspelt(query.query_class for query in its)
        inputs = inputs._replace(notes=(*inputs.notes, *told))
        if campaign is None:
            from judge_tui.formats.query_names import QueryNames
            from judge_tui.sources.by_text import grades_under_ids, runs_under_ids

            names = QueryNames.of(its)
            inputs = inputs._replace(
                qrels=grades_under_ids(inputs.qrels, there, names),
                runs=runs_under_ids(inputs.runs, names, run_format),
            )
    whose = queries or there
    demands = Demands.made(its, of_queries(its, whose)) if sliced else Demands()
    if queries is not None:
        if not demands:
            _refuse_unknown(inputs.qrels, there, its, queries)
        notes = _left_out(inputs.qrels, demands, its, queries)
        inputs = inputs._replace(notes=(*inputs.notes, *notes))
    if demands and _STDIN in inputs.files:
        raise UsageError(
            f"queries say what is to come first ({', '.join(DEMANDS)}), for which a run is read"
            " once more, and standard input cannot be",
            "give the run as a file",
        )
    if demands:
        watch_patterns(whose)
    return inputs._replace(queries=its, demands=demands)


def _refuse_unknown(
    graded: Collection[str], there: str, queries: Sequence[Query], path: str
) -> None:
    """Raise `InputError` where no query of the file is among those that have grades `there`."""
    ids = [query.query_id for query in queries]
    if graded and not any(not one.own_id or one.query_id in graded for one in queries):
        raise InputError(
            path,
            None,
            f"none of its queries is in {there}, such as {ids[0]!r} here and {next(iter(graded))!r}"
            " there",
            "look at the ids",
        )


def _left_out(
    graded: Collection[str], demands: Demands, queries: Sequence[Query], path: str
) -> list[str]:
    """What is to be told of queries of the file that are in no slice, as nothing is known of them:
    not where none has a grade, as those called by places that others count otherwise."""
    known = {*graded, *demands.query_ids}
    left_out = [one.query_id for one in queries if one.query_id not in known]
    if not left_out or len(left_out) == len(queries):
        return []
    from judge_tui.scoring.demands import first_named

    return [f"queries of {path} without grades, left out: {first_named(left_out)}"]


def _refuse_other_texts(
    known: Iterable[Query], there: str, queries: Iterable[Query], path: str
) -> None:
    """Raise `InputError` where an id is that of another query in the file of queries than `there`,
    as where these were numbered anew."""
    from judge_tui.formats.query_names import folded_text

    by_id = {query.query_id: folded_text(query.text) for query in known}
    for query in queries:
        same, text = by_id.get(query.query_id), folded_text(query.text)
        if same and same != text:
            raise InputError(
                path,
                None,
                f"query {query.query_id!r} is {same!r:.70} in {there}, and {text!r:.70} here",
                "mend the id or the text",
            )
