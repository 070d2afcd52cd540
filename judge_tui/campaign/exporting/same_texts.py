"""Queries of one text, in forms that tell queries by their texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from judge_tui.errors import UsageError
from judge_tui.formats.query_names import folded_text

__all__ = ["refuse_same_texts"]


def refuse_same_texts(texts: Mapping[str, str], form: str, instead: Iterable[str]) -> None:
    """Raise `UsageError` where several queries have one text, white space folded: the form has
    nothing else to tell them by, and the forms `instead` have."""
    of_text: dict[str, list[str]] = {}
    for query_id, text in texts.items():
        of_text.setdefault(folded_text(text), []).append(query_id)
    same = [(text, ids) for text, ids in of_text.items() if len(ids) > 1]
    if same:
        text, (one, other, *more) = same[0]
        so = f" (so are {', '.join(more)})" if more else ""
        so += f"; so it is with {len(same):,} texts in all" if len(same) > 1 else ""
        *names, last = instead
        raise UsageError(
            f"queries {one} and {other} are both {text!r:.70}{so}, and {form} tells queries by"
            " their text",
            f"write {', '.join(names)} or {last}, which have ids; or, if they are one query, give"
            " them one id in what export judgments and export run write, and load that into a new"
            " campaign",
        )
