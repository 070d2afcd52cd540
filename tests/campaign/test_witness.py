"""A campaign whose file is taken away, replaced or written over while it is open."""

from __future__ import annotations

import os
import resource
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.events import append_event
from judge_tui.campaign.judges import add_judge
from judge_tui.campaign.pool import pair_keys
from judge_tui.campaign.witness import typed_path
from judge_tui.cli import cli
from judge_tui.errors import CampaignError
from judge_tui.model import DEFAULT_SCALE


@pytest.fixture
def desk(campaign: Campaign) -> Desk:
    """A judge at work: two grades are given, and folded into the file."""
    desk = Desk(campaign, add_judge(campaign, "ann"))
    grade(desk, 2)
    campaign.tend()
    return desk


def grade(desk: Desk, count: int) -> None:
    for _ in range(count):
        append_event(desk.campaign, judge=desk.judge.key, pair=1, action="grade", grade=1)


def grades(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])


def beside(path: Path) -> set[str]:
    return {one.name for one in path.parent.glob(f"{path.stem}*")}


def test_what_is_tended_is_whole_in_the_file_alone(desk: Desk, tmp_path: Path) -> None:
    path = desk.campaign.path
    assert path.with_name(f"{path.name}-wal").stat().st_size == 0
    shutil.copyfile(path, tmp_path / "copy.db")
    assert grades(tmp_path / "copy.db") == 2


