"""Markdown, lightly rendered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.model import Document
from judge_tui.tui.reading import reading_of
from tests.tui.reading.readings import rendered, styled, whole

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
    ("kind", "table"),
    [
        ("markdown", "> | Grade | Meaning |\n> |------:|---|\n> | 2 | {} |"),
        (
            "html",
            "<blockquote><table><tr><th>Grade<th>Meaning<tr><td>2<td>{}</table></blockquote>",
        ),
    ],
)
@pytest.mark.parametrize("room", [10, 40, 72])
def test_what_has_no_room_is_not_aligned(kind: str, table: str, room: int) -> None:
    def shown(length: int) -> list[str]:
        document = Document("d", text=table.format("x" * length), kind=kind)
        return whole(reading_of(document, room=room))[0].split("\n")

    # The margin, the first column, and what is between columns.
    most = room - 2 - 5 - 2
    if most >= len("Meaning"):
        assert shown(most)[1] == f"▏ ─────  {'─' * most}"
    assert shown(max(most, 7) + 1) == [
        "▏ Grade │ Meaning",
        f"▏ {'─' * min(40, room - 2)}",
        f"▏ 2 │ {'x' * (max(most, 7) + 1)}",
    ]


def test_it_is_the_same_in_a_long_document() -> None:
    """Taken apart between blocks, a document is rendered as one."""
    block = (
        "## Number {}\n\n"
        "Text of [{}][ref].\n\n- a\n- b\n\n```\n{}\n\n# {}\n```\n\n<!-- {}\n\n{} -->\n\n"
    )
    text = "".join(block.replace("{}", f"n{at}") for at in range(300)) + "[ref]: http://far/"
    shown = rendered(text, "markdown").split("\n\nNumber n")
    assert len(shown) == 300
    for at in range(1, 299):
        assert shown[at] == (
            f"{at}\n\nText of n{at} (http://far/).\n\n• a\n• b\n\n  n{at}\n\n  # n{at}\n\n"
            f"<!-- n{at}\n\nn{at} -->"
        )


def test_a_long_list_stays_tight() -> None:
    text = "\n".join(f"{at}. item {at}" for at in range(1, 2000))
    assert rendered(text, "markdown") == text


def test_a_paragraph_that_is_too_long_stays_as_it_is() -> None:
    long = "*word* " * 5000
    assert rendered(f"# T\n\n{long}\n\n*end*", "markdown") == f"T\n\n{long}\n\nend"


@pytest.mark.parametrize(
    "unit", ["[", "![", "*a ", "`", "``a`", "<", "> ", "- ", "[a](", "_*", "|"]
)
def test_marks_without_end_are_shown(unit: str) -> None:
    """What takes a parser long is shown as it stands, or as what it is; but shown."""
    text = unit * 4000 + " end"
    assert "end" in rendered(text, "markdown")
