"""How `judge-tui results` shows what has no final grade: not judged, not decided, not pooled."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.report.evaluation import DB, done


def test_two_rankings_tell_what_is_in_the_pool_from_what_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ann and bob differ over "split"; nobody saw "waits"; "deep" is beneath the pool."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    Path("queries.tsv").write_text("q1\tfind it\n")
    for tag, order in (("a", "split waits known deep"), ("b", "known split waits deep")):
        Path(f"{tag}.run").write_text(
            "".join(f"q1 Q0 {d} {n} {9 - n} {tag}\n" for n, d in enumerate(order.split(), 1))
        )
    for judge, grade in (("ann", 0), ("bob", 2)):
        Path(f"{judge}.qrels").write_text(f"q1 0 split {grade}\nq1 0 known 2\n")
    done("init")
    done("load", "queries", "queries.tsv")
    done("load", "run", "a.run", "b.run")
    done("pool", "--depth", "3")
    for judge in ("ann", "bob"):
        done("load", "qrels", f"{judge}.qrels", "--judge", judge)
    asked = ("results", "--db", DB, "--query", "q1", "a", "b", "--policy", "majority")
    text = done(*asked)
    lines = text.split("\n\n")[0].splitlines()
    rows = [line.split() for line in lines if line.lstrip()[:2] in ("1 ", "2 ", "4 ")]
    assert [row[1:3] for row in rows] == [["split", "pooled"], ["waits", "pooled"], ["deep", "-"]]
    found = json.loads(done(*asked, "-f", "json"))["rankings"]
    assert [one["grade"] for one in found] == ["pooled", "pooled", 2, None]
