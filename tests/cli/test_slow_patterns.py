"""Patterns of the user's own that never come to an end: ended, with an error that names them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge_tui.cli import cli, slow_patterns
from tests.collect.asking import script, systems_file
from tests.end_to_end.terminal import PROGRAM

ENDLESS = "^(a+)+$"
"""Its ways to fail at n a's and another character are 2 to the n."""
ID = f"{'a' * 60}!"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run that holds the id, and a clock that ticks sooner than a user's does."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    monkeypatch.setattr(slow_patterns, "_TICK", 0.02)
    (tmp_path / "slow.run").write_text(f"q1 Q0 a 1 1 slow\nq2 Q0 {ID} 1 1 slow\n")
    return tmp_path


def answered(*entries: dict[str, object]) -> str:
    Path("answers.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return "answers.jsonl"


def invoke(*args: str) -> Result:
    return CliRunner().invoke(cli, args)


RIGHT = {"query_id": "q1", "query": "one", "expected": "a"}
SLOW = {"query_id": "q2", "query": "two", "pattern": ENDLESS}
SAID = f"error: answers.jsonl:2: pattern '{ENDLESS}' takes longer than 0.1 s on the id 'aaaa"


@pytest.mark.parametrize("command", ["score", "compare"])
def test_the_pattern_is_named_with_its_line(folder: Path, command: str) -> None:
    (folder / "other.run").write_text("q1 Q0 a 1 1 other\n")
    result = invoke(command, "--answers", answered(RIGHT, SLOW), "slow.run", "other.run")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(SAID)
    assert result.stderr.count("\n") == 1
    # Nothing of the clock is left behind.
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGVTALRM) is signal.SIG_DFL


def test_nothing_is_loaded(folder: Path) -> None:
    path = answered(RIGHT, SLOW)
    (folder / "queries.tsv").write_text("q1\tone\nq2\ttwo\n")
    for args in (("init",), ("load", "queries", "queries.tsv"), ("load", "run", "slow.run")):
        assert invoke(*args).exit_code == 0
    result = invoke("load", "answers", path, "--judge", "sheet")
    assert result.exit_code == 2
    assert result.stderr.startswith(SAID)
    state = json.loads(invoke("status", "-f", "json").stdout)
    assert (state["pairs"], state["judges"]) == (0, [])


@pytest.mark.parametrize(
    "order", [{"prefer": {"better": "b", "worse": ENDLESS}}, {"authority": ["b", ENDLESS]}]
)
def test_what_says_which_source_comes_first_is_watched_too(
    folder: Path, order: dict[str, object]
) -> None:
    systems_file(folder, {"tool": script(f'print(\'[{{"id": "{ID}"}}]\')')})
    path = answered(RIGHT, {"query_id": "q2", "query": "two", **order})
    result = invoke("evaluate", "systems.toml", "--answers", path, "-o", "out")
    assert result.exit_code == 2
    assert SAID in result.stderr


def test_much_work_is_not_taken_for_a_slow_pattern(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_patterns, "_TICK", 0.001)
    lines = (f"q1 Q0 a{n} 1 {-n} many\n" for n in range(20_000))
    (folder / "many.run").write_text("".join(lines))
    path = answered({"query_id": "q1", "pattern": "a1999.*9$"}, {"query_id": "q2", "pattern": "z"})
    result = invoke("score", "--answers", path, "many.run", "-m", "RR")
    assert result.exit_code == 0, result.output


def test_ctrl_c_ends_it(folder: Path) -> None:
    command = [PROGRAM, "score", "--answers", answered(RIGHT, SLOW), "slow.run"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)

    def seconds_at_work() -> float:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) / os.sysconf("SC_CLK_TCK")

    if not Path("/proc/self/stat").exists():
        pytest.skip("nothing here tells how long another process was at work")
    # All else takes less than that, even where it is read from a cold disk.
    while process.poll() is None and seconds_at_work() < 1.5:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
