"""The forms of judging tools: pairs to be judged, with what was said of them so far, and what each
has no place for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from judge_tui.formats.judging_tools import (
    UMBRELA_GRADES,
    Pair,
    Task,
    doccano_jsonl,
    hical_csv,
    umbrela_jsonl,
    umbrela_requests,
)
from judge_tui.formats.label_studio import label_studio_json

__all__ = ["JUDGMENT_FILES", "POOL_FILES", "Pair", "Task"]


class _Form(NamedTuple):
    """How a form is written; which decisions and which kinds of judges it has a place for, whether
    for notes, and up to which grade; what it always leaves out. `models_skip`: whether a model can
    have skipped a pair."""

    lines: Callable[[Iterable[Task]], Iterator[str]]
    decisions: frozenset[str]
    kinds: frozenset[str]
    notes: bool
    left_out: str
    greatest: int = 9
    models_skip: bool = True


class _PoolForm(NamedTuple):
    """How a form is written, and whether it takes no document without a text."""

    lines: Callable[[Iterable[Task]], Iterator[str]]
    wants_text: bool = False


_EVERY = frozenset({"grade", "skip", "cannot"})
_BOTH = frozenset({"human", "model"})

JUDGMENT_FILES: dict[str, _Form] = {
    "hical": _Form(
        lines=hical_csv,
        decisions=frozenset({"grade"}),
        kinds=_BOTH,
        notes=False,
        left_out="texts, when it was judged, how it was found, who is a model; HiCAL knows the"
        " grades 0, 1 and 2",
    ),
    "umbrela": _Form(
        lines=umbrela_jsonl,
        decisions=frozenset({"grade"}),
        kinds=frozenset({"model"}),
        notes=True,
        left_out="narratives, times",
        greatest=UMBRELA_GRADES[-1],
    ),
    "label-studio": _Form(
        lines=label_studio_json,
        decisions=_EVERY,
        kinds=_BOTH,
        notes=True,
        left_out="when it was judged, how long models took",
        # What a model said is a prediction there, which cannot be cancelled.
        models_skip=False,
    ),
    "doccano": _Form(
        lines=doccano_jsonl,
        decisions=_EVERY,
        kinds=_BOTH,
        notes=True,
        left_out="narratives, when it was judged",
    ),
}
"""The forms that judgments are written in, by the names that their readers have."""

POOL_FILES: dict[str, _PoolForm] = {
    "label-studio": _PoolForm(label_studio_json),
    "doccano": _PoolForm(doccano_jsonl),
    "umbrela": _PoolForm(umbrela_requests, wants_text=True),
}
"""The forms that pairs without judgments are written in, to be judged elsewhere."""
