"""Checks of a model's answers: programs that are shown the code of an answer, each in an empty
folder of its own.

What runs there may be what a model wrote: it sees nothing of the environment but where programs are
and which language is spoken. That is tidiness, no prison.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from markdown_it import MarkdownIt

from judge_tui.collect.command_system import Program, run_program
from judge_tui.collect.search_system import SearchError
from judge_tui.collect.settings import ChatTaskSystem
from judge_tui.collect.template import fill
from judge_tui.errors import UsageError
from judge_tui.model import Query
from judge_tui.visible import visible

__all__ = ["Checked", "Checks", "find_code"]

EMPTY = "the answer is empty"
NO_CODE = "no code in it"
_KEPT = 4_000
_INHERITED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE")
# The templates of many models write the first tag themselves, and a cut ends amid a thought.
_THOUGHT = re.compile(
    r"\A(?:\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|(?:(?!```|<think).)*?</think(?:ing)?>)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check says: `why` it does not pass, empty where it does; `output`: what its program
    printed, cut; `settings` tells whether the check is still the same; `gave_up`: its program did
    not come to an end by itself."""

    passed: bool
    why: str = ""
    output: str = ""
    settings: str = ""
    gave_up: bool = False

    @property
    def nothing(self) -> bool:
        """Whether the answer had nothing in it that could be checked."""
        return self.why in (EMPTY, NO_CODE)


class Checks:
    """The checks of one system."""

    def __init__(self, settings: ChatTaskSystem, folder: Path) -> None:
        """Raises `UsageError` where a program is not there."""
        self._settings = settings
        self._folder = folder
        self._environment = {
            "PATH": os.defpath,
            **{name: os.environ[name] for name in _INHERITED if name in os.environ},
        }
        self._programs: dict[str, str] = {}
        for name, argv in settings.checks.items():
            first = fill(argv[0], {"folder": str(folder)})
            path = str(folder / first) if os.sep in first else first
            program = shutil.which(path, path=self._environment["PATH"])
            if program is None:
                what = f"check {name}: there is no program {first!r} that can be started"
                raise UsageError(what, f"install it, or give its path from {str(folder)!r}")
            self._programs[name] = str(Path(program).absolute())

    def fingerprint(self, name: str, task: Query) -> str:
        """Tells whether a check that was run is the same as it is now: its arguments, the files
        that they name, what of the answer it sees, how long it runs."""
        settings = self._settings
        files = [self._folder / one for one in self._argv(name, task, str(self._folder))]
        digests = [hashlib.sha256(one.read_bytes()).hexdigest() for one in files if one.is_file()]
        about = [
            self._argv(name, task, "."),
            digests,
            settings.extract,
            settings.file,
            settings.check_timeout,
        ]
        return hashlib.sha256(json.dumps(about).encode()).hexdigest()[:16]

    async def check(self, name: str, task: Query, answer: str) -> Checked:
        """Run one check of an answer; one with nothing in it passes none, and is not shown."""
        settings = self._settings
        fingerprint = self.fingerprint(name, task)
        shown = find_code(answer) if settings.extract == "code" else answer
        if not shown.strip():
            return Checked(False, NO_CODE if answer.strip() else EMPTY, settings=fingerprint)
        with TemporaryDirectory(prefix="judge_tui-answer-", ignore_cleanup_errors=True) as made:
            here = Path(made).resolve()
            (here / settings.file).write_bytes(shown.encode("utf-8", "replace"))
            argv = (self._programs[name], *self._argv(name, task, str(self._folder))[1:])
            environment = {**self._environment, "HOME": str(here), "TMPDIR": str(here)}
            try:
                output = await run_program(Program(argv, here, environment), settings.check_timeout)
            except SearchError as error:
                return Checked(False, error.line(str), settings=fingerprint, gave_up=True)
            printed = "\n".join(one.rstrip() for one in (output.out, output.err) if one.strip())
            printed = _cut(visible(printed.replace(str(here), ".")))
        late = f"not done within {settings.check_timeout:g} s"
        why = late if output.code is None else output.ended if output.code else ""
        return Checked(not why, why, printed, fingerprint, output.code is None)

    def _argv(self, name: str, task: Query, folder: str) -> list[str]:
        values = {
            "file": self._settings.file,
            "folder": folder,
            "query": task.text,
            "query_id": task.query_id,
        }
        return [fill(one, values) for one in self._settings.checks[name]]


def find_code(answer: str) -> str:
    """The first fenced block with anything in it (CommonMark); the whole answer where there is no
    fence. What a model thought aloud before its answer is no part of it."""
    answer = _THOUGHT.sub("", answer)
    fences = [one for one in MarkdownIt("commonmark").parse(answer) if one.type == "fence"]
    if not fences:
        return answer
    return next((one.content for one in fences if one.content.strip()), "")


def _cut(text: str) -> str:
    """Its first and last characters, where it is too long."""
    left = len(text) - _KEPT
    if left <= 0:
        return text
    return f"{text[: _KEPT // 2]}\n… {left:,} characters …\n{text[-_KEPT // 2 :]}"
