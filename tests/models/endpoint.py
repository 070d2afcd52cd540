"""Replies of chat endpoints as real servers write them, and a model to ask."""

from __future__ import annotations

import json
import math
import threading
from typing import Any

from judge_tui.collect.secrets import Secrets
from judge_tui.model import DEFAULT_SCALE
from judge_tui.models.asking import ModelReply, ModelRequest, ask
from judge_tui.models.settings import JudgeSettings
from tests.collect.server import Reply, Server

KEY = "sk-4711-secret"


def settings(server: Server, **more: Any) -> JudgeSettings:
    """A judge that the server is, whose waits end soon."""
    table = {"url": f"{server.url}/v1", "model": "judge-1", "api_key": "${JUDGE_KEY}"}
    hasty = {"timeout": 5.0, "max_wait": 0.01}
    context = Secrets({"JUDGE_KEY": KEY})
    return JudgeSettings.model_validate({**table, **hasty, **more}, context=context)


def asks(count: int, text: str = "document") -> list[ModelRequest]:
    """So many things to ask, the last word of each of which is its key."""
    system = {"role": "system", "content": "You are a helpful assistant."}
    return [
        ModelRequest(n, [system, {"role": "user", "content": f"{text} {n}"}]) for n in range(count)
    ]


def answers(
    model: JudgeSettings, asked: list[ModelRequest], **options: Any
) -> dict[int, ModelReply]:
    """What comes of each, which is handed over once."""
    found: list[ModelReply] = []
    ask(model, asked, found.extend, scale=DEFAULT_SCALE, stop=threading.Event(), **options)
    by_key = {one.key: one for one in found}
    assert len(by_key) == len(found)
    return by_key


def key_of(request: dict[str, Any]) -> int:
    """The last word of the prompt."""
    return int(request["messages"][-1]["content"].rpartition(" ")[2])


def places(*tokens: tuple[str, dict[str, float]]) -> list[dict[str, Any]]:
    """The `content` of logprobs: (token, the likeliest tokens -> probability) in order."""
    return [
        {
            "token": token,
            "logprob": math.log(likely.get(token, 1.0)),
            "bytes": [*token.encode()],
            "top_logprobs": [
                {"token": one, "logprob": math.log(its), "bytes": [*one.encode()]}
                for one, its in likely.items()
            ],
        }
        for token, likely in tokens
    ]


def openai(text: str | None = '{"grade":2}', **choice: Any) -> dict[str, Any]:
    """A reply as OpenAI's API writes it."""
    message = {"role": "assistant", "content": text, "refusal": None, "annotations": []}
    return {
        "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
        "object": "chat.completion",
        "created": 1741569952,
        "model": "judge-1-2025-04-14",
        "choices": [
            {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop", **choice}
        ],
        "usage": {
            "prompt_tokens": 190,
            "completion_tokens": 10,
            "total_tokens": 200,
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        },
        "service_tier": "default",
        "system_fingerprint": None,
    }


def vllm(text: str | None = "##final score: 2", **choice: Any) -> dict[str, Any]:
    """A reply as vLLM's server writes it."""
    message = {"role": "assistant", "reasoning_content": None, "content": text, "tool_calls": []}
    ended = {"logprobs": None, "finish_reason": "stop", "stop_reason": None}
    return {
        "id": "chatcmpl-2f1b",
        "object": "chat.completion",
        "created": 1741569952,
        "model": "Qwen/Qwen3-32B",
        "choices": [{"index": 0, "message": message, **ended, **choice}],
        "usage": {"prompt_tokens": 190, "total_tokens": 200, "completion_tokens": 10},
        "prompt_logprobs": None,
        "kv_transfer_params": None,
    }


def refusal(status: int, message: str, **more: Any) -> Reply:
    """An error as OpenAI's API and newer servers of vLLM write it."""
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return status, {}, json.dumps({"error": {**error, **more}}).encode()


def flat_refusal(status: int, message: str) -> Reply:
    """An error as older servers of vLLM write it."""
    error = {"object": "error", "message": message, "type": "BadRequestError", "code": status}
    return status, {}, json.dumps(error).encode()
