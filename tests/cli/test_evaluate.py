"""`judge-tui evaluate` against a real server of which every list is known, a real search engine and
real vectors: every number counted again here, the same bytes for the same answers, the exit codes.
"""

from __future__ import annotations

import csv
import io
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli
from tests.as_typed import judge_tui
from tests.collect.asking import ENGINE
from tests.collect.server import Server, serving
from tests.evaluating import (
    FAILS,
    evaluate,
    expected_values,
    first_rank,
    results,
    right_answers,
    systems,
)

QUERIES = [f"word{number}" for number in range(14)]
DOCUMENTS = [f"docs/{number}.md" for number in range(30)]
TAGS = ("old", "new", "dumb")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture(scope="module")
def graded() -> dict[str, dict[str, int]]:
    """query -> document -> grade."""
    luck = random.Random(3)
    return {
        query: {one: luck.choice([0, 1, 1, 2, 3]) for one in luck.sample(DOCUMENTS, 6)}
        | {"docs/never found.md": 2}
        for query in QUERIES
    }


@pytest.fixture(scope="module")
def lists() -> dict[str, dict[str, Any]]:
    """What the systems find: `old` fails at one query, `new` finds nothing for another, and `dumb`
    finds nothing at all."""
    luck = random.Random(8)
    found: dict[str, dict[str, Any]] = {
        "old": {query: luck.sample(DOCUMENTS, 25) for query in QUERIES},
        "new": {query: luck.sample(DOCUMENTS, 12) for query in QUERIES},
        "dumb": {},
    }
    found["old"][QUERIES[5]] = FAILS
    found["new"][QUERIES[7]] = []
    return found


@pytest.fixture
def asked(tmp_path: Path, server: Server, lists: Mapping[str, Any]) -> str:
    return systems(tmp_path, server, lists, QUERIES)


@pytest.fixture
def answers(tmp_path: Path, graded: Mapping[str, Mapping[str, int]]) -> str:
    return right_answers(
        tmp_path, {q: [one for one, grade in its.items() if grade] for q, its in graded.items()}
    )


def with_qrels(folder: Path, graded: Mapping[str, Mapping[str, int]]) -> tuple[str, ...]:
    (folder / "queries.tsv").write_text("".join(f"{q}\t{q}\n" for q in QUERIES))
    (folder / "grades.qrels").write_text(
        "".join(
            f"{q} 0 {one.replace(' ', '%20')} {grade}\n"
            for q, its in graded.items()
            for one, grade in its.items()
        )
    )
    return "--queries", str(folder / "queries.tsv"), "--qrels", str(folder / "grades.qrels")


def found_by(lists: Mapping[str, Any], tag: str, query: str) -> list[str]:
    its = lists[tag].get(query, [])
    return [] if its == FAILS else its


# Every number, counted once more


@pytest.mark.parametrize("by", ["answers", "qrels"])
def test_every_number_is_what_it_is_by_the_textbook(by, tmp_path, asked, lists, graded, answers):
    by_answers = by == "answers"
    options = ("--answers", answers) if by_answers else with_qrels(tmp_path, graded)
    evaluate(asked, *options, "-o", tmp_path / "out")
    written = results(tmp_path / "out")
    assert [one["query"] for one in written["queries"]] == QUERIES
    means: dict[str, dict[str, list[float]]] = {tag: {} for tag in TAGS}
    ranks: dict[str, list[int | None]] = {tag: [] for tag in TAGS}
    for entry in written["queries"]:
        right = graded[entry["query"]]
        right = {one: (1 if grade and by_answers else grade) for one, grade in right.items()}
        wanted = sorted(
            ((one, grade) for one, grade in right.items() if grade), key=lambda x: -x[1]
        )
        assert [(one["what"], one["grade"]) for one in entry["expected"]] == wanted
        assert list(entry["systems"]) == list(TAGS)
        for tag, its in entry["systems"].items():
            found = found_by(lists, tag, entry["query"])
            assert its["first_rank"] == first_rank(found, right)
            known = right if not by_answers else {k: v for k, v in right.items() if v}
            assert its["top"] == [{"doc_id": one, "grade": known.get(one)} for one in found[:10]]
            values = expected_values(found, right)
            if not by_answers:  # which do not say what is wrong
                top = found[:10]
                values["Judged@10"] = sum(one in right for one in top) / len(top) if top else 0.0
            assert its["values"] == pytest.approx(values, abs=1e-12)
            ranks[tag].append(its["first_rank"])
            for name, value in values.items():
                means[tag].setdefault(name, []).append(value)
    for system in written["systems"]:
        its_ranks = ranks[system["tag"]]
        assert system["queries"] == len(QUERIES)
        assert system["mean"] == pytest.approx(
            {name: sum(its) / len(its) for name, its in means[system["tag"]].items()}
        )
        assert system["histogram"] == {
            **{str(rank): its_ranks.count(rank) for rank in range(1, 11)},
            "not found": sum(rank is None or rank > 10 for rank in its_ranks),
        }
        assert sum(system["histogram"].values()) == len(QUERIES)


