"""The registry of output forms."""

from __future__ import annotations

import importlib

from judge_tui.errors import unknown
from judge_tui.report.layout import Report

__all__ = ["DRAWN_FORMS", "FORMS", "render"]

# form -> a function of a module of `judge_tui.report`, imported on use
FORMS: dict[str, str] = {
    "table": "table.render",
    "json": "programs.render_json",
    "csv": "programs.render_csv",
    "md": "markup.render_markdown",
    "latex": "markup.render_latex",
}

# Forms that only some commands offer, besides.
DRAWN_FORMS: dict[str, str] = {"svg": "plots.render"}


def render(report: Report, form: str, *, colour: bool = False) -> str:
    """The report as text that ends with a newline; the same report gives the same text.

    `colour` is for a terminal and heeded by the form `table` alone.
    """
    forms = FORMS | DRAWN_FORMS
    if form not in forms:
        raise unknown("format", form, forms)
    module, _, function = forms[form].partition(".")
    write = getattr(importlib.import_module(f"judge_tui.report.{module}"), function)
    text: str = write(report, colour=colour) if form == "table" else write(report)
    return text
