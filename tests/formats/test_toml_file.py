"""Where the settings of a TOML file stand, which TOML itself does not tell."""

from __future__ import annotations

import pytest

from judge_tui.formats.toml_file import TomlFile

TEXT = """a = "\u2028\x85"  # characters that end a line elsewhere
[one]
b.c = 1
"d" = { e = 2 }
[two.three]
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_setting_has_a_line_and_what_has_none_that_of_its_table(ends: str) -> None:
    file = TomlFile("x.toml", TEXT.replace("\n", ends), "a = 1")
    lines = {"a": 1, "one": 2, "one.b.c": 3, "one.d": 4, "one.d.e": 4, "two": 5, "two.three": 5}
    assert {place: file.line(tuple(place.split("."))) for place in lines} == lines
    assert file.line(("none",)) is None
