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
_SIXES = np.uint64(0x0606060606060606)
_HIGH_HALVES = np.uint64(0xF0F0F0F0F0F0F0F0)
_LOW_HALVES = np.uint64(0x0F0F0F0F0F0F0F0F)
_LAST = np.array([(1 << 64) - (1 << (64 - 8 * size)) for size in range(WORD + 1)], dtype=np.uint64)
"""Masks that keep the last 0 to 8 bytes of a word."""
_POINT = np.uint64(ord("."))
_MINUS = ord("-")


def floats(buffer: bytearray, words: Words, ends: Integers, lengths: Integers) -> Floats | None:
    """The numbers in n fields of `buffer`, given by where they end; None where one is none.

    A field of up to eight digits before the point and sixteen behind it is read eight digits a
    step as an integer, and divided by a power of ten: both are exact in a double up to 2^53 and
    10^22, so that the one rounding is the right one (Clinger, PLDI 1990). Any other is given to
    `float`.
    """
    alike = _alike(buffer, words, ends, lengths)
    if alike is not None:
        return alike
    starts = ends - lengths
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


def _alike(buffer: bytearray, words: Words, ends: Integers, lengths: Integers) -> Floats | None:
    """`floats` where all have one number of decimals, no sign and eight digits at most; or None."""
    field = buffer[int(ends[0] - lengths[0]) : int(ends[0])]
    _, point, part = field.partition(b".")
    decimals = len(part) if point else 0
    before = lengths - (decimals + len(point))  # how many digits stand before the point
    at = ends - (decimals + len(point) + WORD)
    if (
        decimals >= WORD
        or bool(point) != bool(decimals)
        or int(before.min()) < (not point)
        or int(before.max()) > WORD - decimals
        or int(at.min()) < 0
    ):
        return None
    digits = (words[at] ^ _ZEROS) & _LAST[before]
    if point:
        behind = words[ends - WORD]
        if (behind >> np.uint64(8 * (WORD - 1 - decimals)) & np.uint64(0xFF) != _POINT).any():
            return None
        digits >>= np.uint64(8 * decimals)
        digits |= (behind ^ _ZEROS) & _LAST[decimals]
    if ((digits + _SIXES | digits) & _HIGH_HALVES).any():
        return None
    values: Floats = _value(digits) / _POWERS[decimals]
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
    text ^= _ZEROS
    odd = (text + _SIXES | text) & _HIGH_HALVES != 0
    return _value(text & _LOW_HALVES), odd


def _value(digits: Words) -> Integers:
    """Eight digits, 0 to 9 and one a byte, as a number: pairs, then fours, then all."""
    digits = digits * np.uint64(10 << 8 | 1)
    digits >>= np.uint64(8)
    digits &= np.uint64(0x00FF00FF00FF00FF)
    digits *= np.uint64(100 << 16 | 1)
    digits >>= np.uint64(16)
    digits &= np.uint64(0x0000FFFF0000FFFF)
    digits *= np.uint64(10_000 << 32 | 1)
    digits >>= np.uint64(32)
    return digits.view(np.int64)
