"""Where text that is read in parts is cut."""

from __future__ import annotations

import pytest

from judge_tui.tui.reading import PlainReading
from judge_tui.visible import visible

JOINED = [
    "\U0001f469\u200d\U0001f680",
    "\u2601\ufe0f",
    "a\r\nb",
    "\U0001f3f3\ufe0f\u200d\U0001f308",
]


def parts(text: str, step: int) -> list[str]:
    reading = PlainReading(text)
    found = []
    while reading.done < 1:
        found.append(reading.take(step).text)
    return found


@pytest.mark.parametrize("step", range(1, 12))
@pytest.mark.parametrize("unit", JOINED)
@pytest.mark.parametrize("before", ["", "x", "xy", "xyz"])
def test_nothing_that_belongs_together_is_divided(unit: str, step: int, before: str) -> None:
    text = before + unit * 20
    found = parts(text, step)
    assert "".join(found) == visible(text)
    for part in found:
        assert part[0] not in "\u200d\ufe0f"
        assert part[-1] not in "\u200d"


def test_parts_end_with_a_line_else_at_a_space() -> None:
    assert parts("one two\nthree four", 12) == ["one two\n", "three four"]
    assert parts("one two three four", 10) == ["one two ", "three four"]
    assert parts("onetwothreefour", 10) == ["onetwothre", "efour"]
    # What stands exactly at the end of a part is the first of the next one.
    assert parts("0123456789 x", 10) == ["0123456789", " x"]


def test_tabs_go_on_from_the_column_that_is_reached() -> None:
    text = "ab\tc\td\n\te" * 5
    for step in range(1, 12):
        assert "".join(parts(text, step)) == visible(text)
