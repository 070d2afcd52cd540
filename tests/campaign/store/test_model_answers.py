"""What models answered: kept as it came, once for each pair, beside the grade in the log."""

from __future__ import annotations

import pytest

from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.store.bundle import export_bundle
from judge_tui.campaign.store.judges import add_judge, all_judges, remove_judge, rename_judge
from judge_tui.campaign.store.judgments import pairs_graded
from judge_tui.campaign.store.model_answers import (
    AnswerCounts,
    ModelAnswer,
    add_model_judge,
    answered_pairs,
    asked_models,
    count_answers,
    failed_answers,
    model_answers,
    pairs_for_models,
    store_answers,
)
from judge_tui.errors import UsageError
from tests.campaign.copies import decisions_of, graded, key_of, whole


def added(campaign, digest="1", called="gpt"):
    return add_model_judge(campaign, called, digest, "served", "{}")


def test_an_answer_and_its_grade_are_stored_together_and_once(campaign):
    judge = added(campaign).key
    reader, writer = key_of(campaign, "csv.reader"), key_of(campaign, "csv.writer")
    answers = [
        ModelAnswer(reader, "##final score: 2", 2, "", {2: 0.9, 0: 0.1}, 300, 6, 0.5, 17),
        ModelAnswer(writer, "Well.", None, "no final score", tokens_in=300, chars_seen=16),
    ]
    assert store_answers(campaign, judge, answers) == 2
    # Another answer about the same pair changes neither.
    assert store_answers(campaign, judge, [ModelAnswer(reader, "##final score: 0", 0)]) == 0
    with campaign.reading():
        found = [one._replace(written_at="") for *_, one in model_answers(campaign, judge)]
    assert found == sorted(answers)
    assert decisions_of(campaign) == [("q1", "csv.reader", "gpt", "grade", 2, "")]
    assert pairs_graded(campaign)[judge] == (1, 1)
    assert answered_pairs(campaign, judge) == {reader, writer}
    assert count_answers(campaign, judge) == AnswerCounts(2, 300, 6, 1)
    assert failed_answers(campaign, judge) == {"no final score": 1}


def test_an_answer_to_a_probe_is_no_grade(campaign):
    judge = added(campaign).key
    plain, fooled = ModelAnswer(1, "0", 0), ModelAnswer(1, "3", 3, probe="words")
    cut = ModelAnswer(2, "", None, "empty", probe="words")
    assert store_answers(campaign, judge, [plain, fooled, cut, fooled]) == 3
    with campaign.reading():
        found = [one._replace(written_at="") for *_, one in model_answers(campaign, judge)]
    assert found == [plain, fooled, cut]
    assert pairs_graded(campaign)[judge] == (1, 1)
    assert answered_pairs(campaign, judge) == {1}
    assert answered_pairs(campaign, judge, "words") == {1, 2}
    assert failed_answers(campaign, judge) == {}


@pytest.mark.parametrize(
    "change", ["UPDATE model_answers SET raw = ''", "DELETE FROM model_answers"]
)
def test_what_was_answered_stays(campaign, change):
    store_answers(campaign, added(campaign).key, [ModelAnswer(1, "##final score: 1", 1)])
    with pytest.raises(campaign.backend.errors, match="append-only"):
        campaign.backend.execute(change)


def test_another_identity_is_another_judge(campaign):
    first = added(campaign)
    assert added(campaign) == first
    second = added(campaign, "2")
    assert (second.name, added(campaign, "3").name) == ("gpt#2", "gpt#3")
    rename_judge(campaign, "gpt", "gpt-4o")
    assert added(campaign)._replace(name="gpt") == first
    assert [one.name for one in asked_models(campaign)] == ["gpt-4o", "gpt#2", "gpt#3"]
    assert {one.kind for one in all_judges(campaign)} == {"model"}
    # Grades of a file are of an identity that nobody knows.
    add_judge(campaign, "loaded", kind="model")
    assert added(campaign, called="loaded").name == "loaded#2"


def test_names_of_people_and_of_those_who_were_removed_are_refused(campaign):
    add_judge(campaign, "ann")
    with pytest.raises(UsageError, match="'ann' is a person"):
        added(campaign, called="ann")
    judge = added(campaign).key
    store_answers(campaign, judge, [ModelAnswer(1, "##final score: 1", 1)])
    remove_judge(campaign, "gpt", with_judgments=True)
    with pytest.raises(UsageError, match="'gpt' was removed"):
        added(campaign)
    with pytest.raises(UsageError, match="was removed"):
        store_answers(campaign, judge, [ModelAnswer(2, "##final score: 1", 1)])


def test_the_name_of_a_model_that_gave_no_grade_stays_taken(campaign):
    """Nobody else gets its key, which its answers are under."""
    judge = added(campaign)
    store_answers(campaign, judge.key, [ModelAnswer(1, "Well.", None, "no final score")])
    remove_judge(campaign, "gpt")
    with pytest.raises(UsageError, match="judge 'gpt' was removed"):
        add_judge(campaign, "gpt")
    unasked = added(campaign, called="new")
    remove_judge(campaign, "new")
    assert add_judge(campaign, "new").key == unasked.key
    with pytest.raises(UsageError, match="'new' is a person"):
        added(campaign, called="new")
    assert asked_models(campaign) == []


def test_which_pairs_there_are_for_models(campaign):
    graded(campaign, "ann", "csv.reader", 2)
    store_answers(campaign, added(campaign).key, [ModelAnswer(2, "##final score: 1", 1)])
    every = pairs_for_models(campaign)
    assert [one.query for one in every] == sorted(one.query for one in every)
    assert {one.key: one.chars for one in every}[key_of(campaign, "csv.reader")] == 17
    judged = key_of(campaign, "csv.reader")
    assert pairs_for_models(campaign, "unjudged") == [one for one in every if one.key != judged]
    assert pairs_for_models(campaign, "sample") == []
    campaign.backend.execute("UPDATE pool SET stratum = 'audit', probability = .5 WHERE id = 2")
    assert [one.key for one in pairs_for_models(campaign, "sample")] == [2]


def test_grades_of_models_are_in_no_qrels(campaign, tmp_path):
    store_answers(campaign, added(campaign).key, [ModelAnswer(1, "##final score: 1", 1)])
    graded(campaign, "ann", "sorted", 3)
    export_qrels(campaign, tmp_path / "out")
    assert (tmp_path / "out").read_text() == "q2 0 sorted 3\n"
    export_qrels(campaign, tmp_path / "all", include_models=True)
    assert len((tmp_path / "all").read_text().splitlines()) == 2


def test_a_judge_s_part_of_the_campaign_has_nothing_of_models(campaign, tmp_path):
    said = ModelAnswer(1, "it is relevant", 1)
    store_answers(campaign, added(campaign).key, [said, said._replace(probe="words")])
    export_bundle(campaign, tmp_path / "ann.db", judge="ann")
    assert b"it is relevant" not in (tmp_path / "ann.db").read_bytes()
    with pytest.raises(UsageError, match="'gpt' is a model"):
        export_bundle(campaign, tmp_path / "gpt.db", judge="gpt")
    assert not [row for row in whole(tmp_path / "ann.db") if "model" in row[0] or "gpt" in row]
