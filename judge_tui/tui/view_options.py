"""How each judge likes documents to be shown, and the theme, from one start to the next.

They are the user's own and no part of a campaign: a small JSON file beside the user's other state.
What cannot be read in it, or not be written, changes nothing but that.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from judge_tui.tui.config import ENVIRONMENT

_GREATEST_FILE = 65_536


@dataclass(slots=True)
class ViewOptions:
    """What keys switch on the screens with documents."""

    wrap: bool = True
    marks: bool = True
    raw: bool = False
    narrative: bool = True
    guidelines: bool = True


class OptionsFile:
    """The theme and each judge's view options, and the file that they are kept in; `path` None
    keeps none."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        known = {} if path is None else _read(path)
        self.theme: str = known["theme"] if isinstance(known.get("theme"), str) else ""
        judges = known.get("judges")
        self._judges = {
            name: _options(options)
            for name, options in (judges.items() if isinstance(judges, dict) else ())
        }

    def of(self, judge: str) -> ViewOptions:
        """A judge's; change its attributes, then `save`."""
        return self._judges.setdefault(judge, ViewOptions())

    def save(self) -> None:
        """Write all of it, or nothing."""
        if self._path is None:
            return
        judges = {name: asdict(options) for name, options in self._judges.items()}
        text = json.dumps({"theme": self.theme, "judges": judges}, indent=1)
        # Python 3.11 and 3.12 raise RuntimeError for a link that leads to itself.
        with contextlib.suppress(OSError, RuntimeError):
            _write(self._path, f"{text}\n")


def options_path() -> Path | None:
    """Where the file is, or would be: beside the config file if the user has named one, else in the
    folder for state; None where the user wants no files."""
    named = os.environ.get(ENVIRONMENT)
    if named is not None:
        return Path(named).with_suffix(".state.json") if named else None
    from platformdirs import user_state_path  # noqa: PLC0415 - Textual has imported it

    return user_state_path("judge_tui") / "view.json"


def _options(known: object) -> ViewOptions:
    options = ViewOptions()
    for field in fields(ViewOptions):
        value = known.get(field.name) if isinstance(known, dict) else None
        if isinstance(value, bool):
            setattr(options, field.name, value)
    return options


def _read(path: Path) -> dict[str, Any]:
    known: object = None
    with contextlib.suppress(OSError, ValueError, RecursionError):
        # Reading a pipe would wait for who writes to it.
        if path.is_file():
            with path.open(encoding="utf-8") as file:
                known = json.loads(file.read(_GREATEST_FILE))
    return known if isinstance(known, dict) else {}


def _write(path: Path, text: str) -> None:
    """In place of a file, never of a device or a pipe."""
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
