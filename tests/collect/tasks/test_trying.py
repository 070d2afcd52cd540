"""Tasks put to a real endpoint with and without what a real server finds: what is asked, what is
kept, what fails, what is not asked again."""

from __future__ import annotations

import copy
import json
import time
from dataclasses import replace

import pytest

from judge_tui.collect import read_systems
from judge_tui.collect.tasks.attempt import Attempt, AttemptJournal, Checked
from judge_tui.errors import InputError
from judge_tui.formats.outcomes_csv import read_outcomes
from judge_tui.model import Query
from tests.collect.asking import OUT, http, systems_file
from tests.collect.tasks.trying import (
    TASKS,
    attempts,
    chat,
    check,
    model,
    passed,
    prompts,
    sent,
    tables,
    tried,
)

CSV = "[1] docs/csv.md\nReading CSV\nread a csv with a reader\n\n[2] docs/json file.md\nread a json"


@pytest.fixture
def endpoint(server):
    """The server, which says what `model` says, and finds texts with the right word for a task."""
    server.says = model
    server.found["read a csv file"][0]["text"] = "read a csv with a reader"
    server.found["read a csv file"][1]["text"] = "read a json"
    server.found["sort a list"][0]["text"] = "sort it"
    return server


def test_each_arm_gets_its_context_and_the_checks_say_what_passes(endpoint, tmp_path):
    outcome = tried(tmp_path, tables(endpoint))
    # The right word is in what is found for the first task; for the third nothing is found.
    assert passed(outcome) == {"plain": "000", "docs": "100"}
    assert prompts(endpoint)[1:] == [
        "\n\nTask: read a csv file",
        f"{CSV}\n\nTask: read a csv file",
        "\n\nTask: sort a list",
        "[1] docs/sort.md\nsort it\n\nTask: sort a list",
        "\n\nTask: nothing at all",
        "\n\nTask: nothing at all",
    ]
    assert outcome.attempts["t1", "docs"].doc_ids == ("docs/csv.md", "docs/json file.md")
    assert (tmp_path / OUT / "coder.outcomes.csv").read_text() == (
        "task,arm,compiles\nt1,plain,0\nt1,docs,1\nt2,plain,0\nt2,docs,0\nt3,plain,0\nt3,docs,0\n"
    )
    read = read_outcomes(tmp_path / OUT / "coder.outcomes.csv")
    assert (read.tasks, read.arms, read.passed) == (
        ("t1", "t2", "t3"),
        ("plain", "docs"),
        outcome.passed,
    )
    assert not (tmp_path / OUT / "coder.run").exists()


def test_the_arms_differ_in_the_context_alone(endpoint, tmp_path):
    more = {"system": "You write Python.", "max_tokens": 50, "seed": 7, "options": {"top_p": 0.5}}
    outcome = tried(tmp_path, tables(endpoint, **more))
    asked = sent(endpoint)[1:]
    for task in range(len(TASKS)):
        plain, docs = asked[2 * task : 2 * task + 2]
        held = outcome.attempts[TASKS[task].query_id, "docs"].prompt
        assert docs["body"]["messages"][1]["content"] == held
        context = held.removesuffix(plain["body"]["messages"][1]["content"])
        assert bool(context) == (task < 2)
        # Without the context, everything that was sent is the same, header by header.
        without = copy.deepcopy(docs)
        without["body"]["messages"][1]["content"] = held.removeprefix(context)
        length = int(without["headers"].pop("Content-Length"))
        added = len(json.dumps(context)) - 2
        assert length - int(plain["headers"].pop("Content-Length")) == added
        assert without == plain
    assert asked[0]["body"] == {
        "model": "m-1",
        "temperature": 0,
        "max_tokens": 50,
        "seed": 7,
        "top_p": 0.5,
        "messages": [
            {"role": "system", "content": "You write Python."},
            {"role": "user", "content": "\n\nTask: read a csv file"},
        ],
    }


def test_what_is_in_the_context_is_filled_in_nowhere_again(endpoint, tmp_path):
    endpoint.found["sort a list"][0]["text"] = "write {query} or {context}, \\1 or $HOME"
    tried(tmp_path, tables(endpoint))
    assert (
        "[1] docs/sort.md\nwrite {query} or {context}, \\1 or $HOME\n\nTask: sort a list"
        in prompts(endpoint)
    )


def test_what_is_there_is_neither_asked_nor_checked_again(endpoint, tmp_path):
    first = tried(tmp_path, tables(endpoint))
    there = {path.name: path.read_bytes() for path in (tmp_path / OUT).iterdir()}
    endpoint.asked.clear()
    assert tried(tmp_path, tables(endpoint)) == replace(first, kept=6)
    assert endpoint.asked == []
    assert {path.name: path.read_bytes() for path in (tmp_path / OUT).iterdir()} == there


