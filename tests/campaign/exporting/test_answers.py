"""What models answered, as rows: word for word, and whose it is."""

from __future__ import annotations

import csv
import json

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.exporting import ExportCounts
from judge_tui.campaign.exporting.answers import export_answers
from judge_tui.campaign.store.judges import add_judge, remove_judge, rename_judge
from judge_tui.campaign.store.model_answers import (
    ModelAnswer,
    add_model_judge,
    model_answers,
    store_answers,
)
from judge_tui.errors import CampaignError, UsageError
from tests.campaign.copies import key_of, tampered

HOSTILE = '=HYPERLINK("x")\r\n\x1b]52;c;aGk=\x07, "quoted"\u202e\u2028 ünï'


@pytest.fixture
def answered(campaign: Campaign) -> Campaign:
    """Two models: one with a grade, a probe and a failure, one that said little."""
    reader, writer = key_of(campaign, "csv.reader"), key_of(campaign, "csv.writer")
    gpt = add_model_judge(campaign, "gpt", "1", "served", "{}").key
    other = add_model_judge(campaign, "gpt", "2", "other", "{}").key
    store_answers(
        campaign,
        gpt,
        [
            ModelAnswer(writer, HOSTILE, None, "no final score", chars_seen=16),
            ModelAnswer(reader, "##final score: 2", 2, "", {2: 0.9, 0: 0.05}, 300, 6, 0.5, 17),
            ModelAnswer(reader, "##final score: 3", 3, probe="words"),
        ],
    )
    store_answers(campaign, other, [ModelAnswer(writer, "0", 0)])
    rename_judge(campaign, "gpt#2", "little")
    return campaign


def test_every_answer_is_a_row_word_for_word(answered, tmp_path):
    path = tmp_path / "answers.jsonl"
    counts = export_answers(answered, path)
    assert counts == ExportCounts(
        {"answers": 4, "models": 2}, {"without a grade": 1, "to probes": 1}
    )
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    with answered.reading():
        times = [one.written_at for key in (1, 2) for *_, one in model_answers(answered, key)]
    assert [one.pop("written_at") for one in rows] == times
    reader = {"query_id": "q1", "doc_id": "csv.reader", "judge": "gpt", "model": "served"}
    nothing = dict.fromkeys(("probabilities", "tokens_in", "tokens_out", "seconds"))
    plain, probe, failed, little = rows
    assert plain == reader | {
        "probe": "",
        "grade": 2,
        "reason": "",
        "raw": "##final score: 2",
        "probabilities": {"0": 0.05, "2": 0.9},
        "tokens_in": 300,
        "tokens_out": 6,
        "seconds": 0.5,
        "chars_seen": 17,
    }
    assert probe == reader | nothing | {
        "probe": "words",
        "grade": 3,
        "reason": "",
        "raw": "##final score: 3",
        "chars_seen": 0,
    }
    assert (failed["grade"], failed["reason"], failed["raw"]) == (None, "no final score", HOSTILE)
    assert (little["judge"], little["model"], little["grade"]) == ("little", "other", 0)


def test_as_csv_of_one_model(answered, tmp_path):
    path = tmp_path / "answers.csv"
    assert export_answers(answered, path, "gpt").written == {"answers": 3, "models": 1}
    with path.open(newline="", encoding="utf-8") as stream:
        plain, probe, failed = csv.DictReader(stream)
    assert json.loads(plain["probabilities"]) == {"0": 0.05, "2": 0.9}
    assert (plain["grade"], plain["probe"], probe["probe"]) == ("2", "", "words")
    assert (failed["grade"], failed["tokens_in"], failed["raw"]) == ("", "", f"'{HOSTILE}")


@pytest.mark.about_files
def test_probabilities_that_are_none_are_damage(answered, tmp_path):
    tampered(answered.path, "UPDATE model_answers SET probabilities = '['")
    with pytest.raises(CampaignError, match="restore a copy"):
        export_answers(answered, tmp_path / "x.csv")


def test_where_there_is_no_answer(answered, tmp_path):
    add_judge(answered, "ann")
    add_judge(answered, "loaded", kind="model")
    for name, why in (
        ("ann", "is a person"),
        ("loaded", "no answer of model 'loaded' is kept"),
        ("gtp", "gpt"),
    ):
        with pytest.raises(UsageError, match=why):
            export_answers(answered, tmp_path / "x.csv", name)
    for name in ("gpt", "little"):
        remove_judge(answered, name, with_judgments=True)
    with pytest.raises(UsageError, match="no model has answered"):
        export_answers(answered, tmp_path / "x.csv")
    assert not (tmp_path / "x.csv").exists()
