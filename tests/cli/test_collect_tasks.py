"""`judge-tui collect` with a system that is put tasks, through click and through real processes."""

from __future__ import annotations

import csv
import json
import signal
import subprocess

import pytest
from click.testing import CliRunner
from scipy.stats import binomtest

from judge_tui.cli import cli
from tests.collect.asking import systems_file
from tests.collect.tasks.trying import check, prompts, tables
from tests.end_to_end.terminal import PROGRAM
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


def invoke(*args, env=None):
    words = ["collect", "systems.toml", "--queries", "tasks.tsv", "-o", "out"]
    return CliRunner().invoke(cli, [*words, *args], env=env)


def test_the_tables(folder, server):
    systems_file(folder, tables(server, checks=CHECKS))
    result = invoke()
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert "costs" not in result.stdout
    at = lines.index("coder: tasks passed")
    assert " ".join(lines[at + 1].split()) == "arm context tasks no answer right any median s"
    assert " ".join(lines[at + 2].split()).startswith("plain none 10 0 2/10 20 % 10/10 100 % 0.")
    assert " ".join(lines[at + 3].split()).startswith("docs search, top 2 10 0 9/10 90 % 10/10 100")
    at = lines.index("coder: Compared with plain")
    # Of ten tasks the arm gains t4 to t10 and loses none: McNemar's p is 2 * 0.5 ** 7.
    row = " ".join(lines[at + 2].split())
    assert row.startswith("right docs 10 2 9 +0.7000 ")
    assert row.endswith(" 7 0 0.0156 0.0312 better")
    at = lines.index("coder: Discordant tasks")
    discordant = [line.split() for line in lines[at + 2 : at + 9]]
    assert discordant == [["right", "docs", f"t{n}", "docs", "alone"] for n in range(4, 11)]
    assert "coder, docs: search found nothing for 2 of 10 tasks, put without context" in lines


def test_the_same_numbers_as_json_and_by_outcomes(folder, server):
    systems_file(folder, tables(server, checks=CHECKS))
    document = json.loads(invoke("-f", "json").stdout)
    (coder,) = document["tasks"]
    assert [one["checks"]["right"] for one in coder["arms"]] == [
        {"tasks": 10, "passed": 2, "share": 0.2},
        {"tasks": 10, "passed": 9, "share": 0.9},
    ]
    assert [(one["context"], one["k"], one["nothing_found"]) for one in coder["arms"]] == [
        (None, None, None),
        ("search", 2, 2),
    ]
    (compared, _any) = coder["outcomes"]["comparisons"]
    assert compared["tests"]["mcnemar"]["p"] == pytest.approx(binomtest(0, 7).pvalue)
    done = CliRunner().invoke(cli, ["outcomes", "out/coder.outcomes.csv", "-f", "json"])
    assert json.loads(done.stdout) == coder["outcomes"]


def test_of_its_own_outcomes_every_check_is_read_whatever_it_is_called(folder, server):
    named = {"passed": CHECKS["right"], "any": CHECKS["any"]}
    systems_file(folder, tables(server, checks=named))
    document = json.loads(invoke("-f", "json").stdout)["tasks"][0]["outcomes"]
    done = CliRunner().invoke(cli, ["outcomes", "out/coder.outcomes.csv", "-f", "json"])
    assert json.loads(done.stdout) == document
    assert [one["check"] for one in document["comparisons"]] == ["passed", "any"]


def test_what_has_no_room_in_csv_is_said_aside(folder, server):
    systems_file(folder, tables(server, checks=CHECKS))
    result = invoke("-f", "csv")
    assert result.stdout.splitlines()[0].startswith("system,queries,failed")
    assert "coder, docs: search found nothing for 2 of 10 tasks" in result.stderr
    alone = tables(server, checks=CHECKS, arms={"plain": {}})
    del alone["search"]
    systems_file(folder, alone)
    assert invoke("-f", "csv").stdout == (
        "system,arm,check,tasks,passed\ncoder,plain,right,10,2\ncoder,plain,any,10,10\n"
    )
    assert "Compared with" not in invoke().stdout


