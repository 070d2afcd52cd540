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
