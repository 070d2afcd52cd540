"""Markdown, lightly rendered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.reading.readings import rendered, styled

DOCUMENT = """\
# A title

A paragraph over
two lines, with *emphasis*, **strength**, `code()` and [a link](http://x/y).

## Lists

- one
- two
  1. first
  2. second
- three

9) loose

   with two paragraphs

10) items

> quoted
> text
>
> > deeper

| Name | Count |
|:-----|------:|
| a    | 1     |
| `bb` | 1000  |

```python
def f():
\treturn "s"
```

    indented code

---

[ref]: http://z/ "T"
End with [a name][ref] and <http://auto/>.
"""

RENDERED = """\
A title

A paragraph over two lines, with emphasis, strength, code() and a link (http://x/y).

Lists

• one
• two
  1. first
  2. second
• three

9) loose

   with two paragraphs

10) items

▏ quoted text

▏ ▏ deeper

Name  Count
────  ─────
a         1
bb     1000

  def f():
          return "s"

  indented code

────────────────────────────────────────

[ref]: http://z/ "T"

End with a name (http://z/) and http://auto/.\
"""


def test_a_document_as_it_is_read() -> None:
    assert rendered(DOCUMENT, "markdown") == RENDERED


def test_styles_say_what_marks_said() -> None:
    styles = styled(DOCUMENT, "markdown")
    assert styles["title"] == ("title",)
    assert styles["Lists"] == ("heading",)
    assert styles["emphasis,"] == ("emphasis",)
    assert styles["strength,"] == ("strong",)
    assert styles["code()"] == ("code",)
    assert styles["link"] == ("link",)
    assert styles["(http://x/y)."] == ("faint",)
    assert styles["•"] == styles["10)"] == ("list",)
    assert styles["▏"] == ("quote",)
    assert styles["Count"] == ("strong",)
    assert styles["────"] == styles["─" * 40] == ("rule",)
    assert styles["def"] == ("code", "keyword")
    assert styles["indented"] == ("code",)
    assert styles["paragraph"] == ()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("``` diagram of it\nx\n```\n~~~\ny\n~~~", "  diagram of it\n  x\n\n  y"),
        ("[a]: x\n[b]: y\n\n[b]", "[a]: x\n[b]: y\n\nb (y)"),
        (
            "- a\n\n  # b\n  > c\n- ***\n",
            "• a\n\n  b\n\n  ▏ c\n• ────────────────────────────────────────",
        ),
        ("# a\n## b\n### #c ##\nd\n---\ne", "a\n\nb\n\n#c\n\nd\n\ne"),
        ("a\\\nb  \nc<br>d", "a\nb\nc\nd"),
        ("![alt](src)", "[image: alt] (src)"),
        ("[text](#below) [x](mailto:x)", "text x"),
        ('[t](u "title")', 't (u "title")'),
        ("<div>\nkept\n</div>", "<div>\nkept\n</div>"),
        ("a <b>c</b>", "a <b>c</b>"),
        ("~~gone~~ &amp; &copy; \\*", "gone & © *"),
        ("-\n- x", "• \n• x"),
        ("| a |\n|---|\n| 1 | more |", "| a |\n|---|\n| 1 | more |"),
        ("---\ntitle: T\n---\n# H", "---\ntitle: T\n---\n\nH"),
        ("```\nnever closed\n\n# still code", "  never closed\n\n  # still code"),
        ("- a\n\n  ```\n  x\n  ```\n- b", "• a\n\n    x\n\n• b"),
        ("a\r\nb\r\n\r\nc", "a b\n\nc"),
        ("[a]: x\n", "[a]: x"),
        ("> - a\n> - b", "▏ • a\n▏ • b"),
        ("a[^1]\n\n[^1]: the note here", "a[^1]\n\n[^1]: the note here"),
        (
            "b[^1] [^n]\n\n[^1]: word\n[^n]: http://x\nmore",
            "b[^1] [^n]\n\n[^1]: word\n[^n]: http://x more",
        ),
        ("- [ ] to do\n- [x] done", "• [ ] to do\n• [x] done"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert rendered(text, "markdown") == shown


LINES = [
    *("# {}", "## {}", "- {}", "  - {}", "1. {}", "> {}", "    {}", "{}", "{}  ", "*{}*", "`{}`"),
    *("[{}](u)", "[{}][r]", "![{}](u)", "| {} | b |", "|---|---|", "```", "~~~", "---", "===", ""),
    *(
        "",
        "",
        "<div>{}",
        "</div>",
        "<!-- {}",
        "-->",
        "[r]: {}",
        "**{}",
        "{}**",
        "<{}>",
        "\\{}",
        "***",
    ),
]


@given(lines=st.lists(st.sampled_from(LINES), max_size=60))
def test_no_word_is_lost(lines: list[str]) -> None:
    text = "\n".join(line.format(f"word{at}") for at, line in enumerate(lines))
    shown = rendered(text, "markdown")
    assert [at for at, line in enumerate(lines) if "{}" in line and f"word{at}" not in shown] == []


@pytest.mark.parametrize(
    "unit", ["[", "![", "*a ", "`", "``a`", "<", "> ", "- ", "[a](", "_*", "|"]
)
def test_marks_without_end_are_shown(unit: str) -> None:
    """What takes a parser long is shown as it stands, or as what it is; but shown."""
    text = unit * 4000 + " end"
    assert "end" in rendered(text, "markdown")
