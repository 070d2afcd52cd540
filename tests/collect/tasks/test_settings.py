"""What the table of a system of kind `task` may say; whatever else it says is refused with its
line, all at once."""

from __future__ import annotations

import pytest

from judge_tui.collect import read_systems
from judge_tui.errors import UsageError
from tests.collect.asking import refusals

WHOLE = """\
[systems.search]
kind = "http"
url = "http://localhost:8000/search?q={query}"
results = "results[*]"
id = "path"
text = "text"

[systems.coder]
kind = "task"
url = "http://localhost:8000/v1/chat/completions"
model = "m"
arms = { plain = {}, docs = { context = "search", k = 3 } }
checks = { compiles = ["python3", "{file}"], runs = ["sh", "-c", "true"] }
"""


def told(tmp_path, setting: str, instead: str = "") -> list[str]:
    """What is refused where this stands in the table of the tasks, in place of a line there."""
    lines = WHOLE.splitlines()
    if instead:
        lines = [setting if line.startswith(instead) else line for line in lines]
    else:
        lines.append(setting)
    return [line.removeprefix("systems.toml:") for line in refusals(tmp_path, "\n".join(lines))]


def test_a_whole_file_is_read_with_its_arms_and_checks_in_their_order(tmp_path):
    path = tmp_path / "systems.toml"
    path.write_text(WHOLE)
    read = read_systems(path, environment={})
    assert [one.name for one in read.systems] == ["search"]
    (coder,) = read.tasks
    arms = [(one.name, one.context, one.k) for one in coder.tasks.arms]
    assert arms == [("plain", "", 0), ("docs", "search", 3)]
    assert [one.name for one in coder.tasks.checks] == ["compiles", "runs"]
    assert coder.tasks.prompt == "{context}\n\n{query}"
    assert (coder.tasks.file, coder.tasks.extract) == ("answer.py", "code")
    assert coder.tasks.chat.body == {"model": "m"}


@pytest.mark.parametrize(
    ("setting", "instead", "what"),
    [
        ("arms = {}", "arms", "12: there are no arms"),
        ("", "checks", "8: there are no checks"),
        ("checks = { a = [] }", "checks", "13: a is not a list of texts"),
        ("checks = { a = 'true' }", "checks", "13: a is not a list of texts"),
        ("checks = { Task = ['true'] }", "checks", "13: check Task has the name of another col"),
        ("checks = { 'a,b' = ['true'] }", "checks", "13: check 'a,b' is a column or a cell"),
        (
            "checks = { a = ['x', '${KEY}'] }",
            "checks",
            "13: a may not hold the secret ${KEY}; every user of",
        ),
        ("check_env = { A = '${KEY}' }", "", "14: A may not hold the secret ${KEY}"),
        ("prompt = '{context}'", "", "14: prompt has no {query} in it"),
        ("prompt = '{query}'", "", "14: prompt has no {context} in it, and an arm has"),
        ("prompt = '{query} {context} ${KEY}'", "", "14: prompt may not hold the secret ${KEY}"),
        (
            "prompt = '{qeury} {query} {context}'",
            "",
            "14: prompt has {qeury} in it, which nothing is filled in for; did you mean {query}?",
        ),
        (
            "prompt = '{query} {context} {nope}'",
            "",
            "14: prompt has {nope} in it, which nothing is filled in for; known: {query},"
            " {query_id}, {context}; braces of its own have a blank in them: { nope }",
        ),
        *(
            (
                f"checks = {{ a = ['x', '{{{word}}}'] }}",
                "checks",
                f"13: a has {{{word}}} in it, which nothing is filled in for; {mend}",
            )
            for word, mend in [
                ("File", "did you mean {file}?"),
                ("querry", "did you mean {query}?"),
                ("k", "known: {file}, {folder}, {query}, {query_id};"),
            ]
        ),
        ("extract = 'all'\nlanguage = 'python'", "", '15: extract is "all"; take language out'),
        ("file = '../answer.py'", "", "14: file is '../answer.py'"),
        ("file = '..'", "", "14: file is '..'"),
        ("file = '-rf'", "", "14: file is '-rf'"),
        ("extract = 'first'", "", "14: extract is 'first'; write one of code, all"),
        ("unanswered = 'passes'", "", "14: unanswered is 'passes'; write one of fails, left out"),
        ("temperature = 'hot'", "", "14: temperature is not a number"),
        ("max_tokens = 0", "", "14: max_tokens is 0"),
        ("options = 3", "", "14: options is not a table"),
        ("options = { stream = true }", "", "14: stream cannot be an option"),
        ("seed = 1\noptions = { seed = 2 }", "", "15: seed is a setting of its own"),
        ("headers = { A = 'ü' }", "", "14: header 'A' cannot be sent"),
        ("url = 'localhost'", 'url = "http://localhost:8000/v1', "10: url is not http://"),
        ("pattern = 'a'", "", "14: no setting 'pattern' in [systems.coder]"),
        ("arms = { a = { k = 3 } }", "arms", "12: arm a has no context"),
        ("arms = { a = { context = 'search', n = 3 } }", "arms", "12: no setting 'n' in"),
        (
            "arms = { a = { context = 'serch' } }",
            "arms",
            "12: arm a: no search system 'serch'; did you mean 'search'?",
        ),
        (
            "arms = { a = { context = 'coder' } }",
            "arms",
            "12: arm a: no search system 'coder'; known: search",
        ),
        ("title = 'title'", "text", "12: arm docs: what search finds has no texts"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_line(tmp_path, setting, instead, what):
    (line,) = told(tmp_path, setting, instead)
    assert line.startswith(what)


def test_braces_of_a_programs_own_stay_in_its_checks(tmp_path):
    path = tmp_path / "systems.toml"
    path.write_text(WHOLE.replace('"{file}"', "\"{print}\", '{ file }'"))
    assert read_systems(path).tasks[0].tasks.checks[0].argv[1:] == ("{print}", "{ file }")


def test_arms_and_checks_may_be_tables_of_their_own(tmp_path):
    text = WHOLE.replace("arms = {", "# {").replace("checks = {", "# {")
    text += "[systems.coder.arms.docs]\ncontext = 'serch'\n[systems.coder.checks]\na = 3\n"
    assert [line.partition(": ")[0] for line in refusals(tmp_path, text)] == [
        "systems.toml:15",
        "systems.toml:17",
    ]


def test_who_does_not_want_tasks_needs_no_secrets_of_theirs(tmp_path):
    path = tmp_path / "systems.toml"
    path.write_text(f"{WHOLE}headers = {{ A = '${{KEY}}' }}\n")
    read = read_systems(path, environment={}, with_tasks=False)
    assert ([one.name for one in read.systems], read.tasks) == (["search"], ())
    assert read.left_out == ("coder",)
    with pytest.raises(UsageError, match="system 'coder' is put tasks, of which there is no run"):
        read_systems(path, only=["search", "coder"], environment={}, with_tasks=False)
    path.write_text(WHOLE[WHOLE.index("[systems.coder]") :].replace("docs = {", "b = {}, c = {"))
    with pytest.raises(UsageError, match="is put tasks"):
        read_systems(path, environment={}, with_tasks=False)
