"""The lead's rows of the bench at a small size: the data is what it says, and all of it runs."""

from __future__ import annotations

import pytest

from judge_tui.campaign import open_campaign
from judge_tui.campaign.cases import cases
from judge_tui.campaign.progress import progress
from tests.benchmarks import agreement_row
from tests.benchmarks.agreement_row import measure_agreement
from tests.benchmarks.disputed import JUDGES, Disputed, build_disputed
from tests.benchmarks.lead_screens import BOARD, measure_lead_screens

SMALL = Disputed(
    runs=4, queries=6, retrieved=20, disagreements=15, candidates=40, documents=60, text=300
)


def test_the_judges_disagree_as_often_as_they_should(tmp_path):
    path = tmp_path / "c.db"
    build_disputed(path, SMALL)
    with open_campaign(path) as campaign:
        state, found = progress(campaign), cases(campaign)
    assert (state.runs, state.queries, state.missing) == (4, 6, ())
    assert [judge.name for judge in state.judges] == list(JUDGES)
    assert all(judge.left == 0 for judge in state.judges)
    assert int(found.disputed.sum()) == 15


def test_a_seed_gives_the_same_campaign(tmp_path):
    texts = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        build_disputed(tmp_path / name / "c.db", SMALL)
        files = sorted((tmp_path / name).glob("*.[rjqt]*"))
        texts.append([(file.name, file.read_bytes()) for file in files])
    assert texts[0] == texts[1]
    assert len(texts[0]) == 4 + 2 + len(JUDGES)


def test_more_disagreements_than_pairs_are_refused(tmp_path):
    size = Disputed(runs=1, queries=1, retrieved=5, disagreements=9, candidates=5, documents=5)
    with pytest.raises(ValueError, match="9 disagreements on 5 pairs"):
        build_disputed(tmp_path / "c.db", size)


def test_every_row_of_the_lead_is_measured(tmp_path, capsys):
    measure_lead_screens(tmp_path, SMALL, starts=1, keys=2, rounds=1)
    said = capsys.readouterr().out
    assert "failed" not in said
    for row in ("first case", "leaderboard", "effects of 15 disagreements", "`agreement`"):
        assert row in said


def test_agreement_is_measured_beside_peers_who_find_the_same(tmp_path, capsys):
    assert measure_agreement(tmp_path, 1, judges=3, pairs=100, rounds=1) == []
    # Of alpha one, of each two judges three.
    assert "10 values, 0 wrong" in capsys.readouterr().out


def test_a_value_that_is_not_the_peers_is_found():
    found = {
        "alpha": {"ordinal": {"value": 0.5}},
        "between": [{"judges": ["a", "b"], "kappa": 0.25}],
    }
    measured = {"alpha": 0.5, "kappas": [{"kappa": 0.26}]}
    assert agreement_row._differences(found, measured) == ["kappa of ['a', 'b']: 0.25, not 0.26"]


@pytest.mark.parametrize(
    ("painted", "seen"),
    [(b"SYS07\x1b[1m  0.4213", True), (b"SYS07 counting", False), (b"0.4213 SYS07", False)],
)
def test_a_leaderboard_is_there_once_a_system_has_a_number(painted, seen):
    assert bool(BOARD.search(painted)) == seen
