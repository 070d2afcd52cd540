"""How long a judge looks at a document, and what is made of it."""

from __future__ import annotations

import pytest

from judge_tui.tui.pace import IDLE_SECONDS, LookTimer, pace_text


def test_a_judge_who_is_away_looks_for_two_minutes_at_most() -> None:
    timer = LookTimer()
    timer.start(100.0)
    timer.active(130.0)
    assert timer.seconds(145.0) == 45.0
    timer.active(145.0 + 10 * IDLE_SECONDS)
    assert timer.seconds(150.0 + 10 * IDLE_SECONDS) == 45.0 + IDLE_SECONDS + 5.0
    # A key that was pressed before the document was painted adds nothing.
    timer.start(5000.0)
    timer.active(4990.0)
    assert timer.seconds(5001.0) == 1.0
    assert LookTimer().seconds(7.0) == 0.0


@pytest.mark.parametrize(
    ("seconds", "left", "text"),
    [
        ([10.0, 20.0], 100, ""),
        ([10.0, 20.0, 30.0], 100, "20 s/doc  33 min left"),
        # The mean, as one long document is long the next time too.
        ([1.0, 1.0, 58.0], 1443, "20 s/doc  8.0 h left"),
        ([0.2, 0.3, 0.4], 10, "<1 s/doc  <1 min left"),
        ([10.0, 20.0, 30.0], 0, "20 s/doc"),
    ],
)
def test_the_pace_is_the_mean_and_says_how_long_the_rest_takes(
    seconds: list[float], left: int, text: str
) -> None:
    assert pace_text(seconds, left) == text
