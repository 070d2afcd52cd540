"""Whose grades count is the same wherever it is asked, whoever has graded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign
from judge_tui.cli import cli
from tests.campaigns import grade_by_file
from tests.report.evaluation import DB, done

# ann and bob differ on csv.writer, ann and gpt on csv.reader, gpt and llm on list.sort.
GRADES = {
    "ann": "q1 0 csv.reader 3\nq1 0 csv.writer 1\nq1 0 json.load 0\nq2 0 sorted 2\n",
    "bob": "q1 0 csv.reader 3\nq1 0 csv.writer 2\nq1 0 json.load 0\nq2 0 sorted 2\n"
    "q2 0 list.sort 1\n",
    "gpt": "q1 0 csv.reader 0\nq1 0 csv.writer 1\nq1 0 json.load 0\nq2 0 sorted 2\n"
    "q2 0 list.sort 1\nq2 0 json.load 0\n",
    "llm": "q1 0 csv.reader 0\nq1 0 csv.writer 1\nq2 0 list.sort 3\n",
}
MODELS = {"gpt", "llm"}
# Who has graded, and by whose grades that count how many of the six pairs are judged.
GRADED = {
    "one person": (["ann"], 4),
    "a person and a model": (["ann", "gpt"], 4),
    "a model": (["gpt"], 6),
    "two models": (["gpt", "llm"], 6),
    "two people": (["ann", "bob"], 5),
    "two people and a model": (["ann", "bob", "gpt"], 5),
}


@pytest.fixture(params=GRADED)
def graded(
    request: pytest.FixtureRequest, campaign: Campaign, files: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """Who has graded; the campaign is in this folder."""
    monkeypatch.chdir(files)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    for name in GRADED[request.param][0]:
        load(campaign, name)
    return str(request.param)


def load(campaign: Campaign, name: str) -> None:
    grade_by_file(campaign, name, GRADES[name], kind="model" if name in MODELS else "human")


def read(*arguments: str) -> dict:
    return json.loads(done(*arguments, "-f", "json"))


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 2, result.output
    return result.stderr


def test_one_setting_says_in_every_command_whose_grades_count(graded: str) -> None:
    """Asked for by the setting or by the option, or not at all: the same grades in every view, and
    in the exported qrels."""
    people = [name for name in GRADED[graded][0] if name not in MODELS]
    for setting, option, models in (
        ("off", [], False),
        ("off", ["--include-models"], True),
        ("on", [], True),
        ("on", ["--no-include-models"], False),
    ):
        done("settings", "include-models", setting)
        names = GRADED[graded][0] if models else people
        scores = ["score", "--db", DB, *option]
        if not names:
            for command in (["results", "-o", "-", *option], scores):
                assert "no person has graded yet" in refused(*command)
            continue
        settings = read("results", "-o", "-", *option)["settings"]
        campaign = settings["campaign"]
        assert campaign["include_models"] is models
        assert (campaign["models_alone"] == settings["pairs"]) is (not people)
        (found,) = {json.dumps(read(*scores)["settings"]["campaign"], sort_keys=True)}
        assert json.loads(found)["include_models"] is models
        done("export", "qrels", "-o", "out", "--unresolved", "skip", "--force", *option)
        assert len(Path("out").read_text().splitlines()) == settings["pairs"]
        if not option:
            read_status = read("status")
            [status] = read_status["campaign"]
            assert settings["pairs"] == status["judged"] - status["unresolved"]
            assert read_status["settings"]["include_models"] is models
            assert campaign["left_out"]["unresolved"] == status["unresolved"]
