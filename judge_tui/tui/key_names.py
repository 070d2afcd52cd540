"""How keys are called: in a config file, in Textual, and on the screen."""

from __future__ import annotations

import contextlib
import unicodedata
from collections.abc import Sequence
from string import punctuation

from textual.keys import Keys, _character_to_key

_MODIFIERS = ("ctrl", "alt", "shift")

# What people write, and what terminals send in place of it.
_ALIASES = {
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "ctrl+i": "tab",
    "ctrl+m": "enter",
    "ctrl+h": "backspace",
    "ctrl+[": "escape",
}

_SHOWN = {
    "escape": "esc",
    "pageup": "page up",
    "pagedown": "page down",
}

# A multiplexer, or the terminal's own flow control, often keeps these for itself.
_TAKEN = {"ctrl+j", "ctrl+s", "ctrl+o", *(f"f{number}" for number in range(1, 13))}


def key_name(text: str) -> str | None:
    """The key that `text` means, as Textual calls it; None where there is no such key.

    A key is a character (`a`, `A`, `?`), a name (`space`, `pagedown`, `question_mark`, `f5`) or
    one of these after `ctrl+`, `alt+` or `shift+`.
    """
    text = text.strip()
    if len(text) == 1:
        return _of_character(text)
    text = _ALIASES.get(text.lower(), text)
    *modifiers, key = text.split("+") if not text.endswith("++") else [*text[:-2].split("+"), "+"]
    modifiers = [modifier.strip().lower() for modifier in modifiers]
    key = key.strip()
    if not key or len(set(modifiers)) < len(modifiers) or not set(modifiers) <= set(_MODIFIERS):
        return None
    if len(key) == 1:
        name = _of_character(key.lower() if "ctrl" in modifiers else key)
        if name is None or modifiers == ["shift"]:
            # With shift, a terminal sends another character: that is the key.
            return None
    else:
        name = _of_name(key)
    if name is None:
        return None
    return "+".join([*(one for one in _MODIFIERS if one in modifiers), name])


def shown_key(key: str) -> str:
    """The key as people know it: `]`, not `right_square_bracket`."""
    *modifiers, last = key.split("+")
    return "+".join([*modifiers, _character(last) or _SHOWN.get(last, last)])


def shown_keys(keys: Sequence[str]) -> str:
    """Several keys of one action, in one text."""
    return ", ".join(shown_key(key) for key in keys)


def taken_elsewhere(key: str) -> bool:
    """Whether terminals and multiplexers often keep the key for themselves."""
    return key in _TAKEN


def _of_character(character: str) -> str | None:
    return _character_to_key(character) if character.isprintable() and character != " " else None


def _of_name(name: str) -> str | None:
    name = name.lower().replace(" ", "")
    name = _ALIASES.get(name, name)
    return name if name in _NAMED or _character(name) is not None else None


def _character(key: str) -> str | None:
    """What the key writes; None for a key with a modifier, and for one that is no character."""
    if len(key) == 1:
        return key
    if key in _NAMED:
        return None
    if key in _PUNCTUATION:
        return _PUNCTUATION[key]
    with contextlib.suppress(KeyError):
        character = unicodedata.lookup(key.replace("_", " "))
        if _character_to_key(character) == key:
            return character
    return None


_PUNCTUATION = {_character_to_key(character): character for character in punctuation}

_NAMED = frozenset(key.value for key in Keys if key.value.isalnum())
