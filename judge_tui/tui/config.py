"""The user's own settings: a theme, and keys. A TOML file that the user writes:

theme = "nord"

[keys]
judge.skip = "z"
document.down = "j, down, enter"
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from textual.theme import BUILTIN_THEMES

from judge_tui.errors import JudgeTuiError, unknown
from judge_tui.formats.toml_file import TomlFile, read_toml
from judge_tui.tui.keys import all_bound, clashes, key_name, shown_key

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
    file = read_toml(path, _EXAMPLE)
    for name in file.table.keys() - {"theme", "keys"}:
        _refuse(file, (name,), unknown("setting", name, ("theme", "keys")))
    theme = file.table.get("theme")
    if "theme" in file.table and str(theme) not in BUILTIN_THEMES:
        _refuse(file, ("theme",), unknown("theme", str(theme), sorted(BUILTIN_THEMES)))
    return Config(theme, _keymap(file, file.table.get("keys", {})))


def _keymap(file: TomlFile, keys: object) -> dict[str, str]:
    """Raises `InputError` for whatever was refused."""
    if not isinstance(keys, Mapping):
        file.refuse(("keys",), "keys is not a table", 'write [keys] and below it: judge.skip = "z"')
        keys = {}
    keymap: dict[str, str] = {}
    known = {bound.id: bound for bound in all_bound({})} if keys else {}
    for name, value in _flat(keys):
        place = ("keys", name)
        if name not in known:
            error = unknown("key binding", name, known)
            mend = error.mend if "did you mean" in error.mend else "judge-tui keys lists them"
            file.refuse(place, error.what, mend)
        named = value.split(",") if isinstance(value, str) else value
        if not isinstance(named, list) or not all(isinstance(key, str) for key in named):
            file.refuse(place, f"{name} has no keys", 'write "z, down"')
            continue
        found = {key.strip(): key_name(key) for key in named or [""]}
        for key in (key for key, meant in found.items() if meant is None):
            what = f"{name}: there is no key {key!r}" if key else f"{name} has no key"
            file.refuse(place, what, _KEYS)
        keymap[name] = ",".join(meant for meant in found.values() if meant is not None)
    for one, other, key in clashes(keymap):
        what = f"{one}: {shown_key(key)!r} is the key of {other}"
        file.refuse(("keys", one), what, f"give {other} another key, too")
    file.raise_refusals()
    return keymap


def _refuse(file: TomlFile, place: tuple[str, ...], error: JudgeTuiError) -> None:
    file.refuse(place, error.what, error.mend)


def _flat(table: object, above: str = "") -> Iterator[tuple[str, object]]:
    """Each binding by its id: judge.skip without quotes is a table in a table."""
    if not isinstance(table, Mapping):
        yield above, table
        return
    for name, value in table.items():
        yield from _flat(value, f"{above}.{name}" if above else name)
