"""The user's own settings: a theme, and keys. A TOML file that the user writes:

    theme = "nord"

    [keys]
    judge.skip = "z"
    judge.down = "j, down, enter"

What cannot be used in it is an error at the start of the command: all of it, each with its line.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge_tui.errors import InputError, unknown

if TYPE_CHECKING:
    from judge_tui.formats.toml_file import TomlFile

ENVIRONMENT = "JUDGE_TUI_CONFIG"
"""Names another file than the usual one; empty, it means none."""

_SETTINGS = ("theme", "keys")


@dataclass(frozen=True, slots=True)
class Config:
    """What the file says. `keymap` has only the bindings that the user gave keys, as Textual calls
    them."""

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
    """Read the file, where there is one.

    Raises `InputError` for what cannot be used in it: one for all, with the others in its `also`.
    """
    path = config_path()
    if path is None:
        return Config()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        if ENVIRONMENT in os.environ:
            raise InputError(
                path, None, f"no such file, and {ENVIRONMENT} names it", f"unset {ENVIRONMENT}"
            ) from None
        return Config()
    except (OSError, UnicodeDecodeError) as error:
        what = error.strerror or "cannot be read" if isinstance(error, OSError) else "not UTF-8"
        raise InputError(path, None, what, "write the settings in a text file") from error
    return _read(path, text)


def _read(path: Path, text: str) -> Config:
    from judge_tui.formats.toml_file import TomlFile  # noqa: PLC0415 - most users have no file

    return _Reader(TomlFile(path, text, 'theme = "nord"')).config()


class _Reader:
    """Takes the settings one by one; each refusal names the line."""

    def __init__(self, file: TomlFile) -> None:
        self._file = file

    def config(self) -> Config:
        """Raises the first refusal, by line, with the others in its `also`."""
        settings = self._file.table
        for name in settings:
            if name not in _SETTINGS:
                error = unknown("setting", name, _SETTINGS)
                self._file.refuse((name,), error.what, error.mend)
        config = Config(self._theme(settings.get("theme")), self._keymap(settings.get("keys", {})))
        self._file.raise_refusals()
        return config

    def _theme(self, theme: object) -> str | None:
        from textual.theme import BUILTIN_THEMES  # noqa: PLC0415

        if theme is None or (isinstance(theme, str) and theme in BUILTIN_THEMES):
            return theme
        error = unknown("theme", str(theme), sorted(BUILTIN_THEMES))
        self._file.refuse(("theme",), error.what, error.mend)
        return None

    def _keymap(self, table: object) -> dict[str, str]:
        from judge_tui.tui.keymap import all_bound  # noqa: PLC0415

        if not isinstance(table, Mapping):
            self._file.refuse(
                ("keys",), "keys is not a table", 'write [keys] and below it: judge.skip = "z"'
            )
            return {}
        given = dict(self._keys_of(table, ()))
        keymap = {name: keys for name, keys in given.items() if keys is not None}
        if not given:
            return keymap
        known = {bound.id: bound for bound in all_bound({})}
        for name in given:
            if name not in known:
                error = unknown("key binding", name, known)
                mend = error.mend if "did you mean" in error.mend else "judge-tui keys lists them"
                self._file.refuse(_place(name), error.what, mend)
        return keymap

    def _keys_of(
        self, table: Mapping[str, Any], above: tuple[str, ...]
    ) -> Iterator[tuple[str, str | None]]:
        """Each binding with its keys, None where they are refused."""
        for name, value in table.items():
            place = (*above, name)
            if isinstance(value, Mapping):
                # judge.skip = "z" without quotes around the id is a table in a table.
                yield from self._keys_of(value, place)
                continue
            binding = ".".join(place)
            keys = value.split(",") if isinstance(value, str) else value
            if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
                self._file.refuse(_place(binding), f"{binding} has no keys", 'write "z, down"')
                yield binding, None
                continue
            named = [self._key(binding, key) for key in keys or [""]]
            meant = [key for key in named if key is not None]
            yield binding, ",".join(meant) if len(meant) == len(named) else None

    def _key(self, binding: str, key: str) -> str | None:
        from judge_tui.tui.key_names import key_name  # noqa: PLC0415

        name = key_name(key)
        if name is None:
            known = f"{binding}: there is no key {key.strip()!r}"
            what = known if key.strip() else f"{binding} has no key"
            self._file.refuse(
                _place(binding),
                what,
                "a key is a character, comma, space, pagedown, f5, ctrl+g, alt+x …",
            )
        return name


def _place(binding: str) -> tuple[str, ...]:
    return ("keys", binding)
