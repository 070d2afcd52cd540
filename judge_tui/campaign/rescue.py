"""The grades of a session in memory: where the file is written over, they are all there is."""

from __future__ import annotations

import shlex
from pathlib import Path

from judge_tui.campaign.events import Event
from judge_tui.campaign.witness import free_name
from judge_tui.errors import InputError

__all__ = ["Rescue"]


class Rescue:
    """What one judge graded since the file was opened, and has not taken back."""

    def __init__(self, judge: str) -> None:
        self.judge = judge
        # event_id -> (query_id, doc_id, grade), in the order of the events.
        self._given: dict[str, tuple[str, str, int]] = {}
        self._taken_back: dict[str, tuple[str, str, int]] = {}

    def given(self, event: Event, query_id: str, doc_id: str) -> None:
        """Hold what was written. Hidden repeats are no grades of their own."""
        if event.action == "grade" and event.grade is not None and event.turn == 0:
            self._given[event.id] = query_id, doc_id, event.grade

    def taken_back(self, event: Event) -> None:
        """The event was undone."""
        if event.id in self._given:
            self._taken_back[event.id] = self._given.pop(event.id)

    def done_again(self, event: Event) -> None:
        """The event was undone and holds again."""
        if event.id in self._taken_back:
            self._given[event.id] = self._taken_back.pop(event.id)

    def write(self, place: Path) -> str | None:
        """Write them beside `place` as TREC qrels; the command that brings them back. None where
        there is nothing to write, or no room."""
        # Seldom needed, and start-up counts.
        from judge_tui.formats import (  # noqa: PLC0415
            encode_id,
            qrels_bytes,
            write_atomically,
        )

        grades: dict[str, dict[str, int]] = {}
        for _, (query_id, doc_id, grade) in sorted(self._given.items()):
            grades.setdefault(encode_id(query_id), {})[encode_id(doc_id)] = grade
        try:
            path = free_name(place.with_name(f"{place.stem}-kept.qrels")) if grades else None
            if path is None:
                return None
            write_atomically(path, [qrels_bytes(grades)])
        except (OSError, InputError):
            return None
        return f"judge-tui load qrels {path.name} --judge {shlex.quote(self.judge)}"
