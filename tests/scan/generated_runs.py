"""Runs and qrels as hypothesis makes them: tidy ones, untidy ones, and bytes that are no run."""

from __future__ import annotations

import random

from hypothesis import strategies as st

QUERIES = ["1", "10", "2", "q-é", "12345678", "123456789", "a-query-of-24-bytes-in-all", "q1"]

# Alike in their first 8, 16, 24 bytes, or in all but their length; white space only to Unicode.
DOCS = [
    *("d", "d1", "d10", "d2", "D1", "1", "-"),
    *("document", "document1", "document2", "documen"),
    *("clueweb09-en0000", "clueweb09-en0000-1", "clueweb09-en0000-2", "clueweb09-en0001"),
    *("http://a.b/24-bytes-long", "http://a.b/24-bytes-long1", "http://a.b/24-bytes-long2"),
    *("ä", "a\u200bb", "𝔸", "%20", "\ufeffd1"),
    *("x" * 300 + "1", "x" * 300 + "2"),
]


def _grades(seed: int, share: float) -> dict[str, dict[str, int]]:
    source = random.Random(seed)
    return {
        query: {doc: source.randint(-2, 4) for doc in DOCS if source.random() < share}
        for query in QUERIES
        if source.random() < 0.8
    }


GRADES = st.builds(_grades, st.integers(0, 1 << 16), st.sampled_from([0.0, 0.03, 0.3, 0.9]))
"""Qrels, of which some have a grade for nearly everything: a wrong rank is then seen."""

_SHORT = st.integers(-20, 20).map(lambda n: f"{n / 4:.2f}")  # few values, so many ties
_TIDY_SCORES = st.one_of(
    _SHORT,
    st.integers(-(10**6), 10**6).map(str),
    st.floats(-1e30, 1e30).map(repr),
    st.floats(-1e9, 1e9).map(lambda x: f"{x:.6f}"),
    st.floats(allow_nan=False, allow_infinity=False, width=32).map(lambda x: f"{x:.3e}"),
    # 32-bit rounding makes a tie of the first two, and of the last two zeros.
    st.sampled_from(["20.0000001", "20.0000002", "-0.0", "0", "1e-50", "0e5", "1e39"]),
    st.sampled_from(["1e5", "1E2", "+1.5", ".5", "5.", "00012.50", "1e+05", "-2e-05", "1e308"]),
    st.sampled_from(["123456789012345678901234567890", "0.12345678901234567890", "9" * 17]),
)
SCORES = st.one_of(
    _TIDY_SCORES,
    st.sampled_from(["1e400", "-1e400", "nan", "inf", "-infinity", "0x1p3", "1_000", "12abc"]),
    st.sampled_from(["-", ".", "-.", "+", "1.2.3", "1e", "e5", "--1", "1,5", "٣", "1.5\u00a0"]),
)


@st.composite
def tidy_runs(draw: st.DrawFn) -> bytes:
    """A run without faults in a plain layout: as many fields on each line, one separator, LF or
    CRLF, one tag."""
    queries = draw(st.lists(st.sampled_from(QUERIES), min_size=1, max_size=4, unique=True))
    scores = draw(st.sampled_from([_TIDY_SCORES, _SHORT, st.integers(0, 3).map(str)]))
    tag = draw(st.sampled_from(["t", "8-bytes!", "a-tag-of-more-than-16-bytes", "é"]))
    layout = draw(
        st.sampled_from(
            [
                "{} Q0 {} 1 {} {}\n",
                "{}\tQ0\t{}\t1\t{}\t{}\r\n",
                "{}\tx {}\t0 {} {}\n",
                "{} # {}\t1.5 {} {}\r\n",
            ]
        )
    )
    lines = [
        layout.format(query, doc, draw(scores), tag)
        for query in queries
        for doc in draw(st.lists(st.sampled_from(DOCS), min_size=1, max_size=12, unique=True))
    ]
    text = "".join(lines).encode()
    return text.removesuffix(b"\n") if draw(st.booleans()) else text