def test_the_buckets_hold_what_changed(tmp_path, asked, lists, graded, answers):
    measures = [part for name in ("nDCG@10", "RR@10", "P@5", "AP") for part in ("-m", name)]
    evaluate(asked, "--answers", answers, *measures, "-o", tmp_path / "out")
    written = results(tmp_path / "out")
    ids = {one["query"]: one["query_id"] for one in written["queries"]}
    seen = 0
    for comparison in written["comparisons"]:
        assert comparison["baseline"] == "old"
        name, tag = comparison["measure"], comparison["tag"]
        top = int(name.partition("@")[2] or 50)
        buckets: dict[str, list[str]] = {
            bucket: [] for bucket in ("added", "removed", "improved", "degraded", "unchanged")
        }
        for query in QUERIES:
            right = {one: 1 for one, grade in graded[query].items() if grade}
            before, now = (found_by(lists, one, query) for one in ("old", tag))
            was, is_now = (any(one in right for one in its[:top]) for its in (before, now))
            old, new = (expected_values(its, right)[name] for its in (before, now))
            bucket = (
                ("added" if is_now else "removed")
                if was != is_now
                else "unchanged"
                if abs(old - new) < 1e-9
                else "improved"
                if new > old
                else "degraded"
            )
            buckets[bucket].append(ids[query])
            seen |= 1 << list(buckets).index(bucket)
        assert comparison["changed"] == buckets
    assert seen == 0b11111  # the lists leave no bucket untried


def test_score_and_compare_say_the_same_of_its_files(tmp_path, asked, graded):
    """Of those systems that find anything: a run file of nothing is none."""
    options = with_qrels(tmp_path, graded)
    out = tmp_path / "out"
    measures = [part for name in ("nDCG@10", "RR@10", "P@5", "AP") for part in ("-m", name)]
    evaluate(asked, *options, *measures, "-o", out, "--only", "old", "--only", "new")
    written = results(out)
    files = [str(tmp_path / "grades.qrels"), str(out / "old.run"), str(out / "new.run")]
    for command in ("score", "compare"):
        result = CliRunner().invoke(cli, [command, *files, *measures, "--complete", "-f", "json"])
        assert result.exit_code == 0, result.output
        document = json.loads(result.stdout)
        if command == "score":
            its = {run["tag"]: run["mean"] for run in document["runs"]}
            assert its == {one["tag"]: one["mean"] for one in written["systems"]}
        else:
            assert document["comparisons"] == written["comparisons"]
            assert document["settings"] == written["settings"]["comparison"]


@pytest.mark.parametrize(
    ("measures", "scored", "compared"),
    [
        ((), ["nDCG@10", "RR@10", "P@5", "R@10", "AP"], ["nDCG@10"]),
        (("AP",), ["AP", "RR@10"], ["AP"]),
        (("MRR@10", "Hit@1"), ["RR@10", "Success@1"], ["RR@10", "Success@1"]),
        (("NumRet", "AP"), ["NumRet", "AP", "RR@10"], ["AP"]),
    ],
)
def test_only_what_is_asked_for_is_compared(measures, scored, compared, tmp_path, asked, answers):
    """What stands beside it, for the band or to look at, does not widen the family."""
    options = [part for measure in measures for part in ("-m", measure)]
    result = evaluate(asked, "--answers", answers, *options, "-o", tmp_path / "out")
    written = results(tmp_path / "out")
    assert written["settings"]["measures"] == scored
    found = [(one["tag"], one["measure"]) for one in written["comparisons"]]
    assert found == [(tag, measure) for measure in compared for tag in ("new", "dumb")]
    assert f"over a family of {len(found)} " in result.stdout
    assert ("By the other measures" in result.stdout) is (len(compared) > 1)


def test_a_regression_is_seen_by_the_usual_measures(tmp_path, server):
    """Worse for each of 8 queries: p = 2 / 2^8 by Wilcoxon's test. Five measures in one family
    would have made it five times that, and ten times with one more system: no difference shown."""
    found = {"a": {q: ["x", "y"] for q in QUERIES[:8]}, "b": {q: ["y", "x"] for q in QUERIES[:8]}}
    asked = systems(tmp_path, server, found, QUERIES[:8])
    answers = right_answers(tmp_path, {q: ["x", "w"] for q in QUERIES[:8]})
    options = (asked, "--answers", answers, "--require", "no-regression", "-o", tmp_path / "out")
    evaluate(*options, code=1)
    (comparison,) = results(tmp_path / "out")["comparisons"]
    assert comparison["tests"]["wilcoxon"]["p_adjusted"] == pytest.approx(2 / 2**8)


def test_the_worst_queries_come_by_their_mean_reciprocal_rank(
    tmp_path, asked, lists, graded, answers
):
    evaluate(asked, "--answers", answers, "-o", tmp_path / "out")

    def rr(query: str) -> float:
        right = {one: 1 for one, grade in graded[query].items() if grade}
        return sum(expected_values(found_by(lists, tag, query), right)["RR@10"] for tag in TAGS) / 3

    ranked = sorted(QUERIES, key=lambda query: (round(rr(query), 9), QUERIES.index(query)))
    ids = [f"q{QUERIES.index(query) + 1:03}" for query in ranked]
    assert results(tmp_path / "out")["worst"] == ids[:10]


