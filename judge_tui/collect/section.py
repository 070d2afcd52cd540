"""The settings of a systems file that may hold secrets: these are filled in, and hidden wherever
the settings are shown, be they written out or named."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import quote

from judge_tui.collect.secrets import if_no_secret, named_in
from judge_tui.collect.settings_table import SettingsTable
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
    out_of_setting,
    out_of_url,
    without_user,
)

__all__ = ["Section"]

_SHORTEST_SECRET = 4
_SEEN = "every user of the machine sees the arguments of a program"
_ENDS_A_PATH = re.compile(r"[\s#?]")


@dataclass(eq=False)
class Section(SettingsTable):
    """A table in which secrets may stand. What of a setting is a key is told by the getter that it
    is read with, else by its name and what it holds, unless the getter says that it is public."""

    _marks: dict[str, list[str]] = field(default_factory=dict, init=False)
    _shown: dict[str, Any] = field(default_factory=dict, init=False)

    @property
    def shown(self) -> dict[str, Any]:
        """The table as it may be written, without keys."""
        inner = {name: section.shown for name, section in self._inner.items()}
        return {
            name: value if name in self._public else out_of_setting(name, value)[0]
            for name, value in self.table.items()
        } | {**inner, **self._shown}

    @property
    def marks(self) -> dict[str, list[str]]:
        """Setting -> what tells one value of it from another where that is hidden, and replies may
        depend on it (`Key.mark`)."""
        inner = {
            name: [mark for name in marks for mark in marks[name]]
            for name, section in self._inner.items()
            if (marks := section.marks)
        }
        return {**inner, **self._marks}

    def end(self) -> None:
        """Refuse what nobody asked for; keys in what was read by no getter that knows of them, and
        is not public, are told and hidden from now on."""
        self._take_out_rest()
        super().end()

    def url(self, name: str) -> str:
        """A URL that is wanted, with its secrets in it: behind its `?` percent-encoded, as what is
        filled in there is, before it as they are; '' where one would end the path, or is not there.
        Those before it say where the system is: with another value there it is another one
        (`marks`); and what the host is in is an address, which a system may give back in ids, and
        no secret."""
        value = self._text(name, required=True) or ""
        self._for_secrets.append(name)
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
            self._marks.setdefault(name, []).append(mark_of_address(address))
        return address + mark + encoded

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
        texts = {one: inner.plain(one, public=True) for one in inner.table}
        inner.end()
        return texts

    def json(self, name: str) -> Any:
        """A value of any kind, with the secrets of its texts in it; None where it is not there. A
        key that is written out in it is hidden all the same."""
        self._asked.append(name)
        self._for_secrets.append(name)
        self._take_out(name, out_of_body, f" in {name}")
        return self._json(name, self.table.get(name))

    def _texts(self, name: str) -> dict[str, str]:
        self._for_secrets.append(name)
        value = self._get(name, dict, "a table of texts")
        filled: dict[str, str] = {}
        for key, one in (value or {}).items():
            if isinstance(one, bool) or not isinstance(one, str | int | float):
                self.refuse(name, f"{key!r} of {name} is not a text", "write it in quotes")
                continue
            filled[key] = self._counted(name, str(one))
        return filled

    def _take_out_rest(self) -> None:
        for name in self._asked:
            if name in self._inner:
                self._inner[name]._take_out_rest()
            elif name not in self._public:
                self._take_out(name, partial(out_of_setting, name))

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
                self._marks.setdefault(name, []).append(key.mark)

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
            if mark not in (there := self._marks.setdefault(name, [])):
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


def _percent_encoded(value: str) -> str:
    return quote(value, safe="", errors="surrogateescape")
