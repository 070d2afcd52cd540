"""What holds for the readings of all kinds of documents."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge_tui.formats.excerpt import Excerpt
from judge_tui.model import Document
from judge_tui.tui.reading import PlainReading, has_rendering, nature_of, reading_of
from tests.tui.reading.readings import whole

KINDS = ["text", "markdown", "html", "python", "javascript"]

SCRAPS = [
    *(
        "word ",
        "two  words",
        "\n",
        "\n\n",
        "\t",
        "    ",
        "- ",
        "1. ",
        "> ",
        "# ",
        "```\n",
        "~~~py\n",
    ),
    *("*", "**", "`", "[a](b)", "[a]: b", "![i](j)", "|", "|-|-|\n", "---\n", "\\", "<!--", "-->"),
    *("<p>", "</p>", "<b>", "<ul><li>", "</ul>", "<table><tr><td>", "</table>", "<pre>", "</pre>"),
    *("<script>", "</script>", "&amp;", "&#27;", "<br>", "<h2>", "<a href=x>", "</a>", "<", ">"),
    *("def f(x):\n", '"""', "'", "/*", "*/", "// c\n", "0x1f", "{", "}", "if (a) "),
    *("\x1b[31m", "\x9b", "\0", "\r", "\r\n", "\x7f", "\u202e", "\u200b", "\u2028", "\ufeff"),
    *("漢字", "👩\u200d🚀", "e\u0301", "שלום", "\U000e0041", "\x85", "\x0c"),
]
texts = (
    st.lists(st.sampled_from(SCRAPS) | st.text(max_size=3), max_size=60)
    .map("".join)
    .filter(lambda text: text.isascii() or text.encode("utf-8", "replace").decode() == text)
)
excerpts = st.booleans()


def document(text: str, kind: str, *, excerpt: bool = False) -> Document:
    meta = (
        Excerpt(
            "a", 3, 3 + text.count("\n"), 999, "0" * 64, "one\n\ttwo\x1b\n", "after\n"
        ).as_meta()
        if excerpt
        else {}
    )
    return Document("d", text=text, kind=kind, meta=meta)


@pytest.mark.parametrize("kind", KINDS)
@example(text="\U0001f469\u200d\U0001f680", step=1, raw=False, excerpt=False)
@given(text=texts, step=st.integers(1, 200), raw=st.booleans(), excerpt=excerpts)
def test_all_steps_give_the_same_text_in_the_same_styles(
    kind: str, text: str, step: int, raw: bool, excerpt: bool
) -> None:
    given_document = document(text * 5, kind, excerpt=excerpt)
    assert whole(reading_of(given_document, raw=raw), step) == whole(
        reading_of(given_document, raw=raw), 100_000
    )


@pytest.mark.parametrize("kind", KINDS)
@given(text=texts)
def test_raw_is_the_text_as_it_stands(kind: str, text: str) -> None:
    shown, _ = whole(reading_of(document(text, kind), raw=True))
    assert shown == whole(PlainReading(text))[0]


@pytest.mark.parametrize("kind", ["text", "python", "markdown"])
@given(text=texts)
def test_lines_are_numbered_as_they_are_in_the_file(kind: str, text: str) -> None:
    """Each numbered line of the reading is that line of the file."""
    before, after = "one\ntwo\n", "last but one\nlast"
    if not text.endswith("\n"):
        text += "\n"
    lines = (before + text + after).split("\n")
    count = text.count("\n")
    excerpt = Excerpt("a", 3, 2 + count, len(lines), "0" * 64, before, after)
    reading = reading_of(Document("d", text=text, kind=kind, meta=excerpt.as_meta()), raw=True)
    shown = whole(reading)[0].split("\n")
    assert reading.first_line == 1
    assert reading.last_line == len(lines)
    numbered = [line for at, line in enumerate(shown) if at not in reading.unnumbered]
    assert numbered == whole(PlainReading("\n".join(lines)))[0].split("\n")
    assert [shown[at] for at in reading.unnumbered] == ["─" * 40] * 2
    assert reading.start_line == 3
    assert shown[reading.start_line] == numbered[2]


def test_what_has_a_rendering() -> None:
    assert [has_rendering(document("x", kind)) for kind in KINDS] == [
        False,
        True,
        True,
        False,
        False,
    ]
    assert [nature_of(document("x", kind)).kind for kind in KINDS] == [
        *("text", "markdown", "html", "code", "code")
    ]
