"""Classes of queries that ask for unlike things, in the results of a campaign."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli

CLASSES = ("lookup", "Canonical lookup", "attribute", "attribute")
UNLIKE = "classes of queries are measured by unlike things: no mean, sd, best or worst over all"
TOGETHER = (
    "classes of queries that ask for unlike things (attribute, lookup) are taken together: a mean,"
    " an order or a verdict over all of them need not hold for any; --by class shows each"
)
REFUSED = "of queries of class 'attribute' nDCG@10 says nothing: what has an attribute is a set in"


def judge_tui(*words: str) -> str:
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    return result.stdout


def campaign(
    folder: Path,
    classes: tuple[str, ...],
    prefers: tuple[int, ...] = (),
    ungraded: tuple[int, ...] = (),
    stem: str = "q",
) -> None:
    queries: list[dict[str, object]] = [
        {"query_id": f"{stem}{n}", "text": f"about {n}", "class": name, "team": f"t{n % 2}"}
        for n, name in enumerate(classes)
    ]
    for n in prefers:
        queries[n]["prefer"] = {"better": "x", "worse": "y"}
    (folder / "queries.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in queries))
    for tag, first, second in (("old", "x", "y"), ("new", "y", "x")):
        lines = (
            f"{stem}{n} Q0 {first} 1 2 {tag}\n{stem}{n} Q0 {second} 2 1 {tag}\n"
            for n in range(len(classes))
        )
        (folder / f"{tag}.run").write_text("".join(lines))
    graded = [n for n in range(len(classes)) if n not in ungraded]
    (folder / "qrels").write_text("".join(f"{stem}{n} 0 x 1\n" for n in graded))
    judge_tui("init")
    judge_tui("load", "queries", "queries.jsonl")
    judge_tui("load", "run", "old.run", "new.run")
    judge_tui("load", "qrels", "qrels", "--judge", "ann")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_classes_that_are_measured_alike_have_a_consistency(folder):
    campaign(folder, ("lookup", "root", "lookup"))
    text = judge_tui("results", "--by", "class")
    assert "Consistency by nDCG@10" in text
    assert "unlike" not in text


@pytest.mark.parametrize("classes", [("lookup", "root"), ("of our own", "how-to", "")])
def test_classes_that_ask_for_one_thing_are_told_together(folder, classes):
    campaign(folder, classes)
    assert "taken together" not in judge_tui("results", "--leaderboard")
    assert "Consistency" in judge_tui("results", "--by", "class")


def test_who_demands_nothing_is_told_of_no_demands(folder):
    campaign(folder, ("lookup", "modern"))
    assert "demand" not in judge_tui("results", "--by", "class")
