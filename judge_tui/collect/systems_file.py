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

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from judge_tui.collect.kinds import KINDS
from judge_tui.collect.search_system import SearchError
from judge_tui.collect.secrets import Secrets
from judge_tui.collect.settings import (
    Arm,
    Identify,
    Limits,
    RemoteSettings,
    SystemSettings,
    SystemsFile,
    TaskSettings,
)
from judge_tui.errors import InputError, JudgeTuiError, UsageError, unknown
from judge_tui.formats.toml_file import TomlFile, read_toml

Model = TypeVar("Model", bound=BaseModel)

_EXAMPLE = '[systems.NAME] kind = "http" url = "…"'
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
    """The systems of a file that are wanted, by name in its order, and the line of each."""

    path: str
    systems: Mapping[str, SystemSettings]
    secrets: Secrets
    lines: Mapping[str, int | None]

    @property
    def folder(self) -> Path:
        """Where the paths in the file begin."""
        return Path(self.path).resolve().parent

    @property
    def tasks(self) -> dict[str, TaskSettings]:
        """Those that are put tasks; all others are asked queries."""
        return {n: one for n, one in self.systems.items() if isinstance(one, TaskSettings)}

    @property
    def files(self) -> list[Path]:
        """The files of documents that they name."""
        return [self.folder / name for one in self.systems.values() for name in one.files]

    def fingerprint(self, name: str, depth: int, documents: str) -> str:
        """SHA-256 of what replies depend on: the settings as written, with the names of secrets,
        the host of the URL, the depth and the digest of the documents."""
        settings = self.systems[name]
        table = settings.model_dump(exclude=set(settings.changes_no_reply), exclude_unset=True)
        host = ""
        if isinstance(settings, RemoteSettings):
            url = httpx.URL(self.secrets.expand_url(settings.url))
            host = f"{url.scheme}://{url.host}:{url.port}"
        text = json.dumps([table, host, depth, documents], sort_keys=True, default=str)
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
    written = file.table.get("systems")
    tables = _select_tables(written, list(only), tasks) if isinstance(written, dict) else {}
    whole = {**file.table, "systems": tables} if tables else file.table
    secrets = Secrets(os.environ if environment is None else environment)
    read = _check(file, (), SystemsFile, whole, secrets)
    defaults = read.defaults.model_dump(exclude_unset=True) if read else {}
    systems: dict[str, SystemSettings] = {}
    for name, one in tables.items():
        if not isinstance(one, dict):
            continue
        place, kind = ("systems", name), KINDS.get(str(one.get("kind")))
        if kind is None:
            what, known = f"[systems.{name}] has no known kind", ", ".join(map(repr, KINDS))
            file.refuse((*place, "kind"), what, f"write kind = one of {known}")
        elif settings := _check(file, place, kind.settings, {**defaults, **one}, secrets):
            systems[name] = settings
    if len(systems) == len(tables):  # else what is missing would be refused, too
        _refuse_contexts(file, systems)
        _refuse_one_file_for_two(file, systems)
    file.raise_refusals()
    lines = {name: file.line(("systems", name)) for name in systems}
    return Systems(os.fspath(path), systems, secrets, lines)


def _select_tables(tables: Mapping[str, Any], only: list[str], tasks: bool) -> dict[str, Any]:
    """The tables to be read, in the order of the file, contexts of arms among them."""
    for name in only:
        if name not in tables:
            raise unknown("system", name, tables)
    wanted = set(only or tables)
    put = [n for n in tables if n in wanted and _part(tables[n], "kind") == "task"]
    if not tasks and put and (only or len(put) == len(wanted)):
        raise UsageError(f"system {put[0]!r} is put tasks", "judge-tui collect asks it")
    for name in put:
        arms = _part(tables[name], "arms")
        contexts = (
            [_part(one, "context") for one in arms.values()] if isinstance(arms, dict) else []
        )
        wanted.update(one for one in contexts if isinstance(one, str))
    return {n: one for n, one in tables.items() if n in wanted and (tasks or n not in put)}


def _part(table: Any, name: str) -> Any:
    return table.get(name) if isinstance(table, dict) else None


def _check(
    file: TomlFile, place: tuple[str, ...], model: type[Model], table: Any, secrets: Secrets
) -> Model | None:
    """The table at that place as a model; None, with every fault refused, where it is none."""
    try:
        return model.model_validate(table, context=secrets)
    except ValidationError as error:
        for fault in error.errors(include_url=False, include_input=False):
            where = (*place, *map(str, fault["loc"]))
            _refuse(file, model, where, fault["type"], fault["msg"])
        return None


def _refuse(
    file: TomlFile, model: type[BaseModel], place: tuple[str, ...], kind: str, message: str
) -> None:
    """Refuse a setting in the words of this program; `kind` and `message` are pydantic's."""
    *above, name = place
    where = f"[{'.'.join(above)}]" if above else "the file"
    mend = "mend it"
    if name == "[key]":
        what, mend = f"{place[-2]!r:.120} cannot be a name", "use letters, digits, . _ + -"
    elif kind == "missing":
        what, mend = f"{where} has no {name}", f"add {name} = …" if above else f"write {_EXAMPLE}"
    elif kind == "extra_forbidden":
        inner: dict[str, type[BaseModel]] = {"defaults": Limits, "identify": Identify, "arms": Arm}
        part = inner.get("".join(above[2:3] or above[:1]), model)
        error = unknown("setting", name, part.model_fields)
        what, mend = f"{error.what} in {where}", error.mend
    elif kind == "value_error":
        what, _, mend = message.removeprefix("Value error, ").partition("; ")
        is_table = len(place) == 2 or (len(place) == 3 and name == "identify")
        subject = f"[{'.'.join(place)}]" if is_table else name
        what, mend = f"{subject} {what}", mend or "mend it"
    elif kind in _TYPES:
        what, mend = f"{name} is not {_TYPES[kind]}", f"write {name} = {_TYPES[kind]}"
    else:
        what = f"{name} {message.removeprefix('Input ').removeprefix('String ')}"
    file.refuse(place, what, mend)


def _refuse_contexts(file: TomlFile, systems: Mapping[str, SystemSettings]) -> None:
    """Refuse arms whose context is no search system, or one that gives no texts."""
    searched = [n for n, one in systems.items() if not isinstance(one, TaskSettings)]
    for name, one in systems.items():
        for arm_name, arm in one.arms.items() if isinstance(one, TaskSettings) else ():
            place = ("systems", name, "arms", arm_name, "context")
            context = arm.context
            if context is not None and context not in searched:
                error = unknown("search system", context, searched)
                file.refuse(place, f"arm {arm_name}: {error.what}", error.mend)
            elif context is not None and not systems[context].gives_texts:
                what = f"arm {arm_name}: what {context} finds has no texts"
                file.refuse(place, what, f'add text = "…" to [systems.{context}]')


def _refuse_one_file_for_two(file: TomlFile, systems: Iterable[str]) -> None:
    """Names that differ in case alone would be one file on some machines."""
    before: dict[str, str] = {}
    for name in systems:
        other = before.setdefault(name.casefold(), name)
        if other != name:
            what = f"systems {other!r} and {name!r} differ in case alone"
            file.refuse(("systems", name), what, "their files would be one; rename one of them")
