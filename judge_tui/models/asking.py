"""An OpenAI-compatible chat endpoint, asked many things at once: answers are handed over as they
come, with their tokens, and the probabilities of grades where the server tells them."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import takewhile
from typing import NamedTuple, TypeAlias, cast

import httpx
import jmespath
from pydantic import JsonValue

from judge_tui.collect.chat_completion import Completion, Token, Usage, read_completion
from judge_tui.collect.http_system import open_clients, send
from judge_tui.collect.retry import Throttle, do_each
from judge_tui.collect.search_system import LateError, SearchError
from judge_tui.collect.secrets import redact_logs
from judge_tui.errors import UsageError
from judge_tui.model import Scale
from judge_tui.models.answers import answer_schema
from judge_tui.models.settings import JudgeSettings

Messages: TypeAlias = list[dict[str, str]]

EXTRAS: dict[str, tuple[str, ...]] = {
    "json_schema": ("response_format", "schema", "guided", "grammar"),
    "logprobs": ("logprob",),
}
"""What not every server has, with the words by which servers refuse it."""

_TOO_MANY_REQUESTS = 429
_MAY_LACK = (400, 403, 422)
_MAY_BE_THE_PROMPT = (400, 413, 422)
_PROMPT_WORDS = {
    "the prompt is longer than the model can read; lower max_document_chars": (
        *("context length", "context_length", "context size", "maximum model length"),
        "prompt is too long",
    ),
    "the server's content filter refuses the prompt": (
        *("content_filter", "content management policy"),
    ),
}
_MESSAGE = jmespath.compile("error.message || message || detail || error")
_LOOKED_AT = 10_000
_ALTERNATIVES = 10

_FAILURES_AT_FIRST = 3
_FAILURES_IN_A_ROW = 20
_PAUSE = 1.0
_LOOK = 0.05
_GRACE = 2.0


class ModelRequest(NamedTuple):
    """The messages of one request; `key` is the caller's."""

    key: int
    messages: Messages


class ModelReply(NamedTuple):
    """What came of it. `text`: the answer as it came, None where none came; `failure`: why it is
    no whole answer, else empty; `model`: its name as the server reports it, empty where it does
    not; `seconds`: of the last try, without waits; `tokens`: those of the answer with their
    probabilities, where the server tells them."""

    key: int
    text: str | None
    failure: str
    model: str
    tokens_in: int | None
    tokens_out: int | None
    seconds: float
    tokens: Sequence[Token] = ()


def ask(
    settings: JudgeSettings,
    requests: Iterable[ModelRequest],
    on_answers: Callable[[Sequence[ModelReply]], None],
    *,
    scale: Scale,
    stop: threading.Event,
    on_wait: Callable[[float, str], None] = lambda _seconds, _why: None,
) -> frozenset[str]:
    """Send all of them, `settings.concurrency` at a time, each read when its turn has come. Returns
    which of `EXTRAS` the server has refused, and went without.

    `on_answers` is called in this thread with those that have come, each once, and before whoever
    waited for it asks for more; what it raises ends the work. What may pass (429, 5xx, no
    connection, no answer in time) is tried again as `settings` say, and is a failure after the last
    try. When `stop` is set, nothing more is read, answers under way have `_GRACE` seconds, and
    those that do not come are not handed over. `on_wait` is told the seconds of each pause and why.

    Raises `UsageError` where the server refuses what all requests have in common (the address, the
    key, the model, a setting), or where many requests in a row have failed.
    """
    asker = _Asker(settings, on_answers, scale, on_wait)
    with redact_logs(settings.secrets):
        asyncio.run(asker.ask_all(requests, stop))
    return asker.lacking


def request_body(
    settings: JudgeSettings,
    messages: Messages,
    scale: Scale,
    lacking: frozenset[str] = frozenset(),
) -> dict[str, JsonValue]:
    """The JSON of a request with its secrets, less those of `EXTRAS` that a server is `lacking`."""
    extras: dict[str, JsonValue] = {}
    if settings.json_schema and "json_schema" not in lacking:
        wanted: JsonValue = {"name": "grade", "strict": True, "schema": answer_schema(scale)}
        extras["response_format"] = {"type": "json_schema", "json_schema": wanted}
    if settings.logprobs and "logprobs" not in lacking:
        extras |= {"logprobs": True, "top_logprobs": _ALTERNATIVES}
    return {
        "model": settings.model,
        "messages": cast("JsonValue", messages),
        **extras,
        **settings.sampling,
        **settings.secrets.expand(settings.options),
    }


def read_reply(key: int, completion: Completion, seconds: float) -> ModelReply:
    """The first answer of a completion; one that is cut, empty or refused has a failure. A NUL,
    which campaigns refuse, has its picture."""
    choice, usage = completion.choices[0], completion.usage or Usage()
    text = choice.message.content or choice.message.refusal or ""
    text = text.replace("\0", "\N{SYMBOL FOR NULL}")
    tokens_out = usage.completion_tokens
    failure = ""
    if choice.finish_reason == "length":
        length = "" if tokens_out is None else f" after {tokens_out:,} tokens"
        failure = f"the answer is cut{length}; give it more max_tokens"
    elif choice.finish_reason == "content_filter":
        failure = "the server's content filter held the answer back"
    elif choice.message.refusal:
        failure = "the model refuses to answer"
    elif not text.strip():
        failure = "the answer is empty"
    return ModelReply(
        key,
        text,
        failure,
        completion.model or "",
        usage.prompt_tokens,
        tokens_out,
        seconds,
        choice.logprobs.content if choice.logprobs else (),
    )


