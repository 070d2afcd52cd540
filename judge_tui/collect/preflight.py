"""Before the real work: is every program there, is it the system that is meant, does it answer?
And after it: is it still that system?"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from judge_tui.collect.asking import ask
from judge_tui.collect.identity import OtherSystemError, identity
from judge_tui.collect.journal import JournalOf, Said
from judge_tui.collect.kinds import Asking, Marked
from judge_tui.collect.live import Live, System
from judge_tui.collect.pace import Pace
from judge_tui.collect.reply import AskError, Reply
from judge_tui.collect.secrets import Secrets
from judge_tui.collect.written_out import mark_of
from judge_tui.errors import InputError, JudgeTuiError
from judge_tui.formats.no_text import UnreadableError
from judge_tui.formats.problems import quoted
from judge_tui.model import Query

__all__ = [
    "Known",
    "check_system",
    "first_reply",
    "identified",
    "identified_again",
    "identify_alone",
    "marked",
    "probes_of",
    "refusal",
]

Value = TypeVar("Value")

_ASKED = 3
"""One query may be too much for a system that is well; three in a row are not chance."""

_KEPT = 500


@dataclass(frozen=True, slots=True)
class Known:
    """What a system is found to be, empty where it is not asked; its `first` reply; what it is
    known again by, where its kind has that (`Marked`), and why it is not the one that was known
    before: empty where it is."""

    identity: Said
    first: Reply
    mark: Mapping[str, str] = field(default_factory=dict)
    changed: str = ""


async def check_system(
    path: str,
    system: System,
    pace: Pace,
    queries: Sequence[Query],
    probes: Sequence[Query],
    k: int,
    secrets: Secrets,
    before: Mapping[str, str],
) -> Known:
    """Identify the system and ask it the first of `probes`, the next ones where it does not answer.

    Raises `InputError`, at the line of the system in the file at `path`, where it is another
    system or answers none of the first three. `queries`: those that it will be asked;
    `before`: what the system was known by, whose replies are there.
    """
    around = system.surroundings._replace(trial=True, queries=queries)
    try:
        said = await identified(system, secrets)
        async with system.searcher.open(around) as asking:

            async def asked(query: Query) -> Reply:
                reply = await ask(asking, pace, query, k, secrets)
                if reply.failure:
                    raise AskError(reply.failure)
                return reply

            reply = await first_reply(asked, probes, "query")
            return Known(said, reply, *await marked(asking, pace, before, secrets))
    except JudgeTuiError as error:
        raise refusal(path, system, error, secrets) from None


def probes_of(
    every: Iterable[Query], left: Sequence[Query], is_answered: Callable[[Query], bool]
) -> list[Query]:
    """What of `every` query to try a system with: where only those are `left` that it always fails
    at, one that it has answered tells that it is well."""
    open_ones = {query.query_id for query in left}
    others = (one for one in every if one.query_id not in open_ones and is_answered(one))
    return [*left[:1], *islice(others, 1), *left[1:]]


async def first_reply(
    put: Callable[[Query], Awaitable[Value]], queries: Sequence[Query], called: str
) -> Value:
    """The reply to the first of `queries`, or to the next ones where there is none. Raises the
    `AskError` of the first one where none of the first three is answered; they are `called` so."""
    failures = []
    for query in queries[:_ASKED]:
        try:
            return await put(query)
        except AskError as error:
            what = f"does not answer {called} {query.query_id}: {error.what}"
            failures.append(AskError(what, error.said))
    raise failures[0]


async def marked(
    asking: Asking, pace: Pace, before: Mapping[str, str], secrets: Secrets
) -> tuple[Mapping[str, str], str]:
    """What the system is known again by, and why it is not the one that was known `before`, as
    `Known` has them. Raises `AskError`."""
    if not isinstance(asking, Marked):
        return {}, ""
    tried = await pace.trying(lambda: asking.mark(before))
    mark, changed = tried.value
    mark = {**mark, "model": secrets.hidden(mark["model"])[:_KEPT]}
    was, now = before.get("model"), mark["model"]
    if was and now and was != now:
        return mark, f"it says that it is {quoted(now)}, and said {quoted(was)} before"
    return mark, changed


async def identified(system: Live, secrets: Secrets) -> Said:
    """What the system is found to be, where it is asked. Raises `AskError` and `UsageError`."""
    if system.identify is None:
        return Said("")
    return _said(await identity(system.identify, system.surroundings), secrets)


def _said(text: str, secrets: Secrets) -> Said:
    shown = secrets.hidden(text)
    return Said(shown[:_KEPT], mark_of("identity", text) if shown != text else "")


async def identified_again(
    path: str, system: Live, pace: Pace, journal: JournalOf[Any, Any], secrets: Secrets
) -> None:
    """Look at what the system is found to be when it has been asked, and note in its journal where
    that is another one than before. Raises `InputError`."""
    if system.identify is None:
        return

    async def said() -> Said:
        try:
            return await identified(system, secrets)
        except OtherSystemError as error:
            return _said(f"not as expected: {error.said}", secrets)

    try:
        now = (await pace.trying(said)).value
    except JudgeTuiError as error:
        told = error.line(secrets.hidden) if isinstance(error, AskError) else error.what
        what = f"identify fails at the end: {secrets.hidden(told)}"
        mend = "its answers are kept; give the command again, without --again"
        raise _refusal(path, system, what, mend) from None
    journal.still_of(now)


async def identify_alone(path: str, system: Live, secrets: Secrets) -> Said:
    """The same of a system that has nothing left to be asked: it is to be the one that gave the
    replies. Raises `InputError`, at its line in the file at `path`."""
    try:
        return await identified(system, secrets)
    except JudgeTuiError as error:
        raise refusal(path, system, error, secrets) from None


def refusal(path: str, system: Live, error: JudgeTuiError, secrets: Secrets) -> InputError:
    """Why a system cannot be asked, without secrets; to be raised `from None`, since those that
    came before it may hold some."""
    if isinstance(error, UnreadableError) and error.line is None:
        # There is nothing in that file to be mended, but its name in this one may be.
        return _refusal(path, system, secrets.hidden(f"{error.path}: {error.what}"), error.mend)
    if isinstance(error, InputError):
        told = InputError(error.path, error.line, secrets.hidden(error.what), error.mend)
        told.also = error.also
        return told
    if isinstance(error, AskError):
        return _refusal(path, system, error.line(secrets.hidden), _MEND)
    return _refusal(path, system, secrets.hidden(error.what), error.mend)


def _refusal(path: str, system: Live, what: str, mend: str) -> InputError:
    return InputError(path, system.line, f"system {system.name}: {what}", mend)


_MEND = "mend its settings, or leave it out with --only"
