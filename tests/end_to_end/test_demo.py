"""`make demo` without a terminal: everything but the app, twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_demo_runs_and_resumes_without_a_terminal(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DEMO": str(tmp_path / "demo"),
        "BIN": str(Path(sys.executable).parent),
    }

    def demo() -> str:
        done = subprocess.run(
            ["sh", "sample_runs/demo.sh"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    first = demo()
    assert "There is no terminal here" in first
    for command in (
        "init",
        "load queries",
        "load run",
        "load docs",
        "pool",
        "load qrels",
        "status",
    ):
        assert f"$ judge-tui {command}" in first, command
    for command in ("agreement", "export qrels", "score", "compare", "results", "report"):
        assert f"$ judge-tui {command}" in first, command
    # What it says comes next can be typed in a shell that knows nothing of the demo.
    steps = first.split("\nnext\n")[1].split("\n\n")[0].splitlines()
    db = str(tmp_path / "demo" / "campaign.db")
    assert any("judge-tui" in line for line in steps)
    assert all(f"--db {db}" in line for line in steps if "judge-tui" in line)
    results = first.splitlines()[-1].strip()
    typed = subprocess.run(
        ["sh", "-c", f"{results} -o -"],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert typed.returncode == 0
    assert "bm25" in typed.stdout
    qrels = (tmp_path / "demo" / "qrels.txt").read_bytes()
    page = (tmp_path / "demo" / "report.html").read_text(encoding="utf-8")
    provenance = json.loads((tmp_path / "demo" / "qrels.txt.provenance.json").read_text())
    assert provenance["counts"]["queries"] == 50
    assert [judge["kind"] for judge in provenance["judges"]] == ["model", "model"]

    second = demo()
    assert "goes on" in second
    assert "$ judge-tui init" not in second
    assert (tmp_path / "demo" / "qrels.txt").read_bytes() == qrels
    assert (tmp_path / "demo" / "report.html").read_text(encoding="utf-8") == page
    assert first.split("$ judge-tui export")[1] == second.split("$ judge-tui export")[1]
