"""The grades of a session in memory: where the file is written over, they are all there is."""

from __future__ import annotations

import shlex
import sqlite3
from pathlib import Path

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.judges import Judge
from judge_tui.campaign.typed import typed
from judge_tui.campaign.witness import free_name, typed_path
from judge_tui.errors import InputError

__all__ = ["Rescue", "rescue_of"]


class Rescue:
    """The grades that hold of what one judge worked on since the file was opened."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        # By the key of the pair: (query_id, doc_id, grade).
        self._held: dict[int, tuple[str, str, int]] = {}

    def hold(self, pair: int, query_id: str, doc_id: str, grade: int | None) -> None:
        """What the pair has now; None: no grade that holds."""
        if grade is None:
            self._held.pop(pair, None)
        else:
            self._held[pair] = query_id, doc_id, grade

    def is_in(self, copy: sqlite3.Connection) -> bool:
        """Whether a copy of the file holds all of them."""
        found = (
            copy.execute(
                "SELECT q.query_id, d.doc_id, e.grade FROM decisions AS e"
                " JOIN pool AS p ON p.id = e.pair JOIN queries AS q ON q.id = p.query"
                " JOIN documents AS d ON d.id = p.document WHERE e.judge = ? AND e.pair = ?",
                (self.judge.key, pair),
            ).fetchall()
            == [held]
            for pair, held in self._held.items()
        )
        return all(found)

    def write(self, place: Path, path: Path) -> str | None:
        """Write them beside `place`, which the shell calls `path`, as TREC qrels; the command that
        brings them back. None where there is nothing to write, or no room."""
        # Seldom needed, and start-up counts.
        from judge_tui.formats import (  # noqa: PLC0415
            encode_id,
            qrels_bytes,
            write_atomically,
        )

        grades: dict[str, dict[str, int]] = {}
        for query_id, doc_id, grade in self._held.values():
            grades.setdefault(encode_id(query_id), {})[encode_id(doc_id)] = grade
        try:
            kept = free_name(place.with_name(f"{place.stem}-kept.qrels")) if grades else None
            if kept is None:
                return None
            write_atomically(kept, [qrels_bytes(grades)])
        except (OSError, InputError):
            return None
        # A grade that the session corrected may be in the file as it was before.
        arguments = (
            f"{typed_path(path.with_name(kept.name))} --judge {shlex.quote(self.judge.name)}"
            " --replace"
        )
        return typed(path, "load qrels", arguments)


def rescue_of(campaign: Campaign, judge: Judge) -> Rescue:
    """The one of a judge and an open campaign, whichever desk the judge sat at."""
    key = (Rescue, judge.key)
    found = campaign.rescues.get(key)
    if not isinstance(found, Rescue):
        found = campaign.rescues[key] = Rescue(judge)
    return found
