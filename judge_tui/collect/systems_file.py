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
from typing import Any

import httpx

from judge_tui.collect.search_system import SearchError
from judge_tui.collect.secrets import Secrets
from judge_tui.collect.settings import (
    KINDS,
    Arm,
    EmbeddingSettings,
    Identify,
    RemoteSettings,
    ResultSettings,
    SystemSettings,
    SystemsFile,
    TaskSettings,
)
from judge_tui.collect.validation import Words, validated
from judge_tui.errors import InputError, JudgeTuiError, UsageError, check_known
from judge_tui.formats.toml_file import TomlFile, read_toml

_WORDS = Words(
    example='[systems.NAME] kind = "http" url = "…"',
    topic="systems",
    tables="systems",
    models=(*KINDS.values(), SystemsFile, Arm, Identify),
    kinds=KINDS,
)


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
    def embeddings(self) -> list[EmbeddingSettings]:
        """Those that rank documents that are known here."""
        return [one for one in self.systems.values() if isinstance(one, EmbeddingSettings)]

    @property
    def files(self) -> list[Path]:
        """The files of documents that they name."""
        return [self.folder / one.documents for one in self.embeddings if one.documents]

    def fingerprint(self, name: str, depth: int, documents: str) -> str:
        """SHA-256 of what replies depend on: the settings as written, with the names of secrets,
        the host of the URL, the depth and the digest of the documents."""
        settings = self.systems[name]
        table = settings.model_dump(exclude=set(settings.changes_no_reply), exclude_unset=True)
        host = ""
        if isinstance(settings, RemoteSettings):
            url = httpx.URL(self.secrets.expand_url(settings.url))
            host = f"{url.scheme}://{url.host}:{url.port}"
        text = json.dumps([table, host, depth, documents], sort_keys=True)
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
    """Read and check a systems file. `only`: the names that are wanted, all where there is none;
    secrets of the others need not be there. Without `tasks` those of kind `task` are left out.

    Raises `InputError` with the line of each fault, the others in its `also`; `UsageError` for a
    name that the file does not have.
    """
    file = read_toml(path, _WORDS.example)
    table = dict(file.table)
    if isinstance(tables := table.get("systems"), dict) and tables:
        table["systems"] = _select(tables, set(only), tasks)
    secrets = Secrets(os.environ if environment is None else environment)
    systems: dict[str, SystemSettings] = {}
    valid = validated(file, table, SystemsFile, secrets, _WORDS)
    if valid is not None:
        defaults = valid.defaults.model_dump(exclude_unset=True)
        for name, one in valid.systems.items():
            missing = {key: defaults[key] for key in defaults.keys() - one.model_fields_set}
            systems[name] = one.model_copy(update=missing)
        _refuse_contexts(file, systems)
    file.raise_refusals()
    lines = {name: file.line(("systems", name)) for name in systems}
    return Systems(os.fspath(path), systems, secrets, lines)


def _select(tables: Mapping[str, Any], only: set[str], tasks: bool) -> dict[str, Any]:
    """The tables that are to be read, in the order of the file."""
    for name in only:
        check_known("system", name, tables)
    selected = {name: one for name, one in tables.items() if name in (only or tables)}
    if not tasks:
        searched = {n: one for n, one in selected.items() if not _is_task(one)}
        if not searched:
            what = f"evaluate asks search systems, and not {', '.join(selected)}"
            raise UsageError(what, "ask that by judge-tui collect")
        return searched
    return selected


def _is_task(table: Any) -> bool:
    return isinstance(table, dict) and table.get("kind") == "task"


def _refuse_contexts(file: TomlFile, systems: Mapping[str, SystemSettings]) -> None:
    """Refuse arms whose context is no search system, or one that gives no texts."""
    searched = {n: one for n, one in systems.items() if not isinstance(one, TaskSettings)}
    for name, one in systems.items():
        for arm_name, arm in one.arms.items() if isinstance(one, TaskSettings) else ():
            place = ("systems", name, "arms", arm_name, "context")
            if arm.context is None:
                continue
            context = searched.get(arm.context)
            if context is None:
                what = f"arm {arm_name}: no search system {arm.context!r} is asked"
                file.refuse(place, what, "name one of this file, and add --only for it")
            elif isinstance(context, ResultSettings) and context.text is None:
                what = f"arm {arm_name}: what {arm.context} finds has no texts"
                file.refuse(place, what, f'add text = "…" to [systems.{arm.context}]')