# What failed, and what found nothing


def test_a_query_that_failed_counts_as_0_everywhere(tmp_path, asked, answers):
    result = evaluate(asked, "--answers", answers, "-o", tmp_path / "out")
    written = results(tmp_path / "out")
    failed = written["queries"][5]["systems"]["old"]
    assert failed["failed"]
    assert "500" in failed["failed"]
    assert (failed["first_rank"], failed["top"]) == (None, [])
    assert set(failed["values"].values()) == {0.0}
    old = written["systems"][0]
    assert (old["queries"], old["failed"], old["nothing_found"]) == (14, 1, 0)
    assert "q006" in old["missed"]
    assert any(one.startswith("old: 1 of 14 queries failed") for one in written["warnings"])
    assert any(line.startswith("q006 ") and "failed" in line for line in result.stdout.splitlines())
    audit = (tmp_path / "out" / "audit.md").read_text()
    assert f"failed: {failed['failed']}".replace("_", "\\_") in audit
    for one in written["comparisons"]:
        assert one["queries"] == 14


def test_a_system_that_finds_nothing_has_zeros_and_is_told_of(tmp_path, asked, answers):
    evaluate(asked, "--answers", answers, "-o", tmp_path / "out")
    written = results(tmp_path / "out")
    dumb = written["systems"][2]
    assert set(dumb["mean"].values()) == {0.0}
    assert (dumb["band"], dumb["nothing_found"], dumb["histogram"]["not found"]) == ("poor", 14, 14)
    assert any(one.startswith("dumb: nothing found for any query") for one in written["warnings"])


@pytest.mark.parametrize("by", ["answers", "qrels"])
def test_systems_that_all_find_nothing_are_no_error_but_no_gate_beside_them_holds(
    by, tmp_path, server, graded, answers
):
    asked = systems(tmp_path, server, {"a": {}, "b": {}}, QUERIES)
    options = ("--answers", answers) if by == "answers" else with_qrels(tmp_path, graded)
    gates = ("--require", "no-regression", "--require", "b:nDCG@10>=baseline")
    result = evaluate(asked, *options, "-o", tmp_path / "out", *gates, code=1)
    # Beside nothing, everything would be as good.
    why = "the baseline, a, found nothing for any query, so that nothing can be held to it"
    assert result.stderr.count(f": {why}; look at how it is set up") == 2
    written = results(tmp_path / "out")
    assert {one["verdict"] for one in written["comparisons"]} == {"no difference shown"}
    assert all(set(one["mean"].values()) == {0.0} for one in written["systems"])


# The same answers, the same bytes


def files_of(folder: Path) -> dict[str, bytes]:
    """All but those that hold the times."""
    return {
        path.name: path.read_bytes()
        for path in sorted(folder.iterdir())
        if not path.name.endswith((".latency.csv", ".answers.jsonl", "decision.md"))
    }


@pytest.mark.parametrize("form", ["table", "json", "csv", "md", "latex"])
def test_a_rerun_gives_the_same_bytes(form, tmp_path, asked, answers):
    one, other = (
        evaluate(asked, "--answers", answers, "-o", tmp_path / name, "-f", form)
        for name in ("one", "other")
    )
    assert one.stdout == other.stdout
    first = files_of(tmp_path / "one")
    assert {"results.json", "audit.md", "old.run", "dumb.run", "documents.jsonl"} <= set(first)
    assert first == files_of(tmp_path / "other")


def test_so_does_work_that_was_interrupted_and_goes_on(tmp_path, asked, answers, server):
    whole, part = tmp_path / "whole", tmp_path / "part"
    for folder in (whole, part):
        evaluate(asked, "--answers", answers, "-o", folder)
    journal = part / "new.answers.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:6]) + b'{"que')
    for name in ("results.json", "audit.md", "new.run", "documents.jsonl"):
        (part / name).unlink()
    before = len(server.asked)
    evaluate(asked, "--answers", answers, "-o", part)
    # One query to see that it is there, and those that were not answered yet.
    assert len(server.asked) - before == 1 + 14 - 5
    assert files_of(whole) == files_of(part)


