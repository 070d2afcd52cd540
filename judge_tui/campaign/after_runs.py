"""What is to be told once runs have been loaded: what the campaign knows of them less than of
others, and where grades that were loaded are no longer all that their file would give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge_tui.campaign.asked_queries import unknown_runs
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.loaded import LOADED
from judge_tui.formats import decode_id
from judge_tui.nothing_found import asked_nobody_knows_what
from judge_tui.scoring.truths import Truth, place_of

__all__ = ["told_after_runs"]


def told_after_runs(
    campaign: Campaign, came: Sequence[str], *, some_were_asked: bool
) -> tuple[str, ...]:
    """Lines to be told. `came`: tags of the runs that came in or were replaced; `some_were_asked`:
    the files had one of which it is known what it was asked."""
    told = []
    if some_were_asked:
        told.append(asked_nobody_knows_what(unknown_runs(campaign)))
    with campaign.reading():
        told.append(_lines_with_a_grade(campaign, came))
    return tuple(one for one in told if one)


def _lines_with_a_grade(campaign: Campaign, came: Sequence[str]) -> str:
    """Of results without a grade that share lines with a document whose grade came from a file; ""
    where there are none. Answers that were loaded before the run would have graded those, too, that
    share lines with the answers themselves, of which the campaign knows nothing."""
    graded: dict[tuple[int, str], list[Truth]] = {}
    for query, doc_id in campaign.rows(
        "SELECT p.query, doc_id FROM pool AS p JOIN documents AS d ON d.id = p.document"
        " WHERE stratum = ? AND EXISTS (SELECT 1 FROM live_events WHERE pair = p.id) ORDER BY p.id",
        (LOADED,),
    ):
        place = place_of(decode_id(doc_id))
        graded.setdefault((query, place.path), []).append(Truth(doc_id, place=place))
    if not graded:
        return ""
    results: dict[tuple[str, str], str] = {}
    for tag in came:
        for query, query_id, doc_id in _ungraded(campaign, tag):
            read = decode_id(doc_id)
            near = (
                truth.written
                for path in _paths(read)
                for truth in graded.get((query, path), ())
                if truth.matches(read)
            )
            if (beside := next(near, None)) is not None:
                results.setdefault((query_id, doc_id), beside)
    if not results:
        return ""
    (query_id, doc_id), beside = next(iter(results.items()))
    one = len(results) == 1
    return (
        f"{len(results):,} {'result has' if one else 'results have'} no grade, but"
        f" {'shares' if one else 'share'} lines with one whose grade was loaded, as {doc_id} does"
        f" with {beside} (query {query_id}); if that was of answers, load them again: they grade"
        f" {'it, too, if it' if one else 'each, too, that'} shares lines with what they name"
    )


def _ungraded(campaign: Campaign, tag: str) -> Iterator[tuple[int, str, str]]:
    """Query (key and id) and doc_id of the results of a run of which nobody decided anything, for
    queries of which grades were loaded."""
    yield from campaign.rows(
        "SELECT q.id, query_id, doc_id FROM queries AS q CROSS JOIN results AS o"
        " ON o.run = (SELECT id FROM runs WHERE tag = ?) AND o.query = q.id"
        " JOIN documents AS d ON d.id = o.document WHERE q.id IN (SELECT query FROM pool"
        " WHERE stratum = ?) AND NOT EXISTS (SELECT 1 FROM pool AS p JOIN events AS e"
        " ON e.pair = p.id WHERE (p.query, p.document) = (o.query, o.document))"
        " ORDER BY q.id, o.rank",
        (tag, LOADED),
    )


def _paths(doc_id: str) -> set[str]:
    """The paths that it may be of: behind a line there may be a column."""
    return {place_of(doc_id).path, place_of(doc_id.rpartition(":")[0]).path}
