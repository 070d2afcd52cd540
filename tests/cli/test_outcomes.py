"""`judge-tui outcomes`: which arm passes more, by exact McNemar."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.as_typed import judge_tui

TABLE = [
    "task,arm,compiles,tests",
    *(f"t{n},none,{int(n == 7)},{int(n == 3)}" for n in range(1, 8)),
    *(f"t{n},docs,1,{int(n in (1, 2))}" for n in range(1, 8)),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def outcomes(rows: list[str], *options: str) -> dict[str, Any]:
    """The JSON; the CSV has the same numbers."""
    Path("o.csv").write_text("\n".join([*rows, ""]))
    document: dict[str, Any] = json.loads(
        judge_tui("outcomes", "o.csv", *options, "-f", "json").stdout
    )
    printed = judge_tui("outcomes", "o.csv", *options, "-f", "csv").stdout
    for row, one in zip(csv.DictReader(io.StringIO(printed)), document["comparisons"], strict=True):
        assert row == {key: "" if cell is None else str(cell) for key, cell in one.items()}
    return document


def test_numbers_by_hand() -> None:
    document = outcomes(TABLE)
    compiles, tests = document["comparisons"]
    assert (compiles["baseline_passed"], compiles["passed"]) == (1, 7)
    assert compiles["delta"] == pytest.approx(6 / 7)
    # b = 0, c = 6, and Holm over two checks.
    assert (compiles["p"], compiles["p_adjusted"]) == (2 / 2**6, 4 / 2**6)
    assert (tests["gained"], tests["lost"], tests["verdict"]) == (2, 1, "no difference shown")
    discordant = [tuple(one.values()) for one in document["discordant"]]
    assert discordant == [
        *(("compiles", "docs", f"t{n}", "docs") for n in range(1, 7)),
        *(("tests", "docs", task, arm) for task, arm in (("t1", "docs"), ("t2", "docs"))),
        ("tests", "docs", "t3", "none"),
    ]
    back, _ = outcomes(TABLE, "--baseline", "docs", "--correction", "none")["comparisons"]
    assert (back["arm"], back["gained"], back["lost"]) == ("none", 0, 6)
    assert (back["p_adjusted"], back["verdict"]) == (2 / 2**6, "worse")