class _Asker:
    """One endpoint at work. `lacking`: what it has refused to give."""

    _idle: list[httpx.AsyncClient]

    def __init__(
        self,
        settings: JudgeSettings,
        on_answers: Callable[[Sequence[ModelReply]], None],
        scale: Scale,
        on_wait: Callable[[float, str], None],
    ) -> None:
        self.lacking: frozenset[str] = frozenset()
        self._settings = settings
        self._wanted = frozenset(name for name in EXTRAS if getattr(settings, name))
        self._on_answers = on_answers
        self._came: list[ModelReply] = []
        self._scale = scale
        self._redact = settings.secrets.redact
        self._url, self._headers = settings.endpoint, settings.sent_headers
        self._throttle = Throttle(
            settings, lambda seconds, why: on_wait(seconds, self._redact(why))
        )
        self._is_answering = False
        self._failures = 0

    async def ask_all(self, requests: Iterable[ModelRequest], stop: threading.Event) -> None:
        """Raises `UsageError`, and what handing over raises."""
        jobs = self._settings.concurrency
        wanted = takewhile(lambda _one: not stop.is_set(), requests)
        async with open_clients(self._settings.timeout, jobs) as self._idle:
            work = asyncio.create_task(do_each(wanted, self._ask, jobs))
            try:
                while not (work.done() or stop.is_set()):
                    await asyncio.wait([work], timeout=_LOOK)
                await asyncio.wait([work], timeout=_GRACE)
            finally:
                work.cancel()
                await asyncio.wait([work])
            try:
                if not work.cancelled():
                    work.result()
            finally:
                self._hand_over()

    async def _ask(self, request: ModelRequest) -> None:
        """Ask one, again without what the server lacks, and hand over what came of it."""
        is_open = True
        while is_open:
            lacking = self.lacking
            reply = await self._throttle.call(partial(self._complete, request.messages, lacking))
            error = reply.outcome
            is_open = isinstance(error, SearchError) and self._does_without(error, lacking)
        if not isinstance(error, SearchError):
            self._is_answering, self._failures = True, 0
            answer = read_reply(request.key, error, reply.seconds)
            await self._take(answer._replace(text=self._redact(answer.text or "")))
            return
        failure = self._describe(error)
        await self._take(ModelReply(request.key, None, failure, "", None, None, reply.seconds))
        if error.status not in _MAY_BE_THE_PROMPT:
            self._failures += 1
        most = max(_FAILURES_IN_A_ROW, 2 * self._settings.concurrency)
        if self._failures >= (most if self._is_answering else _FAILURES_AT_FIRST):
            what = f"{self._failures} requests in a row have failed, the last one: {failure}"
            raise UsageError(what, "see that the endpoint is well, then start again")

    async def _take(self, answer: ModelReply) -> None:
        """Hand an answer over, together with those that come at the same time: to keep many on a
        disk takes no longer than to keep one."""
        self._came.append(answer)
        await asyncio.sleep(0)
        self._hand_over()

    def _hand_over(self) -> None:
        answers, self._came = self._came, []
        if answers:
            self._on_answers(answers)

    async def _complete(self, messages: Messages, lacking: frozenset[str]) -> Completion:
        """One try. Raises `SearchError`."""
        timeout = self._settings.timeout
        body = request_body(self._settings, messages, self._scale, lacking)
        client = self._idle.pop()
        try:
            reply = await send(client, timeout, "POST", self._url, self._headers, body)
        except SearchError as error:
            # A model that is late is busy; one that is asked too much is left alone by all.
            error.transient = error.transient or isinstance(error, LateError)
            if error.status == _TOO_MANY_REQUESTS and error.retry_after is None:
                error.retry_after = _PAUSE
            raise
        finally:
            self._idle.append(client)
        return read_completion(reply)

    def _does_without(self, error: SearchError, lacking: frozenset[str]) -> bool:
        """Whether to ask again, for less: the server has refused a request without what is in
        `lacking`. What it once answered is not what it refuses."""
        if lacking != self.lacking:
            return True  # others were refused meanwhile
        if self._is_answering or error.status not in _MAY_LACK or _find_fault_of_prompt(error):
            return False
        wanted, detail = self._wanted - lacking, _detail(error)
        named = {one for one in wanted if any(word in detail for word in EXTRAS[one])}
        self.lacking |= named or wanted
        return bool(wanted)

    def _describe(self, error: SearchError) -> str:
        """Why there is no answer, without what the server said, which may hold the prompt. Raises
        `UsageError` where there will be none to any request."""
        if error.status in _MAY_BE_THE_PROMPT and (fault := _find_fault_of_prompt(error)):
            return fault
        is_refused = error.status is not None and not error.transient
        if is_refused and not (self._is_answering and error.status in _MAY_BE_THE_PROMPT):
            raise self._refusal(error)
        return " ".join(self._redact(error.what).split())

    def _refusal(self, error: SearchError) -> UsageError:
        with suppress(ValueError, RecursionError):
            error.detail = _MESSAGE.search(json.loads(error.detail)) or ""
        match error.status:
            case 401 | 403:
                mend = "check api_key, and the variable that it names"
            case 404:
                mend = "check url, to which /chat/completions is added, and model"
            case _:
                mend = "mend the settings of this judge"
        return UsageError(f"the endpoint refuses: {error.line(self._redact)}", mend)


def _detail(error: SearchError) -> str:
    return str(error.detail)[:_LOOKED_AT].lower()


def _find_fault_of_prompt(error: SearchError) -> str:
    """What is wrong with the prompt alone, empty where it is nothing that is known."""
    detail = _detail(error)
    faults = (one for one, words in _PROMPT_WORDS.items() if any(word in detail for word in words))
    return next(faults, "")
