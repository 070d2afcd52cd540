"""`make picture`: the picture of the README shows the app as it is."""

from __future__ import annotations

import runpy
from pathlib import Path

from tests.tui.snapshots.drawing import words

SAMPLES = Path(__file__).parents[2] / "sample_runs"


def test_the_picture_of_the_readme_is_of_the_app_as_it_is(tmp_path: Path) -> None:
    made = runpy.run_path(str(SAMPLES / "make_picture.py"))
    made["main"](tmp_path / "judge.svg")
    drawn, known = (
        words((folder / "judge.svg").read_text(encoding="utf-8")) for folder in (tmp_path, SAMPLES)
    )
    assert drawn == known
    assert sum("csv." in text for _, text in drawn) > 3
