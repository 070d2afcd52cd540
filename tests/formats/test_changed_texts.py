"""Which ids are those of other queries by now, and how texts that changed are told."""

from __future__ import annotations

import pytest

from judge_tui.formats.changed_texts import MovedTexts, most_changed


@pytest.mark.parametrize(
    ("then", "now", "moved"),
    [
        ("a b c", "a b c", ""),
        ("a b c", "a x c", ""),  # reworded
        ("a b c", "z a b c", "012"),  # a row was put in
        ("a b c", "b c", "01"),  # one was taken out
        ("a b c", "b a c", "01"),
        ("a b", "b x", "01"),  # `b` is another's; what `1` was has another id now
        ("a a b", "a c b", ""),  # another query has the text still, as it had
        ("a b", "a a", ""),
    ],
)
def test_an_id_is_moved_where_its_text_is_or_was_that_of_another(then, now, moved):
    before, after = (dict(zip("0123", texts.split(), strict=False)) for texts in (then, now))
    texts = MovedTexts(before, after)
    assert "".join(one for one in after if one in before and texts.is_moved(one)) == moved


def test_a_typing_error_hides_no_other_query():
    texts = {
        "q1": ("read a csv flie", "read a csv file"),
        "q2": ("sort a list", "Sort a list"),
        "q3": ("join two pahts", "join two paths"),
        "q4": ("open a window", "boil an egg"),
    }
    # Pairs of neighbouring characters in both, of all: q4 0.18, q3 0.77, q1 0.79, q2 1.
    assert most_changed(texts) == (
        "'q4': 'open a window', now 'boil an egg'; 'q3': 'join two pahts', now 'join two paths';"
        " 'q1': 'read a csv flie', now 'read a csv file'"
    )


def test_long_texts_are_told_where_they_differ():
    both = "how do I read a file of comma-separated values into a table with "
    assert most_changed({"q": (f"{both}pandas", f"{both}polars")}) == (
        "'q': '… into a table with pandas', now '… into a table with polars'"
    )