def test_times_stand_in_their_own_files(tmp_path, asked, answers):
    began = time.perf_counter()
    result = evaluate(asked, "--answers", answers, "-o", tmp_path / "out")
    took = time.perf_counter() - began
    assert "seconds" not in result.stdout
    assert "old: seconds a query " in result.stderr
    assert "seconds" not in (tmp_path / "out" / "results.json").read_text()
    latency = (tmp_path / "out" / "old.latency.csv").read_text()
    rows = list(csv.DictReader(io.StringIO(latency)))
    assert len(rows) == 14
    # One query after the other, each on its way to a server and back.
    assert min(float(row["seconds"]) for row in rows) > 0
    assert sum(float(row["seconds"]) for row in rows) < took


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_ended_amid_its_work_it_goes_on_with_the_same_command(ending, tmp_path, server):
    texts = [f"slow{n}" for n in range(12)]
    server.found = {text: [{"id": "x"}, {"id": text}] for text in texts}
    (tmp_path / "systems.toml").write_text(
        f"""
        [systems.slow]
        kind = "http"
        url = "{server.url}/slow/0.1/search?q={{query}}"
        results = "results"
        id = "id"
        """
    )
    answers = right_answers(tmp_path, {text: text for text in texts})
    command = [str(tmp_path / "systems.toml"), "--answers", answers, "-o"]
    part, whole = tmp_path / "part", tmp_path / "whole"
    journal = part / "slow.answers.jsonl"
    part.mkdir()
    (part / "results.json").write_text("earlier")
    with subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from judge_tui.cli import main; main()",
            "evaluate",
            *command,
            part,
        ],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        while process.poll() is None and not (
            journal.exists() and journal.read_bytes().count(b"\n") > 3
        ):
            time.sleep(0.02)
        process.send_signal(ending)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.strip().splitlines() == [
        "interrupted; the same command goes on where it stopped",
        f"results.json in {part} is of an earlier run, not of this one",
    ]
    kept = journal.read_bytes()
    assert (part / "results.json").read_text() == "earlier"
    evaluate(*command, part)
    assert journal.read_bytes().startswith(kept)
    evaluate(*command, whole)
    assert files_of(part) == files_of(whole)


# Gates


@pytest.mark.parametrize(
    ("gate", "held"),
    [
        ("new:Hit@5>=0.05", True),
        ("new:Hit@5>=0.999", False),
        ("nDCG@10>=0", True),
        ("RR@10>=0.01", False),  # dumb
        ("old:nDCG@10>=0.01", True),
        ("nDCG@10>=baseline-0.9", True),
        ("nDCG@10>=baseline", False),
        ("old:AP>=baseline-0.5", True),
        ("old:R@10>=baseline+0.9", False),
    ],
)
def test_the_exit_code_says_whether_a_gate_holds(gate, held, tmp_path, asked, answers):
    options = ("-o", tmp_path / "out", "--baseline", "new", "--require", gate)
    result = evaluate(asked, "--answers", answers, *options, code=1 - held)
    (kept,) = results(tmp_path / "out")["gates"]
    assert (kept["held"], bool(kept["why"])) == (held, not held)
    assert ("gate not met" in result.stderr) is not held
    audit = (tmp_path / "out" / "audit.md").read_text()
    assert f": {'held' if held else 'not met'}" in audit


def test_a_number_is_asked_of_every_system_the_first_one_too(tmp_path, asked, answers):
    """Nobody has called the first one a baseline."""
    evaluate(asked, "--answers", answers, "-o", tmp_path / "out", "--require", "P@5>=1", code=1)
    (gate,) = results(tmp_path / "out")["gates"]
    assert [why.split(" ")[1] for why in gate["why"]] == list(TAGS)


def test_no_regression_fails_where_a_system_is_worse(tmp_path, asked, answers):
    """`dumb` is; and with itself as the baseline nobody is, but who finds nothing is none."""
    out = ("-o", tmp_path / "out", "--require", "no-regression", "-m", "AP")
    result = evaluate(asked, "--answers", answers, *out, code=1)
    assert "gate not met: no-regression: dumb is worse than old by AP: -" in result.stderr
    result = evaluate(asked, "--answers", answers, *out, "--baseline", "dumb", code=1)
    assert "no-regression: the baseline, dumb, found nothing for any query" in result.stderr


def test_nothing_is_held_to_a_baseline_that_failed(tmp_path, server):
    """It answers the first query, by which it is tried, and is down from then on: beside it, all
    the others look better."""
    queries = QUERIES[:12]
    found: dict[str, Any] = {
        "base": {query: ["x"] if query == queries[0] else FAILS for query in queries},
        "new": {query: ["y", "x"] for query in queries},
    }
    asked = systems(tmp_path, server, found, queries)
    answers = right_answers(tmp_path, {query: ["x"] for query in queries})
    out = tmp_path / "out"
    gates = ("no-regression", "nDCG@10>=baseline-0.01", "new:RR@10>=baseline", "new:RR@10>=0.5")
    options = [part for gate in gates for part in ("--require", gate)]
    result = evaluate(asked, "--answers", answers, "-o", out, *options, code=1)
    why = (
        "the baseline, base, failed at 11 of 12 queries, so that nothing can be held to it;"
        " --again-failed asks once more"
    )
    beside = [line for line in result.stderr.splitlines() if line.startswith("gate not met")]
    assert beside == [f"gate not met: {gate}: {why}" for gate in gates[:3]]
    assert [one["held"] for one in results(out)["gates"]] == [False, False, False, True]
    rests = "base failed at 11 of 12 queries, and every difference rests on that, too"
    assert f"Compared with base ({rests})" in " ".join(result.stdout.split())
    for name, words in (("audit.md", rests), ("decision.md", "base failed at 11 of 12 queries")):
        page = (out / name).read_text()
        assert page.index(words) < page.index("better")
    # Beside the other one they hold: what is asked is about the baseline alone.
    beside_new = ("--baseline", "new", "--require", "AP>=baseline-1")
    evaluate(asked, "--answers", answers, "-o", out, *beside_new)
    for one in queries:
        server.replies[f"/base/{one}"] = server.replies[f"/base/{queries[0]}"]
    options = ["--require", "nDCG@10>=baseline-0.9", "--again-failed"]
    evaluate(asked, "--answers", answers, "-o", out, *options)
    for name in ("audit.md", "decision.md"):
        assert "failed at" not in (out / name).read_text().partition("\n- ")[0]


