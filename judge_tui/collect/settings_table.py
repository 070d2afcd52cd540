"""One table of a systems file, read setting by setting; what cannot be used is refused with its
line, and so is what nobody asked for."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

from judge_tui.collect.expressions import Expression, ExpressionError
from judge_tui.collect.filling import NAMES, asks_for, unknown_in
from judge_tui.collect.secrets import Secrets, named_in
from judge_tui.formats.toml_file import TomlFile

__all__ = ["SettingsTable"]

Value = TypeVar("Value")

_CALLED = re.compile(r"\w[\w.+-]{0,99}")


@dataclass(eq=False)
class SettingsTable:
    """The table at `place` of the file. A getter that refuses returns what stands for a value, so
    that reading goes on to the next fault: `TomlFile.raise_refusals` ends it. `notes`: what may be
    meant otherwise, of this table and those within it."""

    _file: TomlFile
    place: tuple[str, ...]
    table: Mapping[str, Any]
    secrets: Secrets
    notes: list[str] = field(default_factory=list)
    _asked: list[str] = field(default_factory=list, init=False)
    _public: list[str] = field(default_factory=list, init=False)
    _for_secrets: list[str] = field(default_factory=list, init=False)
    _inner: dict[str, Self] = field(default_factory=dict, init=False)
    _outer: Self | None = field(default=None, init=False)

    def __contains__(self, name: str) -> bool:
        return name in self.table

    @property
    def line(self) -> int | None:
        """Where the table stands in the file."""
        return self._file.line(self.place)

    def line_of(self, name: str) -> int | None:
        """Where a setting of it stands."""
        return self._file.line((*self.place, name))

    def refuse_name(self, name: str, place: str, what: str) -> None:
        """Refuse what is no name that files, columns and cells can have; `place`: the setting that
        it stands at, '' for the table itself; `what` says what it is, and what it names."""
        if not _CALLED.fullmatch(name):
            self.refuse(
                place, what, "use up to 100 letters, digits and . _ + -, a letter or digit first"
            )

    def refuse(self, name: str, what: str, mend: str | Callable[[], str]) -> None:
        """Refuse a setting of this table; '' is the table itself. `mend`: see `TomlFile.refuse`."""
        self._file.refuse((*self.place, name) if name else self.place, what, mend)

    def plain(
        self, name: str, default: str = "", *, required: bool = False, public: bool = False
    ) -> str:
        """A string that no secret of the environment may stand in. `public`: it is no key, whatever
        it is called and looks like, and is shown as it is."""
        if public:
            self._public.append(name)
        value = self._text(name, required)
        if value is None:
            return default
        self._refuse_secret(name, value)
        return value

    def choice(self, name: str, choices: Sequence[str], default: str) -> str:
        """One of `choices`."""
        value = self.plain(name, default, public=True)
        if value not in choices:
            self.refuse(name, f"{name} is {value!r}", f"write one of {', '.join(choices)}")
            return default
        return value

    def flag(self, name: str) -> bool:
        """true or false; false where it is not there."""
        return self._get(name, bool, "true or false") or False

    def number(self, name: str, default: Value, *, least: float, most: float) -> float | Value:
        """A number from `least` to `most`."""
        value: Any = self._get(name, (int, float), "a number")
        if value is None:
            return default
        if not least <= value <= most:
            self.refuse(name, f"{name} is {value}", f"write a number from {least:g} to {most:g}")
            return default
        return float(value)

    def count(self, name: str, default: int, *, least: int, most: int) -> int:
        """A whole number from `least` to `most`."""
        value: int | None = self._get(name, int, "a whole number")
        if value is None:
            return default
        if not least <= value <= most:
            self.refuse(name, f"{name} is {value}", f"write a number from {least:,} to {most:,}")
            return default
        return value

    def counts(self, name: str, default: tuple[int, ...]) -> tuple[int, ...]:
        """A list of whole numbers."""
        value = self._get(name, list, "a list of whole numbers")
        if value is None:
            return default
        if not value or not all(type(one) is int for one in value):
            self.refuse(name, f"{name} is not a list of whole numbers", f"write {name} = [0, 1]")
            return default
        return tuple(value)

    def names(self, name: str) -> tuple[str, ...]:
        """A list of names of the environment."""
        value = self._get(name, list, 'a list of names: ["NAME"]') or []
        for one in value:
            if not isinstance(one, str) or named_in([f"${{{one}}}"]) != [one]:
                self.refuse(name, f"{one!r} of {name} is no name", f'write {name} = ["NAME"]')
                return ()
        return tuple(value)

    def expression(self, name: str, *, required: bool = False) -> Expression | None:
        """A JMESPath expression, compiled."""
        text = self.plain(name, required=required or name in self.table, public=True)
        if not text.strip():
            return None
        try:
            return Expression(text)
        except ExpressionError as error:
            self.refuse(name, f"{name}: {error}", "see jmespath.org for how to write it")
            return None

    def pattern(self, name: str, *, required: bool = False) -> re.Pattern[str] | None:
        """A regular expression, compiled; its `^` and `$` are the ends of each line."""
        text = self.plain(name, required=required or name in self.table, public=True)
        if not text.strip():
            return None
        try:
            return re.compile(text, re.MULTILINE)
        except (re.error, RecursionError, OverflowError) as error:
            self.refuse(
                name, f"{name} is no regular expression: {error}", "mend it; quote it as '…'"
            )
            return None

    def inner(self, name: str) -> Self | None:
        """A table within this one."""
        value = self._get(name, dict, "a table")
        if value is None:
            return None
        place = (*self.place, name)
        section = type(self)(self._file, place, value, self.secrets, self.notes)
        section._outer = self
        return self._inner.setdefault(name, section)

    def without_query(self, name: str) -> None:
        """Refuse a setting that does not ask for the query, which is the same for all of them."""
        if name in self.table and not asks_for(self.table[name], "query"):
            self.refuse(name, f"{name} has no {{query}} in it", "write {query} where it stands")

    def in_place_of(self, name: str, others: Sequence[str]) -> None:
        """Refuse a setting that stands in place of others of which some are there, too."""
        there = [other for other in others if other in self.table]
        self._asked += there
        if there:
            lines = (f"{other} (line {self.line_of(other)})" for other in there)
            self.refuse(
                name,
                f"{name} stands in place of {', '.join(lines)}",
                f"leave out {name}, or {', '.join(there)}",
            )

    def known_names(
        self, name: str, names: Sequence[str] = NAMES, *, only_near: bool = False
    ) -> None:
        """Refuse a setting in which something is to be filled in that is none of `names`;
        `only_near`: where it is close to one of them, and may be meant for it, or is filled in
        elsewhere, and else note it: a program of awk has braces, too."""
        for one in dict.fromkeys(unknown_in(self.table.get(name), names)):
            near = difflib.get_close_matches(one.lower(), names, 1) or (
                ["k"] if "k" in names and one.lower().strip("k") == "" else []
            )
            known = ", ".join(f"{{{there}}}" for there in names)
            if only_near and not near and one not in NAMES:
                self.notes.append(
                    f"{name} of {'.'.join(self.place[1:])}: {{{one}}} stays as it is, {known} are"
                    f" filled in; where that is meant, write {{ {one} }}, of which nothing is said"
                )
                continue
            mend = f"did you mean {{{near[0]}}}?" if near else f"known: {known};"
            self.refuse(
                name,
                f"{name} has {{{one}}} in it, which nothing is filled in for",
                f"{mend} braces of its own have a blank in them: {{ {one} }}",
            )

    def end(self) -> None:
        """Refuse what nobody asked for."""
        for name in self.table:
            if name in self._asked:
                continue
            near = difflib.get_close_matches(name, self._asked, 1)
            known = ", ".join(dict.fromkeys(self._asked))
            mend = f"did you mean {near[0]!r}?" if near else f"known: {known}"
            where = f"[{'.'.join(self.place)}]" if self.place else "the file"
            self.refuse(name, f"no setting {name!r} in {where}", mend)

    def _get(self, name: str, wanted: Any, called: str) -> Any:
        self._asked.append(name)
        value = self.table.get(name)
        if value is None:
            return None
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            self.refuse(name, f"{name} is not {called}", f"write {name} = {called}")
            return None
        return value

    def _text(self, name: str, required: bool) -> str | None:
        """A string; None where it is not there or refused, as an empty one is if `required`: what
        a template left unset."""
        value: str | None = self._get(name, str, "a text in quotes")
        if required and name not in self.table:
            self._lacks(name)
        if required and value is not None and not value.strip():
            self.refuse(name, f"{name} is empty", f'write {name} = "…"')
        return value

    def _lacks(self, name: str) -> None:
        self.refuse("", f"[{'.'.join(self.place)}] has no {name}", f"add {name} = …")

    def _refuse_secret(self, name: str, text: str, why: str = "") -> None:
        for one in named_in([text]):
            is_public = one in self.secrets.public
            called = "" if is_public else "the secret "
            self.refuse(
                name,
                f"{name} may not hold {called}${{{one}}}",
                (not is_public and why) or self._where_secrets_stand,
            )

    def _where_secrets_stand(self) -> str:
        """In which settings, of those that were read by the end; those of the tables around this
        one first."""
        names: list[str] = []
        table: SettingsTable | None = self
        while table is not None:
            names = [*table._for_secrets, *names]
            table = table._outer
        *others, last = dict.fromkeys(names) or ("",)
        if not last:
            return "write what it stands for"
        listed = f"{', '.join(others)} and {last}" if others else last
        return f"secrets, and what is public, stand in {listed}"
