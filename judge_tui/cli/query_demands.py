"""What a queries file, or a campaign's queries, demand, and their subsets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from judge_tui.cli.inputs import Inputs
from judge_tui.errors import UsageError

if TYPE_CHECKING:
    from judge_tui.cli.input_options import CampaignChoice
    from judge_tui.model import Query

__all__ = ["with_queries"]

_STDIN = "-"


def with_queries(inputs: Inputs, queries: str | None, campaign: CampaignChoice | None) -> Inputs:
    """The inputs with the queries that slices are made of, read once, and what these demand; of
    what answers are about, with what either says. Raises `InputError` for a bad file or demand and
    for two that say different things, and `UsageError` where what is demanded needs a run to be
    read twice that cannot be."""
    source = inputs.queries if queries is None else queries
    if source is None:
        return inputs
    from judge_tui.cli.slow_patterns import watch_patterns
    from judge_tui.formats.answers.demands import of_queries
    from judge_tui.scoring.class_terms import DEMANDS, class_called, misspelt
    from judge_tui.scoring.demands import Demands, subset_named
    from judge_tui.sources import queries_from

    its = queries_from(source)
    there = inputs.files[0] if campaign is None else campaign.db
    if queries is not None:
        _refuse_other_texts(queries_from(inputs.queries or ()), there, its, queries)
        inputs = inputs._replace(
            notes=(*inputs.notes, *misspelt(query.query_class for query in its))
        )
    whose = queries or there
    demanded = of_queries(its, whose)
    about = its
    if inputs.truths is not None:
        answered = queries_from(inputs.queries or ())
        if queries is not None:
            its = _with_answers(answered, there, its, queries)
            demanded = of_queries(its, whose)
        known = {query.query_id for query in answered}
        about = [query for query in its if query.query_id in known]
    inputs = inputs._replace(queries=its)
    demands = Demands(
        {query.query_id: demanded.get(query.query_id, {}) for query in about},
        {query.query_id: class_called(query.query_class) for query in about},
        {query.query_id: name for query in about if (name := subset_named(query))},
    )
    if inputs.truths is not None:
        return inputs._replace(demands=demands)
    if demands and _STDIN in inputs.files:
        raise UsageError(
            f"queries say what is to come first ({', '.join(DEMANDS)}), for which a run is read"
            " once more, and standard input cannot be",
            "give the run as a file",
        )
    if demands:
        watch_patterns(whose)
    return inputs._replace(demands=demands)


def _with_answers(
    answered: Iterable[Query], there: str, queries: Iterable[Query], path: str
) -> list[Query]:
    """The queries of the file, of those that answers are about with what either says, and the
    others that these are about. Raises `InputError` where they say different things."""
    from judge_tui.formats.answers.both import said_by_both

    known = {query.query_id: query for query in answered}
    own = [
        said_by_both(known[query.query_id], there, query, path, None)
        if query.query_id in known
        else query
        for query in queries
    ]
    there_too = {query.query_id for query in own}
    return [*own, *(query for query_id, query in known.items() if query_id not in there_too)]


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
            raise clash(path, None, same, query, "mend the id or the text", there)
