"""The page says what the correction for many comparisons did, and nothing of it where nothing was
tested."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.report.evaluation import DB, QUERIES, done, make_evaluation, page

AT_ONCE = r"(\d+) comparisons were made at once; p is corrected for that \(after Holm\)\."
WITHOUT = r" Without it, (\d+) more would look like more than chance\."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    make_evaluation(tmp_path)
    return tmp_path


def undone(*measures: str) -> int:
    """Comparisons that a test calls more than chance, but not after the correction."""
    document = json.loads(done("compare", "--db", DB, *measures, "-f", "json"))
    return sum(
        any(
            test["p"] is not None and test["p"] < 0.05 <= test["p_adjusted"]
            for test in one["tests"].values()
        )
        for one in document["comparisons"]
    )


def better_on(tag: str, queries: int) -> None:
    """A run that is "good" for so many queries, and the baseline for all others."""
    good, base = (Path(f"{name}.run").read_text().splitlines() for name in ("good", "base"))
    lines = [line for line in good if line.split()[0] in QUERIES[:queries]]
    lines += [line for line in base if line.split()[0] not in QUERIES[:queries]]
    rows = (line.rpartition(" ")[0] for line in lines)
    Path(f"{tag}.run").write_text("".join(f"{row} {tag}\n" for row in rows))
    done("load", "run", f"{tag}.run")


def test_how_many_verdicts_the_correction_takes_back_is_counted(folder: Path) -> None:
    measures = ("-m", "nDCG@10", "-m", "P@1", "-m", "RR")
    for queries in (7, 8, 9, 10, 11, 12):
        better_on(f"better{queries}", queries)
    told = re.search(AT_ONCE + WITHOUT, page(*measures).text)
    assert told is not None
    assert int(told[2]) == undone(*measures) > 0


def test_where_the_correction_takes_nothing_back_that_is_not_said(folder: Path) -> None:
    assert undone() == 0
    text = page().text
    assert re.search(AT_ONCE, text)
    assert "Without it" not in text


def test_where_nothing_was_tested_no_correction_is_told(folder: Path) -> None:
    few = [line for line in Path("ann.qrels").read_text().splitlines() if line < "q03"]
    Path("few.qrels").write_text("\n".join(few) + "\n")
    done("load", "qrels", "--db", DB, "few.qrels", "--judge", "few")
    text = page("--policy", "judge:few").text
    assert "No p wilcoxon for good and poor" in text
    assert "at once" not in text
    assert "p and the verdicts are corrected" not in text
    # The table has those of the permutation test, by which no verdict is.
    assert "p is two-sided and corrected (after Holm)" in text
