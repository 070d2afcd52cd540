"""`judge-tui export bundle` and `judge-tui merge`, as typed."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.cli import cli
from judge_tui.report import FORMS
from tests.campaign.copies import copied, graded, graded_in, tampered
from tests.cli.test_progress import errors_on_a_terminal
from tests.waiting import next_millisecond

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egpj.exe\u200b&50%_|*\\"


@pytest.fixture
def work(campaign: Campaign, files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the small campaign, and two copies: ann's and one of a hostile judge."""
    ann, other = copied(campaign, "ann.db"), copied(campaign, f"x{HOSTILE}.db")
    campaign.close()
    graded_in(ann, "ann", {"csv.reader": 3, "sorted": 1})
    graded_in(other, f"x{HOSTILE}", {"csv.reader": 3})
    tampered(
        other,
        "UPDATE documents SET doc_id = ?1, text = ?1 WHERE doc_id = 'json.load'".replace(
            "?1", f"'{HOSTILE}'"
        ),
        f"UPDATE campaign SET name = '{HOSTILE}'",
    )
    monkeypatch.chdir(files)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    return files


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def done(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_what_came_is_told(work: Path) -> None:
    assert done("merge", "ann.db").splitlines()[:3] == [
        "What came",
        "file    judge  events  here already  new pairs",
        "ann.db  ann         2             0          0",
    ]
    with open_campaign(work / "campaign.db") as campaign, open_campaign(work / "ann.db") as away:
        graded(away, "ann", "csv.writer", 0)
        next_millisecond()
        graded(campaign, "ann", "csv.writer", 2)
    document = json.loads(done("merge", "ann.db", "campaign.db", "-f", "json"))
    ann, itself = document["files"]
    assert ann["events"] == {"ann": 1}
    assert ann["events_here_already"] == 2
    assert ann["decided_twice"] == [
        {
            "judge": "ann",
            "query_id": "q1",
            "doc_id": "csv.writer",
            "repeat": False,
            "holds": 2,
        }
    ]
    assert itself["itself"]


@pytest.mark.parametrize("form", FORMS)
def test_nothing_that_a_terminal_obeys_comes_out(work: Path, form: str) -> None:
    result = run("merge", f"x{HOSTILE}.db", "ann.db", "-f", form)
    assert result.exit_code == 0
    unsafe = ("Cc", "Cf", "Cs", "Zl", "Zp")
    output = result.stdout + result.stderr
    assert [c for c in output if unicodedata.category(c) in unsafe and c != "\n"] == []
    assert "owned" in output


def test_what_is_refused_is_one_line(work: Path) -> None:
    (work / "x.txt").write_text("no campaign")
    for arguments, what in (
        (["merge", "x.txt"], "error: x.txt: not a judge_tui campaign; "),
        (["merge", "ann.db", "none.db"], "error: none.db: no such file; "),
        (["merge", "ann.db", "-o", "ann.db"], "error: -o ann.db is a file that is read here; "),
        (["merge"], "error: Missing argument 'OTHER.db...'"),
    ):
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(what)
        assert result.stderr.count("\n") == 1
    with open_campaign("campaign.db") as campaign:
        assert campaign.rows("SELECT count(*) FROM events") == [(0,)]


def test_a_bundle_goes_out_and_comes_home(work: Path) -> None:
    done("merge", "ann.db")
    (work / "ann.db").unlink()
    said = done("export", "bundle", "--judge", "ann", "-o", "ann.db")
    size = (work / "ann.db").stat().st_size
    assert said == (
        f"ann.db: 6 pairs of 2 queries for ann, 2 of them decided, {size / 1e6:.1f} MB\n"
        "bring it home with: judge-tui merge FILE\n"
    )
    with open_campaign("ann.db") as away:
        graded(away, "ann", "list.sort", 0)
    assert "ann.db  ann         1             2          0" in done("merge", "ann.db")


def test_what_a_bundle_is_refused_for(work: Path) -> None:
    for arguments, what in (
        (["--judge", "ann", "-o", "ann.db"], "error: ann.db: already exists and is left as it is"),
        (["--judge", "a,b", "-o", "x.db"], "error: 'a,b' cannot be a judge's name"),
        (["--judge", "ann", "-o", "-"], "error: a bundle is a file of its own; name it with -o"),
        (["--judge", "ann"], "error: Missing option '-o'"),
    ):
        result = run("export", "bundle", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(what)
    assert not (work / "x.db").exists()


def test_on_a_terminal_it_is_shown_what_is_done(work: Path) -> None:
    shown = errors_on_a_terminal(work, "ann.db", command=("merge", "--db", "campaign.db"))
    assert shown.split("\r")[1:3] == [
        "comparing ann.db \u2026",
        "writing what ann.db brings \u2026",
    ]
    assert shown.endswith(" \r")
