"""What a campaign holds, as files for the world: one function a noun; `formats` has the writers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from judge_tui.errors import UsageError
from judge_tui.formats.query_names import folded_text
from judge_tui.model import Query

__all__ = ["ExportCounts", "refuse_same_texts"]


@dataclass(frozen=True, slots=True)
class ExportCounts:
    """How much an export wrote, by what it is (a plural); how much of it is of a kind that a reader
    should know; how much of the campaign it left out, by why; and `warnings`, a sentence each."""

    written: Mapping[str, int]
    details: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def refuse_same_texts(queries: Iterable[Query], form: str) -> None:
    """Raise `UsageError` where two queries have one text, white space folded: the form has nothing
    else to tell them by, and what it holds could not be loaded again."""
    of_text: dict[str, str] = {}
    for query in queries:
        other = of_text.setdefault(folded_text(query.text), query.query_id)
        if other != query.query_id:
            raise UsageError(
                f"queries {other} and {query.query_id} are both {query.text!r:.70}, and {form}"
                " tells queries by their text",
                "take another -f FORM, which has ids",
            )
