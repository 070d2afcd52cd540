"""JSON, floats at full precision."""

from __future__ import annotations

import json

from judge_tui.report.layout import Report

__all__ = ["render"]


def render(report: Report, *, colour: bool) -> str:  # noqa: ARG001 - a form's signature
    """The document of the report.

    In ASCII: every foreign character that a terminal would obey is an escape, and none is lost.
    NaN and infinity are no JSON and raise `ValueError`: what is undefined is null.
    """
    return json.dumps(report.to_dict(), indent=2, ensure_ascii=True, allow_nan=False) + "\n"
