"""Tables and JSON read all at once and row by row: both see the same, or say it in the same words.

The reader of single rows (`iter_run`) is the oracle.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats import iter_run, read_run, source
from judge_tui.formats.plain_json import plain_json
from judge_tui.formats.plain_table import OddTableError, lists_of_ranking, lists_of_table
from judge_tui.formats.problems import Reporter
from judge_tui.formats.runs_and_qrels import one_tag
from judge_tui.formats.seen_run import Reading, see_run
from judge_tui.formats.source import open_source
from judge_tui.scoring import know, see
from tests.formats.test_both_readers import kept

DOCS = ["d1", "d2", "d3", "é", "a-document-of-more-than-16-bytes"]
QRELS = {"q1": {"d1": 1, "é": 2, "d 9": 1}, "q2": {"d2": 1, "d3": 0}, "q-é": {"d1": -1}}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables") / "a.csv"


def is_plain(file: Path) -> bool:
    with open_source(file) as opened:
        try:
            return bool(list(lists_of_table(opened)))
        except OddTableError:
            return False


def by_rows(
    file: Path, form: str, *, any_tag: bool
) -> tuple[dict[str, dict[str, float]], str | None] | InputError:
    scores: dict[str, dict[str, float]] = {}
    tag = None
    try:
        rows = iter_run(file, format=form)
        for row in rows if any_tag else one_tag(rows, Reporter(file, None)):
            scores.setdefault(row.query_id, {})[row.doc_id] = row.score
            tag = tag or row.tag
    except InputError as error:
        return error
    return scores, tag


def agree(file: Path, form: str, tag: str | None = None) -> None:
    """Reading as a whole and looking at judged documents alone both do as the rows say."""
    expected = by_rows(file, form, any_tag=tag is not None)
    reading = Reading(know(QRELS), kept)
    if isinstance(expected, InputError):
        for read in (
            lambda: read_run(file, format=form, tag=tag),
            lambda: see_run(file, reading, format=form, tag=tag),
        ):
            with pytest.raises(InputError) as error:
                read()
            assert str(error.value) == str(expected)
        return
    scores, its_tag = expected
    run = read_run(file, format=form, tag=tag)
    assert (run.scores, run.tag) == (scores, tag or its_tag or "a")
    found = see_run(file, reading, format=form, tag=tag)
    assert found.tag == run.tag
    # With somebody to tell problems, a run is read row by row.
    assert found.asked == run.asked == read_run(file, format=form, tag=tag, problems=print).asked
    assert sorted(found.others) == sorted((scores.keys() | run.asked) - QRELS.keys())
    assert found.values == {
        query_id: kept(see(reading.knowledge[query_id], docs))
        for query_id, docs in scores.items()
        if query_id in QRELS
    }


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """Tables most of which are plain, in any order of columns, some with a fault somewhere."""
    separator = draw(st.sampled_from(",,,;\t"))
    number = draw(st.sampled_from(["score", "score", "rank"]))
    more = draw(st.sampled_from([[], ["tag"], ["text"], ["", "tag"]]))
    names = draw(st.permutations(["query_id", "doc_id", number, *more]))
    lines = [separator.join(names)]
    for query in draw(st.lists(st.sampled_from(["q1", "q2", "q3", "q-é"]), min_size=1, max_size=6)):
        for place, doc in enumerate(draw(st.lists(st.sampled_from(DOCS), unique=True)), 1):
            score = draw(st.sampled_from(["2", "1.5", "-1e-3", "+.5", "2.0", "12345678.25"]))
            cells = {
                "query_id": query,
                "doc_id": doc,
                "score": score,
                "rank": str(place),
                "tag": "my tag",
                "text": draw(st.sampled_from(["", "two words", "x"])),
                "": str(place),
            }
            lines.append(separator.join(cells[name] for name in names))
    text = draw(st.sampled_from(["\n", "\n", "\r\n"])).join(lines)
    data = (text + draw(st.sampled_from(["", "\n"]))).encode()
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        at, lost = draw(st.integers(0, len(data))), draw(st.integers(0, 2))
        touch = draw(st.sampled_from(TOUCHES))
        data = data[:at] + touch + data[at + lost :]
    return data


TOUCHES = [*(b"%c" % byte for byte in b" \"',;\t\n\r\x0b\x1c\0\xff_.-+e09"), b"", b"nan", b"\r\n"]


@given(tables(), st.sampled_from([1, 30, 1 << 20]), st.sampled_from([None, "mine"]))
@settings(max_examples=400)
def test_a_table_is_what_its_rows_are(file: Path, data: bytes, size: int, tag: str | None) -> None:
    file.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        # Only what has a whole header in its first piece is a table.
        patch.setattr(source, "_HEAD", max(size, 64))
        patch.setattr(source, "_BLOCK", size)
        agree(file, "csv", tag)


@st.composite
def rankings(draw: st.DrawFn) -> bytes:
    """Rankings of MS MARCO's, most of which are plain."""
    lines = [
        f"{query}\t{doc}\t{place}"
        for query in draw(
            st.lists(st.sampled_from(["q1", "q2", "q-é"]), min_size=1, max_size=5, unique=True)
        )
        for place, doc in enumerate(draw(st.permutations(DOCS)), 1)
    ]
    text = draw(st.sampled_from(["\n", "\n", "\r\n"])).join(lines)
    data = (text + draw(st.sampled_from(["", "\n"]))).encode()
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        at, lost = draw(st.integers(0, len(data))), draw(st.integers(0, 2))
        data = data[:at] + draw(st.sampled_from(TOUCHES)) + data[at + lost :]
    return data


