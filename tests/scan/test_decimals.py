"""Numbers in text, a column at once: what `float` makes of each, bit for bit, or nothing at all."""

from __future__ import annotations

import random
import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.scan.blocks import PADDING
from judge_tui.scan.decimals import floats
from judge_tui.scan.words import words_of
from tests.scan.generated_runs import SCORES

_BEFORE = b"q Q0 d 1 "  # a score is never the first thing of a block


def read(fields: list[bytes]) -> list[float] | None:
    """What `floats` says of a column of fields, each of them with something before and behind."""
    text = _BEFORE + b" ".join([*fields, b""])
    buffer = bytearray(text + b"1234567890.5"[:PADDING])
    lengths = np.array([len(field) for field in fields], dtype=np.int64)
    ends = np.cumsum(lengths + 1) - 1 + len(_BEFORE)
    found = floats(buffer, words_of(buffer, len(text)), ends, lengths)
    return None if found is None else found.tolist()


def one_by_one(fields: list[bytes]) -> list[float] | None:
    """The same with `float`; None where one is not a number, or none that a run may hold."""
    if any(b"_" in field for field in fields):
        return None
    try:
        return [float(field) for field in fields]
    except ValueError:
        return None


def assert_same_bits(fields: list[bytes]) -> None:
    found, expected = read(fields), one_by_one(fields)
    if found is None or expected is None:
        assert found is expected
        return
    for field, ours, theirs in zip(fields, found, expected, strict=True):
        assert struct.pack("<d", ours) == struct.pack("<d", theirs), field


digits = st.text("0123456789", max_size=22)
decimals = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "", "", "-", "+"]),
    digits,
    st.sampled_from(["", ".", ".", "."]),
    digits,
    st.sampled_from(["", "", "", "", "e5", "E+05", "e-07", "e-22", "e+23", "e+007", "e-400", "e"]),
)
anything = st.binary(min_size=1, max_size=12).map(lambda text: bytes(b | 0x21 for b in text))
no_numbers = st.text("0123456789.eE+-_ ", min_size=1, max_size=12).map(
    lambda text: text.replace(" ", "x")
)
fields = st.one_of(
    SCORES.map(str.encode),
    decimals.filter(bool).map(str.encode),
    no_numbers.map(str.encode),
    st.floats(allow_nan=False).map(lambda x: repr(x).encode()),
    anything,
)


@given(st.lists(fields, min_size=1, max_size=3))
def test_fields_of_every_shape(column: list[bytes]) -> None:
    assert_same_bits(column)


@given(
    st.lists(st.integers(0, 10**8 - 1), min_size=1, max_size=8),
    st.integers(0, 7),
    st.lists(st.tuples(st.integers(0, 7), st.sampled_from(b".0-/:e9\xff")), max_size=1),
)
def test_columns_of_one_kind(
    numbers: list[int], places: int, touched: list[tuple[int, int]]
) -> None:
    """As most systems write them, all with as many decimals; and with a byte that is amiss."""
    whole = [b"%0*d" % (places, number) for number in numbers]
    column = [
        text[: len(text) - places] + b"." + text[len(text) - places :] if places else text
        for text in whole
    ]
    for at, byte in touched:
        last = bytearray(column[-1])
        last[at % len(last)] = byte
        column[-1] = bytes(last)
    assert_same_bits(column)


@pytest.mark.parametrize("first", [b"1.50", b"15", b"-1.50", b"1e+05"])
@pytest.mark.parametrize("last", [b"", b"5", b".5", b"5.", b"1.5", b"1.2.50", b"..50", b"x.50"])
def test_what_the_first_field_is_like_says_nothing_of_the_others(first: bytes, last: bytes) -> None:
    assert_same_bits([first, *([last] if last else [])])


def test_numbers_between_two_doubles() -> None:
    """Half-way cases, one up and one down of them: a division rounded twice gets some wrong."""
    source = random.Random(11)
    column = []
    for _ in range(4000):
        value = source.randrange(1 << 52, 1 << 53) * 2.0 ** source.randrange(-60, 8)
        middle = (Fraction(value) + Fraction(float(np.nextafter(value, np.inf)))) / 2
        places = source.randrange(23)
        nearest = round(middle * 10**places)
        for number in (nearest - 1, nearest, nearest + 1):
            text = f"{number:0{places + 1}d}"
            column.append(f"{text[: len(text) - places]}.{text[len(text) - places :]}".encode())
    assert_same_bits(column)
    for field in column[:300]:
        assert_same_bits([field])


def test_numbers_of_every_length() -> None:
    source = random.Random(12)
    column = [
        f"{source.choice(['', '-'])}{source.randrange(10**before)}.{'0' * zeros}"
        f"{source.randrange(10**behind)}{source.choice(['', '', 'e+10', 'e-04', 'E22'])}".encode()
        for before in range(1, 20)
        for zeros in (0, 3, 9)
        for behind in range(1, 20)
        for _ in range(3)
    ]
    assert_same_bits(column)
    for field in column[::7]:
        assert_same_bits([field])
