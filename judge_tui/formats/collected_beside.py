"""What `collect` writes beside the runs of live systems, told by its content: it looks like
answers, queries or JSON of numbers, and is read with the run alone."""

from __future__ import annotations

import re

from judge_tui.formats.format import Sample

__all__ = ["collected_beside"]

_REPLIES = re.compile(rb'\{"judge_tui": ?[0-9]+,')
# Attempts, which lie beside outcomes.
_OF_TASKS = re.compile(rb'"task": ?"')
_SETTINGS = re.compile(rb'^\{\s*"(?:[^"\\]|\\.)*": \{\s*"depth": [0-9]+,\s*"identity": "')


def collected_beside(sample: Sample) -> str | None:
    """What such a file holds, in words; None for any other file."""
    first = sample.first
    if first.startswith(b"query_id,seconds,"):
        from judge_tui.formats.latency_csv import COLUMNS  # noqa: PLC0415 - few files begin so

        return "the seconds and failures of queries" if _cells(first) == COLUMNS else None
    if not first.startswith(b"{"):
        return None
    if _REPLIES.match(first) and not any(map(_OF_TASKS.search, sample.lines)):
        return "the replies of a system"
    if first == b"{" and _SETTINGS.match(b"\n".join(sample.lines)):
        return "the settings of systems"
    return None


def _cells(line: bytes) -> tuple[str, ...]:
    return tuple(line.decode("utf-8", "replace").split(","))
