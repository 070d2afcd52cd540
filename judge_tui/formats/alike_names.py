"""Arms and tasks of outcomes that are called alike but for capitals or blanks: of a table that is
written by hand, they may be one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judge_tui.formats.outcomes_csv import Outcomes
from judge_tui.formats.problems import counted, quoted

__all__ = ["told_of_alike_names"]

_BUT_FOR = "but for capitals or blanks"
_MEND = "if they are one, call it the same in each row"


def told_of_alike_names(outcomes: Outcomes) -> Iterator[str]:
    """A sentence for the arms that may be one, and one for all such tasks."""
    for arms in _alike(outcomes.arms):
        which = [f"{quoted(arm)} ({counted(outcomes.failures(arm)[1], 'task')})" for arm in arms]
        yield (
            f"arms {' and '.join(which)} are called alike {_BUT_FOR}, and compared as"
            f" {len(arms)} arms; {_MEND}"
        )
    tasks = _alike(outcomes.tasks)
    if tasks:
        which = [" and ".join(map(quoted, tasks[0])), *(["…"] if len(tasks) > 1 else [])]
        yield (
            f"{sum(map(len, tasks)):,} tasks are called like another {_BUT_FOR}"
            f" ({', '.join(which)}), and count as tasks of their own; {_MEND}"
        )


def _alike(names: Iterable[str]) -> list[list[str]]:
    """Those that are one then, together."""
    together: dict[str, list[str]] = {}
    for name in names:
        together.setdefault(" ".join(name.casefold().split()), []).append(name)
    return [its for its in together.values() if len(its) > 1]
