"""The README says what is: its tables against the program, its example run."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.judges import add_judge
from judge_tui.cli import COMMANDS, cli
from judge_tui.tui.screens.help import keys_of
from judge_tui.tui.screens.judge import JudgeScreen

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(name: str) -> str:
    return README.split(f"\n## {name}\n")[1].split("\n## ")[0]


def documented_commands() -> list[str]:
    return re.findall(r"^\| `([a-z ]+)` \|", section("Commands"), re.MULTILINE)


def test_every_command_is_in_the_table_and_nothing_else() -> None:
    known = []
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        if isinstance(command, click.Group):
            known += [f"{name} {part}" for part in command.commands]
        else:
            known.append(name)
    assert sorted(documented_commands()) == sorted(known)


def test_every_key_of_the_table_is_bound(campaign: Campaign) -> None:
    desk = Desk(campaign, add_judge(campaign, "ann"))
    table = section("Judging").split("What you can rely on")[0]
    keys = re.findall(r"`([^`]+)`", "\n".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE)))
    bound = ", ".join(names for names, _ in keys_of(JudgeScreen(desk), "judge")).split(", ")
    assert len(keys) > 20
    # The palette is Textual's own.
    assert set(keys) - {"ctrl+p"} <= set(bound), set(keys) - set(bound)


def test_the_picture_and_the_linked_files_are_there() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", README):
        assert (ROOT / target).is_file(), target


def test_the_library_examples_print_what_they_say(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    namespace: dict[str, object] = {}
    examples = re.findall(r"```python\n(.*?)```", section("As a library"), re.DOTALL)
    for code in examples:
        exec(compile(code, "README.md", "exec"), namespace)
        # A comment after a line, or on lines of its own, is what has been printed.
        expected = re.findall(r"^(?:.*  )?# (.*)$", code, re.MULTILINE)
        assert capsys.readouterr().out.splitlines() == expected
    tests = [test for name, test in namespace.items() if name.startswith("test_")]
    assert (len(examples), len(tests)) == (7, 2)
    for test in tests:
        assert callable(test)
        test()


def test_the_options_the_readme_names_exist() -> None:
    for name in ("--strategy", "--budget", "--audit"):
        assert name in " ".join(
            option
            for param in cli.get_command(click.Context(cli), "pool").params
            for option in param.opts
        )
