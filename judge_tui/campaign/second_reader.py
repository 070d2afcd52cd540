"""A second connection to an open campaign, for reading in another thread what takes a while."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from judge_tui.campaign.file import Campaign, read_only_connection
from judge_tui.campaign.words import in_words
from judge_tui.errors import CampaignError

__all__ = ["second_reader"]

_LOOK_EVERY = 10_000
"""Instructions of SQLite's machine: well below a millisecond."""


@contextmanager
def second_reader(campaign: Campaign, stopped: Callable[[], bool]) -> Iterator[Campaign]:
    """The same file, opened once more and read-only, in the thread that is to read it.

    As soon as `stopped` is true, what is being read ends with a `CampaignError`, and so does all
    that is read after it. Raises `CampaignError` where another file stands there now.
    """
    if campaign.loss is not None:
        raise campaign.loss
    try:
        connection = read_only_connection(campaign.place)
        with closing(connection):
            connection.set_progress_handler(stopped, _LOOK_EVERY)
            reader = Campaign(campaign.path, connection, read_only=True)
            if not campaign.is_same_file():
                what = "the file was deleted, moved or replaced while it was open"
                raise CampaignError(campaign.path, what, "leave and start again")
            yield reader
    except sqlite3.Error as error:
        raise in_words(campaign.path, error) from error
