"""What a model's answers cost: tokens and money, estimated before and counted after."""

from __future__ import annotations

from typing import NamedTuple

from judge_tui.campaign.store.model_answers import AnswerCounts
from judge_tui.models.settings import JudgeSettings

_CHARS = 4
"""Characters of a token of English, by the tokenizers of OpenAI (platform.openai.com/tokenizer)."""

_MILLION = 1_000_000


class TokenCounts(NamedTuple):
    """Tokens of prompts and of answers."""

    tokens_in: int
    tokens_out: int


NOTHING = TokenCounts(0, 0)


def price(settings: JudgeSettings, usage: TokenCounts) -> float | None:
    """The money, in the unit of the prices; None where there are none."""
    if settings.price_in is None or settings.price_out is None:
        return None
    dear = usage.tokens_in * settings.price_in + usage.tokens_out * settings.price_out
    return dear / _MILLION


class ExpectedTokens(NamedTuple):
    """The tokens that requests will take; `at_most`: those of the answers are the most that there
    can be, as no answer has told yet."""

    tokens: TokenCounts
    at_most: bool


def expected_tokens(
    settings: JudgeSettings, requests: int, chars: int, answered: AnswerCounts | None
) -> ExpectedTokens:
    """What so many requests of so many characters in all will take: as the answers until now did on
    average, else as English does, with answers as long as they may be."""
    if answered is None or not answered.told:
        most = TokenCounts(round(chars / _CHARS), requests * settings.max_tokens)
        return ExpectedTokens(most, at_most=True)
    each = requests / answered.told
    usual = TokenCounts(round(answered.tokens_in * each), round(answered.tokens_out * each))
    return ExpectedTokens(usual, at_most=False)
