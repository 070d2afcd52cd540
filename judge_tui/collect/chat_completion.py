"""A chat completion, as OpenAI-compatible endpoints answer with one."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from judge_tui.collect.search_system import SearchError

Part = TypeVar("Part")


def _take_or_leave(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    try:
        return handler(value)
    except ValidationError:
        return None


_IfUsual = Annotated[Part | None, WrapValidator(_take_or_leave)]
"""What an answer can do without: None where it is not there, or not as it should be."""


class Alternative(BaseModel):
    """A token that could have stood there, with the natural logarithm of its probability."""

    token: str
    logprob: float = Field(le=0)


class Token(Alternative):
    """A token that stands there, and the likeliest ones of its place."""

    top_logprobs: list[Alternative] = []


class Logprobs(BaseModel):
    """The tokens of an answer in their order."""

    content: list[Token]


class Usage(BaseModel):
    """How many tokens were read and written."""

    prompt_tokens: _IfUsual[int] = None
    completion_tokens: _IfUsual[int] = None


class Message(BaseModel):
    """What the model says: an answer, or why it gives none."""

    content: str | None = None
    refusal: _IfUsual[str] = None


class Choice(BaseModel):
    """An answer, and why it ends: `stop`, `length`, `content_filter`."""

    message: Message
    finish_reason: _IfUsual[str] = None
    logprobs: _IfUsual[Logprobs] = None


class Completion(BaseModel):
    """The whole reply; `model`: the name that the server gives it."""

    choices: list[Choice] = Field(min_length=1)
    model: _IfUsual[str] = None
    usage: _IfUsual[Usage] = None


def read_completion(reply: str) -> Completion:
    """Read a reply. Raises `SearchError` where it is no chat completion."""
    try:
        return Completion.model_validate_json(reply)
    except ValidationError:
        raise SearchError("the answer has no choices[0].message", reply) from None