def test_a_system_that_failed_is_not_shown_to_be_no_worse(tmp_path, server):
    """Where the baseline is seldom right, no test shows the loss, and no decision is made."""
    queries = QUERIES[:12]
    found: dict[str, Any] = {
        "base": {query: ["x" if query in (queries[0], queries[6]) else "y"] for query in queries},
        "new": {query: ["x"] if query == queries[0] else FAILS for query in queries},
    }
    asked = systems(tmp_path, server, found, queries)
    answers = right_answers(tmp_path, {query: ["x"] for query in queries})
    gates = ("--require", "no-regression", "--require", "RR@10>=baseline-0.1")
    result = evaluate(asked, "--answers", answers, "-o", tmp_path / "out", *gates, code=1)
    why = (
        "new failed at 11 of 12 queries, so that nothing is shown of it; --again-failed asks once"
        " more"
    )
    beside = [line for line in result.stderr.splitlines() if line.startswith("gate not met")]
    assert beside == [f"gate not met: no-regression: {why}"]
    assert {one["verdict"] for one in results(tmp_path / "out")["comparisons"]} == {
        "no difference shown"
    }


@pytest.mark.parametrize(("nothing", "held"), [(6, True), (7, False), (11, False)])
def test_nothing_is_held_to_a_baseline_that_found_nothing_for_most(tmp_path, server, nothing, held):
    """By the rule by which decision.md rests nothing on it: for over half of the queries."""
    queries = QUERIES[:12]
    found: dict[str, Any] = {
        "base": {query: [] if at < nothing else ["x"] for at, query in enumerate(queries)},
        "new": {query: ["y", "x"] for query in queries},
    }
    asked = systems(tmp_path, server, found, queries)
    answers = right_answers(tmp_path, {query: ["x"] for query in queries})
    gates = ("no-regression", "AP>=baseline-1", "new:RR@10>=0.5")
    options = [part for gate in gates for part in ("--require", gate)]
    out = tmp_path / "out"
    result = evaluate(asked, "--answers", answers, "-o", out, *options, code=1 - held)
    why = (
        f"the baseline, base, found nothing for {nothing} of 12 queries, so that nothing can be"
        " held to it; look at how it is set up"
    )
    beside = [line for line in result.stderr.splitlines() if line.startswith("gate not met")]
    assert beside == ([] if held else [f"gate not met: {gate}: {why}" for gate in gates[:2]])
    assert ("look at its set-up first" in (out / "decision.md").read_text()) is not held


@pytest.mark.parametrize(
    ("credit", "told"),
    [
        (
            "once",
            "each answer is credited once, at the first result that is right by it, in nDCG, AP"
            " and RR",
        ),
        ("every", "every right result is credited in nDCG, AP and RR: nDCG and AP may exceed 1"),
    ],
)
def test_how_answers_are_credited_is_said_as_score_says_it(credit, told, tmp_path, asked, answers):
    out = tmp_path / "out"
    result = evaluate(asked, "--answers", answers, "--credit", credit, "-o", out)
    scored = judge_tui("score", "--answers", answers, "--credit", credit, out / "old.run")
    assert [told in said for said in (result.stdout, scored.stdout)] == [True, True]
    assert f"E{told[1:]}." in (out / "audit.md").read_text()


def test_gates_are_kept_in_the_order_in_which_they_were_given(tmp_path, asked, answers):
    gates = ("no-regression", "new:AP>=0", " no-regression ", "AP>=baseline-1")
    options = [part for gate in gates for part in ("--require", gate)]
    evaluate(asked, "--answers", answers, "-o", tmp_path / "out", *options, code=1)
    kept = [one["gate"] for one in results(tmp_path / "out")["gates"]]
    assert kept == ["no-regression", "new:AP>=0", "no-regression", "AP>=baseline-1"]


def test_pages_of_an_earlier_run_are_told_where_there_is_an_error(tmp_path, asked, answers):
    words = (asked, "--answers", answers, "-o", tmp_path / "out", "--require", "AP>0.1")
    told = f"results.json, decision.md in {tmp_path / 'out'} are of an earlier run, not of this one"
    assert "earlier run" not in evaluate(*words, code=2).stderr
    (tmp_path / "out").mkdir()
    for name in ("results.json", "decision.md"):
        (tmp_path / "out" / name).touch()
    assert evaluate(*words, code=2).stderr.splitlines()[0] == told


