"""Every format, over one table of tiny files: told by its content, read, checked; the same with
other line ends, a byte order mark, compressed or written otherwise; whatever its ids are."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge_tui.errors import InputError
from judge_tui.formats.check import check_file
from judge_tui.formats.query_names import QueryText
from judge_tui.formats.recognition import recognise
from judge_tui.formats.registry import FORMATS, format_named
from judge_tui.formats.rows import iter_rows
from judge_tui.model import Query
from tests.formats.samples import EACH, SAMPLES
from tests.packing import PACKERS

ENDLESS = "manual page. " * 5_500
SPACED = ("run:trec", "qrels:trec")
"""Forms whose fields a blank parts."""


def rows(path: Path, called: str, *, known: bool = True) -> list[Any]:
    """What a file holds as a format, or as the kind of one."""
    kind, _, name = called.partition(":")
    return [shown(row) for row in iter_rows(kind, path, name if known else None)]  # type: ignore[arg-type]


def shown(row: Any) -> Any:
    """A row as the table has it."""
    if hasattr(row, "judge"):
        what = (row.query_id, row.doc_id or row.passage, row.judge, row.decision)
        row = (*what, row.label or row.grade, row.note)
    elif len(row) == 2:
        return row[1]
    else:
        row = row[1 : 4 if hasattr(row, "decision") else None]
    return "|".join("" if cell is None else str(cell) for cell in row)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file"


def test_every_format_has_a_sample_and_a_name_of_its_own() -> None:
    assert {called for _, called, _ in EACH} == {f"{one.kind}:{one.name}" for one in FORMATS}
    assert all(format_named(one.kind, one.name) is one for one in FORMATS)


@pytest.mark.parametrize(("content", "of"), SAMPLES)
def test_a_file_is_told_and_read(path: Path, content: str, of: dict[str, list[Any]]) -> None:
    path.write_text(content, encoding="utf-8", newline="")
    assert ":".join(recognise(path)) == next(iter(of))
    assert check_file(path) == []
    for called, expected in of.items():
        assert rows(path, called) == rows(path, called, known=False) == expected
        assert check_file(path, format=called) == []


def otherwise(content: str) -> list[bytes]:
    """The same file with other line ends, a mark, packed, and as another writer has its JSON."""
    plain = content.encode()
    forms = [
        f"\ufeff{content}".encode(),
        f"\r\n\n{content}\n\n".encode(),
        content.replace("\n", "\r\n").encode(),
        content.removesuffix("\n").encode(),
    ]
    forms += [pack(plain) for pack in PACKERS.values()]
    with suppress(ValueError):  # JSON Lines are no JSON; one of them is not written otherwise
        if content[0] == "[" or (content[0] == "{" and "\n" in content.strip()):
            value = json.loads(content)
            forms += [json.dumps(value).encode(), json.dumps(value, indent=1).encode()]
    return forms


@pytest.mark.parametrize(("content", "called", "expected"), EACH)
def test_line_ends_marks_and_packing_change_nothing(
    path: Path, content: str, called: str, expected: list[Any]
) -> None:
    for data in otherwise(content):
        path.write_bytes(data)
        assert rows(path, called, known=False) == expected


@pytest.mark.parametrize(("content", "called", "expected"), EACH)
def test_what_is_cut_short_is_rows_or_one_error(
    path: Path, content: str, called: str, expected: list[Any]
) -> None:
    """Nothing but an `InputError` comes of half a file, wherever it ends."""
    for size in range(0, len(content), max(1, len(content) // 12)):
        path.write_text(content[:size], encoding="utf-8")
        try:
            found = rows(path, called)
        except InputError as error:
            assert str(error).startswith(f"{path}:")  # noqa: PT017
        else:
            assert len(found) <= len(expected)


def renamed(row: Any, old: str, new: str) -> Any:
    """A row with another id, or another text that stands for one."""
    if isinstance(row, str):
        return "|".join(new if cell == old else cell for cell in row.split("|"))
    if old != (row.query_id if isinstance(row, Query) else row.doc_id):
        return row
    return replace(row, query_id=new) if isinstance(row, Query) else replace(row, doc_id=new)


@pytest.mark.parametrize(("content", "called", "expected"), EACH)
def test_an_id_is_one_token_and_a_text_is_none(
    path: Path, content: str, called: str, expected: list[Any]
) -> None:
    """White space becomes its code in an id, and nothing is decoded, in every format."""
    for old in ("d1", "q1"):
        for written, read in (
            ("a b", "a%20b"),
            ("a\u00a0b", "a%C2%A0b"),
            ("c%20d", "c%20d"),
            ("c%2520d", "c%2520d"),
            ("e\u0301f", "e\u0301f"),
        ):
            if " " in written and called in (*SPACED, "queries:trec", "documents:trec"):
                continue
            path.write_text(content.replace(old, written), encoding="utf-8", newline="")
            assert rows(path, called) == [renamed(row, old, read) for row in expected]
    path.write_text(content.replace("star wars", "q%20r s"), encoding="utf-8", newline="")
    if not isinstance(expected[0], str):
        return
    assert rows(path, called) == [renamed(row, "star wars", "q%20r s") for row in expected]
    for row in iter_rows(called.partition(":")[0], path, called.partition(":")[2]):  # type: ignore[arg-type]
        assert isinstance(row.query_id, QueryText) == (row.query_id not in ("q1", "q2", ""))


@pytest.mark.parametrize(("content", "called", "expected"), EACH)
def test_a_row_without_an_id_or_a_text_is_refused(
    path: Path, content: str, called: str, expected: list[Any]
) -> None:
    for old, else_named in (
        ("d1", ("judgments:umbrela", "judgments:doccano")),  # by another text
        ("q1", ("judgments:umbrela",)),
        ("star wars", ()),
    ):
        if called in else_named or all(renamed(row, old, "") == row for row in expected):
            continue
        for nothing in ("", " "):
            path.write_text(content.replace(old, nothing), encoding="utf-8", newline="")
            problem = check_file(path, format=called)[0]
            assert problem.line
            words = "3 fields|score|not a label" if called in SPACED else "has no|neither by an id"
            assert re.search(words, problem.what)


@pytest.mark.parametrize(
    ("content", "called"),
    [
        (content, called)
        for content, of in SAMPLES
        if "{" in content and not (called := next(iter(of))).endswith(":json")
    ],
)
def test_a_long_value_before_the_others_hides_nothing(
    path: Path, content: str, called: str
) -> None:
    for endless in (ENDLESS, 'a "quote" and a \\ ' * 4_000, "naïve " * 11_000):
        first = f'{{"comment": {json.dumps(endless)}, '
        at = content.index("{")
        path.write_text(content[:at] + first + content[at + 1 :], encoding="utf-8")
        assert ":".join(recognise(path)) == called


@pytest.mark.parametrize(
    ("called", "content"),
    [
        ("qrels:csv", "query_id,doc_id,relevance\nq1,a b,1\nq1,a%20b,1\n"),
        ("qrels:json", '{"q1": {"a b": 1, "a%20b": 1}}'),
    ],
)
def test_two_spellings_of_one_id_are_one(path: Path, called: str, content: str) -> None:
    path.write_text(content)
    with pytest.raises(InputError, match="'a%20b' is already in query 'q1'"):
        rows(path, called)
