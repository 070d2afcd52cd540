"""How a judge likes documents to be shown, from one start to the next.

It is the user's own, and no part of a campaign: a small file beside the user's other state. The app
writes it, nobody else; what cannot be read in it, or not be written, changes nothing but that.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from judge_tui.tui.config import ENVIRONMENT

_GREATEST_FILE = 4096


@dataclass(frozen=True, slots=True)
class Tastes:
    """What the keys of the Judge screen switch: long lines wrapped, the query's words marked, what
    has a rendering shown raw, narratives folded, guidelines beside the document; and the theme
    chosen in the palette, "" where none was."""

    wraps: bool = True
    marks: bool = True
    raw: bool = False
    folded: bool = False
    beside: bool = True
    theme: str = ""

    def told(self, keys: Mapping[str, str], *, guidelines: bool) -> str:
        """What is not as it would be by itself, each with the key that switches it (`keys`, by the
        ids of bindings), guidelines only where they would have room; "" where nothing is."""
        switched = ", ".join(
            f"{what} ({keys[binding]})"
            for binding, what, is_so in (
                ("judge.fold", "narratives folded", self.folded),
                ("judge.raw", "raw text", self.raw),
                ("judge.wrap", "long lines not wrapped", not self.wraps),
                ("judge.marks", "marks off", not self.marks),
                ("judge.guidelines", "guidelines hidden", guidelines and not self.beside),
            )
            if is_so
        )
        return f"as you left it: {switched}" if switched else ""


class Keeper:
    """The tastes of now, and the file that they are kept in; `path` None keeps none."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.now = Tastes() if path is None else _read(path)

    def keep(self, **switched: bool | str) -> None:
        """Keep what was switched, by the names that it has in `Tastes`."""
        self.now = replace(self.now, **switched)  # type: ignore[arg-type]
        if self._path is None:
            return
        # Another window may have switched something else meanwhile.
        told = asdict(replace(_read(self._path), **switched))  # type: ignore[arg-type]
        # Python 3.11 and 3.12 raise RuntimeError for a link that leads to itself.
        with contextlib.suppress(OSError, RuntimeError):
            _write(self._path, json.dumps(told, indent=1) + "\n")


def tastes_path() -> Path | None:
    """Where the file is, or would be: beside the config file if the user has named one, else in the
    folder for state; None where the user wants no files."""
    named = os.environ.get(ENVIRONMENT)
    if named is not None:
        return Path(named).with_suffix(".state.json") if named else None
    from platformdirs import user_state_path  # noqa: PLC0415 - Textual has imported it

    return user_state_path("judge_tui") / "tastes.json"


def _read(path: Path) -> Tastes:
    """What the file says, as far as it can be understood."""
    told: object = None
    with contextlib.suppress(OSError, ValueError, RecursionError):
        # Reading a pipe would wait for who writes to it.
        if path.is_file():
            with path.open(encoding="utf-8") as file:
                told = json.loads(file.read(_GREATEST_FILE))
    if not isinstance(told, dict):
        return Tastes()
    usual = Tastes()
    known = {
        field.name: told[field.name]
        for field in fields(Tastes)
        if type(told.get(field.name)) is type(getattr(usual, field.name))
    }
    return replace(usual, **known)


def _write(path: Path, text: str) -> None:
    """All of it or nothing; in place of a file, never of a device or a pipe. Raises `OSError`, or
    `RuntimeError` for a link that leads to itself."""
    path = path.resolve()
    if path.exists() and not path.is_file():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
