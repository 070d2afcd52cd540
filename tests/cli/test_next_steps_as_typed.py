"""What is told to be typed next can be typed: it names the campaign and every option it needs."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.as_typed import invoke, judge_tui

DB = "a b/c.db"


@pytest.fixture(autouse=True)
def here(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder with files to load, with a campaign of another name in a folder of its own."""
    monkeypatch.chdir(files)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    (files / "a b").mkdir()


def said(*args: str) -> str:
    return invoke(*args).output.strip()


def told(output: str, *begin: str) -> list[str]:
    """The arguments of the command that the output ends with, which begins so."""
    line = next(line for line in output.splitlines() if "judge-tui " in line)
    words = shlex.split(line[line.index("judge-tui ") :])
    assert words[1 : len(begin) + 3] == [*begin, "--db", DB]
    return words[1:]


def done(words: list[str], *instead: str) -> str:
    """Do what was told, with these `instead` of the word FILE or NAME."""
    args = [*(word for word in words if word not in ("FILE", "FILE...", "NAME")), *instead]
    return judge_tui(*args).output


def test_from_no_file_to_the_judges_each_command_leads_to_the_next() -> None:
    missing = said("status", "--db", DB)
    done(told(missing.replace(", or name yours with --db", ""), "init"))
    for refused in (["load", "run", "alpha.run"], ["status"]):
        assert "load queries" in said(*refused, "--db", DB)
    done(told(said("status", "--db", DB), "load", "queries"), "queries.jsonl")
    for refused in (["pool"], ["results", "--histogram"], ["score"]):
        assert told(said(*refused, "--db", DB), "load", "run")[-1] == "FILE..."
    done(told(said("status", "--db", DB), "load", "run"), "alpha.run")
    for refused in (["results", "--histogram"], ["assign", "--judges", "ann"], ["score"]):
        told(said(*refused, "--db", DB), "pool")
    done(told(said("status", "--db", DB), "pool"))
    done(told(said("status", "--db", DB), "load", "docs"), "documents.jsonl")
    assert "judge-tui judge --db 'a b/c.db' --judge NAME" in said("status", "--db", DB)


@pytest.mark.parametrize(
    "args",
    [
        ["results", "--histogram"],
        ["report", "-o", "page.html"],
        ["score"],
        ["export", "qrels", "-o", "out.qrels"],
        ["export", "judgments", "-o", "out.csv"],
    ],
)
def test_without_grades_the_way_to_them_is_told(args: list[str], files: Path) -> None:
    made(files)
    words = told(said(*args, "--db", DB), "judge")
    assert words[-2:] == ["--judge", "NAME"]


def test_a_judge_whose_name_a_shell_would_part_is_told_as_one_word(files: Path) -> None:
    made(files)
    refused = said("export", "qrels", "-o", "out", "--policy", "judge:Ann O'Neill", "--db", DB)
    assert told(refused, "judge")[-1] == "Ann O'Neill"
    assert told(said("judge", "--judge", "x; y", "--db", DB), "load", "qrels")[-1] == "x; y"


def made(files: Path) -> None:
    for args in (
        ["init"],
        ["load", "queries", "queries.jsonl"],
        ["load", "run", "alpha.run", "beta.run"],
        ["load", "docs", "documents.jsonl"],
        ["pool"],
    ):
        done([*args, "--db", DB])