def test_what_each_arm_costs(folder, server):
    """Ten calls of the endpoint each; and ten of the search, for the arm that has context."""
    asked = tables(server, checks=CHECKS, price=0.01, currency="USD")
    asked["search"].update(price=0.001, currency="USD")
    systems_file(folder, asked)
    lines = invoke().stdout.splitlines()
    at = lines.index("coder: what each arm costs")
    assert [" ".join(line.split()) for line in lines[at + 1 : at + 4]] == [
        "arm calls of the search cost of 1,000 tasks",
        "plain 10 0 0.10 USD 10.00 USD",
        "docs 10 10 0.11 USD 11.00 USD",
    ]
    put = len(server.asked)
    asked["search"].update(price=0.002, currency="EUR")
    systems_file(folder, asked)
    assert "docs 10 10 0.10 USD + 0.020 EUR 10.00 USD + 2.00 EUR" in " ".join(
        invoke().stdout.split()
    )
    assert len(server.asked) == put  # another price changes no answer
    (arm,) = json.loads(invoke("-f", "json").stdout)["tasks"][0]["arms"][1:]
    assert arm["calls"] == [
        {"system": "coder", "calls": 10, "price": 0.01, "currency": "USD"},
        {"system": "search", "calls": 10, "price": 0.002, "currency": "EUR"},
    ]
    assert arm["cost"] == [
        {"amount": pytest.approx(0.1), "currency": "USD"},
        {"amount": pytest.approx(0.02), "currency": "EUR"},
    ]


def test_what_has_no_price_is_said_beside_the_cost(folder, server):
    systems_file(folder, tables(server, checks=CHECKS, price=0.01))
    told = invoke().stdout
    assert "docs: search has no price, and its 10 calls are not in the cost" in told
    assert "0.10 (no currency configured)" in told


def test_failures_are_told_apart_from_answers_that_do_not_pass(folder, server):
    says = server.says
    server.says = lambda prompt: {} if prompt.endswith(("task 4", "task 5")) else says(prompt)
    systems_file(folder, tables(server, checks=CHECKS))
    told = (
        "coder, docs: 2 of 10 tasks were not answered, which counts as passing no check: t4: the"
        ' answer has no choices[0].message: {"object": "chat.completion", "choices": [{}]}; t5: '
    )
    lines = invoke().stdout.splitlines()
    assert told in " ".join(lines)
    at = lines.index(
        "coder: Compared with plain (plain failed at 2 of 10 tasks, docs failed at 2 of 10 tasks,"
        " and every difference rests on that, too)"
    )
    assert lines[at + 2].rstrip().endswith(", with failures")
    again = CliRunner().invoke(cli, ["outcomes", "out/coder.outcomes.csv"]).stdout.splitlines()
    assert lines[at : at + 3] == [f"coder: {again[0]}", *again[1:3]]
    document = json.loads(invoke("-f", "json").stdout)["tasks"][0]
    assert document["arms"][1]["checks"]["right"]["passed"] == 7
    assert [one["task"] for one in document["arms"][1]["failures"]] == ["t4", "t5"]
    systems_file(folder, tables(server, checks=CHECKS, unanswered="left out"))
    result = invoke()
    assert "which has no outcome: t4: " in result.stdout
    assert "with failures" not in result.stdout
    assert "7/8 88 %" in result.stdout


def test_answers_without_a_fence_or_without_code_are_counted(folder, server):
    server.says = lambda prompt: "```\n```" if prompt.endswith("task 4") else "right"
    systems_file(folder, tables(server, checks=CHECKS, arms={"plain": {}}))
    lines = invoke().stdout.splitlines()
    assert "coder, plain: 1 of 10 answers have no code in them and pass no check" in lines
    fenceless = "have no fenced block of code, and are checked as a whole"
    assert f"coder, plain: 9 of 10 answers {fenceless}" in lines
    (arm,) = json.loads(invoke("-f", "json").stdout)["tasks"][0]["arms"]
    assert (arm["no_code"], arm["unfenced"], arm["empty"]) == (1, 9, 0)
    systems_file(folder, tables(server, checks=CHECKS, arms={"plain": {}}, extract="all"))
    assert fenceless not in invoke().stdout