@given(rankings(), st.sampled_from([30, 1 << 20]), st.sampled_from([None, "mine"]))
@settings(max_examples=200)
def test_a_ranking_is_what_its_lines_are(
    file: Path, data: bytes, size: int, tag: str | None
) -> None:
    file.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "_HEAD", max(size, 64))
        patch.setattr(source, "_BLOCK", size)
        agree(file, "msmarco", tag)


def test_a_ranking_without_a_fault_is_read_at_once(file: Path) -> None:
    file.write_text("q1\td1\t1\nq1\td2\t2\nq2\td1\t1\n")
    with open_source(file) as opened:
        (first, last) = lists_of_ranking(opened)
    assert first.by_query == {b"q1": ([b"d1", b"d2"], [b"-1", b"-2"])}
    assert last.by_query == {b"q2": ([b"d1"], [b"-1"])}


PLAIN = [
    "query_id,doc_id,score\nq1,d1,2\nq1,d2,1\nq2,d1,2\n",
    "query_id,doc_id,score\r\nq1,d1,2\r\nq1,d2,1",
    "\n\n;query_id;doc_id;score;tag\n0;q1;d1;2;my tag\n1;q2;d1;2;my tag\n",
    '"score","doc_id","text","query_id"\n2,é,two words,q-é\n1,d1,,q-é\n',
    "rank\tquery_id\tdoc_id\n0\tq1\td1\n1\tq1\td2\n0\tq2\td1\n",
    "query_id,doc_id,score\nq1,d1,2\nq2,d1,1\nq1,d2,2\n",
]
ODD = [
    'query_id,doc_id,score\nq1,"d1",2\n',
    "query_id,doc_id,score\nq1,d 1,2\n",
    "query_id,doc_id,score\nq1, d1,2\n",
    "query_id,doc_id,score\nq1,d1,2\n\nq1,d2,2\n",
    "query_id,doc_id,score\nq1,d1,2\n,,\n",
    "query_id,doc_id,score\nq1,d1\n2,q2,d1,3\n",
    "query_id,doc_id,score\nq1,d1,2,q2\nd1,3\n",
    "query_id,doc_id,score,tag\nq1,d1,2,a\nq1,d2,2,\n",
    "query_id,doc_id,rank\nq1,d1,1\nq2,d1,1\nq1,d2,2.0\n",
    '"query_id","doc_id","score","te\nxt"\nq1,d1,2,3\n',
]


