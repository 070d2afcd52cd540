"""Ids of documents in which a code such as %20 stands: for white space, or for itself."""

from __future__ import annotations

from collections.abc import Iterable

from judge_tui.campaign.file import Campaign
from judge_tui.formats import decode_id
from judge_tui.formats.problems import quoted

__all__ = ["CodedIds"]


class CodedIds:
    """What documents the fields of a file mean that was read with `exact` ids (`formats.rows`).

    A code stands for white space in files of TREC and for itself in tables and JSON (`literal`),
    unless that document is neither in the campaign nor among the `fields` of the file, and the one
    of the other reading is in the campaign alone: then that one is meant. Addresses come so in
    foreign files of TREC, and any coded id in tables that were made from files of TREC or exported
    by an earlier version.
    """

    def __init__(self, campaign: Campaign, *, literal: bool, fields: Iterable[str] = ()) -> None:
        self._connection = campaign.connection
        self._literal = literal
        self._own = {decode_id(field) for field in fields if "%" in field}
        self._found: dict[str, str] = {}
        self._taken: dict[str, str] = {}

    def native(self, field: str) -> str:
        """The native id. Only a field with a code in it is looked up."""
        if "%" not in field:
            return field
        found = self._found.get(field)
        if found is None:
            found = self._found[field] = self._native(field)
        return found

    def notes(self) -> list[str]:
        """A line on the ids of a table or of JSON that are not read as they stand there."""
        if not self._taken:
            return []
        one = len(self._taken) == 1
        written, taken = next(iter(self._taken.items()))
        return [
            f"{len(self._taken):,} document {'id holds' if one else 'ids hold'} a code such as %20,"
            f" and the campaign knows {'it' if one else 'them'} decoded alone: {quoted(written)} is"
            f" taken for {quoted(taken)}"
        ]

    def _native(self, field: str) -> str:
        decoded = decode_id(field)
        other = decode_id(decoded) if self._literal else field
        if other == decoded or other in self._own or self._knows(decoded) or not self._knows(other):
            return decoded
        if self._literal:
            self._taken[decoded] = other
        return other

    def _knows(self, doc_id: str) -> bool:
        found = self._connection.execute("SELECT 1 FROM documents WHERE doc_id = ?", (doc_id,))
        return found.fetchone() is not None
