"""Reading a run must not cost more at start-up than reading a run takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import judge_tui.formats

HEAVY = (
    "numpy",
    "scipy",
    "textual",
    "rich",
    "sqlite3",
    "json",
    "gzip",
    "lzma",
    "zstandard",
    "html",
)


def test_scoring_imports_only_what_runs_and_qrels_need(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q 0 d 1\n")
    code = (
        "import sys\n"
        "from judge_tui.formats import read_qrels, read_run\n"
        "read_qrels('qrels')\n"
        "print(*sorted(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=True
    )
    imported = set(done.stdout.decode().split())
    assert imported.isdisjoint(HEAVY)
    others = (
        "csv",
        "json",
        "tables",
        "tsv",
        "quepid",
        "search",
        "trec_sgml",
        "check",
        "places",
        "latency",
    )
    assert {
        name
        for name in imported
        if name.startswith(tuple(f"judge_tui.formats.{other}" for other in others))
    } == set()


def test_every_name_that_the_room_offers_is_there() -> None:
    for name in judge_tui.formats.__all__:
        assert getattr(judge_tui.formats, name) is not None
        assert name in dir(judge_tui.formats)
