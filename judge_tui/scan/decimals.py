"""Decimal numbers in text to floats, a column at once, to the same bits as `float` gives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from judge_tui.arrays import Floats, Ints
from judge_tui.scan.words import WORD, Words

_ZEROS = np.uint64(0x3030303030303030)
_DOTS = np.uint64(0x2E2E2E2E2E2E2E2E)
_ONES = np.uint64(0x0101010101010101)
_HIGH = np.uint64(0x8080808080808080)
_TENS = 10 ** np.arange(19, dtype=np.int64)
_POWERS = 10.0 ** np.arange(23)  # the powers of ten that a double holds exactly
_MOST_EXACT = 22
_LONG_POWERS = np.array([np.longdouble(10) ** power for power in range(_MOST_EXACT + 1)])
_EXACT = 1 << 53
_GREATEST = 10**18
# Less the code of 0 a digit is 0 to 9: then neither it nor it and six reaches the high half.
_SIXES = np.uint64(0x0606060606060606)
_HIGH_HALVES = np.uint64(0xF0F0F0F0F0F0F0F0)
_LOW_HALVES = np.uint64(0x0F0F0F0F0F0F0F0F)
_LAST = np.array([(1 << 64) - (1 << (64 - 8 * size)) for size in range(WORD + 1)], dtype=np.uint64)
"""Masks that keep the last 0 to 8 bytes of a word."""
_POINT = np.uint64(ord("."))
_ZERO, _MINUS = (np.uint64(ord(letter)) for letter in "0-")
_BYTE = np.uint64(0xFF)


def floats(buffer: bytearray, words: Words, ends: Ints, lengths: Ints) -> Floats | None:
    """Read the numbers in n fields of `buffer`, given by their ends and lengths; None where one is
    no number.

    A field of up to eight digits before the point and 18 in all is read eight digits a step as an
    integer, which is divided by a power of ten: both are exact in a double up to 2^53 and 10^22, so
    that the one rounding is the right one (Clinger, PLDI 1990). Longer ones are divided in 64 bits
    where the machine has them. Any other field, and one with an exponent, is given to `float`.
    """
    alike = _alike(buffer, words, ends, lengths)
    if alike is not None:
        return alike
    starts = ends - lengths
    negative = words[starts] & _BYTE == _MINUS
    number, odd, decimals = _numbers(words, starts + negative, lengths - negative)
    odd |= decimals > _MOST_EXACT
    power = np.minimum(decimals, _MOST_EXACT)
    values: Floats = number / _POWERS[power]
    long = np.flatnonzero((number >= _EXACT) & ~odd)
    if len(long):
        values[long], odd[long] = _long_quotients(number[long], power[long])
    values = np.where(negative, -values, values)
    if odd.any():
        rows = np.flatnonzero(odd)
        spans = zip(starts[rows].tolist(), ends[rows].tolist(), strict=True)
        fields = [buffer[start:end] for start, end in spans]
        # float() would take 1_000 for a number.
        if b"_" in b"".join(fields):
            return None
        try:
            values[rows] = list(map(float, fields))
        except ValueError:
            return None
    return values


def _alike(buffer: bytearray, words: Words, ends: Ints, lengths: Ints) -> Floats | None:
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
    digits = words[at]
    digits ^= _ZEROS
    digits &= _LAST[before]
    if point:
        behind = words[ends - WORD]
        behind ^= _ZEROS
        bits = np.uint64(8 * (WORD - 1 - decimals))
        # Where all have a point, no bit differs from one.
        if np.bitwise_or.reduce(behind ^ (_POINT ^ _ZERO) << bits) & _BYTE << bits:
            return None
        behind &= _LAST[decimals]
        digits >>= np.uint64(8 * decimals)
        digits |= behind
    if np.bitwise_or.reduce(digits + _SIXES | digits) & _HIGH_HALVES:
        return None
    values: Floats = _value(digits) / _POWERS[decimals]
    return values


def _numbers(words: Words, starts: Ints, lengths: Ints) -> tuple[Ints, NDArray[np.bool_], Ints]:
    """Return the digits of n fields as one integer each, a mask of the fields where that fails, and
    their numbers of decimals."""
    point = np.minimum(_point(words, starts, lengths), lengths)
    decimals = np.maximum(lengths - point - 1, 0)
    number, odd = _digits(words, starts, point)
    odd |= (point > WORD) | (point + decimals <= 0)
    rest, at = decimals, starts + point + 1
    while True:
        some = np.flatnonzero((rest > 0) & ~odd)
        if not len(some):
            return number, odd, decimals
        more = np.minimum(rest[some], WORD)
        part, odd_part = _digits(words, at[some], more)
        fits = number[some] < _GREATEST // _TENS[more]
        number[some] = np.where(fits, number[some], 0) * _TENS[more] + part
        odd[some] |= odd_part | ~fits
        rest, at = rest - WORD, at + WORD


def _long_quotients(numbers: Ints, decimals: Ints) -> tuple[Floats, NDArray[np.bool_]]:
    """`numbers` / 10^`decimals`, and where the last bit is not sure.

    The quotient in 64 bits is within half a unit of the true one. Rounded once more to 53 it is
    right, unless it lies just in the middle of two doubles: then the true one may be on either
    side. Where a long double is not of 64 bits, nothing is sure.
    """
    if np.finfo(np.longdouble).nmant != 63:
        return np.zeros(len(numbers)), np.ones(len(numbers), dtype=bool)
    quotients = numbers.astype(np.longdouble) / _LONG_POWERS[decimals]
    bits = np.frombuffer(quotients.tobytes(), dtype=np.uint64)[::2]
    return quotients.astype(np.float64), bits & np.uint64(2047) == np.uint64(1024)


def _point(words: Words, starts: Ints, lengths: Ints) -> Ints:
    """Count the bytes before the point; the whole length where the first eight have none."""
    zero = words[starts] ^ _DOTS
    # The lowest byte that is zero gets its high bit set, and none below it does.
    marks = (zero - _ONES) & ~zero & _HIGH
    before = np.bitwise_count((marks & (~marks + np.uint64(1))) - np.uint64(1)) >> 3
    return np.where(marks == 0, lengths, before.astype(np.int64))


def _digits(words: Words, starts: Ints, lengths: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the value of the first `lengths` digits, 0 to 8 of them, and a mask of the fields with
    something else among them."""
    shift = (np.clip(lengths, 0, WORD) << 3).astype(np.uint64)
    blank = shift == 0
    # To the right end of the word, with zeros before it: the first digit is the lowest byte.
    text = np.where(blank, np.uint64(0), words[starts] << (np.uint64(64) - shift & np.uint64(63)))
    text |= np.where(shift == 64, np.uint64(0), _ZEROS >> (shift & np.uint64(63)))
    text ^= _ZEROS
    odd = (text + _SIXES | text) & _HIGH_HALVES != 0
    return _value(text & _LOW_HALVES), odd


def _value(digits: Words) -> Ints:
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
