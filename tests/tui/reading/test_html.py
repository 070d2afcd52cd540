"""HTML as the text that its readers see."""

from __future__ import annotations

import pytest

from judge_tui.model import Document
from judge_tui.tui.reading import reading_of
from tests.tui.reading.readings import rendered, styled, whole

PAGE = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="iso-8859-1"><title>The  page</title>
<style>p { color: red }</style><script>var x = "<p>no</p>";</script></head>
<body><nav><ul><li><a href="/">Home</a><li>Docs</ul></nav>
<h1>Heading &amp; <em>more</em></h1>
<p>Text with <b>bold</b>,<a href=x> a link</a>
and <code>code</code>.<!-- comment --><br>After a break.</p>
<p hidden>hidden</p><p style="display: none">unseen</p><noscript>Turn it on</noscript>
<ol start=3><li>three<li><p>four</p><ul><li>deep</ul></ol>
<blockquote><p>quoted</p></blockquote>
<pre>
a\tb
  <b>c</b>
</pre>
<table><caption>Sizes</caption>
<tr><th>Name<th>Size</tr><tr><td>a<td><p>1</p></tr><tr><td>longer<td>200</tr></table>
<dl><dt>Term<dd>Meaning</dl><hr>
<div>one</div><div>two <img src=x alt="a cat"> <q>said</q></div>
"""

SHOWN = """\
The page

• Home
• Docs

Heading & more

Text with bold, a link and code.
After a break.

3. three
4. four
   • deep

▏ quoted

  a       b
    c

Sizes
Name    Size
──────  ────
a       1
longer  200

Term
    Meaning

────────────────────────────────────────

one
two [image: a cat] “said”\
"""


def test_a_page_as_it_is_read() -> None:
    assert rendered(PAGE, "html") == SHOWN


def test_styles_say_what_elements_said() -> None:
    styles = styled(PAGE, "html")
    assert styles["page"] == styles["Heading"] == ("title",)
    assert styles["more"] == ("title", "emphasis")
    assert styled("<h2>Deeper</h2>", "html")["Deeper"] == ("heading",)
    assert styles["bold,"] == ("strong",)
    assert styles["link"] == ("link",)
    assert styles["code."] == ("code",)
    assert styles["•"] == styles["3."] == ("list",)
    assert styles["▏"] == ("quote",)
    assert styles["Name"] == ("strong",)
    assert styles["Sizes"] == ("emphasis",)
    assert styles["Meaning"] == ()
    assert styles["[image:"] == ("emphasis",)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("no element", "no element"),
        ("<ul><li><p>a</p><p>b</p><li><p>c</p></ul>d", "• a\n\n  b\n• c\n\nd"),
        ("<dl><dt>T<dd><p>a</p><p>b</p></dl>", "T\n    a\n\n    b"),
        ("", ""),
        ("<script>only</script>", ""),
        ("a <b>b</b>c<i> d </i>e", "a bc d e"),
        ("a<br><br><br><br>b", "a\n\nb"),
        ("<p>a<p>b</p></p>c", "a\n\nb\n\nc"),
        ("<li>alone<li>", "• alone\n• "),
        ("<ol><li value=7>x<li>y</ol>", "7. x\n8. y"),
        ("&#27;[31m &lt;b&gt; &nbsp;x \x9b", "␛[31m <b> \xa0x \ufffd"),
        ("é 漢字 👩\u200d🚀 שלום", "é 漢字 👩\u200d🚀 שלום"),
        # A table within a table lays out a page.
        ("<table><tr><td>nav<td><table><tr><td>a<td>b</table></table>", "nav  \n\na  b"),
        ("<table><tr><td>x<ul><li>y</ul></table>", "x\n\n• y"),
        ("<table><tr><td>open", "open"),
        ("</table></p>stray", "stray"),
        ("x" * 5000 + "<p>y", "x" * 5000 + "\n\ny"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert rendered(text, "html") == shown


@pytest.mark.parametrize(
    "unit", ["<b>", "<div>", "<ul><li>", "<table><tr><td>", "<p>", "<blockquote>"]
)
def test_elements_nested_without_end_are_read(unit: str) -> None:
    text, styles = whole(reading_of(Document("d", text=unit * 20_000 + "end", kind="html")))
    assert text.endswith("end")
    assert len(text) < 2_000_000
    assert max(map(len, styles)) < 20
