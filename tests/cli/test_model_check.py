"""`model check`, with a real endpoint that honours, refuses or ignores."""

from __future__ import annotations

import json

from tests.as_typed import judge_tui, refused
from tests.cli.model_judges import asked, grades, judges, stored
from tests.models.endpoint import openai, places, vllm

__all__ = ["judges"]


def test_check_asks_about_one_pair_and_stores_nothing(server, files, judges):
    score = {"logprobs": {"content": [{"token": "2", "logprob": -0.1, "top_logprobs": []}]}}

    def complete(request):
        text = '{"grade": 2}' if "response_format" in request else "##final score: 2"
        more = score if "logprobs" in request else {}
        return openai(f"<think>Is it {{2}}?</think>{text}", **more)

    server.completes = complete
    lines = judge_tui("model", "check", "judges.toml").stdout.splitlines()
    assert lines[0].startswith("umbrela: judge-1-2025-04-14 answers in ")
    assert lines[1:3] == [
        "  q1 csv.reader: grade 2",
        "  JSON schema honoured, logprobs honoured, seed honoured",
    ]
    assert lines[3].startswith("  6 open pairs: about 0 s, ")
    assert stored(files) == {}
    assert set(asked(server)) == {("read a CSV file", "csv.reader")}


def test_check_says_what_is_refused_or_ignored(server, files, judges):
    texts = iter(map(str, range(99)))

    def complete(request):
        for name in ("response_format", "logprobs"):
            if name in request:
                error = {"error": {"message": f"{name} is not supported"}}
                return 400, {}, json.dumps(error).encode()
        return vllm(f"##final score: {next(texts)}")

    server.completes = complete
    lines = judge_tui("model", "check", "judges.toml").stdout.splitlines()
    assert lines[2] == "  JSON schema refused, logprobs refused, seed ignored"
    odd = {"logprobs": {"content": places(("well", {}))}}
    server.completes = lambda _request: vllm("Well.", finish_reason="length", **odd)
    lines = judge_tui("model", "check", "judges.toml").stdout.splitlines()
    assert lines[2] == "  JSON schema cannot be told, logprobs honoured, seed cannot be told"
    server.completes = lambda _request: vllm("Well.")
    lines = judge_tui("model", "check", "judges.toml").stdout.splitlines()
    assert lines[2] == "  JSON schema ignored, logprobs ignored, seed honoured"
    server.completes = lambda _request: (401, {}, b"")
    assert "umbrela: the endpoint refuses" in refused("model", "check", "judges.toml")


def test_a_prompt_without_its_guidelines_is_warned_of(server, files, judges):
    server.completes = grades()
    (files / "none.md").write_text("")
    judge_tui("settings", "guidelines", "none.md")
    assert not judge_tui("model", "judge", "umbrela").stderr
    judges("prompt = 'guidelines'")
    for words in (["check", "judges.toml"], ["judge", "umbrela"]):
        said = judge_tui("model", *words).stderr
        assert said.startswith("warning: umbrela: the campaign has no guidelines")
