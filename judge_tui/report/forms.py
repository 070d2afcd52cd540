"""The registry of output forms."""

from __future__ import annotations

import importlib

from judge_tui.errors import unknown
from judge_tui.report.layout import Report

__all__ = ["DRAWN_FORMS", "FORMS", "render"]

# form -> module of `judge_tui.report` with `render(report, *, colour)`; imported on use.
FORMS: dict[str, str] = {
    "table": "table",
    "json": "json_document",
    "csv": "csv_rows",
    "md": "markdown",
    "latex": "latex",
}

# Forms that only some commands offer, besides.
DRAWN_FORMS: dict[str, str] = {"svg": "plots"}


def render(report: Report, form: str, *, colour: bool = False) -> str:
    """The report as text that ends with a newline; the same report gives the same text.

    `colour` is for a terminal and heeded by the form `table` alone.
    """
    modules = FORMS | DRAWN_FORMS
    if form not in modules:
        raise unknown("format", form, modules)
    module = importlib.import_module(f"judge_tui.report.{modules[form]}")
    text: str = module.render(report, colour=colour)
    return text