@pytest.mark.parametrize("checks", [CHECKS, {"right": CHECKS["right"]}])
def test_the_checks_beside_outcomes_are_not_taken_for_them(folder, server, checks):
    """With one check they would be read as outcomes, with two a task would stand there twice."""
    systems_file(folder, tables(server, checks=checks))
    assert invoke().exit_code == 0
    (folder / "renamed.csv").write_bytes((folder / "out" / "coder.checks.csv").read_bytes())
    said = {"out/coder.checks.csv": "out/coder.outcomes.csv", "renamed.csv": "*.outcomes.csv"}
    for given, meant in said.items():
        result = CliRunner().invoke(cli, ["outcomes", given])
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == (
            f"error: {given}:1: collect wrote this beside outcomes: why each check passed or not;"
            f" give the outcomes, {meant}\n"
        )
    assert CliRunner().invoke(cli, ["outcomes", "out/coder.outcomes.csv"]).exit_code == 0


def test_what_is_foreign_obeys_no_terminal(folder, server):
    (folder / "tasks.tsv").write_text(f"t{HOSTILE}\ttask {HOSTILE}\n")
    server.says = lambda _prompt: {"message": {"content": f"{HOSTILE}"}, "finish_reason": HOSTILE}
    hostile = check(f"print({HOSTILE!r}); sys.exit(len(sys.argv) - 2)")
    systems_file(folder, tables(server, checks={"it": hostile}))
    result = invoke()
    assert result.exit_code == 0
    assert "\x1b" not in result.output
    assert "\u202e" not in result.output
    assert "\x1b" not in (folder / "out" / "coder.checks.csv").read_text().replace(
        f"t{HOSTILE}", ""
    )


