"""What a queries file, or a campaign's queries, demand, and their subsets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from judge_tui.cli.inputs import Inputs, as_asked
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

    Qrels and runs, files of `run_format` if that is given, come under the same names as the queries
    of a file (`named_alike`). Raises `InputError` for a bad file or demand, and `UsageError` where
    what is demanded needs a run to be read twice that cannot be.
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
            from judge_tui.sources.named_alike import named_alike

            qrels, runs, its, others = named_alike(
                inputs.qrels,
                inputs.runs,
                its,
                path=there,
                asked=queries,
                by_text=inputs.by_text,
                format=run_format,
            )
            inputs = inputs._replace(qrels=qrels, runs=runs)
            asked = its if others else [replace(one, own_id=True) for one in its]
            inputs = as_asked(inputs, queries, asked, others)
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
    """Raise `InputError` where no query of the file is among those that have grades `there`; those
    that are called by their places are told already (`known_by_place`)."""
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
    from judge_tui.formats.named_queries import clash, words_of

    by_id = {query.query_id: query for query in known}
    for query in queries:
        same = by_id.get(query.query_id)
        if same and same.text and words_of(same.text) != words_of(query.text):
            mend = (
                "mend the id or the text" if query.own_id else "write the ids into it, as query_id"
            )
            raise clash(path, None, same, query, mend, there)
