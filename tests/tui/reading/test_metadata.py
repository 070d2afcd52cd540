"""What is shown of a document without a text."""

from __future__ import annotations

from judge_tui.formats.excerpt import Excerpt
from judge_tui.model import Document
from judge_tui.tui.reading import metadata_text


def test_keys_stand_below_each_other() -> None:
    meta = {"year": 2024, "authors": ["Ann", "Bob"], "x": {"é": None}, "note": "two\nlines\n"}
    assert metadata_text(Document("d", url="http://x", meta=meta)) == (
        "url:     http://x\n"
        "year:    2024\n"
        'authors: ["Ann", "Bob"]\n'
        'x:       {"é": null}\n'
        "note:    two\n"
        "         lines"
    )


def test_nothing_known_is_nothing_shown() -> None:
    assert metadata_text(Document("d")) == ""


def test_what_comes_from_outside_is_made_visible() -> None:
    meta = {"a\x1b\n": "\x1b]0;t\x07\u202e"}
    assert metadata_text(Document("d", meta=meta)) == "a␛␊: ␛]0;t␇\ufffd"


def test_where_it_was_read_from_is_left_out_and_nothing_else() -> None:
    excerpt = Excerpt("a", 1, 1, 1, "0" * 64).as_meta()
    assert metadata_text(Document("d", meta=excerpt | {"k": "v"})) == "k: v"
    assert metadata_text(Document("d", meta={"checkout": "main"})) == "checkout: main"
