"""Decimal numbers in text to floats, a column at once, to the same bits as `float` gives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from judge_tui.formats.judged_index import WORD, Integers, Words

__all__ = ["floats"]

Floats = NDArray[np.float64]

_ZEROS = np.uint64(0x3030303030303030)
_DOTS = np.uint64(0x2E2E2E2E2E2E2E2E)
_ONES = np.uint64(0x0101010101010101)
_HIGH = np.uint64(0x8080808080808080)
_TENS = 10 ** np.arange(19, dtype=np.int64)
_POWERS = 10.0 ** np.arange(23)  # the powers of ten that a double holds exactly
_EXACT = 1 << 53
_MINUS = ord("-")


def floats(buffer: bytearray, words: Words, starts: Integers, lengths: Integers) -> Floats | None:
    """The numbers in n fields of `buffer`; None where one is no decimal number.

    A field of up to eight digits before the point and sixteen behind it is read eight digits a
    step as an integer, and divided by a power of ten: both are exact in a double up to 2^53 and
    10^22, so that the one rounding is the right one (Clinger, PLDI 1990). Any other is given to
    `float`.
    """
    negative = words[starts] & np.uint64(0xFF) == np.uint64(_MINUS)
    some_negative = bool(negative.any())
    first = starts + negative if some_negative else starts
    size = lengths - negative if some_negative else lengths

    point = np.minimum(_point(words, first, size), size)
    behind = np.maximum(size - point - 1, 0)
    whole, odd = _digits(words, first, point)
    odd |= (point > WORD) | (behind > 2 * WORD) | (point + behind == 0)
    near = np.minimum(behind, WORD)
    part, odd_part = _digits(words, first + point + 1, near)
    odd |= odd_part
    number = whole * _TENS[near] + part
    if int(behind.max(initial=0)) > WORD:
        far = np.flatnonzero((behind > WORD) & ~odd)
        more = behind[far] - WORD
        part, odd_part = _digits(words, (first + point + 1 + WORD)[far], more)
        fits = number[far] < _EXACT // _TENS[more]
        number[far] = np.where(fits, number[far], 0) * _TENS[more] + part
        odd[far] |= odd_part | ~fits
    odd |= number >= _EXACT
    values = number / _POWERS[np.minimum(behind, 22)]
    if some_negative:
        values = np.where(negative, -values, values)
    if odd.any():
        rows = np.flatnonzero(odd)
        spans = zip(starts[rows].tolist(), lengths[rows].tolist(), strict=True)
        fields = [bytes(buffer[start : start + length]) for start, length in spans]
        # float() would take 1_000 for a number.
        if any(b"_" in field for field in fields):
            return None
        try:
            values[rows] = [float(field) for field in fields]
        except ValueError:
            return None
    return values


def _point(words: Words, starts: Integers, lengths: Integers) -> Integers:
    """How many bytes stand before the point; the whole length where the first eight have none."""
    zero = words[starts] ^ _DOTS
    # The lowest byte that is zero gets its high bit set, and none below it does.
    marks = (zero - _ONES) & ~zero & _HIGH
    before = np.bitwise_count((marks & (~marks + np.uint64(1))) - np.uint64(1)) >> 3
    return np.where(marks == 0, lengths, before.astype(np.int64))


def _digits(
    words: Words, starts: Integers, lengths: Integers
) -> tuple[Integers, NDArray[np.bool_]]:
    """The value of the first `lengths` digits, 0 to 8 of them, and where something else stands."""
    shift = (np.clip(lengths, 0, WORD) << 3).astype(np.uint64)
    blank = shift == 0
    # To the right end of the word, with zeros before it: the first digit is the lowest byte.
    text = np.where(blank, np.uint64(0), words[starts] << (np.uint64(64) - shift & np.uint64(63)))
    text |= np.where(shift == 64, np.uint64(0), _ZEROS >> (shift & np.uint64(63)))
    odd = ((text ^ _ZEROS) + np.uint64(0x0606060606060606) | (text ^ _ZEROS)) & np.uint64(
        0xF0F0F0F0F0F0F0F0
    ) != 0
    text = text & np.uint64(0x0F0F0F0F0F0F0F0F)
    text = text * np.uint64(2561) >> np.uint64(8)
    text = (text & np.uint64(0x00FF00FF00FF00FF)) * np.uint64(6553601) >> np.uint64(16)
    text = (text & np.uint64(0x0000FFFF0000FFFF)) * np.uint64(42949672960001) >> np.uint64(32)
    return text.astype(np.int64), odd
