"""`judge-tui agreement` as a user calls it, on files that a user would have."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from judge_tui.agreement.coefficients import COEFFICIENTS
from judge_tui.campaign import open_campaign
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import find_judge
from judge_tui.report.agreement import NAMES
from tests.as_typed import judge_tui, refused

QUERIES = [f"q{number}" for number in range(6)]
DOCUMENTS = [f"d{number}" for number in range(5)]
# What ann gives the five documents of every query; bob gives the last one grade more, and in the
# last three queries cyd turns everything around.
ANN = [3, 2, 1, 0, 0]


def grades_of(judge: str, query: int) -> list[int]:
    if judge == "bob":
        return [*ANN[:4], 1]
    return [3 - grade for grade in ANN] if judge == "cyd" and query >= 3 else ANN


def done(folder: Path, command: str, *words: str) -> str:
    return judge_tui(command, "--db", folder / "campaign.db", *words).stdout


def found_in(folder: Path, *words: str) -> dict[str, Any]:
    """The JSON of the agreement."""
    document: dict[str, Any] = json.loads(done(folder, "agreement", *words, "-f", "json"))
    return document


def made(folder: Path, judges: list[str], *, runs: int = 2) -> Path:
    """A campaign of six queries in two classes with five documents each."""
    (folder / "queries.jsonl").write_text(
        "".join(
            json.dumps({"query_id": query_id, "text": "find it", "class": "odd" if at % 2 else ""})
            + "\n"
            for at, query_id in enumerate(QUERIES)
        )
    )
    db = ("--db", folder / "campaign.db")
    judge_tui("init", *db)

    def load(*words: str) -> None:
        judge_tui("load", *words, *db)

    load("queries", str(folder / "queries.jsonl"))
    for number in range(runs):
        path = folder / f"run{number}.run"
        ranked = DOCUMENTS if number == 0 else DOCUMENTS[::-1]
        path.write_text(
            "".join(
                f"{query_id} Q0 {doc_id} {rank} {9 - rank} run{number}\n"
                for query_id in QUERIES
                for rank, doc_id in enumerate(ranked, 1)
            )
        )
        load("run", str(path))
    for judge in judges:
        path = folder / f"{judge}.qrels"
        path.write_text(
            "".join(
                f"{query_id} 0 {doc_id} {grade}\n"
                for at, query_id in enumerate(QUERIES)
                for doc_id, grade in zip(DOCUMENTS, grades_of(judge, at), strict=True)
            )
        )
        load("qrels", str(path), "--judge", judge)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return made(tmp_path, ["ann", "bob", "cyd"])


def test_the_numbers_of_a_small_campaign_by_hand(folder: Path) -> None:
    found = found_in(folder)
    assert (found["pairs_judged"], found["pairs_shared"]) == (30, 30)
    assert found["warnings"] == []
    between = {tuple(two["judges"]): two for two in found["between"]}
    # bob differs in one document of five; cyd in all of the last three queries.
    assert between["ann", "bob"]["agreement"] == 24 / 30
    assert between["ann", "cyd"]["agreement"] == 15 / 30
    others = found["against_others"]
    assert others["ann"]["agreement"] == (24 + 15) / 60
    # bob gives one grade more in six of thirty: .2 more than ann. Where cyd turns around, the mean
    # of cyd's grades rises from 1.2 to 1.8 in half of the queries: .3 more than ann.
    assert others["ann"]["bias"] == pytest.approx(-(0.2 + 0.3) / 2)
    assert others["cyd"]["bias"] == pytest.approx(((0.3 - 0.2) + 0.3) / 2)
    assert others["cyd"]["alpha_without"] > found["alpha"]["ordinal"]["value"]


def test_every_coefficient_of_the_registry_is_told_of_every_two_judges(folder: Path) -> None:
    document = found_in(folder)
    rows = list(csv.DictReader(io.StringIO(done(folder, "agreement", "-f", "csv"))))
    for name in COEFFICIENTS:
        values = [two[name] for two in document["between"]]
        assert all(value is not None for value in values)
        told = [row for row in rows if (row["part"], row["measure"]) == ("two", NAMES[name])]
        assert [float(row["value"]) for row in told] == pytest.approx(values)
    table = done(folder, "agreement").split("Every two judges", 1)[1].splitlines()
    for two in document["between"]:
        (row,) = [line for line in table if line.split()[:2] == two["judges"]][:1]
        for name in ("agreement", "kappa_quadratic"):
            assert f"{two[name]:.4f}" in row.split()


def repeated(folder: Path, judge: str, grades: list[int]) -> None:
    """Grade the first pairs again, as hidden repeats."""
    with open_campaign(folder / "campaign.db") as campaign:
        key = find_judge(campaign, judge)
        assert key is not None
        for pair, grade in enumerate(grades, 1):
            append_event(campaign, judge=key.key, pair=pair, action="grade", grade=grade, turn=1)


def test_one_judge_is_measured_by_hidden_repeats(tmp_path: Path) -> None:
    made(tmp_path, ["ann"])
    line = refused("agreement", "--db", tmp_path / "campaign.db")
    assert "only one judge has graded" in line
    with open_campaign(tmp_path / "campaign.db") as campaign:
        first = dict(campaign.rows("SELECT pair, grade FROM judgments WHERE pair <= 4"))
    again = [first[pair] for pair in (1, 2, 3)] + [3 - first[4]]
    repeated(tmp_path, "ann", again)
    found = found_in(tmp_path)
    assert (found["self"]["ann"]["pairs"], found["self"]["ann"]["agreement"]) == (4, 0.75)
    text = done(tmp_path, "agreement")
    assert "Each judge against their own hidden repeats" in text
