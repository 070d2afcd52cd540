"""Documents as lines: what is shown of Markdown, HTML, code and plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexer import RegexLexer
from pygments.token import Keyword, Text
from textual.content import Content

from judge_tui.formats.checkout import Excerpt
from judge_tui.model import Document
from judge_tui.tui.rendering import (
    BROKEN_OFF,
    code,
    line_writer,
    markup,
    query_terms,
    render,
)
from judge_tui.tui.rendering.kinds import nature_of
from judge_tui.tui.rendering.line_writer import LONGEST_LINE
from judge_tui.visible import visible

RULE = "─" * 40


def lines_of(document: Document, *, raw: bool = False) -> list[Content]:
    """All lines of a document, checked on the way."""
    lines = list(render(document, raw=raw).lines)
    for line in lines:
        # Joiners stay between emoji, which may stand in two lines.
        plain = line.plain.replace("\u200d", "")
        assert visible(plain) == plain
        assert "\n" not in plain
        assert len(plain) <= 8 * LONGEST_LINE
        assert line.spans == sorted(line.spans, key=lambda span: span.start)
        assert all(0 <= span.start <= span.end <= len(line) for span in line.spans)
    return lines


def shown(text: str, kind: str, *, raw: bool = False) -> str:
    return "\n".join(line.plain for line in lines_of(Document("d", text=text, kind=kind), raw=raw))


def styles_of(text: str, kind: str) -> dict[str, str]:
    """The styles of each word, as they are at its first letter."""
    found: dict[str, str] = {}
    for line in lines_of(Document("d", text=text, kind=kind)):
        for word in re.finditer(r"\S+", line.plain):
            at = word.start()
            styles = [str(span.style) for span in line.spans if span.start <= at < span.end]
            found.setdefault(word.group(), " ".join(styles))
    return found


MARKDOWN = """\
# A title

