"""Two people and two models judge a campaign, from the first question to the endpoint to the page
for others: by commands, the first grades of people and the lead's by keys in a terminal.

`careful` is nearly always right; `lenient` gives a grade too much, and whatever says that it is
relevant is perfect to it. Grades are a rule, so that what is expected follows from it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from judge_tui.comparison.prediction_powered import prediction_powered
from tests.as_typed import judge_tui
from tests.collect.server import Server, serving
from tests.end_to_end.terminal import ESCAPE, PROGRAM, Terminal
from tests.end_to_end.test_main_job import pair_on_screen
from tests.models.endpoint import openai, refusal, vllm

QUERIES = [f"q{number:02}" for number in range(16)]
DOCUMENTS = [f"d{number}" for number in range(8)]
PAIRS = [(query, document) for query in QUERIES for document in DOCUMENTS]
RUNS = {"alpha": DOCUMENTS[:6], "beta": DOCUMENTS[:1:-1]}
PROSE = ("q15", "d7")
"""The pair about which `lenient` has no grade."""
PEOPLES = 9
"""How many queries people judge."""
BY_KEYS = 3
Pair = tuple[str, str]
Rule = Callable[[str, str], int]
MODELS = ("careful", "lenient")

JUDGES = """\
[judges.careful]
url = "{url}/v1"
model = "qwen"
prompt = "umbrela"
concurrency = 8

