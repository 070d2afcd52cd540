"""`judge-tui collect` with a system that is put tasks, through click and through real processes."""

from __future__ import annotations

import csv
import json
import signal

import pytest
from scipy.stats import binomtest

from tests.as_typed import judge_tui, refused
from tests.collect.asking import systems_file
from tests.collect.test_tasks import check, prompts, tables
from tests.programs import begin
from tests.waiting import BORN_IN_SHELL, runs, until

NUMBERS = range(1, 11)
HOSTILE = "\x1b[31mred\x1b]0;title\x07\u202egnp"


@pytest.fixture
def folder(tmp_path, monkeypatch, server):
    """Ten tasks; for all but the first two something with a hint is found. Who has the hint is
    right, and else right at the second and third task alone."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tasks.tsv").write_text("".join(f"t{n}\ttask {n}\n" for n in NUMBERS))
    server.found = {f"task {n}": [{"id": f"d{n}", "text": "hint"}] for n in NUMBERS if n > 2}

    def says(prompt):
        good = "hint" in prompt or prompt.endswith(("task 2", "task 3"))
        return "```\nright\n```" if good and prompt.count("hint") < 2 else "```\nwrong\n```"

    server.says = says
    return tmp_path


CHECKS = {"right": check("sys.exit('right' not in answer)"), "any": check("")}


def run_collect(*options):
    return judge_tui("collect", "systems.toml", "--queries", "tasks.tsv", "-o", "out", *options)


def test_the_tables_and_the_same_numbers_as_json_and_by_outcomes(folder, server):
    systems_file(folder, tables(server, checks=CHECKS))
    result = run_collect()
    assert result.stderr == ""
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    at = lines.index("coder: tasks passed")
    assert lines[at + 1] == ("arm context top tasks no answer nothing found right any median s")
    assert lines[at + 2].startswith("plain - - 10 0 0 2 10 0.")
    assert lines[at + 3].startswith("docs search 2 10 0 2 9 10 0.")
    document = json.loads(run_collect("-f", "json").stdout)
    assert [(one["tasks"], one["passed_right"]) for one in document["arms"]] == [(10, 2), (10, 9)]
    done = judge_tui("outcomes", "out/coder.outcomes.csv", "-f", "json")
    compared = json.loads(done.stdout)["comparisons"][0]
    # Of ten tasks the arm gains t4 to t10 and loses none: McNemar's p is 2 * 0.5 ** 7.
    assert (compared["gained"], compared["lost"]) == (7, 0)
    assert compared["p"] == pytest.approx(binomtest(0, 7).pvalue)


def test_failures_are_told_apart_from_answers_that_do_not_pass(folder, server):
    says = server.says
    server.says = lambda prompt: {} if prompt.endswith(("task 4", "task 5")) else says(prompt)
    systems_file(folder, tables(server, checks=CHECKS))
    warning = (
        ", docs 2 of 10 (the answer has no"
        ' choices[0].message: {"object": "chat.completion", "choices": [{}]}: t4, t5)'
    )
    result = run_collect()
    assert warning in result.stderr
    assert "coder: tasks without an answer pass no check" in result.stderr
    document = json.loads(run_collect("-f", "json").stdout)
    assert {one["arm"]: one["passed_right"] for one in document["arms"]}["docs"] == 7
    failed = [one["query_id"] for one in document["failures"] if one["arm"] == "docs"]
    assert failed == ["t4", "t5"]


def test_what_is_foreign_obeys_no_terminal(folder, server):
    (folder / "tasks.tsv").write_text(f"t{HOSTILE}\ttask {HOSTILE}\n")
    server.says = lambda _prompt: {"message": {"content": f"{HOSTILE}"}, "finish_reason": HOSTILE}
    hostile = check(f"print({HOSTILE!r}); sys.exit(len(sys.argv) - 2)")
    systems_file(folder, tables(server, checks={"it": hostile}))
    result = run_collect()
    assert "\x1b" not in result.output
    assert "\u202e" not in result.output


def test_evaluate_leaves_tasks_out(folder, server):
    systems_file(folder, tables(server, checks=CHECKS, headers={"A": "${NOT_THERE}"}))
    (folder / "answers.csv").write_text("query,result1\ntask 3,d3\n")
    words = ["evaluate", "systems.toml", "--answers", "answers.csv", "-o", "out"]
    judge_tui(*words)
    assert "coder" not in json.loads((folder / "out" / "results.json").read_text())["systems"]
    assert "evaluate asks search systems, and not coder" in refused(*words, "--only", "coder")


def test_a_file_that_is_read_is_not_written_over(folder, server):
    (folder / "out").mkdir()
    (folder / "tasks.tsv").rename(folder / "out" / "coder.outcomes.csv")
    systems_file(folder, tables(server))
    words = ["collect", "systems.toml", "--queries", "out/coder.outcomes.csv", "-o", "out"]
    assert "out/coder.outcomes.csv is a file that is read here" in refused(*words)


def test_interrupted_amid_a_check_the_answer_is_kept_and_nothing_goes_on(folder, server):
    (folder / "tasks.tsv").write_text("t1\ttask 1\nt2\ttask 2\n")
    told = f"pid=$$; {BORN_IN_SHELL} > '{folder}/pid'"
    slow = ["sh", "-c", f"test -e '{folder}/go' || {{ {told}; sleep 60; }}"]
    systems_file(folder, tables(server, checks={"slow": slow}))
    work = begin("collect", "systems.toml", "--queries", "tasks.tsv", "-o", "out")
    pid = folder / "pid"
    until(lambda: pid.exists() and pid.read_text())
    work.process.send_signal(signal.SIGINT)
    done = work.ended()
    assert done.returncode == 130
    assert done.stderr.strip() == b"interrupted; the same command goes on where it stopped"
    until(lambda: not runs(pid.read_text()))
    lines = (folder / "out" / "coder.attempts.jsonl").read_text().splitlines()
    assert [json.loads(line)["answer"] for line in lines[1:]] == ["```\nwrong\n```"]
    before = len(prompts(server))
    (folder / "go").touch()
    run_collect()
    # Tried once more; what has its answer is not asked again.
    assert len(prompts(server)) == before + 4
    with (folder / "out" / "coder.outcomes.csv").open(newline="") as stream:
        assert [row["slow"] for row in csv.DictReader(stream)] == ["1"] * 4
