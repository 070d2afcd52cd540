"""What is bound where: every key of the app under the id by which a config file gives it another,
and how keys are called in that file, in Textual and on paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pkgutil import walk_packages
from string import punctuation

from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import Keys, key_to_character

_MODIFIERS = ("ctrl", "alt", "shift")
_NAMED = frozenset(key.value for key in Keys if key.value.isalnum())

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
_SHOWN = {"escape": "esc", "pageup": "page up", "pagedown": "page down"}

# What has the keys of a screen before it.
_WITHIN = {
    "judge": ("document",),
    "settle": ("document",),
    "home": ("table",),
    "results": ("table",),
}

# A multiplexer, or the terminal's own flow control, often keeps these for itself.
_TAKEN = {"ctrl+j", "ctrl+s", "ctrl+o", *(f"f{number}" for number in range(1, 13))}


@dataclass(frozen=True, slots=True)
class Bound:
    """One action of a screen or widget, and the keys that do it, as Textual calls them."""

    id: str
    keys: tuple[str, ...]
    what: str


def all_bound(keymap: Mapping[str, str]) -> list[Bound]:
    """Everything that has a key, once: screen by screen, then widgets and the app. `keymap` has
    the keys of those that the user gave others."""
    keys: dict[str, list[str]] = {}
    what: dict[str, str] = {}
    for kind in bound_nodes():
        for binding in Binding.make_bindings(kind.__dict__.get("BINDINGS", ())):
            if binding.id is not None:
                what.setdefault(binding.id, binding.description)
                if binding.key not in keys.setdefault(binding.id, []):
                    keys[binding.id].append(binding.key)
    return [
        Bound(name, tuple(keymap[name].split(",") if name in keymap else keys[name]), what[name])
        for name in keys
    ]


def clashes(keymap: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Of the keys that the user gave: binding, another one that is there at the same time, and the
    key that would do only one of the two."""
    bound = all_bound(keymap)
    for one in (one for one in bound if one.id in keymap):
        room = one.id.partition(".")[0]
        rooms = (room, "app", *_WITHIN.get(room, ()))
        for other in bound:
            if other is not one and other.id.partition(".")[0] in rooms:
                yield from ((one.id, other.id, key) for key in one.keys if key in other.keys)


def bound_nodes() -> Iterator[type[DOMNode]]:
    """All screens and widgets of ours, and the app."""
    for place in ("screens", "widgets", "app"):
        package = import_module(f"{__package__}.{place}")
        names = [package.__name__]
        if hasattr(package, "__path__"):
            names += [one.name for one in walk_packages(package.__path__, f"{names[0]}.")]
        for name in names:
            for kind in vars(import_module(name)).values():
                if isinstance(kind, type) and issubclass(kind, DOMNode) and kind.__module__ == name:
                    yield kind


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
    if not key or len({*modifiers}) < len(modifiers) or not {*modifiers} <= {*_MODIFIERS}:
        return None
    if len(key) > 1:
        name = _of_name(key)
    elif modifiers == ["shift"]:
        return None  # a terminal sends another character: that is the key
    else:
        name = _of_character(key.lower() if "ctrl" in modifiers else key)
    return name and "+".join([*(one for one in _MODIFIERS if one in modifiers), name])


def shown_key(key: str) -> str:
    """The key as people know it: `]`, not `right_square_bracket`."""
    *modifiers, last = key.split("+")
    return "+".join([*modifiers, _character(last) or _SHOWN.get(last, last)])


def taken_elsewhere(key: str) -> bool:
    """Whether terminals and multiplexers often keep the key for themselves."""
    return key in _TAKEN


def _of_character(character: str) -> str | None:
    if character == ",":
        return "comma"
    if character == " " or not character.isprintable():
        return None
    [binding] = Binding.make_bindings([(character, "")])
    return binding.key


_PUNCTUATION = {_of_character(character): character for character in punctuation}


def _of_name(name: str) -> str | None:
    name = name.lower().replace(" ", "")
    name = _ALIASES.get(name, name)
    return name if name in _NAMED or _character(name) else None


def _character(key: str) -> str | None:
    """What the key writes; None where that is nothing or a blank."""
    if key in _NAMED:
        return None
    return _PUNCTUATION.get(key) or key_to_character(key)
