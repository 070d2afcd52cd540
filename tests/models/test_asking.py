"""A chat endpoint that is asked, by a real server that answers and fails as those of OpenAI and
vLLM do."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter

import pytest

from judge_tui.collect.chat_completion import Token
from judge_tui.errors import UsageError
from judge_tui.model import DEFAULT_SCALE
from judge_tui.models import asking
from judge_tui.models.asking import ask
from tests.collect.server import Reply
from tests.models.endpoint import (
    KEY,
    answers,
    asks,
    flat_refusal,
    key_of,
    openai,
    places,
    refusal,
    settings,
    vllm,
)

TOKENS = places(("2", {"2": 0.6, "1": 0.3}), ("\n", {}))


@pytest.fixture(autouse=True)
def hasty(monkeypatch):
    """Pauses that a server asks for are over soon."""
    monkeypatch.setattr("judge_tui.collect.retry._FIRST_WAIT", 0.001)


def bodies(server):
    """What the server was sent."""
    return [json.loads(body) for *_, body in server.asked]


def ended(judge, asked):
    """The answers until a `UsageError` ended the work, and that."""
    found = []
    with pytest.raises(UsageError) as raised:
        ask(judge, asked, found.extend, scale=DEFAULT_SCALE, stop=threading.Event())
    return found, raised.value


@pytest.mark.parametrize(
    ("reply", "text", "model"),
    [
        (
            openai(logprobs={"content": TOKENS, "refusal": None}),
            '{"grade":2}',
            "judge-1-2025-04-14",
        ),
        (vllm(logprobs={"content": TOKENS}), "##final score: 2", "Qwen/Qwen3-32B"),
    ],
    ids=["OpenAI", "vLLM"],
)
def test_an_answer_with_all_that_the_server_tells(server, reply, text, model):
    server.completes = lambda _request: reply
    judge = settings(server, json_schema=True)
    (answer,) = answers(judge, asks(1)).values()
    assert answer[:6] == (0, text, "", model, 190, 10)
    assert [*answer.tokens] == [Token.model_validate(one) for one in TOKENS]
    assert answer.seconds > 0
    ((method, path, _params, headers, body),) = server.asked
    assert (method, path) == ("POST", "/v1/chat/completions")
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert json.loads(body) == {
        "model": "judge-1",
        "messages": asks(1)[0].messages,
        "temperature": 0.0,
        "top_p": 1.0,
        "frequency_penalty": 0.5,
        "max_tokens": 100,
        "logprobs": True,
        "top_logprobs": 10,
        "response_format": {
            "type": "json_schema",
            "json_schema": {
                "name": "grade",
                "strict": True,
                "schema": {
                    "type": "object",
                    "properties": {"grade": {"type": "integer", "enum": [0, 1, 2, 3]}},
                    "required": ["grade"],
                    "additionalProperties": False,
                },
            },
        },
    }


@pytest.mark.parametrize(
    ("reply", "text", "failure"),
    [
        (openai(None), "", "empty"),
        (openai(" \n"), "", "empty"),
        (openai("The passage", finish_reason="length"), "The passage", "cut after 10 tokens"),
        (openai(None, finish_reason="length"), "", "cut after 10 tokens"),
        (openai("", finish_reason="content_filter"), "", "content filter"),
        (
            openai(message={"content": None, "refusal": "I \0 not."}),
            "I \N{SYMBOL FOR NULL} not.",
            "refuses",
        ),
        ({"choices": [{"message": {"content": "2"}}]}, "2", ""),
        ({**openai("2"), "model": None, "usage": {"prompt_tokens": "many"}}, "2", ""),
        (openai("2", logprobs={"tokens": ["2"], "token_logprobs": [-0.1]}), "2", ""),
    ],
)
def test_what_is_no_whole_answer_is_named_and_kept(server, reply, text, failure):
    server.completes = lambda _request: reply
    (answer,) = answers(settings(server), asks(1)).values()
    assert (answer.text or "").strip() == text
    assert (failure in answer.failure) if failure else not answer.failure
    assert not answer.tokens
    assert answer.model == (reply.get("model") or "")
    usage = reply.get("usage", {})
    assert answer.tokens_in == (190 if usage.get("prompt_tokens") == 190 else None)


@pytest.mark.parametrize(
    "reply",
    [
        (200, {}, b"<html>sign in</html>"),
        (200, {}, b'{"error": {"message": "no"}}'),
        (204, {}, b""),
    ],
)
def test_what_is_no_completion_is_no_answer(server, reply):
    server.completes = lambda request: openai() if key_of(request) else reply
    found = answers(settings(server), asks(2))
    assert found[0].text is None
    assert found[0].failure
    assert found[1].text == '{"grade":2}'


RETRY = {"Retry-After": "0"}


def failing(server, replies):
    """A server that sends these in turn, then answers; how often it was asked each."""
    tries = Counter()

    def complete(request):
        key = key_of(request)
        with server.lock:
            tries[key] += 1
            at = tries[key] - 1
        return replies[at] if at < len(replies) else openai()

    server.completes = complete
    return tries


@pytest.mark.parametrize(
    "failures",
    [
        [refusal(429, "Rate limit reached")],
        [(429, RETRY, b"")],
        [(429, RETRY, b"")] * 5,
        [refusal(500, "The server had an error")],
        [(503, RETRY, b"loading")],
        [(502, {}, b"<html>"), (504, {}, b"")],
    ],
)
def test_what_passes_is_asked_again(server, monkeypatch, failures):
    monkeypatch.setattr(asking, "_PAUSE", 0.001)
    tries = failing(server, failures)
    waits = []
    judge = settings(server, max_wait=1.0)
    found = answers(judge, asks(2), on_wait=lambda seconds, why: waits.append((seconds, why)))
    assert [one.text for one in found.values()] == ['{"grade":2}'] * 2
    assert tries == {0: len(failures) + 1, 1: len(failures) + 1}
    assert {why[:8] for _, why in waits} == {f"HTTP {status}" for status, *_ in failures}


def test_what_is_late_is_asked_again(server):
    late, left = threading.Event(), iter([True])

    def complete(_request):
        if next(left, False):
            late.wait(10)
        return openai()

    server.completes = complete
    (answer,) = answers(settings(server, timeout=0.2), asks(1)).values()
    late.set()
    assert answer.text == '{"grade":2}'
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("place", "failure"),
    [("drip", "no answer within 0.2 s"), ("hangup", "no whole answer")],
)
def test_an_answer_that_never_ends_or_breaks_off_is_none(server, place, failure):
    judge = settings(server, url=f"{server.url}/{place}/v1", timeout=0.2, retries=0)
    (answer,) = answers(judge, asks(1)).values()
    assert answer.text is None
    assert failure in answer.failure


SECRETIVE = f"{KEY} document 0"
"""What a server says that tells all it knows: the key, and what it was asked."""


@pytest.mark.parametrize(
    ("reply", "tries"),
    [
        (refusal(500, SECRETIVE), 3),
        (refusal(429, SECRETIVE), 1),  # the pause is longer than is wanted
        ((200, {}, SECRETIVE.encode()), 1),
        (refusal(400, f"{SECRETIVE}: This model's maximum context length is 4096 tokens."), 1),
        (refusal(400, SECRETIVE, code="context_length_exceeded"), 1),
        (flat_refusal(400, f"The prompt is longer than the maximum model length: {SECRETIVE}"), 1),
        (refusal(400, "request exceeds the available context size", type="exceed_context"), 1),
        (refusal(400, SECRETIVE, code="content_filter"), 1),
        (refusal(413, SECRETIVE), 1),
    ],
)
def test_a_failure_tells_nothing_that_is_nobodys_business(server, reply, tries):
    server.completes = lambda request: reply if key_of(request) == 1 else openai()
    found = answers(settings(server, concurrency=1), asks(3))
    assert {key: one.text for key, one in found.items()} == {
        0: '{"grade":2}',
        1: None,
        2: '{"grade":2}',
    }
    assert found[1].failure
    assert KEY not in found[1].failure
    assert "document 0" not in found[1].failure
    assert len(server.asked) == 2 + tries


def test_no_connection_ends_the_work_after_a_few(server):
    judge = settings(server)
    server.server_close()
    found, error = ended(judge, iter(asks(100)))
    assert 3 <= len(found) <= judge.concurrency
    assert all(one.text is None for one in found)
    assert KEY not in str(error)


def test_certificates_that_are_not_there_are_refused(server, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere")
    with pytest.raises(UsageError, match="SSL_CERT_FILE"):
        answers(settings(server), asks(1))
    assert not server.asked


def test_an_endpoint_that_is_well_no_more_ends_the_work(server):
    server.completes = lambda request: openai() if key_of(request) < 5 else (500, {}, b"")
    found, _ = ended(settings(server, retries=0), asks(500))
    assert sum(one.text is not None for one in found) == 5
    assert 20 <= sum(one.text is None for one in found) < 40


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        (refusal(401, f"Incorrect API key provided: {KEY}"), "Incorrect API key"),
        (refusal(403, "Project has no access"), "no access"),
        (flat_refusal(404, "The model `judge-1` does not exist."), "does not exist"),
        ((404, {}, b'{"detail": "Not Found"}'), "404 Not Found: Not Found"),
        (refusal(400, "frequency_penalty must be in [-2, 2]"), "frequency_penalty"),
        ((422, {}, b'{"detail": [{"loc": ["body"], "msg": "extra"}]}'), "extra"),
        ((302, {"Location": "/v2"}, b""), "/v2"),
    ],
)
def test_what_is_refused_for_all_ends_the_work(server, reply, word):
    server.completes = lambda _request: reply
    judge = settings(server, concurrency=4)
    found, error = ended(judge, asks(100))
    assert word in error.what
    assert error.mend
    assert KEY not in str(error)
    assert not found
    assert len(server.asked) <= 2 * judge.concurrency  # once more without what it may lack


def test_a_key_that_is_taken_back_ends_the_work_and_keeps_what_came(server):
    server.completes = lambda request: openai() if key_of(request) < 9 else refusal(401, "revoked")
    found, _ = ended(settings(server, concurrency=1), asks(99))
    assert [one.key for one in found] == [*range(9)]


NO_SCHEMA = refusal(400, "Invalid parameter: 'response_format' of type 'json_schema'")
NO_LOGPROBS = refusal(403, "You are not allowed to request logprobs from this model")
NEITHER = flat_refusal(400, "Extra inputs are not permitted")
EXTRAS = {"json_schema": "response_format", "logprobs": "logprobs"}


@pytest.mark.parametrize(
    ("refused", "expected"),
    [
        ({"response_format": NO_SCHEMA}, {"json_schema"}),
        ({"logprobs": NO_LOGPROBS}, {"logprobs"}),
        ({"response_format": NO_SCHEMA, "logprobs": NO_LOGPROBS}, {"json_schema", "logprobs"}),
        ({"response_format": NEITHER}, {"json_schema", "logprobs"}),
        ({}, set()),
    ],
)
def test_what_a_server_lacks_is_done_without(server, refused, expected):
    def complete(request):
        return next((refused[name] for name in refused if name in request), None) or openai("2")

    server.completes = complete
    judge = settings(server, json_schema=True, concurrency=4)
    found = []
    lacking = ask(judge, asks(40), found.extend, scale=DEFAULT_SCALE, stop=threading.Event())
    assert lacking == expected
    assert sorted(one.key for one in found) == [*range(40)]
    assert not any(one.failure for one in found)
    assert len(server.asked) <= 40 + judge.concurrency * len(expected)
    for body in bodies(server)[-20:]:
        assert {name for name, field in EXTRAS.items() if field not in body} == expected


def test_what_was_answered_once_is_not_done_without(server):
    server.completes = lambda request: NO_SCHEMA if key_of(request) == 3 else openai()
    judge = settings(server, json_schema=True, concurrency=1)
    found = answers(judge, asks(5))
    assert [key for key, one in found.items() if one.failure] == [3]
    assert all("response_format" in body for body in bodies(server))


def test_a_prompt_that_is_too_long_says_nothing_of_a_schema(server):
    long = refusal(400, "maximum context length is 4096 tokens")
    server.completes = lambda request: openai() if key_of(request) else long
    judge = settings(server, json_schema=True, concurrency=1)
    found = answers(judge, asks(3))
    assert [key for key, one in found.items() if one.failure] == [0]
    assert all("response_format" in body for body in bodies(server))


def test_things_are_read_as_they_are_asked_over_few_connections(server):
    three = threading.Barrier(3)
    server.completes = lambda _request: openai() if three.wait(30) >= 0 else None
    judge = settings(server, concurrency=3)
    read = done = 0
    ahead = []

    def reading():
        nonlocal read
        for one in asks(60):
            read += 1
            ahead.append(read - done)
            yield one

    def take(answers):
        nonlocal done
        done += len(answers)

    ask(judge, reading(), take, scale=DEFAULT_SCALE, stop=threading.Event())
    assert done == 60
    assert max(ahead) == 3
    assert server.most_at_work == server.connections == 3


def test_what_comes_while_answers_are_kept_is_handed_over_at_once(server):
    server.completes = lambda _request: openai()
    found, together = [], []

    def take(answers):
        time.sleep(0.01)  # as a disk does
        found.extend(one.key for one in answers)
        together.append(len(answers))

    judge = settings(server, concurrency=4)
    ask(judge, asks(60), take, scale=DEFAULT_SCALE, stop=threading.Event())
    assert sorted(found) == [*range(60)]
    assert 1 < max(together) <= 4


@pytest.mark.parametrize("concurrency", [1, 5])
def test_stop_asks_nothing_more_and_hands_over_what_came(server, concurrency):
    stop, found = threading.Event(), []
    server.completes = lambda _request: openai()

    def take(answers):
        found.extend(one.key for one in answers)
        if len(found) >= 7:
            stop.set()

    ask(settings(server, concurrency=concurrency), asks(500), take, scale=DEFAULT_SCALE, stop=stop)
    assert 7 <= len(found) < 7 + concurrency
    assert len(server.asked) == len(found) == len({*found})


def test_stop_waits_for_nobody_long(server, monkeypatch):
    monkeypatch.setattr(asking, "_GRACE", 0.05)
    stop, late, found = threading.Event(), threading.Event(), []

    def complete(request) -> dict | Reply:
        if key_of(request) == 4:
            stop.set()
            late.wait(10)
        return openai()

    server.completes = complete
    ask(
        settings(server, concurrency=1, timeout=60.0),
        asks(500),
        found.extend,
        scale=DEFAULT_SCALE,
        stop=stop,
    )
    late.set()
    assert [one.key for one in found] == [0, 1, 2, 3]


def test_what_taking_an_answer_raises_ends_the_work(server):
    server.completes = lambda _request: openai()

    def take(_answers):
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        ask(settings(server), asks(500), take, scale=DEFAULT_SCALE, stop=threading.Event())
