"""Truths that are no doc_ids: what a result must be to be right, and the matrix of both."""

from __future__ import annotations

from itertools import permutations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.scoring.answers import hits_of
from judge_tui.truths import Place, Truth, place_of


def by_place(written: str, grade: int = 1) -> Truth:
    return Truth(written, grade, place=place_of(written))


def by_pattern(written: str, grade: int = 1) -> Truth:
    return Truth(written, grade, pattern=regex.compile(written))


@pytest.mark.parametrize(
    ("doc_id", "path", "lines"),
    [
        ("src/a.py", "src/a.py", None),
        ("src/a.py:3-9", "src/a.py", (3, 9)),
        ("src/a.py#L3-L9", "src/a.py", (3, 9)),
        ("src/a.py#L3", "src/a.py", (3, 3)),
        ("./src/a.py:3-9", "src/a.py", (3, 9)),
        ("src/a.py:9-3", "src/a.py:9-3", None),
        ("src/a.py:9", "src/a.py", (9, 9)),
        ("src/a.py#L3-4", "src/a.py", (3, 4)),
        ("src/a.py#L3C1-L4C2", "src/a.py", (3, 4)),
        ("src/a.py#L3C7", "src/a.py", (3, 3)),
        ("src/a.py:0", "src/a.py", (0, 0)),
        ("src/a.py:000", "src/a.py", (0, 0)),
        ("src/a.py:09", "src/a.py", (9, 9)),
        ("src/a.py:1234567890", "src/a.py:1234567890", None),
        ("http://localhost:8080/a", "http://localhost:8080/a", None),
        ("C:\\src\\a.py:1-2", "C:\\src\\a.py", (1, 2)),
        ("/home/ann/a.py", "/home/ann/a.py", None),
        ("a b.py:1-2", "a b.py", (1, 2)),
        ("é.py", "é.py", None),
    ],
)
def test_a_doc_id_names_a_place(doc_id: str, path: str, lines: tuple[int, int] | None) -> None:
    assert place_of(doc_id) == Place(path, lines)


@pytest.mark.parametrize(
    ("truth", "right", "wrong"),
    [
        # Both ends are among the lines; a whole file has a line in common with any of its lines.
        (
            "src/a.py:10-20",
            ["src/a.py:20-30", "src/a.py:1-10", "src/a.py:12-12", "src/a.py#L15", "./src/a.py"],
            ["src/a.py:21-30", "src/a.py:1-9", "src/b.py:10-20", "lib/src/a.py:10-20", "src/a.pyi"],
        ),
        (
            "src/a.py",
            # Pieces may be counted from 0: the first one is a piece of the file all the same.
            [
                "src/a.py",
                "./src/a.py",
                "src/a.py:1-2",
                "src/a.py#L7-L9",
                "src/a.py:0",
            ],
            ["a.py", "/src/a.py", "src/a.py.bak", "src\\a.py", "SRC/a.py", "../src/a.py"],
        ),
        (
            "src/a.py:12",
            ["src/a.py:12", "src/a.py:10-20", "src/a.py#L12C1-L13C5", "src/a.py"],
            ["src/a.py:11", "src/a.py:120", "src/a.py#L1-2", "src/a.py:11:12"],
        ),
        ("src/a.py:1-20", ["src/a.py:20", "src/a.py#L7-8"], ["src/a.py:21", "src/a.py:0"]),
        # What only looks like lines is right as the text that it is.
        ("urn:oid:12", ["urn:oid:12"], ["urn:oid:13"]),
        ("./src/a.py", ["src/a.py", "./src/a.py:3-4"], ["a.py"]),
        ("notes:0", ["notes:0", "notes:0-40", "notes"], ["notes:1", "notes:40-80"]),
        ("doc 7", ["doc 7"], ["doc%207", "doc  7"]),
        ("src", ["src", "src:1-2"], ["src/a.py"]),
    ],
)
def test_a_place_is_matched_by_what_has_a_line_in_common(
    truth: str, right: list[str], wrong: list[str]
) -> None:
    assert [doc_id for doc_id in right + wrong if by_place(truth).matches(doc_id)] == right


def test_a_pattern_is_sought_anywhere_in_the_doc_id() -> None:
    ids = ["docs/a.md", "docs/a.mdx", "x/docs/a.md", "docs/a.md:1-2"]
    assert [one for one in ids if by_pattern(r"docs/a\.md").matches(one)] == ids
    assert [one for one in ids if by_pattern(r"^docs/a\.md(:|$)").matches(one)] == [ids[0], ids[3]]


def test_a_pattern_that_reads_like_a_path_is_another_truth() -> None:
    assert by_place("a.py").key != by_pattern("a.py").key


def test_first_hits_and_best_grades() -> None:
    truths = [by_place("a:5-6", 1), by_place("a", 2), by_pattern("^b", 3), by_place("z", 1)]
    found = hits_of(truths, ["x", "a:1-2", "b", "a:6-9", "bb"])
    assert found.hits == [(2, 2), (3, 3), (4, 1)]
    assert found.best == {2: 2, 3: 3, 4: 2, 5: 3}
    assert found.retrieved == 5


hits = st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3)), max_size=5)


@given(hits)
def test_no_other_order_of_credit_gains_more(pairs: list[tuple[int, int]]) -> None:
    """Brute force: every assignment of truths to ranks of their own, none before its first hit."""
    truths = [
        Truth(f"t{number}", grade, pattern=regex.compile(f"<{number}>"))
        for number, (_, grade) in enumerate(pairs)
    ]
    doc_ids = [
        "".join(f"<{number}>" for number, (hit, _) in enumerate(pairs) if hit == rank)
        for rank in range(1, 6)
    ]
    view = hits_of(truths, doc_ids).credited
    assert sorted(grade for _, grade in view) == sorted(grade for _, grade in pairs)
    assert len({rank for rank, _ in view}) == len(pairs)
    for weights in ([16, 8, 4, 2, 1, 1, 1, 1, 1, 1], [5, 5, 5, 1, 1, 1, 0, 0, 0, 0]):

        def gain(placed: list[tuple[int, int]], weights: list[int] = weights) -> int:
            return sum(grade * weights[rank - 1] for rank, grade in placed)

        best = 0
        for order in permutations(pairs):
            rank, placed = 0, []
            for hit, grade in order:
                rank = max(rank + 1, hit)
                placed.append((rank, grade))
            best = max(best, gain(placed))
        assert gain(list(view)) == best
