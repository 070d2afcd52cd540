"""Is this the system that we think it is? The wrong index behind the right program is the commonest
mistake: what a system says of itself is looked at before it is asked, and kept with its run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from judge_tui.collect.answer import AskError
from judge_tui.collect.extraction import excerpt
from judge_tui.collect.kinds import Surroundings
from judge_tui.collect.kinds.command import Program, run
from judge_tui.collect.kinds.http import client, send, url_of
from judge_tui.collect.section import Section

__all__ = ["Identify", "identity", "read_identify"]

_KEPT = 500


@dataclass(frozen=True, slots=True)
class Identify:
    """A program that is run, or a URL that is read (GET), and what must stand in what comes."""

    argv: tuple[str, ...]
    cwd: str
    url: str
    headers: Mapping[str, str]
    expect: re.Pattern[str]


def read_identify(section: Section, headers: Mapping[str, str]) -> Identify | None:
    """Read `[systems.NAME.identify]`; `headers` are those of the system, for its URL. None where a
    setting was refused."""
    argv = section.argv("argv")
    cwd = section.plain("cwd", ".")
    url = url_of(section, "url") if "url" in section else ""
    own = section.texts("headers")
    expect = section.pattern("expect", required=True)
    if ("argv" in section) == ("url" in section):
        section.refuse(
            "", "identify needs argv or url, one of them", 'argv = ["tool", "--version"]'
        )
    section.end()
    if expect is None or not (argv or url):
        return None
    return Identify(argv, cwd, url, {**headers, **own}, expect)


async def identity(identify: Identify, around: Surroundings) -> str:
    """What the system says of itself, its first 500 characters. Raises `AskError` where it says
    nothing, or nothing that is expected."""
    if identify.url:
        async with client(around) as ready:
            request = ready.build_request("GET", identify.url, headers=identify.headers)
            said = await send(ready, request, around.patience.timeout)
    else:
        program = Program(identify.argv, around.folder / identify.cwd, {})
        output = await run(program, around.patience.timeout)
        said = f"{output.out}\n{output.err}"
        if output.code:
            raise AskError(f"identify ends with exit code {output.code}: {excerpt(said)}")
    if not identify.expect.search(said):
        raise AskError(
            f"identify says {excerpt(said.strip())!r}, in which {identify.expect.pattern!r} is "
            "not found: another system, or another version?"
        )
    return said.strip()[:_KEPT]
