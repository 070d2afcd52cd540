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

    assert "model report" not in told[0]  # no person has judged
    written = {path: path.read_bytes() for path in (demo / "qrels.txt", demo / "report.html")}
    assert [words[0] for words in commands()] == going_on
    assert written == {path: path.read_bytes() for path in written}
    assert told[0].split("$ judge-tui export")[1] == told[1].split("$ judge-tui export")[1]

    # Somebody judges a few documents, each as the model did but for two.
    rows = (demo / "grades" / "assessor-a.qrels").read_text().splitlines()[:40]
    grades = [min(int(row.split()[3]) + (place in (3, 5)), 3) for place, row in enumerate(rows)]
    yours = [
        f"{row.rsplit(maxsplit=1)[0]} {grade}" for row, grade in zip(rows, grades, strict=True)
    ]
    (tmp_path / "yours.qrels").write_text("\n".join(yours) + "\n")
    db = ("--db", "demo/campaign.db")
    assert run("load", "qrels", *db, "yours.qrels", "--judge", "you", cwd=tmp_path).returncode == 0
    assert [words[0] for words in commands()] == going_on
    [report] = re.findall(r"^    \S*judge-tui (.* model report .*)", told[2], re.M)
    found = json.loads(run(*shlex.split(report), "-f", "json", cwd=tmp_path).stdout)
    beside, [order] = found["beside"][0], found["order"]
    [shown] = re.findall(r"^assessor-a, .*\n(?:    .*\n){3}", told[2], re.M)
    agreement, means, systems = shown.splitlines()[1:]
    assert beside["pairs"] == 40
    assert "on 40 pairs\n" in shown
    assert f" {beside['kappa_quadratic']:.4f} (95 % interval " in agreement
    assert beside["mean"] != beside["other_mean"]
    assert f" {beside['mean']:.3f}, people's {beside['other_mean']:.3f}" in means
    assert f" tau {order['tau']:.4f} " in systems
