"""Where one of the standard streams is no terminal, no command opens the app: it reads keys from
the first, asks the second how large the terminal is, and draws on the third."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import all_judges
from tests.end_to_end.terminal import PROGRAM, Terminal

COMMANDS = {
    "home": [],
    "judge": ["judge", "--judge", "ann"],
    "settle": ["settle", "--lead", "lea"],
    "results": ["results"],
}


@pytest.mark.parametrize("redirected", ["<streams", ">streams", "2>streams"])
@pytest.mark.parametrize("command", COMMANDS)
def test_each_stream_must_be_a_terminal(campaign: Campaign, command: str, redirected: str) -> None:
    folder: Path = campaign.path.parent
    streams = folder / "streams"
    streams.touch()
    shell = ["/bin/sh", "-c", f'exec "$@" {redirected}', "sh"]
    environment = {"JUDGE_TUI_DB": str(campaign.path)}
    with Terminal(
        [*shell, PROGRAM, *COMMANDS[command]], cwd=folder, env=environment, size=(400, 30)
    ) as terminal:
        assert terminal.wait_end() == 2
        said = terminal.raw.decode() + streams.read_text()
    assert said.startswith("error: the app needs a terminal, and there is none; ")
    assert said.count("\n") == 1
    assert not all_judges(campaign)
