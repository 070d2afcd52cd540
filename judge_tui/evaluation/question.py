"""What is asked of inputs: by which measures they are scored, by which rules, and how they are
read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.scoring import DEFAULT_MEASURES, Measure, MeasureLike, Rules

if TYPE_CHECKING:
    from judge_tui.evaluation.shapes import SlicesSource
    from judge_tui.scoring.answers import Credit

Measures: TypeAlias = Iterable[MeasureLike] | MeasureLike

DEFAULT_RULES = Rules()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringQuestion:
    """What is asked of inputs; `api.score` says what each of these is.

    `default_measures`: those where no `measures` are named. `needed`: what to score by for these
    measures, beside them, so that runs can be compared by them.
    """

    measures: Measures | None = None
    default_measures: Sequence[str] = DEFAULT_MEASURES
    needed: Callable[[Sequence[Measure]], Sequence[Measure]] = tuple
    also: Measures = ()
    rel: int | None = None
    max_rel: int | None = None
    bounds: bool | Iterable[int] = False
    slices: SlicesSource | None = None
    by: str | None = None
    rules: Rules = DEFAULT_RULES
    credit: Credit = "once"
    precision: Literal[64, 32] = 64
    jobs: int | None = 1
    use_latency: bool = True
    on_read: Callable[[int, int], None] | None = None


def whole_number(name: str, value: Any, least: int) -> int | None:
    """Return a number, which Python callers may give as anything. Raises `UsageError`."""
    if value is None:
        return None
    try:
        if isinstance(value, bool) or int(value) != value or value < least:
            raise ValueError
    except (TypeError, ValueError):
        raise UsageError(f"{name} is {value!r}", f"give a whole number from {least}") from None
    return int(value)
