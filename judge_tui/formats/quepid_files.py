"""Files that Quepid reads: the ratings of a case, and a book with the judgments of its judges."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

__all__ = ["book_csv", "book_json", "ratings_csv"]

# Where Quepid puts its blank, and what a spreadsheet may take for a formula beside those. White
# space around a cell is no part of it, for Quepid as for our readers.
_RISKY = ("=", "+", "-", "@")
_TO_QUOTE = re.compile(r'[",;\r\n]')


def ratings_csv(rows: Iterable[tuple[str, str, int]]) -> Iterator[str]:
    """The basic CSV of query text, document and rating."""
    yield "query,docid,rating\n"
    for text, doc_id, grade in rows:
        yield f"{_cell(text)},{_cell(doc_id)},{grade}\n"


def book_csv(
    judges: Sequence[str], rows: Iterable[tuple[str, str, Sequence[int | None]]]
) -> Iterator[str]:
    """A book in CSV: query text, document, and the rating of each judge, empty where there is
    none."""
    yield ",".join(["query", "docid", *map(_cell, judges)]) + "\n"
    for text, doc_id, grades in rows:
        given = ["" if grade is None else str(grade) for grade in grades]
        yield ",".join([_cell(text), _cell(doc_id), *given]) + "\n"


def book_json(
    name: str, labels: Mapping[int, str], pairs: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    """A book in JSON; `labels` are those of the scale."""
    book = {
        "name": name,
        "show_rank": False,
        "support_implicit_judgements": False,
        "scale": ",".join(map(str, labels)),
        "scale_with_labels": {str(grade): label for grade, label in labels.items()},
        "query_doc_pairs": list(pairs),
    }
    yield json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def _cell(text: str) -> str:
    text = text.strip(" \t\n\v\f\r")
    guarded = f" {text}" if text.startswith(_RISKY) else text
    return '"' + guarded.replace('"', '""') + '"' if _TO_QUOTE.search(guarded) else guarded
