"""`judge-tui evaluate` against a real server of which every list is known: every number counted
again here, the same bytes for the same answers, the exit codes."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli
from tests.collect.server import Server, serving
from tests.evaluating import (
    FAILS,
    SYSTEM,
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
        | {"docs/never-found.md": 2}
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
        "".join(f"{q} 0 {one} {grade}\n" for q, its in graded.items() for one, grade in its.items())
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
            for one in written["systems"]:
                assert its[one["tag"]].items() <= one["mean"].items()
        else:
            assert document["comparisons"] == written["comparisons"]
            assert document["settings"] == written["settings"]["comparison"]


@pytest.mark.parametrize(
    ("measures", "scored", "compared"),
    [
        ((), ["nDCG@10", "RR@10", "P@5", "R@10", "AP"], ["nDCG@10"]),
        (("MRR@10", "Hit@1"), ["RR@10", "Success@1"], ["RR@10", "Success@1"]),
        (("NumRet", "AP"), ["NumRet", "AP", "RR@10"], ["AP"]),
    ],
)
def test_only_what_is_asked_for_is_compared(measures, scored, compared, tmp_path, asked, answers):
    """What stands beside it, for the band or to look at, does not widen the family."""
    options = [part for measure in measures for part in ("-m", measure)]
    evaluate(asked, "--answers", answers, *options, "-o", tmp_path / "out")
    written = results(tmp_path / "out")
    assert written["settings"]["measures"] == scored
    found = [(one["tag"], one["measure"]) for one in written["comparisons"]]
    assert found == [(tag, measure) for measure in compared for tag in ("new", "dumb")]


def test_one_system_is_not_compared(tmp_path, asked, answers):
    evaluate(asked, "--answers", answers, "--only", "new", "-o", tmp_path / "out")
    written = results(tmp_path / "out")
    assert (written["comparisons"], written["settings"]["comparison"]) == ([], None)


def test_a_queries_file_gives_the_ids_and_answers_are_found_by_text(tmp_path, asked, answers):
    """Those alone are asked of which something is known; an answer to none of them is refused."""
    rows = "".join(f"my-{n}\t{q}\n" for n, q in enumerate(QUERIES))
    (tmp_path / "queries.tsv").write_text(f"other\tnever answered\n{rows}")
    words = (asked, "--answers", answers, "--queries", tmp_path / "queries.tsv")
    evaluate(*words, "-o", tmp_path / "out")
    entries = results(tmp_path / "out")["queries"]
    assert [one["query_id"] for one in entries] == [f"my-{n}" for n in range(14)]
    (tmp_path / "queries.tsv").write_text("".join(rows.splitlines(keepends=True)[1:]))
    assert "answers.json:1: " in evaluate(*words, "-o", tmp_path / "other", code=2).stderr


# What failed, and what found nothing


def test_a_query_that_failed_counts_as_0_everywhere(tmp_path, asked, answers):
    result = evaluate(asked, "--answers", answers, "-o", tmp_path / "out")
    written = results(tmp_path / "out")
    failed = written["queries"][5]["systems"]["old"]
    assert "500" in failed["failed"]
    assert (failed["first_rank"], failed["top"]) == (None, [])
    assert set(failed["values"].values()) == {0.0}
    old, _, dumb = written["systems"]
    assert (old["queries"], old["failed"], old["nothing_found"]) == (14, 1, 1)
    assert any(line.startswith("q006 ") and "failed" in line for line in result.stdout.splitlines())
    assert {one["queries"] for one in written["comparisons"]} == {14}
    assert set(dumb["mean"].values()) == {0.0}
    assert (dumb["band"], dumb["nothing_found"], dumb["histogram"]["not found"]) == ("poor", 14, 14)


def test_systems_that_all_find_nothing_are_no_error(tmp_path, server, graded):
    asked = systems(tmp_path, server, {"a": {}, "b": {}}, QUERIES)
    evaluate(asked, *with_qrels(tmp_path, graded), "-o", tmp_path / "out")
    written = results(tmp_path / "out")
    assert {one["verdict"] for one in written["comparisons"]} == {"no difference shown"}
    assert all(set(one["mean"].values()) == {0.0} for one in written["systems"])


# The same answers, the same bytes


def files_of(folder: Path) -> dict[str, bytes]:
    """All but those that hold the times."""
    return {
        path.name: path.read_bytes()
        for path in sorted(folder.iterdir())
        if not path.name.endswith((".latency.csv", ".answers.jsonl"))
    }


def test_a_rerun_gives_the_same_bytes(tmp_path, asked, answers):
    one, other = (
        evaluate(asked, "--answers", answers, "-o", tmp_path / name) for name in ("one", "other")
    )
    assert one.stdout == other.stdout
    first = files_of(tmp_path / "one")
    assert {"results.json", "report.md", "report.html", "old.run", "dumb.run"} <= set(first)
    assert first == files_of(tmp_path / "other")


def test_nothing_changes_where_it_is_refused(tmp_path, asked, answers, server):
    out = tmp_path / "out"
    evaluate(asked, "--answers", answers, "-o", out)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    evaluate(asked, "--answers", answers, "--depth", "3", "-o", out, code=2)
    everywhere = dict.fromkeys(QUERIES, FAILS)
    broken = systems(tmp_path, server, dict.fromkeys(TAGS, everywhere), QUERIES)
    evaluate(broken, "--answers", answers, "--fresh", "-o", out, code=2)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_pages_of_an_earlier_run_do_not_outlive_a_failure_of_asking(tmp_path):
    """Here of a program that is another one when all is asked."""
    identify = '[systems.b.identify]\nargv = ["cat", "version"]\nexpect = "[0-9]"\n'
    text = SYSTEM.replace("echo", "cat next > version; echo") + identify
    (tmp_path / "systems.toml").write_text(text)
    for name in ("version", "next"):
        (tmp_path / name).write_text("1")
    words = (tmp_path / "systems.toml", "--answers", right_answers(tmp_path, {"x": "d1"}))
    out = tmp_path / "out"
    evaluate(*words, "-o", out)
    assert results(out)["systems"][0]["identity"] == "1"
    (tmp_path / "next").write_text("2")
    # Its trial exchanges it, too.
    failed = evaluate(*words, "--fresh", "-o", out, code=2)
    assert "exchanged while it was asked" in failed.stderr
    assert not {"results.json", "report.md", "report.html"} & files_of(out).keys()


def test_queries_that_are_not_asked_count_for_nothing(tmp_path):
    """40 are graded, 2 of these are asked, and both times what is first is right."""
    (tmp_path / "systems.toml").write_text(SYSTEM)
    (tmp_path / "two.tsv").write_text("q1\tone\nq2\ttwo\n")
    (tmp_path / "forty.txt").write_text("".join(f"q{n} 0 d1 1\n" for n in range(1, 41)))
    words = ("--queries", tmp_path / "two.tsv", "--qrels", tmp_path / "forty.txt")
    evaluate(tmp_path / "systems.toml", *words, "-o", tmp_path / "out")
    (system,) = results(tmp_path / "out")["systems"]
    assert (system["queries"], system["mean"]["RR@10"]) == (2, 1.0)


def test_qrels_come_through_a_pipe(tmp_path):
    (tmp_path / "systems.toml").write_text(SYSTEM)
    (tmp_path / "one.tsv").write_text("q1\tone\n")
    read_from, write_to = os.pipe()
    os.write(write_to, b"q1 0 d1 1\n")
    os.close(write_to)
    words = ("--queries", tmp_path / "one.tsv", "--qrels", f"/dev/fd/{read_from}")
    evaluate(tmp_path / "systems.toml", *words, "-o", tmp_path / "out")
    os.close(read_from)
    assert results(tmp_path / "out")["systems"][0]["mean"]["RR@10"] == 1.0


# Gates


@pytest.mark.parametrize(
    ("gate", "held"),
    [
        ("new:Hit@5>=0.05", True),
        ("RR@10>=0.01", False),  # dumb
        ("nDCG@10>=baseline-0.9", True),
        ("old:R@10>=baseline+0.9", False),
    ],
)
def test_the_exit_code_says_whether_a_gate_holds(gate, held, tmp_path, asked, answers):
    options = ("-o", tmp_path / "out", "--baseline", "new", "--require", gate)
    result = evaluate(asked, "--answers", answers, *options, code=1 - held)
    kept = results(tmp_path / "out")["gates"]
    assert all(one["met"] for one in kept) is held
    assert ("gate not met" in result.stderr) is not held


def test_no_regression_fails_where_a_system_is_worse(tmp_path, asked, answers):
    gate = ("--require", "no-regression", "-m", "AP", "-o", tmp_path / "out")
    evaluate(asked, "--answers", answers, *gate, code=1)
    found = {one["tag"]: one["met"] for one in results(tmp_path / "out")["gates"]}
    assert found["dumb"] is False
    evaluate(asked, "--answers", answers, *gate, "--baseline", "dumb")


# What cannot be done


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--require", "nwe:AP>=0.1"], "nwe"),
        (["--require", "AP>0.1"], "is not a gate"),
        (["--require", "old:AP>=baseline"], "no baseline"),
        (["--require", "lookup/AP>=0.1"], "no slices"),
        (["--require", "nDGC@10>=0.1"], "nDGC"),
        (["--baseline", "nwe"], "no system 'nwe'; did you mean 'new'?"),
        (["--only", "old", "--require", "no-regression"], "no baseline"),
        (["-m", "Judged@10"], "Judged@10"),
        (["--require", "Bpref>=0.1"], "Bpref"),
        (["--qrels", "grades.qrels"], "--answers or --qrels, one of them"),
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


@pytest.mark.parametrize("name", ["results.json", "old.run"])
def test_it_writes_over_nothing_that_it_reads(name, tmp_path, asked, answers):
    held = tmp_path / name
    held.write_bytes(Path(answers).read_bytes())
    result = evaluate(asked, "--answers", held, "-o", tmp_path, "--fresh", code=2)
    assert f"{name} is a file that is read here" in result.stderr
    assert held.read_bytes() == Path(answers).read_bytes()


# What was there already, and sheets with other headers


def test_answers_of_an_earlier_call_are_counted_wherever_numbers_stand(tmp_path, asked, answers):
    words = (asked, "--answers", answers, "--only", "new", "-o", tmp_path / "out")
    first = evaluate(*words)
    assert "there already" not in first.output
    assert results(tmp_path / "out")["systems"][0]["there_already"] == 0
    journal = tmp_path / "out" / "new.answers.jsonl"
    head, *lines = journal.read_text().splitlines(keepends=True)
    one, *others = (re.sub(r'"asked":"[-0-9]{10}"', '"asked":"2026-05-01"', one) for one in lines)
    journal.write_text("".join([head, one.replace("05-01", "04-30"), *others]))
    said = "14 of 14 answers were there already, from 2026-04-30 to 2026-05-01; --fresh asks again"
    again = evaluate(*words)
    assert f"warning: {said}\n" in again.stderr
    written = results(tmp_path / "out")
    assert said in written["warnings"]
    assert written["systems"][0]["there_already"] == 14
    for page in ("report.html", "report.md"):
        assert said in (tmp_path / "out" / page).read_text()
    # Written by an earlier version, which noted no day.
    journal.write_text(re.sub(r',"asked":"[-0-9]{10}"', "", journal.read_text()))
    said = "14 of 14 answers were there already; --fresh asks again"
    assert f"warning: {said}\n" in evaluate(*words).stderr
    assert "there already" not in evaluate(*words, "--fresh").output


@pytest.mark.parametrize("by", ["--answers", "--qrels"])
def test_columns_hold_for_every_file_that_is_read(by, tmp_path):
    (tmp_path / "systems.toml").write_text(SYSTEM)
    (tmp_path / "questions.csv").write_text("nr;Question\n7;one\n8;two\n")
    (tmp_path / "right.csv").write_text(
        "Question;Right answer\none;d1\ntwo;d2\n"
        if by == "--answers"
        else "nr;doc;rel\n7;d1;1\n8;d2;1\n"
    )
    words = ("--queries", tmp_path / "questions.csv", by, tmp_path / "right.csv")
    columns = "query_id=nr,query=Question,"
    columns += "result=Right answer" if by == "--answers" else "doc_id=doc"
    words = (tmp_path / "systems.toml", *words, "-o", tmp_path / "out", "--columns")
    refused = evaluate(*words, f"{columns},class=kind", code=2)
    assert "no file has the column 'kind' of --columns" in refused.stderr
    assert not (tmp_path / "out").exists()
    evaluate(*words, columns)
    written = results(tmp_path / "out")
    assert [(one["query_id"], one["query"]) for one in written["queries"]] == [
        ("7", "one"),
        ("8", "two"),
    ]
    assert written["systems"][0]["mean"]["RR@10"] == 0.75


# Forms


def test_forms_for_programs_and_papers(tmp_path, asked, answers):
    def printed(form: str) -> str:
        return evaluate(asked, "--answers", answers, "-o", tmp_path / "out", "-f", form).stdout

    assert printed("json") == (tmp_path / "out" / "results.json").read_text()
    assert printed("md") == (tmp_path / "out" / "report.md").read_text()
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
