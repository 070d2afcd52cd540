"""Processor time that foreign text may take."""

from __future__ import annotations

import gc
import re
import signal
import threading

import pytest

from judge_tui.tui.reading import allowance
from judge_tui.tui.reading.allowance import TooSlowError, at_most


def test_a_search_without_end_is_called_off() -> None:
    with pytest.raises(TooSlowError), at_most(0.02):
        re.match(r"(a+)+b", "a" * 100)
    # And so is the next one.
    with pytest.raises(TooSlowError), at_most(0.02):
        re.match(r"(a+)+b", "a" * 100)


def test_what_is_done_in_time_is_done() -> None:
    with at_most(60):
        found = re.match("a+", "aaa")
    assert found is not None
    assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0


def test_a_signal_that_comes_too_late_changes_nothing() -> None:
    with at_most(60):
        pass
    signal.raise_signal(signal.SIGVTALRM)


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


def test_a_handler_of_somebody_else_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGVTALRM, signal.SIG_IGN)
    try:
        with at_most(0.001):
            sum(range(200_000))
        assert signal.getsignal(signal.SIGVTALRM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGVTALRM, before)
    assert allowance._armed is False


def test_the_timer_of_somebody_else_is_left_alone() -> None:
    """A profiler's, for example: its signal must not come early, nor its time be changed."""
    came: list[int] = []
    before = signal.signal(signal.SIGVTALRM, lambda number, _frame: came.append(number))
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 500)
        with at_most(0.001):
            sum(range(400_000))
        assert came == []
        assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] > 400
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def test_the_collector_waits_for_the_end_of_an_allowance() -> None:
    """It calls others back, and what is raised in there is lost."""
    for enabled in (True, False):
        (gc.enable if enabled else gc.disable)()
        try:
            with at_most(60):
                assert not gc.isenabled()
            assert gc.isenabled() is enabled
            with pytest.raises(TooSlowError), at_most(0.02):
                re.match(r"(a+)+b", "a" * 100)
            assert gc.isenabled() is enabled
        finally:
            gc.enable()