def test_a_check_that_is_new_or_another_one_asks_for_no_answer_again(endpoint, tmp_path):
    tried(tmp_path, tables(endpoint))
    endpoint.asked.clear()
    (tmp_path / "short.py").write_text("import sys\nsys.exit(len(open(sys.argv[1]).read()) > 8)")
    its = [*check("")[:1], "{folder}/short.py", "{file}"]
    more = {"checks": {"short": its, "says": check("sys.exit('reader' not in answer)")}}
    outcome = tried(tmp_path, tables(endpoint, **more))
    # "reader(\n" has eight characters, "reader()\n" nine.
    assert (passed(outcome, "short"), passed(outcome, "says")) == (
        {"plain": "111", "docs": "011"},
        {"plain": "111", "docs": "111"},
    )
    (tmp_path / "short.py").write_text("import sys\nsys.exit(len(open(sys.argv[1]).read()) > 9)")
    assert passed(tried(tmp_path, tables(endpoint, **more)), "short")["docs"] == "111"
    assert endpoint.asked == []


def test_an_arm_that_is_new_is_asked_alone(endpoint, tmp_path):
    tried(tmp_path, tables(endpoint))
    endpoint.asked.clear()
    arms = {"plain": {}, "one": {"context": "search", "k": 1}}
    tried(tmp_path, tables(endpoint, arms=arms))
    # The second and third task are in this arm what they were in the other, which is another one.
    assert [one.count("[1]") for one in prompts(endpoint)] == [0, 1, 1, 0]


def test_another_prompt_is_another_question_and_another_model_another_folder(endpoint, tmp_path):
    tried(tmp_path, tables(endpoint))
    endpoint.asked.clear()
    tried(tmp_path, tables(endpoint, prompt="{query}: {context}"))
    assert prompts(endpoint)[1] == "read a csv file: "
    assert len(prompts(endpoint)) == 7
    others = r"attempts\.jsonl:1: holds answers to other settings: model was 'm-1', is 'm-2';"
    with pytest.raises(InputError, match=others):
        tried(tmp_path, tables(endpoint, model="m-2"))
    tried(tmp_path, tables(endpoint, model="m-2"), again=True)
    assert {one["body"]["model"] for one in sent(endpoint)[7:]} == {"m-2"}


def test_an_endpoint_that_is_exchanged_while_it_is_asked_has_no_outcomes(endpoint, tmp_path):
    index = tmp_path / "index"
    index.write_text("v1")
    exchanging = check(f"open({str(index)!r}, 'w').write('v2')")
    identify = {"argv": ["cat", "index"], "expect": r"v\d"}
    systems = tables(endpoint, checks={"swap": exchanging}, identify=identify)
    for _ in range(2):
        with pytest.raises(InputError, match=r"coder\.attempts\.jsonl: holds .* exchanged while"):
            tried(tmp_path, systems)
    assert len(attempts(tmp_path)) == 7
    assert not (tmp_path / OUT / "coder.outcomes.csv").exists()
    assert tried(tmp_path, systems, again=True).identity == "v2"


def test_an_endpoint_is_known_by_what_it_really_says_and_by_what_is_public(endpoint, tmp_path):
    index = tmp_path / "index"
    identify = {"argv": ["cat", "index"], "expect": ".+"}
    systems = tables(endpoint, headers={"X-Index": "${INDEX}"}, identify=identify)

    def collected(name: str) -> str:
        index.write_text(name)
        return tried(tmp_path, systems, TASKS[:1], environment={"INDEX": name}).identity

    assert collected("staging") == collected("staging") == "${INDEX}"
    with pytest.raises(InputError, match="with another value for what is hidden in it"):
        collected("production")
    path = systems_file(tmp_path, systems, public=["INDEX"])
    prints = {
        read_systems(path, environment={"INDEX": name}).tasks[0].fingerprint
        for name in ("staging", "production", "staging")
    }
    assert len(prints) == 2


def test_an_answer_is_of_who_gave_it_whoever_is_there_when_it_is_checked_anew(endpoint, tmp_path):
    (tmp_path / "index").write_text("v2")
    tried(tmp_path, tables(endpoint), TASKS[:1])
    identify = {"argv": ["cat", "index"], "expect": r"v\d"}
    systems = tables(endpoint, identify=identify, checks={"passes": check("")})
    for _ in range(2):
        outcome = tried(tmp_path, systems, TASKS[:2])
        assert passed(outcome, "passes") == {"plain": "11", "docs": "11"}
        assert outcome.identity == ""
        assert outcome.notes == (
            "2 of 4 answers came while there was no identify, and may be of another index than that"
            " of 'v2'; --again asks anew",
        )
    assert tried(tmp_path, systems, TASKS[1:2]).notes == ()


