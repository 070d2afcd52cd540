"""A model beside people, by the policy that the reader asked for."""

from __future__ import annotations

import pytest

from judge_tui.campaign.overview.model_study import studied_models
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge
from judge_tui.scoring import parse_measure

# Of three pairs: ann is of one mind with the model, bob is not.
GRADES = {"ann": (0, 1, 2), "bob": (3, 3, None), "bot": (0, 1, 2)}


@pytest.mark.parametrize(
    ("asked", "policy", "agreeing", "shared", "undecided"),
    [
        ("majority", "majority", 1, 1, 2),
        ("judge:ann", "judge:ann", 3, 3, 0),
        # What bob has not judged is not what people differ about.
        ("judge:bob", "judge:bob", 0, 2, 0),
        # A model is not put beside itself.
        ("judge:bot", "majority", 1, 1, 2),
    ],
)
def test_people_are_graded_by_the_policy(campaign, asked, policy, agreeing, shared, undecided):
    for name, grades in GRADES.items():
        judge = add_judge(campaign, name, kind="model" if name == "bot" else "human")
        for pair, grade in enumerate(grades, 1):
            if grade is not None:
                append_event(campaign, judge=judge.key, pair=pair, action="grade", grade=grade)
    [study] = studied_models(campaign, parse_measure("nDCG@10"), asked)
    assert (study.policy, study.shared, study.undecided) == (policy, shared, undecided)
    table = study.beside[0].comparison.confusion
    assert sum(table[place][place] for place in range(len(table))) == agreeing
