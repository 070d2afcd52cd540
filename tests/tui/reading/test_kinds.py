"""What a document is told to be, and when nothing is concluded."""

from __future__ import annotations

import pytest

from judge_tui.formats.excerpt import Excerpt
from judge_tui.model import Document
from judge_tui.tui.reading.kinds import nature_of

PAGE = "<p>some text</p>"


@pytest.mark.parametrize(
    ("document", "kind", "language"),
    [
        # What the kind says holds.
        (Document("a.py", kind="text", text="x"), "text", ""),
        (Document("a", kind="Markdown"), "markdown", "markdown"),
        (Document("a", kind="text/html; charset=utf-8"), "html", "html"),
        (Document("a", kind="python"), "code", "python"),
        (Document("a", kind="text/x-c"), "code", "c"),
        # One that is no language says nothing.
        (Document("a", kind="report"), "text", ""),
        (Document("a.py", kind="function"), "code", "python"),
        # Names of files.
        (Document("src/app.py"), "code", "python"),
        (Document("src/app.py:10-20"), "code", "python"),
        (Document("src/app.js#L3-L9"), "code", "javascript"),
        (Document("README.md:1-2"), "markdown", "markdown"),
        (Document("Makefile"), "text", ""),
        (Document("make/Makefile"), "code", "make"),
        (Document("notes.txt"), "text", ""),
        # Names of something else.
        (Document("csv.reader"), "text", ""),
        (Document("math.e"), "text", ""),
        (Document("list.sort"), "text", ""),
        # Addresses: the text of a page may have been taken out of its HTML already.
        (Document("a", url="https://x/y.html", text="no tags"), "text", ""),
        (Document("a", url="https://x/y.html?q#f", text=PAGE), "html", "html"),
        (Document("https://x/src/y.go#L5"), "code", "go"),
        (Document("https://x/y.php", text="a page"), "text", ""),
        (Document("https://x.py/"), "text", ""),
        (Document("http://[", url="http://["), "text", ""),
        # The beginning of the text.
        (Document("a", text="\ufeff\n<!DOCTYPE html><p>"), "html", "html"),
        (Document("a", text='<?xml version="1.0"?>\n<html>'), "html", "html"),
        (Document("a", text="<html is what I ask about"), "html", "html"),
        (Document("a", text="#!/usr/bin/env python3\nx"), "code", "python"),
        (Document("a", text="#!/bin/bash -e\nx"), "code", "bash"),
        (Document("a", text="#!/usr/bin/env -S node x\n"), "code", "javascript"),
        (Document("a", text="#! is a shebang"), "text", ""),
        (Document("a", text="#!"), "text", ""),
        (Document("a", text="# not Markdown for sure"), "text", ""),
        (Document("a", text="a < b > c"), "text", ""),
        (Document(""), "text", ""),
    ],
)
def test_told_by_kind_by_name_by_beginning(document: Document, kind: str, language: str) -> None:
    assert nature_of(document) == (kind, language)


def test_what_is_read_from_a_checkout_is_told_by_its_path() -> None:
    excerpt = Excerpt("pages/a.html", 1, 1, 1, "0" * 64)
    document = Document("pages/a.html:1-1", text="no tags here", meta=excerpt.as_meta())
    assert nature_of(document).kind == "html"
