"""`score --against` pairs queries without ids by what they ask, wherever they stand by now."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge_tui.cli import cli

RANKS = {"one": 1, "two": 2, "three": 4, "four": 5, "five": 2}
"""By the text of a query, where its right result stands."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sheet(*texts: str, header: str = "query,result1") -> None:
    """Answers and a run, which calls these queries by their places."""
    with_ids = header.startswith("query_id")
    rows = [f"{f'my{text},' if with_ids else ''}{text},right" for text in texts]
    Path("ans.csv").write_text("\n".join([header, *rows, ""]))
    Path("s.run").write_text(
        "".join(
            f"{f'my{text}' if with_ids else f'q00{place}'} Q0 {doc} {rank} {1 / rank} s\n"
            for place, text in enumerate(texts, 1)
            for rank in range(1, RANKS[text] + 1)
            for doc in ["right" if rank == RANKS[text] else f"x{rank}"]
        )
    )


def score(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ["score", "--answers", "ans.csv", "s.run", "-m", "RR", *words])
    assert result.exit_code == code, result.output
    return result


def against(*words: str) -> dict[str, Any]:
    return json.loads(score("--against", "base.json", "-f", "json", *words).stdout)


def change(found: dict[str, Any]) -> list[Any]:
    (one,) = found["against"]["changes"]
    return [one["queries"], one["wins"], one["ties"], one["losses"]]


@pytest.mark.parametrize("header", ["query,result1", "query_id,query,result1"])
def test_a_sheet_that_was_sorted_is_the_same(header):
    sheet("one", "two", "three")
    score("--save", "base.json")
    sheet("three", "one", "two", header=header)
    assert change(against()) == [3, 0, 3, 0]


def test_a_sheet_that_grew_and_shrank_pairs_what_is_in_both():
    sheet("one", "two", "three")
    score("--save", "base.json")
    sheet("four", "one", "three", "five")
    assert "made with other qrels" in score("--against", "base.json", code=2).stderr
    found = against("--allow-other-qrels")
    assert change(found) == [2, 0, 2, 0]
    lost, new = (one for one in found["warnings"] if one.startswith("queries of run 's' that "))
    assert lost.endswith("averaged earlier and are not now: 1; the first is 'q002, two'")
    assert new.endswith("averaged now and were not earlier: 2; the first is 'q001'")
    # By hand: `one` was first, and is second now.
    run, first = Path("s.run"), "q002 Q0 right 1 1.0 s\n"
    run.write_text(run.read_text().replace(first, f"q002 Q0 x 1 2 s\n{first}"))
    assert change(against("--allow-other-qrels")) == [2, 0, 1, 1]


def test_an_earlier_file_without_texts_is_read_and_places_are_told(folder):
    sheet("one", "two", "three")
    score("--save", "base.json")
    saved = json.loads((folder / "base.json").read_text())
    assert saved["schema_version"] == 1
    assert saved["texts"] == {"q001": "one", "q002": "two", "q003": "three"}
    del saved["texts"], saved["checksum"]
    text = json.dumps(saved, sort_keys=True, separators=(",", ":"))
    saved["checksum"] = hashlib.sha256(text.encode()).hexdigest()
    (folder / "base.json").write_text(json.dumps(saved))
    told = "queries are called by their places in a file that has no query_id"
    same = against()
    assert change(same) == [3, 0, 3, 0]
    assert not any(told in one for one in same["warnings"])
    sheet("four", "one", "two", "three")
    found = against("--allow-other-qrels")
    assert [told in one for one in found["warnings"]].count(True) == 1


def test_queries_with_ids_keep_no_texts(folder):
    sheet("one", "two", header="query_id,query,result1")
    score("--save", "base.json")
    assert "texts" not in json.loads((folder / "base.json").read_text())