def test_a_task_that_is_not_answered_fails_with_its_reason_and_can_be_asked_again(
    endpoint, tmp_path
):
    def says(prompt):
        return {"index": 0} if prompt.endswith("sort a list") else model(prompt)

    endpoint.says = says
    outcome = tried(tmp_path, tables(endpoint))
    assert passed(outcome) == {"plain": "000", "docs": "100"}
    failed = outcome.attempts["t2", "plain"]
    assert failed.failed == "endpoint"
    assert failed.failure.startswith("the answer has no choices[0].message: {")
    # Told apart from an answer that does not pass, and left out where that is wanted.
    assert passed(tried(tmp_path, tables(endpoint, unanswered="left out"))) == {
        "plain": "0-0",
        "docs": "1-0",
    }
    assert "t2,plain,\n" in (tmp_path / OUT / "coder.outcomes.csv").read_text()
    assert len(prompts(endpoint)) == 7
    endpoint.says = lambda prompt: "```\nright()\n```"
    outcome = tried(tmp_path, tables(endpoint), again_failed=True)
    assert passed(outcome) == {"plain": "010", "docs": "110"}
    assert prompts(endpoint)[7:] == [
        "\n\nTask: sort a list",
        "\n\nTask: sort a list",
        "[1] docs/sort.md\nsort it\n\nTask: sort a list",
    ]


def test_tasks_that_always_fail_do_not_keep_the_others_from_being_asked(endpoint, tmp_path):
    tasks = [*(Query(f"bad{n}", f"bad {n}") for n in range(4)), Query("good", "good")]
    endpoint.says = lambda prompt: {} if "bad" in prompt else "```\nright()\n```"
    arms = {"plain": {}}
    systems = {"coder": chat(endpoint, arms=arms)}
    first = [tasks[4], *tasks[:4]]
    assert passed(tried(tmp_path, systems, first)) == {"plain": "10000"}
    endpoint.asked.clear()
    assert passed(tried(tmp_path, systems, tasks, again_failed=True)) == {"plain": "00001"}
    # Tried with one that fails and one that does not; then those are put that failed.
    bad = [f"\n\nTask: bad {n}" for n in range(4)]
    assert prompts(endpoint) == [bad[0], "\n\nTask: good", *bad]


def test_where_the_search_fails_the_arm_fails_and_nothing_is_asked_without_context(
    endpoint, tmp_path
):
    right = endpoint.found
    endpoint.replies = {"/q/t2": (500, {}, b"shard down")}
    for task in ("t1", "t3"):
        body = json.dumps({"results": right["read a csv file"]}).encode()
        endpoint.replies[f"/q/{task}"] = (200, {}, body)
    systems = {
        "search": http(endpoint, "/q/{query_id}?{query}", text="text", title="title", retries=0),
        "coder": chat(endpoint, unanswered="left out"),
    }
    outcome = tried(tmp_path, systems)
    assert passed(outcome) == {"plain": "000", "docs": "101"}
    failed = outcome.attempts["t2", "docs"]
    assert (failed.failed, failed.prompt, failed.tries) == ("context", "", 0)
    assert failed.failure == "no context from search: HTTP 500 Internal Server Error: shard down"
    assert prompts(endpoint).count("\n\nTask: sort a list") == 1
    # Found at last, it is put at last.
    endpoint.replies["/q/t2"] = endpoint.replies["/q/t1"]
    endpoint.asked.clear()
    assert passed(tried(tmp_path, systems, again_failed=True))["docs"] == "111"
    assert prompts(endpoint)[1:] == [f"{CSV}\n\nTask: sort a list"]


def test_texts_may_come_from_a_file_and_results_without_any_fail(endpoint, tmp_path):
    (tmp_path / "docs.jsonl").write_text(
        '{"doc_id": "docs/csv.md", "title": "T", "text": "\\nwith a reader\\n"}\n'
    )
    arms = {"plain": {}, "docs": {"context": "search", "k": 1, "documents": "docs.jsonl"}}
    systems = {"search": http(endpoint), "coder": chat(endpoint, arms=arms)}
    outcome = tried(tmp_path, systems)
    assert passed(outcome)["docs"] == "100"
    assert outcome.attempts["t1", "docs"].prompt.startswith("[1] docs/csv.md\nT\nwith a reader\n\n")
    assert outcome.attempts["t2", "docs"].failure == (
        "no context from search: none of its 1 results has a text"
    )


def test_a_long_context_is_cut_where_it_says(endpoint, tmp_path):
    outcome = tried(tmp_path, tables(endpoint, context_chars=len(CSV) - 4))
    attempt = outcome.attempts["t1", "docs"]
    assert attempt.prompt == f"{CSV[:-4]}\n\nTask: read a csv file"
    assert (attempt.cut, attempt.doc_ids) == (True, ("docs/csv.md", "docs/json file.md"))
    assert not outcome.attempts["t2", "docs"].cut