@st.composite
def untidy_runs(draw: st.DrawFn) -> bytes:
    """What files hold: other separators, blank lines, comments, five or seven fields, faults here
    and there.

    Most of its lines have no fault, or no file of several lines would ever be accepted.
    """
    seldom = st.sampled_from([False] * 9 + [True]) if draw(st.booleans()) else st.just(value=False)
    queries = draw(st.lists(st.sampled_from(QUERIES), min_size=1, max_size=4))
    rows = [(query, doc) for query in queries for doc in draw(st.lists(st.sampled_from(DOCS)))]
    if draw(st.booleans()):
        rows = list(dict.fromkeys(rows))
    if draw(st.booleans()):
        rows = draw(st.permutations(rows))
    pieces = [draw(st.sampled_from([b"", b"", b"", b"\xef\xbb\xbf", b"\n", b" "]))]
    for query, doc in rows:
        fields = [query, "Q0", doc, "1", draw(_TIDY_SCORES), "t"]
        if draw(seldom):
            fields[4] = draw(SCORES)
        if draw(seldom):
            fields[5:] = draw(st.sampled_from([[], ["u"], ["t", "more"], ["é"]]))
        if draw(seldom):
            fields.insert(3, draw(st.sampled_from(["second", "7"])))
        line = draw(_SEPARATORS if draw(seldom) else st.just(b" ")).join(map(str.encode, fields))
        pieces += [line, draw(_ENDS if draw(seldom) else st.just(b"\n"))]
    if draw(seldom):
        pieces[-1] = b""
    for strays in (_STRAY, [b"# q1 Q0 d1 1 2 t\n", b" #\n", b"#\r\n"]):
        if draw(seldom):
            at = draw(st.integers(0, len(pieces)))
            pieces.insert(at, draw(st.sampled_from(strays)))
    return b"".join(pieces)


@st.composite
def touched_runs(draw: st.DrawFn) -> bytes:
    """A tidy run of which a byte or two were lost, added or changed, or a line moved or doubled."""
    data = draw(tidy_runs())
    for _ in range(draw(st.integers(0, 2))):
        if draw(st.booleans()):
            at = draw(st.integers(0, len(data)))
            lost = draw(st.integers(0, 2))
            data = data[:at] + draw(_BYTES) + data[at + lost :]
        else:
            lines = data.splitlines(keepends=True) or [b""]
            line = draw(st.sampled_from(lines))
            if draw(st.booleans()):
                lines.remove(line)
            lines.insert(draw(st.integers(0, len(lines))), line)
            data = b"".join(lines)
    return data


_TOUCHES = [*(b"%c" % byte for byte in b" \t\n\r\x0b\x0c\x1c\0\xff\x85_.-+e"), b""]
_BYTES = st.one_of(st.sampled_from(_TOUCHES), st.sampled_from([b"0", b"9", b"x", b"t", b"Q"]))
_SEPARATORS = st.sampled_from([b"\t", b"  ", b" \t", b"\x0b", b"\x0c", b"\r", b"\x1c", b"\xa0"])
_ENDS = st.sampled_from([b"\r\n", b"\n\n", b" \n", b"\t\r\n", b"\n \n", b"\r\n\r\n", b"\r", b""])
_STRAY = [b"\0", b"\xff", b"\xe9", b"\x85", b"\xc2\x85", b"\x1c", b"\x1f", b"\x7f", b"#", b"_"]

_WORDS = st.sampled_from(
    [
        *(b" ", b" ", b"\t", b"\n", b"\n", b"\r\n", b"\r", b"\x0b", b"\x0c", b"\x1c", b"\0"),
        *(b"q1", b"1", b"Q0", b"d1", b"d2", b"0.5", b"-1", b"nan", b"1_0", b"t", b"\xff", b"\xa0"),
        *(b"q1 Q0 d1 1 2.5 t\n", b"q1 Q0 d2 1 2.5 t\n", b"q1 Q0 d 1 3 t\n", b"1 0 d1 1 -7e+01 t\n"),
    ]
)
ANY_BYTES = st.one_of(st.binary(max_size=120), st.lists(_WORDS, max_size=24).map(b"".join))
"""Bytes of no shape, and of words that runs are made of."""