def test_tending_waits_for_nobody(desk: Desk) -> None:
    campaign = desk.campaign
    grade(desk, 1)
    with closing(sqlite3.connect(campaign.path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM events").fetchone()
        campaign.tend()
    assert campaign.path.with_name("campaign.db-wal").stat().st_size > 0
    campaign.tend()
    assert campaign.path.with_name("campaign.db-wal").stat().st_size == 0


@pytest.mark.parametrize("folded", [False, True])
@pytest.mark.parametrize("harm", ["deleted", "moved", "replaced", "-wal", "-shm"])
def test_what_was_judged_in_a_file_that_is_gone_is_kept(
    desk: Desk, harm: str, folded: bool
) -> None:
    campaign, path = desk.campaign, desk.campaign.path
    copy = path.with_name("copy.db")
    shutil.copyfile(path, copy)
    grade(desk, 3)
    if folded:
        campaign.tend()
    if harm == "deleted":
        path.unlink()
    elif harm == "moved":
        path.rename(path.with_name("elsewhere.db"))
    elif harm == "replaced":
        copy.replace(path)
    else:
        path.with_name(path.name + harm).unlink()
    home = "name it campaign.db again"
    if harm not in ("deleted", "moved"):
        home = f"judge-tui merge --db {path} {path.with_name('campaign-kept.db')} brings it home"
    for _ in range(2):
        with pytest.raises(CampaignError, match=r"while it was open; .*campaign-kept\.db") as told:
            grade(desk, 1)
        assert home in str(told.value)
    with pytest.raises(CampaignError, match="while it was open"):
        campaign.close()
    assert grades(path.with_name("campaign-kept.db")) == 5
    # Nothing of ours is left that another file's judgments could get into.
    assert not {"campaign.db-wal", "campaign.db-shm"} & beside(path)
    if harm == "replaced":
        assert grades(path) == 2


def test_a_file_that_is_gone_is_said_without_a_key(desk: Desk) -> None:
    desk.campaign.path.unlink()
    with pytest.raises(CampaignError, match=r"all up to now is in campaign-kept\.db"):
        desk.campaign.tend()
    with pytest.raises(CampaignError, match="while it was open"):
        desk.queries()


def test_copies_that_are_kept_never_write_over_each_other(desk: Desk) -> None:
    path = desk.campaign.path
    kept = path.with_name("campaign-kept.db")
    kept.write_text("mine")
    path.unlink()
    with pytest.raises(CampaignError, match=r"campaign-kept-2\.db"):
        desk.campaign.tend()
    assert kept.read_text() == "mine"
    assert grades(path.with_name("campaign-kept-2.db")) == 2


@pytest.mark.parametrize("wal", [False, True])
def test_one_who_only_read_keeps_a_copy_too(desk: Desk, *, wal: bool) -> None:
    """Nobody else may have it any more: what is deleted cannot be put back in its place."""
    path = desk.campaign.path
    desk.campaign.close()
    reader = open_campaign(path)
    for one in path.parent.glob("campaign.db*") if wal else [path]:
        one.unlink()
    for step in (reader.tend, reader.tend, reader.close):
        with pytest.raises(CampaignError, match=r"all up to now is in campaign-kept\.db: leave, "):
            step()
    assert beside(path) == {"campaign-kept.db"}
    assert grades(path.with_name("campaign-kept.db")) == 2


def test_the_command_that_brings_it_home_works_from_where_the_program_was_started(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = desk.campaign.path.parent / "her folder"
    folder.mkdir()
    desk.campaign.close()
    path = Path(desk.campaign.path.rename(folder / "the file.db"))
    older = path.with_name("older.db")
    shutil.copyfile(path, older)
    monkeypatch.chdir(folder.parent)
    named = Path("her folder/the file.db")
    campaign = open_campaign(named)
    grade(Desk(campaign, desk.judge), 1)
    older.replace(path)
    with pytest.raises(CampaignError) as told:
        campaign.tend()
    with pytest.raises(CampaignError):
        campaign.close()
    command = "judge-tui merge --db 'her folder/the file.db' 'her folder/the file-kept.db'"
    assert f"leave; {command} brings it home" in str(told.value)
    assert CliRunner().invoke(cli, shlex.split(command)[1:]).exit_code == 0
    assert grades(path) == 3


@pytest.mark.parametrize("content", ["another campaign", "text", "a folder"])
def test_where_no_copy_of_the_campaign_stands_there_what_was_kept_takes_its_place(
    desk: Desk, content: str
) -> None:
    path = desk.campaign.path
    new = path.with_name("new")
    if content == "another campaign":
        other_campaign(new)
    elif content == "text":
        new.write_text("hello\n")
    else:
        new.mkdir()
        path.unlink()
    new.replace(path)
    with pytest.raises(CampaignError) as told:
        desk.campaign.tend()
    with pytest.raises(CampaignError):
        desk.campaign.close()
    assert str(told.value).endswith(
        "; all up to now is in campaign-kept.db: leave, move what is named campaign.db now aside,"
        " and give campaign-kept.db that name"
    )
    path.rename(path.with_name("aside"))
    path.with_name("campaign-kept.db").rename(path)
    with open_campaign(path) as back:
        assert back.rows("SELECT count(*) FROM events") == [(2,)]


def test_a_copy_that_had_no_room_is_tried_again(desk: Desk) -> None:
    path = desk.campaign.path
    path.unlink()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
    try:
        with pytest.raises(CampaignError, match="could not be kept elsewhere: make room") as told:
            grade(desk, 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "kept.db" not in str(told.value)
    assert [one.name for one in path.parent.iterdir() if one.name.startswith(".")] == []
    with pytest.raises(CampaignError, match=r"all up to now is in campaign-kept\.db"):
        grade(desk, 1)
    assert grades(path.with_name("campaign-kept.db")) == 2


IN_A_FOLDER_THAT_IS_READ_ONLY = """
import shutil, sys
from pathlib import Path
from judge_tui.campaign import open_campaign
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.judges import all_judges
from judge_tui.errors import CampaignError
path = Path(sys.argv[1])
campaign = open_campaign(path)
desk = Desk(campaign, all_judges(campaign)[0])
desk.record("skip", desk.pairs(desk.queries()[0].key)[0])
campaign.tend()
if sys.argv[2] == "deleted":
    path.unlink()
else:
    shutil.copyfile(path.with_name("older.db"), path)
path.parent.chmod(0o555)
for mended in (False, True):
    path.parent.chmod(0o755 if mended else 0o555)
    try:
        campaign.close() if mended else campaign.tend()
    except CampaignError as error:
        print(error)
"""
# Who may do everything may write everywhere.
_AS_OTHERS = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"]


@pytest.mark.skipif(
    os.geteuid() == 0 and shutil.which("setpriv") is None, reason="root may write everywhere"
)
@pytest.mark.parametrize("harm", ["deleted", "written over"])
def test_in_a_folder_that_is_read_only_that_is_said_and_it_is_tried_again(
    desk: Desk, harm: str
) -> None:
    path = desk.campaign.path
    desk.campaign.close()
    shutil.copyfile(path, path.with_name("older.db"))
    argv = [sys.executable, "-c", IN_A_FOLDER_THAT_IS_READ_ONLY, str(path), harm]
    before = _AS_OTHERS if os.geteuid() == 0 else []
    done = subprocess.run([*before, *argv], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    how = "could not be kept beside it: its folder is read-only, make it writable (chmod u+w)"
    assert how in first
    assert "campaign-kept.db" in second
    assert grades(path.with_name("campaign-kept.db")) == (3 if harm == "deleted" else 1)


def test_a_copy_that_is_damaged_is_not_offered_as_all_that_there_was(desk: Desk) -> None:
    """What was damaged before goes unnoticed until it is read, and a copy has it, too."""
    campaign, path = desk.campaign, desk.campaign.path
    (root,) = campaign.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'assignments'")[0]
    (size,) = campaign.rows("PRAGMA page_size")[0]
    campaign.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    again = open_campaign(path)
    path.unlink()
    with pytest.raises(CampaignError, match="could not be kept elsewhere"):
        again.tend()
    assert not {name for name in beside(path) if "kept" in name}
    with pytest.raises(CampaignError, match="could not be kept: nothing has it now but the"):
        again.close()


def other_campaign(path: Path) -> None:
    create_campaign(path, name="other", scale=DEFAULT_SCALE, seed=2).close()


@pytest.mark.parametrize("content", ["another campaign", "an older copy", "text", "nothing"])
def test_a_file_that_was_written_over_is_left_to_who_did_so(desk: Desk, content: str) -> None:
    campaign, path = desk.campaign, desk.campaign.path
    source = path.with_name("source")
    if content == "another campaign":
        other_campaign(source)
    elif content == "an older copy":
        shutil.copyfile(path, source)
        grade(desk, 1)
        campaign.tend()
    else:
        source.write_text("words\n" * 9000 if content == "text" else "")
    shutil.copyfile(source, path)
    for _ in range(2):
        with pytest.raises(CampaignError, match="another program wrote over the file"):
            grade(desk, 1)
    with pytest.raises(CampaignError, match="another program wrote over the file"):
        campaign.tend()
    with pytest.raises(CampaignError, match="another program wrote over the file"):
        campaign.close()
    assert path.read_bytes() == source.read_bytes()
    assert beside(path) == {"campaign.db", "campaign-kept.db"}
    assert grades(path.with_name("campaign-kept.db")) == (3 if content == "an older copy" else 2)


def test_frames_not_folded_yet_do_not_get_into_another_campaign(desk: Desk) -> None:
    campaign, path = desk.campaign, desk.campaign.path
    source = path.with_name("source")
    other_campaign(source)
    grade(desk, 1)
    shutil.copyfile(source, path)
    with pytest.raises(CampaignError, match="another program wrote over the file"):
        campaign.tend()
    with pytest.raises(CampaignError):
        campaign.close()
    assert path.read_bytes() == source.read_bytes()
    assert grades(path) == 0


def test_a_newer_copy_written_over_the_file_keeps_what_it_has(desk: Desk) -> None:
    """A sync tool writes in place: what others judged since is in it, and ours as well."""
    campaign, path = desk.campaign, desk.campaign.path
    newer = path.with_name("newer.db")
    shutil.copyfile(path, newer)
    with open_campaign(newer) as elsewhere:
        theirs = Desk(elsewhere, add_judge(elsewhere, "bob"))
        grade(theirs, 400)
    shutil.copyfile(newer, path)
    with pytest.raises(CampaignError, match="another program wrote over the file"):
        campaign.tend()
    with pytest.raises(CampaignError):
        campaign.close()
    assert grades(path) == 402


def test_a_copy_written_over_the_file_that_goes_on_from_it_is_read_anew(desk: Desk) -> None:
    campaign, path = desk.campaign, desk.campaign.path
    newer = path.with_name("newer.db")
    shutil.copyfile(path, newer)
    with open_campaign(newer) as elsewhere:
        add_judge(elsewhere, "bob")
    assert newer.stat().st_size == path.stat().st_size
    before = campaign.version()
    shutil.copyfile(newer, path)
    assert campaign.version() != before
    grade(desk, 1)
    assert campaign.rows("SELECT name FROM judges ORDER BY id") == [("ann",), ("bob",)]
    campaign.close()
    assert grades(path) == 3


BOB = """
import sys
from judge_tui.campaign import open_campaign
from judge_tui.campaign.events import append_event
from judge_tui.campaign.judges import add_judge
with open_campaign(sys.argv[1]) as campaign:
    bob = add_judge(campaign, "bob").key
    for _ in range(4):
        append_event(campaign, judge=bob, pair=1, action="grade", grade=1)
    print("judged", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("still_there", [False, True])
def test_what_others_judged_after_the_wal_was_taken_away_stays(
    desk: Desk, *, still_there: bool
) -> None:
    """A judge whose app stood still meanwhile must not fold an old WAL over their work."""
    campaign, path = desk.campaign, desk.campaign.path
    grade(desk, 1)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink()
    argv = [sys.executable, "-c", BOB, str(path)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bob:
        assert bob.stdin is not None
        assert bob.stdout is not None
        assert bob.stdout.readline() == b"judged\n"
        if not still_there:
            bob.stdin.close()
            bob.wait()
        with pytest.raises(CampaignError, match=r"campaign-kept\.db"):
            campaign.tend()
        with pytest.raises(CampaignError):
            campaign.close()
        with pytest.raises(CampaignError):
            campaign.rows("SELECT 1 FROM events")
    assert bob.returncode == 0
    # This process still holds the file as it was: another one says what is in it now.
    counting = (
        "import sys; from tests.campaign.test_witness import *; print(grades(Path(sys.argv[1])))"
    )
    counted = subprocess.run(
        [sys.executable, "-c", counting, str(path)], capture_output=True, text=True, check=True
    )
    assert int(counted.stdout) == 2 + 4
    assert grades(path.with_name("campaign-kept.db")) == 3


def test_a_copy_restored_through_sqlite_is_told_from_the_file(desk: Desk) -> None:
    """It comes by the WAL: that is no stranger's, and nothing of it may be thrown away."""
    campaign, path = desk.campaign, desk.campaign.path
    with closing(sqlite3.connect(path.with_name("backup.db"))) as backup:
        campaign.connection.backup(backup)
        grade(desk, 3)
        campaign.tend()
        with closing(sqlite3.connect(path)) as other:
            backup.backup(other)
    with pytest.raises(CampaignError, match="another program wrote over the file"):
        campaign.tend()
    with pytest.raises(CampaignError, match="another program wrote over the file"):
        grade(desk, 1)
    with pytest.raises(CampaignError):
        campaign.close()
    assert grades(path) == 2


def test_a_damaged_table_is_said_in_words(desk: Desk) -> None:
    path = desk.campaign.path
    (root,) = desk.campaign.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'events'")[0]
    (size,) = desk.campaign.rows("PRAGMA page_size")[0]
    desk.campaign.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    with pytest.raises(CampaignError, match="damaged"):
        open_campaign(path)


def test_a_file_that_was_only_touched_is_the_same_file(desk: Desk) -> None:
    desk.campaign.path.touch()
    grade(desk, 1)
    desk.campaign.close()
    assert grades(desk.campaign.path) == 3


def test_the_version_changes_with_others_and_not_with_oneself(desk: Desk) -> None:
    campaign = desk.campaign
    before = campaign.version()
    grade(desk, 2)
    campaign.tend()
    assert campaign.version() == before
    with open_campaign(campaign.path) as other:
        add_judge(other, "bob")
    after = campaign.version()
    assert after != before
    assert campaign.version() == after


def test_two_who_tend_one_file_see_each_others_judgments(desk: Desk) -> None:
    with open_campaign(desk.campaign.path) as other:
        theirs = Desk(other, add_judge(other, "bob"))
        for _ in range(20):
            grade(desk, 1)
            desk.campaign.tend()
            grade(theirs, 1)
            other.tend()
        assert other.rows("SELECT count(*) FROM events") == [(42,)]
    assert desk.campaign.rows("SELECT count(*) FROM events") == [(42,)]


@pytest.mark.parametrize(
    "name",
    ["a?mode=ro", "a#b", "100%25", "a b", "new\nline.db", ":memory:", "file:x", "-d", "é\u202e"],
)
def test_any_name_is_the_name_of_a_file(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with create_campaign(name, name="n", scale=DEFAULT_SCALE, seed=1) as campaign:
        add_judge(campaign, "ann")
        campaign.tend()
    assert [path.name for path in tmp_path.iterdir()] == [name]
    with open_campaign(name) as again:
        assert again.rows("SELECT name FROM judges") == [("ann",)]


def test_a_symlink_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    other_campaign(tmp_path / "real" / "c.db")
    (tmp_path / "link.db").symlink_to(tmp_path / "real" / "c.db")
    campaign = open_campaign(tmp_path / "link.db")
    add_judge(campaign, "ann")
    campaign.tend()
    (tmp_path / "real" / "c.db-wal").unlink()
    with pytest.raises(CampaignError, match="-wal or -shm"):
        campaign.tend()


@pytest.mark.parametrize(
    ("named", "typed"),
    [("c-kept.db", "c-kept.db"), ("-d-kept.db", "./-d-kept.db"), ("a b/-c.db", "'a b/-c.db'")],
)
def test_a_file_in_a_command_is_one_argument_and_no_option(named: str, typed: str) -> None:
    assert typed_path(Path(named)) == typed


def test_a_campaign_that_was_closed_touches_nothing_of_those_who_have_it_open(
    campaign: Campaign,
) -> None:
    """What it looked at when it was closed is out of date: that is no trouble of the file's."""
    campaign.close()
    log = campaign.path.with_name("campaign.db-wal")
    with open_campaign(campaign.path) as other:
        add_judge(other, "bob")
        other.tend()
        add_judge(other, "cy")
        held = log.read_bytes()
        for step in (
            campaign.close,
            campaign.tend,
            lambda: campaign.rows("SELECT 1"),
            lambda: pair_keys(campaign),
            lambda: add_judge(campaign, "dee"),
        ):
            with pytest.raises(CampaignError, match="the campaign was closed; open it again"):
                step()
        assert log.read_bytes() == held
    with open_campaign(campaign.path) as again:
        assert again.rows("SELECT name FROM judges") == [("bob",), ("cy",)]
