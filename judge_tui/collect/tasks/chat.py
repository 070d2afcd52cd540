"""An OpenAI-compatible chat endpoint: one message is put to it, and one comes back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from judge_tui.collect.over_http import send
from judge_tui.collect.reply import AskError, storable

__all__ = ["Chat", "ChatReply", "reply_of", "say"]


@dataclass(frozen=True, slots=True)
class Chat:
    """Where the endpoint is and what it is sent beside the prompt: `system`, a message before it
    unless empty, and `body`, the model and its settings."""

    url: str
    headers: Mapping[str, str]
    system: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What a model said, empty where it said nothing; `finish`: why it ended, in the words of the
    endpoint, such as `stop` or `length`; `refusal`: why it would not, where it says so."""

    text: str
    finish: str = ""
    refusal: str = ""


async def say(client: httpx.AsyncClient, chat: Chat, prompt: str, timeout: float) -> ChatReply:
    """Put the prompt to the endpoint, once. Raises `AskError`, whose words may hold secrets."""
    before = [{"role": "system", "content": chat.system}] if chat.system else []
    body = {**chat.body, "messages": [*before, {"role": "user", "content": prompt}]}
    text = await send(
        client,
        timeout,
        "POST",
        chat.url,
        headers={"Content-Type": "application/json", **chat.headers},
        content=json.dumps(body).encode(),
    )
    return reply_of(text)


def reply_of(text: str) -> ChatReply:
    """Read the reply of an endpoint: the first of its choices. Raises `AskError`."""
    try:
        choice = json.loads(text)["choices"][0]
        message = choice["message"]
        said = _content(message.get("content"))
        finish, refusal = choice.get("finish_reason"), message.get("refusal")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise AskError("the answer has no choices[0].message", text) from None
    return ChatReply(
        said, *(storable(one) if isinstance(one, str) else "" for one in (finish, refusal))
    )


def _content(content: Any) -> str:
    """A text; or what is text of a list of parts, which some endpoints answer with."""
    if content is None:
        return ""
    if isinstance(content, list):
        content = "".join(part["text"] for part in content if part.get("type") == "text")
    if not isinstance(content, str):
        raise TypeError
    return storable(content)