@pytest.mark.parametrize("text", [*PLAIN, *ODD])
def test_what_is_plain_is_read_at_once_and_the_rest_row_by_row(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", newline="")
    assert is_plain(file) == (text in PLAIN)
    agree(file, "csv")
    agree(file, "csv", "mine")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("q1,d1,2\nq2,d1,2\nq1,d1,1\n", ":4: document 'd1' is already in query 'q1', line 2"),
        ("q1,d1,2\nq1,d2,nan\n", ":3: score 'nan' is not"),
        ("q1,d1,2\nq1,d2,1_0\n", ":3: score '1_0' is not"),
        ("q1,d1,2\nq1,d2,\n", ":3: the row has no score"),
        ("q1,d1,2\n,d2,1\n", ":3: the row has no query id"),
        ("q1,d1,2\nq1,d2\n", ":3: 2 cells, but the header has 3"),
        ("q1,d1,2\nq1,d\0,1\n", ":3: a NUL byte"),
        ("", ": the file holds no row of a run"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(file: Path, rows: str, said: str) -> None:
    file.write_text("query_id,doc_id,score\n" + rows)
    with pytest.raises(InputError, match=said):
        see_run(file, Reading(know(QRELS), kept))
    agree(file, "csv")


@pytest.mark.parametrize("again", ["q1,d3,1", "q1,d2,7"])
def test_a_rank_comes_once_however_far_apart(file: Path, again: str) -> None:
    between = "".join(f"q{place},d1,1\n" for place in range(10, 20))
    file.write_text(f"query_id,doc_id,rank\nq1,d1,1\n{between}{again}\n")
    for size in (1, 40, 1 << 20):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(source, "_HEAD", 64)
            patch.setattr(source, "_BLOCK", size)
            agree(file, "csv")


IDS = st.sampled_from(["d1", "d2", "é", "d 9", "a\tb", "\\", '"', "\u2028", "", " ", "\0"])
VALUES = st.one_of(
    st.integers(), st.floats(), st.sampled_from([2**63, -(10**400), 1e308, True, None, "1", []])
)


@given(
    st.dictionaries(
        st.sampled_from(["q1", "q2", "q 1", "q-é"]),
        st.dictionaries(IDS, st.one_of(st.floats(-9, 9), st.floats(-9, 9), VALUES), max_size=5),
        max_size=4,
    ),
    st.booleans(),
    st.sampled_from([None, 1]),
    st.sampled_from([b"", b"", b"", *TOUCHES, b"}", b"{", b'"d1": 1, ', b"\\ud800", b"[" * 3000]),
    st.integers(0, 200),
)
@settings(max_examples=300)
def test_json_is_what_its_pairs_are(
    file: Path,
    run: dict[str, dict[str, float]],
    ascii: bool,
    indent: int | None,
    touch: bytes,
    at: int,
) -> None:
    data = json.dumps(run, ensure_ascii=ascii, indent=indent).encode()
    file.write_bytes(data[:at] + touch + data[at:])
    agree(file, "json")


def test_plain_json_is_read_at_once(file: Path) -> None:
    file.write_text('{"q1": {"d1": 2, "\\u00e9": -1.5e-3}, "q2": {}}')
    with open_source(file) as opened:
        assert plain_json(opened) == {"q1": {"d1": 2.0, "é": -0.0015}, "q2": {}}
    agree(file, "json")
    for text in ('{"q1": {"d1": 2, "d1": 3}}', '{"q1": {"d1": NaN}}', '{"q1": {"d 1": 1}}', "{}"):
        file.write_text(text)
        with open_source(file) as opened:
            assert plain_json(opened) is None
        agree(file, "json")
