"""Why there is no reply, and as what it is told."""

from __future__ import annotations

from judge_tui.collect.reply import AskError


def test_an_error_told_as_one_of_something_is_the_same_in_all_else():
    error = AskError("HTTP 413", "too long", again=True, wait=3, too_many=True, too_large=True)
    told = error.of("no vector for document 'd'")
    assert str(told) == "no vector for document 'd': HTTP 413"
    assert vars(told) == {**vars(error), "what": str(told)}
