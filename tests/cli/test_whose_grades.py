"""Whose grades count is the same wherever it is asked, whoever has graded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign
from judge_tui.campaign.adjudication import settle
from judge_tui.campaign.agreed import compared_grades
from judge_tui.campaign.disputes import open_cases
from judge_tui.campaign.grades import load_qrels
from judge_tui.campaign.judges import add_judge
from judge_tui.cli import cli
from tests.report.evaluation import DB, done, page

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
ONLY_MODELS = ("a model", "two models")


@pytest.fixture(params=GRADED)
def graded(
    request: pytest.FixtureRequest, campaign: Campaign, files: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """Who has graded; the campaign is in this folder."""
    monkeypatch.chdir(files)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    for name in GRADED[request.param][0]:
        load(campaign, files, name)
    return str(request.param)


def load(campaign: Campaign, files: Path, name: str) -> None:
    (files / f"{name}.qrels").write_text(GRADES[name])
    kind = "model" if name in MODELS else "human"
    load_qrels(campaign, files / f"{name}.qrels", judge=name, kind=kind)


def read(*arguments: str) -> dict:
    return json.loads(done(*arguments, "-f", "json"))


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 2, result.output
    return result.stderr


def test_everything_counts_the_same_grades(graded: str) -> None:
    """What is judged and unresolved in status is what results and report have and leave out."""
    status = read("status")
    unresolved = status["unresolved_with_models" if graded in ONLY_MODELS else "unresolved"]
    for view in (["--leaderboard"], ["--histogram"], ["--delta", "alpha", "beta"]):
        settings = read("results", *view)["settings"]
        left_out = settings["campaign"]["left_out"]
        assert settings["pairs"] == status["judged"] - unresolved
        assert (left_out["unresolved"], left_out["not_judged"]) == (
            unresolved,
            status["pairs"] - status["judged"],
        )
        assert settings["campaign"]["only_models"] is (graded in ONLY_MODELS)
        assert settings["campaign"]["include_models"] is status["models_included"]
    assert status["judged"] == GRADED[graded][1]
    whose = "majority (models only)" if graded in ONLY_MODELS else "majority"
    assert (
        f"of the campaign by policy {whose}: {status['judged'] - unresolved:,} pairs" in page().text
    )
    # alpha has all but json.load.
    [alpha, _] = status["coverage"]
    assert alpha["unresolved"] == unresolved


def test_files_are_of_models_only_where_that_is_asked_for(graded: str) -> None:
    settings = read("results", "--leaderboard")["settings"]
    export = ("export", "qrels", "-o", "out.qrels", "--unresolved", "skip")
    if graded in ONLY_MODELS:
        for arguments in (export, ("score", "--db", DB), ("compare", "--db", DB)):
            assert "no grades of people; count the models' grades with --include-models" in refused(
                *arguments
            )
        flags: tuple[str, ...] = ("--include-models",)
    else:
        flags = ()
    done(*export, *flags)
    assert len(Path("out.qrels").read_text().splitlines()) == settings["pairs"]
    scored = read("score", "--db", DB, *flags)
    assert scored["settings"]["campaign"] == settings["campaign"]
    assert settings["campaign"]["only_models"] is (
        "(models only)" in done("score", "--db", DB, *flags)
    )


def test_that_no_person_has_graded_is_said_in_words(graded: str) -> None:
    only = graded in ONLY_MODELS
    for view in (["--leaderboard"], ["--failures", "alpha"], ["--histogram"], ["--disagreements"]):
        warnings = read("results", *view)["warnings"]
        assert ("no person has graded: the grades are those of models" in warnings) is only
    text = page().text
    assert ("Judges: no person has graded; all grades are those of models." in text) is only
    assert ("No person has graded: the grades are those of models, and" in text) is only
    assert ("judged by models." in text) is only
    assert ("judged: by models, as no person has graded" in done("status")) is only


def test_with_the_flag_models_count_beside_people(graded: str) -> None:
    models = MODELS & set(GRADED[graded][0])
    people = set(GRADED[graded][0]) - MODELS
    campaign = read("results", "--leaderboard", "--include-models")["settings"]["campaign"]
    assert campaign["include_models"] is True
    assert campaign["only_models"] is (not people)
    said = done("results", "--leaderboard", "--include-models")
    assert (", those of models among them: " in said) is bool(people and models)


def test_disagreements_count_as_unjudged_only_where_results_leave_them_out(graded: str) -> None:
    status, table = read("status"), done("status")
    beside = graded == "a person and a model"
    assert status["models_compared"] is (beside or graded in ONLY_MODELS)
    assert ("disagreements open, models included" in table) is beside
    left_out = read("results", "--leaderboard")["settings"]["campaign"]["left_out"]["unresolved"]
    said = [step for step in status["next"] if "disagreement" in step]
    assert any("unjudged" in step for step in said) is bool(left_out)
    assert any("with models" in step for step in said) is beside
    assert ("results count it as unjudged" in table) is bool(left_out)


def test_what_a_lead_settles_leaves_the_models_counting(
    campaign: Campaign, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    for name in GRADED["two models"][0]:
        load(campaign, files, name)
    before = read("results", "--leaderboard")["settings"]
    [pair] = open_cases(campaign, compared_grades(campaign)).pairs.tolist()
    settle(campaign, add_judge(campaign, "lea", role="lead"), pair, 1)
    after = read("results", "--leaderboard")["settings"]
    assert after["campaign"]["only_models"] is True
    assert after["pairs"] == before["pairs"] + 1
    assert "count the models' grades" in refused("export", "qrels", "-o", "out.qrels")
    assert read("status")["judged"] == 6
