"""The names that the room offers: each is imported when it is asked for."""

from __future__ import annotations

import judge_tui.formats


def test_every_name_that_the_room_offers_is_there() -> None:
    for name in judge_tui.formats.__all__:
        assert getattr(judge_tui.formats, name) is not None
        assert name in dir(judge_tui.formats)
