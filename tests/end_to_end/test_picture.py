"""`make picture`: the pictures of the README show the app as it is."""

from __future__ import annotations

import re
import runpy
import sys
from html import unescape
from pathlib import Path

from tests.sample_runs import SAMPLES

DRAWN_BY = (3, 11)
"""Another Python carries other documents."""

_PACE = re.compile(r"[\d.]+ s/doc [\d.]+ h left")
_TEXT = re.compile(r'<text[^>]* y="([\d.]+)"[^>]*>(.*?)</text>', re.DOTALL)


def words(path: Path) -> list[str]:
    """What a picture says, line by line, without colours, places and the pace of the machine."""
    lines: dict[float, str] = {}
    for top, text in _TEXT.findall(path.read_text(encoding="utf-8")):
        lines[float(top)] = lines.get(float(top), "") + unescape(text)
    return [_PACE.sub("", " ".join(lines[top].split())) for top in sorted(lines)]


def test_the_pictures_of_the_readme_are_of_the_app_as_it_is(tmp_path: Path) -> None:
    runpy.run_path(str(SAMPLES / "make_picture.py"))["main"](tmp_path)
    for name, shown in (("judge", "csv.reader"), ("settle", "Queue"), ("results", "nDCG@10")):
        drawn, known = (words(folder / f"{name}.svg") for folder in (tmp_path, SAMPLES))
        assert any(shown in line for line in drawn)
        assert sys.version_info[:2] != DRAWN_BY or drawn == known
