"""Why a pair was assigned, where one copy knows less of it than the other."""

from __future__ import annotations

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.judges import add_judge
from judge_tui.campaign.merge import merge
from tests.campaign.copies import copied, key_of


@pytest.mark.parametrize(
    ("here", "there", "after"),
    [
        ("normal", "overlap", "overlap"),
        ("normal", "gold", "gold"),
        ("overlap", "gold", "gold"),
        ("overlap", "normal", "overlap"),
        ("gold", "normal", "gold"),
        ("gold", "overlap", "gold"),
    ],
)
def test_what_is_known_of_an_assignment_is_what_one_of_the_two_knows(
    campaign: Campaign, here: str, there: str, after: str
) -> None:
    ann = add_judge(campaign, "ann")
    known = key_of(campaign, "sorted")
    with campaign.writing() as connection:
        for name in ("csv.reader", "sorted"):
            connection.execute(
                "INSERT INTO assignments VALUES (?, ?, 0, 0, ?)",
                (ann.key, key_of(campaign, name), here),
            )
    other = copied(campaign, "other.db")
    with open_campaign(other) as away, away.writing() as connection:
        connection.execute("UPDATE assignments SET purpose = ? WHERE pair <> ?", (there, known))
    merge(campaign, [other])
    assert campaign.rows("SELECT purpose FROM assignments ORDER BY pair = ?", (known,)) == [
        (after,),
        (here,),
    ]