def test_a_page_that_cannot_be_written_leaves_those_after_it_of_an_earlier_run(
    tmp_path, asked, answers
):
    out = tmp_path / "out"
    words = (asked, "--answers", answers, "-o", out)
    evaluate(*words)
    before = {name: (out / name).read_text() for name in ("results.json", "decision.md")}
    (out / "audit.md").unlink()
    (out / "audit.md").mkdir()
    said = evaluate(*words, "--strong", "0.9", code=2).stderr
    assert f"decision.md in {out} is of an earlier run, not of this one" in said.splitlines()
    assert f"{out / 'audit.md'}: cannot be written: is a folder" in said
    # What that says is so.
    now = {name: (out / name).read_text() for name in before}
    assert [name for name in before if now[name] == before[name]] == ["decision.md"]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--require", "nwe:AP>=0.1"], "no system 'nwe'; did you mean 'new'?"),
        (["--require", "AP>0.1"], "is no gate"),
        (["--require", "AP>0.1"], "nDCG@10>=baseline-0.01 or no-regression"),
        (
            ["--require", "new:no-regression"],
            "is asked of all systems but the baseline; write no-r",
        ),
        (["--require", "old:AP>=baseline"], "gate old:AP>=baseline holds old to itself: it is the"),
        (["--require", "nDGC@10>=0.1"], "nDGC"),
        (["--baseline", "nwe"], "no system 'nwe'; did you mean 'new'?"),
        (["--only", "old", "--require", "no-regression"], "there is one system"),
        (["--only", "old", "--require", "AP>=baseline"], "there is one system"),
        (["--require", "no-regression", "-m", "NumRet"], "of which more is better"),
        (["-m", "Judged@10"], "Judged@10 is about documents that were judged"),
        (["--require", "Bpref>=0.1"], "Bpref is about documents that were judged"),
        (["--strong", "0.1"], "--usable 0.2 is more than --strong 0.1"),
        (["--qrels", "grades.qrels"], "--answers, --qrels or --benchmark, one of them"),
        (["--only", "nwe"], "nwe"),
    ],
)
def test_what_cannot_be_done_is_said_before_anybody_is_asked(
    options, what, tmp_path, asked, answers, server
):
    before = len(server.asked)
    result = evaluate(asked, "--answers", answers, "-o", tmp_path / "out", *options, code=2)
    assert what in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert len(server.asked) == before
    assert not (tmp_path / "out").exists()


def test_nothing_that_is_right_or_no_queries_is_bad_usage(tmp_path, asked, graded):
    with_qrels(tmp_path, graded)
    for options, what in (
        ([], "--answers, --qrels or --benchmark, one of them"),
        (["--qrels", str(tmp_path / "grades.qrels")], "give the queries, too"),
    ):
        assert what in evaluate(asked, *options, "-o", tmp_path / "out", code=2).stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            '[{"query": "a", "documents": [{"id": "d", "text": "t", "score": 1}]}]',
            "{0} is a benchmark; give it as --benchmark {0}",
        ),
        ("query,docid,rating\na,d,1\n", "{0} holds its queries, too; give it as --queries {0} as"),
    ],
)
def test_qrels_that_hold_their_queries_are_told_how_to_be_given(tmp_path, asked, content, said):
    grades = tmp_path / "grades"
    grades.write_text(content)
    result = evaluate(asked, "--qrels", grades, "-o", tmp_path / "out", code=2)
    assert said.format(grades) in result.stderr


@pytest.mark.parametrize(
    "name",
    ["results.json", "audit.md", "documents.jsonl", "old.answers.jsonl", "old.run", "collect.json"],
)
def test_it_writes_over_nothing_that_it_reads(name, tmp_path, asked, answers):
    held = tmp_path / name
    held.write_bytes(Path(answers).read_bytes())
    result = evaluate(asked, "--answers", held, "-o", tmp_path, "--again", code=2)
    assert f"{name} is a file that is read here" in result.stderr
    assert held.read_bytes() == Path(answers).read_bytes()


@pytest.mark.parametrize("command", ["evaluate", "collect"])
def test_nor_over_the_documents_of_an_embedding_system(command, tmp_path, server):
    lines = "".join(json.dumps({"doc_id": w, "text": w}) + "\n" for w in ("read", "write"))
    (tmp_path / "documents.jsonl").write_text(lines)
    (tmp_path / "systems.toml").write_text(
        f"""
        [systems.vectors]
        kind = "embedding"
        url = "{server.url}/embeddings"
        model = "hashed words"
        documents = "documents.jsonl"
        """
    )
    (tmp_path / "queries.tsv").write_text("q001\tread\n")
    options = ["--queries", str(tmp_path / "queries.tsv"), "--depth", "1", "-o", str(tmp_path)]
    if command == "evaluate":
        options += ["--answers", right_answers(tmp_path, {"read": "read"})]
    result = CliRunner().invoke(cli, [command, str(tmp_path / "systems.toml"), *options])
    assert result.exit_code == 2
    assert "documents.jsonl is a file that is read here" in result.stderr
    assert (tmp_path / "documents.jsonl").read_text() == lines


# Queries, classes, bands, depth