A paragraph over
two lines, with *emphasis*, **strength**, `code()` and [a link](http://x/y).

- one
- two
  1. first
  2. second

> quoted

| Name | Count |
|:-----|------:|
| a    | 1     |
| `bb` | 1000  |

```python
def f():
\treturn "s"
```

***

![a cat](x)
"""
HTML = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="iso-8859-1"><title>The  page</title>
<style>p { color: red }</style><script>var x = "<p>no</p>";</script></head>
<body><h1>A title</h1><p hidden>hidden</p><p style="display: none">unseen</p>
<p>A paragraph <!-- comment -->over
two lines, with<em> emphasis</em>, <b>strength</b>, <code>code()</code> and <a
href="http://x/y">a link</a>.<noscript>Turn it on</noscript>
<ul><li>one<li>two<ol><li>first<li>second</ol></ul>
<blockquote><p>quoted</p></blockquote>
<table><tr><th>Name<th align=right>Count<tr><td>a<td align=right>1<tr><td><code>bb</code>
<td align=right>1000</table>
<pre><code class="highlight language-python">def f():
\treturn "s"
</code></pre><hr>
<div><img src=x alt="a cat"></div>
"""
SHOWN = f"""\
A title

A paragraph over two lines, with emphasis, strength, code() and a link (http://x/y).

• one
• two
  1. first
  2. second

▏ quoted

Name  Count
────  ─────
a         1
bb     1000

  def f():
          return "s"

{RULE}

[image: a cat]"""

LONG = "a cell with so many words that it has to go on below itself in its column"

CASES = [
    ("markdown", MARKDOWN, SHOWN),
    ("html", HTML, f"The page\n\n{SHOWN}"),
    ("text", "as\tit <b>\r\n*stands*\n\n", "as      it <b>\n*stands*"),
    ("text", "", ""),
    ("python", "def f():\r\n\treturn 1\r\n", "def f():\n        return 1"),
    ("markdown", "``` unknown words\nx\n```\n~~~\ny\n~~~", "  x\n\n  y"),
    ("markdown", "```\nnever closed\n\n# code", "  never closed\n\n  # code"),
    ("markdown", "- a\n\n  # b\n  > c\n- d", "• a\n\n  b\n\n  ▏ c\n\n• d"),
    ("markdown", "- [ ] to do\n- [x] done", "• [ ] to do\n• [x] done"),
    ("markdown", "a\\\nb  \nc<br>d", "a\nb\nc\nd"),
    ("markdown", "a\r\nb\r\n\r\n```\r\nx\r\ny\r\n```", "a b\n\n  x\n  y"),
    # Addresses of links that lead elsewhere, in both kinds of documents.
    ("markdown", "[text](#below) [x](mailto:x) [u](v 'title')", "text x u"),
    ("markdown", "[a](http://a) [http://b](http://b)", "a (http://a) http://b"),
    ("html", "<a href=/>Home</a> <a href=' http://x/y '>a <b>b</b></a>c", "Home a b (http://x/y)c"),
    ("markdown", "~~gone~~ &amp; &copy; \\*", "gone & © *"),
    ("html", "10<sup>-6</sup> 1<sup>st</sup> H<sub>2</sub>O x<sup>n</sup>", "10^-6 1st H2O x^n"),
    ("html", "<input><input type=checkbox checked>done", "[x] done"),
    ("markdown", "---\ntitle: T\n---\n# H", "---\ntitle: T\n---\n\nH"),
    (
        "markdown",
        f"| a | b |\n|---|---|\n| x | {LONG} |\n| y | z |",
        f"a  b\n─  {'─' * 73}\nx  {LONG[:73]}\ny  z",
    ),
    # HTML in Markdown reads as it does in HTML; what is no HTML is text.
    ("markdown", "a <b>c</b> <img src=x alt='a &amp; b'> <!-- no -->d", "a c [image: a & b] d"),
    ("markdown", "vector<int> <your name>, <source>, </b>", "vector<int> <your name>, <source>,"),
    ("markdown", "<table><tr><th>a<th>b<tr><td>cc<td>d</table>", "a   b\n──  ─\ncc  d"),
    # HTML: what is broken, nested or laid out in tables.
    ("html", "a <b>b</b>c<i> d </i>e", "a bc d e"),
    ("html", "a<br><br><br><br>b", "a\n\nb"),
    ("html", "<pre>\na\tb\n  <b>c</b><br>d</pre>", "  a       b\n    c\n  d"),
    ("html", "<table><caption>S</caption><tr><td>a</table><q>b</q>", "S\na\n\n“b”"),
    ("html", "<ul><li><p>a</p><p>b</p></ul>c", "• a\n\n  b\n\nc"),
    ("html", "<dl><dt>T<dd><p>a</p><p>b</p></dl>", "T\n    a\n\n    b"),
    ("html", "&#27;[31m &lt;b&gt; &nbsp;x \x9b", "␛[31m <b> \xa0x \ufffd"),
    ("html", "<table><tr><td>x<td>1<ul><li>y</ul><tr><td>z</table>", "x  1\n\n   • y\nz"),
]


@pytest.mark.parametrize(("kind", "text", "expected"), CASES)
def test_documents_as_they_are_read(kind: str, text: str, expected: str) -> None:
    assert shown(text, kind) == expected


@pytest.mark.parametrize(("kind", "text"), [("markdown", MARKDOWN), ("html", HTML)])
def test_styles_say_what_marks_said(kind: str, text: str) -> None:
    styles = styles_of(text, kind)
    assert styles["A"] == "bold underline $text-primary"
    assert styles["Name"] == styles["strength,"] == "bold"
    assert styles["emphasis,"] == styles["quoted"] == "italic"
    assert styles["link"] == "underline $text-primary"
    assert styles["(http://x/y)."] == "dim"
    assert styles["•"] == "bold $text-secondary"
    assert styles["▏"] == "$text-secondary"
    assert styles["code()"] == styles["bb"] == "$text-success"
    assert styles["def"] == "bold $text-primary"
    assert styles["paragraph"] == ""


def test_tokens_of_code_have_styles() -> None:
    text = '@decorator\ndef name(x):\n    """Says."""\n    return "text" + str(12)  # why\n'
    styles = styles_of(text, "python")
    assert styles["def"] == styles["return"] == "bold $text-primary"
    assert styles["@decorator"] == styles["name(x):"] == "$text-secondary"
    assert styles['"""Says."""'] == styles["#"] == "dim italic"
    assert styles['"text"'] == "$text-success"


def test_metadata_stand_above_the_text() -> None:
    excerpt = Excerpt("a", 1, 1, 1, "0" * 64).as_meta()
    meta = {"year": 2024, "authors": ["Ann"], "note": "two\nlines\n", "a\x1b\n": "\x1b]0;t\x07"}
    document = Document("d", text="text", url="http://x", meta=excerpt | meta)
    assert [line.plain for line in lines_of(document)] == [
        "url:     http://x",
        "year:    2024",
        'authors: ["Ann"]',
        "note:    two",
        "         lines",
        "a␛␊:     ␛]0;t␇",
        "",
        "text",
    ]
    # What users keep under the key of excerpts is theirs.
    assert lines_of(Document("d", meta={"checkout": "main"}))[0].plain == "checkout: main"


@pytest.mark.parametrize(
    ("document", "numbers"),
    [
        (Document("x.py/a.py", text="a = 1\nb = 2\n"), [1, 2]),
        (Document("src/x.py:10-11", text="a = 1\nb = 2\n"), [10, 11]),
        (Document("src/x.py#L7", text="a", meta={"k": "v"}), [None, None, 7]),
        (Document("x", text="a\nb"), [None, None]),
        (
            Document("src/x.py", text="x" * LONGEST_LINE + "y\nz", kind="python"),
            [1, None, 2],
        ),
        (
            # What is read from a checkout stands between the lines around it.
            Document(
                "a.py:3-4",
                text="c = '''\nd\n",
                meta=Excerpt("a.py", 3, 4, 6, "0" * 64, "a\nb\n", "e\nf\n").as_meta() | {"k": 1},
            ),
            [None, None, 1, 2, None, 3, 4, None, 5, 6],
        ),
    ],
)
def test_lines_are_numbered_as_they_are_in_the_file(
    document: Document, numbers: list[int | None]
) -> None:
    rendering = render(document)
    lines = list(rendering.lines)
    assert [rendering.number(at) for at in range(len(lines))] == numbers
    assert rendering.last_number == next(iter(reversed(numbers)))
    if Excerpt.of(document.meta):
        assert lines[rendering.start_line].plain == "c = '''"
        assert lines[rendering.start_line - 1].plain == RULE
    else:
        assert rendering.start_line == 0


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("text", "word " * 9 + "\n"),
        ("javascript", "var a=function(b){return b+1};"),
        ("markdown", MARKDOWN + "\n"),
        ("markdown", "| a | b |\n|---|---|\n" * 2 + "| more | words |\n"),
        ("html", HTML),
        ("html", "<table>" + "<tr><td>word<td>other" * 40_000),
    ],
)
def test_the_first_lines_are_made_from_the_beginning_alone(
    kind: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a million characters, no more are parsed and made visible than a screen needs."""
    made = parsed = 0

    def counted(text: str) -> str:
        nonlocal made
        made += len(text)
        return visible(text)

    parts_of = markup._parts

    def parts(html: str) -> Iterator[str]:
        nonlocal parsed
        for part in parts_of(html):
            parsed += len(part)
            yield part

    monkeypatch.setattr(markup, "_parts", parts)
    monkeypatch.setattr(line_writer, "visible", counted)
    monkeypatch.setattr(code, "visible", counted)
    document = Document("d", text=text * (max(1, 1_000_000 // len(text))), kind=kind)
    rows = 0
    for line in render(document).lines:
        rows += 1 + line.cell_length // 120
        if rows >= 60:
            break
    assert rows >= 60
    assert made < 150_000
    assert parsed < 150_000


SCRAPS = (
    "word ·two  words·\n·\n\n·\t·    ·- ·1. ·> ·# ·```\n·~~~py\n·*·**·`·[a](b)·[a]: b·![i](j)·|"
    "·|-|-|\n·---\n·\\·<!--·-->·<p>·</p>·<b>·<ul><li>·</ul>·<table><tr><td>·</table>·<pre>·</pre>·<script>"
    "·</script>·&amp;·&#27;·<br>·<h2>·<a href=x://y>·</a>·<·>·<q>·</q>·<dd>·<td>·</td>·<tr>·<th>"
    '·<caption>·<blockquote>·<pre><code class=lang-c>·[^1]·[^1]: ·def f(x):\n·"""·\'·/*·*/·// c\n'
    "·0x1f·{·}·if (a) ·\x1b[31m·\x9b·\0·\r·\r\n·\x7f·\u202e·\u200b·\u2028·\ufeff·漢字·👩\u200d🚀"
    "·e\u0301·שלום·\U000e0041·\x85·\x0c·\ud800"
)
texts = st.lists(st.sampled_from(SCRAPS.split("·")) | st.text(max_size=3), max_size=60).map("".join)


