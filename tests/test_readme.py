"""The README says what is: its tables against the program, its example run."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path

import jmespath
import pytest

from judge_tui.campaign import Campaign
from judge_tui.collect import read_systems
from judge_tui.formats.answers import read_answers
from judge_tui.formats.recognition import Recognised, recognise
from tests.as_typed import invoke

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(name: str) -> str:
    return README.split(f"\n## {name}\n")[1].split("\n## ")[0]


def test_the_id_of_the_example_survives_a_missing_line() -> None:
    example = tomllib.loads(section("Live systems").split("```toml\n")[1].split("```")[0])
    expression = jmespath.compile(example["systems"]["tool"]["id"])
    assert expression.search({"path": "a.py", "line": 7}) == "a.py:7"
    assert expression.search({"path": "a.py", "line": 0}) == "a.py:0"
    assert expression.search({"path": "a.py", "line": None}) == "a.py"
    assert expression.search({"path": "a.py"}) == "a.py"


def test_the_picture_and_the_linked_files_are_there() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", README):
        assert (ROOT / target).is_file(), target


def test_the_examples_of_answers_are_read_as_what_they_say(tmp_path: Path) -> None:
    part = README.split("### Right answers in a spreadsheet\n")[1].split("\n### ")[0]
    table = "\n".join(re.findall(r"^    ([\w ]+,.*)$", part, re.MULTILINE)) + "\n"
    told = []
    for text in (table, *re.findall(r"```(?:json|toml)\n(.*?)```", part, re.DOTALL)):
        path = tmp_path / "answers"
        path.write_text(text, encoding="utf-8")
        assert recognise(path) == Recognised("queries", "answers")
        told += [
            (
                answer.query.text,
                answer.query.query_class,
                [(one.key, one.grade) for one in answer.truths],
            )
            for answer in read_answers(path)
        ]
    assert told == [
        ("how to read a CSV file", "", [("src/read.py:10-40", 2), ("docs/csv.md", 1)]),
        ("how to sort", "", [("src/sort.py", 1)]),
        ("how to sort", "how-to", [("src/sort.py", 1), ("docs/sorting.md:1-30", 2)]),
        ("how to sort", "", [("//(sort|order)ing\\.html$/", 2)]),
    ]


def test_the_systems_files_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEARCH_KEY", "s3cret")
    monkeypatch.setenv("CHAT_KEY", "s3cret")
    examples = re.findall(r"```toml\n(.*?)```", section("Live systems"), re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        path = tmp_path / "systems.toml"
        path.write_text(example, encoding="utf-8")
        read_systems(path)


def test_who_comes_from_quepid_can_do_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("case_basic.csv").write_text("query,docid,rating\nstar trek,1,3\nstar wars,2,0\nx,,")
    Path("case_snapshot.csv").write_text(
        "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\r\n"
        "S,2020,1,star trek,1,1\r\nS,2020,1,star wars,2,1\r\n"
    )
    Path("case_detailed.csv").write_text(
        "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\r\n"
        "t,c,1,star trek,1,1,Star Trek,3\r\nt,c,1,star wars,2,1,Star Wars,\r\n"
    )
    Path("book.csv").write_text("query,docid,Ann,Bob\nstar trek,1,3,2\nstar wars,2,0,0\n")
    Path("answers.csv").write_text("query,result1\nstar trek,1\n")
    Path("ids.run").write_text("t1 Q0 1 1 1.0 ids\n")
    Path("queries.csv").write_text("query_id,query\nt1,star trek\nt2,star wars\n")
    code = re.findall(
        r"^    judge-tui (.*?)(?:  +#.*)?$", section("I come from Quepid"), re.MULTILINE
    )
    assert len(code) > 5
    for line in code:
        done = invoke(*shlex.split(line))
        assert done.exit_code == 0, (line, done.output)
    assert Path("case_ratings.csv").read_text() == (
        "query,docid,rating\nstar trek,1,2\nstar wars,2,0\n"
    )


def test_who_judges_in_another_tool_can_do_what_it_says(
    campaign: Campaign, usual: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = section("I judge in another tool")
    code = re.findall(r"^    judge-tui (.*?)(?:  +#.*)?$", told, re.MULTILINE)
    assert len(code) == 5
    for line in code:
        if "project-1.json" in line:
            tasks = json.loads(Path("tasks.json").read_text())
            for number, task in enumerate(tasks):
                label = ("Relevant", "Not relevant")[number % 2]
                value = {"choices": [label]}
                result = {"from_name": "relevance", "type": "choices", "value": value}
                task["annotations"] = [{"completed_by": 3, "result": [result]}]
            Path("project-1.json").write_text(json.dumps(tasks))
        if "judgments.jsonl" in line:
            requests = map(json.loads, Path("requests.jsonl").read_text().splitlines())
            answers = [
                {
                    "model": "some",
                    "query": one["query"]["text"],
                    "passage": candidate["doc"]["segment"],
                    "judgment": 2,
                    "result_status": 1,
                }
                for one in requests
                for candidate in one["candidates"]
            ]
            Path("judgments.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers))
        done = invoke(*shlex.split(line))
        assert done.exit_code == 0, (line, done.output)
