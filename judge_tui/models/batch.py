"""A model asked by files, in the form of OpenAI's batches: requests go out as JSON Lines, a vendor
or `vllm run-batch` answers them, and the answers come back.

The `custom_id` of a request names the campaign, the pair, what exactly was asked, and the probe, if
any: an answer to anything else is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

from pydantic import JsonValue

from judge_tui.campaign.store.model_answers import pairs_for_models, store_answers
from judge_tui.collect.chat_completion import read_completion
from judge_tui.collect.search_system import SearchError
from judge_tui.collect.secrets import find_names
from judge_tui.errors import InputError, UsageError
from judge_tui.formats.source import open_source
from judge_tui.models.asking import read_reply, request_body
from judge_tui.models.candidate import Candidate, ModelQuestion
from judge_tui.models.judge import AskOutcome
from judge_tui.models.probes import PROBES
from judge_tui.models.prompts import Request

_METHOD, _URL = "POST", "/v1/chat/completions"
_DIGITS = 16
_FORM = 'a line is {"custom_id": "…", "response": {"status_code": 200, "body": {…}}}'
_OK = 200


def requests_in_lines(candidate: Candidate, questions: Iterable[ModelQuestion]) -> Iterator[str]:
    """The lines of a file of requests. Raises `UsageError` where a secret would be in it."""
    for name in find_names(candidate.settings.options):
        raise UsageError(
            f"options have ${{{name}}}, and a file of requests holds no secret",
            "leave it out of judges.toml for this",
        )
    for question, request in candidate.requests(questions):
        line = {
            "custom_id": _custom_id(candidate, question, request),
            "method": _METHOD,
            "url": _URL,
            "body": _body(candidate, request),
        }
        yield f"{json.dumps(line, ensure_ascii=False)}\n"


def _custom_id(candidate: Candidate, question: ModelQuestion, request: Request) -> str:
    body = json.dumps(_body(candidate, request), sort_keys=True)
    digest = hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()
    campaign_id = candidate.campaign.settings.campaign_id[:8]
    probe = f"-{question.probe}" if question.probe else ""
    return f"{campaign_id}-{question.pair.key}-{digest[:_DIGITS]}{probe}"


def _body(candidate: Candidate, request: Request) -> dict[str, JsonValue]:
    return request_body(candidate.settings, request.messages, candidate.prompt.scale)


class _Line(NamedTuple):
    number: int
    pair: int
    probe: str
    custom_id: str
    reply: str
    failure: str


def load_answers(candidate: Candidate, path: str | os.PathLike[str]) -> AskOutcome:
    """Store the answers of a file, all or none of them; what was answered before stays as
    it is. A request that failed leaves its pair, or its probe, open.

    Raises `InputError` for a line that is no answer to a request, or to one that would be another
    now: other settings, another prompt, query or document.
    """
    lines = {(one.pair, one.probe): one for one in _read(candidate, path)}
    outcome = AskOutcome()
    campaign = candidate.campaign
    with campaign.writing():
        pairs, probes = pairs_for_models(campaign), ("", *PROBES)
        for unknown in lines.keys() - {*product((one.key for one in pairs), probes)}:
            raise _other(path, lines[unknown])
        questions = [
            ModelQuestion(pair, probe)
            for probe, pair in product(probes, pairs)
            if (pair.key, probe) in lines
        ]
        for question, request in candidate.requests(questions):
            line = lines[question.pair.key, question.probe]
            if line.custom_id != _custom_id(candidate, question, request):
                raise _other(path, line)
            if line.failure:
                outcome.failed[line.failure] += 1
            else:
                _store(candidate, path, line, question, request, outcome)
    return outcome


def _store(
    candidate: Candidate,
    path: str | os.PathLike[str],
    line: _Line,
    question: ModelQuestion,
    request: Request,
    outcome: AskOutcome,
) -> None:
    try:
        completion = read_completion(line.reply)
    except SearchError as error:
        raise InputError(path, line.number, error.what, _FORM) from error
    answer = read_reply(0, completion, 0.0)
    stored = candidate.to_stored(question, answer, request.chars_seen)._replace(seconds=None)
    judge = candidate.find_or_add_judge(answer.model)
    if judge.name not in outcome.judges:
        outcome.judges[judge.name] = candidate.changes(judge)
    if store_answers(candidate.campaign, judge.key, [stored]):
        outcome.count(question, stored, is_new=True)
    else:
        outcome.known += 1


def _read(candidate: Candidate, path: str | os.PathLike[str]) -> Iterator[_Line]:
    ours = candidate.campaign.settings.campaign_id[:8]
    seen: set[tuple[int, str]] = set()
    with open_source(path) as source:
        for number, text in source.lines():
            if not text.strip():
                continue
            try:
                line = _line(number, json.loads(text), ours)
            except (ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:
                raise InputError(path, number, "no answer of a batch", _FORM) from error
            if line is None:
                what = "this answers a request of another campaign"
                raise InputError(path, number, what, "load what model export wrote for this one")
            if (line.pair, line.probe) in seen:
                what = f"{line.custom_id} has an answer above"
                raise InputError(path, number, what, "remove one of the two lines")
            seen.add((line.pair, line.probe))
            yield line


def _line(number: int, record: Any, ours: str) -> _Line | None:
    """A line; None for one of another campaign. Raises what a record of another form does."""
    custom_id: str = record["custom_id"]
    campaign, pair, _, *probe = custom_id.split("-")
    if campaign != ours:
        return None
    response, failure = record.get("response"), ""
    if response is None or response["status_code"] != _OK:
        status = "" if response is None else f" {response['status_code']}"
        failure = f"the request failed{status}"
    reply = json.dumps(None if failure else response["body"])
    return _Line(number, int(pair), "-".join(probe), custom_id, reply, failure)


def _other(path: str | os.PathLike[str], line: _Line) -> InputError:
    what = f"{line.custom_id} answers what would be asked otherwise now"
    mend = "settings, prompt, query or document have changed: export again, or undo the change"
    return InputError(path, line.number, what, mend)
