"""A second connection to an open campaign, for reading in another thread what takes a while."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from judge_tui.campaign.file import BUSY_MILLISECONDS, Campaign
from judge_tui.campaign.words import in_words

__all__ = ["second_reader"]

_LOOK_EVERY = 10_000
"""Instructions of SQLite's machine: well below a millisecond."""


@contextmanager
def second_reader(campaign: Campaign, stopped: Callable[[], bool]) -> Iterator[Campaign]:
    """The same file, opened once more and read-only, in the thread that is to read it.

    As soon as `stopped` is true, what is being read ends with a `CampaignError`, and so does all
    that is read after it; and so does what is read of a file that is no longer the one that
    `campaign` has open. Closing folds nothing: that is left to whom `campaign` belongs to.
    """
    try:
        uri = f"{campaign.place.as_uri()}?mode=ro"
        connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    except sqlite3.Error as error:
        raise in_words(campaign.path, error) from error
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        connection.set_progress_handler(stopped, _LOOK_EVERY)
        yield Campaign(campaign.path, connection, beside=campaign)
    finally:
        connection.close()
