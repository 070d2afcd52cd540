"""`model judge` with a real endpoint: what is asked, kept and said."""

from __future__ import annotations

import json
import signal
import threading
from collections import Counter

import pytest
from filelock import FileLock

from judge_tui.campaign import open_campaign
from judge_tui.models.candidate import read_candidates
from judge_tui.models.judge import AskOutcome, judge_pool
from judge_tui.models.plan import plan_pairs
from tests.as_typed import judge_tui, refused
from tests.cli.model_judges import asked, asked_about, grades, judges, stored
from tests.models.endpoint import openai, vllm
from tests.programs import begin

__all__ = ["judges"]


def test_a_model_judges_the_pool_by_query_and_is_asked_nothing_twice(server, files, judges):
    server.completes = grades(csv_writer="Well, a 2.", json_load="##final score: three")
    first = judge_tui("model", "judge", "umbrela", "--limit", "2").stdout
    assert first.startswith("umbrela: 2 pairs; about ")
    # Nothing is known of its answers but how long they may be: 100 tokens, at 5 each thousand.
    assert " and at most 200 written, cost at most " in first
    assert len(server.asked) == 2
    rest = judge_tui("model", "judge", "umbrela").stdout.splitlines()
    # Both tell 190 tokens read and 10 written, at 0.001 and 0.005 each.
    assert rest[0] == (
        "umbrela: 4 pairs, 2 answered before; about 760 tokens read and 40 written, cost 0.9600"
    )
    assert rest[2] == "umbrela: 1 pair graded, 760 tokens read and 40 written, cost 0.9600"
    assert sorted(rest[3:]) == [
        "  no grade: 1 (no final score)",
        "  no grade: 2 (score in words: three)",
    ]
    assert set(asked(server).values()) == {1}
    answers = stored(files)["umbrela"]
    assert {pair: one.grade for pair, one in answers.items()} == {
        ("q1", "csv.reader"): 2,
        ("q1", "csv.writer"): None,
        ("q1", "json.load"): None,
        ("q2", "list.sort"): 2,
        ("q2", "sorted"): 2,
        ("q2", "json.load"): None,
    }
    one = answers["q1", "csv.writer"]
    assert (one.raw, one.reason, one.chars_seen) == ("Well, a 2.", "no final score", 17)
    assert answers["q1", "json.load"].reason == "score in words: three"
    assert judge_tui("model", "judge", "umbrela").stdout.splitlines() == [
        "umbrela: 0 pairs, 6 answered before",
        "umbrela: no probes yet: they take documents that people graded 0, and that it graded"
        " below 3 before",
    ]
    assert len(server.asked) == 6
    # Nobody sees them as grades unless they ask.
    assert "no person has graded yet" in refused("export", "qrels")
    assert len(judge_tui("export", "qrels", "--include-models").stdout.splitlines()) == 3


def test_progress_is_of_what_is_planned_whatever_came_before(server, files, judges):
    judges("", 1)
    server.completes = grades()
    told = []
    with open_campaign(files / "campaign.db") as campaign:
        [candidate] = read_candidates(campaign, "judges.toml")
        judge_pool(
            candidate,
            plan_pairs(candidate, limit=2),
            AskOutcome(graded=5),
            replan=lambda judge, left: plan_pairs(candidate, limit=left, judge=judge),
            stop=threading.Event(),
            on_progress=lambda *two: told.append(two),
        )
    assert told == [(0, 2), (1, 2), (2, 2)]


def test_two_do_not_pay_for_the_same_answers(server, files, judges):
    server.completes = grades()
    with FileLock(files / ".campaign.db.umbrela.lock"):
        assert "another program asks umbrela" in refused("model", "judge", "umbrela")
    assert not server.asked
    judge_tui("model", "judge", "umbrela")
    assert not [*files.glob(".*.lock")]


def test_what_no_answer_came_of_stays_open(server, files, judges):
    broken = grades()
    server.completes = lambda request: (
        (500, {}, b"") if asked_about(request)[1] == "sorted" else broken(request)
    )
    out = judge_tui("model", "judge", "umbrela").stdout
    assert "  no answer, still open: 1 (" in out
    assert len(stored(files)["umbrela"]) == 5
    server.completes = grades()
    judge_tui("model", "judge", "umbrela")
    assert asked(server) == Counter(dict.fromkeys(asked(server), 1)) + Counter(
        {("sort lists", "sorted"): 1}
    )
    assert len(stored(files)["umbrela"]) == 6


