"""Help: groups, headings, examples that are commands; and `--db`, `--force` everywhere."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import Result

from judge_tui.cli import cli
from judge_tui.manual import all_pages
from tests import as_typed


def every_command() -> Iterator[tuple[str, click.Command]]:
    """Each command by its name, those of groups by both names."""
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            for below in command.list_commands(context):
                yield f"{name} {below}", command.commands[below]


EVERY = dict(every_command())
LEAVES = {name: one for name, one in EVERY.items() if not isinstance(one, click.Group)}


def invoke(*arguments: str) -> Result:
    return as_typed.invoke(*arguments)


@pytest.mark.parametrize("name", EVERY)
def test_help_is_a_sentence_for_each_option_and_two_examples(name: str) -> None:
    assert len(getattr(EVERY[name], "examples", ())) >= 2
    for param in EVERY[name].params:
        if isinstance(param, click.Option) and not param.hidden:
            record = param.get_help_record(click.Context(EVERY[name]))
            told = re.sub(r"( *\[[^\]]*\])+$", "", record[1] if record else "")
            assert re.fullmatch(r"[A-Z\"(].*\.", told), told
            assert not re.search(r"\. +[A-Z]", told), told


@pytest.mark.parametrize("name", EVERY)
def test_examples_name_the_command_and_its_options(name: str) -> None:
    for example in getattr(EVERY[name], "examples", ()):
        words = shlex.split(example)
        if words[0] in EVERY and isinstance(EVERY[words[0]], click.Group):
            words[:2] = [" ".join(words[:2])]
        command = EVERY[words[0]]
        known = {option for param in command.params for option in param.opts}
        assert words[0].startswith(name)
        assert {word for word in words[1:] if word.startswith("-")} <= known
        assert f"  judge-tui {example}\n" in invoke(*name.split(), "--help").output


@pytest.mark.parametrize("name", EVERY)
def test_help_ends_with_a_page_of_the_manual(name: str) -> None:
    topic = getattr(EVERY[name], "manual", "")
    assert topic in {page.topic for page in all_pages()}
    assert invoke(*name.split(), "--help").output.endswith(f"\nManual: judge-tui help {topic}\n")


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("judge-tui se", {"settings", "settle"}),
        ("judge-tui load ", {"answers", "collection", "docs", "qrels", "queries", "run"}),
        ("judge-tui --db x status --fo", {"--force", "--format"}),
    ],
)
def test_a_shell_completes(words: str, completed: set[str]) -> None:
    *_, line = words.split(" ")
    env = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    env["_JUDGE_TUI_COMPLETE"] = "bash_complete"
    done = as_typed.invoke(env=env)
    found = {each.removeprefix("plain,") for each in done.output.split()}
    assert {each for each in found if each.startswith(line)} == completed


@pytest.mark.parametrize(
    "arguments",
    [["--db", "c.db", "status"], ["status", "--db", "c.db"], ["--db", "x", "status", "-d", "c.db"]],
)
def test_db_stands_before_or_after_the_command(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_TUI_DB", "elsewhere.db")
    assert invoke("--db", "c.db", "init").exit_code == 0
    assert invoke(*arguments).exit_code == 0
    for early in (["--db", "c.db", "load"], ["load", "--db", "c.db"]):
        assert "none.tsv: there is no such file" in invoke(*early, "queries", "none.tsv").stderr


WRITES = [name for name, one in LEAVES.items() if any("--force" in p.opts for p in one.params)]


@pytest.mark.parametrize("name", WRITES)
def test_a_file_that_is_there_takes_force(name: str, tmp_path: Path) -> None:
    target = tmp_path / "there.md"
    target.write_text("mine")
    command = LEAVES[name]
    needed = [
        word
        for param in command.params
        if param.required and param.opts[0] != "-o"
        for word in ([param.opts[0], "x"] if isinstance(param, click.Option) else ["x"])
    ]
    missing = ["--db", str(tmp_path / "none.db")]
    db = missing if any(param.name == "db" for param in command.params) else []
    refused = invoke(*name.split(), *needed, *db, "-o", str(target))
    assert refused.exit_code == 2
    assert refused.stderr == f"error: {target}: is there already; write over it with --force\n"
    forced = invoke(*name.split(), *needed, *db, "-o", str(target), "--force")
    assert "--force" not in forced.stderr
    assert (forced.exit_code == 0) == (target.read_text() != "mine")
