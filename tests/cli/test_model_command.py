"""`judge-tui model report` as a user calls it, and the part of `report` that says the same."""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from judge_tui.report.layout import short_number
from tests.report.evaluation import DB, DOCUMENTS, QUERIES, done, make_evaluation, page

PART = "gpt beside people, on the pairs that both graded"


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evaluation")
    make_evaluation(folder)
    return folder


@pytest.fixture
def folder(evaluation: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The campaign without a model."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    shutil.copytree(evaluation, tmp_path, dirs_exist_ok=True)
    return tmp_path


def load_model(name: str, *, seed: int = 1, documents: list[str] = DOCUMENTS) -> None:
    luck = random.Random(seed)
    lines = (f"{q} 0 {d} {luck.choice([0, 1, 2])}\n" for q in QUERIES for d in documents)
    Path("model.qrels").write_text("".join(lines))
    done("load", "qrels", "model.qrels", "--judge", name, "--kind", "model")


def found(*arguments: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(done("model", "report", "gpt", *arguments, "-f", "json"))
    return document


def test_it_says_the_same_of_each_pair_as_agreement_does(folder: Path) -> None:
    load_model("gpt")
    agreement = json.loads(done("agreement", "--include-models", "-f", "json"))["between"]
    known = {frozenset(one["judges"]): one for one in agreement}
    report = found()
    for one in report["beside"][1:]:
        two = known[frozenset((one["other"], "gpt"))]
        for key in ("pairs", "kappa", "kappa_quadratic"):
            assert one[key] == pytest.approx(two[key])
    first, *_ = report["two_people"]
    assert first["who"] == "ann and bob"
    assert first["kappa"] == pytest.approx(known[frozenset(("ann", "bob"))]["kappa"])


def test_slices_are_parts_of_the_pairs(folder: Path) -> None:
    load_model("gpt")
    report = found()
    pairs: dict[str, int] = {}
    for one in report["slices"]:
        pairs[one["by"]] = pairs.get(one["by"], 0) + one["pairs"]
    assert pairs == dict.fromkeys(("class", "kind", "length", "top"), report["beside"][0]["pairs"])


def test_other_models_and_whether_models_count_change_nothing(folder: Path) -> None:
    load_model("gpt")
    before = found("--kin", "poor")
    load_model("llm", seed=2)
    done("settings", "include-models", "on")
    assert found("--kin", "poor") == before


def test_whoever_is_the_first_person_nothing_changes_but_names(folder: Path) -> None:
    load_model("gpt")
    before = found()
    done("judges", "rename", "ann", "zoe")
    after = json.loads(json.dumps(found()).replace("zoe", "ann"))
    for table in ("beside", "alt_test_people"):
        assert sorted(map(str, after[table])) == sorted(map(str, before[table]))
    assert (after["order"], after["alt_test"]) == (before["order"], before["alt_test"])


def test_a_model_that_is_a_person(folder: Path) -> None:
    """Who grades as bob does agrees with bob, and is no less like ann than he is."""
    done("export", "qrels", "--policy", "judge:bob", "-o", "copy.qrels")
    done("load", "qrels", "copy.qrels", "--judge", "gpt", "--kind", "model")
    report = found()
    assert {one["other"]: one["kappa"] for one in report["beside"]}["bob"] == 1
    bob = next(one for one in report["alt_test_people"] if one["person"] == "bob")
    assert (bob["model_as_good"], bob["person_as_good"]) == (1, 1)


def test_next_covers_all_that_the_model_graded(folder: Path) -> None:
    load_model("gpt", documents=[*DOCUMENTS, "d98"])
    rows = found()["next"]
    assert sum(one["judged"] + one["open"] for one in rows) == len(QUERIES) * (len(DOCUMENTS) + 1)
    assert sum(one["next"] for one in rows) == sum(one["open"] for one in rows)


def test_csv_has_the_model_beside_each(folder: Path) -> None:
    load_model("gpt")
    rows = list(csv.DictReader(io.StringIO(done("model", "report", "gpt", "-f", "csv"))))
    assert [row["other"] for row in rows] == ["people's final grade", "ann", "bob"]


def test_the_page_says_what_the_command_says(folder: Path) -> None:
    load_model("gpt")
    table = page().tables[PART]
    shown = {row[0]: dict(zip(table[0], row, strict=True)) for row in table[1:]}
    for one in found()["beside"]:
        row = shown[one["other"]]
        assert row["pairs"] == str(one["pairs"])
        assert row["kappa"] == short_number(one["kappa"])


@pytest.mark.parametrize("model", [False, True], ids=["no model", "nothing in common"])
def test_the_page_has_no_part_without_pairs_in_common(folder: Path, *, model: bool) -> None:
    if model:
        load_model("gpt", documents=["d99"])
    assert "models" not in page().sections


def test_nothing_in_common_is_said_and_never_zero(folder: Path) -> None:
    load_model("gpt", documents=["d98", "d99"])
    report = found()
    assert report["beside"] == [
        dict.fromkeys(report["beside"][0]) | {"other": "people's final grade", "pairs": 0}
    ]
    assert {"two_people", "slices", "order", "places", "alt_test"} <= report.keys()
    assert report["order"] == report["places"] == report["alt_test"] == []
    assert {one["what"] for one in report["undefined"]} >= {
        "order of systems",
        "Alt-Test",
        "agreement of two people",
        "kappa of people's final grade",
    }
    assert sum(one["next"] for one in report["next"]) == 2 * len(QUERIES)


def test_without_runs_there_is_no_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("queries.tsv").write_text("".join(f"{q}\tfind {q}\n" for q in QUERIES))
    done("init", "--db", DB)
    done("load", "queries", "queries.tsv", "--db", DB)
    load_model("gpt")
    Path("ann.qrels").write_text("".join(f"{q} 0 d1 1\n" for q in QUERIES))
    done("load", "qrels", "ann.qrels", "--judge", "ann")
    report = found()
    assert report["order"] == []
    assert {"what": "order of systems", "why": "the campaign has no runs"} in report["undefined"]
    assert "top" not in {one["by"] for one in report["slices"]}
