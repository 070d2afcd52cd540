"""A page in its two forms: whatever is said comes out as it was meant, and as nothing else."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from judge_tui.report.layout import Column, Table, Toned, number, probability
from judge_tui.report.layout import word as words
from judge_tui.report.page import page_html, page_markdown
from judge_tui.report.page.content import Block, Page, Part, Terms, sentence_of
from judge_tui.report.plots import Histogram, Interval, Intervals, Series
from judge_tui.visible import visible_line
from tests.report.read_page import ReadPage

texts = st.text(min_size=1, max_size=60) | st.sampled_from(
    [
        "<script>alert(1)</script>",
        "</title></style></svg><img src=x>",
        "&lt;b&gt; &amp; &#60;",
        "[a](javascript:x) ![b](//evil) `c` **d** | e",
        "{{ 7 * 7 }}{% raw %}",
        "1. one",
        "- two",
        "# three",
        "    four",
        "\x1b]0;owned\x07\u202e\x00\ufffe",
    ]
)


def page_with(*blocks: Block, text: str = "a") -> Page:
    """These blocks, and the text in every other place that text can have."""
    parts = [Part("first", text, text, blocks)]
    return Page(text, text, (text, text), [text], [text], [text], parts)


def page_of(text: str) -> Page:
    columns = [words("", text), Column("", "value", number), words("", "b")]
    table = Table(text, columns, [(text, 0.5, Toned(text, "good")), (text, None, None)])
    interval = Interval(text, 0.5, (0.4, 0.6), words=text)
    return page_with(
        *(text, Terms([(text, text)]), table),
        Intervals(f"intervals {text}", text, [interval], note=text),
        Histogram(f"histogram {text}", text, [text], [Series(text, [1])], axis=text, note=text),
        text=text,
    )


@given(texts)
def test_html_says_every_text_as_it_is_and_nothing_else(text: str) -> None:
    read = ReadPage(page_html(page_of(text)))  # refuses what no page may hold
    said = visible_line(text)
    assert read.sections["first"] == said
    assert read.tables[said] == [[said, "value", "b"], [said, "0.500", said], [said, "-", "-"]]


@given(texts)
def test_markdown_says_every_text_as_it_is_and_nothing_else(text: str) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(page_markdown(page_of(text)))
    kinds = {token.type for token in tokens}
    inside = {child.type for token in tokens for child in token.children or ()}
    assert not kinds & {"html_block", "fence", "code_block", "ordered_list_open"}
    assert inside <= {"text", "strong_open", "strong_close", "text_special"}
    headings = [
        "".join(child.content for child in tokens[place + 1].children or ())
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag in ("h1", "h2")
    ]
    said = re.sub(r"\s+", " ", visible_line(text).strip())
    own = ["The answer", "How sure", "What could change it", "The systems"]
    assert [re.sub(r"\s+", " ", one) for one in headings] == [said, *own, said]


def test_what_stands_above_a_picture_folds_as_text_of_the_page() -> None:
    note = "Whiskers: 95 % intervals. " * 6
    picture = Intervals("how good", "nDCG@10", [Interval("a", 0.5, (0.4, 0.6))], note=note.strip())
    html = page_html(page_with(picture))
    (above,) = re.findall(r"<figcaption>(.*?)</figcaption>", html, re.DOTALL)
    assert re.sub(r"<[^>]+>|\n", " ", above).split() == ["how", "good", *note.split()]
    assert "Whiskers" not in "".join(re.findall(r"<text[^>]*>(.*?)</text>", html))


def test_a_page_has_three_decimals_and_breaks_only_long_words() -> None:
    tag = "production_index_2024_with_everything"
    columns = [words("", "system"), Column("", tag, number), Column("", "p", probability)]
    html = page_html(page_with(Table("t", columns, [(tag, 0.12345, 1e-9), ("a", 1, 0.04)])))
    assert f'<td class="t b">{tag}</td>' in html
    assert f'<th scope="col" class="n t b">{tag}</th>' in html
    assert '<td>a</td><td class="n">1.000</td><td class="n">0.040</td>' in html
    assert '<td class="n">0.123</td><td class="n">&lt;.001</td>' in html


def test_a_warning_is_a_sentence_and_names_stay_as_they_are() -> None:
    assert sentence_of("means are over 3 queries") == "Means are over 3 queries."
    assert sentence_of("answers.json: 2 lines") == "answers.json: 2 lines."
