"""`judge-tui settings`, and the baseline that every view takes from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge_tui import compare, open_campaign
from tests.as_typed import judge_tui


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Three runs over two documents and eight queries, which two judges graded."""
    monkeypatch.chdir(tmp_path)
    path = "campaign.db"
    queries = [f"q{number}" for number in range(8)]
    for place, tag in enumerate(("first", "second", "third")):
        lists = [
            f"{query} Q0 {doc_id} {rank} {9 - rank} {tag}\n"
            for number, query in enumerate(queries)
            for rank, doc_id in enumerate(["d1", "d2"] if number % 3 == place else ["d2", "d1"], 1)
        ]
        Path(f"{tag}.run").write_text("".join(lists))
    for judge in ("ann", "bob"):
        Path(f"{judge}.qrels").write_text(
            "".join(f"{one} 0 d1 1\n{one} 0 d2 0\n" for one in queries)
        )
    Path("queries.tsv").write_text("".join(f"{one}\tfind it\n" for one in queries))
    judge_tui("init", "--db", path)
    judge_tui("load", "queries", "queries.tsv", "--db", path)
    judge_tui("load", "run", "first.run", "second.run", "third.run", "--db", path)
    judge_tui("pool", "--db", path)
    for judge in ("ann", "bob"):
        judge_tui("load", "qrels", f"{judge}.qrels", "--judge", judge, "--db", path)
    return path


def baselines(db: str, *tags: str) -> set[str]:
    """What compare, results and agreement compare with."""
    compared = json.loads(judge_tui("compare", *tags, "--db", db, "-f", "json").stdout)
    results = json.loads(judge_tui("results", *tags, "--db", db, "-f", "json").stdout)
    found = {one["baseline"] for one in compared["comparisons"]} | {results["settings"]["baseline"]}
    if not tags:
        agreement = json.loads(judge_tui("agreement", "--db", db, "-f", "json").stdout)
        found.add(agreement["system_order"]["baseline"])
    return found


def test_every_view_compares_with_the_campaigns_baseline(db: str) -> None:
    assert baselines(db) == {"first"}

    judge_tui("settings", "--db", db, "baseline", "second")
    assert judge_tui("settings", "--db", db, "baseline").stdout == "second\n"
    assert baselines(db) == {"second"}
    judge_tui("report", "--db", db, "-o", "page.md")
    assert "**Keep second: " in Path("page.md").read_text()
    # Where it is not among the runs that were asked for, the first of these.
    assert baselines(db, "third", "second") == {"second"}
    assert baselines(db, "third", "first") == {"third"}
    # A single run stands beside it.
    compared = json.loads(judge_tui("compare", "third", "--db", db, "-f", "json").stdout)
    assert [(one["baseline"], one["tag"]) for one in compared["comparisons"]] == [
        ("second", "third")
    ]
    with open_campaign(db) as campaign:
        assert [one.baseline for one in compare(campaign, "third")] == ["second"]
    named = ("--baseline", "third")
    compared = json.loads(judge_tui("compare", "--db", db, *named, "-f", "json").stdout)
    assert {one["baseline"] for one in compared["comparisons"]} == {"third"}
    judge_tui("compare", "--db", db, "--all-pairs")

    judge_tui("settings", "--db", db, "baseline", "")
    assert baselines(db) == {"first"}


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("name", "cats", "cats"),
        ("labels", "0=no,1=a bit,2=yes,3=all", "0=no,1=a bit,2=yes,3=all"),
        ("show-ranks", "on", "on"),
        ("show-fields", " author, year,author,", "author,year"),
        ("least-look", "0.50", "0.5"),
        ("include-models", "on", "on"),
        ("share-pool", "on", "on"),
    ],
)
def test_what_is_set_is_shown(db: str, key: str, value: str, shown: str) -> None:
    judge_tui("settings", "--db", db, key, value)
    assert judge_tui("settings", "--db", db, key).stdout == f"{shown}\n"
    assert f"{key}: {shown}\n" in judge_tui("settings", "--db", db).stdout
    refused = {
        "labels": "0=no,1=yes",
        "show-ranks": "yes",
        "include-models": "1",
        "share-pool": "yes",
        "least-look": "nan",
    }
    if key in refused:
        judge_tui("settings", "--db", db, key, refused[key], code=2)
        judge_tui("settings", "--db", db, "colour", code=2)
        assert judge_tui("settings", "--db", db, key).stdout == f"{shown}\n"
