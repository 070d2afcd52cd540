"""What a search found, as it is put into a prompt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.collect.reply import Hit, Reply
from judge_tui.collect.tasks.context import Context, NoContextError, context_of
from judge_tui.model import Document

HITS = (Hit("a", title="A title", text="\n  first\n\nlines\n"), Hit("b"), Hit("c", text="third"))
WHOLE = "[1] a\nA title\n  first\n\nlines\n\n[2] b\n\n[3] c\nthird"


def context(hits=HITS, k=9, documents=None, limit=1000, **more) -> Context:
    return context_of(Reply("q", "query", tuple(hits), **more), k, documents or {}, limit)


def test_rank_and_id_title_and_text_an_empty_line_between():
    assert context() == Context(WHOLE, ("a", "b", "c"), False)
    assert context(k=1) == Context("[1] a\nA title\n  first\n\nlines", ("a",), False)


def test_texts_of_a_file_come_first_and_those_of_hits_where_it_has_none():
    documents = {"a": Document("a", text="other"), "b": Document("b", "B", "second")}
    assert context(documents=documents).text == "[1] a\nother\n\n[2] b\nB\nsecond\n\n[3] c\nthird"


def test_what_is_cut_off_is_not_among_what_stands_in_it_and_no_stub_of_it():
    first = WHOLE[: WHOLE.index("\n\n[2]")]
    second = WHOLE[: WHOLE.index("\n\n[3]")]
    for limit in range(len(first), len(second)):
        assert context(limit=limit) == Context(first, ("a",), True)
    assert context(limit=len(second)) == Context(second, ("a", "b"), True)
    # Of the third there is its text to be cut, from its first letter on.
    assert context(limit=len(WHOLE) - len("third")) == Context(second, ("a", "b"), True)
    for cut in range(1, len("third")):
        assert context(limit=len(WHOLE) - cut) == Context(WHOLE[:-cut], ("a", "b", "c"), True)
    assert context(limit=len("[1] a\nA title\n")) == Context("", (), True)
    assert context(limit=len(WHOLE)).cut is False


def test_nothing_found_is_an_empty_context_and_a_failure_is_none():
    assert context([]) == Context("", (), False)
    with pytest.raises(NoContextError, match="HTTP 500"):
        context([], failure="HTTP 500")
    with pytest.raises(NoContextError, match="none of its 2 results has a text"):
        context([Hit("a"), Hit("b", text=" \n")])


texts = st.text("ab \n[1]é", max_size=8)


@given(hits=st.lists(st.builds(Hit, st.uuids().map(str), title=texts, text=texts), max_size=5))
def test_a_limit_cuts_the_same_text_shorter(hits):
    try:
        whole = context(hits)
    except NoContextError:
        return
    for limit in range(1, len(whole.text) + 2):
        part = context(hits, limit=limit)
        assert whole.text.startswith(part.text)
        assert len(part.text) <= limit
        assert part.cut == (limit < len(whole.text))
        assert part.cut or part == whole
        assert part.doc_ids == whole.doc_ids[: len(part.doc_ids)]
