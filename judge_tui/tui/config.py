"""The user's own settings: a theme, and keys. A TOML file that the user writes:

theme = "nord"

[keys]
judge.skip = "z"
document.down = "j, down, enter"
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from textual.theme import BUILTIN_THEMES

from judge_tui.errors import unknown

if TYPE_CHECKING:
    from judge_tui.formats.toml_file import TomlFile

ENVIRONMENT = "JUDGE_TUI_CONFIG"
"""Names another file than the usual one; empty, it means none."""

_EXAMPLE = 'theme = "nord"'
_KEYS = "a key is a character, comma, space, pagedown, f5, ctrl+g, alt+x …"


@dataclass(frozen=True, slots=True)
class Config:
    """What the file says. `keymap`: binding id -> its keys as Textual calls them, parted by commas,
    for the bindings that the user gave keys."""

    theme: str | None = None
    keymap: Mapping[str, str] = field(default_factory=dict)


def config_path() -> Path | None:
    """Where the file is, or would be; None where the user wants none."""
    named = os.environ.get(ENVIRONMENT)
    if named is not None:
        return Path(named) if named else None
    from platformdirs import user_config_path  # noqa: PLC0415 - Textual has imported it

    return user_config_path("judge_tui") / "config.toml"


def read_config() -> Config:
    """Read the file, where there is one. Raises `InputError` for what cannot be used in it: the
    first fault, with the others in its `also`."""
    path = config_path()
    if path is None or (ENVIRONMENT not in os.environ and not path.exists()):
        return Config()
    # Most users have no file, and the first document waits for what is imported.
    from judge_tui.formats.toml_file import read_toml  # noqa: PLC0415

    file = read_toml(path, _EXAMPLE)
    for name in file.table:
        _refuse_unknown(file, (name,), "setting", name, ("theme", "keys"))
    theme = file.table.get("theme")
    if "theme" in file.table:
        _refuse_unknown(file, ("theme",), "theme", str(theme), sorted(BUILTIN_THEMES))
    keymap = _keymap(file, file.table.get("keys", {}))
    file.raise_refusals()
    return Config(theme, keymap)


def _keymap(file: TomlFile, table: object) -> dict[str, str]:
    from judge_tui.tui.keys import all_bound, key_name, shown_key  # noqa: PLC0415

    keymap: dict[str, str] = {}
    known = [bound.id for bound in all_bound({})] if table else []
    for name, value in _flat(table):
        place = ("keys", name) if name else ("keys",)
        _refuse_unknown(file, place, "key binding", name, known)
        named = value.split(",") if isinstance(value, str) else value
        if not named or not isinstance(named, list) or not all(isinstance(k, str) for k in named):
            file.refuse(place, f"{name or 'keys'} has no keys", 'write judge.skip = "z, down"')
            continue
        found = {key: key_name(key) for key in (text.strip() for text in named)}
        for key in (key for key, meant in found.items() if meant is None):
            file.refuse(place, f"{name}: there is no key {key!r}", _KEYS)
        keymap[name] = ",".join(meant for meant in found.values() if meant is not None)
    bound = all_bound(keymap) if keymap else []
    for one, other in product(bound, bound):
        if one.id in keymap and one.id != other.id and other.room in (one.room, "app"):
            for key in (key for key in one.keys if key in other.keys):
                what = f"{one.id}: {shown_key(key)!r} is the key of {other.id}"
                file.refuse(("keys", one.id), what, f"give {other.id} another key, too")
    return keymap


def _refuse_unknown(
    file: TomlFile, place: tuple[str, ...], kind: str, name: str, known: Collection[str]
) -> None:
    if name and name not in known:
        error = unknown(kind, name, known)
        file.refuse(place, error.what, error.mend)


def _flat(table: object, above: str = "") -> Iterator[tuple[str, object]]:
    """Each binding by its id: judge.skip without quotes is a table in a table."""
    if not isinstance(table, Mapping):
        yield above, table
        return
    for name, value in table.items():
        yield from _flat(value, f"{above}.{name}" if above else name)


class ThemeFile:
    """The theme that was chosen in the app, from one start to the next: a file beside the config
    file, or none. What cannot be read in it, or not be written, changes nothing but that."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    def read(self) -> str:
        """The name that it holds, "" where there is none."""
        if self._path is None:
            return ""
        try:
            return self._path.read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            return ""

    def write(self, theme: str) -> None:
        if self._path is not None:
            with contextlib.suppress(OSError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._path.write_text(f"{theme}\n", encoding="utf-8")


def theme_path() -> Path | None:
    """Where that file is, or would be; None where the user wants no files."""
    path = config_path()
    return path and path.with_suffix(".theme")
