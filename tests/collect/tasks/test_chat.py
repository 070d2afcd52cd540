"""What a chat endpoint answers, read; and real endpoints with bad manners."""

from __future__ import annotations

import json

import pytest

from judge_tui.collect import read_systems
from judge_tui.collect.reply import AskError
from judge_tui.collect.tasks.chat import ChatReply, reply_of
from judge_tui.errors import JudgeTuiError
from tests.collect.asking import OUT, collect, systems_file
from tests.collect.tasks.trying import TASKS, chat, check, model, passed, prompts, sent, tried

PLAIN = {"arms": {"plain": {}}, "checks": {"any": check("")}}


def choice(message, **more) -> str:
    return json.dumps({"choices": [{"message": message, **more}]})


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        (choice({"content": "a"}, finish_reason="stop"), ChatReply("a", "stop")),
        (choice({"content": None, "refusal": "no"}), ChatReply("", "", "no")),
        (choice({"tool_calls": []}, finish_reason="tool_calls"), ChatReply("", "tool_calls")),
        (choice({"content": "half"}, finish_reason="length"), ChatReply("half", "length")),
        (choice({"content": "a"}, finish_reason=3), ChatReply("a")),
        (
            choice({"content": [{"type": "text", "text": "a"}, {"type": "x"}]}),
            ChatReply("a"),
        ),
        (choice({"content": "\ud800"}), ChatReply("\ufffd")),
    ],
)
def test_what_was_said_and_why_it_ended(text, reply):
    assert reply_of(text) == reply


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        '{"choices": []}',
        '{"choices": [null]}',
        '{"choices": [{"message": null}]}',
        choice({"content": 3}),
        choice({"content": ["a"]}),
        '{"choices": [{"message": {"content": "a',
        '{"error": {"message": "no such model"}}',
        "[" * 100_000,
    ],
)
def test_what_holds_no_message_is_no_answer(text):
    with pytest.raises(AskError, match=r"the answer has no choices\[0\]\.message"):
        reply_of(text)


def test_empty_answers_and_refusals_pass_no_check_not_even_one_that_passes_all(server, tmp_path):
    def says(prompt):
        if "csv" in prompt:
            return {"message": {"content": None, "refusal": "I may not"}, "finish_reason": "stop"}
        return " \n" if "sort" in prompt else "```\n\n```\nThere."

    server.says = says
    outcome = tried(tmp_path, {"coder": chat(server, **PLAIN)})
    assert passed(outcome, "any") == {"plain": "000"}
    assert [one.checks["any"].why for one in outcome.of("plain")] == [
        "the answer is empty",
        "the answer is empty",
        "no code in it",
    ]
    assert outcome.attempts["t1", "plain"].refusal == "I may not"


def test_an_endpoint_that_recovers_is_asked_again_as_it_says(server, tmp_path):
    server.says = model
    server.retry_after = "0"
    outcome = tried(
        tmp_path, {"coder": chat(server, "/once/429/2/chat", **PLAIN, longest_wait=1)}, TASKS[:1]
    )
    # Twice in vain and once answered before the work, once in it.
    assert len(prompts(server)) == 4
    assert outcome.attempts["t1", "plain"].tries == 1


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/500/chat", "HTTP 500 Internal Server Error"),
        ("/401/chat", "HTTP 401 Unauthorized"),
        ("/hangup/chat", "no whole answer: Server disconnected without sending a response"),
        ("/broken/chat", "the answer has no choices[0].message"),
        ("/moved/chat", "HTTP 302 Found, to another place"),
        ("/drip/chat", "no answer within 0.5 s"),
    ],
)
def test_an_endpoint_that_answers_no_task_is_told_before_the_work(server, tmp_path, path, why):
    patience = {"timeout": 0.5 if "drip" in path else 20, "retries": 1}
    path = systems_file(tmp_path, {"coder": chat(server, path, **PLAIN, **patience)})
    with pytest.raises(JudgeTuiError) as raised:
        collect(read_systems(path, environment={}), TASKS[:1], tmp_path / OUT)
    assert f"systems.toml:1: system coder: does not answer task t1: {why}" in str(raised.value)
    assert not (tmp_path / OUT).exists()


def test_the_secret_is_sent_and_stands_nowhere(server, tmp_path):
    value = "key that nobody may know"
    server.says = lambda prompt: f"```\nprint('{sent(server)[0]['headers']['Authorization']}')\n```"
    table = chat(
        server,
        headers={"Authorization": "Bearer ${KEY}"},
        arms={"plain": {}},
        checks={"prints": check("print(answer, file=sys.stderr); sys.exit(1)")},
    )
    outcome = tried(tmp_path, {"coder": table}, TASKS[:1], environment={"KEY": value})
    assert sent(server)[0]["headers"]["Authorization"] == f"Bearer {value}"
    attempt = outcome.attempts["t1", "plain"]
    assert attempt.reply == "```\nprint('Bearer ${KEY}')\n```"
    assert "print('Bearer ${KEY}')" in attempt.checks["prints"].output
    for path in (tmp_path / OUT).iterdir():
        assert value not in path.read_text(encoding="utf-8"), path
