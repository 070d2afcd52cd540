"""Columns of the results stand below each other, whatever is in their cells."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from judge_tui.tui.screens.results.columns import Column, laid_out

WORDS = ("bm25", "😀", "検索", "👩‍👩‍👧", "e\u0301lan", "a run whose tag is long")


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("word", WORDS)
def test_a_row_takes_the_cells_of_its_head(word: str, right: bool) -> None:
    columns = (Column("worst", 10, right=right), Column("overlap", 7))
    laid = laid_out(columns, 60, 12)
    row = laid.row((word, ""), [(word, ""), ("0.34", "")])
    assert [cell_len(text) for text, _ in row] == [13, 2, 10, 2, 7]
    assert sum(cell_len(text) for text, _ in row) == cell_len(laid.head("query"))
    shown = "".join(text for text, _ in row[2:3]).strip()
    assert shown == word if cell_len(word) <= 10 else shown.endswith("…")


COLUMNS = tuple(Column(name, 5, rank) for rank, name in enumerate("abcd"))


def test_what_has_no_room_is_counted_and_stands_further_on() -> None:
    """A name of 12 cells behind a space, and 7 for each column with its gap."""
    pages = [laid_out(COLUMNS, 13 + 7 * 2, 5, page=page) for page in range(3)]
    assert [laid.kept for laid in pages] == [(0, 1), (2, 3), (2, 3)]
    heads = [laid.head("run").split() for laid in pages[:2]]
    assert heads == [["run", "+2", "›", "a", "b"], ["run", "‹", "+2", "c", "d"]]
    middle = laid_out(COLUMNS, 13 + 7, 5, page=1)
    assert (middle.pages, middle.kept) == (4, (1,))
    assert middle.head("query").split() == ["query", "‹", "+3", "›", "b"]
    whole = laid_out(COLUMNS, 13 + 7 * 4, 5)
    assert (whole.kept, whole.pages, whole.sign) == ((0, 1, 2, 3), 1, "")


@pytest.mark.parametrize("page", [0, 1])
def test_the_sign_takes_no_cell_of_a_column(page: int) -> None:
    laid = laid_out(COLUMNS, 27, 5, page=page)
    row = "".join(text for text, _ in laid.row(("bm25", ""), [("1", "")] * 4))
    assert len(laid.head("a long head of names")) == len(row) <= 27
