"""What a file says of what a campaign has: what it does not say stays, and contradicts nothing;
what it adds is added. What is empty says nothing. By name of a field or key, the value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["SaidChanges", "contradicted", "differing", "listed", "said", "together"]


def said(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that say anything."""
    return {name: value for name, value in values.items() if value not in ("", None)}


def contradicted(
    there: Mapping[str, Any],
    here: Mapping[str, Any],
    meant: Callable[[str, Any], Any] = lambda _name, value: value,
) -> list[str]:
    """The names of what is said `here` otherwise than `there`; `meant` gives, by name, a value
    without what makes no other one of it."""
    known = said(there)
    return [
        name
        for name, value in said(here).items()
        if name in known and meant(name, value) != meant(name, known[name])
    ]


def differing(first: str, name: str, counts: Counter[str], nouns: tuple[str, str]) -> str:
    """What is said otherwise than the campaign does: of the `first` thing by the name of one, and
    of how many things in all."""
    in_all = f"; in all: {listed(counts, nouns)}" if counts.total() > 1 else ""
    return f"{first} differs from the campaign's in its {name}{in_all}"


def together(there: Mapping[str, Any], here: Mapping[str, Any], *, over: bool) -> dict[str, Any]:
    """What is `there` with what is added `here`; or with all that is said here, where that goes
    `over` what is there."""
    return {**there, **said(here)} if over else {**there, **said(here), **said(there)}


@dataclass
class SaidChanges:
    """What came of things that were there, a `noun` in the singular and the plural: what a file
    `added`, and what it does not say and `stays`, with how many of them."""

    nouns: tuple[str, str]
    added: Counter[str] = field(default_factory=Counter)
    stays: Counter[str] = field(default_factory=Counter)

    def note(self, there: Iterable[str], here: Iterable[str]) -> None:
        """Count the names of what is said of one thing, in the campaign and in the file."""
        self.added.update(set(here).difference(there))
        self.stays.update(set(there).difference(here))

    def notes(self, *, replaced: bool) -> list[str]:
        """What is to be told."""
        told = []
        if self.added:
            told.append(f"added, as the campaign did not say it: {listed(self.added, self.nouns)}")
        if replaced and self.stays:
            told.append(f"stays, as the file does not say it: {listed(self.stays, self.nouns)}")
        return told


def listed(counts: Mapping[str, int], nouns: tuple[str, str]) -> str:
    """Each name with of how many things."""
    named = sorted(counts.items())
    return ", ".join(f"{name} of {count:,} {nouns[count != 1]}" for name, count in named)
