"""Queries into a campaign, from a file of them or beside documents and grades."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace as changed_in
from typing import SupportsIndex

from judge_tui.campaign.loading import Loaded
from judge_tui.campaign.loading.identify import identify, merge_record
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.queries import known_queries, write_queries
from judge_tui.errors import InputError
from judge_tui.formats.problems import quoted
from judge_tui.formats.query_names import folded_text
from judge_tui.formats.rows import iter_queries
from judge_tui.formats.source import AsLayout
from judge_tui.model import Query

PathLike = str | os.PathLike[str]


def load_queries(
    campaign: Campaign, path: PathLike, *, layout: AsLayout = None, replace: bool = False
) -> Loaded:
    """Load a file of queries. What it says of a query that is there already is added to it; what it
    does not say stays.

    Raises `InputError` at the first bad line, and where the file says something else of a query
    than the campaign does, unless `replace`: then the file holds.
    """
    # Read before the campaign is held: a slow file keeps no judge waiting.
    rows = list(iter_queries(path, format=layout))
    with campaign.writing():
        return take_queries(campaign, path, rows, replace=replace)[0]


def take_queries(
    campaign: Campaign,
    path: PathLike,
    rows: Sequence[tuple[SupportsIndex, Query]],
    *,
    replace: bool,
) -> tuple[Loaded, list[str]]:
    """The same of rows that were read, and the ids that they have in the campaign, in their order;
    part of the caller's transaction."""
    here = known_queries(campaign, path)
    found = identify(path, rows, here)
    new = [one.query for one in found if one.known is None]
    changed = []
    for line, query, known in found:
        if known is None:
            continue
        if not replace:
            here.refuse_other_text(line, known, query.text)
        # White space is no other text.
        same = folded_text(known.text) == folded_text(query.text)
        new_of_it = changed_in(query, text=known.text) if same else query
        merged, unlike = merge_record(known, new_of_it, replacing=replace)
        if unlike and not replace:
            raise InputError(
                path,
                line,
                f"query {quoted(known.query_id)} has another {_called(unlike)} in the campaign",
                "mend the line, or let the file hold with --replace",
            )
        if merged != known:
            changed.append(merged)
    write_queries(campaign, [*new, *changed])
    counts = Loaded(len(new), len(changed), len(found) - len(new) - len(changed))
    return counts, [one.query.query_id for one in found]


def _called(field: str) -> str:
    return "class" if field == "query_class" else field
