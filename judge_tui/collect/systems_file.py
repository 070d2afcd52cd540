"""The systems file (TOML): which live systems are asked, and how.

[defaults]
timeout = 30

[systems.api]
kind = "http"
url = "http://localhost:8000/search?q={query}&n={k}"
results = "results[*]"
id = "path"
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from pydantic import BaseModel, ValidationError

from judge_tui.collect.search_system import SearchError
from judge_tui.collect.secrets import Secrets, names_in
from judge_tui.collect.settings import (
    KINDS,
    Arm,
    ChatTaskSystem,
    CommandSystem,
    EmbeddingSystem,
    HttpSystem,
    Identify,
    Limits,
    SystemSettings,
    SystemsFile,
)
from judge_tui.errors import InputError, JudgeTuiError, UsageError, unknown
from judge_tui.formats.toml_file import TomlFile, read_toml

__all__ = ["Systems", "read_systems"]

_EXAMPLE = '[systems.NAME] kind = "http" url = "…"'
_HOLD_SECRETS = ("url", "headers", "params", "body", "env", "options")
_HOLD_NONE = ("argv", "checks", "check_env", "cwd", "model", "documents", "cache")
"""Whoever is on this machine sees the arguments of a program."""

_CHANGE_NO_REPLY = ("identify", "batch", "cache", *Limits.model_fields)
_SHAPE_AN_ANSWER = [
    "url",
    "model",
    "headers",
    "system",
    "temperature",
    "max_tokens",
    "seed",
    "options",
]
"""Of a task system; what it is asked is kept with each answer."""

_TYPES = {
    "string_type": "a text in quotes",
    "float_type": "a number",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
}


@dataclass(frozen=True)
class Systems:
    """The systems of a file that are wanted, by name in its order; of each its table as it is
    written, and its line."""

    path: str
    systems: Mapping[str, SystemSettings]
    secrets: Secrets
    tables: Mapping[str, Mapping[str, Any]]
    lines: Mapping[str, int | None]

    @property
    def folder(self) -> Path:
        """Where the paths in the file begin."""
        return Path(self.path).resolve().parent

    @property
    def searched(self) -> dict[str, HttpSystem | CommandSystem | EmbeddingSystem]:
        """Those that are asked queries."""
        return {n: one for n, one in self.systems.items() if not isinstance(one, ChatTaskSystem)}

    @property
    def tasks(self) -> dict[str, ChatTaskSystem]:
        """Those that are put tasks."""
        return {n: one for n, one in self.systems.items() if isinstance(one, ChatTaskSystem)}

    @property
    def files(self) -> list[Path]:
        """The files of documents that they name."""
        searched = [getattr(one, "documents", None) for one in self.systems.values()]
        arms = [arm.documents for one in self.tasks.values() for arm in one.arms.values()]
        return [self.folder / name for name in (*searched, *arms) if name]

    def fingerprint(self, name: str, depth: int, documents: str) -> str:
        """SHA-256 of what replies depend on: the settings as written, with the names of secrets,
        the host of the URL, the depth and the digest of the documents."""
        table, settings = self.tables[name], self.systems[name]
        if isinstance(settings, ChatTaskSystem):
            table = {key: table.get(key) for key in (*sorted(_SHAPE_AN_ANSWER), "options")}
        told = {key: value for key, value in table.items() if key not in _CHANGE_NO_REPLY}
        host = ""
        if not isinstance(settings, CommandSystem):
            url = httpx.URL(self.secrets.expand_url(settings.url))
            host = f"{url.scheme}://{url.host}:{url.port}"
        text = json.dumps([told, host, depth, documents], sort_keys=True, default=str)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def refusal(self, name: str, error: JudgeTuiError) -> JudgeTuiError:
        """Why a system cannot be asked, at its line in the file and without secrets."""
        if isinstance(error, InputError):
            return error
        if isinstance(error, SearchError):
            what, mend = error.line(self.secrets.redact), "mend it, or leave it out with --only"
        else:
            what, mend = self.secrets.redact(error.what), error.mend
        return InputError(self.path, self.lines[name], f"system {name}: {what}", mend)


def read_systems(
    path: str | os.PathLike[str],
    *,
    only: Iterable[str] = (),
    environment: Mapping[str, str] | None = None,
    tasks: bool = True,
) -> Systems:
    """Read and check a systems file. `only`: the names that are wanted, all where there is none,
    and the search systems that their arms name; secrets of the others need not be there. Without
    `tasks` those of kind `task` are left out.

    Raises `InputError` with the line of each fault, the others in its `also`; `UsageError` for a
    name that the file does not have.
    """
    file = read_toml(path, _EXAMPLE)
    tables = file.table.get("systems", {})
    tables = tables if isinstance(tables, dict) else {}
    wanted = _wanted(tables, list(only))
    left_out = [name for name in wanted if not tasks and _kind(tables[name]) == "task"]
    if left_out and (only or len(left_out) == len(wanted)):
        raise UsageError(f"system {left_out[0]!r} is put tasks", "judge-tui collect asks it")
    wanted = [name for name in wanted if name not in left_out]
    table = dict(file.table)
    if tables:
        table["systems"] = {name: tables[name] for name in wanted}
    secrets = Secrets(os.environ if environment is None else environment)
    _check_secrets(file, table.get("systems"), secrets)
    read = _validated(file, table)
    file.raise_refusals()
    assert read is not None, "what is no such file is refused"  # noqa: S101
    defaults = read.defaults.model_dump(exclude_unset=True)
    systems = {
        name: one.model_copy(
            update={k: v for k, v in defaults.items() if k not in one.model_fields_set}
        )
        for name, one in read.systems.items()
    }
    for name, one in systems.items():
        _check_addresses(file, name, one, secrets)
        _check_contexts(file, name, one, systems)
    _refuse_one_file_for_two(file, systems)
    file.raise_refusals()
    lines = {name: file.line(("systems", name)) for name in systems}
    return Systems(os.fspath(path), systems, secrets, tables, lines)


def _wanted(tables: Mapping[str, Any], only: Collection[str]) -> list[str]:
    """The names to be read, in the order of the file, contexts of arms among them."""
    for name in only:
        if name not in tables:
            raise unknown("system", name, tables)
    wanted = set(only or tables)
    for name in list(wanted):
        arms = tables[name].get("arms") if isinstance(tables[name], dict) else None
        for arm in arms.values() if isinstance(arms, dict) else ():
            if isinstance(arm, dict) and isinstance(arm.get("context"), str):
                wanted.add(arm["context"])
    return [name for name in tables if name in wanted]


def _kind(table: Any) -> Any:
    return table.get("kind") if isinstance(table, dict) else None


def _validated(file: TomlFile, table: Mapping[str, Any]) -> SystemsFile | None:
    try:
        return SystemsFile.model_validate(table)
    except ValidationError as error:
        for fault in error.errors(include_url=False, include_input=False):
            place = tuple(map(str, fault["loc"]))
            if place[:1] == ("systems",) and len(place) > 2 and place[2] in KINDS:
                place = (*place[:2], *place[3:])  # the kind that pydantic has chosen
            where = (*place, "kind") if fault["type"] == "union_tag_invalid" else place
            file.refuse(where, *_words(place, fault["type"], fault["msg"], table))
    return None


def _words(
    place: tuple[str, ...], kind: str, message: str, table: Mapping[str, Any]
) -> tuple[str, str]:
    """What is wrong with a setting and how to mend it, in the words of this program."""
    *above, name = place
    where = f"[{'.'.join(above)}]" if above else "the file"
    if "[key]" in place:
        return f"{place[-2]!r:.120} cannot be a name", "use letters, digits, . _ + -"
    if kind == "missing":
        return f"{where} has no {name}", f"add {name} = …" if above else f"write {_EXAMPLE}"
    if kind == "extra_forbidden":
        known = _known_settings(above, table)
        near = difflib.get_close_matches(name, known, 1)
        mend = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
        return f"no setting {name!r} in {where}", mend
    if kind == "union_tag_invalid":
        error = unknown("kind of system", str(_kind(table["systems"][name])), KINDS)
        return error.what, error.mend
    if kind == "union_tag_not_found":
        return f"[{'.'.join(place)}] has no kind", 'add kind = "http"'
    if kind == "value_error":
        what, _, mend = message.removeprefix("Value error, ").partition("; ")
        subject = f"[{'.'.join(place)}]" if len(place) < 3 or name == "identify" else name
        return f"{subject} {what}", mend or "mend it"
    if kind in _TYPES:
        return f"{name} is not {_TYPES[kind]}", f"write {name} = {_TYPES[kind]}"
    return f"{name} {message.removeprefix('Input ').removeprefix('String ')}", "mend it"


def _known_settings(above: list[str], table: Mapping[str, Any]) -> list[str]:
    if above[:1] == ["systems"] and len(above) == 2:
        return list(KINDS[_kind(table["systems"][above[1]])].model_fields)
    inner: dict[str, type[BaseModel]] = {"defaults": Limits, "identify": Identify}
    model = inner.get(above[-1], Arm) if above else SystemsFile
    return list(model.model_fields)


def _check_secrets(file: TomlFile, tables: Any, secrets: Secrets) -> None:
    """Refuse secrets that are not there, and those where none may stand."""
    for system, table in tables.items() if isinstance(tables, dict) else ():
        identify = table.get("identify") if isinstance(table, dict) else None
        for place, held in (
            (("systems", system), table),
            (("systems", system, "identify"), identify),
        ):
            for name, value in held.items() if isinstance(held, dict) else ():
                for one in names_in(value):
                    if name in _HOLD_SECRETS:
                        if fault := secrets.fault(one):
                            file.refuse((*place, name), f"{name}: {fault[0]}", fault[1])
                    elif name in _HOLD_NONE:
                        what = f"{name} may not hold ${{{one}}}"
                        mend = f'a program gets it by env = {{ {one} = "${{{one}}}" }}'
                        file.refuse((*place, name), what, mend)


def _check_addresses(file: TomlFile, name: str, one: SystemSettings, secrets: Secrets) -> None:
    """Refuse URLs and headers that no request can carry."""
    identify = one.identify
    for place, held in ((("systems", name), one), (("systems", name, "identify"), identify)):
        url = getattr(held, "url", None)
        if url is not None and (why := _why_no_url(secrets.expand_url(url))):
            what = f"url is not http://… or https://…{secrets.redact(why)}"
            file.refuse((*place, "url"), what, 'write url = "https://host/path"')
        for header, value in getattr(held, "headers", {}).items():
            try:
                httpx.Headers({header: secrets.expand(value)}).raw  # noqa: B018
                sendable = header.isascii() and header.strip() and value.isprintable()
            except (UnicodeError, ValueError):
                sendable = ""
            if not sendable:
                what = f"header {header!r} cannot be sent"
                file.refuse((*place, "headers"), what, "a header is one line of ASCII")


def _why_no_url(text: str) -> str | None:
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, ValueError) as error:
        return f": {error}"
    return None if url.scheme in ("http", "https") and url.host else " "


def _check_contexts(
    file: TomlFile, name: str, one: SystemSettings, systems: Mapping[str, SystemSettings]
) -> None:
    """Refuse arms whose context is no search system, or one that gives no texts."""
    searched = [n for n, other in systems.items() if not isinstance(other, ChatTaskSystem)]
    for arm, its in one.arms.items() if isinstance(one, ChatTaskSystem) else ():
        place = ("systems", name, "arms", arm, "context")
        if its.context is None:
            continue
        if its.context not in searched:
            error = unknown("search system", its.context, searched)
            file.refuse(place, f"arm {arm}: {error.what}", error.mend)
        elif getattr(systems[its.context], "text", "") is None and its.documents is None:
            file.refuse(
                place,
                f"arm {arm}: what {its.context} finds has no texts",
                f'add text = "…" to [systems.{its.context}], or documents = FILE to the arm',
            )


def _refuse_one_file_for_two(file: TomlFile, systems: Iterable[str]) -> None:
    """Names that differ in case alone would be one file on some machines."""
    before: dict[str, str] = {}
    for name in systems:
        other = before.setdefault(name.casefold(), name)
        if other != name:
            what = f"systems {other!r} and {name!r} differ in case alone"
            file.refuse(("systems", name), what, "their files would be one; rename one of them")
