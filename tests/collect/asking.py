"""A systems file out of tables, and what is collected by it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from judge_tui.collect import CollectedRun, CollectRequest, Reply, collect, read_systems
from judge_tui.errors import JudgeTuiError
from judge_tui.model import Query
from tests.collect.server import Server

QUERIES = (
    Query("q1", "read a csv file"),
    Query("q2", "sort a list"),
    Query("q3", "nothing at all"),
)
ENGINE = (sys.executable, str(Path(__file__).with_name("engine.py")))
OUT = "out"

# The waits that a system asks for are those of the server; others end soon.
_HASTY = {"timeout": 5, "max_wait": 0.01}


def http(server: Server, path: str = "/search?q={query}&n={k}", **settings: Any) -> dict[str, Any]:
    """A system that the server is."""
    there = {"kind": "http", "url": server.url + path}
    if "pattern" not in settings:
        there |= {"results": "results", "id": "id"}
    return {**there, **_HASTY, **settings}


def program(*argv: str, **settings: Any) -> dict[str, Any]:
    """A system that a program is."""
    there: dict[str, Any] = {"kind": "command", "argv": list(argv)}
    if "pattern" not in settings:
        there |= {"results": "[*]", "id": "id"}
    return {**there, **_HASTY, **settings}


def script(code: str, **settings: Any) -> dict[str, Any]:
    """A system that is a few lines of Python; the query is sys.argv[1]."""
    return program(sys.executable, "-S", "-c", f"import sys\n{code}", "{query}", **settings)


def systems_file(folder: Path, tables: Mapping[str, Mapping[str, Any]], **top: Any) -> Path:
    """systems.toml in `folder`."""
    lines = [f"{name} = {_toml(value)}" for name, value in top.items()]
    for name, table in tables.items():
        lines.append(f"[systems.{json.dumps(name)}]")
        lines += [f"{key} = {_toml(value)}" for key, value in table.items()]
    path = folder / "systems.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def collected(
    folder: Path,
    tables: Mapping[str, Mapping[str, Any]],
    queries: Iterable[Query] = QUERIES,
    *,
    environment: Mapping[str, str] | None = None,
    only: Iterable[str] = (),
    **options: Any,
) -> dict[str, CollectedRun]:
    """What is collected into the folder `out` of `folder`, by name of the system."""
    path = systems_file(folder, tables)
    systems = read_systems(path, only=only, environment={} if environment is None else environment)
    found = collect(CollectRequest(systems, tuple(queries), folder / OUT, **options))
    return {one.tag: one for one in found.runs}


def one(folder: Path, table: Mapping[str, Any], **options: Any) -> CollectedRun:
    """The same of one system, `it`."""
    return collected(folder, {"it": table}, **options)["it"]


def asked(folder: Path, table: Mapping[str, Any], query: str, **options: Any) -> Reply:
    """What one system answers to one query that it may fail at: it is tried with another one, by
    the name of `well`."""
    queries = (Query("well", "well"), Query("q", query))
    return one(folder, table, queries=queries, **options).replies[1]


def failure(folder: Path, table: Mapping[str, Any], **options: Any) -> str:
    """Why a system is refused before the work begins."""
    with pytest.raises(JudgeTuiError) as raised:
        one(folder, table, **options)
    assert not [*(folder / OUT).glob("[!.]*")]
    return str(raised.value).removeprefix(f"{folder}{os.sep}")


def refusals(folder: Path, text: str, **options: Any) -> list[str]:
    """What is wrong with a systems file, line by line."""
    path = folder / "systems.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(JudgeTuiError) as raised:
        read_systems(path, environment=options.pop("environment", {}), **options)
    return [str(e).removeprefix(f"{folder}{os.sep}") for e in (raised.value, *raised.value.also)]


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = (f"{json.dumps(name)} = {_toml(one)}" for name, one in value.items())
        return f"{{ {', '.join(inner)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)