@pytest.mark.parametrize("kind", ["text", "markdown", "html", "python", "javascript"])
@given(text=texts, times=st.sampled_from([1, 3, 100]))
def test_whatever_comes_is_shown(kind: str, text: str, times: int) -> None:
    document = Document("d", text=text * times, kind=kind)
    lines = lines_of(document)
    assert BROKEN_OFF not in [line.plain for line in lines]
    if nature_of(document).kind not in ("markdown", "html"):
        assert len(lines) >= document.text.rstrip("\r\n").count("\n") + 1
    ink = re.sub(r"\s", "", visible(document.text.rstrip("\r\n")))
    raw = "".join(line.plain for line in lines_of(document, raw=True))
    assert re.sub(r"\s", "", raw) == ink


BLOCKS = (
    "# {};## {};- {};  - {};1. {};> {};    {};{};{};{}  ;*{}*;`{}`;[{}](u);[{}][r];![{}](u)"
    ";| {} | b |;|---|---|;```;~~~;---;===;;;;<div>{};</div>;**{};{}**;\\{};***;<td>{};[^a] {}"
    ";<b>{};</b>;<ul><li>{};</ul>;![{}]"
)


@given(lines=st.lists(st.sampled_from(BLOCKS.split(";")), max_size=60))
def test_no_word_of_markdown_is_lost(lines: list[str]) -> None:
    """But in what the module says that it does not show."""
    text = "\n".join(line.format(f"word{at}.") for at, line in enumerate(lines))
    words = re.findall(r"word\d+\.", shown(text, "markdown"))
    assert {f"word{at}." for at, line in enumerate(lines) if "{" in line} <= set(words)


