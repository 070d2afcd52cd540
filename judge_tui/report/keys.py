"""The keys of the app, as a report."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from judge_tui.report.grids import Column, Grid, Report

__all__ = ["keys_report"]

_COLUMNS = ("binding", "keys", "does")


def keys_report(
    bindings: Sequence[tuple[str, Sequence[str], str]],
    *,
    remapped: Collection[str],
    taken: Sequence[str],
    path: Path | None,
) -> Report:
    """`bindings`: id, keys and what they do. `remapped` are the ids that the config file at `path`
    gives keys, `taken` the keys that terminals often keep for themselves."""
    rows = [(name, ", ".join(keys), what) for name, keys, what in bindings]
    if path is None:
        title = "Config file: none"
    elif path.exists():
        title = f"Config file: {path} ({len(remapped)} of these have their keys from it)"
    else:
        title = f"Config file: {path} (there is none yet)"
    columns = [Column(name, right=False) for name in _COLUMNS]
    often = [(name, key) for name, keys, _ in bindings for key in keys if key in taken]
    return Report(
        document={
            "schema_version": 1,
            "config": None if path is None else str(path),
            "keys": [
                {"binding": name, "keys": list(keys), "does": what, "remapped": name in remapped}
                for name, keys, what in bindings
            ],
        },
        header=_COLUMNS,
        rows=rows,
        grids=[
            Grid(title, columns, rows),
            Grid("Keys that terminals often keep for themselves", columns[:2], often),
        ],
    )
