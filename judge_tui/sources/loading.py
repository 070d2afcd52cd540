"""One source at a time, read or checked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from judge_tui.model import Qrels, Run
from judge_tui.sources.naming import origin_of

if TYPE_CHECKING:
    from judge_tui.sources.shapes import QrelsSource, RunSource

__all__ = ["qrels_from", "run_from"]


def qrels_from(source: QrelsSource) -> Qrels:
    """The grades in a source, whole numbers. Raises `InputError` for a file that holds none, and
    `UsageError` for anything else that does not."""
    if isinstance(source, str | os.PathLike):
        from judge_tui.formats import read_qrels  # noqa: PLC0415 - what is in memory needs none

        return read_qrels(source)
    from judge_tui.sources.pairs import grades_in  # noqa: PLC0415 - files need none

    return grades_in(source, "the qrels")


def run_from(tag: str | None, source: RunSource) -> Run:
    """One run, its scores finite numbers, under the tag if it is given one, else its own, else
    `run`. Errors are those of `qrels_from`."""
    if isinstance(source, str | os.PathLike):
        from judge_tui.formats import read_run  # noqa: PLC0415 - as above

        return read_run(source, tag=tag)
    from judge_tui.sources.pairs import scores_in  # noqa: PLC0415 - as above

    whose = origin_of(tag, source)
    if isinstance(source, Run):
        return Run(tag or source.tag, scores_in(source.scores, whose), source.asked)
    scores = scores_in(source, whose)
    # As in ranx's JSON, which is read into such a mapping.
    asked = frozenset(query_id for query_id, its in scores.items() if not its)
    return Run(tag or "run", scores, asked)