def test_evaluate_leaves_tasks_out(folder, server):
    systems_file(folder, tables(server, checks=CHECKS, headers={"A": "${NOT_THERE}"}))
    (folder / "answers.csv").write_text("query,result1\ntask 3,d3\n")
    words = ["evaluate", "systems.toml", "--answers", "answers.csv", "-o", "out"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0
    assert "coder" not in json.loads((folder / "out" / "results.json").read_text())["systems"]
    result = CliRunner().invoke(cli, [*words, "--only", "coder"])
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (
        2,
        "error: system 'coder' is put tasks, of which there is no run; judge-tui collect asks it",
    )


def test_more_context_than_is_searched_for_is_refused(folder, server):
    systems_file(folder, tables(server))
    result = invoke("--depth", "1")
    assert result.exit_code == 2
    assert result.stderr == (
        "error: systems.toml:18: system coder: arm docs wants the top 2 of search, and --depth asks"
        " for 1; give --depth 2 or more\n"
    )
    assert server.asked == []


def test_a_file_that_is_read_is_not_written_over(folder, server):
    (folder / "out").mkdir()
    (folder / "tasks.tsv").rename(folder / "out" / "coder.outcomes.csv")
    systems_file(folder, tables(server))
    words = ["collect", "systems.toml", "--queries", "out/coder.outcomes.csv", "-o", "out"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 2
    assert "out/coder.outcomes.csv is a file that is read here" in result.stderr


def test_interrupted_amid_a_check_the_answer_is_kept_and_nothing_goes_on(folder, server):
    (folder / "tasks.tsv").write_text("t1\ttask 1\nt2\ttask 2\n")
    told = f"pid=$$; {BORN_IN_SHELL} > '{folder}/pid'"
    slow = ["sh", "-c", f"test -e '{folder}/go' || {{ {told}; sleep 60; }}"]
    systems_file(folder, tables(server, checks={"slow": slow}))
    command = [PROGRAM, "collect", "systems.toml", "--queries", "tasks.tsv", "-o", "out"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    pid = folder / "pid"
    until(lambda: pid.exists() and pid.read_text())
    process.send_signal(signal.SIGINT)
    _out, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.strip() == "interrupted; the same command goes on where it stopped"
    until(lambda: not runs(pid.read_text()))
    lines = (folder / "out" / "coder.attempts.jsonl").read_text().splitlines()
    assert [json.loads(line)["reply"] for line in lines[1:]] == ["```\nwrong\n```"]
    before = len(prompts(server))
    (folder / "go").touch()
    assert invoke().exit_code == 0
    # Tried once more before the work; the first task is not asked again.
    assert len(prompts(server)) == before + 1 + 3
    with (folder / "out" / "coder.outcomes.csv").open(newline="") as stream:
        assert [row["slow"] for row in csv.DictReader(stream)] == ["1"] * 4


@pytest.mark.parametrize("again", [[], ["--again"]])
def test_outcomes_from_before_it_was_interrupted_are_told_and_not_compared(folder, server, again):
    (folder / "tasks.tsv").write_text("t1\ttask 1\nt2\ttask 2\n")
    systems_file(folder, tables(server, checks={"right": CHECKS["right"]}))
    assert invoke().exit_code == 0
    outcomes = folder / "out" / "coder.outcomes.csv"
    before = outcomes.read_bytes()
    assert CliRunner().invoke(cli, ["outcomes", str(outcomes)]).exit_code == 0

    once = f"test -e '{folder}/once' || {{ touch '{folder}/once'; exit 1; }}"
    slow = ["sh", "-c", f"{once}; touch '{folder}/began'; test -e '{folder}/go' || sleep 60"]
    systems_file(folder, tables(server, checks={"right": slow}))
    command = [PROGRAM, "collect", "systems.toml", "--queries", "tasks.tsv", "-o", "out", *again]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    until((folder / "began").exists)
    process.send_signal(signal.SIGINT)
    _out, told = process.communicate(timeout=60)
    assert process.returncode == 130
    # What the search found has been written anew.
    earlier = "coder.outcomes.csv, coder.checks.csv in out are of an earlier run, not of this one"
    assert told.strip().splitlines()[1:] == [earlier]
    assert outcomes.read_bytes() == before
    refused = CliRunner().invoke(cli, ["outcomes", str(outcomes)])
    assert refused.exit_code == 2
    what = "t2' of arm 'plain' is not" if again else "t1' of arm 'plain' has been tried or checked"
    assert f"coder.outcomes.csv: task '{what}" in refused.stderr
    assert "the outcomes were not written since that changed; give the collect" in refused.stderr

    (folder / "go").touch()
    assert invoke().exit_code == 0
    assert CliRunner().invoke(cli, ["outcomes", str(outcomes)]).exit_code == 0


def test_outcomes_that_are_not_those_of_the_attempts_beside_them_are_refused(folder, server):
    """Also of a version before this one, which did not note when they were written."""
    systems_file(folder, tables(server, checks=CHECKS))
    invoke()
    attempts = folder / "out" / "coder.attempts.jsonl"
    lines = attempts.read_text().splitlines(keepends=True)
    attempts.write_text("".join(line for line in lines if '"written"' not in line))
    outcomes = folder / "out" / "coder.outcomes.csv"
    assert CliRunner().invoke(cli, ["outcomes", str(outcomes)]).exit_code == 0
    outcomes.write_text(outcomes.read_text().replace("t5,docs,1,1", "t5,docs,0,1"))
    refused = CliRunner().invoke(cli, ["outcomes", str(outcomes)]).stderr
    assert "task 't5' of arm 'docs' has another outcome of right in " in refused
    # Elsewhere nothing is known of them.
    attempts.unlink()
    assert CliRunner().invoke(cli, ["outcomes", str(outcomes)]).exit_code == 0
