"""What of an answer its checks see: what a person takes for its code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.collect.tasks.extracting import code_of
from judge_tui.collect.tasks.fences import blocks_of


def code(answer: str, language: str = "") -> str:
    return code_of(answer, language).text


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("no block at all", "no block at all"),
        ("So:\n```python\na\n\n b\n```\nand\n```\nc\n```", "a\n\n b\n"),
        ("~~~\n```\n~~~", "```\n"),
        ("````md\n```\na\n```\n````", "```\na\n```\n"),
        ("1. So:\n\n   ```python\n   a\n     b\n   ```\n", "a\n  b\n"),
        ("- ```python\n  a\n    b\n  ```\n", "a\n  b\n"),
        ("> ```python\n> a\n>   b\n> ```\nend", "a\n  b\n"),
        (">```\n>a\n>```", "a\n"),
        ("\t```\n\ta\n\n\t\tb\n\t```", "a\n\n\tb\n"),
        ("  ```\nif a:\n    b\n  ```", "if a:\n    b\n"),
        ("```python\na\nb", "a\nb"),
        ("```python\r\na\r\n```\r\n", "a\n"),
        ("Use ```inline``` code", "Use ```inline``` code"),
        ("Close it with ``` and a word", "Close it with ``` and a word"),
        ("", ""),
    ],
)
def test_the_first_block_of_code_or_all(answer, expected):
    assert code(answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        "Answer: ```python\nx = 1\n```\nDone",
        "**Code:** ```\nx = 1\n```",
        "1. Code: ```python\n   x = 1\n   ```",
        "\ufeff```python\nx = 1\n```",
        "<answer>```python\nx = 1\n```</answer>",
        "<answer>\n```python\nx = 1\n```\n</answer>",
        "```python\nx = 1\n``` This is it.",
        "<think>\n```\nno\n```\n</think>```python\nx = 1\n```",
        "\n<Thinking>no</thinking>\n\nx = 1\n".replace("x = 1", "```\nx = 1\n```"),
        "```\n```\n\n```python\nx = 1\n```",
        "```text\n \n```\n```python\nx = 1\n```\n```\nlast\n```",
        "Say ```pip``` first.\n```\nx = 1\n```",
    ],
)
def test_fences_that_a_person_sees(answer):
    assert code(answer) == "x = 1\n"


def test_a_fence_further_in_is_part_of_the_code():
    inside = 'def f():\n    """\n    ```\n    an example\n    ```\n    """\n'
    assert code(f"```python\n{inside}```\nend") == inside


def test_the_language_that_is_wanted_comes_first_by_any_of_its_names():
    answer = "```bash\nb\n```\n```{}\nx\n```\n```\nc\n```"
    for info in ("python", "Python", "py", "python3", "{.python}", 'python title="a.py"'):
        assert code(answer.replace("{}", info), "python") == "x\n"
        assert code(answer.replace("{}", info)) == "b\n"
    assert code(answer.replace("{}", "rust"), "python") == "b\n"
    assert code(answer.replace("{}", "rust"), "Rust") == "x\n"
    assert code("```\nb\n```\n```python\n\n```", "python") == "b\n"


@pytest.mark.parametrize("answer", ["```\n```", "<think>never closed ```\na\n```", "```py\n \n"])
def test_words_without_code(answer):
    assert code(answer) == ""


def test_what_is_thought_aloud_is_left_out_of_a_text_without_fences_too():
    assert code("<think>why</think>x = 1") == "x = 1"
    assert code("say '<think>a</think>'") == "say '<think>a</think>'"


lines = st.lists(st.text(st.characters(exclude_characters="\r\n\0", codec="utf-8")), max_size=6)


@given(before=lines, code=lines, tilde=st.booleans(), more=st.integers(0, 3))
def test_whatever_code_is_fenced_comes_out_as_it_is(before, code, tilde, more):
    # Fences and what else would begin a block are not for the text before.
    text = "".join(f"{line} .\n" for line in before if line.isalnum())
    fence = ("~" if tilde else "`") * (3 + more)
    inside = [line for line in code if fence not in line]
    body = "".join(f"{line}\n" for line in inside)
    (block,) = blocks_of(f"{text}\n{fence}x\n{body}{fence}\nafter")
    assert (block.info, block.text) == ("x", body)


@given(st.text("`~> \t\n-1.a<", max_size=60))
def test_blocks_stand_in_the_text_one_after_the_other(text):
    rest = text
    for block in blocks_of(text):
        if block.text and block.text in rest:
            rest = rest[rest.index(block.text) + len(block.text) :]
        for line in block.text.split("\n"):
            assert line in text


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("Let me think. 1 + 1</think>x = 1", "x = 1"),
        ("a draft:\n```\nno\n```\nbetter\n</think>\n\n```python\nx = 1\n```", "x = 1\n"),
        ("why\r\n</THINKING>\r\n```\r\nx = 1\r\n```", "x = 1\n"),
        # What is code, or spoken of, ends no thought.
        ("```\na = 1\n</think>\n```\nThat is it.", "a = 1\n</think>\n"),
        ("```\nx = 1\n```\nIt looks for `</think>`.", "x = 1\n"),
        ("x = text.split('</think>')", "x = text.split('</think>')"),
        ("```\nx = 1\n```\nNot <think>y</think>.", "x = 1\n"),
        ("first\n```\n</think>\n```\n</think>\n```\nx = 1\n```", "x = 1\n"),
    ],
)
def test_a_thought_whose_begin_the_template_swallowed_is_left_out(answer, text):
    assert code(answer) == text
