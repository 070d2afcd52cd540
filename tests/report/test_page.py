"""A page in its two forms: whatever is said comes out as it was meant, and as nothing else."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from judge_tui.report.grids import Column, Grid, Toned, number
from judge_tui.report.page import page_html, page_markdown
from judge_tui.report.page.content import Figure, Page, Paragraph, Points, Section, Table, Terms
from judge_tui.report.plots import Bars, Histogram, Interval, Intervals, Series
from judge_tui.visible import visible_line
from tests.report.read_page import ReadPage

texts = st.text(min_size=1, max_size=60) | st.sampled_from(
    [
        "<script>alert(1)</script>",
        "</title></style></svg><img src=x>",
        "&lt;b&gt; &amp; &#60;",
        "[a](javascript:x) ![b](//evil) `c` **d** | e",
        "1. one",
        "- two",
        "# three",
        "    four",
        "\x1b]0;owned\x07\u202e\x00\ufffe",
    ]
)


def page_of(text: str) -> Page:
    """The text in every place that text can have."""
    columns = [Column(text, right=False), Column("value", number), Column("b", right=False)]
    grid = Grid(text, columns, [(text, 0.5, Toned(text, "good")), (text, None, None)])
    pictures = [
        Intervals(
            f"intervals {text}", text, [Interval(text, 0.5, 0.4, 0.6, words=text)], note=text
        ),
        Bars(f"bars {text}", text, [text], [0.5], note=text),
        Histogram(f"histogram {text}", text, [text], [Series(text, [1])], axis=text, note=text),
    ]
    blocks = [Paragraph(text), Points([text]), Terms([(text, text)]), Table(grid, text)]
    return Page(
        text,
        [Paragraph(text, strong=True)],
        [Section("first", text, [*blocks, *map(Figure, pictures)])],
    )


@given(texts)
def test_html_says_every_text_as_it_is_and_nothing_else(text: str) -> None:
    read = ReadPage(page_html(page_of(text)))  # refuses what no page may hold
    said = visible_line(text)
    assert read.sections["first"] == said
    assert read.tables[said] == [
        [said, "value", "b"],
        [said, "0.5000", said],
        [said, "-", "-"],
    ]


@given(texts)
def test_markdown_says_every_text_as_it_is_and_nothing_else(text: str) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(page_markdown(page_of(text)))
    kinds = {token.type for token in tokens}
    inside = {child.type for token in tokens for child in token.children or ()}
    assert "html_block" not in kinds
    assert "fence" not in kinds
    assert "code_block" not in kinds
    assert inside <= {"text", "strong_open", "strong_close", "text_special"}
    headings = [
        "".join(child.content for child in tokens[place + 1].children or ())
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag in ("h1", "h2")
    ]
    said = visible_line(text).strip()
    assert [re.sub(r"\s+", " ", one) for one in headings] == [
        re.sub(r"\s+", " ", one) for one in (said, "The answer", said)
    ]


def test_what_stands_above_a_picture_folds_as_text_of_the_page() -> None:
    note = "Whiskers: 95 % intervals. " * 6
    picture = Intervals("how good", "nDCG@10", [Interval("a", 0.5, 0.4, 0.6)], note=note.strip())
    html = page_html(Page("p", [], [Section("a", "A", [Figure(picture)])]))
    (above,) = re.findall(r"<figcaption>(.*?)</figcaption>", html, re.DOTALL)
    assert re.sub(r"<[^>]+>|\n", " ", above).split() == ["how", "good", *note.split()]
    drawn = "".join(re.findall(r"<text[^>]*>([^<]*)</text>", html))
    assert "Whiskers" not in drawn
    assert "how good" not in drawn


def test_only_long_words_may_be_broken_anywhere() -> None:
    tag = "production_index_2024_with_everything"
    grid = Grid("t", [Column("system", right=False), Column(tag, number)], [(tag, 0.5), ("a b", 1)])
    html = page_html(Page("p", [], [Section("a", "A", [Table(grid)])]))
    assert f'<td class="b">{tag}</td>' in html
    assert f'<th scope="col" class="n b">{tag}</th>' in html
    assert "<td>a b</td>" in html
    assert ".b{overflow-wrap:anywhere" in html
