"""Queries that a file brings under ids of its own, and which a campaign has under others."""

from __future__ import annotations

import os
from collections.abc import Sequence

from judge_tui.campaign.coming_queries import ComingQuery, first_three
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.query_changes import has_other_text
from judge_tui.campaign.standing_under import standing_under
from judge_tui.campaign.typed import typed
from judge_tui.errors import InputError
from judge_tui.formats.named_queries import NamedQueries
from judge_tui.formats.problems import quoted
from judge_tui.model import Query

__all__ = ["refuse_doubled", "told_of_doubled"]


def refuse_doubled(
    campaign: Campaign,
    path: str | os.PathLike[str],
    queries: Sequence[Query],
    coming: Sequence[ComingQuery],
) -> None:
    """Raise `InputError` where new queries ask what some of the campaign's `queries` do, which the
    file does not have and for which there are judgments: nothing would say that they are one."""
    doubled = _doubled(queries, coming)
    under = standing_under(campaign, [known.query_id for _, known in doubled])
    if not under.judgments:
        return
    one, known = doubled[0]
    so = f"; so are {len(doubled):,} queries in all" if len(doubled) > 1 else ""
    listed = typed(campaign.path, "export msmarco", "-o FOLDER --unresolved skip")
    raise InputError(
        path,
        one.line,
        f"query {one.query_id!r} is new, and its text {quoted(one.query.text)} that of"
        f" {known.query_id!r} in the campaign{so}, and there are {under} under the ids there",
        f"write the campaign's ids into the file (queries.test.tsv of {listed} has them); or take"
        " them for queries of their own with --replace",
    )


def told_of_doubled(queries: Sequence[Query], coming: Sequence[ComingQuery]) -> list[str]:
    """What is to be told of such queries, judged or not, and of those that have the text of another
    one now."""
    both = (
        ("new queries of texts that the campaign has under other ids", _doubled(queries, coming)),
        ("queries whose text now is that of others, too", _doubled(queries, coming, known=True)),
    )
    told = []
    for what, doubled in both:
        if doubled:
            listed = first_three(
                [f"{one.query_id} is {its.query_id}, {quoted(its.text)}" for one, its in doubled]
            )
            told.append(
                f"{what}: {len(doubled):,} ({listed}); runs and judgments of one id say nothing of"
                " the other"
            )
    return told


def _doubled(
    queries: Sequence[Query], coming: Sequence[ComingQuery], *, known: bool = False
) -> list[tuple[ComingQuery, Query]]:
    """Each query that has an id of its own, new or with another text than is `known`, and one of
    that text which the file lacks."""
    named = NamedQueries(queries)
    there = {its.query_id for one in coming for its in one.known}
    doubled = []
    for one in coming:
        others = [its for its in one.known if has_other_text(its, one.query)]
        comes = bool(others) if known else not one.known
        if one.query.own_id and comes and one.query.text.strip():
            same = [q for q in named.of_text(one.query.text) if q.query_id not in there]
            doubled += [(one, its) for its in same[:1]]
    return doubled
