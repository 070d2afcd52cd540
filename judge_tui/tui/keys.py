"""What is bound where: every key of the app under the id by which a config file gives it another,
and how keys are called in that file and in Textual."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pkgutil import walk_packages

from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import Keys, format_key

_NAMED = frozenset(Keys)


@dataclass(frozen=True, slots=True)
class BoundKey:
    """One action of a screen or widget, and the keys that do it, as Textual calls them."""

    id: str
    keys: tuple[str, ...]
    what: str

    @property
    def room(self) -> str:
        """The screen or widget that has it."""
        return self.id.partition(".")[0]


def all_bound(keymap: Mapping[str, str]) -> list[BoundKey]:
    """Everything that has a key, once: screen by screen, then widgets and the app. `keymap` has
    the keys of those that the user gave others."""
    found: dict[str, tuple[list[str], str]] = {}
    for kind in bound_nodes():
        for binding in Binding.make_bindings(kind.__dict__.get("BINDINGS", ())):
            if binding.id is not None:
                keys, _ = found.setdefault(binding.id, ([], binding.description))
                keys.append(binding.key)
    return [
        BoundKey(
            name, tuple(keymap[name].split(",") if name in keymap else dict.fromkeys(keys)), what
        )
        for name, (keys, what) in found.items()
    ]


def bound_nodes() -> Iterator[type[DOMNode]]:
    """All screens and widgets of ours, and the app."""
    names: list[str] = []
    for place in ("screens", "widgets"):
        package = import_module(f"{__package__}.{place}")
        names += [one.name for one in walk_packages(package.__path__, f"{package.__name__}.")]
    for name in (*names, f"{__package__}.app"):
        for kind in vars(import_module(name)).values():
            if isinstance(kind, type) and issubclass(kind, DOMNode) and kind.__module__ == name:
                yield kind


def key_name(text: str) -> str | None:
    """The key that `text` means, as Textual calls it; None where there is no such key: a character,
    a name of Textual's (`space`, `pagedown`, `f5`), or one of them after `ctrl+` or `alt+`."""
    modifier, plus, key = text.rpartition("+") if len(text) > 1 else ("", "", text)
    if text in _NAMED:
        return text
    if modifier not in ("", "ctrl", "alt"):
        return None
    if key in _NAMED or (len(key) > 1 and len(format_key(key)) == 1):
        return text
    if len(key) != 1 or not key.isprintable() or key in " ,":
        return None
    [binding] = Binding.make_bindings([(key, "")])
    return f"{modifier}{plus}{binding.key}"


def shown_key(key: str) -> str:
    """The key as it is written: `]`, not `right_square_bracket`."""
    *modifiers, last = key.split("+")
    is_word = last in _NAMED or last == "comma"
    return "+".join([*modifiers, last if is_word else format_key(last)])
