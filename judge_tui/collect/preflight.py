"""Before the real work: is every program there, is it the system that is meant, does it answer?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge_tui.collect.answer import Answer, AskError
from judge_tui.collect.asking import ask
from judge_tui.collect.identity import identity
from judge_tui.collect.pace import Pace
from judge_tui.collect.secrets import Secrets
from judge_tui.collect.systems import System
from judge_tui.errors import InputError, JudgeTuiError
from judge_tui.model import Query

__all__ = ["Known", "check_system"]

_ASKED = 3
"""One query may be too much for a system that is well; three in a row are not chance."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a system says of itself, empty where it is not asked; and its `first` answer."""

    identity: str
    first: Answer


async def check_system(
    path: str, system: System, queries: Sequence[Query], k: int, secrets: Secrets
) -> Known:
    """Identify the system and ask it its first query, the next ones where it does not answer.

    Raises `InputError`, at the line of the system in the file at `path`, where it is another
    system or answers none of the first three. `queries`: one or more.
    """
    around = system.surroundings._replace(trial=True, queries=queries)
    try:
        said = await identity(system.identify, around) if system.identify is not None else ""
        async with system.open(around) as asking:
            pace = Pace(system.patience)
            for query in queries[:_ASKED]:
                answer = await ask(asking, pace, query, k, secrets)
                if not answer.failure:
                    return Known(secrets.hidden(said), answer)
    except AskError as error:
        raise _refusal(path, system, secrets.hidden(error.what), _MEND) from error
    except JudgeTuiError as error:
        raise _refusal(path, system, secrets.hidden(error.what), error.mend) from error
    raise _refusal(path, system, f"does not answer query {query.query_id}: {answer.failure}", _MEND)


def _refusal(path: str, system: System, what: str, mend: str) -> InputError:
    return InputError(path, system.line, f"system {system.name}: {what}", mend)


_MEND = "mend its settings, or leave it out with --only"
