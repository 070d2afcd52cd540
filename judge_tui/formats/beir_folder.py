"""A collection as BEIR has it: a folder of corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv.

Each of the files may be compressed. Qrels alone are enough for scoring.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge_tui.errors import InputError
from judge_tui.formats.compression import ENDINGS
from judge_tui.formats.problems import quoted

_SPLIT = "test"
"""The split that is meant where none is named."""

_ENDINGS = ("", *ENDINGS)


@dataclass(frozen=True, slots=True)
class BeirFolder:
    """The files of a folder, None where one is missing; `splits` are the qrels by their names."""

    path: str
    corpus: str | None
    queries: str | None
    splits: dict[str, str]

    def qrels(self, split: str | None = None, *, mend: str = "name one with --split") -> str:
        """Return the qrels of a split; without a name those of `test`, or the only ones there are.

        Raises `InputError` where there are none of that name, to be mended as `mend` says.
        """
        if split is None and _SPLIT not in self.splits and len(self.splits) == 1:
            return next(iter(self.splits.values()))
        if (split or _SPLIT) in self.splits:
            return self.splits[split or _SPLIT]
        known = ", ".join(self.splits)
        raise InputError(
            self.path,
            None,
            f"there is no split {quoted(split or _SPLIT)}; it has {known}",
            mend,
        )


def beir_folder(path: str | os.PathLike[str]) -> BeirFolder | None:
    """Return the collection in a folder, None where it holds none: that takes qrels, and queries or
    a corpus."""
    folder = os.fspath(path)
    if "\0" in folder or not Path(folder, "qrels").is_dir():
        return None
    corpus, queries = (_found(folder, name) for name in ("corpus.jsonl", "queries.jsonl"))
    splits = dict(_splits(folder))
    if not splits or not (corpus or queries):
        return None
    return BeirFolder(folder, corpus, queries, splits)


def qrels_file(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return the file of qrels that a path means: of a folder as BEIR has it those of `test`, else
    itself.

    Raises `InputError` where such a folder has no such split: who asks here takes the files of the
    others, and no name of one.
    """
    if not os.path.isdir(path):  # noqa: PTH112 - of the many paths that are none, quickly
        return path
    found = beir_folder(path)
    if found is None:
        return path
    first = next(iter(found.splits.values()))
    return found.qrels(mend=f"give the file of one, such as {first}")


def _found(folder: str, name: str) -> str | None:
    paths = (os.path.join(folder, name + ending) for ending in _ENDINGS)  # noqa: PTH118
    return next((path for path in paths if Path(path).is_file()), None)


def _splits(folder: str) -> Iterator[tuple[str, str]]:
    """In the order of their names."""
    inside = os.path.join(folder, "qrels")  # noqa: PTH118 - as given, so that ./a stays ./a
    for name in sorted(os.listdir(inside)):  # noqa: PTH208
        split, mark, ending = name.partition(".tsv")
        path = os.path.join(inside, name)  # noqa: PTH118
        named = split and mark and ending in _ENDINGS and not name.startswith(".")
        if named and Path(path).is_file():
            yield split, path
