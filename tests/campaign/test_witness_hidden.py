"""Another program writes over the file while the newest judgments are in its WAL alone.

What one asks for is then found in the WAL, and the pages below it are those of another file.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign, witness
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.judges import add_judge
from judge_tui.campaign.merge import merge
from judge_tui.errors import CampaignError
from tests.campaign.copies import events_of


@pytest.fixture
def desk(campaign: Campaign) -> Desk:
    return Desk(campaign, add_judge(campaign, "ann"))


def grade(desk: Desk, count: int) -> None:
    pairs = desk.pairs(desk.queries()[0].key)
    for number in range(count):
        desk.record("grade", pairs[number % len(pairs)], grade=number % 4, note=f"note {number}")


def overwrite(path: Path, source: Path) -> bytes:
    """Write in place, as cp and sync tools do; returns what stands there now."""
    shutil.copyfile(source, path)
    return source.read_bytes()


def refused(campaign: Campaign) -> str:
    """What is said when the file is tended, and when it is closed."""
    said = []
    for step in (campaign.tend, campaign.tend, campaign.close):
        with pytest.raises(CampaignError, match="another program wrote over the file") as told:
            step()
        said.append(str(told.value))
    assert len(set(said)) == 1
    return said[0]


def count(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])


@pytest.mark.parametrize("before", [0, 3, 400])
@pytest.mark.parametrize("since", [1, 60, 400])
def test_an_older_copy(desk: Desk, before: int, since: int) -> None:
    campaign, path = desk.campaign, desk.campaign.path
    older = path.with_name("older")
    grade(desk, before)
    campaign.tend()
    shutil.copyfile(path, older)
    grade(desk, since)
    campaign.tend()
    grade(desk, 1)
    content = overwrite(path, older)
    refused(campaign)
    assert path.read_bytes() == content
    assert count(path) == before
    assert count(path.with_name("campaign-kept.db")) == before + since + 1


def test_the_next_key_tells_as_well(desk: Desk) -> None:
    campaign, path = desk.campaign, desk.campaign.path
    older = path.with_name("older")
    grade(desk, 5)
    campaign.tend()
    shutil.copyfile(path, older)
    grade(desk, 5)
    campaign.tend()
    grade(desk, 1)
    content = overwrite(path, older)
    with pytest.raises(CampaignError, match="another program wrote over the file"):
        grade(desk, 1)
    refused(campaign)
    assert path.read_bytes() == content


@pytest.mark.parametrize("theirs_is_later", [False, True])
@pytest.mark.parametrize("more", [1, 3, 60, 300])
def test_a_newer_copy(desk: Desk, more: int, theirs_is_later: bool) -> None:
    campaign, path = desk.campaign, desk.campaign.path
    newer = path.with_name("newer.db")
    grade(desk, 20)
    campaign.tend()
    shutil.copyfile(path, newer)
    if theirs_is_later:
        grade(desk, 1)
    with open_campaign(newer) as elsewhere:
        grade(Desk(elsewhere, desk.judge), more)
    if not theirs_is_later:
        grade(desk, 1)
    content = overwrite(path, newer)
    refused(campaign)
    assert path.read_bytes() == content
    assert count(path) == 20 + more


@pytest.mark.parametrize("newer", [False, True])
def test_a_copy_that_differs_in_its_runs_alone(desk: Desk, newer: bool) -> None:
    campaign, path = desk.campaign, desk.campaign.path
    source = path.with_name("source.db")
    grade(desk, 3)
    campaign.tend()
    shutil.copyfile(path, source)
    with (
        open_campaign(source) if newer else nullcontext(campaign) as larger,
        larger.writing() as connection,
    ):
        connection.execute(
            "INSERT INTO runs (tag, source, sha256, loaded_at, depth, settings)"
            " VALUES ('more', '', '', '', 0, ?)",
            (f'{{"why": "{"x" * 50_000}"}}',),
        )
    campaign.tend()
    # It makes the file larger, so that the WAL has its own count of pages.
    desk.record("comment", desk.pairs(desk.queries()[0].key)[0], note="x" * 10_000)
    content = overwrite(path, source)
    refused(campaign)
    assert path.read_bytes() == content
    assert count(path) == 3


def test_a_copy_of_what_is_in_the_file_is_no_other_content(desk: Desk) -> None:
    campaign, path = desk.campaign, desk.campaign.path
    same = path.with_name("same")
    grade(desk, 9)
    campaign.tend()
    shutil.copyfile(path, same)
    grade(desk, 1)
    for _ in range(3):
        overwrite(path, same)
        grade(desk, 1)
    path.touch()
    campaign.tend()
    campaign.close()
    assert count(path) == 13


@pytest.mark.parametrize("ended", [False, True])
def test_a_fold_that_has_begun_is_waited_for(
    desk: Desk, ended: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first page tells of pages that are not there yet: another process writes them, or was
    ended before it could, and then they are folded again."""
    campaign, path = desk.campaign, desk.campaign.path
    grade(desk, 9)
    campaign.tend()
    first = path.read_bytes()[:32]
    desk.record("comment", desk.pairs(desk.queries()[0].key)[0], note="x" * 50_000)
    with path.open("r+b") as file:
        file.seek(28)
        file.write((int.from_bytes(first[28:]) + 5).to_bytes(4))
    log = path.with_name("campaign.db-wal")
    for _ in range(3):
        campaign.tend()
        assert log.stat().st_size > 0
    grade(desk, 1)
    if ended:
        monkeypatch.setattr(witness, "_LONG", 0)
    else:
        with path.open("r+b") as file:
            file.write(first)
    campaign.tend()
    assert log.stat().st_size == 0
    campaign.close()
    assert count(path) == 11


