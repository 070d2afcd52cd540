"""`judge-tui demo` without a terminal: everything but the app, twice."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from tests.programs import run


def test_the_demo_runs_and_resumes_without_a_terminal(tmp_path: Path) -> None:
    def commands() -> list[list[str]]:
        done = run("demo", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        told.append(done.stdout.decode())
        return [shlex.split(line) for line in re.findall(r"^\$ judge-tui (.*)", told[-1], re.M)]

    told: list[str] = []
    first = commands()
    building = ["init", "load", "load", "settings", "load", "pool", "load", "load"]
    going_on = ["agreement", "export", "compare", "report"]
    assert [words[0] for words in first] == [*building, *going_on]
    # What matters: agreement, the verdicts, the answer and the page; a line for all other steps.
    assert all(word in told[0] for word in ("alpha ordinal", "  better\n", "report.html: "))
    assert len(told[0].splitlines()) < 40
    results = shlex.split(told[0].splitlines()[-1])[1:]
    assert "bm25" in run(*results, "-o", "-", cwd=tmp_path).stdout.decode()

    demo = tmp_path / "demo"
    provenance = json.loads((demo / "qrels.txt.provenance.json").read_text())
    assert provenance["counts"]["queries"] == 50
    assert [judge["kind"] for judge in provenance["judges"]] == ["model", "model"]

    written = {path: path.read_bytes() for path in (demo / "qrels.txt", demo / "report.html")}
    assert [words[0] for words in commands()] == going_on
    assert written == {path: path.read_bytes() for path in written}
    assert told[0].split("$ judge-tui export")[1] == told[1].split("$ judge-tui export")[1]
