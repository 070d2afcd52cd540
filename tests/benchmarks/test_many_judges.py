"""The campaign of many judges at a small size is what it says. Nothing here looks at a clock."""

from __future__ import annotations

from judge_tui.agreement import study
from judge_tui.campaign import open_campaign
from judge_tui.campaign.agreement_data import agreement_data
from tests.benchmarks.many_judges import PAIRS_OF_A_QUERY, make_many_judges


def test_every_judge_graded_every_pair(tmp_path):
    path = tmp_path / "c.db"
    make_many_judges(path, judges=4, pairs=10 * PAIRS_OF_A_QUERY, runs=2)
    with open_campaign(path) as campaign:
        data = agreement_data(campaign)
        runs = campaign.rows("SELECT count(*) FROM runs")
    assert runs == [(2,)]
    assert data.judges == ("j00", "j01", "j02", "j03")
    assert data.places.shape == (4, 200)
    assert (data.places >= 0).all()
    found = study(data, resamples=20)
    # Gold is one query in twenty, of ten the first.
    assert {one.pairs for one in found.gold.values()} == {PAIRS_OF_A_QUERY}
    assert {one.pairs for one in found.own.values()} == {10}
    assert 0.4 < found.agreement.alpha["ordinal"].value < 0.95
