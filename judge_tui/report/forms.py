"""The registry of output forms."""

from __future__ import annotations

import importlib
from typing import NamedTuple

from judge_tui.errors import unknown
from judge_tui.report.layout import Report


class Form(NamedTuple):
    """How a report is written: by a function of a module of `judge_tui.report`, imported on use,
    into files whose names end so."""

    function: str
    suffix: str


FORMS = {
    "table": Form("table.render", ".txt"),
    "json": Form("programs.render_json", ".json"),
    "csv": Form("programs.render_csv", ".csv"),
    "md": Form("markup.render_markdown", ".md"),
    "latex": Form("markup.render_latex", ".tex"),
    "svg": Form("plots.render", ".svg"),
}

TEXT_FORMS = tuple(name for name in FORMS if name != "svg")
"""Those of every command; views that have a chart can be drawn, besides."""


def render(report: Report, form: str, *, colour: bool = False) -> str:
    """The report as text that ends with a newline; the same report gives the same text.

    `colour` is for a terminal and heeded by the form `table` alone.
    """
    if form not in FORMS:
        raise unknown("format", form, FORMS)
    module, _, function = FORMS[form].function.partition(".")
    write = getattr(importlib.import_module(f"judge_tui.report.{module}"), function)
    text: str = write(report, colour=colour) if form == "table" else write(report)
    return text
