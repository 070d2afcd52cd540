"""Reading from a campaign whose file is another one by then: nothing of that one is handed out."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.held import held_decisions
from judge_tui.campaign.judges import add_judge, all_judges
from judge_tui.campaign.second_reader import second_reader
from judge_tui.errors import CampaignError
from judge_tui.model import DEFAULT_SCALE

OVERWRITTEN = "another program wrote over the file while it was open"


def other_campaign(path: Path) -> None:
    with create_campaign(path, name="other", scale=DEFAULT_SCALE, seed=2) as other:
        add_judge(other, "zoe")


def copied_over(path: Path) -> None:
    source = path.with_name("source")
    other_campaign(source)
    shutil.copyfile(source, path)


def random_bytes(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(os.urandom(path.stat().st_size))


def truncated(path: Path) -> None:
    os.truncate(path, 0)


def names(campaign: Campaign) -> list[str]:
    return [judge.name for judge in all_judges(campaign)]


def names_beside(campaign: Campaign) -> list[str]:
    with second_reader(campaign, lambda: False) as reader:
        return names(reader)


HARMS = (copied_over, random_bytes, truncated)


@pytest.fixture
def known(campaign: Campaign) -> Campaign:
    """Ann is known, and all of it is in the file itself."""
    add_judge(campaign, "ann")
    campaign.tend()
    return campaign


@pytest.mark.parametrize("harm", HARMS)
def test_a_file_written_over_gives_nothing_and_says_so(
    known: Campaign, harm: Callable[[Path], None]
) -> None:
    harm(known.path)
    left = known.path.read_bytes()
    for _ in range(3):
        with pytest.raises(CampaignError, match=OVERWRITTEN):
            all_judges(known)
        with pytest.raises(CampaignError, match=OVERWRITTEN), known.reading():
            pytest.fail("there is nothing to be read")
        with pytest.raises(CampaignError, match=OVERWRITTEN):
            held_decisions(known, 1)
    assert known.loss is not None
    with pytest.raises(CampaignError, match=OVERWRITTEN):
        known.close()
    assert known.path.read_bytes() == left


@pytest.mark.parametrize("harm", HARMS)
def test_it_is_noticed_where_it_happens_while_reading(
    known: Campaign, harm: Callable[[Path], None]
) -> None:
    """After the file was looked at, and before the rows are handed out."""
    known.connection.create_function("harmed", 0, lambda: harm(known.path))
    with pytest.raises(CampaignError, match=OVERWRITTEN):
        known.rows("SELECT harmed()")


@pytest.mark.parametrize("harm", HARMS)
def test_it_is_noticed_in_the_middle_of_a_moment(
    known: Campaign, harm: Callable[[Path], None]
) -> None:
    with contextlib.suppress(CampaignError), known.reading():
        assert names(known) == ["ann"]
        harm(known.path)
        with pytest.raises(CampaignError, match=OVERWRITTEN):
            names(known)
    assert known.lost


@pytest.mark.parametrize("harm", HARMS)
def test_it_is_noticed_at_the_end_of_a_moment(
    known: Campaign, harm: Callable[[Path], None]
) -> None:
    with pytest.raises(CampaignError, match=OVERWRITTEN), known.reading():
        harm(known.path)


@pytest.mark.parametrize("harm", HARMS)
def test_who_reads_beside_gets_nothing_and_leaves_the_file_alone(
    known: Campaign, harm: Callable[[Path], None]
) -> None:
    harm(known.path)
    left = known.path.read_bytes()
    with pytest.raises(CampaignError):
        names_beside(known)
    assert known.path.read_bytes() == left
    # Whose it is still has to say it, and to keep what is to be kept.
    assert not known.lost
    with pytest.raises(CampaignError, match=OVERWRITTEN):
        known.tend()


@pytest.mark.parametrize("harm", HARMS)
def test_who_reads_beside_notices_it_in_the_middle(
    known: Campaign, harm: Callable[[Path], None]
) -> None:
    with second_reader(known, lambda: False) as reader:
        assert names(reader) == ["ann"]
        harm(known.path)
        with pytest.raises(CampaignError, match=OVERWRITTEN):
            names(reader)


@pytest.mark.parametrize("deleted", [False, True])
def test_who_reads_beside_opens_no_other_file(known: Campaign, *, deleted: bool) -> None:
    source = known.path.with_name("source")
    other_campaign(source)
    if deleted:
        known.path.unlink()
    else:
        source.replace(known.path)
    with pytest.raises(CampaignError, match=r"deleted, moved or replaced|cannot be opened"):
        names_beside(known)
    # Who has it open still reads what was opened.
    assert names(known) == ["ann"]


def test_what_others_write_is_read_on_as_before(known: Campaign) -> None:
    with second_reader(known, lambda: False) as reader, open_campaign(known.path) as other:
        for count in range(1, 4):
            add_judge(other, f"judge {count}")
            other.tend()
            assert len(all_judges(known)) == len(all_judges(reader)) == 1 + count
            with known.reading():
                assert len(all_judges(known)) == 1 + count
