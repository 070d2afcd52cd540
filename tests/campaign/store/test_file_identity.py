"""A campaign whose file is taken away while it is open accepts nothing, and a copy is kept."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.store.campaign_file import second_reader
from judge_tui.errors import CampaignError
from judge_tui.model import DEFAULT_SCALE
from tests.campaign.copies import copied, events_of, graded, whole

pytestmark = pytest.mark.about_files

GONE = "deleted, moved or replaced"


def delete(path: Path) -> None:
    path.unlink()


def move(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def replace(path: Path) -> None:
    Path(shutil.copyfile(path, path.with_name("copy"))).replace(path)


def remove_wal(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


@contextmanager
def no_room(size: int) -> Iterator[None]:
    """No file can grow beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


HARMS = [delete, move, replace, remove_wal]


@pytest.mark.parametrize("harm", HARMS)
def test_nothing_is_accepted_and_what_was_is_kept_once(campaign, harm):
    graded(campaign, "ann", "csv.reader", 2)
    before = events_of(campaign)
    harm(campaign.path)
    for _ in range(2):
        with pytest.raises(CampaignError, match=rf"{GONE}.*is in campaign-kept\.db"):
            graded(campaign, "ann", "sorted", 1)
        assert campaign.loss is not None
    with pytest.raises(CampaignError, match=GONE):
        events_of(campaign)
    with pytest.raises(CampaignError, match=GONE):
        campaign.close()
    kept = list(campaign.path.parent.glob("*-kept*"))
    assert [path.name for path in kept] == ["campaign-kept.db"]
    with open_campaign(kept[0]) as again:
        assert events_of(again) == before


def test_a_file_taken_away_during_the_commit_accepts_nothing(campaign):
    with pytest.raises(CampaignError, match=GONE), campaign.writing():
        campaign.path.unlink()


def test_who_tends_or_closes_notices_it_and_copies_have_names_of_their_own(campaign):
    (campaign.path.parent / "campaign-kept.db").write_text("mine")
    campaign.path.unlink()
    with pytest.raises(CampaignError, match=r"campaign-kept-2\.db"):
        campaign.tend()
    assert (campaign.path.parent / "campaign-kept.db").read_text() == "mine"


def test_a_copy_that_had_no_room_is_tried_again(campaign):
    graded(campaign, "ann", "csv.reader", 2)
    campaign.path.unlink()
    with no_room(50_000), pytest.raises(CampaignError, match=r"could not be kept.*: make room"):
        campaign.tend()
    with pytest.raises(CampaignError, match=r"campaign-kept\.db"):
        campaign.close()


@pytest.mark.parametrize("older", [True, False], ids=["an older copy", "another campaign"])
def test_content_put_into_the_open_file_is_left_alone(campaign: Campaign, *, older: bool) -> None:
    other = copied(campaign, "other.db")
    if not older:
        other.unlink()
        create_campaign(other, name="another", scale=DEFAULT_SCALE).close()
    graded(campaign, "ann", "csv.reader", 2)
    assert campaign.backend.checkpoint()
    shutil.copyfile(other, campaign.path)
    with pytest.raises(CampaignError, match=r"wrote over the file.*restore a copy"):
        graded(campaign, "ann", "sorted", 1)
    with pytest.raises(CampaignError, match="wrote over the file"):
        campaign.rows("SELECT 1")
    assert whole(campaign.path) == whole(other)


def test_a_disk_that_fails_is_no_other_content(campaign, monkeypatch):
    """What stands in the WAL must not be given up for it."""
    graded(campaign, "ann", "csv.reader", 2)
    os.utime(campaign.path)
    failing = sqlite3.OperationalError("disk I/O error")
    failing.sqlite_errorcode = sqlite3.SQLITE_IOERR

    def fail(*_: object, **__: object) -> None:
        raise failing

    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", fail)
        with pytest.raises(CampaignError, match="the disk reports an error"):
            graded(campaign, "ann", "sorted", 1)
        campaign.tend()
    graded(campaign, "ann", "sorted", 1)
    assert len(events_of(campaign)) == 2


def test_what_others_write_and_fold_is_no_other_content(campaign):
    for number, doc_id in enumerate(("csv.reader", "csv.writer", "sorted")):
        with open_campaign(campaign.path) as other:
            graded(other, f"judge{number}", doc_id, 1)
        graded(campaign, "ann", doc_id, 2)
        campaign.tend()
    assert len(events_of(campaign)) == 6


def test_who_reads_beside_opens_no_other_file(campaign):
    with second_reader(campaign, lambda: False) as reader:
        assert events_of(reader) == []
    replace(campaign.path)
    with (
        pytest.raises(CampaignError, match=GONE),
        second_reader(campaign, lambda: False),
    ):
        raise AssertionError("must not get here")


@pytest.fixture
def read_only(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder and a file that nobody may write to, whoever runs the tests."""
    graded(campaign, "ann", "csv.reader", 2)
    campaign.close()
    folder = campaign.path.parent / "archive"
    folder.mkdir()
    path = Path(shutil.copyfile(campaign.path, folder / "c.db"))
    path.chmod(stat.S_IRUSR)
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    allowed = os.access

    def access(one: os.PathLike[str], mode: int) -> bool:
        return not (mode & os.W_OK and Path(one) in (path, folder)) and allowed(one, mode)

    monkeypatch.setattr(os, "access", access)
    return path


def test_a_read_only_campaign_can_be_read_and_not_written(read_only):
    before = read_only.read_bytes()
    with open_campaign(read_only) as campaign:
        assert len(events_of(campaign)) == 1
        with second_reader(campaign, lambda: False) as reader:
            assert len(events_of(reader)) == 1
        with pytest.raises(CampaignError, match="read-only; make both writable"):
            graded(campaign, "ann", "sorted", 1)
        campaign.tend()
    assert read_only.read_bytes() == before
    assert [path.name for path in read_only.parent.iterdir()] == ["c.db"]


def test_on_a_full_disk_a_campaign_can_be_read(campaign):
    graded(campaign, "ann", "csv.reader", 2)
    campaign.close()
    before = campaign.path.read_bytes()
    with no_room(0), open_campaign(campaign.path) as again:
        assert len(events_of(again)) == 1
        with pytest.raises(CampaignError, match="the disk reports an error; free some room"):
            graded(again, "ann", "sorted", 1)
    assert campaign.path.read_bytes() == before
