"""What a server replies, and the answer that is stored of it."""

from __future__ import annotations

import threading

import pytest

from judge_tui.campaign.store.model_answers import asked_models, model_answers
from judge_tui.models.candidate import read_candidates
from judge_tui.models.judge import AskOutcome, judge_pool
from judge_tui.models.plan import plan_pairs
from tests.models.endpoint import openai, places, vllm

LIKELY = {"content": places(("##final score:", {}), (" 2", {" 2": 0.75, "1": 0.25}))}
AT_THE_END = {"content": [*LIKELY["content"], *places(("\nSources: [", {}), ("1", {"1": 0.9}))]}
THOUGHT = "<think>##final score: 3</think>##final score: 2"
CHANCES = {1: pytest.approx(0.25), 2: pytest.approx(0.75)}
CUT = "the answer is cut after 10 tokens; give it more max_tokens"
KEPT_BACK = "the server's content filter held the answer back"

STORED = {
    "as it should be": (vllm(logprobs=LIKELY), (2, "", CHANCES)),
    "without logprobs": (vllm(), (2, "", None)),
    "JSON": (openai('{"grade": 1}'), (1, "", None)),
    "thought before": (vllm(THOUGHT, logprobs=LIKELY), (2, "", CHANCES)),
    "a number behind": (
        vllm("##final score: 2\nSources: [1", logprobs=AT_THE_END),
        (2, "", CHANCES),
    ),
    "cut": (vllm(finish_reason="length", logprobs=LIKELY), (None, CUT, None)),
    "filtered": (
        openai("##final score: 2", finish_reason="content_filter"),
        (None, KEPT_BACK, None),
    ),
    "refused": (
        openai(message={"content": None, "refusal": "##final score: 2"}),
        (None, "the model refuses to answer", None),
    ),
    "empty": (vllm(None), (None, "the answer is empty", None)),
    "prose": (vllm("A 2.", logprobs=LIKELY), (None, "no final score", None)),
    "off the scale": (vllm("##final score: 4"), (None, "off the scale: 4", None)),
}


@pytest.mark.parametrize("what", STORED)
def test_what_is_stored_of_a_reply(server, campaign, tmp_path, what):
    reply, expected = STORED[what]
    server.completes = lambda _request: reply
    judges = tmp_path / "judges.toml"
    judges.write_text(f'[judges.gpt]\nurl = "{server.url}/v1"\nmodel = "m"\n')
    [candidate] = read_candidates(campaign, judges)
    judge_pool(
        candidate,
        plan_pairs(candidate, limit=1),
        AskOutcome(),
        replan=lambda judge, left: plan_pairs(candidate, limit=left, judge=judge),
        stop=threading.Event(),
    )
    [judge] = asked_models(campaign)
    with campaign.reading():
        [(*_, stored)] = model_answers(campaign, judge.key)
    assert (stored.grade, stored.reason, stored.probabilities) == expected
    message = reply["choices"][0]["message"]
    assert stored.raw == (message["content"] or message.get("refusal") or "")
    assert (judge.model, stored.tokens_in, stored.tokens_out) == (reply["model"], 190, 10)
    assert stored.seconds > 0
