"""Processor time that foreign text may take."""

from __future__ import annotations

import re
import threading

import pytest

from judge_tui.tui.reading.allowance import TooSlowError, at_most


def test_a_search_without_end_is_called_off() -> None:
    with pytest.raises(TooSlowError), at_most(0.02):
        re.match(r"(a+)+b", "a" * 100)
    # And so is the next one.
    with pytest.raises(TooSlowError), at_most(0.02):
        re.match(r"(a+)+b", "a" * 100)


def test_other_threads_are_left_alone() -> None:
    raised: list[BaseException] = []

    def search() -> None:
        try:
            with at_most(0.001):
                sum(range(200_000))
        except TooSlowError as error:
            raised.append(error)

    thread = threading.Thread(target=search)
    thread.start()
    thread.join()
    assert raised == []
