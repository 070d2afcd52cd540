"""`model export` and `model load`: a model asked by files."""

from __future__ import annotations

import json
from itertools import pairwise

from tests.as_typed import judge_tui, refused
from tests.cli.model_judges import grades, judges, stored
from tests.models.endpoint import vllm

__all__ = ["judges"]


def test_a_batch_goes_out_and_its_answers_come_back_once(server, files, judges):
    judge_tui("model", "export", "umbrela", "-o", "batch.jsonl")
    requests = [json.loads(line) for line in (files / "batch.jsonl").read_text().splitlines()]
    assert len({one["custom_id"] for one in requests}) == 6
    assert {(one["method"], one["url"]) for one in requests} == {("POST", "/v1/chat/completions")}
    bodies = [one["body"] for one in requests]
    assert {one["model"] for one in bodies} == {"m"}
    complete = grades("As\u2028asked.\n##final score: 2")
    answers = [
        {
            "id": "batch_req_1",
            "custom_id": one["custom_id"],
            "response": {"status_code": 200, "request_id": "r", "body": complete(one["body"])},
            "error": None,
        }
        for one in requests
    ]
    answers[0] |= {"response": None, "error": {"code": "batch_expired", "message": "late"}}
    # As vLLM writes them, which escapes no character but those that JSON forbids.
    lines = [json.dumps(one, ensure_ascii=False) + "\n" for one in reversed(answers)]
    (files / "answers.jsonl").write_text("".join(lines), "utf-8")
    out = judge_tui("model", "load", "umbrela", "answers.jsonl").stdout
    assert "umbrela: 5 pairs graded, 950 tokens read and 50 written" in out
    assert "still open: 1 (the request failed)" in out
    # Once more changes nothing, and what is asked otherwise sends the very same.
    again = judge_tui("model", "load", "umbrela", "answers.jsonl").stdout
    assert "umbrela: 0 pairs graded, 5 answered before" in again
    server.completes = grades()
    judge_tui("model", "judge", "umbrela")
    [(*_, body)] = server.asked
    assert json.loads(body) == bodies[0]
    assert len(stored(files)["umbrela"]) == 6

    def refusal(*lines):
        (files / "bad.jsonl").write_text("\n".join(lines))
        return refused("model", "load", "umbrela", "bad.jsonl")

    line = json.dumps(answers[1])
    assert "bad.jsonl:1: no answer of a batch" in refusal("{}")
    assert "bad.jsonl:2: no answer of a batch" in refusal(line, "prose")
    assert "has an answer above" in refusal(line, line)
    other = json.dumps({**answers[1], "custom_id": f"x{answers[1]['custom_id'][1:]}"})
    assert "a request of another campaign" in refusal(other)
    no_choice = {**answers[1], "response": {"status_code": 200, "body": {"choices": []}}}
    assert "bad.jsonl:1: the answer has no choices" in refusal(json.dumps(no_choice))
    judges("temperature = 0.5")
    assert "answers what would be asked otherwise now" in refusal(line)


def test_no_secret_goes_into_a_batch(server, files, judges, monkeypatch):
    judges('api_key = "${USER_KEY}"\nheaders = { X = "${USER_KEY}" }')
    (files / "judges.toml").write_text(
        (files / "judges.toml").read_text().replace('/v1"', '/v1?key=${USER_KEY}"')
    )
    assert "names USER_KEY" in judge_tui("model", "judge", "umbrela", code=2).stderr
    # Nothing is sent, so that nothing need be there.
    judge_tui("model", "export", "umbrela", "-o", "batch.jsonl")
    line = json.loads((files / "batch.jsonl").read_text().splitlines()[0])
    answer = {**line, "response": {"status_code": 200, "body": vllm()}}
    (files / "answers.jsonl").write_text(json.dumps(answer))
    out = judge_tui("model", "load", "umbrela", "answers.jsonl").stdout
    assert "umbrela: 1 pair graded" in out
    monkeypatch.setenv("USER_KEY", "s3cret-user")
    judge_tui("model", "export", "umbrela", "-o", "again.jsonl")
    assert "s3cret" not in (files / "again.jsonl").read_text()
    judges('options = { user = "${USER_KEY}" }')
    assert "options have ${USER_KEY}" in refused("model", "export", "umbrela", "-o", "b.jsonl")


def test_a_limit_draws_from_all_queries(files, judges):
    def pairs(limit):
        judge_tui("model", "export", "umbrela", "--limit", f"{limit}", "-o", f"{limit}.jsonl")
        lines = (files / f"{limit}.jsonl").read_text().splitlines()
        return [int(json.loads(line)["custom_id"].split("-")[1]) for line in lines]

    every = pairs(9)
    drawn = [pairs(limit) for limit in range(1, 7)]
    assert [len(one) for one in drawn] == [1, 2, 3, 4, 5, 6]
    assert all({*fewer} < {*more} for fewer, more in pairwise(drawn))
    # Asked by query, which those of the first query alone are not.
    assert all(one == [pair for pair in every if pair in one] for one in drawn)
    assert drawn[2] != every[:3]
