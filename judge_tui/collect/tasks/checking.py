"""Checks: programs that are shown a reply, each in an empty folder of its own.

What runs there may be what a model wrote: it sees nothing of the environment but where programs
are and which language is spoken, and nothing of it is left behind. That is tidiness, no prison.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

from judge_tui.collect.digests import digest_of
from judge_tui.collect.filling import fill_named
from judge_tui.collect.lack import telling_lack
from judge_tui.collect.live import TaskSystem
from judge_tui.collect.programs import OutlastedError, Program, found_program, run
from judge_tui.collect.reply import AskError
from judge_tui.collect.secrets import Secrets
from judge_tui.collect.tasks.attempt import EMPTY, NO_CODE, Checked
from judge_tui.collect.tasks.extracting import code_of
from judge_tui.collect.tasks.folders import empty_folder, write_into
from judge_tui.collect.tasks.settings import Check
from judge_tui.errors import InputError, UsageError, raise_together
from judge_tui.model import Query
from judge_tui.visible import visible

__all__ = ["Checker"]

KEPT = 4_000
"""Characters of what a check prints; of more the first and the last half of them."""

_LANGUAGE = ("LANG", "LC_ALL", "LC_CTYPE")


class Checker:
    """The checks of one system, ready to be run."""

    def __init__(self, path: str, system: TaskSystem, secrets: Secrets) -> None:
        """Raises `InputError` where programs are not there, each with its line in the systems file
        at `path`, all but the first in its `also`."""
        self._settings = system.tasks
        self._folder = system.folder
        # As it may be shown: from a digest what is short could be guessed.
        self._env = system.settings.get("check_env", {})
        self._marks = system.marks_of(["check_env"])
        self._secrets = secrets
        self._digests: dict[Path, str] = {}
        self._environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            **{name: os.environ[name] for name in _LANGUAGE if name in os.environ},
        }
        self._programs: dict[str, str] = {}
        refusals = []
        for check in system.tasks.checks:
            try:
                self._programs[check.name] = self._program(check)
            except UsageError as error:
                what = f"system {system.name}: check {check.name}: {error.what}"
                refusals.append(InputError(path, check.line, what, error.mend))
        raise_together(refusals)

    def fingerprint(self, check: Check, query: Query) -> str:
        """Tells whether a check that was run is the same as it is now: its arguments and the files
        that they name, what of the reply it sees, how long and with what it runs."""
        named = [Path(one) for one in self._filled(check.argv, query, str(self._folder))]
        told = self._settings
        said = json.dumps(
            [
                # As it may be shown, as the environment is.
                self._filled(check.shown, query, "."),
                [self._digest(self._folder / path) for path in named],
                [told.extract, told.language, told.file, told.check_timeout, self._env],
                *self._marks,
                *check.marks,
            ]
        )
        return hashlib.sha256(said.encode()).hexdigest()[:16]

    async def check(self, check: Check, query: Query, reply: str) -> Checked:
        """Run one check of a reply; one with nothing in it passes none, and is not shown.
        Raises `LackError`."""
        settings = self.fingerprint(check, query)
        told = self._settings
        shown = code_of(reply, told.language).text if told.extract == "code" else reply
        if not shown.strip():
            return Checked(False, NO_CODE if reply.strip() else EMPTY, settings=settings)
        with telling_lack(), empty_folder() as here:
            write_into(here / told.file, shown)
            start = time.perf_counter()
            code, why, printed = await self._run(check, query, here)
            seconds = time.perf_counter() - start
        return Checked(not why, why, code, self._kept(printed, here), seconds, settings)

    async def _run(self, check: Check, query: Query, here: Path) -> tuple[int | None, str, str]:
        """Its exit code, why it does not pass, and what it printed."""
        own = {"HOME": str(here), "TMPDIR": str(here)}
        program = Program(
            (self._programs[check.name], *self._filled(check.argv, query, str(self._folder))[1:]),
            here,
            {**self._environment, **own, **self._settings.check_env},
            alone=True,
        )
        try:
            output = await run(program, self._settings.check_timeout)
        except OutlastedError as error:
            return None, f"not done within {self._settings.check_timeout:g} s", error.printed
        except AskError as error:
            return None, error.line(self._secrets.hidden), ""
        return output.code, output.ended if output.code else "", output.printed

    def _kept(self, printed: str, here: Path) -> str:
        """What is kept of what was printed: the same for the same reply, as far as that goes."""
        text = visible(self._secrets.hidden(printed.replace(str(here), ".")))
        if len(text) <= KEPT:
            return text
        left = len(text) - KEPT
        return f"{text[: KEPT // 2]}\n… {left:,} characters …\n{text[-KEPT // 2 :]}"

    def _filled(self, argv: Sequence[str], query: Query, folder: str) -> list[str]:
        values = {
            "file": self._settings.file,
            "folder": folder,
            "query": query.text,
            "query_id": query.query_id,
        }
        return [fill_named(one, values) for one in argv]

    def _program(self, check: Check) -> str:
        argv = (fill_named(check.argv[0], {"folder": str(self._folder)}),)
        found = found_program(Program(argv, self._folder, self._settings.check_env))
        return str(Path(found).absolute())

    def _digest(self, path: Path) -> str:
        if path not in self._digests:
            self._digests[path] = digest_of(path)
        return self._digests[path]