def test_without_a_text_nothing_is_asked_and_what_is_cut_is_told(server, files, judges):
    with open_campaign(files / "campaign.db") as campaign:
        campaign.backend.execute("UPDATE documents SET text = NULL WHERE doc_id = 'sorted'")
    server.completes = lambda _request: vllm()
    judges("max_document_chars = 17")
    lines = judge_tui("model", "judge", "umbrela").stdout.splitlines()
    assert lines[0].startswith("umbrela: 5 pairs, 1 without a text; about ")
    assert lines[2].startswith("umbrela: 5 pairs graded, 1 document cut, 950 tokens read")
    seen = {doc_id: one.chars_seen for (_, doc_id), one in stored(files)["umbrela"].items()}
    assert seen == {"csv.reader": 17, "csv.writer": 17, "json.load": 11, "list.sort": 17}


def test_another_prompt_is_another_judge_and_so_is_another_model(server, files, judges):
    server.completes = grades()
    judge_tui("model", "judge", "umbrela")
    judges("prompt = 'guidelines'")
    lines = judge_tui("model", "judge", "umbrela").stdout.splitlines()
    assert lines[2] == (
        "umbrela#2: another judge than before: the prompt, the settings that are sent"
    )
    judges()
    assert judge_tui("model", "judge", "umbrela").stdout.startswith("umbrela: 0 pairs")
    assert Counter(map(len, stored(files).values())) == {6: 2}


@pytest.mark.parametrize("concurrency", [1, 4])
def test_an_endpoint_with_another_model_is_asked_about_what_is_open_for_that(
    server, files, judges, concurrency
):
    judges("", concurrency)
    server.completes = grades()
    judge_tui("model", "judge", "umbrela", "--limit", "2")
    server.completes = lambda _request: {**vllm("##final score: 1"), "model": "newer"}
    out = judge_tui("model", "judge", "umbrela").stdout
    assert "umbrela#2: another judge than before: the model (Qwen/Qwen3-32B before, newer" in out
    # Of the four that were left, and then of what is open for the new one.
    answers = stored(files)
    assert (len(answers["umbrela"]), len(answers["umbrela#2"])) == (2, 4)
    judge_tui("model", "judge", "umbrela")
    assert len(stored(files)["umbrela#2"]) == 6
    assert sum(asked(server).values()) == 8


def test_an_endpoint_that_is_two_models_in_turn_is_refused(server, files, judges):
    judges("", 1)
    server.completes = grades()
    judge_tui("model", "judge", "umbrela", "--limit", "1")
    names = iter("ABABABAB")
    server.completes = lambda _request: {**vllm(), "model": next(names)}
    result = judge_tui("model", "judge", "umbrela", code=2)
    assert "the endpoint answers as 'A' and as 'B' in turn" in result.stderr


def test_an_endpoint_that_is_the_earlier_model_again_goes_on_as_that_judge(server, files, judges):
    judges("", 1)
    for model, limit in (("A", "5"), ("B", "1"), ("A", "6")):
        server.completes = lambda _request, name=model: {**vllm(), "model": name}
        out = judge_tui("model", "judge", "umbrela", "--limit", limit).stdout
    assert {name: len(its) for name, its in stored(files).items()} == {"umbrela": 6, "umbrela#2": 1}
    # Until the endpoint has said who it is, it is taken for the last one, and asked as that.
    assert "umbrela: 1 pair graded, 1 answered before" in out


@pytest.mark.parametrize(
    ("ending", "code", "kept", "requests"),
    [(signal.SIGKILL, -signal.SIGKILL, 3, 7), (signal.SIGINT, 130, 4, 6)],
    ids=["kill -9", "Ctrl+c"],
)
def test_what_was_answered_before_the_end_is_kept_and_asked_once(
    server, files, judges, ending, code, kept, requests
):
    """The program is ended while its fourth request is under way: by Ctrl+c it waits for that."""
    judges("", 1)
    fourth, go_on = threading.Event(), threading.Event()
    answering = grades()

    def complete(request):
        if len(server.asked) == 4:
            fourth.set()
            go_on.wait(60)
        return answering(request)

    server.completes = complete
    running = begin("model", "judge", "umbrela")
    assert fourth.wait(60)
    running.process.send_signal(ending)
    if ending == signal.SIGINT:
        go_on.set()
    assert running.ended().returncode == code
    go_on.set()
    assert len(stored(files)["umbrela"]) == kept
    judge_tui("model", "judge", "umbrela")
    assert len(stored(files)["umbrela"]) == 6
    assert sum(asked(server).values()) == requests


