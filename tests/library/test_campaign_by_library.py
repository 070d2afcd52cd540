"""A campaign opened and its judges compared, as the docstring of the package says."""

import pytest

import judge_tui
from judge_tui.campaign.grades import grades_by_judge, load_qrels
from judge_tui.errors import CampaignError


def test_a_campaign_is_opened_and_its_judges_compared(campaign, files):
    (files / "ann.qrels").write_text("q1 0 csv.reader 3\nq1 0 csv.writer 0\nq2 0 sorted 2\n")
    (files / "bob.qrels").write_text("q1 0 csv.reader 3\nq1 0 csv.writer 1\n")
    for judge in ("ann", "bob"):
        load_qrels(campaign, files / f"{judge}.qrels", judge=judge)
    campaign.close()
    with judge_tui.open_campaign(files / "campaign.db") as opened:
        grades = grades_by_judge(opened)
        agreement = judge_tui.agree(grades, opened.settings.scale.grades)
    assert agreement.judges == ("ann", "bob")
    assert (agreement.pairs_judged, agreement.pairs_shared) == (3, 2)
    assert agreement.between[0].estimates["agreement"].value == 0.5


@pytest.mark.parametrize("name", ["campaign.db", "alpha.run"])
def test_what_is_no_campaign_is_refused(files, name):
    with pytest.raises(CampaignError, match=name):
        judge_tui.open_campaign(files / name)
