"""What a queries file, or a campaign's queries, demand, and their subsets."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from judge_tui.cli.inputs import Inputs
from judge_tui.errors import InputError, UsageError

if TYPE_CHECKING:
    from judge_tui.cli.input_options import CampaignChoice
    from judge_tui.model import Query

__all__ = ["with_queries"]

_STDIN = "-"


def with_queries(inputs: Inputs, queries: str | None, campaign: CampaignChoice | None) -> Inputs:
    """The inputs with the queries that slices are made of, read once, and what these demand; those
    of answers stay as they are, and a benchmark has its own. Raises `InputError` for a bad file or
    demand, and `UsageError` where what is demanded needs a run to be read twice that cannot be."""
    if queries is None and inputs.queries is None and _is_benchmark(inputs.files[0]):
        queries = inputs.files[0]
    source = inputs.queries if queries is None else queries
    if source is None:
        return inputs
    from judge_tui.cli.slow_patterns import watch_patterns
    from judge_tui.formats.answers.demands import of_queries
    from judge_tui.scoring.class_terms import DEMANDS, class_called
    from judge_tui.scoring.demands import Demands, subset_named
    from judge_tui.sources import queries_from

    its = queries_from(source)
    if inputs.truths is not None:
        if queries is not None:
            _refuse_other_texts(inputs, its, queries)
        return inputs._replace(queries=its)
    inputs = inputs._replace(queries=its)
    whose = queries or ("the campaign" if campaign is None else campaign.db)
    demands = Demands(
        of_queries(its, whose),
        {query.query_id: class_called(query.query_class) for query in its},
        {query.query_id: name for query in its if (name := subset_named(query))},
    )
    if demands and _STDIN in inputs.files:
        raise UsageError(
            f"queries say what is to come first ({', '.join(DEMANDS)}), for which a run is read"
            " once more, and standard input cannot be",
            "give the run as a file",
        )
    if demands:
        watch_patterns(whose)
    return inputs._replace(demands=demands)


def _refuse_other_texts(inputs: Inputs, queries: Iterable[Query], path: str) -> None:
    """Raise `InputError` where an id is that of another query in the answers than in the file of
    queries, as where these were numbered anew."""
    from judge_tui.formats.ids import plain_field
    from judge_tui.formats.named_queries import clash, words_of

    answered = {plain_field(query.query_id): query for query in inputs.queries or ()}
    for query in queries:
        known = answered.get(plain_field(query.query_id))
        if known and known.text and words_of(known.text) != words_of(query.text):
            mend = "mend the id or the text; an answer with an id needs no text"
            raise clash(path, None, known, query, mend, inputs.files[0])


def _is_benchmark(path: str) -> bool:
    """Whether it holds the queries, too, and can be read once more."""
    from judge_tui.formats import recognise

    if path == _STDIN or not Path(path).is_file():
        return False
    try:
        return recognise(path) == ("qrels", "benchmark")
    except InputError:
        # It was read as what somebody said that it is.
        return False
