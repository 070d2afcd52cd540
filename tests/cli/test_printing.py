"""Colour: on a terminal and nowhere else, never against NO_COLOR (no-color.org)."""

import os

import pytest

from tests.as_typed import judge_tui
from tests.programs import shown_on_a_terminal

COMMAND = ("compare", "qrels", "old.run", "new.run", "-m", "RR")
RED = "\x1b[31mworse\x1b[0m"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A run that is worse than the baseline: a verdict that a terminal shows in red."""
    monkeypatch.chdir(tmp_path)
    queries = [f"q{number}" for number in range(8)]
    (tmp_path / "qrels").write_text("".join(f"{query} 0 good 1\n" for query in queries))
    for tag, good, bad in (("old", 2, 1), ("new", 1, 2)):
        lines = [f"{q} Q0 good 1 {good} {tag}\n{q} Q0 bad 1 {bad} {tag}\n" for q in queries]
        (tmp_path / f"{tag}.run").write_text("".join(lines))
    return tmp_path


def on_a_terminal(*args, **env):
    """What the command writes to a real pseudo-terminal."""
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {"TERM": "xterm-256color", "COLUMNS": "80", **env}
    return shown_on_a_terminal(*COMMAND, *args, env=environment)


def test_a_verdict_is_coloured_on_a_terminal(files):
    assert RED in on_a_terminal()
    assert RED in on_a_terminal(NO_COLOR="")  # set, but empty: does not count


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"NO_COLOR": "0"}, {"TERM": "dumb"}])
def test_no_colour_where_it_is_not_wanted(files, env):
    text = on_a_terminal(**env)
    assert "worse" in text
    assert "\x1b" not in text


def test_no_colour_in_files_and_pipes(files):
    lines = on_a_terminal("-o", "result.txt").splitlines()
    assert lines[0].startswith("warning: ")
    assert max(map(len, lines)) <= 80 < len("".join(lines))
    assert "\x1b" not in "".join(lines)
    assert "\x1b" not in (files / "result.txt").read_text()
    assert judge_tui(*COMMAND).stdout == (files / "result.txt").read_text()
