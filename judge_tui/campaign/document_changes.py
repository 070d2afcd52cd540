"""What a file says of documents that a campaign has, by the rule of `said`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from judge_tui.formats.excerpt import KEY, Excerpt
from judge_tui.formats.said import SaidChanges, contradicted, differing, said, together
from judge_tui.model import Document

__all__ = ["DocumentChanges", "with_said"]

_FIELDS = ("title", "text", "url", "kind")
_NOUNS = ("document", "documents")


def with_said(known: Document, document: Document, *, over: bool) -> Document:
    """The document of a campaign with what a file adds to it; or with all that the file says, where
    that goes `over` what the campaign does. Where lines of a checkout were is not said of another
    text."""
    fields = together(_fields(known), _fields(document), over=over)
    meta = together(known.meta, document.meta, over=over)
    if fields["text"] != known.text and KEY not in document.meta and Excerpt.of(known.meta):
        del meta[KEY]
    return replace(known, meta=meta, **fields)


@dataclass
class DocumentChanges:
    """What files said of documents that were there: how many were `replaced`, and the `first` one
    of which they say something else, its line and its doc_id with what that is."""

    replaced: int = 0
    first: tuple[int, str, str] | None = None
    _otherwise: Counter[str] = field(default_factory=Counter)
    _said: SaidChanges = field(default_factory=lambda: SaidChanges(_NOUNS))

    def note(self, line: int, known: Document, document: Document, changed: Document) -> None:
        """Count what a file says of a document that was known, and made of it."""
        there, here = _all(known), _all(document)
        self._note_otherwise(line, known.doc_id, contradicted(there, here))
        self._said.note(said(there), said(here))
        self.replaced += changed != known

    def note_text(self, line: int, known: Document, document: Document) -> None:
        """The same of its text alone, for that is what a checkout says; where there was none, it is
        added."""
        if document.text != known.text:
            self._note_otherwise(line, known.doc_id, ["text"] if known.text else [])
            self.replaced += 1

    def _note_otherwise(self, line: int, doc_id: str, names: list[str]) -> None:
        if names and self.first is None:
            self.first = line, doc_id, names[0]
        self._otherwise.update(names)

    def differing(self) -> str:
        """Of the first document and of all, what is said otherwise."""
        if self.first is None:
            return ""
        _, doc_id, name = self.first
        return differing(f"document {doc_id!r}", name, self._otherwise, _NOUNS)

    def notes(self, *, replaced: bool) -> list[str]:
        """What is to be told."""
        return self._said.notes(replaced=replaced)


def _fields(document: Document) -> dict[str, str]:
    return {name: getattr(document, name) for name in _FIELDS}


def _all(document: Document) -> dict[str, Any]:
    """By name as it is told: a key of the metadata may be called like a field."""
    meta = {f"metadata {name!r}": value for name, value in document.meta.items()}
    return {**_fields(document), **meta}
