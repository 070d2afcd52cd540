"""What a judge sees: a pair of the desk as the file has it, what changed, or that all is judged."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace

from textual.content import Content

from judge_tui.campaign.store.desk import Desk, DeskPair, PairState, pairs_set_aside
from judge_tui.campaign.store.event import Event
from judge_tui.errors import CampaignError
from judge_tui.model import Document, Query, Scale
from judge_tui.tui.screens.desk_cursor import DeskCursor
from judge_tui.tui.screens.grading import CHANGED
from judge_tui.tui.text import document_note, foreign, grade_digit, state_content

_UNREADABLE = (
    "CANNOT READ this document: {}.\n\ns skips it, x marks it as one that cannot be judged."
)


@dataclass(slots=True)
class Sight:
    """What the judge sees of a pair, as the file had it at that version: a key that means another
    one is refused."""

    query: Query
    document: Document
    state: PairState = field(compare=False)
    version: int = field(compare=False)
    note: str = ""
    is_readable: bool = True
    is_painted: bool = field(default=False, compare=False)


def read_sight(desk: Desk, query: int, pair: DeskPair, version: int) -> Sight:
    """A pair of the query (a key) as the file has it now; `version`: of the desk, from before. A
    text that cannot be read is no reason to be stuck. Raises `CampaignError` for the query."""
    try:
        look = desk.look(pair)
    except CampaignError as error:
        asked, state = desk.query(query), desk.state(pair)
        note = _UNREADABLE.format(error.what)
        return Sight(asked, Document(pair.doc_id), state, version, note, is_readable=False)
    note = document_note(is_loaded=look.has_text)
    return Sight(look.query, look.document, look.state, version, note)


class NextSight:
    """The pair that most likely comes next, read while the judge reads another one: over a slow
    line the key would wait for it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        # By the pair's slot.
        self._sights: dict[tuple[int, int], Sight] = {}

    def read(self, query: int, pair: DeskPair, version: int) -> None:
        """Read a pair of the query (a key), of which the desk has that version."""
        self.forget()
        with suppress(CampaignError):  # who goes there is told
            self._sights[pair.slot] = read_sight(self._desk, query, pair, version)

    def take(self, pair: DeskPair, version: int) -> Sight | None:
        """That of the pair, once, if it was read and nothing has changed since."""
        found = self._sights.pop(pair.slot, None)
        return found if found is not None and found.version == version else None

    def forget(self) -> None:
        """The judge has done something elsewhere."""
        self._sights.clear()


def new_query(before: Sight | None, now: Sight | None, at: DeskCursor) -> Content | None:
    """That another query than before stands at the top, and which of how many it is."""
    if now is None or before is None or now.query == before.query:
        return None
    if now.query.query_id == before.query.query_id:
        return Content(CHANGED)
    number, count = at.query_number
    accent = "bold $text-accent"
    name = foreign(now.query.query_id, accent)
    return Content.assemble(name, (f", {number:,} of {count:,}", accent))


def old_decision(state: PairState, event: Event, scale: Scale) -> Content:
    """What a decision replaces in the state of a pair, where it does."""
    if state.decision is None or (state.decision, state.grade) == (event.action, event.grade):
        return Content("")
    old = state_content(replace(state, flagged=False), scale)
    if state.grade is not None:
        old = grade_digit(state.grade, scale)
    return Content.assemble(old, " → ")


def rest_held(desk: Desk) -> str:
    """That others are at what is left of a shared pool, "" where nothing is."""
    if not desk.is_rest_held():
        return ""
    return "\n\nOthers are at all that is left. What they leave comes to you."


def all_done(desk: Desk) -> str:
    """That all is judged, and what there may be to come back to."""
    count = len(pairs_set_aside(desk))
    aside = f"{count:,} set aside (flagged, skipped, commented on): F lists them.\n\n"
    return (
        f"Everything on your desk is judged. Thank you.{rest_held(desk)}\n\n"
        f"{aside if count else ''}"
        "[ goes back through the documents, u takes the last grade back, q leaves."
    )
