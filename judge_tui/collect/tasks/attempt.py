"""One task put in one arm: what was asked, what came, and what the checks say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from judge_tui.collect.journal import JournalOf

__all__ = ["EMPTY", "NO_CODE", "Attempt", "AttemptJournal", "Checked"]

EMPTY = "the answer is empty"
NO_CODE = "no code in it"


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check says. `why` it does not pass, empty where it does; `code`: the exit code of its
    program, None where it did not come to one; `output`: what it printed, cut, safe to be shown;
    `settings`: tells whether the check is still the same."""

    passed: bool
    why: str = ""
    code: int | None = None
    output: str = ""
    seconds: float = 0.0
    settings: str = ""

    @property
    def gave_up(self) -> bool:
        """Whether its program did not come to an end by itself."""
        return bool(self.why) and self.code is None and self.why not in (EMPTY, NO_CODE)


@dataclass(frozen=True, slots=True)
class Attempt:
    """`prompt`: as it was sent, but for secrets. `doc_ids`: what stands in its context, `cut`:
    whether that was too long. `reply`, `finish`, `refusal`: see `ChatReply`. `seconds` of the last
    of `tries`. `failure`: why there is no reply, and `failed`: by whom; empty where there is one.
    `checks`: by name."""

    task: str
    arm: str
    prompt: str = ""
    doc_ids: tuple[str, ...] = ()
    cut: bool = False
    reply: str = ""
    finish: str = ""
    refusal: str = ""
    seconds: float = 0.0
    tries: int = 1
    failure: str = ""
    failed: Literal["", "context", "endpoint"] = ""
    checks: Mapping[str, Checked] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether there is a reply with nothing in it that could be checked."""
        return self._is_told(EMPTY)

    @property
    def codeless(self) -> bool:
        """Whether there is a reply with words in it, and no code that could be checked."""
        return self._is_told(NO_CODE)

    def _is_told(self, why: str) -> bool:
        return not self.failure and any(one.why == why for one in self.checks.values())


class AttemptJournal(JournalOf[tuple[str, str], Attempt]):
    """Attempts, by task and arm."""

    @staticmethod
    def key(record: Attempt) -> tuple[str, str]:
        """Its task and arm."""
        return record.task, record.arm

    @staticmethod
    def is_same(before: Attempt, record: Attempt) -> bool:
        """But for what the checks say of it, which are run anew where they have changed."""
        return replace(record, checks=before.checks) == before

    @staticmethod
    def line(record: Attempt) -> dict[str, Any]:
        """All of it."""
        return asdict(record)

    @staticmethod
    def record(line: Mapping[str, Any]) -> Attempt:
        """The attempt, whole again."""
        checks = {name: Checked(**one) for name, one in line["checks"].items()}
        return Attempt(**{**line, "doc_ids": tuple(line["doc_ids"]), "checks": checks})
