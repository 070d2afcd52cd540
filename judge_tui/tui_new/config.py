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

ENVIRONMENT = "JUDGE_TUI_CONFIG"
"""Names another file than the usual one; empty, it means none."""

_EXAMPLE = 'theme = "nord"'


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
    theme, keys = file.table.get("theme"), file.table.get("keys", {})
    if theme is not None and theme not in BUILTIN_THEMES:
        _refuse(file, ("theme",), unknown("theme", str(theme), sorted(BUILTIN_THEMES)))
    keymap: dict[str, str] = {}
    for binding, value in _flat(keys):
        if isinstance(value, str):
            keymap[binding] = ",".join(key.strip() for key in value.split(","))
        else:
            file.refuse(("keys", binding), f"{binding} has no keys", 'write judge.skip = "z, down"')
    file.raise_refusals()
    return Config(theme, keymap)


def _refuse(file: TomlFile, place: tuple[str, ...], error: JudgeTuiError) -> None:
    file.refuse(place, error.what, error.mend)


def _flat(table: object, above: str = "") -> Iterator[tuple[str, object]]:
    """Each binding by its id: judge.skip without quotes is a table in a table."""
    if not isinstance(table, Mapping):
        yield above or "keys", table
        return
    for name, value in table.items():
        yield from _flat(value, f"{above}.{name}" if above else name)
