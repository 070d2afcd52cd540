"""The systems file (TOML): which systems are asked, how, and how patiently.

public = ["INDEX"]

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

import difflib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from judge_tui.collect.identity import read_identify
from judge_tui.collect.kinds import KINDS, read_kind
from judge_tui.collect.live import TASK, Live, System, Systems, TaskSystem
from judge_tui.collect.pace import Patience
from judge_tui.collect.price import UsualPrice, read_price, read_usual_price
from judge_tui.collect.secrets import Secrets, named_in, texts_in
from judge_tui.collect.section import Section
from judge_tui.collect.tasks.settings import read_tasks
from judge_tui.errors import UsageError, unknown
from judge_tui.formats.toml_file import TomlFile, read_toml

__all__ = ["read_systems"]

EXAMPLE = '[systems.NAME] kind = "http" url = "…"'

_LONGEST = 86_400


def read_systems(
    path: str | os.PathLike[str],
    *,
    only: Iterable[str] = (),
    environment: Mapping[str, str] | None = None,
    with_tasks: bool = True,
) -> Systems:
    """Read and check a systems file: every setting, pattern and expression of it.

    `only`: the names of those that are wanted, all where there is none, and with those of kind
    `task` the search systems that they take their context from; what the others want from the
    environment need not be there. Without `with_tasks` those of kind `task` are left out. Raises
    `InputError` with each fault and its line, the others in its `also`; `UsageError` for a name
    that the file does not have, or that is left out.
    """
    file = read_toml(path, EXAMPLE)
    environment = os.environ if environment is None else environment
    top = Section(file, (), file.table, Secrets(environment))
    secrets = top.secrets = Secrets(environment, _public(top))
    defaults = top.inner("defaults")
    tables = _tables(file, top)
    names = list(tables.table)
    wanted = _wanted(only, names)
    read = _read_wanted(file, tables, wanted, _usual(defaults), with_tasks=with_tasks)
    if read.left_out and (only or len(read.left_out) == len(names)):
        raise UsageError(
            f"system {read.left_out[0]!r} is put tasks, of which there is no run",
            "judge-tui collect asks it",
        )
    _refuse_without_texts(file, read.contexts, read.systems)
    _refuse_one_file_for_two(file, read.systems)
    file.raise_refusals()
    return Systems(
        os.fspath(path),
        tuple(one for one in read.systems if isinstance(one, System)),
        secrets,
        tuple(one for one in read.systems if isinstance(one, TaskSystem)),
        tuple(read.left_out),
        tuple(names),
        tuple(top.notes),
    )


def _tables(file: TomlFile, top: Section) -> Section:
    """The tables of the systems, of which there is one at least. Raises `InputError`."""
    tables = top.inner("systems")
    top.end()
    if tables is None or not tables.table:
        file.raise_refusals()  # such as of [system.NAME], which says as much
        file.refuse((), "no systems in it", f"write {EXAMPLE}")
        file.raise_refusals()
    assert tables is not None, "a file without them is refused"  # noqa: S101
    return tables


def _wanted(only: Iterable[str], names: Sequence[str]) -> Sequence[str]:
    """The names to be read. Raises `UsageError` for one that the file does not have."""
    wanted = list(dict.fromkeys(only))
    for name in wanted:
        if name not in names:
            raise unknown("system", name, names)
    return wanted or names


class _Usual(NamedTuple):
    """What systems have that say nothing else."""

    patience: Patience
    price: UsualPrice


def _usual(defaults: Section | None) -> _Usual:
    if defaults is None:
        return _Usual(Patience(), UsualPrice())
    usual = _Usual(_patience(defaults, Patience()), read_usual_price(defaults))
    defaults.end()
    return usual


class _Read(NamedTuple):
    """The systems that could be read, the names of those that are left out as they are put tasks,
    and the contexts that arms of the others want."""

    systems: list[Live]
    left_out: list[str]
    contexts: list[_Context]


def _read_wanted(
    file: TomlFile, tables: Section, names: Iterable[str], usual: _Usual, *, with_tasks: bool
) -> _Read:
    """The systems of these names, and those that their arms take a context from."""
    read = _Read([], [], [])
    wanted = list(names)
    for name in wanted:  # which grows by what those of kind task need
        table = tables.table[name]
        if not isinstance(table, dict):
            file.refuse(
                ("systems", name), f"{name} is in no system", "write [systems.NAME] above it"
            )
            continue
        is_put_tasks = table.get("kind") == TASK
        if is_put_tasks and not with_tasks:
            read.left_out.append(name)
            continue
        section = tables.inner(name)
        if section is not None and (system := _system(file, name, section, usual)) is not None:
            read.systems.append(system)
        if is_put_tasks:
            read.contexts.extend(_contexts(file, name, tables.table))
            needed = dict.fromkeys(one.name for one in read.contexts)
            wanted += [other for other in needed if other not in wanted]
    return read


def _public(top: Section) -> tuple[str, ...]:
    """What of the environment is no secret; refused where the file has no such name in it."""
    names = top.names("public")
    there = named_in(texts_in(top.table))
    for one in names:
        if one not in there:
            what = f"public names {one}, and ${{{one}}} stands nowhere in the file"
            near = difflib.get_close_matches(one, there, 1)
            top.refuse("public", what, f"did you mean {near[0]}?" if near else "take it out")
    return names


class _Context(NamedTuple):
    """That an arm wants what the search system `name` finds; `place`: where that is written;
    `has_texts`: whether the arm has a file of texts."""

    arm: str
    name: str
    place: tuple[str, ...]
    has_texts: bool


def _contexts(file: TomlFile, name: str, tables: Mapping[str, Any]) -> list[_Context]:
    """The search systems that the arms of a system name; refused where they are none."""
    arms = tables[name].get("arms")
    searched = {n: t for n, t in tables.items() if isinstance(t, dict) and t.get("kind") != TASK}
    named = []
    for arm, own in arms.items() if isinstance(arms, dict) else ():
        context = own.get("context") if isinstance(own, dict) else None
        if not isinstance(context, str) or not context:
            continue
        place = ("systems", name, "arms", arm, "context")
        if context not in searched:
            error = unknown("search system", context, searched)
            file.refuse(place, f"arm {arm}: {error.what}", error.mend)
            continue
        named.append(_Context(arm, context, place, "documents" in own))
    return named


def _refuse_without_texts(
    file: TomlFile, contexts: Iterable[_Context], found: Iterable[Live]
) -> None:
    """Refuse search systems in the place of a context that give no texts."""
    without = {
        one.name for one in found if isinstance(one, System) and not one.searcher.gives_texts
    }
    for arm, name, place, has_texts in contexts:
        if name in without and not has_texts:
            file.refuse(
                place,
                f"arm {arm}: what {name} finds has no texts",
                f'add text = "…" to [systems.{name}], or documents = FILE to the arm',
            )


def _system(file: TomlFile, name: str, section: Section, usual: _Usual) -> Live | None:
    section.refuse_name(name, "", f"system {name!r:.120} names files and a run")
    kind = section.plain("kind", required=True, public=True)
    patience = _patience(section, usual.patience)
    price = read_price(section, usual.price)
    kinds = (*KINDS, TASK)
    if kind and kind not in kinds:
        error = unknown("kind of system", kind, kinds)
        section.refuse("kind", error.what, error.mend)
    if kind not in kinds:
        return None
    searcher = read_kind(kind, section) if kind != TASK else None
    tasks = read_tasks(section) if kind == TASK else None
    inner = section.inner("identify")
    identify = read_identify(inner, section) if inner is not None else None
    section.end()
    folder = Path(file.path).resolve().parent
    known = (
        name,
        kind,
        section.line,
        patience,
        identify,
        folder,
        section.shown,
        section.marks,
        price,
    )
    if tasks is not None:
        return TaskSystem(*known, tasks)
    return System(*known, searcher) if searcher is not None else None


def _patience(section: Section, usual: Patience) -> Patience:
    return Patience(
        timeout=section.number("timeout", usual.timeout, least=0.001, most=_LONGEST),
        retries=section.count("retries", usual.retries, least=0, most=100),
        rate=section.number("rate", usual.rate, least=1e-4, most=1e6),
        longest_wait=section.number("longest_wait", usual.longest_wait, least=0, most=_LONGEST),
    )


def _refuse_one_file_for_two(file: TomlFile, systems: Iterable[Live]) -> None:
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
