"""Is this the system that we think it is? The wrong index behind the right program is the commonest
mistake: what a system says of itself is looked at before it is asked, and kept with its run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from judge_tui.collect.kinds import Surroundings
from judge_tui.collect.matching import matching
from judge_tui.collect.over_http import client, refuse_bad_headers, send, url_of
from judge_tui.collect.programs import Program, found_program, run
from judge_tui.collect.reply import LOOKED_AT, AskError
from judge_tui.collect.section import Section
from judge_tui.formats.problems import quoted

__all__ = ["Identify", "OtherSystemError", "identity", "read_identify"]


class OtherSystemError(AskError):
    """What is expected is not in what a system says of itself."""


@dataclass(frozen=True, slots=True)
class Identify:
    """A program that is run, or a URL that is read (GET), and what must stand in what comes."""

    argv: tuple[str, ...]
    cwd: str
    environment: Mapping[str, str]
    url: str
    headers: Mapping[str, str]
    expect: re.Pattern[str]


def read_identify(section: Section, system: Section) -> Identify | None:
    """Read `[systems.NAME.identify]`. The table of the system says where its program is started and
    what with, or which headers it wants. None where a setting was refused."""
    argv = section.argv("argv")
    usual = system.plain("cwd", ".", public=True) if "argv" in system else "."
    cwd = section.plain("cwd", usual, public=True)
    environment = system.env() if "argv" in system else {}
    headers = system.headers() if "url" in system else {}
    url = url_of(section, "url") if "url" in section else ""
    own = section.headers()
    refuse_bad_headers(section, own)
    expect = section.pattern("expect", required=True)
    if ("argv" in section) == ("url" in section):
        section.refuse(
            "", "identify needs argv or url, one of them", 'argv = ["tool", "--version"]'
        )
    section.end()
    if expect is None or not (argv or url):
        return None
    return Identify(argv, cwd, environment, url, {**headers, **own}, expect)


async def identity(identify: Identify, around: Surroundings) -> str:
    """What was expected of all that a system says: the first group of the pattern that takes part
    in the match, the whole match where there is none or it is empty. What stands around it may
    change from one time to the next. Raises `AskError` where it says nothing, `OtherSystemError`
    where that has nothing that is expected, `UsageError` where the program is not there."""
    if identify.url:
        async with client(around) as ready:
            said = await send(
                ready, around.patience.timeout, "GET", identify.url, headers=identify.headers
            )
    else:
        program = Program(identify.argv, around.folder / identify.cwd, identify.environment)
        found_program(program)
        output = await run(program, around.patience.timeout)
        said = f"{output.out}\n{output.err}"
        if output.code:
            raise AskError(f"identify ends with exit code {output.code}", said)
    said = said.strip()[:LOOKED_AT]
    groups = range(1, identify.expect.groups + 1)
    async with matching(around.patience.timeout) as searches:
        found = await searches.first(identify.expect, groups, said)
        if found is not None and not found[0]:  # which would be to say nothing
            found = await searches.first(identify.expect, (), said)
    if found is None:
        raise OtherSystemError(
            f"another system, or another version: {quoted(identify.expect.pattern)} is not in what"
            " identify says",
            said,
        )
    return found[0]