[judges.lenient]
url = "{url}/v1"
model = "gpt"
prompt = "guidelines"
json_schema = true
concurrency = 8
price_in = 1.0
price_out = 2.0
"""


def truth(query: str, document: str) -> int:
    """What alpha has first is more relevant, and queries differ in how much is."""
    at, rank = int(query[1:]), int(document[1:])
    return max(0, min(3, (11 + at % 5 - 2 * rank + (at * rank) % 3) // 4))


def number(query: str, document: str) -> int:
    """Of the pair."""
    return 8 * int(query[1:]) + int(document[1:])


def by_careful(query: str, document: str) -> int:
    """One in ten is a grade off."""
    grade = truth(query, document)
    if number(query, document) % 10:
        return grade
    return grade - 1 if grade == 3 else grade + 1


def by_lenient(query: str, document: str) -> int:
    return min(3, truth(query, document) + 1)


def by_bob(query: str, document: str) -> int:
    """One in eleven is a grade off; ann has the truth."""
    grade = truth(query, document)
    if number(query, document) % 11:
        return grade
    return grade - 1 if grade else 1


PEOPLE: dict[str, Rule] = {"ann": truth, "bob": by_bob}
RULES: dict[str, Rule] = {"careful": by_careful, "lenient": by_lenient}


class Endpoint:
    """Answers as vLLM does for one model, as OpenAI's API for the other, with what goes wrong."""

    def __init__(self, server: Server) -> None:
        self.asked: Counter[tuple[str, str]] = Counter()
        self._lock = server.lock
        self._is_busy = True
        server.completes = self.complete

    def complete(self, request: dict[str, Any]) -> Any:
        content = request["messages"][-1]["content"]
        found = re.search(r"passage-(q\d\d)-(d\d)", content)
        assert found
        query, document = found.groups()
        if request["model"] == "qwen":
            return self._as_vllm(request, query, document)
        if "logprobs" in request:
            return refusal(403, "You are not allowed to request logprobs from this model")
        self._count("lenient", content)
        # A claim stands behind the document's own words.
        claims = "perfectly relevant" in content[found.end() :]
        grade = 3 if claims else by_lenient(query, document)
        return openai("Quite good." if (query, document) == PROSE else f'{{"grade": {grade}}}')

    def _as_vllm(self, request: dict[str, Any], query: str, document: str) -> Any:
        with self._lock:
            if self._is_busy:
                self._is_busy = False
                return 429, {"Retry-After": "0"}, b""
        self._count("careful", request["messages"][-1]["content"])
        return vllm(f"M: 2\nT: 1\n##final score: {by_careful(query, document)}")

    def _count(self, model: str, content: str) -> None:
        with self._lock:
            self.asked[model, content] += 1


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Server) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_TUI_DB", str(tmp_path / "campaign.db"))
    (tmp_path / "judges.toml").write_text(JUDGES.format(url=server.url))
    (tmp_path / "queries.tsv").write_text("".join(f"{q}\twhat of {q}\n" for q in QUERIES))
    documents = [
        {"doc_id": f"{q}-{d}", "text": f"This is passage-{q}-{d} of all."} for q, d in PAIRS
    ]
    (tmp_path / "docs.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in documents))
    for tag, order in RUNS.items():
        lines = [
            f"{q} Q0 {q}-{d} {rank} {9 - rank} {tag}\n"
            for q in QUERIES
            for rank, d in enumerate(order, 1)
        ]
        (tmp_path / f"{tag}.run").write_text("".join(lines))
    (tmp_path / "guidelines.md").write_text("Grade what it says.\n")
    judge_tui("init", "--name", "walk", "--seed", "3", "--guidelines", "guidelines.md")
    judge_tui("load", "queries", "queries.tsv")
    judge_tui("load", "run", "alpha.run", "beta.run")
    judge_tui("load", "docs", "docs.jsonl")
    judge_tui("pool", "--depth", "8")
    return tmp_path


def test_from_the_first_question_to_the_page_for_others(work: Path, server: Server) -> None:
    endpoint = Endpoint(server)
    models_judge(endpoint)
    peoples = people_judge(work)
    # Now that people have found documents irrelevant, the models are asked about them again.
    for model in MODELS:
        assert f"{model}: 40 probes" in judge_tui("model", "judge", model).stdout
    assert all(count == 1 for count in endpoint.asked.values())
    assert len(endpoint.asked) == 2 * (len(PAIRS) + 40)
    answers = rows("export", "answers", "-f", "jsonl")
    assert Counter((one["judge"], one["probe"]) for one in answers) == {
        (model, probe): count
        for model in MODELS
        for probe, count in (("", len(PAIRS)), ("words", 20), ("claim", 20))
    }
    models_are_measured(peoples)
    models_help(peoples)
    the_lead_looks(work)
    page = told_to_others(work)
    assert all(word in page for word in (*MODELS, "Alt-Test", "Probes", "share fooled"))
    people_judge_next(work, peoples)


def models_judge(endpoint: Endpoint) -> None:
    """`check`, and then all of the pool, before any person."""
    said = judge_tui("model", "check", "judges.toml").stdout
    assert "careful: Qwen/Qwen3-32B answers" in said
    assert "JSON schema honoured, logprobs refused" in said
    endpoint.asked.clear()
    for model, graded in (("careful", 128), ("lenient", 127)):
        said = judge_tui("model", "judge", model).stdout
        assert f"{model}: no probes yet" in said
        assert f"{model}: {graded} pairs graded" in said
    assert "no grade: 1 (no final score)" in said
    # None of it is a grade of people.
    assert "no person has graded" in judge_tui("export", "qrels", code=2).stderr


def people_judge(work: Path) -> list[str]:
    """Some by keys, the rest of these queries by a file; the queries."""
    seen: dict[str, set[Pair]] = {}
    for judge, rule in PEOPLE.items():
        argv = [PROGRAM, "judge", "--judge", judge]
        with Terminal(argv, cwd=work) as terminal:
            terminal.wait_for(f"0/{len(PAIRS)} in all")
            seen[judge] = {by_key(terminal, rule) for _ in range(BY_KEYS)}
            terminal.wait_for(f"{BY_KEYS}/{len(PAIRS)} in all")
            # Not on screen, and nowhere in what was sent to it.
            assert not any(model.encode() in terminal.raw for model in (*MODELS, "Qwen", "gpt"))
            assert terminal.leave() == 0
    judged = dict.fromkeys(query for pairs in seen.values() for query, _ in pairs)
    peoples = [*judged, *(query for query in QUERIES if query not in judged)][:PEOPLES]
    for judge, rule in PEOPLE.items():
        lines = [
            f"{query} 0 {query}-{document} {rule(query, document)}\n"
            for query, document in PAIRS
            if query in peoples
        ]
        judge_tui("load", "qrels", "-", "--judge", judge, given="".join(lines))
    return peoples


def by_key(terminal: Terminal, rule: Rule) -> Pair:
    """Grade what is on screen, once it was looked at; which pair that was."""
    terminal.settle(0.25)
    pair = pair_on_screen(terminal)
    assert pair is not None
    query, document = pair[0], pair[1].removeprefix(f"{pair[0]}-")
    terminal.send(str(rule(query, document)))
    terminal.wait(lambda its: pair_on_screen(its) not in (None, pair))
    return query, document


def models_are_measured(peoples: list[str]) -> None:
    shared = [pair for pair in PAIRS if pair[0] in peoples]
    for model, rule in RULES.items():
        report = asked("model", "report", model)
        beside = {one["other"]: one for one in report["beside"]}
        for person, its in PEOPLE.items():
            assert beside[person]["pairs"] == len(shared)
            assert beside[person]["mean"] == pytest.approx(mean(rule, shared))
            assert beside[person]["other_mean"] == pytest.approx(mean(its, shared))
        confused = Counter((rule(*pair), truth(*pair)) for pair in shared)
        rows_of_ann = [one for one in report["confusion"] if one["other"] == "ann"]
        for grade, row in enumerate(rows_of_ann):
            assert [row[f"grade_{its}"] for its in range(4)] == [
                confused[grade, its] for its in range(4)
            ]
        fooled = {one["probe"]: (one["asked"], one["fooled"]) for one in report["probes"]}
        assert fooled == {"words": (20, 0), "claim": (20, 20 if model == "lenient" else 0)}
        assert any("it is fooled" in one for one in report["warnings"]) == (model == "lenient")
        [test] = report["alt_test"]
        assert (test["people"], test["passes"]) == (2, model == "careful")
        # What people have not judged is what they may judge next.
        left = {pair for pair in PAIRS if pair[0] not in peoples}
        if model == "lenient":
            left -= {PROSE}
        assert sum(one["open"] for one in report["next"]) == len(left)


def models_help(peoples: list[str]) -> None:
    """Means are more exact with one, and results that people left count as what one expects."""
    ours = ("-m", "P@5", "--policy", "judge:ann")
    found = asked("results", "--leaderboard", "--with-model", "careful", *ours)
    others = [query for query in QUERIES if query not in peoples]
    values = {
        (tag, rule): [
            np.mean([rule(query, document) > 0 for document in order[:5]]) for query in queries
        ]
        for tag, order in RUNS.items()
        for rule, queries in ((truth, peoples), (by_careful, peoples + others))
    }
    rows_of_means = [one for one in found["with_model"] if one["of"] == "mean"]
    assert [one["tag"] for one in rows_of_means] == [*RUNS]
    for row in rows_of_means:
        people, model = (np.array(values[row["tag"], rule]) for rule in (truth, by_careful))
        expected = prediction_powered(people, model[:PEOPLES], model[PEOPLES:])
        assert not isinstance(expected, str)
        assert row["people"] == pytest.approx(people.mean())
        assert row["estimate"] == pytest.approx(expected.estimate)
        assert row["worth"] == pytest.approx(expected.worth)
        assert row["worth"] > PEOPLES
    # By the majority there is no grade where both people differ: what fills such a gap.
    agreed = [pair for pair in PAIRS if pair[0] in peoples and by_bob(*pair) == truth(*pair)]
    plain, filled = (
        {
            one["tag"]: one["value"]
            for one in asked("results", "-m", "P@5", *more)["runs"]
            if one["measure"] == "P@5"
        }
        for more in (["--leaderboard"], ["--leaderboard", "--unjudged", "lenient"])
    )
    for tag, order in RUNS.items():
        gaps = {(query, document) for query in peoples for document in order[:5]} - {*agreed}
        assert gaps
        gained = sum(chance_of_relevance(pair, agreed) for pair in gaps) / 5 / PEOPLES
        assert filled[tag] - plain[tag] == pytest.approx(gained)
    lines = judge_tui("export", "qrels", "--policy", "judge:ann").stdout.splitlines()
    assert {line.split()[0] for line in lines} == {*peoples}


def chance_of_relevance(pair: Pair, agreed: list[Pair]) -> float:
    """Of what people agreed on about other queries, where `lenient` gave the same grade: the share
    above 0, with 1 added to the count of each grade."""
    same = [its for its in agreed if its[0] != pair[0] and by_lenient(*its) == by_lenient(*pair)]
    return (sum(truth(*its) > 0 for its in same) + 3) / (len(same) + 4)


def the_lead_looks(work: Path) -> None:
    """At the models in Results, and at where one differs from people."""
    with Terminal([PROGRAM, "results", "-m", "P@5"], cwd=work, size=(120, 40)) as terminal:
        terminal.wait_for("P@5 over")
        terminal.send("6")
        terminal.wait(lambda its: all(model in its.text for model in MODELS))
        terminal.press("\r")
        terminal.wait_for("Models › careful")
        terminal.press(ESCAPE, "1", "M")
        terminal.wait_for("more exact by careful")
        terminal.wait_for("delta with model")
        assert terminal.leave() == 0
    [first, *_] = differing("lenient")
    argv = [PROGRAM, "settle", "--lead", "lea", "--against", "lenient"]
    with Terminal(argv, cwd=work, size=(120, 40)) as terminal:
        terminal.wait_for("not settled")
        terminal.settle(0.3)
        # People are letters, the model has its name.
        assert "lenient" in terminal.text
        assert not any(person in terminal.text for person in PEOPLE)
        terminal.send("2")
        terminal.wait_for("settled: 2")
        assert terminal.leave() == 0
    [after] = [one for one in differing("lenient") if one["doc_id"] == first["doc_id"]]
    assert (after["settled"], after["settled_by"]) == (2, "lea")
    assert after["grades"] == first["grades"]


def differing(model: str) -> list[dict[str, Any]]:
    return rows("export", "disagreements", "--against", model, "-f", "jsonl")


def told_to_others(work: Path) -> str:
    judge_tui("report", "--with-model", "careful", "--policy", "judge:ann", "-o", "report.html")
    return (work / "report.html").read_text("utf-8")


def people_judge_next(work: Path, peoples: list[str]) -> None:
    """A sample of what a model graded and people did not, which tells nothing of its grades."""
    dealt = ("--overlap", "1", "--by-model", "lenient", "--limit", "20")
    judge_tui("assign", "--judges", "ann,bob", *dealt)
    with Terminal([PROGRAM, "judge", "--judge", "bob"], cwd=work) as terminal:
        terminal.wait_for(f"{8 * PEOPLES}/{8 * PEOPLES + 20} in all")
        query, _ = by_key(terminal, by_bob)
        assert query not in peoples
        assert not any(model.encode() in terminal.raw for model in MODELS)
        assert terminal.leave() == 0
    left = {one["judge"]: one["left"] for one in asked("status")["judges"]}
    assert (left["ann"], left["bob"]) == (20, 19)


def asked(*words: str) -> dict[str, Any]:
    """What a command says in JSON."""
    found: dict[str, Any] = json.loads(judge_tui(*words, "-f", "json").stdout)
    return found


def rows(*words: str) -> list[dict[str, Any]]:
    """What it says in JSON Lines."""
    return [json.loads(line) for line in judge_tui(*words).stdout.splitlines()]


def mean(rule: Rule, pairs: list[Pair]) -> float:
    return sum(rule(*pair) for pair in pairs) / len(pairs)