def test_a_system_alone_brings_the_search_that_it_needs(endpoint, tmp_path):
    systems = {"other": http(endpoint, "/404/search?q={query}"), **tables(endpoint)}
    assert passed(tried(tmp_path, systems, only=["coder"]))["docs"] == "100"
    assert sorted(path.name for path in (tmp_path / OUT).glob("*.run")) == ["search.run"]


def test_several_at_once_are_what_they_are_one_by_one(endpoint, tmp_path):
    one = tried(tmp_path, tables(endpoint))
    files = ("coder.outcomes.csv", "coder.checks.csv")
    before = [(tmp_path / OUT / name).read_bytes() for name in files]
    many = tried(tmp_path, tables(endpoint, path="/slow/0.1/chat"), again=True, at_once=6)
    assert [(tmp_path / OUT / name).read_bytes() for name in files] == before
    assert {key: one.reply for key, one in many.attempts.items()} == {
        key: one.reply for key, one in one.attempts.items()
    }
    assert endpoint.most_at_work > 1


def test_what_an_attempt_was_stands_in_the_journal(endpoint, tmp_path):
    tried(tmp_path, tables(endpoint))
    (first, *_others) = attempts(tmp_path)
    assert first["reply"] == "So:\n\n```python\nreader(\n```\n"
    assert (first["task"], first["arm"], first["finish"]) == ("t1", "plain", "stop")
    checked = first["checks"]["compiles"]
    assert (checked["passed"], checked["why"], checked["code"]) == (False, "exit code 1", 1)
    assert "SyntaxError: '(' was never closed" in checked["output"]


def test_the_task_that_an_endpoint_is_tried_with_counts_in_its_rate(endpoint, tmp_path):
    tried(tmp_path, tables(endpoint, rate=2, arms={"plain": {}}), tasks=TASKS[:1])
    first, second = (at for _, path, *_, at in endpoint.asked if path == "/chat")
    assert second - first > 0.3


def test_two_searches_side_by_side(endpoint, tmp_path):
    endpoint.replies["/other"] = (200, {}, b'{"results": [{"id": "o", "text": "sort it so"}]}')
    systems = {
        "other": http(endpoint, "/other?{query}", text="text"),
        **tables(endpoint, arms={"a": {"context": "other", "k": 1}, "b": {"context": "search"}}),
    }
    outcome = tried(tmp_path, systems)
    assert passed(outcome) == {"a": "000", "b": "100"}
    assert prompts(endpoint)[1].startswith("[1] o\nsort it so\n\nTask: ")


def test_an_attempt_is_read_as_it_was_written(tmp_path):
    checks = {"a": Checked(False, "exit code 1", 1, "\x1b\u2028 ä\n", 0.25, "f00")}
    written = Attempt(
        "t\n", "a", "p\ud800", ("d", "e"), True, "r", "stop", "no", 0.5, 2, "", "", checks
    )
    path = tmp_path / "x.attempts.jsonl"
    with AttemptJournal(path, {"system": "x"}) as journal:
        journal.add(replace(written, reply="before"))
        journal.add(written)
    read = AttemptJournal(path, {"system": "x"})
    assert read.records == {("t\n", "a"): written}


def test_a_long_answer_without_a_fence_costs_its_neighbours_nothing(endpoint, tmp_path):
    """Nothing that is done with it may keep the others waiting for longer than they have."""
    long = "some words of a long answer\n\n" * 200_000

    def says(prompt):
        if "csv" in prompt:
            return long
        time.sleep(0.5)
        return "right"

    endpoint.says = says
    alone = chat(endpoint, arms={"plain": {}}, checks={"any": check("")}, timeout=5)
    outcome = tried(tmp_path, {"coder": alone}, at_once=3)
    assert [one.failure for one in outcome.of("plain")] == ["", "", ""]
    assert passed(outcome, "any") == {"plain": "111"}


def test_progress_says_that_the_endpoint_is_left_alone(server, tmp_path):
    server.retry_after = "0.1"
    told = []
    systems = tables(server, path="/once/429/1/chat", longest_wait=5)
    tried(tmp_path, systems, TASKS[:1], told=told.append)
    assert [bool(p.rest) for p in told if p.system == "coder"][:3] == [False, True, False]
    assert [p.system for p in told if p.rest] == ["coder"]


def test_progress_begins_with_what_is_there_already(server, tmp_path):
    tried(tmp_path, tables(server), TASKS[:2])
    told = []
    tried(tmp_path, tables(server), TASKS, told=told.append)
    assert next(p[:3] for p in told if p.system == "coder") == ("coder", 4, 6)
