"""`judge-tui settle` before the app opens: who settles, and that nothing is written then."""

from __future__ import annotations

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import add_judge, all_judges
from tests.as_typed import refused


@pytest.mark.parametrize(
    ("leads", "words", "says"),
    [
        ([], [], "there is no lead yet; say who settles with --lead NAME"),
        ([], ["--lead", "lea"], "the app needs a terminal"),
        (["lea"], [], "the app needs a terminal"),
        (["lea", "moe"], [], "the leads are 'lea', 'moe'; say who settles with --lead NAME"),
    ],
)
def test_the_only_lead_settles(
    campaign: Campaign, leads: list[str], words: list[str], says: str
) -> None:
    for name in leads:
        add_judge(campaign, name, role="lead")
    assert refused("settle", "--db", campaign.path, *words).startswith(says)
    assert [judge.name for judge in all_judges(campaign)] == leads


def test_against_whom(campaign: Campaign) -> None:
    add_judge(campaign, "ann")
    add_judge(campaign, "bot", kind="model")
    for name, says in (("bob", "no model 'bob'"), ("ann", "judge 'ann' is a person")):
        assert refused(
            "settle", "--db", campaign.path, "--lead", "lea", "--against", name
        ).startswith(says)
    words = ["settle", "--db", campaign.path, "--lead", "lea", "--against", "bot"]
    assert "--against bot -o FILE.csv" in refused(*words)
    assert "leave --include-models out" in refused(*words, "--include-models")
