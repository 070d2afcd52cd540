"""What the manual says of measures, files, commands, settings and keys is what the program has."""

from __future__ import annotations

import pytest

from tests.manual.generate import FOLDER, PAGES, generated


@pytest.mark.parametrize("topic", PAGES)
def test_a_generated_page_is_up_to_date(topic: str) -> None:
    assert (FOLDER / f"{topic}.md").read_text(encoding="utf-8") == generated(topic), "make docs"
