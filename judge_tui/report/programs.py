"""The forms that programs read: JSON and CSV, floats at full precision."""

from __future__ import annotations

import json

from judge_tui.formats.tables import csv_lines
from judge_tui.report.layout import Report
from judge_tui.visible import visible_line


def render_json(report: Report) -> str:
    """The document of the report.

    In ASCII: every foreign character that a terminal would obey is an escape, and none is lost.
    NaN and infinity are no JSON and raise `ValueError`: what is undefined is null.
    """
    return json.dumps(report.to_dict(), indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def render_csv(report: Report) -> str:
    """The first table that has a name (RFC 4180, but with newlines as line ends); what is
    undefined is empty.

    Text that begins with = + - @ or ' gets a ' in front: a spreadsheet would run it as a formula.
    Numbers are never touched.
    """
    table = report.csv or next(table for table in report.tables if table.name)
    rows = (list(map(_value, row)) for row in table.key_rows())
    return "".join(csv_lines(list(map(visible_line, table.keys)), rows))


def _value(value: str | float | None) -> str | float | None:
    return visible_line(value) if isinstance(value, str) else value
