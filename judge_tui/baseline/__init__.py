"""An earlier result, kept beside the code: `score --save` writes it, `--against` compares with it.

`saved` is the file, `by_texts` knows queries that have other ids by now, `fingerprint` tells if two
qrels say the same, `comparable` what cannot be compared, `in_both` what gates hold, `changes` what
is different now and if that could be chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge_tui.baseline.by_texts import about_places, by_texts
from judge_tui.baseline.comparable import (
    graded_otherwise,
    refuse_missing_measures,
    refuse_missing_runs,
    refuse_missing_values,
    refuse_other_settings,
    refuse_without_slices,
)
from judge_tui.baseline.fingerprint import qrels_sha256
from judge_tui.baseline.in_both import means_in_both
from judge_tui.baseline.saved import SavedRun, SavedScores, read_saved, saved_text

if TYPE_CHECKING:
    from judge_tui.baseline.changes import Change, Changes, changes_since

__all__ = [
    "Change",
    "Changes",
    "SavedRun",
    "SavedScores",
    "about_places",
    "by_texts",
    "changes_since",
    "graded_otherwise",
    "means_in_both",
    "qrels_sha256",
    "read_saved",
    "refuse_missing_measures",
    "refuse_missing_runs",
    "refuse_missing_values",
    "refuse_other_settings",
    "refuse_without_slices",
    "saved_text",
]


def __getattr__(name: str) -> Any:
    if name in ("Change", "Changes", "changes_since"):
        # Tests of significance need numpy, which saving a result does not.
        from judge_tui.baseline import changes  # noqa: PLC0415

        return getattr(changes, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
