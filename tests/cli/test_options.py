"""Options that several commands have read alike, and name what is registered."""

import pytest

from judge_tui.formats.registry import Kind, names_of
from tests.as_typed import judge_tui


@pytest.mark.parametrize(
    ("command", "kinds"),
    [
        ("queries", ["queries"]),
        ("run", ["run"]),
        ("docs", ["documents"]),
        ("qrels", ["qrels", "judgments"]),
    ],
)
def test_help_of_load_names_every_format_there_is(command: str, kinds: list[Kind]) -> None:
    told = " ".join(judge_tui("load", command, "--help").output.split()).replace("- ", "-")
    listed = told.partition("if not found out: ")[2].partition(". --")[0].replace(" or ", ", ")
    assert set(listed.split(", ")) == {name for kind in kinds for name in names_of(kind)}


@pytest.mark.parametrize("command", ["queries", "run", "docs"])
def test_help_of_load_names_the_collections_it_reads(command: str) -> None:
    told = judge_tui("load", command, "--help").output.partition("Options:")[0]
    assert "MS MARCO" in told
    assert command == "run" or ("benchmark" in told and "BEIR" in told)
