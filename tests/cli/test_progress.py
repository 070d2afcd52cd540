"""How far a large read is: on a terminal, and nowhere else."""

import re

import pytest

from judge_tui.cli import progress
from tests.as_typed import judge_tui
from tests.programs import run, shown_on_a_terminal


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run of 42 MB in long ids, and a small one."""
    folder = tmp_path_factory.mktemp("large")
    (folder / "qrels").write_text("".join(f"q{query} 0 good 1\n" for query in range(700)))
    (folder / "small.run").write_text("q1 Q0 good 1 1 small\n")
    long = "x" * 570
    with (folder / "large.run").open("w") as file:
        for query in range(700):
            file.writelines(f"q{query} Q0 {long}{at} 1 {-at} large\n" for at in range(100))
            file.write(f"q{query} Q0 good 1 -100 large\n")
    return folder


def errors_on_a_terminal(folder, *args, command=("score", "qrels")):
    """What goes to standard error where that is a real pseudo-terminal."""
    return without_warnings(shown_on_a_terminal(*command, *args, cwd=folder, shown={2}))


def without_warnings(said):
    """What is said of progress alone."""
    return re.sub(r"warning: [^\n]*\n", "", said.replace("\r\n", "\n"))


@pytest.mark.parametrize(
    "given",
    [
        {"args": ["-j", "1"]},
        {"args": ["-j", "2"]},
        {"command": ["check"]},
        {"command": ["check", "--format", "run"]},
    ],
)
def test_a_large_read_is_told_and_wiped(folder, given):
    args = given.pop("args", [])
    text = errors_on_a_terminal(folder, "large.run", *args, **given)
    lines = [line for line in text.split("\r") if line.strip()]
    assert lines
    total = (folder / "large.run").stat().st_size // 1_000_000
    read = [int(re.fullmatch(rf"([0-9]+) of {total} MB read", line)[1]) for line in lines]
    assert read == sorted(read)
    assert 20 <= read[0] <= read[-1] <= total
    *_, wiped, rest = text.split("\r")
    assert (wiped.strip(), rest) == ("", "")


def test_a_longer_line_is_written_over(capfd):
    with progress._one_line() as show:
        show("10 of 12 MB read")
        show("13 MB read")
        show("14 MB")
    told = capfd.readouterr().err
    assert told.split("\r")[1:] == [
        "10 of 12 MB read",
        "13 MB read      ",
        "14 MB           ",
        " " * 16,
        "",
    ]


def test_a_line_about_the_same_is_in_a_log_at_most_once_a_minute(capfd):
    now = 100.0
    say = progress.seldom(lambda: now)
    for at, about in [(100, "a"), (110, "a"), (111, "b"), (159, "a"), (160, "a"), (220, "a")]:
        now = float(at)
        say(about, f"{about} at {at}")
    assert capfd.readouterr().err.splitlines() == ["a at 100", "b at 111", "a at 160", "a at 220"]


def test_a_small_read_is_not_told(folder):
    assert errors_on_a_terminal(folder, "small.run") == ""


def test_nothing_is_told_where_nobody_looks(folder):
    done = run("score", "qrels", "large.run", cwd=folder)
    assert done.returncode == 0
    assert without_warnings(done.stderr.decode()) == ""
    assert b"\r" not in done.stdout + done.stderr


def test_loading_large_runs_and_building_a_pool_are_shown(folder, tmp_path):
    db = str(tmp_path / "c.db")
    ids = "".join(f"q{query}\tquery {query}\n" for query in range(700))
    (tmp_path / "queries.tsv").write_text(ids)
    judge_tui("init", "--db", db)
    judge_tui("load", "queries", "--db", db, tmp_path / "queries.tsv")
    runs = ["small.run", "large.run"]
    loading = errors_on_a_terminal(folder, *runs, command=("load", "run", "--db", db))
    assert re.findall(r"\r(\d+) of (\d+) MB read", loading)
    pooling = errors_on_a_terminal(folder, command=("pool", "--db", db, "--depth", "2"))
    assert "\rchoosing the pairs …" in pooling
    assert re.search(r"\rwriting 1,401 pairs …", pooling)
    assert pooling.endswith("\r")