def test_a_queries_file_gives_the_ids_and_answers_are_found_by_text(tmp_path, asked, answers):
    rows = "".join(f"my query {n}\t{q}\n" for n, q in enumerate(QUERIES[3:], 3))
    (tmp_path / "queries.tsv").write_text(f"other\tnever answered\n{rows}")
    result = evaluate(
        *(asked, "--answers", answers, "--queries", tmp_path / "queries.tsv"),
        *("-o", tmp_path / "out"),
    )
    entries = results(tmp_path / "out")["queries"]
    assert [one["query_id"] for one in entries] == [f"my query {n}" for n in range(3, 14)]
    assert "left out and not asked: 1 (other)\n" in result.stdout
    named = ", ".join(repr(query) for query in QUERIES[:3])
    told = f"queries that are not asked, though something is known: 3 ({named})\n"
    assert told in result.stdout


def test_one_system_is_not_compared(tmp_path, asked, answers):
    result = evaluate(asked, "--answers", answers, "--only", "new", "-o", tmp_path / "out")
    written = results(tmp_path / "out")
    assert (written["comparisons"], written["settings"]["comparison"]) == ([], None)
    assert "Compared" not in result.stdout + (tmp_path / "out" / "audit.md").read_text()
    assert written["warnings"] == [
        "14 queries are fewer than 30: any of these numbers may be chance",
        PAGED.format("AP"),
    ]


PAGED = (
    "new: paged: never more than 12 of the 50 results asked for, and just 12 for 13 of 13 queries:"
    " if that is the size of its pages, measures that look deeper ({}) compare it unfairly;"
    " ask for --depth 12 (into another folder, or with --again), or for larger pages"
)


def test_classes_of_queries_have_their_own_means(tmp_path, asked, graded):
    entries = [
        {"query": q, "expected": [d for d, g in graded[q].items() if g]}
        | ({"class": "even"} if n % 2 == 0 else {"class": "odd"} if n < 12 else {})
        for n, q in enumerate(QUERIES)
    ]
    (tmp_path / "answers.json").write_text(json.dumps(entries))
    result = evaluate(asked, "--answers", tmp_path / "answers.json", "-o", tmp_path / "out")
    written = results(tmp_path / "out")
    parts = {one["class"]: one for one in written["classes"]}
    assert {name: one["queries"] for name, one in parts.items()} == {"even": 7, "odd": 6, None: 1}
    for name, part in parts.items():
        for tag in TAGS:
            values = [
                one["systems"][tag]["values"]["nDCG@10"]
                for one in written["queries"]
                if one["class"] == name
            ]
            assert part["mean"][tag] == pytest.approx(sum(values) / len(values))
    assert "\nnDCG@10 by class\n" in result.stdout
    assert "### nDCG@10 by class" in (tmp_path / "out" / "audit.md").read_text()


@pytest.mark.parametrize(
    ("strong", "usable", "word"),
    [("1", "1", "poor"), ("1", "0.5", "usable"), ("0.5", "0.5", "strong"), ("0.4", "0", "strong")],
)
def test_bands_are_what_they_are_set_to(strong, usable, word, tmp_path, server):
    """The right one at rank 2: exactly .5, which is from .5 on."""
    asked = systems(tmp_path, server, {"half": {"q": ["wrong", "right"]}}, ["q"])
    answers = right_answers(tmp_path, {"q": "right"})
    out = tmp_path / "out"
    evaluate(asked, "--answers", answers, "-o", out, "--strong", strong, "--usable", usable)
    assert results(out)["systems"][0]["band"] == word
    said = f"**half is {word} (RR@10 0.5000).**"
    assert said in (out / "audit.md").read_text()


def test_the_usual_bands(tmp_path, server):
    rank = {"strong": 2, "usable": 4, "poor": 6}
    found = {
        tag: {"q": ["no"] * 0 + [f"n{i}" for i in range(1, at)] + ["yes"]}
        for tag, at in rank.items()
    }
    asked = systems(tmp_path, server, found, ["q"])
    evaluate(asked, "--answers", right_answers(tmp_path, {"q": "yes"}), "-o", tmp_path / "out")
    assert [one["band"] for one in results(tmp_path / "out")["systems"]] == list(rank)


def test_a_first_hit_below_rank_10_is_told_and_not_found_in_the_histogram(tmp_path, server):
    found = {"deep": {"q": [f"n{n}" for n in range(36)] + ["yes"]}}
    asked = systems(tmp_path, server, found, ["q"])
    answers = right_answers(tmp_path, {"q": "yes"})
    result = evaluate(asked, "--answers", answers, "-o", tmp_path / "out")
    (entry,) = results(tmp_path / "out")["queries"]
    assert entry["systems"]["deep"]["first_rank"] == 37
    assert results(tmp_path / "out")["systems"][0]["histogram"]["not found"] == 1
    assert "q001   q       37\n" in result.stdout


# Forms


