"""The keys of the app, as a report."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from judge_tui.report.layout import Report, Table, word, words


def keys_report(
    bindings: Sequence[tuple[str, Sequence[str], str]],
    *,
    remapped: Collection[str],
    taken: Sequence[str],
    path: Path | None,
) -> Report:
    """`bindings`: id, keys and what they do. `remapped` are the ids that the config file at `path`
    gives keys, `taken` the keys that terminals often keep for themselves."""
    title = f"Config file: {path or 'none'}"
    if path is not None:
        mine = f"{len(remapped)} of these have their keys from it"
        title += f" ({mine if path.exists() else 'there is none yet'})"
    often = [(name, key) for name, keys, _ in bindings for key in keys if key in taken]
    return Report(
        [
            Table(
                title,
                [*words("binding", "keys", "does"), word("remapped")],
                [(name, ", ".join(keys), what, name in remapped) for name, keys, what in bindings],
                "keys",
            ),
            Table("Keys that terminals often keep for themselves", words("binding", "keys"), often),
        ],
        {"config": None if path is None else str(path)},
    )
