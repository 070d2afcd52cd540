"""What models answered on copies comes home, each under who it is; an answer that is here stays."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.campaign.store.bundle import export_bundle
from judge_tui.campaign.store.check import check_campaign
from judge_tui.campaign.store.foreign_answers import ForeignAnswer
from judge_tui.campaign.store.judges import add_judge, remove_judge, rename_judge
from judge_tui.campaign.store.merge import merge
from judge_tui.campaign.store.model_answers import (
    ANSWER_FIELDS,
    AskedModel,
    ModelAnswer,
    add_model_judge,
    asked_models,
    count_answers,
    model_answers,
    store_answers,
)
from judge_tui.errors import CampaignError
from judge_tui.model import Pair
from tests.campaign.copies import as_file, copied, graded, key_of, tampered, whole
from tests.campaign.store.test_merge_refusals import refused
from tests.waiting import next_millisecond


def asked(campaign: Campaign, served: str = "a", called: str = "gpt") -> AskedModel:
    """The judge that a model is; another one is served, another judge it is."""
    return add_model_judge(campaign, called, sha256(served.encode()).hexdigest(), served, "{}")


def answer(
    campaign: Campaign, doc_id: str, grade: int | None, probe: str = "", served: str = "a"
) -> None:
    """One answer about the first pair of a document."""
    said = ModelAnswer(
        key_of(campaign, doc_id),
        f"said {grade}",
        grade,
        "" if grade is not None else "empty",
        {0: 0.25, 3: 0.5},
        300,
        6,
        0.5,
        17,
        probe=probe,
    )
    assert store_answers(campaign, asked(campaign, served).key, [said]) == 1


def grades(campaign: Campaign) -> dict[str, dict[Pair, int]]:
    return grades_by_judge(campaign, include_models=True)


def answers_of(campaign: Campaign, name: str) -> dict[tuple[str, str, str], tuple[object, ...]]:
    """Query, document and probe -> the rest of each answer of a judge."""
    [judge] = [one.key for one in asked_models(campaign) if one.name == name]
    with campaign.reading():
        return {
            (query_id, doc_id, one.probe): one._replace(pair=0)
            for query_id, doc_id, one in model_answers(campaign, judge)
        }


@pytest.fixture
def other(campaign: Campaign) -> Path:
    """A copy in which a model answered about two pairs, and about one with a probe."""
    path = copied(campaign, "other.db")
    with open_campaign(path) as away:
        add_judge(away, "zoe")  # keys differ in the two files
        answer(away, "csv.reader", 2)
        answer(away, "sorted", None)
        answer(away, "csv.reader", 3, "words")
    return path


def test_an_answer_of_a_copy_has_all_fields_of_an_answer():
    assert ForeignAnswer._fields[3:] == ANSWER_FIELDS


def test_answers_come_whole_with_their_judge_and_grades_and_once(campaign, other):
    with open_campaign(other) as away:
        theirs = answers_of(away, "gpt")
        there = asked_models(away)
    (came,) = merge(campaign, [other])
    assert (came.events, came.answers, came.other_answers) == ({"gpt": 1}, {"gpt": 3}, {})
    assert answers_of(campaign, "gpt") == theirs
    assert [one[1:] for one in asked_models(campaign)] == [one[1:] for one in there]
    assert grades(campaign)["gpt"] == {("q1", "csv.reader"): 2}
    before = whole(campaign.path)
    (came,) = merge(campaign, [other])
    assert (came.events, came.answers, came.known) == ({}, {}, 1)
    assert (came.known_answers, came.other_answers) == ({"gpt": 3}, {})
    assert whole(campaign.path) == before
    assert check_campaign(as_file(campaign)).problems == ()


def test_a_model_that_gave_no_grade_comes_too(campaign):
    other = copied(campaign, "other.db")
    with open_campaign(other) as away:
        answer(away, "csv.reader", None)
    (came,) = merge(campaign, [other])
    assert (came.events, came.answers) == ({}, {"gpt": 1})
    assert count_answers(campaign, asked_models(campaign)[0].key).answers == 1


def test_where_one_model_answered_here_and_there_the_answer_here_and_its_grade_stay(
    campaign, other
):
    for doc_id, grade, probe in (("sorted", 1, ""), ("csv.writer", 0, ""), ("sorted", 2, "claim")):
        answer(campaign, doc_id, grade, probe)
    answer(campaign, "csv.reader", 0)
    mine = answers_of(campaign, "gpt")
    (came,) = merge(campaign, [other])
    # With the probe nothing was answered here.
    assert (came.events, came.answers, came.other_answers) == ({}, {"gpt": 1}, {"gpt": 2})
    now = answers_of(campaign, "gpt")
    assert {at: now[at] for at in mine} == mine
    assert now.keys() - mine.keys() == {("q1", "csv.reader", "words")}
    assert grades(campaign)["gpt"] == {
        ("q1", "csv.reader"): 0,
        ("q2", "sorted"): 1,
        ("q1", "csv.writer"): 0,
    }
    assert check_campaign(as_file(campaign)).problems == ()
    with open_campaign(other) as away:
        merge(away, [as_file(campaign)])
        assert grades(away)["gpt"][("q1", "csv.reader")] == 2


def test_the_same_words_of_another_time_are_here_already(campaign, other):
    """A model that answers alike twice leaves one answer and one grade."""
    next_millisecond()
    answer(campaign, "csv.reader", 2)
    (came,) = merge(campaign, [other])
    assert (came.events, came.known_answers, came.other_answers) == ({}, {"gpt": 1}, {})
    assert campaign.rows("SELECT count(*) FROM events WHERE grade = 2") == [(1,)]
    assert check_campaign(as_file(campaign)).problems == ()


def test_of_two_files_the_first_answers(campaign, other):
    second = copied(campaign, "second.db")
    with open_campaign(second) as away:
        answer(away, "csv.reader", 0)
    _, last = merge(campaign, [other, second])
    assert (last.events, last.other_answers) == ({}, {"gpt": 1})
    assert grades(campaign)["gpt"] == {("q1", "csv.reader"): 2}


def test_what_was_answered_here_while_a_file_was_read_stays(campaign, other):
    second = copied(campaign, "second.db")

    def ask_here(name: str) -> None:
        if name == str(second):
            with open_campaign(campaign.path) as mine:
                answer(mine, "csv.reader", 0)

    came, _ = merge(campaign, [other, second], on_file=ask_here)
    assert (came.events, came.answers, came.other_answers) == ({}, {"gpt": 2}, {"gpt": 1})
    assert grades(campaign)["gpt"] == {("q1", "csv.reader"): 0}


def test_another_model_of_that_name_gets_a_number_and_keeps_it(campaign, other):
    answer(campaign, "csv.reader", 0, served="b")
    (came,) = merge(campaign, [other])
    assert came.answers == {"gpt#2": 3}
    assert grades(campaign) == {
        "gpt": {("q1", "csv.reader"): 0},
        "gpt#2": {("q1", "csv.reader"): 2},
    }
    # There they are called otherwise, and each is known by its identity.
    with open_campaign(other) as away:
        answer(away, "csv.writer", 1)
        answer(away, "csv.writer", 3, served="b")
        assert [one.name for one in asked_models(away)] == ["gpt", "gpt#2"]
        rename_judge(away, "gpt#2", "served b")
    (came,) = merge(campaign, [other])
    assert came.answers == {"gpt": 1, "gpt#2": 1}
    assert grades(campaign)["gpt#2"][("q1", "csv.writer")] == 1


def test_a_model_that_was_renamed_there_comes_under_that_name(campaign, other):
    graded(campaign, "gpt", "csv.reader", 1)
    refused(campaign, other, match="judge 'gpt' of that file.*is not judge 'gpt' of this one")
    with open_campaign(other) as away:
        rename_judge(away, "gpt", "robot")
    assert merge(campaign, [other])[0].answers == {"robot": 3}


def test_a_person_comes_whose_name_a_model_had_here(campaign):
    other = copied(campaign, "other.db")
    with open_campaign(other) as away:
        graded(away, "gpt", "csv.reader", 1)
    answer(campaign, "csv.reader", 0)
    refused(campaign, other, match="is not judge 'gpt' of this one")
    rename_judge(campaign, "gpt", "robot")
    assert merge(campaign, [other])[0].events == {"gpt": 1}
    assert grades(campaign)["robot"] == {("q1", "csv.reader"): 0}


def test_nothing_comes_of_a_model_that_was_removed_here_or_there(campaign, other):
    merge(campaign, [other])
    second = copied(campaign, "second.db")
    with open_campaign(other) as away:
        answer(away, "csv.writer", 1)
    remove_judge(campaign, "gpt", with_judgments=True)
    (came,) = merge(campaign, [other])
    assert (came.events, came.answers) == ({}, {})
    with open_campaign(second) as away:
        (came,) = merge(away, [as_file(campaign)])
        assert (came.events, came.answers) == ({}, {})


def test_a_model_that_was_removed_here_before_it_answered_comes(campaign, other):
    asked(campaign)
    remove_judge(campaign, "gpt")
    assert merge(campaign, [other])[0].answers == {"gpt": 3}


def test_a_model_comes_home_that_worked_on_a_bundle(campaign, tmp_path):
    answer(campaign, "csv.writer", 1)
    export_bundle(campaign, tmp_path / "ann.db", judge="ann")
    with open_campaign(tmp_path / "ann.db") as away:
        assert asked_models(away) == []
        answer(away, "csv.reader", 2)
    assert merge(campaign, [tmp_path / "ann.db"])[0].answers == {"gpt": 1}
    assert grades(campaign)["gpt"] == {
        ("q1", "csv.writer"): 1,
        ("q1", "csv.reader"): 2,
    }


def test_the_identity_of_a_model_cannot_be_rewritten(campaign, other):
    merge(campaign, [other])
    with open_campaign(other) as away:
        answer(away, "csv.writer", 1)
    tampered(other, "UPDATE model_judges SET model = 'another'")
    with pytest.raises(CampaignError, match="'gpt' is in this campaign with another content"):
        merge(campaign, [other])


FORGED = {
    "identity of a model": ("UPDATE model_judges SET identity = 'none'",),
    "identity of a model.*rest": ("UPDATE model_judges SET rest = 'rest'",),
    "cannot be a judge's name": ("UPDATE model_judges SET called = 'a,b'",),
    "a model who is human": ("UPDATE judges SET kind = 'human'",),
    "an answer whose grade, 1, is no event": (
        "UPDATE model_answers SET grade = 1 WHERE grade = 2",
    ),
    "an answer off the scale, 7": ("UPDATE model_answers SET grade = 7 WHERE probe = 'words'",),
    "the probe of an answer, '<b>'": (
        "UPDATE model_answers SET probe = '<b>' WHERE probe = 'words'",
    ),
    "the time of an answer": ("UPDATE model_answers SET written_at = 'yesterday'",),
    "length of an answer, -1": ("UPDATE model_answers SET chars_seen = -1",),
    "seconds or length of an answer, inf": ("UPDATE model_answers SET seconds = 9e999",),
    "tokens.*-5": ("UPDATE model_answers SET tokens_out = -5",),
    "the probabilities of an answer, 'none'": ("UPDATE model_answers SET probabilities = 'none'",),
    "the probabilities of an answer.*7": (
        """UPDATE model_answers SET probabilities = '{"7": 0.5}'""",
    ),
    "the probabilities of an answer.*-0.5": (
        """UPDATE model_answers SET probabilities = '{"0": -0.5}'""",
    ),
    "damaged.*CHECK": ("UPDATE model_answers SET reason = 'none'",),
    "damaged.*nothing in 'model_judges'": ("DELETE FROM model_judges",),
    "its tables are not those that judge_tui makes: 'model_answers'": ("DROP TABLE model_answers",),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_judge_tui_does_not_write_is_refused(campaign, other, what):
    tampered(other, *FORGED[what])
    refused(campaign, other, match=what)
