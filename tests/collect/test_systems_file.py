"""What a systems file may say; whatever else it says is refused with its line, all at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.collect import read_systems
from judge_tui.collect.settings import KINDS
from judge_tui.errors import InputError, UsageError
from tests.collect.asking import refusals

WHOLE = """\
[defaults]
timeout = 7
rate = 5

[systems.api]
kind = "http"
url = "http://localhost:8000/search?q={query}"
headers = { Authorization = "Bearer ${SEARCH_KEY}" }
results = "results[*]"
id = "path"
retries = 4

[systems.tool]
kind = "command"
argv = ["tool", "{query}"]
pattern = 'docs://\\S+'

[systems.dense]
kind = "embedding"
url = "http://localhost:8000/v1/embeddings"
model = "m"
documents = "docs.jsonl"

[systems.coder]
kind = "task"
url = "http://localhost:8000/v1/chat/completions"
model = "m"

[systems.coder.arms]
plain = {}
docs = { context = "dense" }

[systems.coder.checks]
compiles = ["python3", "-m", "py_compile", "{file}"]
"""
KEY = {"SEARCH_KEY": "s3cret"}
KINDS_ARE = "write kind = one of 'http', 'command', 'embedding', 'task'"


def written(folder: Path, text: str) -> Path:
    path = folder / "systems.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_systems_come_in_the_order_of_the_file_with_the_defaults(tmp_path):
    read = read_systems(written(tmp_path, WHOLE), environment=KEY)
    assert {name: one.kind for name, one in read.systems.items()} == {
        "api": "http",
        "tool": "command",
        "dense": "embedding",
        "coder": "task",
    }
    assert {one.kind for one in read.systems.values()} == set(KINDS)
    api, tool = read.systems["api"], read.systems["tool"]
    assert (api.timeout, api.retries, api.rate) == (7, 4, 5)
    assert (tool.timeout, tool.retries, tool.rate) == (7, 2, 5)
    assert read.lines["tool"] == 13
    assert list(read.tasks) == ["coder"]
    assert read.files == [tmp_path / "docs.jsonl"]
    # A byte order mark and the line ends of Windows are no fault.
    data = b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode()
    (tmp_path / "systems.toml").write_bytes(data)
    assert len(read_systems(tmp_path / "systems.toml", environment=KEY).systems) == 4


def test_only_some_of_them_and_no_secrets_of_the_others(tmp_path):
    path = written(tmp_path, WHOLE)
    assert list(read_systems(path, only=["tool", "dense"], environment={}).systems) == [
        "tool",
        "dense",
    ]
    with pytest.raises(InputError, match="arm docs: no search system 'dense' is asked; name"):
        read_systems(path, only=["coder"], environment={})
    with pytest.raises(UsageError, match="no system 'densse'; did you mean 'dense'"):
        read_systems(path, only=["densse"], environment={})
    assert list(read_systems(path, environment=KEY, tasks=False).systems) == [
        "api",
        "tool",
        "dense",
    ]
    with pytest.raises(
        UsageError, match="evaluate asks search systems, and not coder; ask that by"
    ):
        read_systems(path, only=["coder"], tasks=False)


def test_everything_wrong_is_told_with_its_line_at_once(tmp_path):
    assert refusals(
        tmp_path,
        """\
