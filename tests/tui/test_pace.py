"""Honest time: idle time is capped, the estimate is the median of what was looked at."""

from __future__ import annotations

import pytest

from judge_tui.tui.pace import IDLE_SECONDS, LookTimer, pace_text


def test_idle_time_is_capped() -> None:
    timer = LookTimer()
    timer.start(100.0)
    timer.active(110.0)
    timer.active(110.0 + 3600)
    assert timer.seconds(110.0 + 3600 + 5) == 10 + IDLE_SECONDS + 5


def test_each_document_starts_anew() -> None:
    timer = LookTimer()
    timer.start(0.0)
    timer.active(50.0)
    timer.start(60.0)
    assert timer.seconds(64.0) == 4.0


@pytest.mark.parametrize(
    ("looked", "left", "expected"),
    [
        ([], 10, ""),
        # Two say too little.
        ([14.0, 14.0], 82, ""),
        ([14.0, 13.0, 15.0], 82, "14 s/doc   19 min left"),
        # The median, 10 s: one long look changes nothing.
        ([10.0, 10.0, 10.0, 600.0, 9.0], 6, "10 s/doc   1 min left"),
        ([0.2, 0.3, 0.2], 3, "<1 s/doc   <1 min left"),
        ([30.0] * 3, 1000, "30 s/doc   8.3 h left"),
        ([12.0] * 20, 0, "12 s/doc"),
    ],
)
def test_the_pace_and_what_it_says_of_the_time_left(
    looked: list[float], left: int, expected: str
) -> None:
    assert pace_text(looked, left) == expected
