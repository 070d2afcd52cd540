"""The user's own settings: a theme, and keys. A TOML file that the user writes:

    theme = "nord"

    [keys]
    judge.skip = "z"
    judge.down = "j, down, enter"

What cannot be used in it is an error at the start of the command: all of it, each with its line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge_tui.errors import InputError, unknown

if TYPE_CHECKING:
    from judge_tui.formats.toml_file import TomlFile

__all__ = ["ENVIRONMENT", "Config", "config_path", "keep_theme", "read_config"]

ENVIRONMENT = "JUDGE_TUI_CONFIG"
"""Names another file than the usual one; empty, it means none."""

_SETTINGS = ("theme", "keys")


@dataclass(frozen=True, slots=True)
class Config:
    """What the file says. `keymap` has only the bindings that the user gave keys, as Textual calls
    them. `path` is where a theme chosen in the app is kept, None where it is not."""

    path: Path | None = None
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
        return Config(path)
    except (OSError, UnicodeDecodeError) as error:
        what = error.strerror or "cannot be read" if isinstance(error, OSError) else "not UTF-8"
        raise InputError(path, None, what, "write the settings in a text file") from error
    return _read(path, text)


def keep_theme(path: Path, theme: str) -> None:
    """Write the theme into the file, which is made if need be; all else in it stays as it is.

    Raises `OSError` where it cannot be written.
    """
    from judge_tui.formats.toml_file import settings_lines  # noqa: PLC0415 - as above

    # Where the file is a link to one elsewhere, the link stays.
    path = path.resolve()
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    lines = text.splitlines(keepends=True)
    setting = f'theme = "{theme}"\n'
    for number, place, _line in settings_lines(text):
        if place == ("theme",):
            comment = re.search(r"\s+#[^\"']*$", lines[number - 1].rstrip("\n"))
            lines[number - 1] = setting.rstrip("\n") + (comment.group() if comment else "") + "\n"
            break
    else:
        lines.insert(0, setting)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_text("".join(lines), encoding="utf-8")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _read(path: Path, text: str) -> Config:
    from judge_tui.formats.toml_file import TomlFile  # noqa: PLC0415 - most users have no file

    return _Reader(path, TomlFile(path, text, 'theme = "nord"')).config()


class _Reader:
    """Takes the settings one by one; each refusal names the line."""

    def __init__(self, path: Path, file: TomlFile) -> None:
        self._path = path
        self._file = file

    def config(self) -> Config:
        """Raises the first refusal, by line, with the others in its `also`."""
        settings = self._file.table
        for name in settings:
            if name not in _SETTINGS:
                error = unknown("setting", name, _SETTINGS)
                self._file.refuse((name,), error.what, error.mend)
        config = Config(
            self._path, self._theme(settings.get("theme")), self._keymap(settings.get("keys", {}))
        )
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
        from judge_tui.tui.keymap import all_bound, conflicts, typed_away  # noqa: PLC0415

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
        for key, one, other in conflicts(keymap):
            # What keys the other is to have is not known, where they were refused.
            if given.get(other, "") is not None:
                self._file.refuse(
                    _place(one),
                    f"{_shown(key)} is a key of {one} and of {other}, on one screen",
                    "give one of them another key",
                )
        for name in typed_away(keymap):
            self._file.refuse(
                _place(name),
                f"the keys of {name} are letters, and comments are typed with letters",
                "give it a key such as escape, ctrl+g or f2",
            )
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


def _shown(key: str) -> str:
    from judge_tui.tui.key_names import shown_key  # noqa: PLC0415

    return shown_key(key)
