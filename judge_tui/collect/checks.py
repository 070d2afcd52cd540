"""Checks of a model's answers: programs that are shown the code of an answer, each in an empty
folder of its own.

What runs there may be what a model wrote: it sees nothing of the environment but where programs are
and which language is spoken. That is tidiness, no prison.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

from judge_tui.collect.command_system import run_program
from judge_tui.collect.search_system import SearchError, fill
from judge_tui.collect.settings import TaskSettings
from judge_tui.errors import UsageError
from judge_tui.model import Query

_INHERITED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE")
_FENCE = re.compile(
    r"^ *(?P<fence>`{3,}|~{3,})[^`\n]*\n(?P<code>.*?)(?:^ *(?P=fence)|\Z)", re.DOTALL | re.MULTILINE
)
# The templates of many models write the first tag themselves, and a cut ends amid a thought.
_THOUGHT = re.compile(
    r"\A(?:\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|(?:(?!```|<think).)*?</think(?:ing)?>)",
    re.IGNORECASE | re.DOTALL,
)


class Checks:
    """The checks of one system."""

    def __init__(self, settings: TaskSettings, folder: Path) -> None:
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

    async def passes(self, name: str, task: Query, answer: str) -> bool:
        """Whether the program of a check ends with 0 within its time; an answer with nothing in it
        passes none, and is not shown."""
        settings = self._settings
        code = find_code(answer)
        if not code.strip():
            return False
        values = {
            "file": settings.file,
            "folder": str(self._folder),
            "query": task.text,
            "query_id": task.query_id,
        }
        _, *arguments = (fill(one, values) for one in settings.checks[name])
        with TemporaryDirectory(prefix="judge_tui-answer-", ignore_cleanup_errors=True) as made:
            here = Path(made).resolve()
            (here / settings.file).write_bytes(code.encode("utf-8", "replace"))
            environment = {**self._environment, "HOME": str(here), "TMPDIR": str(here)}
            argv = [self._programs[name], *arguments]
            try:
                return (await run_program(argv, here, environment, settings.timeout)).code == 0
            except SearchError:  # what a model wrote may print without end
                return False


def find_code(answer: str) -> str:
    """The first fenced block with anything in it (CommonMark); the whole answer where there is no
    fence. What a model thought aloud before its answer is no part of it."""
    answer = _THOUGHT.sub("", answer)
    fences = [dedent(fence["code"]) for fence in _FENCE.finditer(answer)]
    return next(filter(str.strip, fences), "") if fences else answer
