"""White space in ids, for files whose fields white space separates."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import judge_tui
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import decode_id, encode_id, iter_run, read_qrels
from judge_tui.formats.ids import as_field, has_other_white, less_exact, plain_field

# Text rich in what the encoding is about, besides any text at all.
PARTS = st.sampled_from(
    [
        "%",
        "25",
        "20",
        "09",
        "0A",
        "0a",
        "0B",
        "0C",
        "0D",
        " ",
        "\t",
        "\n",
        "é",
        "C2",
        "A0",
        "\u00a0",
        "\x1f",
    ]
)
TEXTS = st.one_of(st.text(), st.lists(PARTS).map("".join))


@pytest.mark.parametrize(
    ("native", "written"),
    [
        ("d1", "d1"),
        ("my file.md", "my%20file.md"),
        ("\t\n\v\f\r", "%09%0A%0B%0C%0D"),
        ("my%20file", "my%2520file"),
        ("my%2520file", "my%252520file"),
        ("100%", "100%"),
        ("%41%2F%0a", "%41%2F%0a"),
        ("non\u00a0breaking", "non%C2%A0breaking"),
        ("wide\u3000\x1c", "wide%E3%80%80%1C"),
        ("https://x.org/a%C2%A0b", "https://x.org/a%25C2%A0b"),
        ("%E2%80%AC%c2%a0%C2%A1", "%E2%80%AC%c2%a0%C2%A1"),
    ],
)
def test_only_white_space_and_what_would_be_taken_for_it_is_encoded(
    native: str, written: str
) -> None:
    assert encode_id(native) == written
    assert decode_id(written) == native


@given(TEXTS.filter(bool))
def test_every_id_comes_back_and_is_one_field(native: str) -> None:
    written = encode_id(native)
    assert decode_id(written) == native
    assert written.split() == written.splitlines() == [written]


@given(TEXTS.filter(lambda text: text.split() == [text]))
def test_every_field_is_the_writing_of_one_id(written: str) -> None:
    assert encode_id(decode_id(written)) == written


def test_an_empty_id_cannot_be_written() -> None:
    with pytest.raises(UsageError, match="an empty id cannot be written"):
        encode_id("")


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("my file", "my%20file"),
        ("my%20file", "my%2520file"),
        (" d1", "d1"),
        ("d1\t\r\n", "d1"),
        (" a  b ", "a%20%20b"),
        ("\u00a0d1 ", "%C2%A0d1"),
        ("a\u00a0b", "a%C2%A0b"),
    ],
)
def test_ids_of_tables_and_json_lose_the_white_space_around_them(text: str, field: str) -> None:
    assert as_field(text) == field


@given(TEXTS)
def test_what_tells_no_code_from_another_can_be_made_of_what_does(text: str) -> None:
    assert less_exact(as_field(text)) == plain_field(text)


def test_white_space_is_what_python_splits_on() -> None:
    for one in map(chr, range(sys.maxunicode + 1)):
        assert (encode_id(one) == one) == (not one.isspace()), one
        assert has_other_white(one) == (one.isspace() and one not in " \t\n\v\f\r"), one


@pytest.mark.parametrize("white", ["\u00a0", "\u3000", "\x1c", "\u2028"])
def test_white_space_that_separates_nothing_is_read_as_its_code(tmp_path: Path, white: str) -> None:
    doc_id = f"a{white}b"
    run, qrels = tmp_path / "x.run", tmp_path / "x.qrels"
    table, ranx = tmp_path / "table.csv", tmp_path / "ranx.json"
    run.write_text(f"q1 Q0 {doc_id} 1 2.0 x\nq1 Q0 c 2 1.0 x\n", newline="")
    qrels.write_text(f"q1 0 {encode_id(doc_id)} 1\n")
    table.write_text(f"query_id,doc_id,score\nq1,{doc_id},2\nq1,c,1\n", newline="")
    ranx.write_text(json.dumps({"q1": {doc_id: 2.5, "c": 1.0}}, ensure_ascii=False))
    bare = tmp_path / "bare.qrels"
    bare.write_text(f"q1 0 {doc_id} 1\n", newline="")
    rows = list(iter_run(run))
    assert [row.doc_id for row in rows] == [encode_id(doc_id), "c"]
    for grades in (qrels, bare):
        assert read_qrels(grades) == {"q1": {encode_id(doc_id): 1}}
        scores = judge_tui.score(grades, [run, table, ranx], ["P@1"])
        assert [one.mean("P@1") for one in scores.runs] == [1.0] * 3
    in_memory = judge_tui.score(qrels, {"x": {"q1": {doc_id: 1.0}}}, ["P@1"])
    assert in_memory.runs[0].mean("P@1") == 1.0
    # Both of one run are one document that comes twice.
    run.write_text(f"q1 Q0 {doc_id} 1 2.0 x\nq1 Q0 {encode_id(doc_id)} 2 1.0 x\n", newline="")
    with pytest.raises(InputError, match=r":2: document '.*' is already in query 'q1'"):
        judge_tui.score(qrels, [run], ["P@1"])