[default]
timeout = 3
[systems.api]
kind = "http"
url = "localhost:8000/{query}"
results = "results"
reslts = "results"
id = "a["
timeout = 0
retries = 1.5
rate = "fast"
headers = { A = "${NOT_THERE}" }
[systems.tool]
kind = "comand"
[systems.other]
argv = ["tool"]
[systems.cli]
kind = "command"
argv = ["tool", "${NOT_THERE}"]
pattern = '(a'
""",
    ) == [
        "systems.toml:1: the file can have no setting default; did you mean defaults?",
        'systems.toml:5: url is not http://… or https://…; write url = "https://host/path"',
        "systems.toml:7: [systems.api] can have no setting reslts; did you mean results?",
        "systems.toml:8: id is not a JMESPath expression: Invalid jmespath expression:"
        " Incomplete expression; jmespath.org explains them",
        "systems.toml:9: timeout cannot be used; it should be greater than or equal to 0.001",
        "systems.toml:10: retries cannot be used; it should be a valid integer",
        "systems.toml:11: rate cannot be used; it should be a valid number",
        "systems.toml:12: headers names NOT_THERE, which is not in the environment; export"
        " NOT_THERE=…",
        f"systems.toml:14: [systems.tool] has no known kind; {KINDS_ARE}",
        f"systems.toml:15: [systems.other] has no known kind; {KINDS_ARE}",
        "systems.toml:19: argv cannot contain ${NOT_THERE}; pass it by env = { NOT_THERE ="
        ' "${NOT_THERE}" }',
        "systems.toml:20: pattern is not a regular expression: missing ) at position 2; write \\"
        " before characters that are meant literally",
    ]


HTTP = "[systems.a]\nkind='http'\nresults='a'\nid='b'\n"
COMMAND = "[systems.a]\nkind='command'\nargv=['a','{query}']\n"
DENSE = "[systems.a]\nkind='embedding'\nurl='http://h'\nmodel='m'\n"
TASK = "[systems.a]\nkind='task'\nurl='http://h'\nmodel='m'\nchecks.c=['true']\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", 'systems.toml: the file has no systems; write [systems.NAME] kind = "http"'),
        ("[systems]", "systems.toml:1: systems cannot be used; it should have at least 1 item"),
        ("systems = 3", "systems.toml:1: systems cannot be used; it should be a valid table"),
        (
            "[systems]\nkind = 'http'",
            "systems.toml:2: [systems.kind] cannot be used; it should be a",
        ),
        ("[systems.a\n", "systems.toml:1: not TOML: Expected ']' at the end of a table"),
        ("[systems.'a b']\nkind = 'http'", "systems.toml:1: 'a b' cannot be a name; use letters"),
        ("[systems.'../a']\nkind = 'http'", "systems.toml:1: '../a' cannot be a name"),
        ("[systems.'-a']\nkind = 'http'", "systems.toml:1: '-a' cannot be a name"),
        (f"{COMMAND}pattern='b'\n{COMMAND.replace('.a', '.A')}pattern='b'", "differ in case alone"),
        (f"{HTTP}url='http://h:port/{{query}}'", "systems.toml:5: url is not http://… or https://"),
        (f"{HTTP}url='http://{{query}}/x'", "systems.toml:5: url is not http://… or https://"),
        (f"{HTTP}url='http://h'", "[systems.a] has the query in neither url nor body"),
        (
            f"{HTTP}url='http://h?q={{query}}'\nmethod='PUT'",
            "method cannot be used; it should be 'G",
        ),
        (f"{HTTP}url='http://h'\nmethod='GET'\nbody={{q='{{query}}'}}", "a body and method GET"),
        (f"{HTTP}url='http://h'\nbody='q={{query}}'", "body is not JSON; write a table or JSON"),
        (f"{HTTP}url='http://h'\nbody=1979-05-27", "body cannot be used; it was not a valid JSON"),
        (
            f"{HTTP}url='http://h?q={{query}}'\nheaders=['x']",
            "headers cannot be used; it should be",
        ),
        (
            f"{HTTP}url='http://h?q={{query}}'\npattern='a'",
            "needs results and id, or pattern alone",
        ),
        ("[systems.a]\nkind='http'\nurl='http://h/{query}'", "needs results and id, or pattern"),
        (f"{COMMAND}pattern='(docs|wiki)://x'", "group (docs|wiki) would be the id; write (?:…)"),
        (f"{COMMAND.replace('{query}', 'b')}pattern='a'", "has no {query} in argv"),
        (
            f"{COMMAND}pattern='a'\nok_codes=[true]",
            "ok_codes.0 cannot be used; it should be a valid",
        ),
        (
            f"{COMMAND}pattern='a'\n[systems.a.identify]\nexpect='b'",
            "5: identify needs argv or url",
        ),
        (f"{COMMAND}pattern='a'\n[systems.a.identify]\nargv=['b']", "has no identify.expect; add"),
        (
            f"{COMMAND}pattern='a'\n[systems.a.identify]\nargv=['b']\nexpct='b'",
            "7: [systems.a] can have no setting identify.expct; did you mean expect?",
        ),
        ("[defaults]\nratee=1", "2: [defaults] can have no setting ratee; did you mean rate?"),
        (f"{COMMAND}pattern='a'\nqqq=1", "no setting qqq; judge-tui help systems lists them"),
        (f"{DENSE}documents='d'\nbatch=0", "batch cannot be used; it should be greater than or eq"),
        (f"{DENSE}documents='d'\ncandidates=true", 'needs documents = "FILE" or candidates'),
        (DENSE, 'needs documents = "FILE" or candidates = true, one of them'),
        (TASK, "[systems.a] has no arms; add arms = …"),
        (f"{TASK}arms.x={{context='b'}}", "6: arm x: no search system 'b' is asked"),
        (f"{TASK}arms.x={{}}\nprompt='do it'", "has no {query} in prompt"),
        (f"{TASK}arms.x={{}}\nfile='../x'", "systems.toml:7: file cannot be used; it should match"),
        (
            f"{TASK}arms.x={{context='b'}}\n{COMMAND.replace('.a', '.b')}results='a'\nid='b'",
            "arm x: what b finds has no texts; add text",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(tmp_path, text, told):
    assert told in "\n".join(refusals(tmp_path, text))


def test_a_file_that_is_none(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.toml: there is no such file"):
        read_systems(tmp_path / "nowhere.toml")
    (tmp_path / "systems.toml").write_bytes(b"\xff\xfe[")
    with pytest.raises(InputError, match="UTF-8"):
        read_systems(tmp_path / "systems.toml")


@pytest.mark.parametrize(
    ("before", "now", "same"),
    [
        ("retries = 4", "retries = 5", True),
        ("timeout = 7", "timeout = 8", True),
        ("path", "file", False),
        ("Bearer ", "Key ", False),
        ("localhost", "elsewhere", False),
    ],
)
def test_answers_are_told_from_those_to_other_settings(tmp_path, before, now, same):
    def fingerprint(text: str, depth: int = 50, documents: str = "", key: str = "s3cret") -> str:
        read = read_systems(written(tmp_path, text), environment={"SEARCH_KEY": key})
        return read.fingerprint("api", depth, documents)

    whole = fingerprint(WHOLE)
    assert (fingerprint(WHOLE.replace(before, now)) == whole) == same
    assert fingerprint(WHOLE, key="another") == whole
    assert fingerprint(WHOLE, depth=10) != whole
    assert fingerprint(WHOLE, documents="1") != whole


def test_a_host_of_the_environment_says_which_system_it_is(tmp_path):
    text = HTTP + "url='${BASE}/search?q={query}'\n"
    path = written(tmp_path, text)
    first, second = (
        read_systems(path, environment={"BASE": base}).fingerprint("a", 50, "")
        for base in ("http://one.example", "http://two.example")
    )
    assert first != second
