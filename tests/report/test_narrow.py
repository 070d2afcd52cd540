"""Tables that are wider than a terminal."""

from __future__ import annotations

import pytest

from judge_tui.report.layout import Column, Report, Table, number, word
from judge_tui.report.table import fit_to_width, render_table

NAMES = ("nDCG@10", "RR@10", "P@5", "R@100", "AP")
TABLE = Table(
    "By measure",
    [word("", "run"), *(Column("", name, number) for name in NAMES)],
    [["a", *(n / 7 for n in range(5))], ["a run of a long name, and longer", 1, None, 3, 4, 5]],
)


def lines(table: Table, width: int) -> list[str]:
    report = fit_to_width(Report([table]), width)
    return render_table(report).splitlines()


def test_columns_that_have_no_room_stand_below_with_the_names_again():
    assert lines(TABLE, 36) == [
        "By measure",
        "run           nDCG@10   RR@10",
        "a              0.0000  0.1429",
        "a run …onger   1.0000       -",
        "",
        "run              P@5   R@100      AP",
        "a             0.2857  0.4286  0.5714",
        "a run …onger  3.0000  4.0000  5.0000",
    ]


@pytest.mark.parametrize("width", range(1, 60))
def test_every_number_is_whole_at_every_width(width):
    numbers = sorted(" ".join(lines(TABLE, 200)).split())
    told = " ".join(lines(TABLE, width)).split()
    assert [one for one in numbers if "." in one] == sorted(one for one in told if "." in one)
    if width > 25:
        assert max(map(len, lines(TABLE, width))) <= width


def test_text_has_the_line_before_it_is_shortened():
    columns = [word("", name) for name in ("query", "expected", "came")]
    table = Table("", columns, [["q1", "x" * 30, "図" * 30], ["q2", "", ""]])
    told = lines(table, 40)
    assert f"q1     {'x' * 30}" in told
    assert f"q1     {'図' * 8}…{'図' * 8}" in told
