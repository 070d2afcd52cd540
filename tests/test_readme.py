"""The README says what is: its tables against the program, its example run."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.judges import add_judge
from judge_tui.cli import COMMANDS, cli
from judge_tui.collect import read_systems
from judge_tui.collect.expressions import Expression
from judge_tui.collect.kinds import KINDS
from judge_tui.errors import InputError
from judge_tui.formats import Recognised, recognise
from judge_tui.formats.answers import read_answers
from judge_tui.formats.judgments import IN_WORDS
from judge_tui.formats.qrels_files import QRELS_FORMS
from judge_tui.formats.registry import file_formats
from judge_tui.formats.run_files import RUN_FORMS
from judge_tui.model import DEFAULT_SCALE
from judge_tui.scoring import MEASURES
from judge_tui.tui.screens.help import keys_of
from judge_tui.tui.screens.judge import JudgeScreen

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(name: str) -> str:
    return README.split(f"\n## {name}\n")[1].split("\n## ")[0]


def documented_commands() -> list[str]:
    return re.findall(r"^\| `([a-z ]+)` \|", section("Commands"), re.MULTILINE)


def test_every_command_is_in_the_table_and_nothing_else() -> None:
    known = []
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        if isinstance(command, click.Group):
            known += [f"{name} {part}" for part in command.commands]
        else:
            known.append(name)
    assert sorted(documented_commands()) == sorted(known)


def test_the_id_of_the_example_survives_a_missing_line() -> None:
    example = tomllib.loads(section("I have a search API").split("```toml\n")[1].split("```")[0])
    expression = Expression(example["systems"]["tool"]["id"])
    assert expression.search({"path": "a.py", "line": 7}) == "a.py:7"
    assert expression.search({"path": "a.py", "line": 0}) == "a.py:0"
    assert expression.search({"path": "a.py", "line": None}) == "a.py"
    assert expression.search({"path": "a.py"}) == "a.py"


def test_every_key_of_the_table_is_bound(campaign: Campaign) -> None:
    desk = Desk(campaign, add_judge(campaign, "ann"))
    table = section("Judging").split("What you can rely on")[0]
    keys = re.findall(r"`([^`]+)`", "\n".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE)))
    bound = ", ".join(names for names, _ in keys_of(JudgeScreen(desk), "judge")).split(", ")
    assert len(keys) > 20
    # The palette is Textual's own.
    assert set(keys) - {"ctrl+p"} <= set(bound), set(keys) - set(bound)


def test_the_picture_and_the_linked_files_are_there() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", README):
        assert (ROOT / target).is_file(), target


def test_the_library_examples_print_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sample_runs").symlink_to(ROOT / "sample_runs")
    for command in (
        "init --name sample",
        "load queries sample_runs/queries.jsonl",
        "load run sample_runs/runs/bm25.run sample_runs/runs/dense.run",
        "load qrels sample_runs/grades/assessor-a.qrels --judge ann",
        "load qrels sample_runs/grades/assessor-b.qrels --judge bob",
    ):
        assert CliRunner().invoke(cli, shlex.split(command)).exit_code == 0
    namespace: dict[str, object] = {}
    examples = re.findall(r"```python\n(.*?)```", section("As a library"), re.DOTALL)
    for code in examples:
        exec(compile(code, "README.md", "exec"), namespace)
        # A comment after a line, or on lines of its own, is what has been printed.
        expected = re.findall(r"^(?:.*  )?# (.*)$", code, re.MULTILINE)
        assert capsys.readouterr().out.splitlines() == expected
    tests = [test for name, test in namespace.items() if name.startswith("test_")]
    assert (len(examples), len(tests)) == (8, 2)
    for test in tests:
        assert callable(test)
        test()


def test_the_examples_of_answers_are_read_as_what_they_say(tmp_path: Path) -> None:
    part = README.split("### I have right answers in a spreadsheet\n")[1].split("\n### ")[0]
    table = "\n".join(re.findall(r"^    ([\w ]+,.*)$", part, re.MULTILINE)) + "\n"
    told = []
    for text in (table, *re.findall(r"```(?:json|toml)\n(.*?)```", part, re.DOTALL)):
        path = tmp_path / "answers"
        path.write_text(text, encoding="utf-8")
        assert recognise(path) == Recognised("queries", "answers")
        told += [
            (answer.query, answer.query_class, [(one.key, one.grade) for one in answer.truths])
            for answer in read_answers(path)
        ]
    assert told == [
        ("how to read a CSV file", "", [("src/read.py:10-40", 2), ("docs/csv.md", 1)]),
        ("how to sort", "", [("src/sort.py", 1)]),
        ("how to sort", "how-to", [("src/sort.py", 1), ("docs/sorting.md:1-30", 2)]),
        ("how to sort", "", [("//(sort|order)ing\\.html$/", 2)]),
    ]


ROOMS = ROOT / "judge_tui"


def rooms_by_layer() -> list[tuple[int, str]]:
    rows = re.findall(
        r"^\| (\d+) \| `(\w+)(/|\.py)` \|", section("How the code is laid out"), re.MULTILINE
    )
    for _, room, end in rows:
        assert (ROOMS / f"{room}{end}").exists(), f"{room}{end}"
    return [(int(layer), room) for layer, room, _ in rows]


def test_every_room_has_its_line_and_nothing_else() -> None:
    there = {path.stem for path in (*ROOMS.glob("*.py"), *ROOMS.glob("*/__init__.py"))}
    there |= {path.parent.name for path in ROOMS.glob("*/__init__.py")}
    assert sorted(room for _, room in rooms_by_layer()) == sorted(there - {"__init__"})


def contracts(kind: str) -> list[dict[str, list[str]]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [one for one in settings["tool"]["importlinter"]["contracts"] if one["type"] == kind]


def test_the_layers_are_those_of_the_import_contract() -> None:
    (contract,) = contracts("layers")
    layers = [
        (number, name.removeprefix("judge_tui."))
        for number, layer in enumerate(contract["layers"], 1)
        for name in layer.split(" | ")
    ]
    assert rooms_by_layer() == layers


def test_one_room_knows_textual_and_one_knows_sqlite() -> None:
    told = re.findall(
        r"(\w+) (?:is imported )?in `(\w+)/` alone", section("How the code is laid out")
    )
    assert told == [("Textual", "tui"), ("SQLite", "campaign")]
    libraries = {"tui": ["textual"], "campaign": ["sqlite3", "sqlite_utils"]}
    assert {
        (*one["protected_modules"], *one["allowed_importers"]) for one in contracts("protected")
    } == {(*libraries[room], f"judge_tui.{room}") for _, room in told}
    # What import-linter cannot see: SQL through the connection that a campaign holds.
    sql = re.compile(r"\.execute(?:many)?\(|\.writing\(\)|\.rehearsing\(\)")
    there = {
        path.relative_to(ROOMS).parts[0]
        for path in ROOMS.rglob("*.py")
        if sql.search(path.read_text(encoding="utf-8"))
    }
    assert there == {"campaign"}


def places_of_what_is_new() -> dict[str, list[str]]:
    """What may be new, and the folders and files that the table sends it to."""
    table = section("How the code is laid out").split("| something new | goes |")[1]
    return {
        what: re.findall(r"`([\w/]+/|[\w/]+\.py)`", row)
        for what, row in re.findall(r"^\| ([\w ,]+) \| (.*) \|$", table, re.MULTILINE)
    }


def test_what_is_new_goes_to_places_that_are_there() -> None:
    rows = places_of_what_is_new()
    assert len(rows) > 10
    assert all(rows.values())
    for place in (place for places in rows.values() for place in places):
        assert (ROOMS / place).exists(), place


# Code asks for these by name: they are measured by default or for standard classes of queries, give
# the rank of the first relevant, say how much is judged. Each of the others is one of many.
_BY_THEMSELVES = ("RR", "P", "AP", "Rprec", "Judged", "Unjudged")

# One of each that is there, as the code that makes it known names it; where a place that a row may
# lack would list some of them alone, all of them.
EXAMPLES = {
    "command": r'"merge": ',
    "measure": rf'"(?:{"|".join(sorted({*MEASURES} - {*_BY_THEMSELVES}))})"',
    "paired test, correction": r"mcnemar|_benjamini_hochberg",
    "pooling strategy": r"\bRRF\b",
    "policy": r"mean-rounded",
    "coefficient of agreement": r'"ac2"|"kappa_linear"',
    "format of files": r"beir_qrels",
    "form of answers files": r"\b_json_lines\b|\blikely_form\b",
    "form of output": r'"latex"',
    "picture": r"(case|class) Histogram\b|draw_histogram",
    "section of the page": r"\bby_query\(",
    "view of the results": r'DividedView|divided_report|disagreements_view|def divided\(|"5,d"',
    "kind of live system": r'"embedding": _',
    "filter of Review": r"\bMARKS\b|\bapart=",
}


@pytest.mark.parametrize("what", EXAMPLES)
def test_what_is_there_is_where_the_like_of_it_goes(what: str) -> None:
    places = places_of_what_is_new()[what]
    naming = [
        path.relative_to(ROOMS).as_posix()
        for path in ROOMS.rglob("*.py")
        if re.search(EXAMPLES[what], path.read_text(encoding="utf-8"))
    ]
    assert naming
    untold = [
        path
        for path in naming
        if not any(
            path.startswith(place) if place[-1] == "/" else path == place for place in places
        )
    ]
    assert not untold
    needless = [place for place in places if not any(path.startswith(place) for path in naming)]
    assert not needless


def test_the_options_the_readme_names_exist() -> None:
    for name in ("--strategy", "--budget", "--audit"):
        assert name in " ".join(
            option
            for param in cli.get_command(click.Context(cli), "pool").params
            for option in param.opts
        )


def test_the_systems_file_can_be_read_and_every_setting_is_in_the_table(tmp_path: Path) -> None:
    text = section("I have a search API")
    path = tmp_path / "systems.toml"
    (example,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    path.write_text(example, encoding="utf-8")
    systems = read_systems(path, environment={"SEARCH_KEY": "s3cret"}).systems
    assert {system.kind for system in systems} == set(KINDS)
    rows = re.findall(r"^\| ((?:`\w+` ?)+) \| ([\w, `\[\]]+) \|", text, re.MULTILINE)
    for kind in KINDS:
        told = {
            name
            for names, kinds in rows
            if kind in kinds or kinds.startswith("all")
            for name in re.findall(r"\w+", names)
        }
        path.write_text(f"[systems.a]\nkind = '{kind}'\npattern = 'a'\n_ = 1", encoding="utf-8")
        known = told_as_known(path)
        # Without a pattern there are others.
        path.write_text(f"[systems.a]\nkind = '{kind}'\n_ = 1", encoding="utf-8")
        assert told == known | told_as_known(path), kind


def test_the_systems_file_of_tasks_can_be_read_and_every_setting_is_in_its_table(
    tmp_path: Path,
) -> None:
    text = README.split("### Does retrieved context help?\n")[1].split("\n### ")[0]
    path = tmp_path / "systems.toml"
    (example,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    path.write_text(example, encoding="utf-8")
    read = read_systems(path, environment={"CHAT_KEY": "s3cret"})
    assert [(one.name, len(one.tasks.arms), len(one.tasks.checks)) for one in read.tasks] == [
        ("coder", 2, 2)
    ]
    rows = re.findall(r"^\| ((?:`\w+` ?)+) \|", text, re.MULTILINE)
    path.write_text("[systems.a]\nkind = 'task'\n_ = 1", encoding="utf-8")
    assert set(re.findall(r"\w+", " ".join(rows))) == told_as_known(path)


def told_as_known(path: Path) -> set[str]:
    """The settings that the refusal of an unknown one names."""
    with pytest.raises(InputError) as raised:
        read_systems(path, environment={})
    lines = [str(one) for one in (raised.value, *raised.value.also)]
    (line,) = [line for line in lines if "no setting '_'" in line]
    return set(line.partition("known: ")[2].split(", ")) - {"kind"}


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
        done = CliRunner().invoke(cli, shlex.split(line))
        assert done.exit_code == 0, (line, done.output)
    assert Path("case_ratings.csv").read_text() == (
        "query,docid,rating\nstar trek,1,2\nstar wars,2,0\n"
    )


def test_who_judges_in_another_tool_can_do_what_it_says(
    campaign: Campaign, usual: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = section("Files of other tools").split("### Label Studio, doccano, UMBRELA")[1]
    code = re.findall(r"^    judge-tui (.*?)(?:  +#.*)?$", told, re.MULTILINE)
    assert len(code) == 5
    controls = set(re.findall(r'name="(\w+)"', _xml_in(told)))
    for line in code:
        if "project-1.json" in line:
            tasks = json.loads(Path("tasks.json").read_text())
            assert {f"${name}" for name in tasks[0]["data"]} >= set(re.findall(r"\$\w+", told))
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
        done = CliRunner().invoke(cli, shlex.split(line))
        assert done.exit_code == 0, (line, done.output)
    done = CliRunner().invoke(cli, shlex.split("export judgments -f label-studio -o -"))
    written = json.loads(done.stdout)[0]["annotations"][0]["result"][0]
    assert {written["from_name"], written["to_name"]} < controls


def _xml_in(text: str) -> str:
    """The labelling configuration whose choices are the labels of the usual scale."""
    config = text.split("```xml\n")[1].split("```", maxsplit=1)[0]
    assert re.findall(r'<Choice value="(.*?)"', config) == [
        *DEFAULT_SCALE.labels.values(),
        IN_WORDS["cannot"],
    ]
    return config


# What every tool writes, or none but this one, is told with the commands that read it.
OF_NO_OTHER_TOOL = {"trec", "csv", "tsv", "jsonl", "json", "answers", "benchmark"}
READ_BY = {
    "run": "as a run",
    "qrels": "load qrels",
    "judgments": "load qrels",
    "queries": "load queries",
    "documents": "load docs",
}


def test_every_format_of_other_tools_is_in_their_table() -> None:
    rows = re.findall(
        r"^\| (.*?) \| (.*?) \| .* \|$", section("Files of other tools"), re.MULTILINE
    )
    forms = [one for one in file_formats() if one[1] not in OF_NO_OTHER_TOOL]
    assert len(forms) > 20
    missing = [
        (kind, name)
        for kind, name in forms
        if not any(f"`{name}`" in form and READ_BY[kind] in read for form, read in rows)
    ]
    assert missing == []
    written = {*QRELS_FORMS, *RUN_FORMS} - OF_NO_OTHER_TOOL
    assert [one for one in written if not any(f"`{one}`" in form for form, _ in rows)] == []
