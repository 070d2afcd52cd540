"""Ids such as `src/app.py:2-3`, whose text is lines of a file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import pytest

from judge_tui.errors import InputError
from judge_tui.formats.checkout import Excerpt, read_checkout
from judge_tui.model import Document


def documents(ids: Iterable[str], root: Path) -> list[Document]:
    """Those of ids that are all there."""
    missing: list[str] = []
    found = list(read_checkout(ids, root, lambda doc_id, _: missing.append(doc_id)))
    assert missing == []
    return found


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    (root / "src").mkdir(parents=True)
    (root / "src" / "app.py").write_bytes("one\ntwo\r\nthr\u2028ee\x0cx\nfour".encode())
    (root / "empty").write_bytes(b"")
    (root / "odd").write_text("one\ntwo\n")
    (root / "odd:2").write_text("all of it\n")
    (root / "odd:1-2").write_text("all of that\n")
    (root / "binary").write_bytes(b"\0\1")
    (root / "latin").write_bytes(b"caf\xe9\n")
    (tmp_path / "outside.txt").write_text("secret\n")
    (tmp_path / "checkout-old").write_text("secret\n")
    (root / "link").symlink_to(tmp_path / "outside.txt")
    (root / "folder").symlink_to(tmp_path)
    (root / "inner").symlink_to("src/app.py")
    return root


@pytest.mark.parametrize(
    ("doc_id", "text"),
    [
        ("src/app.py:1-1", "one\n"),
        ("src/app.py:2-3", "two\r\nthr\u2028ee\x0cx\n"),
        ("src/app.py:4-4", "four"),
        ("src/app.py", "one\ntwo\r\nthr\u2028ee\x0cx\nfour"),
        ("src/../src/./app.py:1-1", "one\n"),
        ("inner:1-1", "one\n"),
        ("empty", ""),
        ("src/app.py#L1", "one\n"),
        ("src/app.py#L2-L3", "two\r\nthr\u2028ee\x0cx\n"),
        ("src/app.py#L2C1-L2C3", "two\r\n"),
        ("src/app.py:2", "two\r\n"),
        ("odd:2:1", "all of it\n"),
        ("odd:2", "all of it\n"),
        ("odd:1-2", "all of that\n"),
    ],
)
def test_lines_are_counted_from_one_and_both_ends_included(
    root: Path, doc_id: str, text: str
) -> None:
    assert [(d.doc_id, d.text) for d in documents([doc_id], root)] == [(doc_id, text)]


@pytest.mark.parametrize(
    ("doc_id", "why"),
    [
        ("src/none.py:1-2", "'src/none.py' is not there"),
        ("src/app.py:3-5", "'src/app.py' has 4 lines, not 5"),
        ("empty:1-1", "'empty' has 0 lines, not 1"),
        ("src/app.py:0-1", "lines 0-1 are not a range counted from 1"),
        ("src", "'src' is not a file"),
        ("", "'' is not a file"),
        ("../outside.txt", "'../outside.txt' leads out of the folder"),
        ("src/../../outside.txt:1-1", "'src/../../outside.txt' leads out of the folder"),
        ("../checkout-old", "'../checkout-old' leads out of the folder"),
        ("link:1-1", "'link' leads out of the folder"),
        ("folder/outside.txt", "'folder/outside.txt' leads out of the folder"),
        ("/", "'/' leads out of the folder"),
        ("binary", "'binary' is binary"),
        ("latin", "'latin' is not UTF-8 (byte 4)"),
        ("a\0b", "cannot be read: embedded null byte"),
        ("x" * 5000, "cannot be read: File name too long"),
        ("src/app.py:0", "lines 0-0 are not a range counted from 1"),
        ("src/app.py:1-9999999999", "is not there"),
        ("src/app.py:1-٢", "is not there"),
        ("src/app.py#L3-L2", "lines 3-2 are not a range counted from 1"),
    ],
)
def test_what_cannot_be_had_is_told_and_the_rest_is_read(root: Path, doc_id: str, why: str) -> None:
    missing: list[tuple[str, str]] = []
    found = list(
        read_checkout(["empty", doc_id, "src/app.py:1-1"], root, lambda *a: missing.append(a))
    )
    assert [document.doc_id for document in found] == ["empty", "src/app.py:1-1"]
    assert [name for name, _ in missing] == [doc_id]
    assert why in missing[0][1]


def test_an_excerpt_knows_its_place_and_its_neighbours(root: Path) -> None:
    data = "".join(f"line {number}\n" for number in range(1, 41)).encode()
    (root / "long.md").write_bytes(data)
    (document,) = documents(["long.md:20-22"], root)
    excerpt = Excerpt.of(document.meta)
    assert document == Document(
        "long.md:20-22",
        text="line 20\nline 21\nline 22\n",
        kind="markdown",
        meta={
            "checkout": {
                "path": "long.md",
                "start": 20,
                "end": 22,
                "lines": 40,
                "sha256": hashlib.sha256(data).hexdigest(),
                "before": "".join(f"line {number}\n" for number in range(10, 20)),
                "after": "".join(f"line {number}\n" for number in range(23, 33)),
            }
        },
    )
    assert excerpt is not None
    assert excerpt.first_line == 10
    assert excerpt.as_meta() == document.meta


def test_context_ends_with_the_file_and_with_long_lines(root: Path) -> None:
    (root / "wide.txt").write_text(f"{'x' * 3000}\nnear\nown\nlast")
    (document,) = documents(["wide.txt:3-3"], root)
    excerpt = Excerpt.of(document.meta)
    assert excerpt is not None
    assert (excerpt.before, excerpt.after) == ("near\n", "last")


@pytest.mark.parametrize(
    "change",
    [
        {"start": "1"},
        {"start": True},
        {"before": ["one"]},
        {"path": None},
        {"branch": "main"},
    ],
)
def test_what_users_keep_under_the_same_key_is_theirs(change: dict[str, object]) -> None:
    sound = {"path": "a", "start": 2, "end": 3, "lines": 3, "sha256": "0" * 64}
    sound |= {"before": "", "after": ""}
    assert Excerpt.of({"checkout": sound}) is not None
    assert Excerpt.of({"checkout": sound | change}) is None
    assert Excerpt.of({"checkout": "main"}) is None
    assert Excerpt.of({}) is None


def test_a_root_may_be_a_link_and_must_be_a_folder(root: Path, tmp_path: Path) -> None:
    for wrong in (root / "none", root / "empty"):
        with pytest.raises(InputError, match="there is no such folder; give the folder of"):
            list(documents(["a"], wrong))
    (tmp_path / "current").symlink_to(root)
    assert [d.text for d in documents(["src/app.py:1-1"], tmp_path / "current")] == ["one\n"]
