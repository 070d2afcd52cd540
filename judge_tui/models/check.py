"""One pair judged and not stored: does the endpoint answer, what does it honour, and what would the
whole pool take?"""

from __future__ import annotations

import threading
from typing import NamedTuple

from judge_tui.campaign.store.model_answers import ModelAnswer
from judge_tui.errors import UsageError
from judge_tui.models.answers import after_thinking
from judge_tui.models.asking import ModelReply, ModelRequest, ask
from judge_tui.models.candidate import Candidate, ModelQuestion
from judge_tui.models.cost import TokenCounts
from judge_tui.models.plan import plan_pairs
from judge_tui.models.prompts import Request

HONOURED, REFUSED, IGNORED = "honoured", "refused", "ignored"
UNKNOWN = "cannot be told"

_SEED = 7
_DRAWN = 1.0


class CheckedModel(NamedTuple):
    """What one answer tells. `model`: as the endpoint reports it; `json_schema` and `logprobs`: one
    of the words above, `UNKNOWN` where no whole answer came; `seed`: `IGNORED` where two answers
    drawn with the same seed differ, `HONOURED` as far as two can tell. `pairs` that are open would
    take `seconds` and `usage`, None where the endpoint tells no tokens."""

    query_id: str
    doc_id: str
    model: str
    answer: ModelAnswer
    json_schema: str
    logprobs: str
    seed: str
    pairs: int
    seconds: float
    usage: TokenCounts | None


def check_model(candidate: Candidate) -> CheckedModel:
    """Ask a model about the first open pair, five times at most. Raises `UsageError` where nothing
    is open, and where no answer comes."""
    pairs = [one.pair for one in plan_pairs(candidate).questions]
    if not pairs:
        raise UsageError("nothing is left to judge", "load texts, or extend the pool")
    question = ModelQuestion(pairs[0])
    [(_, request)] = candidate.requests([question])
    plain, lacking = _answer(candidate, request)
    if plain.text is None:
        raise UsageError(f"no answer: {plain.failure}", "see that the endpoint is well")
    answer = candidate.to_stored(question, plain, request.chars_seen)
    chars = sum(len(one["content"]) for one in request.messages)
    usage = None
    if answer.tokens_in is not None and answer.tokens_out is not None:
        seen = sum(min(one.chars or 0, candidate.settings.max_document_chars) for one in pairs)
        every = seen + len(pairs) * (chars - request.chars_seen)
        usage = TokenCounts(round(answer.tokens_in * every / chars), answer.tokens_out * len(pairs))
    query_id, doc_id = candidate.ids(pairs[0])
    return CheckedModel(
        query_id,
        doc_id,
        plain.model,
        answer,
        _schema(candidate, request),
        _word("logprobs" in lacking, bool(plain.tokens), plain),
        _seed(candidate, request),
        len(pairs),
        plain.seconds * len(pairs) / candidate.settings.concurrency,
        usage,
    )


def _word(is_refused: bool, is_honoured: bool, *answers: ModelReply) -> str:
    if is_refused:
        return REFUSED
    if is_honoured:
        return HONOURED
    return UNKNOWN if any(one.failure for one in answers) else IGNORED


def _schema(candidate: Candidate, request: Request) -> str:
    """Whether the answer is JSON where a schema wants it, be the prompt for something else."""
    answer, lacking = _answer(candidate, request, json_schema=True)
    text = after_thinking(answer.text or "")
    return _word("json_schema" in lacking, text.startswith("{") and text.endswith("}"), answer)


def _seed(candidate: Candidate, request: Request) -> str:
    try:
        one, other = (
            _answer(candidate, request, seed=_SEED, temperature=_DRAWN)[0] for _ in range(2)
        )
    except UsageError:
        return REFUSED
    return _word(False, not one.failure and one.text == other.text, one, other)


def _answer(
    candidate: Candidate, request: Request, **changes: object
) -> tuple[ModelReply, frozenset[str]]:
    """An answer under changed settings, and what the endpoint refused and went without."""
    settings = candidate.settings.model_copy(update={"logprobs": True, **changes})
    found: list[ModelReply] = []
    requests = [ModelRequest(0, request.messages)]
    scale = candidate.prompt.scale
    lacking = ask(settings, requests, found.extend, scale=scale, stop=threading.Event())
    [answer] = found
    return answer, lacking
