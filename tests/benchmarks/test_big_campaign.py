"""The big campaign at a small size: it is what it says. Nothing here looks at a clock."""

from __future__ import annotations

import re

import pytest

from judge_tui.campaign import open_campaign
from judge_tui.campaign.progress import progress
from tests.benchmarks.big_campaign import (
    JUDGE,
    RETRIEVED,
    Size,
    load_big,
    load_wide,
    write_big,
    write_wide,
)
from tests.benchmarks.judge_screen import DOCUMENTS, write_documents
from tests.benchmarks.stopwatch import TOKEN, Goal, Taken, judging, pressed, quiet, report, wait

SMALL = Size(queries=4, documents=500, others=20)


def test_every_query_has_a_pool_of_a_hundred_and_every_document_a_text(tmp_path):
    path = tmp_path / "c.db"
    costs = load_big(path, write_big(tmp_path, SMALL))
    assert not any(cost.failed for cost in costs.values())
    with open_campaign(path) as campaign:
        state = progress(campaign)
        pools = campaign.rows("SELECT count(*) FROM pool GROUP BY query")
    assert pools == [(RETRIEVED,)] * SMALL.queries
    assert (state.pairs, state.judged, state.missing) == (SMALL.pairs, 200, ())
    assert state.documents == state.documents_with_text <= SMALL.documents
    assert {judge.name: judge.graded for judge in state.judges} == {JUDGE: 200, "other": 100}
    assert state.unresolved > 0


def test_the_wide_query_is_wide(tmp_path):
    path = tmp_path / "c.db"
    costs = load_wide(path, write_wide(tmp_path, 300), 300)
    assert not any(cost.failed for cost in costs.values())
    with open_campaign(path) as campaign:
        assert campaign.rows("SELECT count(*) FROM pool GROUP BY query") == [(10,), (300,)]


def test_a_seed_gives_the_same_files(tmp_path):
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        write_big(folder, SMALL)
    names = sorted(path.name for path in folders[0].iterdir())
    assert all(
        (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes() for name in names
    )


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_have_their_size_and_a_token_in_their_first_line(tmp_path, name):
    shape = DOCUMENTS[name]
    write_documents(tmp_path / "d.jsonl", shape, 2)
    lines = (tmp_path / "d.jsonl").read_text().splitlines()
    for number, line in enumerate(lines):
        text = re.search(r'"text": "(.*)"', line)[1]
        assert f"TOK{number:06d}" in text.partition("\\n")[0]
        assert len(line) > shape.size * 0.7


def test_a_key_is_timed_until_its_document_is_painted(tmp_path):
    path = tmp_path / "c.db"
    load_wide(path, write_wide(tmp_path, 20), 20)
    with judging(path, "ann") as terminal:
        wait(terminal, TOKEN)
        quiet(terminal)
        before = set(TOKEN.findall(terminal.raw))
        taken = pressed(terminal, "2")
        assert set(TOKEN.findall(terminal.raw)) - before
    assert taken.passed > 0


@pytest.mark.parametrize(
    ("goal", "verdict"),
    [(Goal(30), "p95 at most 30: met"), (Goal(9, "median"), "median at most 9: MISSED")],
)
def test_a_row_says_whether_its_goal_was_met(capsys, goal, verdict):
    report("a row", [Taken(0.01, 0.002)] * 19 + [Taken(0.02, 0.002)], goal)
    said = capsys.readouterr().out
    assert "median   10.0" in said
    assert "p95   20.0" in said
    assert "worked    2.0" in said
    assert said.rstrip().endswith(verdict)
