"""What a file that was taken away leaves beside it, and one that has another length."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.events import append_event
from judge_tui.campaign.judges import add_judge
from judge_tui.campaign.second_reader import second_reader
from judge_tui.errors import CampaignError
from judge_tui.model import DEFAULT_SCALE
from tests.campaign.copies import copied, graded

ENDINGS = ("", "-wal", "-shm")

WAITING = """
import sys
from judge_tui.campaign import open_campaign
campaign = open_campaign(sys.argv[1])
campaign.rows("SELECT 1 FROM events")
print("open", flush=True)
sys.stdin.read()
"""


def beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def test_what_another_program_still_reads_is_left_there(campaign: Campaign) -> None:
    path = campaign.path
    graded(campaign, "ann", "sorted", 1)
    argv = [sys.executable, "-c", WAITING, str(path)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        copied(campaign, "copy.db").replace(path)
        with pytest.raises(CampaignError, match="while it was open"):
            graded(campaign, "ann", "sorted", 2)
        assert beside(path, "-wal").stat().st_size > 0
        assert beside(path, "-shm").exists()
        other.kill()


def test_nothing_of_ours_is_left_where_nobody_reads_it(campaign: Campaign) -> None:
    path = campaign.path
    graded(campaign, "ann", "sorted", 1)
    copied(campaign, "copy.db").replace(path)
    with pytest.raises(CampaignError, match="while it was open"):
        graded(campaign, "ann", "sorted", 2)
    assert not beside(path, "-wal").exists()
    assert not beside(path, "-shm").exists()


def test_what_belongs_to_the_file_put_there_is_left_there(campaign: Campaign, files: Path) -> None:
    """It came with a log of its own, left behind by a program that was ended."""
    path = campaign.path
    source = files / "source" / "other.db"
    source.parent.mkdir()
    graded(campaign, "ann", "sorted", 1)
    with create_campaign(source, name="other", scale=DEFAULT_SCALE, seed=1) as other:
        add_judge(other, "bob")
        for ending in ENDINGS:
            beside(path, ending).rename(beside(path, f"{ending}.away"))
            shutil.copyfile(beside(source, ending), beside(path, ending))
    with pytest.raises(CampaignError, match="while it was open"):
        graded(campaign, "ann", "sorted", 2)
    with open_campaign(path) as there:
        assert there.rows("SELECT name FROM judges") == [("bob",)]


@pytest.mark.parametrize("pages", [-1, 1])
def test_a_file_of_another_length_is_not_the_one_that_was_opened(
    campaign: Campaign, pages: int
) -> None:
    ann = add_judge(campaign, "ann").key
    campaign.tend()
    (size,) = campaign.rows("PRAGMA page_size")[0]
    length = campaign.path.stat().st_size + pages * size
    os.truncate(campaign.path, length)
    with pytest.raises(CampaignError, match="another program wrote over the file"):
        append_event(campaign, judge=ann, pair=1, action="skip")
    assert campaign.path.stat().st_size == length


def test_a_file_whose_newest_pages_are_in_the_log_is_the_same_file(campaign: Campaign) -> None:
    ann = add_judge(campaign, "ann").key
    campaign.tend()
    before = campaign.path.stat().st_size
    append_event(campaign, judge=ann, pair=1, action="comment", note="x" * 50_000)
    campaign.path.touch()
    append_event(campaign, judge=ann, pair=1, action="skip")
    assert campaign.path.stat().st_size == before
    campaign.tend()
    assert campaign.path.stat().st_size > before
    assert campaign.rows("PRAGMA integrity_check") == [("ok",)]


def test_a_folder_that_was_moved_has_all_that_was_judged(campaign: Campaign) -> None:
    folder = campaign.path.parent
    graded(campaign, "ann", "sorted", 1)
    moved = folder.with_name("moved")
    folder.rename(moved)
    for _ in range(2):
        with pytest.raises(CampaignError, match="where that was moved to, the file has all"):
            graded(campaign, "ann", "sorted", 2)
    with pytest.raises(CampaignError):
        campaign.close()
    with open_campaign(moved / campaign.path.name) as found:
        assert found.rows("SELECT grade FROM events") == [(1,)]


def test_a_folder_that_goes_while_the_program_works_in_it_is_said(
    campaign: Campaign, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a campaign is named without its folder."""
    campaign.close()
    monkeypatch.chdir(files)
    found = open_campaign(Path("campaign.db"))
    graded(found, "ann", "sorted", 1)
    with second_reader(found, lambda: False) as reader:
        assert reader.rows("SELECT grade FROM events") == [(1,)]
    shutil.rmtree(files)
    with pytest.raises(CampaignError, match="its folder is gone, too"):
        graded(found, "ann", "sorted", 2)
    with pytest.raises(CampaignError), second_reader(found, lambda: False):
        pass
    with pytest.raises(CampaignError):
        found.close()