UNENDED = {
    "markdown": "[;![;*a ;``a`;<;> ;- ;[a](;_*;|;<b>;</b>;<i></b>;<div>\n\n;[^1]: ",
    "html": "<b>;<div>;<ul><li>;<table><tr><td>;<q>;<p>;<blockquote>;<pre>;<td>;<a href=x://y>",
    "python": '""";<a b=;x\n\t;(',
    "javascript": "/*",
    "bash": "{{",
}


@pytest.mark.parametrize(
    ("kind", "unit"), [(kind, unit) for kind in UNENDED for unit in UNENDED[kind].split(";")]
)
def test_what_has_no_end_is_shown(kind: str, unit: str) -> None:
    lines = lines_of(Document("d", text=unit * 5000 + "end", kind=kind))
    assert any("end" in line.plain for line in lines)
    assert sum(len(line) for line in lines) < 1_000_000
    assert max(len(line.spans) for line in lines) <= 2 * LONGEST_LINE


class Backtracking(RegexLexer):
    """A lexer that takes longer than anybody lives, from the first parenthesis on."""

    tokens = {"root": [(r"def\b", Keyword), (r"\((a+)+b", Text), (r"\w+\s*", Text)]}  # noqa: RUF012


class Stumbling(RegexLexer):
    """A lexer that fails on what it did not expect."""

    tokens = {"root": [(r"def\s*", Keyword), (r"\(", lambda *_: 1 / 0)]}  # noqa: RUF012


