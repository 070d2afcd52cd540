"""What the terminal sends, on its way to the screens."""

from __future__ import annotations

from textual import events

from judge_tui.tui.driver import _Received


def test_keys_of_one_burst_are_of_one_moment() -> None:
    """The second of them would count for what the first has brought on screen, if it were later."""
    received = _Received(debug=False)
    found = list(received.messages(b"22\x1b[<0;3;4M", at=5.0))
    assert [type(one) for one in found] == [events.Key, events.Key, events.MouseDown]
    assert [one.time for one in found] == [5.0] * 3


def test_an_escape_that_nothing_follows_is_a_key() -> None:
    received = _Received(debug=False)
    assert list(received.messages(b"\x1b", at=5.0)) == []
    found: list[object] = []
    while not found:
        found += received.messages(None, at=6.0)
    (key,) = found
    assert isinstance(key, events.Key)
    assert (key.key, key.time) == ("escape", 6.0)
