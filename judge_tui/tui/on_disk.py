"""The file while the app is open: others write to it, and much of it is read beside the app."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import TypeVar

from textual.message import Message

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.campaign_file import second_reader

_Found = TypeVar("_Found")


@dataclass
class OnDisk(Message):
    """What `Campaign.version` is now, said to the current screen once a second: where it is not the
    one that the screen has read, others have written."""

    version: int


async def read_beside(campaign: Campaign, read: Callable[[Campaign], _Found]) -> _Found:
    """What `read` makes of the file in a thread with a reader of its own, to be awaited in a worker
    (`@work(exclusive=True)`): where that is cancelled, the reading ends too. Raises what `read`
    raises, and `CampaignError` where another file stands there now."""
    cancelled = Event()

    def read_it() -> _Found:
        with second_reader(campaign, cancelled.is_set) as reader:
            return read(reader)

    try:
        return await asyncio.to_thread(read_it)
    finally:
        cancelled.set()
