"""What a terminal sends need not be keys, nor text: the app goes on, or does not begin."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.settings import change_setting
from tests.end_to_end.terminal import PROGRAM, Terminal

ARGV = ("judge", "--judge", "ann", "--db")

SENT = {
    "a letter of Latin-1": b"\xe9",
    "half a letter": "é".encode()[:1],
    "a lone surrogate": b"\xed\xa0\x80",
    "a paste that is not UTF-8": b"\x1b[200~caf\xe9\xff\x1b[201~",
    "a key beyond Unicode": b"\x1b[1114112u",
    "a key with a huge number": b"\x1b[999999999999999u",
    "a key with the kind of its event": b"\x1b[97;5:3u",
    "a size that no screen has": b"\x1b[48;99999;99999;1;1t",
}


@pytest.fixture
def file(campaign: Campaign) -> Path:
    """The small campaign, closed; a grade counts as soon as its document is painted."""
    change_setting(campaign, "least-look", "0")
    campaign.close()
    return campaign.path


def test_broken_input_ends_nothing(file: Path) -> None:
    with Terminal([PROGRAM, *ARGV, str(file)], cwd=file.parent) as terminal:
        terminal.wait_for("not judged yet")
        for name, sent in SENT.items():
            terminal.settle(0.1)
            terminal.send(sent)
            # The next key is one.
            for key, said in (("2", "1/6 in all"), ("u", "0/6 in all")):
                terminal.settle(0.1)
                terminal.send(key)
                terminal.wait_for(said)
            assert b"Traceback" not in terminal.raw, name
        terminal.settle(0.1)
        terminal.send("q")
        assert terminal.wait_end() == 0


def test_bytes_that_are_no_text_are_seen_as_such_in_a_comment(file: Path) -> None:
    with Terminal([PROGRAM, *ARGV, str(file)], cwd=file.parent) as terminal:
        terminal.wait_for("not judged yet")
        terminal.settle()
        terminal.send("c")
        terminal.wait_for("Comment on")
        terminal.settle()
        terminal.send(b"caf\xe9 x")
        terminal.wait_for("caf\ufffd x")
        terminal.settle()
        # alt+enter, as most terminals send it, is a new line; enter writes.
        terminal.send("\x1b\r")
        terminal.settle()
        terminal.send("y\r")
        terminal.wait(lambda t: "Comment on" not in t.text)
    with open_campaign(file) as campaign:
        assert campaign.rows("SELECT note FROM events") == [("caf\ufffd x\ny",)]


def test_no_standard_input_is_no_terminal(file: Path) -> None:
    argv = [PROGRAM, *ARGV, str(file)]
    end = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *argv], capture_output=True, text=True, check=False
    )
    assert end.returncode == 2
    assert end.stderr.startswith("error: the app needs a terminal")


def test_a_dumb_terminal_is_refused_in_words(file: Path) -> None:
    argv = [PROGRAM, *ARGV, str(file)]
    with Terminal(argv, cwd=file.parent, env={"TERM": "dumb"}) as terminal:
        assert terminal.wait_end() == 2
        assert "TERM=xterm-256color" in "".join(terminal.lines)
        assert b"\x1b[?1049h" not in terminal.raw
