"""Every format, over one table of tiny files: told by its content, read, checked, and the same with
other line ends, a byte order mark, or compressed."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from judge_tui.errors import InputError
from judge_tui.formats.check import check_file
from judge_tui.formats.recognition import format_for, recognise
from judge_tui.formats.registry import FORMATS, format_named
from judge_tui.formats.rows import iter_rows
from judge_tui.formats.source import open_source
from tests.formats.samples import SAMPLES


def rows(path: Path, kind: str, name: str | None = None) -> list[Any]:
    return [shown(row) for row in iter_rows(kind, path, name, None)]  # type: ignore[arg-type]


def shown(row: Any) -> Any:
    """A row without its line; of a judgment what the table has."""
    if hasattr(row, "judge"):
        return (
            row.query_id,
            row.doc_id or row.passage,
            row.judge,
            row.decision,
            row.label or row.grade,
            row.note,
        )
    return tuple(row)[1 : 4 if hasattr(row, "decision") else None] if len(row) > 2 else row[1]


def test_every_format_has_a_sample() -> None:
    assert {name for name, _, _ in SAMPLES} == {f"{one.kind}:{one.name}" for one in FORMATS}


@pytest.mark.parametrize(("called", "content", "expected"), SAMPLES)
def test_a_file_is_told_and_read(
    tmp_path: Path, called: str, content: str, expected: list[Any]
) -> None:
    kind, _, name = called.partition(":")
    path = tmp_path / "given"
    path.write_text(content, encoding="utf-8", newline="")
    with open_source(path) as source:
        assert format_for(source, kind, None).name == name  # type: ignore[arg-type]
    # Files that hold several kinds of things are told as one of them.
    assert recognise(path).format in (name, "quepid", "quepid-book", "results")
    assert rows(path, kind) == rows(path, kind, name) == expected
    assert check_file(path, format=called) == []


@pytest.mark.parametrize(("called", "content", "expected"), SAMPLES)
def test_line_ends_marks_and_compression_change_nothing(
    tmp_path: Path, called: str, content: str, expected: list[Any]
) -> None:
    kind, _, _ = called.partition(":")
    path = tmp_path / "given"
    for data in (
        f"\ufeff{content}".encode(),
        f"\n\n{content}\n\n".encode(),
        content.replace("\n", "\r\n").encode(),
        content.removesuffix("\n").encode(),
        gzip.compress(content.encode()),
    ):
        path.write_bytes(data)
        assert rows(path, kind) == expected


@pytest.mark.parametrize(("called", "content", "expected"), SAMPLES)
def test_what_is_cut_short_is_rows_or_one_error(
    tmp_path: Path, called: str, content: str, expected: list[Any]
) -> None:
    """Nothing but an `InputError` comes of half a file, wherever it ends."""
    kind, _, name = called.partition(":")
    path = tmp_path / "given"
    for size in range(0, len(content), max(1, len(content) // 12)):
        path.write_text(content[:size], encoding="utf-8")
        try:
            found = rows(path, kind, name)
        except InputError as error:
            assert str(error).startswith(f"{path}:")  # noqa: PT017
        else:
            assert len(found) <= len(expected)


def test_one_name_is_one_format_of_a_kind() -> None:
    for one in FORMATS:
        assert format_named(one.kind, one.name) is one
