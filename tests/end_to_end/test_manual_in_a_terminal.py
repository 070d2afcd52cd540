"""`judge-tui help TOPIC` in a real terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.terminal import PROGRAM, Terminal


@pytest.mark.parametrize(("lines", "last"), [(80, "the code (code.md)"), (12, "The idea")])
def test_a_page_is_shown_as_it_is_read(tmp_path: Path, lines: int, last: str) -> None:
    with Terminal([PROGRAM, "help", "idea"], cwd=tmp_path, size=(100, lines)) as terminal:
        terminal.wait_for(last)
        assert "The idea" in terminal.text
        assert "# The idea" not in terminal.text
        assert "ESC[" not in terminal.text
        if lines == 12:  # it does not fit: a pager waits
            terminal.try_send("q")
        assert terminal.wait_end() == 0
