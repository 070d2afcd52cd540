"""Ids of documents in which a code such as %20 stands: for white space, or for itself."""

from __future__ import annotations

from judge_tui.campaign.file import Campaign
from judge_tui.formats import decode_id
from judge_tui.formats.problems import quoted

__all__ = ["CodedIds"]


class CodedIds:
    """What documents the fields of a file of grades mean. Files of TREC write white space as %20;
    other tools have it in ids of their own, such as addresses. Decoded it is, unless the campaign
    knows it as it stands alone."""

    def __init__(self, campaign: Campaign) -> None:
        self._connection = campaign.connection
        self._unknown: dict[str, str] = {}

    def native(self, field: str) -> str:
        """The native id. Only a field with a code in it is looked up."""
        decoded = decode_id(field)
        if decoded == field or self._knows(decoded):
            return decoded
        if self._knows(field):
            return field
        self._unknown[field] = decoded
        return decoded

    def notes(self) -> list[str]:
        """A line on the ids that nobody knows either way, where there are some beside others."""
        if not self._unknown or not self._connection.execute("SELECT 1 FROM runs").fetchone():
            return []
        one = len(self._unknown) == 1
        field, decoded = next(iter(self._unknown.items()))
        return [
            f"{len(self._unknown):,} document {'id has' if one else 'ids have'} white space or a"
            f" code such as %20, and the campaign does not know {'it' if one else 'them'}:"
            f" {quoted(field)} is taken for {quoted(decoded)}"
        ]

    def _knows(self, doc_id: str) -> bool:
        found = self._connection.execute("SELECT 1 FROM documents WHERE doc_id = ?", (doc_id,))
        return found.fetchone() is not None
