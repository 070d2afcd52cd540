"""What one system answered to one query, or why it did not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from judge_tui.errors import JudgeTuiError
from judge_tui.visible import visible_line

__all__ = [
    "LARGEST",
    "LOOKED_AT",
    "AskError",
    "Hit",
    "Reply",
    "cut",
    "first",
    "storable",
]

LARGEST = 64_000_000
"""Bytes of one reply; of more no query of a person is answered."""

LOOKED_AT = 1_000_000
"""Characters of what a system says that are looked at where it is told, and not taken."""

_SHOWN = 80
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Hit:
    """One result in the order of the system. `score` is the system's own, None where it has none;
    the texts are empty where it gives none."""

    doc_id: str
    score: float | None = None
    title: str = ""
    text: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """`hits` at most k, no document twice. `seconds`: of the last try, waits not counted. `tries`:
    how often it was asked. `repeated`: results before the last of the hits that were dropped since
    their document stood above. `failure`: why there is no reply, in one line; empty where there is
    one."""

    query_id: str
    query: str
    hits: tuple[Hit, ...] = field(default=())
    seconds: float = 0.0
    tries: int = 1
    repeated: int = 0
    failure: str = ""


class AskError(JudgeTuiError):
    """A query that was not answered. `said`: what the system said, whole, since what is cut short
    first may end amid a secret that is not known again. `again`: whether another try may help;
    `wait`: how many seconds the system asked for before that; `too_many`: whether it says that it
    is asked too much; `too_large`: whether it says so of what it was sent."""

    def __init__(
        self,
        what: str,
        said: Any = "",
        *,
        again: bool = False,
        wait: float | None = None,
        too_many: bool = False,
        too_large: bool = False,
    ) -> None:
        super().__init__(what)
        self.said = said
        self.again = again
        self.wait = wait
        self.too_many = too_many
        self.too_large = too_large

    @property
    def wants_rest(self) -> bool:
        """Whether it is for all who ask the system to wait, and not for this one alone."""
        return self.too_many or self.wait is not None

    def of(self, what: str) -> AskError:
        """The same error, told as one of that."""
        told = AskError(f"{what}: {self.what}")
        vars(told).update({**vars(self), "what": told.what})
        return told

    def line(self, hidden: Callable[[str], str]) -> str:
        """Why, and how what was said begins, in one line that a terminal may show; `hidden` takes
        the secrets out of a text."""
        said = self.said
        if not isinstance(said, str):
            said = json.dumps(said, ensure_ascii=False)
        said = " ".join(hidden(said[:LOOKED_AT]).split())
        if len(said) > _SHOWN:
            said = f"{said[:_SHOWN]}…"
        what = " ".join(hidden(self.what).split())
        return visible_line(f"{what}: {said}" if said else what)


def storable(text: str) -> str:
    """A text with a sign in the place of what no file can hold."""
    return _SURROGATES.sub("\ufffd", text)


def first(hits: Iterable[Hit], k: int) -> list[Hit]:
    """The results up to the first one of the `k`-th document; those behind it are not taken."""
    taken, documents = [], set()
    for hit in hits:
        taken.append(hit)
        documents.add(hit.doc_id)
        if len(documents) >= k:
            break
    return taken


def cut(hits: Iterable[Hit], k: int) -> tuple[tuple[Hit, ...], int]:
    """The first `k` documents in their order, each at its first place; and how many results among
    those that were looked at stood for a document already there."""
    kept: dict[str, Hit] = {}
    repeated = 0
    for hit in hits:
        if hit.doc_id in kept:
            repeated += 1
        elif len(kept) < k:
            kept[hit.doc_id] = hit
    return tuple(kept.values()), repeated
