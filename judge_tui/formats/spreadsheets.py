"""What a spreadsheet writes into a cell that its formula cannot fill."""

from __future__ import annotations

import re

from judge_tui.formats.problems import Reporter, quoted

__all__ = ["is_error_of_a_sheet"]

_ERROR = re.compile(r"#(?:N/A|DIV/0!|[A-Z_]{3,14}[!?])")


def is_error_of_a_sheet(cell: str, what: str, line: int, report: Reporter) -> bool:
    """Whether a cell in the place of a query or a result is such an error, which is reported."""
    if not _ERROR.fullmatch(cell.strip()):
        return False
    told = f"{quoted(cell.strip())} is an error of the spreadsheet, and no {what}"
    report(line, told, "mend its formula, or empty the cell" if what == "result" else _MEND)
    return True


_MEND = "mend its formula, or take the row out"
