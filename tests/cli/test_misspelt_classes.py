"""Classes whose names are close to those of standard ones, told by whatever reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli
from judge_tui.scoring.class_terms import misspelt
from tests.collect.server import serving
from tests.evaluating import evaluate, systems

SAID = "classes that have no terms of their own: 'atribute', did you mean 'attribute'?"


def output(*words: str) -> str:
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    answer = {"query_id": "q1", "query": "one", "class": "atribute"}
    (tmp_path / "answers.json").write_text(json.dumps([{**answer, "expected": "d"}]))
    documents = [{"id": "d", "text": "t", "score": 1}]
    (tmp_path / "benchmark.json").write_text(json.dumps([{**answer, "documents": documents}]))
    query = {"query_id": "q1", "text": "one", "class": "atribute"}
    (tmp_path / "queries.jsonl").write_text(json.dumps(query))
    (tmp_path / "qrels").write_text("q1 0 d 1\n")
    (tmp_path / "old.run").write_text("q1 Q0 d 1 1 old\n")
    (tmp_path / "new.run").write_text("q1 Q0 d 1 1 new\n")
    return tmp_path


@pytest.mark.parametrize("file", ["answers.json", "benchmark.json", "queries.jsonl"])
def test_check_and_load_tell_it(file: str) -> None:
    assert output("check", file).count(SAID) == 1
    output("init")
    assert output("load", "queries", file).count(SAID) == 1
    output("load", "run", "old.run", "new.run")
    output("load", "qrels", "qrels", "--judge", "ann")
    assert output("score", "--db", "campaign.db").count(SAID) == 1
    assert output("load", "answers", "answers.json", "--judge", "b").count(SAID) == 1


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize(
    "words",
    [
        ("--answers", "answers.json"),
        ("--answers", "answers.json", "--by", "class"),
        ("benchmark.json",),
        ("benchmark.json", "--by", "class"),
        ("qrels", "--by", "class", "--queries", "queries.jsonl"),
    ],
)
def test_score_and_compare_tell_it(command: str, words: tuple[str, ...]) -> None:
    assert output(command, *words, "old.run", "new.run").count(SAID) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("--answers", "answers.json"),
        ("--benchmark", "benchmark.json"),
        ("--qrels", "qrels", "--queries", "queries.jsonl"),
    ],
)
def test_evaluate_tells_it(words: tuple[str, ...], folder: Path) -> None:
    with serving() as server:
        file = systems(folder, server, {"old": {"one": ["d"]}}, ["one"])
        assert evaluate(file, *words, "-o", "out").stdout.count(SAID) == 1
    assert (folder / "out" / "audit.md").read_text().count("did you mean") == 1


@pytest.mark.parametrize(
    "name",
    [
        *("", "attribute", "Attributes", "look-up", "cross source", "how-to", "concept"),
        *("reference", "author", "root", "boots", "lookup 2", "fragmented", "modernity", "FAQ"),
    ],
)
def test_names_of_ones_own_are_free(name: str) -> None:
    assert misspelt([name]) == ()


@pytest.mark.parametrize(
    ("name", "near"),
    [
        *(("Atribute", "attribute"), ("modren", "modern"), ("lokup", "lookup")),
        *(("synonim", "synonym"), ("conceptaul", "conceptual"), ("crosssorce", "cross-source")),
    ],
)
def test_what_is_close_is_told_with_what_it_may_be(name: str, near: str) -> None:
    (said,) = misspelt(["own", name, name])
    assert said.endswith(f": {name!r}, did you mean {near!r}?")
