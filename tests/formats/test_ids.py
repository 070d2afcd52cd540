"""White space in ids, for files whose fields white space separates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import UsageError
from judge_tui.formats import decode_id, encode_id
from judge_tui.formats.ids import as_field, less_exact, plain_field

# Text rich in what the encoding is about, besides any text at all.
PARTS = st.sampled_from(["%", "25", "20", "09", "0A", "0a", "0B", "0C", "0D", " ", "\t", "\n", "é"])
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
        ("non\u00a0breaking", "non\u00a0breaking"),
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
    assert written.encode("utf-8", "surrogatepass").split() == [
        written.encode("utf-8", "surrogatepass")
    ]


@given(TEXTS.filter(lambda text: text and not any(c in " \t\n\v\f\r" for c in text)))
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
        ("\u00a0d1", "\u00a0d1"),
    ],
)
def test_ids_of_tables_and_json_lose_the_white_space_around_them(text: str, field: str) -> None:
    assert as_field(text) == field


@given(TEXTS)
def test_what_tells_no_code_from_another_can_be_made_of_what_does(text: str) -> None:
    assert less_exact(as_field(text)) == plain_field(text)
