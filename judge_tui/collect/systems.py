"""The systems file (TOML): which systems are asked, how, and how patiently.

[defaults]
timeout = 30
retries = 2

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
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from judge_tui.collect.identity import Identify, read_identify
from judge_tui.collect.kinds import KINDS, Opener, Surroundings, read_kind
from judge_tui.collect.pace import Patience
from judge_tui.collect.price import Price, read_price
from judge_tui.collect.secrets import Secrets
from judge_tui.collect.section import Section
from judge_tui.errors import unknown
from judge_tui.formats.toml_file import TomlFile, read_toml
from judge_tui.model import Document

__all__ = ["System", "Systems", "read_systems"]

_BESIDE = (
    *("identify", "batch", "cache", "price", "currency"),
    *(one.name for one in fields(Patience)),
)
"""Settings that change no answer."""

EXAMPLE = '[systems.NAME] kind = "http" url = "…"'

_LONGEST = 86_400
_NAME = re.compile(r"\w[\w.+-]{0,99}")


@dataclass(frozen=True, slots=True)
class System:
    """One system: its `name` is the tag of its run. `settings` is its table as it was written, with
    the defaults, without secrets. `candidates`: query_id -> what it ranks, where it ranks those."""

    name: str
    kind: str
    line: int | None
    patience: Patience
    identify: Identify | None
    open: Opener
    folder: Path
    settings: Mapping[str, Any]
    price: Price | None = None
    candidates: Mapping[str, Sequence[Document]] = field(default_factory=dict)

    @property
    def ranks_candidates(self) -> bool:
        """Whether it ranks what a benchmark has for each query, and searches for nothing."""
        return self.settings.get("candidates") is True

    @property
    def surroundings(self) -> Surroundings:
        """What it is opened with, but for how it is used."""
        return Surroundings(self.folder, self.patience, candidates=self.candidates)

    def fingerprint(self, k: int) -> str:
        """Tells whether answers that are there were given to the same settings and depth."""
        asked = {name: value for name, value in self.settings.items() if name not in _BESIDE}
        searched = _digest(self.folder / str(self.settings.get("documents", "")))
        if self.ranks_candidates:
            searched = _digest_of_candidates(self.candidates)
        said = json.dumps([asked, k, searched], sort_keys=True, ensure_ascii=False, default=str)
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Systems:
    """All systems of a file, in its order, and the secrets that it names."""

    path: str
    systems: tuple[System, ...]
    secrets: Secrets

    def choosing_from(self, candidates: Mapping[str, Sequence[Document]]) -> Systems:
        """The same systems; those that rank candidates rank these: query_id -> documents."""
        systems = tuple(
            replace(one, candidates=candidates) if one.ranks_candidates else one
            for one in self.systems
        )
        return replace(self, systems=systems)


def read_systems(
    path: str | os.PathLike[str],
    *,
    only: Iterable[str] = (),
    environment: Mapping[str, str] | None = None,
) -> Systems:
    """Read and check a systems file: every setting, pattern and expression of it.

    `only`: the names of those that are wanted, all where there is none; what the others want from
    the environment need not be there. Raises `InputError` with each fault and its line, the others
    in its `also`; `UsageError` for a name that the file does not have.
    """
    file = read_toml(path, EXAMPLE)
    secrets = Secrets(os.environ if environment is None else environment)
    top = Section(file, (), file.table, secrets)
    defaults = top.inner("defaults")
    tables = top.inner("systems")
    top.end()
    if tables is None or not tables.table:
        file.refuse((), "no systems in it", f"write {EXAMPLE}")
        file.raise_refusals()
    names = list(tables.table if tables is not None else ())
    wanted = list(dict.fromkeys(only))
    for name in wanted:
        if name not in names:
            raise unknown("system", name, names)
    usual = _patience(defaults, Patience()) if defaults is not None else Patience()
    price = read_price(defaults) if defaults is not None else None
    if defaults is not None:
        defaults.end()
    found = []
    for name in wanted or names:
        if tables is None or not isinstance(tables.table[name], dict):
            file.refuse(
                ("systems", name), f"{name} is in no system", "write [systems.NAME] above it"
            )
            continue
        section = tables.inner(name)
        if (
            section is not None
            and (system := _system(file, name, section, usual, price)) is not None
        ):
            found.append(system)
    _refuse_one_file_for_two(file, found)
    file.raise_refusals()
    return Systems(os.fspath(path), tuple(found), secrets)


def _system(
    file: TomlFile, name: str, section: Section, usual: Patience, usual_price: Price | None
) -> System | None:
    if not _NAME.fullmatch(name):
        section.refuse(
            "",
            f"system {name!r:.120} names files and a run",
            "use up to 100 letters, digits and . _ + -, a letter or digit first",
        )
    kind = section.plain("kind", required=True)
    patience = _patience(section, usual)
    price = read_price(section, usual_price)
    if kind and kind not in KINDS:
        error = unknown("kind of system", kind, KINDS)
        section.refuse("kind", error.what, error.mend)
    if kind not in KINDS:
        return None
    opener = read_kind(kind, section)
    inner = section.inner("identify")
    identify = read_identify(inner, section) if inner is not None else None
    section.end()
    if opener is None:
        return None
    return System(
        name=name,
        kind=kind,
        line=section.line,
        patience=patience,
        identify=identify,
        open=opener,
        folder=Path(file.path).resolve().parent,
        settings=dict(section.table),
        price=price,
    )


def _digest(path: Path) -> str:
    """Of a file's content; empty where there is none."""
    if not path.is_file():
        return ""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _digest_of_candidates(candidates: Mapping[str, Sequence[Document]]) -> str:
    told = {
        query_id: [(one.doc_id, one.title, one.text) for one in documents]
        for query_id, documents in candidates.items()
    }
    said = json.dumps(told, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()


def _patience(section: Section, usual: Patience) -> Patience:
    return Patience(
        timeout=section.number("timeout", usual.timeout, least=0.001, most=_LONGEST),
        retries=section.count("retries", usual.retries, least=0, most=100),
        rate=section.number("rate", usual.rate, least=1e-4, most=1e6),
        longest_wait=section.number("longest_wait", usual.longest_wait, least=0, most=_LONGEST),
    )


def _refuse_one_file_for_two(file: TomlFile, systems: Iterable[System]) -> None:
    """Names that differ in case alone would be one file on some systems."""
    before: dict[str, str] = {}
    for system in systems:
        other = before.setdefault(system.name.casefold(), system.name)
        if other != system.name:
            file.refuse(
                ("systems", system.name),
                f"systems {other!r} and {system.name!r} differ in case alone",
                "their files would be one; rename one of them",
            )
