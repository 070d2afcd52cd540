"""A campaign is checked: its pages, its rows, and what holds of its events."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.adjudication import settle
from judge_tui.campaign.store.check import check_campaign, looks_damaged, refuse_damage
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import add_judge
from judge_tui.campaign.store.model_answers import ModelAnswer, add_model_judge, store_answers
from judge_tui.campaign.store.queries import all_queries
from judge_tui.cli import app as app_commands
from judge_tui.errors import CampaignError
from tests.as_typed import invoke
from tests.campaign.copies import cut_index, graded, key_of, tampered

pytestmark = pytest.mark.about_files


@pytest.fixture
def judged(campaign: Campaign) -> Path:
    for doc_id in ("csv.reader", "csv.writer"):
        graded(campaign, "ann", doc_id, 2)
    settle(campaign, add_judge(campaign, "lea", role="lead"), key_of(campaign, "sorted"), 1)
    campaign.close()
    return campaign.path


def test_a_sound_campaign_and_nothing_is_written(judged):
    before = judged.read_bytes()
    judged.chmod(0o400)
    checked = check_campaign(judged)
    assert checked.problems == ()
    assert checked.counts["events"] == 3
    assert checked.counts["judgments"] == 2
    assert judged.read_bytes() == before
    assert [path.name for path in judged.parent.glob("campaign.db*")] == ["campaign.db"]


def test_what_is_still_in_the_write_ahead_log_is_checked_too(campaign):
    graded(campaign, "ann", "csv.reader", 2)
    assert check_campaign(campaign.path).counts["judgments"] == 1
    graded(campaign, "ann", "csv.writer", 1)


@pytest.mark.parametrize(
    ("statement", "table", "doc_id"),
    [
        ("UPDATE judgments SET grade = 3 WHERE pair = {reader}", "judgments", "csv.reader"),
        ("DELETE FROM judgments WHERE pair = {writer}", "judgments", "csv.writer"),
        ("UPDATE judgments SET note = 'x' WHERE pair = {writer}", "judgments", "csv.writer"),
        ("DELETE FROM adjudications", "adjudications", "sorted"),
    ],
)
def test_what_the_events_do_not_say_is_named(judged, statement, table, doc_id):
    with open_campaign(judged) as campaign:
        keys = {name: key_of(campaign, f"csv.{name}") for name in ("reader", "writer")}
    tampered(judged, statement.format(**keys))
    [problem] = check_campaign(judged).problems
    for name in (table, doc_id, "lea" if table == "adjudications" else "ann"):
        assert name in problem.what


def test_a_grade_that_a_model_answered_and_no_event_has_is_named(judged):
    with open_campaign(judged) as campaign:
        judge = add_model_judge(campaign, "gpt", "1", "served", "{}").key
        pairs = [key_of(campaign, f"csv.{name}") for name in ("reader", "writer")]
        answers = [ModelAnswer(pair, "2", 2) for pair in pairs]
        probe = ModelAnswer(pairs[0], "3", 3, probe="words")
        store_answers(campaign, judge, [*answers, probe])
    assert check_campaign(judged).counts["answers of models"] == 3
    assert check_campaign(judged).problems == ()
    tampered(judged, f"UPDATE model_answers SET grade = 1 WHERE pair = {pairs[1]}")
    [problem] = check_campaign(judged).problems
    for name in ("model_answers", "'gpt'", "csv.writer"):
        assert name in problem.what


def orphan(path: Path) -> None:
    tampered(path, "DELETE FROM judges WHERE name = 'ann'")


def lose_from_index(path: Path) -> None:
    """Rows are missing from an index, as a quick look does not see."""
    tampered(
        path,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = sql || ' WHERE pair < 0' WHERE name = 'judgments_by_pair'",
    )
    tampered(
        path,
        "REINDEX judgments_by_pair",
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = replace(sql, ' WHERE pair < 0', '')"
        " WHERE name = 'judgments_by_pair'",
    )


@pytest.mark.parametrize("harm", [cut_index, lose_from_index, orphan])
def test_damage_is_found_and_nobody_judges_in_such_a_file(judged, harm, monkeypatch):
    harm(judged)
    before = judged.read_bytes()
    monkeypatch.setattr(app_commands, "refuse_no_terminal", lambda instead: None)
    result = invoke("judge", "--db", str(judged), "--judge", "new")
    assert (result.exit_code, "damaged" in result.stderr) == (2, True)
    assert judged.read_bytes() == before
    assert check_campaign(judged).problems
    with open_campaign(judged) as campaign:
        assert looks_damaged(campaign)
        with pytest.raises(
            CampaignError, match=r"^[^\n]*: the file is damaged \([^\n]*\); restore a copy$"
        ):
            refuse_damage(campaign)


def test_what_a_damaged_file_leads_to_is_told_as_damage(judged):
    with pytest.raises(KeyError), open_campaign(judged):
        raise KeyError(7)
    orphan(judged)
    with (
        pytest.raises(CampaignError, match="belongs to nothing in 'judges'"),
        open_campaign(judged),
    ):
        raise KeyError(7)


def test_a_text_that_is_not_utf_8_is_damage(judged):
    content = judged.read_bytes()
    assert content.count(b"csv.writer") >= 1
    judged.write_bytes(content.replace(b"csv.writer", b"csv.wr\xff\xfeer"))
    with open_campaign(judged) as campaign:
        with pytest.raises(CampaignError, match="not UTF-8"):
            campaign.rows("SELECT doc_id FROM documents")
        with pytest.raises(CampaignError, match="not UTF-8"):
            list(campaign.each("SELECT doc_id FROM documents"))


@pytest.mark.parametrize("meta", ["[", "1", "[" * 100_000])
def test_metadata_that_is_no_object_is_damage(campaign, meta):
    desk = Desk(campaign, add_judge(campaign, "ann"))
    key = desk.queries()[0].key
    [pair, *_] = desk.pairs(key)
    for table in ("queries", "documents"):
        campaign.execute(f"UPDATE {table} SET meta = ?", (meta,))
    for read in (
        lambda: desk.query(key),
        lambda: desk.look(pair),
        lambda: all_queries(campaign),
    ):
        with pytest.raises(CampaignError, match="restore a copy"):
            read()
