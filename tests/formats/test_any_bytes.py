"""Whatever the bytes are: rows or an InputError, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats.check import check_file
from judge_tui.formats.registry import Kind, names_of
from judge_tui.formats.rows import iter_rows
from judge_tui.formats.whole_files import read_grades, read_qrels, read_results, read_run
from tests.formats.samples import SAMPLES
from tests.packing import PACKERS

# fmt: off
WORDS = st.sampled_from((
    b"q1", b"Q0", b"d1", b"1", b"-2.5", b"nan", b"\t", b" ", b"\n", b"\r\n", b"\xff", b"\0", b",",
    b"{", b"}", b"[", b"]", b'"', b'{"id": 1, "text": "a"}', b'"id":', b"\\ud800", b"9" * 5000,
    b"<top>", b"<num>", b"<title>", b"</top>", b"<DOC>", b"<DOCNO>", b"</DOCNO>", b"</DOC>",
    b"<TEXT>", b"&amp;", b"&#0;", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\x1f\x8b\x08", b"BZh91AY&SY",
    b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18", b";", b'""', b'",', b'"\n',
    b"query_id,doc_id,score\n", b"query_id,doc_id,relevance\n", b"rank;score;doc_id;query_id\n",
    b",query_id,doc_id,rank,relevant,tag\n", b"query-id\tcorpus-id\tscore\n", b"q1,d1,1\n",
    b"query,docid,rating\n", b"query,docid,Ann,Bob\n", b"Query Text,Doc ID,Doc Position,Rating\n",
    b'{"queries": [{"placeholders": {"$query": "a"}, "relevant_documents": {"1": ["d"]}}]}',
    b'{"judgmentRatings": [{"query": "a", "ratings": [{"docId": "d", "rating": ', b"}]}]}",
    b'{"query_doc_pairs": [{"query_text": "a", "doc_id": 1, "judgements": [{"rating": 1}]}]}',
    b'{"requests": [{"id": 1, "ratings": [{"_id": "d", "rating": 1}]}]}', b"true", b"null",
    b'{"q1": {"d1": 1', b', "d2": 2.5', b'}, "q2": {"d1": ', b"}}", b'{"q\\ud800": {', b"1.0", b":",
))
# fmt: on
BYTES = st.one_of(st.binary(max_size=200), st.lists(WORDS, max_size=30).map(b"".join))
PACKED = st.sampled_from([bytes, *PACKERS.values()])


KINDS: tuple[Kind, ...] = ("run", "qrels", "judgments", "queries", "documents")
READERS = [(kind, name) for kind in KINDS for name in (None, *names_of(kind)) if name != "folder"]


@example(content=b"Query Text,DocID,Doc Position\nq", pack=bytes, cut=1)
@example(content=b'{"q1": {}}', pack=bytes, cut=1)
@example(content=b'"query' + bytes(9), pack=bytes, cut=9)
@example(content=b'""query"\na\nb', pack=bytes, cut=1)
@given(content=BYTES, pack=PACKED, cut=st.integers(0, 12))
def test_rows_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory,
    content: bytes,
    pack: Callable[[bytes], bytes],
    cut: int,
) -> None:
    file: Path = tmp_path_factory.getbasetemp() / "any"
    packed = pack(content)
    file.write_bytes(packed[: len(packed) - cut] if cut % 3 == 0 else packed)
    for kind, name in READERS:
        problems: list[InputError] = []
        rows = list(iter_rows(kind, file, name, problems.append))
        assert rows or problems
        assert all(problem.what and problem.mend for problem in problems)
        if problems:
            with pytest.raises(InputError) as error:
                list(iter_rows(kind, file, name))
            assert str(error.value) == str(problems[0])
        else:
            assert list(iter_rows(kind, file, name)) == rows
    for read_all in (read_run, read_qrels, read_results, read_grades):
        try:
            read_all(file)
        except InputError as error:
            assert error.what  # noqa: PT017 - nothing else may come of it
    check_file(file)


def spoilt(content: str) -> Iterator[str]:
    """JSON, or lines of it, with a value of another sort in each place."""
    try:
        document = [json.loads(content)]
    except ValueError:
        document = [json.loads(line) for line in content.splitlines() if line.strip()]
    for value in (None, [[1]], {"a": 1}, 1.5):
        for holder, key in [*places(document)]:
            before, holder[key] = holder[key], value
            yield "\n".join(map(json.dumps, document))
            holder[key] = before


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict | list):
        for key, inner in [*(value.items() if isinstance(value, dict) else enumerate(value))]:
            yield value, key
            yield from places(inner)


@pytest.mark.parametrize(
    ("called", "content"),
    [
        (one, text)
        for text, forms in SAMPLES
        for one in forms
        if text[:1] in ("{", "[") and text[:2] != "[["
    ],
)
def test_a_value_of_another_sort_is_a_problem_or_none(
    tmp_path: Path, called: str, content: str
) -> None:
    for text in spoilt(content):
        (tmp_path / "any").write_text(text)
        for problem in check_file(tmp_path / "any", format=called):
            assert problem.what
