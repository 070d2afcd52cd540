"""One table of a systems file, read setting by setting; what cannot be used is refused with its
line, and so is what nobody asked for."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote

from judge_tui.collect.expressions import Expression, ExpressionError
from judge_tui.collect.filling import NAMES, asks_for, unknown_in
from judge_tui.collect.secrets import Secrets, if_no_secret, named_in
from judge_tui.collect.written_out import (
    Key,
    host_of,
    keys_of_address,
    keys_of_user,
    mark_of,
    mark_of_address,
    out_of_argv,
    out_of_body,
    out_of_env,
    out_of_headers,
    out_of_params,
    out_of_url,
    without_user,
)
from judge_tui.formats.toml_file import TomlFile

__all__ = ["Section"]

Value = TypeVar("Value")

_CALLED = re.compile(r"\w[\w.+-]{0,99}")
_SHORTEST_SECRET = 4
_SEEN = "every user of the machine sees the arguments of a program"
_ENDS_A_PATH = re.compile(r"[\s#?]")


class Section:
    """The table at `place` of the file. A getter that refuses returns what stands for a value, so
    that reading goes on to the next fault: `TomlFile.raise_refusals` ends it. `notes`: what may be
    meant otherwise, of this table and those within it. `marks`: setting -> what tells one value of
    it from another where that is hidden, and replies may depend on it (`Key.mark`)."""

    def __init__(
        self,
        file: TomlFile,
        place: tuple[str, ...],
        table: Mapping[str, Any],
        secrets: Secrets,
        notes: list[str] | None = None,
    ) -> None:
        self.place = place
        self.notes = [] if notes is None else notes
        self.secrets = secrets
        self.table = table
        self.marks: dict[str, list[str]] = {}
        self._file = file
        self._asked: list[str] = []
        self._shown: dict[str, Any] = {}
        self._inner: dict[str, Section] = {}

    def __contains__(self, name: str) -> bool:
        return name in self.table

    @property
    def line(self) -> int | None:
        """Where the table stands in the file."""
        return self._file.line(self.place)

    @property
    def shown(self) -> dict[str, Any]:
        """The table as it may be written, without the keys that were found in it as it was read."""
        inner = {name: section.shown for name, section in self._inner.items()}
        return {**self.table, **inner, **self._shown}

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

    def refuse(self, name: str, what: str, mend: str) -> None:
        """Refuse a setting of this table; '' is the table itself."""
        self._file.refuse((*self.place, name) if name else self.place, what, mend)

    def url(self, name: str) -> str:
        """A URL that is wanted, with its secrets in it: behind its `?` percent-encoded, as what is
        filled in there is, before it as they are; '' where one would end the path, or is
        not there. Those before it
        say where the system is: with another value there it is another one (`marks`); and what the
        host is in is an address, which a system may give back in ids, and no secret."""
        value = self._text(name, required=True) or ""
        self._take_out(name, out_of_url)
        before, mark, behind = value.partition("?")
        ending = [
            one
            for one in self.secrets.holding(before, _ENDS_A_PATH)
            if one not in self.secrets.of_many_lines(before)  # which no URL has room for
        ]
        for one in ending:
            self.refuse(
                name,
                f"{one} of the environment has white space, # or ? in it, and stands before the ?"
                f" of {name}",
                f"set {one} to what may stand in a path; behind the ? it is percent-encoded",
            )
        encoded = self._counted(name, behind, _percent_encoded)
        if ending:
            return ""
        if self.secrets.missing(before):
            self._secret(name, before)
            return ""
        for one in named_in([host_of(before)]):
            is_public = one in self.secrets.public
            self.secrets.tell(one, keys_of_user if is_public else keys_of_address)
        address = self._secret(name, before)
        if named_in([without_user(before)]):
            self.marks.setdefault(name, []).append(mark_of_address(address))
        return address + mark + encoded

    def plain(self, name: str, default: str = "", *, required: bool = False) -> str:
        """A string that may hold no secret: it is shown, or written as it is."""
        value = self._text(name, required)
        if value is None:
            return default
        self._refuse_secret(name, value)
        return value

    def choice(self, name: str, choices: Sequence[str], default: str) -> str:
        """One of `choices`."""
        value = self.plain(name, default)
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

    def names(self, name: str) -> tuple[str, ...]:
        """A list of names of the environment."""
        value = self._get(name, list, 'a list of names: ["NAME"]') or []
        for one in value:
            if not isinstance(one, str) or named_in([f"${{{one}}}"]) != [one]:
                self.refuse(name, f"{one!r} of {name} is no name", f'write {name} = ["NAME"]')
                return ()
        return tuple(value)

    def counts(self, name: str, default: tuple[int, ...]) -> tuple[int, ...]:
        """A list of whole numbers."""
        value = self._get(name, list, "a list of whole numbers")
        if value is None:
            return default
        if not value or not all(type(one) is int for one in value):
            self.refuse(name, f"{name} is not a list of whole numbers", f"write {name} = [0, 1]")
            return default
        return tuple(value)

    def argv(
        self, name: str, *, required: bool = False, instead: str = 'env = { KEY = "${KEY}" }'
    ) -> tuple[str, ...]:
        """A program and its arguments. Secrets are refused, and told where they are written out:
        every user of a machine sees them; `instead` says how they are given."""
        value = self._get(name, list, 'a list of texts: ["program", "{query}"]')
        if value is None:
            if required and name not in self.table:
                self._lacks(name)
            return ()
        if not value or not all(isinstance(one, str) and "\0" not in one for one in value):
            self.refuse(
                name, f"{name} is not a list of texts", f'write {name} = ["program", "{{query}}"]'
            )
            return ()
        for one in value:
            self._refuse_secret(name, one, f"{_SEEN}; give it as {instead}")
        self._take_out(name, out_of_argv, f" in {name}", f"{_SEEN}; give it as {instead}")
        return tuple(value)

    def headers(self) -> dict[str, str]:
        """A table of strings, with their secrets in them; numbers are taken as they are written. A
        key that is written out among them is hidden all the same."""
        self._take_out("headers", out_of_headers)
        return self._texts("headers")

    def params(self) -> dict[str, str]:
        """The same of the parameters of a URL."""
        self._take_out("params", out_of_params)
        return self._texts("params")

    def env(self) -> dict[str, str]:
        """The same of a program's environment."""
        self._take_out("env", out_of_env, " in env")
        return self._texts("env")

    def open_env(self, name: str) -> dict[str, str]:
        """The same of an environment that may hold no secret; one that is written out in it is told
        as such."""
        self._take_out(
            name,
            out_of_env,
            f" in {name}",
            "whatever runs there can read it: take it out, or write what is no secret",
        )
        if (inner := self.inner(name)) is None:
            return {}
        texts = {one: inner.plain(one) for one in inner.table}
        inner.end()
        return texts

    def json(self, name: str) -> Any:
        """A value of any kind, with the secrets of its texts in it; None where it is not there. A
        key that is written out in it is hidden all the same."""
        self._asked.append(name)
        self._take_out(name, out_of_body, f" in {name}")
        return self._json(name, self.table.get(name))

    def expression(self, name: str, *, required: bool = False) -> Expression | None:
        """A JMESPath expression, compiled."""
        text = self.plain(name, required=required or name in self.table)
        if not text.strip():
            return None
        try:
            return Expression(text)
        except ExpressionError as error:
            self.refuse(name, f"{name}: {error}", "see jmespath.org for how to write it")
            return None

    def pattern(self, name: str, *, required: bool = False) -> re.Pattern[str] | None:
        """A regular expression, compiled; its `^` and `$` are the ends of each line."""
        text = self.plain(name, required=required or name in self.table)
        if not text.strip():
            return None
        try:
            return re.compile(text, re.MULTILINE)
        except (re.error, RecursionError, OverflowError) as error:
            self.refuse(
                name, f"{name} is no regular expression: {error}", "mend it; quote it as '…'"
            )
            return None

    def inner(self, name: str) -> Section | None:
        """A table within this one."""
        value = self._get(name, dict, "a table")
        if value is None:
            return None
        section = Section(self._file, (*self.place, name), value, self.secrets, self.notes)
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

    def _texts(self, name: str) -> dict[str, str]:
        value = self._get(name, dict, "a table of texts")
        filled: dict[str, str] = {}
        for key, one in (value or {}).items():
            if isinstance(one, bool) or not isinstance(one, str | int | float):
                self.refuse(name, f"{key!r} of {name} is not a text", "write it in quotes")
                continue
            filled[key] = self._counted(name, str(one))
        return filled

    def _take_out(
        self,
        name: str,
        out_of: Callable[[Any], tuple[Any, list[Key]]],
        place: str = "",
        mend: str = "",
    ) -> None:
        """Note what of a setting may be shown, and tell and hide what may not; once, since others
        ask for it, too. `place`: what is told behind where a key stands; `mend`: what to do about
        it, `${NAME}` where that is empty."""
        if name in self._shown or name not in self.table:
            return
        self._shown[name], keys = out_of(self.table[name])
        for key in keys:
            where = f"{key.where}{place} of {'.'.join(self.place[1:])}"
            if mend:
                self.notes.append(f"{where} is written out; {mend}")
            elif where not in self.secrets.written_out:
                self.secrets.written_out.append(where)
            if key.token is not None:
                self.secrets.hide_written_out(where, key.token)
            if key.mark:
                self.marks.setdefault(name, []).append(key.mark)

    def _lacks(self, name: str) -> None:
        self.refuse("", f"[{'.'.join(self.place)}] has no {name}", f"add {name} = …")

    def _json(self, name: str, value: Any) -> Any:
        if isinstance(value, str):
            return self._counted(name, value)
        if isinstance(value, dict):
            return {key: self._json(name, inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._json(name, inner) for inner in value]
        if value is None or isinstance(value, bool | int | float):
            return value
        self.refuse(name, f"{name} holds a date or time", "write it in quotes")
        return str(value)

    def _counted(self, name: str, text: str, written: Callable[[str], str] = str) -> str:
        """`text` with its secrets in it, and with what is public, on which replies may depend."""
        for one, value in self.secrets.public_in([text]).items():
            if value:
                self.secrets.tell(one, keys_of_user)
            mark = mark_of(one, without_user(value))
            if mark not in (there := self.marks.setdefault(name, [])):
                there.append(mark)
        return self._secret(name, text, written)

    def _secret(self, name: str, text: str, written: Callable[[str], str] = str) -> str:
        def lacks(one: str) -> str:
            return "has it empty" if self.secrets.is_empty(one) else "does not have it"

        missing = self.secrets.missing(text)
        for one in missing:
            self.refuse(
                name,
                f"{name} wants {one} from the environment, which {lacks(one)}",
                f"set it: export {one}=…",
            )
        if missing:
            return text
        short = self.secrets.too_short(text, _SHORTEST_SECRET)
        for one in short:
            self.refuse(
                name,
                f"{one} has fewer than {_SHORTEST_SECRET} characters, and cannot be told from "
                "other text to be hidden",
                if_no_secret(one),
            )
        return text if short else self.secrets.filled(text, written)

    def _refuse_secret(self, name: str, text: str, why: str = "") -> None:
        for one in named_in([text]):
            is_public = one in self.secrets.public
            called = "" if is_public else "the secret "
            self.refuse(
                name,
                f"{name} may not hold {called}${{{one}}}",
                (not is_public and why)
                or "secrets, and what is public, stand in url, headers, params, body and env",
            )


def _percent_encoded(value: str) -> str:
    return quote(value, safe="", errors="surrogateescape")
