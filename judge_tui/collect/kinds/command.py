"""`kind = "command"`: a program that prints JSON, or text with ids in it. No shell."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from judge_tui.collect.extraction import FromJson, FromText, hits_in, read_anew, results_settings
from judge_tui.collect.filling import fill
from judge_tui.collect.kinds import Answer, Asking, Searcher, Surroundings
from judge_tui.collect.matching import Matching, matching
from judge_tui.collect.programs import Program, found_program, run
from judge_tui.collect.reply import AskError
from judge_tui.collect.section import Section
from judge_tui.errors import UsageError
from judge_tui.model import Query

__all__ = ["read"]


class _Command:
    def __init__(
        self,
        program: Program,
        found: FromJson | FromText,
        good_codes: Sequence[int],
        timeout: float,
        matching: Matching,
    ) -> None:
        self._program = program
        self._found = found
        self._good_codes = good_codes
        self._timeout = timeout
        self._matching = matching

    async def ask(self, query: Query, k: int) -> Answer:
        """Raises `AskError`."""
        argv = tuple(fill(argument, query, k) for argument in self._program.argv)
        output = await run(replace(self._program, argv=argv), self._timeout)
        if output.code not in self._good_codes:
            said = (output.err.strip() or output.out.strip()).rpartition("\n")[2]
            raise AskError(output.ended, said)
        return partial(hits_in, output.out, self._found, self._matching, k)


def read(section: Section) -> Searcher | None:
    """Read the settings; None where one was refused."""
    argv = section.argv("argv", required=True)
    section.without_query("argv")
    section.known_names("argv", only_near=True)
    folder = section.plain("cwd", ".", public=True)
    environment = section.env()
    good_codes = section.counts("ok_codes", (0,))
    found = results_settings(section)
    if found is None or not argv:
        return None
    results = found

    @asynccontextmanager
    async def opened(around: Surroundings) -> AsyncIterator[Asking]:
        program = Program(argv, around.folder / folder, environment)
        if around.trial:  # later on it is missed by each query alone
            found_program(program)
        for query in around.queries:
            _refuse_as_option(argv, query)
        timeout = around.patience.timeout
        async with matching(timeout, sure=isinstance(results, FromText)) as searches:
            yield _Command(program, results, good_codes, timeout, searches)

    return Searcher(
        open=opened,
        beside=frozenset(),
        gives_texts="text" in section,
        read_anew=read_anew(results),
    )


def _refuse_as_option(argv: Sequence[str], query: Query) -> None:
    """Raise `UsageError` where the program would take the query for an option of its own: an
    argument that begins with it, and no "--" before."""
    if not query.text.startswith("-"):
        return
    for argument in argv[1:]:
        if argument == "--":
            return
        if argument.startswith("{query}"):
            raise UsageError(
                f"query {query.query_id!r} begins with -, as the options of a program do",
                'write "--" before "{query}" in argv, or "--its-option={query}"',
            )
