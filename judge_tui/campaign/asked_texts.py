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

__all__ = ["asked_as", "told_of_asked", "with_asked_texts"]

_ASKED_AS = "asked_as"
"""In the settings of a run: query_id of the campaign -> the text that was asked."""


def with_asked_texts(settings: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """The settings of a run with the texts, by query_id, that it was asked otherwise than the
    campaign has them."""
    return {**settings, **({_ASKED_AS: dict(texts)} if texts else {})}


def asked_as(campaign: Campaign, run: int) -> dict[str, str]:
    """The texts, by query_id, that the run with that key was asked in the place of those which the
    campaign had."""
    ((settings,),) = campaign.rows("SELECT settings FROM runs WHERE id = ?", (run,))
    asked = json.loads(settings).get(_ASKED_AS)
    return asked if isinstance(asked, dict) else {}


def told_of_asked(campaign: Campaign, new: Sequence[Query]) -> list[str]:
    """What is to be told of queries that are `new` in the campaign: runs which were asked their
    texts, with the queries for which it counts what they found, if anything."""
    ids = {words_of(query.text): query.query_id for query in new}
    tags: dict[tuple[str, str, str], list[str]] = {}
    for tag, settings in campaign.rows("SELECT tag, settings FROM runs ORDER BY loaded_at, id"):
        asked = json.loads(settings).get(_ASKED_AS)
        for its, text in asked.items() if isinstance(asked, dict) else ():
            query_id = ids.get(words_of(str(text)))
            if query_id is not None:
                tags.setdefault((its, str(text), query_id), []).append(tag)
    if not tags:
        return []
    told = [
        f"{', '.join(runs)} for {its}, asked as {quoted(text)}, which is {query_id} now"
        for (its, text, query_id), runs in tags.items()
    ]
    every = dict.fromkeys(tag for runs in tags.values() for tag in runs)
    return [
        "runs were asked what is a new query now, and what they found, or that they found nothing,"
        f" counts for another one still: {first_three(told)}; load {', '.join(every)} again with"
        " --replace"
    ]
