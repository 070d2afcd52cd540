"""Work in several processes: done once each, in order, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge_tui.processes import in_processes, processors
from tests.waiting import BORN, born

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no process can be copied here")

LONG = 600  # seconds that nobody is to wait for


def assert_no_child() -> None:
    """That every child has ended and was waited for."""
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def outcome(code: str) -> subprocess.CompletedProcess[str]:
    """What a program writes that has `in_processes`, on a system as it comes."""
    begin = "import os, signal, sys\nfrom judge_tui.processes import in_processes\n"
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", begin + code],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("jobs", [1, 2, 3, 9])
def test_results_are_in_the_order_of_the_tasks(jobs: int) -> None:
    sizes = [5, 1, 4, 2, 3]
    results = in_processes("abcde", sizes, lambda task: (task * 2, os.getpid()), jobs)
    assert [text for text, _ in results] == ["aa", "bb", "cc", "dd", "ee"]
    assert len({process for _, process in results}) == min(jobs, 5)
    assert_no_child()


def test_there_may_be_nothing_to_do() -> None:
    assert in_processes([], [], lambda task: task, 3) == []
    assert processors() >= 1


def test_answers_larger_than_a_pipe_holds_come_whole() -> None:
    results = in_processes([1, 2, 3], [1, 1, 1], lambda task: [task / 7] * 400_000, 3)
    assert results == [[task / 7] * 400_000 for task in (1, 2, 3)]


def _exits() -> Any:
    os._exit(3)


def _is_killed() -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def _raises() -> Any:
    raise RuntimeError("a fault of one process")


def _answers_what_cannot_be_sent() -> Any:
    return object()


@pytest.mark.parametrize("die", [_exits, _is_killed, _raises, _answers_what_cannot_be_sent])
def test_what_a_process_that_came_to_grief_had_to_do_is_none(
    die: Callable[[], Any], capfd: pytest.CaptureFixture[str]
) -> None:
    parent = os.getpid()

    def work(task: int) -> Any:
        return task if os.getpid() == parent or task == 1 else die()

    assert in_processes([0, 1, 2], [3, 2, 1], work, 3) == [0, 1, None]
    assert_no_child()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_interruption_ends_all_processes_at_once(error: type[BaseException]) -> None:
    parent = os.getpid()

    def work(task: int) -> int:
        if os.getpid() == parent:
            raise error
        time.sleep(LONG)
        return task

    with pytest.raises(error):
        in_processes([0, 1, 2], [1, 1, 1], work, 3)
    assert_no_child()


def test_a_signal_to_the_parent_leaves_no_child_behind() -> None:
    code = (
        f"{BORN}\n"
        "import os, time\nfrom judge_tui.processes import in_processes\n"
        f"def work(_): os.write(1, born(os.getpid()).encode() + b'\\n'); time.sleep({LONG})\n"
        "in_processes([0, 1, 2], [1, 1, 1], work, 3)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    working = {process.stdout.readline().decode().strip() for _ in range(3)}
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    # One traceback, not one of each process.
    assert errors.count(b"KeyboardInterrupt") == 1
    assert len(working) == 3
    for one in working:
        pid = int(one.partition(":")[0])
        # Else another has been given its number.
        if born(pid) in (one, f"{pid}:"):
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)


def test_what_was_written_before_is_not_written_by_every_process() -> None:
    code = "print('once', end='')\nin_processes([1, 2, 3], [1, 1, 1], lambda task: task, 3)"
    done = outcome(code)
    assert (done.stdout, done.stderr, done.returncode) == ("once", "", 0)


def test_work_is_done_where_the_end_of_children_is_ignored() -> None:
    # A shell's `trap '' CHLD` comes down to all that it starts.
    done = outcome(
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "print(in_processes([1, 2, 3], [1, 1, 1], lambda task: task, 3))"
    )
    assert (done.stdout, done.stderr) == ("[1, 2, 3]\n", "")


def test_what_no_process_could_be_had_for_is_none() -> None:
    # One file more can be opened: a pipe has two ends.
    done = outcome(
        "import resource\n"
        "free = os.dup(0)\n"
        "os.close(free)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (free + 1, free + 1))\n"
        "print(in_processes([1, 2, 3], [3, 2, 1], lambda task: task, 3))\n"
    )
    assert (done.stdout, done.stderr) == ("[1, None, None]\n", "")


def test_no_descriptor_is_left_open() -> None:
    def count() -> int:
        return len(os.listdir("/dev/fd"))  # noqa: PTH208 - of this process

    before = count()
    for _ in range(5):
        in_processes("abcd", [1] * 4, lambda task: task, 4)
    with pytest.raises(ZeroDivisionError):
        in_processes("abcd", [1] * 4, lambda _: 1 / 0, 4)
    assert count() == before


def test_copies_of_a_process_that_was_killed_end_at_their_next_step(tmp_path: Path) -> None:
    alive = tmp_path / "alive"
    code = (
        "import time\n"
        "from judge_tui.processes import end_if_abandoned\n"
        "here = os.getpid()\n"
        "def work(task):\n"
        "    if os.getpid() == here:\n"
        "        time.sleep(0.2)\n"
        "        os.kill(here, signal.SIGKILL)\n"
        "    while True:\n"
        "        end_if_abandoned()\n"
        f"        open({str(alive)!r}, 'a').close()\n"
        "        time.sleep(0.01)\n"
        "in_processes('ab', [1, 1], work, 2)\n"
    )
    # The copy holds the pipe of the standard output open: it comes to its end only if both do.
    assert outcome(code).returncode == -signal.SIGKILL
    assert alive.exists()
