"""Is this the system that we think it is? The wrong index behind the right program is a common
mistake: what a system says of itself is asked before and after the work, and kept with its run."""

from __future__ import annotations

import asyncio
import os

from judge_tui.collect.command_system import Program, run_program
from judge_tui.collect.extract import find
from judge_tui.collect.http_system import open_client, send
from judge_tui.collect.search_system import SearchError
from judge_tui.collect.settings import CommandSystem, Identify, SystemSettings
from judge_tui.collect.work import Order

__all__ = ["OtherSystemError", "identity"]

_LOOKED_AT = 1_000_000
_KEPT = 500


class OtherSystemError(SearchError):
    """What a system says of itself is not what is expected."""


async def identity(settings: SystemSettings, order: Order) -> str:
    """What was expected of all that a system says, without secrets: the first group of the pattern,
    the whole match where there is none; empty where it is not asked. Raises `SearchError` where it
    says nothing, `OtherSystemError` where it says something else."""
    identify = settings.identify
    if identify is None:
        return ""
    said = (await _ask(identify, settings, order)).strip()[:_LOOKED_AT]
    match = await asyncio.to_thread(_find_first, identify.expect, said, settings.timeout)
    if match is None:
        what = f"another system, or another version: {identify.expect!r:.80} is not in what it says"
        raise OtherSystemError(what, said)
    return order.secrets.redact(match)[:_KEPT]


async def _ask(identify: Identify, settings: SystemSettings, order: Order) -> str:
    if identify.url is not None:
        headers = order.secrets.expand({**getattr(settings, "headers", {}), **identify.headers})
        async with open_client(settings.timeout, 1) as client:
            url = order.secrets.expand_url(identify.url)
            return await send(client, settings.timeout, "GET", url, headers)
    cwd, env = ".", {}
    if isinstance(settings, CommandSystem):
        cwd, env = settings.cwd, order.secrets.expand(settings.env)
    folder = order.path(cwd if identify.cwd is None else identify.cwd)
    program = Program(tuple(identify.argv or ()), folder, {**os.environ, **env})
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
