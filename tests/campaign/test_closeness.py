"""Which names are a series, and which a slip."""

from __future__ import annotations

import pytest

from judge_tui.campaign.closeness import closeness


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("judge1", "judge2"),
        ("judge1", "judge11"),
        ("judge", "judge2"),
        ("user01", "user02"),
        ("annotator_2", "annotator_1"),
        ("rater-2024-11-05", "rater-2025-12-06"),
        ("judge1-night", "judge2-night"),
        ("assessor-a", "assessor-b"),
        ("assessor", "assessor-a"),
        ("assessor.a", "assessor.bb"),
        ("anna b", "anna c"),
        ("team_eu", "team_us"),
        ("gpt-5", "gpt-4"),
        ("gpt-5", "gpt-5.1"),
        ("gpt-4o", "gpt-4"),
        ("gpt-4o-mini", "gpt-4-mini"),
        ("llama-3.1-70b", "llama-3.1-8b"),
        ("claude-sonnet-4", "claude-sonnet-4-5"),
    ],
)
def test_names_alike_but_for_a_number_or_a_short_piece_are_a_series(one: str, other: str) -> None:
    assert closeness(one, other) == closeness(other, one) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("jugde3", "judge3"),
        ("judge 3", "judge3"),
        ("judge-3", "judge_3"),
        ("assesor-a", "assessor-a"),
        ("assesor-b", "assessor-a"),
        ("asessor-2", "assessor-1"),
        ("lama-3.1-8b", "llama-3.1-8b"),
        ("gpt-4-trubo", "gpt-4-turbo"),
        ("rater-night2", "rater-nihgt2"),
        ("anna.lea", "anna.lee"),
        ("anna-schmidt", "anna-schmitt"),
        ("anna--lee", "anna-lee"),
        ("anna-", "anna"),
        ("annab", "anna-b"),
        ("anna@example.com", "anna@example.org"),
    ],
)
def test_a_slip_within_a_word_or_in_what_parts_words_stays_one(one: str, other: str) -> None:
    assert closeness(one, other) == closeness(other, one) > 0
