"""`judge-tui pool --simulate`: held to `pool` itself, and its charts."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import pytest

from judge_tui.analysis.replay import ReplaySettings
from judge_tui.evaluation.inputs import read_inputs
from judge_tui.evaluation.replays import replay_inputs
from judge_tui.evaluation.runs import tagged_runs
from judge_tui.pooling.strategies import STRATEGIES
from judge_tui.scoring import parse_measure
from tests.as_typed import judge_tui

QUERIES = [f"q{number}" for number in range(9)]
PAIRS = 12 * len(QUERIES)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign with three runs of which every result has a grade in qrels.txt."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    Path("queries.tsv").write_text("".join(f"{query}\tabout {query}\n" for query in QUERIES))
    for run, step in enumerate((1, 5, 7)):
        lines = [
            f"{query} Q0 d{(place * step + at) % 12:02} {place + 1} {12 - place} run{run}\n"
            for at, query in enumerate(QUERIES)
            for place in range(12 if run != 1 else 6)
        ]
        Path(f"{run}.run").write_text("".join(lines))
    grades = [
        f"{q} 0 d{d:02} {(d * 5 + at) % 4}\n" for at, q in enumerate(QUERIES) for d in range(12)
    ]
    Path("qrels.txt").write_text("".join(grades))
    judge_tui("init", "--seed", "5")
    judge_tui("load", "queries", "queries.tsv")
    return tmp_path


def dump() -> list[str]:
    with closing(sqlite3.connect("campaign.db")) as connection:
        return list(connection.iterdump())


@pytest.mark.parametrize(
    "strategy", [name for name, one in STRATEGIES.items() if not one.uses_judgments]
)
@pytest.mark.parametrize("share", [0.2, 0.5])
@pytest.mark.parametrize("unjudged", ["zero", "expected"])
def test_a_campaign_that_pools_with_that_budget_scores_the_same(folder, strategy, share, unjudged):
    judge_tui("load", "run", "0.run", "1.run", "2.run")
    before = dump()
    words = ["--strategy", strategy, "--budgets", share, "-f", "json", "--unjudged", unjudged]
    replayed = json.loads(judge_tui("pool", "--simulate", "qrels.txt", *words).stdout)
    assert dump() == before
    budget = round(share * PAIRS)
    judge_tui("pool", "--strategy", strategy, "--depth", 12, "--budget", budget)
    with closing(sqlite3.connect("campaign.db")) as connection:
        pooled = connection.execute(
            "SELECT query_id, doc_id FROM pool JOIN queries AS q ON q.id = query"
            " JOIN documents AS d ON d.id = document"
        ).fetchall()
    lines = Path("qrels.txt").read_text().splitlines()
    kept = [one for one in lines if (one.split()[0], one.split()[2]) in pooled]
    Path("some.txt").write_text("".join(f"{one}\n" for one in kept))
    means = []
    for qrels in ("some.txt", "qrels.txt"):
        words = [qrels, "0.run", "1.run", "2.run", "-m", "nDCG@10", "-f", "json"]
        words += ["--unjudged", unjudged]
        scored = json.loads(judge_tui("score", *words).stdout)
        means.append(sum(run["mean"]["nDCG@10"] for run in scored["runs"]) / 3)
    (row,) = replayed["replays"]
    assert row["judged"] == len(pooled) == budget
    assert row["bias"] == pytest.approx(means[0] - means[1], abs=1e-12)
    assert replayed["settings"]["seed"] == 5
    assert replayed["full_pool"][0]["pairs"] == PAIRS


def test_charts_have_a_line_for_each_strategy(folder):
    words = ["0.run", "1.run", "2.run", "--budgets", "20%,60%,100%", "-f", "svg"]
    svg = judge_tui("pool", "--simulate", "qrels.txt", *words).stdout
    root = ElementTree.fromstring(svg)  # noqa: S314 - our own
    titles = [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}title")]
    assert [title.split(":")[0] for title in titles] == [*STRATEGIES] * 3
    tau, others = titles[: len(STRATEGIES)], titles[len(STRATEGIES) :]
    assert all(title.endswith("100 %: 1.000") for title in tau)
    assert all(title.endswith("100 %: 0.000") for title in others)


def test_the_library_does_the_same(folder):
    runs = ["0.run", "2.run"]
    words = [*runs, "--strategy", "rrf", "--budgets", "30%", "--depth", 5, "-m", "AP", "-f", "json"]
    (row,) = json.loads(judge_tui("pool", "--simulate", "qrels.txt", *words).stdout)["replays"]
    settings = ReplaySettings(parse_measure("AP"), ["rrf"], [0.3])
    found = replay_inputs(read_inputs("qrels.txt", tagged_runs(runs)), settings, depth=5)
    (same,) = found.rows
    assert row == {key: getattr(same, key) for key in row}
