"""The attempts that outcomes are from, by the file beside those that `collect` wrote."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from judge_tui.errors import InputError
from judge_tui.formats.asked_beside import HEAD
from judge_tui.formats.source import open_source

__all__ = ["ATTEMPTS", "OUTCOMES", "AttemptsBeside", "attempts_beside"]

OUTCOMES = ".outcomes.csv"
"""How the name of the outcomes of a live system's tasks ends."""

ATTEMPTS = ".attempts.jsonl"
"""What the name of its attempts has there (`collect.tasks.attempt`)."""


@dataclass(frozen=True, slots=True)
class AttemptsBeside:
    """`passed`: (task, arm) -> whether the last attempt passes, by check; empty where it failed."""

    path: Path
    passed: Mapping[tuple[str, str], Mapping[str, bool]]

    @property
    def checks(self) -> frozenset[str]:
        """All that ever were."""
        return frozenset(check for its in self.passed.values() for check in its)


def attempts_beside(outcomes: str | os.PathLike[str]) -> AttemptsBeside | None:
    """What the file of attempts beside NAME.outcomes.csv says; None where there is none of
    collect's."""
    path = Path(outcomes)
    beside = path.with_name(f"{path.name.removesuffix(OUTCOMES)}{ATTEMPTS}")
    if not path.name.endswith(OUTCOMES) or not beside.is_file():
        return None
    passed: dict[tuple[str, str], dict[str, bool]] = {}
    is_collects = False
    try:
        with open_source(beside) as source:
            for _number, raw in source.lines():
                line = json.loads(raw)
                is_collects = is_collects or HEAD in line
                if not is_collects:
                    return None
                if HEAD in line:
                    continue
                checks = {} if line["failure"] else line["checks"]
                its = {str(name): bool(one["passed"]) for name, one in checks.items()}
                passed[str(line["task"]), str(line["arm"])] = its
    except (InputError, ValueError, TypeError, KeyError, AttributeError):
        # What a crash cut short is the last line; of a file of another sort nothing has come.
        pass
    return AttemptsBeside(beside, passed) if is_collects else None