def test_of_many_under_way_those_that_are_kept_are_asked_once(server, files, judges):
    """Each asks for more once its answer is on disk; the program is killed while three wait."""
    judges("", 3)
    three, go_on = threading.Event(), threading.Event()
    answering = grades()

    def complete(request):
        if len(server.asked) == 6:
            three.set()
        if len(server.asked) > 3:
            go_on.wait(60)
        return answering(request)

    server.completes = complete
    running = begin("model", "judge", "umbrela")
    assert three.wait(60)
    running.process.kill()
    running.ended()
    go_on.set()
    kept = stored(files)["umbrela"]
    assert len(kept) == 3
    judge_tui("model", "judge", "umbrela")
    assert len(stored(files)["umbrela"]) == 6
    texts = {"q1": "read a CSV file", "q2": "sort lists"}
    assert asked(server) == {
        (texts[query_id], doc_id): 1 if (query_id, doc_id) in kept else 2
        for query_id, doc_id in stored(files)["umbrela"]
    }


NO_GRADES = {
    "csv.reader": (vllm("The document is relevant, I would say 2."), "no final score"),
    "csv.writer": (openai('{"score": 2}'), "JSON with other keys: score"),
    "json.load": (openai('{"grade": "two"}'), "score in words: two"),
    "list.sort": (vllm(""), "the answer is empty"),
    "sorted": (
        vllm("##final score: 2", finish_reason="length"),
        "the answer is cut after 10 tokens; give it more max_tokens",
    ),
}
"""An answer that is no grade about each document, and why it is none."""


@pytest.mark.parametrize("more", ["", "json_schema = true", "logprobs = false"])
def test_what_is_no_grade_is_kept_with_its_reason_and_is_no_0(server, files, judges, more):
    judges(more)
    server.completes = lambda request: {**NO_GRADES[asked_about(request)[1]][0], "model": "m"}
    out = judge_tui("model", "judge", "umbrela").stdout
    assert "umbrela: 0 pairs graded" in out
    lines = judge_tui("export", "answers", "umbrela", "-f", "jsonl").stdout.splitlines()
    kept = [json.loads(line) for line in lines]
    assert len(kept) == 6
    for one in kept:
        reply, reason = NO_GRADES[one["doc_id"]]
        text = reply["choices"][0]["message"]["content"]
        assert (one["raw"], one["grade"], one["reason"]) == (text, None, reason)
    # They are answers: they are not asked for again, and nowhere a grade.
    assert judge_tui("model", "judge", "umbrela").stdout.startswith("umbrela: 0 pairs, 6 answered")
    assert len(server.asked) == 6
    assert "nobody has judged yet" in refused("export", "qrels", "--include-models")


def test_the_campaign_has_nothing_of_what_options_say(server, files, judges):
    judges('options = { user = "s3cret-user" }')
    server.completes = grades()
    judge_tui("model", "judge", "umbrela")
    assert json.loads(server.asked[0][-1])["user"] == "s3cret-user"
    assert not any(b"s3cret" in one.read_bytes() for one in files.glob("campaign.db*"))
    judges('options = { user = "s3cret-other" }')
    out = judge_tui("model", "judge", "umbrela").stdout
    assert "umbrela#2: another judge than before: the options" in out


def test_a_prompt_that_there_is_not_is_refused_at_its_line(judges):
    judges("prompt = 'umbrella'")
    said = refused("model", "judge", "umbrela")
    assert said.startswith("judges.toml:1: judge umbrela: no prompt 'umbrella'; write umbrela or")
    assert "no judge 'umbrella' in judges.toml; did you mean 'umbrela'?" in refused(
        "model", "judge", "umbrella"
    )


def test_a_model_of_the_name_of_loaded_grades_is_another_judge(server, files, judges):
    server.completes = grades()
    (files / "loaded.qrels").write_text("q1 0 csv.reader 2\n")
    judge_tui("load", "qrels", "loaded.qrels", "--judge", "umbrela", "--kind", "model")
    other = "umbrela#2: another judge than before: the grades of umbrela came from elsewhere"
    assert other in judge_tui("model", "judge", "umbrela", "--limit", "2").stdout
    # One that was renamed has its old name for itself.
    judge_tui("judges", "rename", "umbrela#2", "far")
    judge_tui("judges", "rename", "umbrela", "loaded")
    assert "another" not in judge_tui("model", "judge", "umbrela").stdout


def test_which_pairs_are_asked_about(server, files, judges):
    server.completes = grades()
    (files / "ann.qrels").write_text("q1 0 csv.reader 2\nq2 0 sorted 1\n")
    judge_tui("load", "qrels", "ann.qrels", "--judge", "ann")
    assert "no pair of the pool was drawn" in refused(
        "model", "judge", "umbrela", "--only", "sample"
    )
    judge_tui("model", "judge", "umbrela", "--only", "unjudged")
    assert ("q1", "csv.reader") not in stored(files)["umbrela"]
    assert len(server.asked) == 4
    text = (files / "judges.toml").read_text()
    (files / "ann.toml").write_text(text.replace("umbrela]", "ann]"))
    result = judge_tui("model", "judge", "ann", "--judges", "ann.toml", code=2)
    assert "'ann' is a person" in result.stderr