def test_forms_for_programs_and_papers(tmp_path, asked, answers):
    def printed(form: str) -> str:
        return evaluate(asked, "--answers", answers, "-o", tmp_path / "out", "-f", form).stdout

    assert printed("json") == (tmp_path / "out" / "results.json").read_text()
    assert printed("md") == (tmp_path / "out" / "audit.md").read_text()
    rows = list(csv.DictReader(io.StringIO(printed("csv"))))
    written = results(tmp_path / "out")
    values = {(row["tag"], row["query_id"], row["measure"]): float(row["value"]) for row in rows}
    assert len(rows) == len(values) == 3 * (14 + 1) * 5
    for system in written["systems"]:
        for name, mean in system["mean"].items():
            assert values[system["tag"], "all", name] == mean
    for entry in written["queries"]:
        for tag, its in entry["systems"].items():
            for name, value in its["values"].items():
                assert values[tag, entry["query_id"], name] == value
    latex = printed("latex")
    assert r"old & usable" in latex
    assert "q001" not in latex  # no paper has room for a line a query


def test_of_many_queries_the_summary_is_what_stays_on_the_screen(tmp_path, server):
    texts = [f"many{n}" for n in range(200)]
    found = {
        "old": {text: ["x", "y", "z", "u"] for text in texts},
        "new": {text: ["a"] for text in texts},
    }
    asked = systems(tmp_path, server, found, texts)
    answers = right_answers(tmp_path, {text: list("abcde") for text in texts})
    result = evaluate(asked, "--answers", answers, "-o", tmp_path / "out")
    lines = result.stdout.splitlines()
    # A line for every query, with the rank or that it was missed.
    assert sum(line.startswith("q") and line.endswith("missed    1") for line in lines) >= 200
    assert "old: nothing right among the first 10 (the first 10 of 200)" in lines
    assert "failures not shown here: 190; audit.md has all" in lines
    last = "\n".join(lines[-40:])
    for what in ("Queries by the rank", "Compared with old", "nDCG@10   RR@10", "verdict by"):
        assert what in last
    audit = (tmp_path / "out" / "audit.md").read_text()
    assert audit.count("; and ") == 0
    assert audit.count("1. x (About x); 2. y (About y); 3. z (About z)") == 200


def test_a_failure_shows_what_was_expected_and_three_that_came(tmp_path, server):
    found = {"it": {"find me": ["n1", "n2", "n3", "n4", *(f"m{n}" for n in range(9)), "yes"]}}
    asked = systems(tmp_path, server, found, ["find me"])
    answers = right_answers(tmp_path, {"find me": ["yes", "b", "c", "d", "e"]})
    lines = evaluate(asked, "--answers", answers, "-o", tmp_path / "out").stdout.splitlines()
    at = lines.index("it: nothing right among the first 10")
    assert [line.split() for line in lines[at + 1 : at + 7]] == [
        ["query", "text", "first", "right", "expected", "came", "instead"],
        ["q001", "find", "me", "14", "yes", "n1"],
        ["b", "n2"],
        ["c", "n3"],
        ["and", "2", "more"],
        [],
    ]


# Real engines


def test_a_real_engine_and_real_vectors(tmp_path, server):
    words = ("read", "write", "copy", "delete", "rename", "move", "open", "close")
    lines = "".join(
        json.dumps({"doc_id": f"guide/{w}.md", "title": w, "text": f"how to {w} it, {w}s it"})
        + "\n"
        for w in words
    )
    (tmp_path / "docs.jsonl").write_text(lines)
    index = tmp_path / "index.sqlite"
    subprocess.run([*ENGINE, "build", str(index)], input=lines.encode(), check=True)
    right = {f"how to {w} it": f"guide/{w}.md" for w in words} | {"zzz": "guide/read.md"}
    (tmp_path / "systems.toml").write_text(
        f"""
        [systems.engine]
        kind = "command"
        argv = ["{ENGINE[0]}", "{ENGINE[1]}", "search", "{index}", "--", "{{query}}", "{{k}}"]
        results = "hits[*]"
        id = "path"
        score = "score"
        [systems.engine.identify]
        argv = ["{ENGINE[0]}", "{ENGINE[1]}", "version"]
        expect = "engine 3"
        [systems.vectors]
        kind = "embedding"
        url = "{server.url}/embeddings"
        model = "hashed words"
        documents = "docs.jsonl"
        """
    )
    out = tmp_path / "out"
    evaluate(tmp_path / "systems.toml", "--answers", right_answers(tmp_path, right), "-o", out)
    written = results(out)
    engine = written["systems"][0]
    assert engine["identity"] == "engine 3"
    assert engine["histogram"]["1"] == 8
    assert engine["nothing_found"] == 1
    assert "| engine | command | engine 3 |" in (out / "audit.md").read_text()
    # By the run files, as another tool would read them.
    for system in written["systems"]:
        found: dict[str, list[str]] = {}
        for line in (out / f"{system['tag']}.run").read_text().splitlines():
            query_id, _, doc_id, *_ = line.split()
            found.setdefault(query_id, []).append(doc_id)
        for entry in written["queries"]:
            its = entry["systems"][system["tag"]]
            wanted = {right[entry["query"]]: 1}
            ranked = found.get(entry["query_id"], [])
            assert its["first_rank"] == first_rank(ranked, wanted)
            assert its["values"] == pytest.approx(expected_values(ranked, wanted))