@pytest.mark.parametrize("lexer", [Backtracking(), Stumbling()])
def test_a_lexer_that_hangs_or_fails_leaves_the_rest_plain(
    lexer: RegexLexer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code, "_lexer", lambda _: lexer)
    text = "def \n" * 400 + "(" + "a" * 3000 + "\ndef"
    lines = list(code.highlighted_lines(text, "any"))
    assert [line.plain for line in lines] == text.split("\n")
    assert lines[0].spans
    assert not lines[-2].spans
    assert not lines[-1].spans


def test_what_cannot_be_rendered_ends_with_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_writer.LineWriter, "put", lambda *_: 1 / 0)
    lines = list(render(Document("d", text="a\n\n***\n\nb", kind="markdown")).lines)
    assert [line.plain for line in lines] == ["a", BROKEN_OFF]


@pytest.mark.parametrize(
    ("language", "documents"),
    [
        # The kind holds, where it is one; then the name of a file, which a name with a dot is not.
        ("", "a.py=text notes.txt Makefile csv.reader math.e asyncio.run=function https://x.py/"),
        ("markdown", "a=Markdown README.md:1-2"),
        ("html", "a=text/html;charset=utf-8"),
        ("python", "a=python src/a.py=function src/app.py src/app.py:10-20"),
        ("c", "a=text/x-c"),
        ("javascript", "src/app.js#L3-L9"),
        ("make", "make/Makefile"),
        ("go", "https://x/src/y.go#L5"),
    ],
)
def test_kinds_by_what_is_said_or_by_name(language: str, documents: str) -> None:
    for doc_id, _, kind in (one.partition("=") for one in documents.split()):
        document = Document(doc_id, text="x", kind=kind)
        assert nature_of(document).language == language


@pytest.mark.parametrize(
    ("url", "text", "language"),
    [
        # The text of a page may have been taken out of its HTML already.
        ("https://x/y.html", "no tags", ""),
        ("https://x/y.html?q#f", "<p>some text</p>", "html"),
        ("http://[", "", ""),
        ("", "\ufeff\n<!DOCTYPE html><p>", "html"),
        ("", '<?xml version="1.0"?>\n<html>', "html"),
        ("", "# not Markdown for sure, a < b > c", ""),
    ],
)
def test_kinds_by_address_or_by_how_a_text_begins(url: str, text: str, language: str) -> None:
    assert nature_of(Document("a", url=url, text=text)).language == language


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("how do I read a CSV file", "[Reads] [CSV] [files]; a reader."),
        ("dictionaries class APIs menus", "a [dictionary], [classes], an [API], a [menu]"),
        ("status analysis boxes times", "[statuses], statues, an [analysis], [box], [time], Tim"),
        ("sort in C", "[C]++, c, [C]# and ABC"),
        ("list of the judge's lists", "[list], [Lists], listing, a [Judge]'s"),
        ("what is it", "what it is"),
        ("json load reader", "[json].[load] JSONLoads [json][Load] csv.Dict[Reader]"),
        ("straße π", "[Straße], STRASSE, api, [π]"),
        ("ΟΔΟΣ", "η οδός και η [οδος]"),
        ("機械学習の方法", "[学習][方法]と[機械]"),
        ("PythonでCSVファイルを読む", "[Python], [csv] と[ファイル]で"),
        ("犬 と 猫", "[犬]と[猫]と馬"),
        ("หิมะตก", "เมื่อ[หิมะตก]หนัก"),
        ("हिन्दी भाषा", "[हिन्दी] एक [भाषा] है"),
        ("كتاب", "ال[كتاب] الجديد"),
        ("cafe\u0301", "[Cafe\u0301s], cafe, [caf\u00e9]"),
        ("a.b*c (", "abc"),
        ("", "text"),
    ],
)
def test_words_are_marked_in_any_case_singular_or_plural(query: str, marked: str) -> None:
    text = marked.replace("[", "").replace("]", "")
    terms = query_terms(query)
    assert (terms.sub(r"[\g<0>]", text) if terms else text) == marked
