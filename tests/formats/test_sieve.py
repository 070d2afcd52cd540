"""A corpus of which only what is wanted is taken apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats.rows import iter_documents
from judge_tui.formats.sieve import FirstLines, Sieve


def sieve(*ids: str, counts: list[int] | None = None) -> Sieve:
    return Sieve(ids, count=len(ids), on_left_out=(counts if counts is not None else []).append)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "corpus"


@pytest.mark.parametrize(
    "line", ['{"id": "%s", "text": "t"}', '{"id": " %s ", "text": "t"}', "%s\ttext", " %s \tt"]
)
def test_what_is_not_wanted_is_left_out_and_counted(file: Path, line: str) -> None:
    file.write_text("".join(line % f"d{number}" + "\n" for number in range(1000)))
    wanted = sieve("d7", "d900")
    found = {d.doc_id: line for line, d in iter_documents(file, sieve=wanted)}
    assert found.items() >= {("d7", 8), ("d900", 901)}
    # One in 64 may pass, and the first line does.
    assert len(found) + wanted.left_out == 1000
    assert wanted.left_out > 900


def test_it_is_told_now_and_then_how_many_were_left_out(file: Path) -> None:
    file.write_text('{"id": "x", "text": ""}\n' * 40_000)
    counts: list[int] = []
    found = list(iter_documents(file, sieve=sieve(counts=counts), problems=lambda _: None))
    assert len(found) == 1
    assert counts == [16384, 32768]


def test_a_corpus_without_a_wanted_document_is_no_error(file: Path) -> None:
    file.write_text('{"id": "a", "text": "t"}\n{"id": "b", "text": "t"}\n')
    assert len(list(iter_documents(file, sieve=sieve()))) <= 2
    file.write_text("\n")
    with pytest.raises(InputError, match="holds only blank lines"):
        list(iter_documents(file, sieve=sieve()))


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": "other", "text": "cut sho',
        b'{"text": "no id"}',
        b'{"id": "  ", "text": "t"}',
        b'{"id": 1.5, "text": "x"}',
        b"[1]",
    ],
)
def test_lines_that_a_look_does_not_tell_are_taken_apart(file: Path, line: bytes) -> None:
    file.write_bytes(b'{"id": "wanted", "text": "x"}\n' + line + b"\n")
    with pytest.raises(InputError, match="corpus:2: "):
        list(iter_documents(file, sieve=sieve("wanted")))


ids = st.one_of(
    st.text(max_size=4), st.integers(-3, 3), st.sampled_from(["a%20b", "a b", "é", "w"])
)
keys = st.sampled_from(["id", "_id", "doc_id", "text", "user_id", "title"])
records = st.lists(st.tuples(keys, ids), min_size=1, max_size=5)


@example(
    records=[[("id", "a")], [("id", "x"), ("text", "t"), ("doc_id", "w")]],
    wanted={"w"},
    ascii_only=True,
)
@example(records=[[("id", "a")], [("id", "x"), ("_id", "w")]], wanted={"w"}, ascii_only=True)
@example(records=[[("id", "a")], [("_id", "x"), ("id", "w")]], wanted={"x"}, ascii_only=True)
@example(records=[[("id", "a")], [("id", "a b"), ("x", 1)]], wanted={"a%20b"}, ascii_only=True)
@example(records=[[("id", "a")], [("id", "é"), ("x", 1)]], wanted={"é"}, ascii_only=False)
@given(
    records=st.lists(records, min_size=2, max_size=8),
    wanted=st.sets(st.sampled_from(["w", "a%20b", "é", "1", "-1"]), max_size=3),
    ascii_only=st.booleans(),
)
def test_nothing_that_is_wanted_is_ever_left_out(
    tmp_path_factory: pytest.TempPathFactory,
    records: list[list[tuple[str, Any]]],
    wanted: set[str],
    ascii_only: bool,
) -> None:
    """Whatever the order of the keys, repeated or not, and however they are written."""

    def line(pairs: list[tuple[str, Any]]) -> str:
        fields = (f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=ascii_only)}" for k, v in pairs)
        return "{" + ", ".join(fields) + "}\n"

    file = tmp_path_factory.getbasetemp() / "sifted.jsonl"
    file.write_text("".join(map(line, records)))

    def read(**options: Any) -> set[str]:
        found = iter_documents(file, format="jsonl", problems=lambda _: None, **options)
        return {d.doc_id for _, d in found if d.doc_id in wanted}

    # A repeated id is a fault of the second line, and the first one of it may have been left out.
    assert read() == read(sieve=sieve(*wanted))


def test_a_key_is_found_where_it_was_noted_and_nowhere_between() -> None:
    lines = FirstLines()
    # The hash of such a number is the number. The second key's bytes stand in the record of the
    # first one, which ends with its line, 7.
    first, second = 0x0605_0403_0201 << 16, 0x0706_0504_0302 << 16
    assert [lines.add(first, 7), lines.add(second, 8)] == [None, None]
    assert [lines.add(first, 9), lines.add(second, 9)] == [7, 8]
