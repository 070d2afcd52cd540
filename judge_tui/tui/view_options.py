"""How each judge likes documents to be shown, and the theme, from one start to the next.

They are the user's own and no part of a campaign: a small JSON file beside the config file. What
cannot be read in it, or not be written, changes nothing but that.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from judge_tui.tui.config import config_path


@dataclass
class ViewOptions:
    """What keys switch on the screens with documents; `save` keeps it."""

    wrap: bool = True
    raw: bool = False
    narrative: bool = True

    def __post_init__(self) -> None:
        self.save: Callable[[], None] = lambda: None


class OptionsFile:
    """The theme and each judge's view options, and the file that they are kept in; `path` None
    keeps none."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.theme = ""
        self._judges: dict[str, ViewOptions] = {}
        if path is not None:
            with contextlib.suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
                known = json.loads(path.read_bytes())
                self.theme = str(known["theme"])
                self._judges = {name: ViewOptions(**its) for name, its in known["judges"].items()}

    def of(self, judge: str) -> ViewOptions:
        """A judge's; change its attributes, then `save`."""
        options = self._judges.setdefault(judge, ViewOptions())
        options.save = self.save
        return options

    def save(self) -> None:
        """Write all of it, or nothing."""
        if self._path is None:
            return
        judges = {name: asdict(options) for name, options in self._judges.items()}
        text = json.dumps({"theme": self.theme, "judges": judges}, indent=1)
        draft = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(f"{text}\n", encoding="utf-8")
            draft.replace(self._path)


def options_path() -> Path | None:
    """Where the file is, or would be; None where the user wants no files."""
    path = config_path()
    return path and path.with_suffix(".state.json")