JUDGE = """
import sys
from judge_tui.campaign import open_campaign
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.judges import add_judge
with open_campaign(sys.argv[1]) as campaign:
    desk = Desk(campaign, add_judge(campaign, sys.argv[2]))
    pairs = desk.pairs(desk.queries()[0].key)
    for number in range(150):
        desk.record("grade", pairs[number % len(pairs)], grade=number % 4)
        if number % 3 == 0:
            campaign.tend()
        if number % 10 == 0:
            with campaign.reading():
                desk.queries()
                print(number, flush=True)
"""


def test_several_who_fold_under_each_other_are_no_strangers(desk: Desk) -> None:
    campaign, path = desk.campaign, desk.campaign.path
    argv = [sys.executable, "-c", JUDGE, str(path)]
    others = [subprocess.Popen([*argv, name], stdout=subprocess.PIPE) for name in ("bob", "cy")]
    handles = len(list(Path("/dev/fd").iterdir()))
    keys = 0
    while any(other.poll() is None for other in others):
        grade(desk, 1)
        keys += 1
        if keys % 5 == 0:
            campaign.tend()
        with open_campaign(path) as reader:
            assert reader.rows("SELECT count(*) FROM events")[0][0] >= keys
    for other in others:
        other.communicate()
        assert other.returncode == 0
    assert len(list(Path("/dev/fd").iterdir())) < handles + 10
    campaign.close()
    assert count(path) == keys + 300


@pytest.fixture
def empty(campaign: Campaign) -> Path:
    """The campaign as it was before anybody judged."""
    campaign.tend()
    return Path(shutil.copyfile(campaign.path, campaign.path.with_name("empty.db")))


@pytest.mark.parametrize("before", [0, 2, 400])
@pytest.mark.parametrize("since", [1, 6, 60])
def test_a_copy_from_before_the_judge_came(
    campaign: Campaign, empty: Path, before: int, since: int
) -> None:
    """What is kept has the judge, whose row was in the file alone."""
    path, ann = campaign.path, add_judge(campaign, "ann")
    grade(Desk(campaign, ann), before)
    campaign.close()
    again = Desk(open_campaign(path), ann)
    grade(again, since)
    given = events_of(again.campaign)
    content = overwrite(path, empty)
    with pytest.raises(CampaignError, match="another program wrote over the file") as told:
        grade(again, 1)
    assert refused(again.campaign) == str(told.value)
    assert path.read_bytes() == content
    with open_campaign(path) as home:
        merge(home, [path.with_name("campaign-kept.db")])
        found = events_of(home)
    # Of the pairs that were worked on, what was done before comes, too.
    assert found[len(found) - since :] == given[before:]
    assert set(found) <= set(given)


def test_a_copy_from_before_the_judge_came_and_nothing_graded(
    campaign: Campaign, empty: Path
) -> None:
    path, desk = campaign.path, Desk(campaign, add_judge(campaign, "ann"))
    campaign.tend()
    content = overwrite(path, empty)
    with pytest.raises(CampaignError, match="another program wrote over the file"):
        grade(desk, 1)
    refused(campaign)
    assert path.read_bytes() == content
