"""A folder of text files as documents, each named by its path within the folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from judge_tui.formats.inside import RefusedError, read_inside, text_of
from judge_tui.formats.problems import Reporter, not_utf8
from judge_tui.formats.source import UnreadableError
from judge_tui.model import Document

__all__ = ["Skipped", "folder_rows"]

Skipped = Callable[[str, str], None]
"""Called with the path within the folder and the reason why that file makes no document."""

_VERSION_CONTROL = frozenset({".git", ".hg", ".svn", ".jj"})


def folder_rows(
    path: str, report: Reporter, skipped: Skipped | None = None
) -> Iterator[tuple[int, Document]]:
    """Every text file below `path`, in byte order of the ids, with line 1.

    The doc_id is the path relative to the folder, with `/` on every system. Binary files, files
    that cannot be opened and links that lead out are left out and told to `skipped`; folders of
    version control are not entered. A text file that is not UTF-8 is reported.
    """
    root = os.path.realpath(path)
    for doc_id in sorted(_files(path, root), key=os.fsencode):
        try:
            doc_id.encode()
        except UnicodeEncodeError:
            report(None, f"the file name {doc_id!a} is not valid UTF-8", "rename the file")
            continue
        try:
            data = read_inside(root, doc_id)
        except RefusedError as refused:
            if skipped:
                skipped(doc_id, str(refused))
            continue
        try:
            yield 1, Document(doc_id, text=text_of(data))
        except UnicodeDecodeError as error:
            shown = os.path.join(path, doc_id)  # noqa: PTH118  (as given, so that ./docs stays)
            report.pass_on(not_utf8(shown, data, error.start))


def _files(path: str, root: str) -> Iterator[str]:
    def refuse(error: OSError) -> None:
        raise UnreadableError(
            error.filename or path,
            None,
            f"the folder cannot be read: {error.strerror}",
            "check its permissions",
        ) from error

    for folder, subfolders, names in os.walk(root, onerror=refuse):
        subfolders[:] = [name for name in subfolders if name not in _VERSION_CONTROL]
        within = os.path.relpath(folder, root)
        # Links to folders are not entered; as files they are refused, and so told.
        linked = [name for name in subfolders if Path(folder, name).is_symlink()]
        for name in names + linked:
            yield Path(within, name).as_posix()
