"""Texts that runs were asked by ids of places, where the campaign had another one of the query.

They are kept with the run, for a file may bring such a text as a query of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from judge_tui.campaign.coming_queries import first_three
from judge_tui.campaign.file import Campaign
from judge_tui.formats.named_queries import words_of
from judge_tui.formats.problems import quoted
from judge_tui.model import Query

__all__ = ["told_of_asked", "with_asked_texts"]

_ASKED_AS = "asked_as"
"""In the settings of a run: query_id of the campaign -> the text that was asked."""


def with_asked_texts(settings: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """The settings of a run with the texts, by query_id, that it was asked otherwise than the
    campaign has them."""
    return {**settings, **({_ASKED_AS: dict(texts)} if texts else {})}


def told_of_asked(campaign: Campaign, new: Sequence[Query]) -> list[str]:
    """What is to be told of queries that are `new` in the campaign: runs which were asked their
    texts, with the queries for which the results count."""
    ids = {words_of(query.text): query.query_id for query in new}
    told: list[str] = []
    runs: dict[str, None] = {}
    for tag, settings in campaign.rows("SELECT tag, settings FROM runs ORDER BY loaded_at, id"):
        asked = json.loads(settings).get(_ASKED_AS)
        for its, text in asked.items() if isinstance(asked, dict) else ():
            query_id = ids.get(words_of(str(text)))
            if query_id is not None:
                asked_as = quoted(str(text))
                told.append(f"{tag} for {its}, asked as {asked_as}, which is {query_id} now")
                runs[tag] = None
    if not told:
        return []
    return [
        f"runs have results of new queries, which count for others still: {first_three(told)}; load"
        f" {', '.join(runs)} again with --replace"
    ]
