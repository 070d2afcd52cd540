"""Is this the system that we think it is? The wrong index behind the right program is a common
mistake: what a system says of itself is asked before and after the work, and kept with its run."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from judge_tui.collect.command_system import Program, run_program
from judge_tui.collect.extract import find
from judge_tui.collect.http_system import open_client, send
from judge_tui.collect.search_system import SearchError
from judge_tui.collect.settings import (
    CommandSettings,
    Identify,
    RemoteSettings,
    SystemSettings,
)

if TYPE_CHECKING:
    from judge_tui.collect.work import CollectRequest

_LOOKED_AT = 1_000_000
_KEPT = 500


class OtherSystemError(SearchError):
    """What a system says of itself is not what is expected."""


async def identify(settings: SystemSettings, request: CollectRequest) -> str:
    """What was expected of all that a system says, without secrets: the first group of the pattern,
    the whole match where there is none; empty where it is not asked. Raises `SearchError` where it
    says nothing, `OtherSystemError` where it says something else."""
    question = settings.identify
    if question is None:
        return ""
    said = (await _fetch(question, settings, request)).strip()[:_LOOKED_AT]
    match = await asyncio.to_thread(_find_first, question.expect, said, settings.timeout)
    if match is None:
        what = f"another system, or another version: {question.expect!r:.80} is not in what it says"
        raise OtherSystemError(what, said)
    return request.secrets.redact(match)[:_KEPT]


async def _fetch(question: Identify, settings: SystemSettings, request: CollectRequest) -> str:
    if question.url is not None:
        own = settings.headers if isinstance(settings, RemoteSettings) else {}
        headers = request.secrets.expand({**own, **question.headers})
        async with open_client(settings.timeout, 1) as client:
            url = request.secrets.expand_url(question.url)
            return await send(client, settings.timeout, "GET", url, headers)
    cwd, env = ".", {}
    if isinstance(settings, CommandSettings):
        cwd, env = settings.cwd, request.secrets.expand(settings.env)
    folder = request.path(cwd if question.cwd is None else question.cwd)
    program = Program(tuple(question.argv or ()), folder, {**os.environ, **env})
    output = await run_program(program, settings.timeout)
    said = f"{output.out}\n{output.err}"
    if output.code != 0:
        raise SearchError(f"identify: {output.ended}", said)
    return said


def _find_first(pattern: str, said: str, seconds: float) -> str | None:
    match = next(find(pattern, said, seconds), None)
    if match is None:
        return None
    return next((one for one in match.groups() if one), "") or match[0]
