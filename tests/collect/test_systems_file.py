"""What a systems file may say; whatever else it says is refused with its line, all at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.collect import read_systems
from judge_tui.collect.kinds import KINDS
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
    # With it what its arms need.
    assert list(read_systems(path, only=["coder"], environment={}).systems) == ["dense", "coder"]
    with pytest.raises(UsageError, match="no system 'densse'; did you mean 'dense'"):
        read_systems(path, only=["densse"], environment={})
    assert list(read_systems(path, environment=KEY, tasks=False).systems) == [
        "api",
        "tool",
        "dense",
    ]
    with pytest.raises(UsageError, match="'coder' is put tasks; judge-tui collect asks it"):
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
        "systems.toml:1: no setting 'default' in the file; did you mean 'defaults'?",
        'systems.toml:5: url is not http://… or https://…; write url = "https://host/path"',
        "systems.toml:7: no setting 'reslts' in [systems.api]; did you mean 'results'?",
        "systems.toml:8: id is no JMESPath: Invalid jmespath expression: Incomplete expression;"
        " mend it",
        "systems.toml:9: timeout should be greater than or equal to 0.001; mend it",
        "systems.toml:10: retries is not a whole number; write retries = a whole number",
        "systems.toml:11: rate is not a number; write rate = a number",
        "systems.toml:12: headers names NOT_THERE, which is not in the environment; export"
        " NOT_THERE=…",
        f"systems.toml:14: [systems.tool] has no known kind; {KINDS_ARE}",
        f"systems.toml:15: [systems.other] has no known kind; {KINDS_ARE}",
        "systems.toml:19: argv may not hold ${NOT_THERE}; a program gets it by env = { NOT_THERE ="
        ' "${NOT_THERE}" }',
        "systems.toml:20: pattern is no regular expression: missing ) at position 2; mend it",
    ]


HTTP = "[systems.a]\nkind='http'\nresults='a'\nid='b'\n"
COMMAND = "[systems.a]\nkind='command'\nargv=['a','{query}']\n"
DENSE = "[systems.a]\nkind='embedding'\nurl='http://h'\nmodel='m'\n"
TASK = "[systems.a]\nkind='task'\nurl='http://h'\nmodel='m'\nchecks.c=['true']\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", 'systems.toml: the file has no systems; write [systems.NAME] kind = "http"'),
        ("[systems]", "systems.toml:1: systems "),
        ("systems = 3", "systems.toml:1: systems is not a table"),
        ("[systems]\nkind = 'http'", "systems.toml:2: kind is not a table"),
        ("[systems.a\n", "systems.toml:1: not TOML: Expected ']' at the end of a table"),
        ("a = " + "[" * 5000, "systems.toml:1: not TOML: "),
        ("a = " + "1" * 5000, "systems.toml:1: not TOML: "),
        ("[systems.'a b']\nkind = 'http'", "systems.toml:1: 'a b' cannot be a name; use letters"),
        ("[systems.'../a']\nkind = 'http'", "systems.toml:1: '../a' cannot be a name"),
        ("[systems.'-a']\nkind = 'http'", "systems.toml:1: '-a' cannot be a name"),
        (f"{HTTP}url='http://h:port/{{query}}'", "systems.toml:5: url is not http://… or https://"),
        (f"{HTTP}url=''", "systems.toml:5: url "),
        (f"{HTTP}url='http://h'", "[systems.a] has the query in neither url, params nor body"),
        (f"{HTTP}url='http://h?q={{query}}'\nmethod='DELETE'", "method should be 'GET', 'POST' or"),
        (f"{HTTP}url='http://h'\nmethod='GET'\nbody={{q='{{query}}'}}", "a body and method GET"),
        (f"{HTTP}url='http://h'\nbody='q={{query}}'", "body is no JSON; write a table or JSON"),
        (f"{HTTP}url='http://h'\nbody=1979-05-27", "body is no JSON"),
        (
            f"{HTTP}url='http://h?q={{query}}'\nheaders={{'a b'=\"x\\ny\"}}",
            "headers has 'a b', which cannot be sent",
        ),
        (
            f"{HTTP}url='http://h?q={{query}}'\nheaders={{X='é'}}",
            "headers has 'X', which cannot be sent",
        ),
        (f"{HTTP}url='http://h?q={{query}}'\nheaders=['x']", "headers is not a table"),
        (f"{HTTP}url='http://h?q={{query}}'\npattern='a'", "has pattern and results, id; leave"),
        ("[systems.a]\nkind='http'\nurl='http://h/{query}'", "needs results and id, or pattern"),
        (f"{COMMAND}pattern='(docs|wiki)://x'", "group (docs|wiki) would be the id; write (?:…)"),
        ("[systems.a]\nkind='command'\npattern='a'\nargv=[]", "argv "),
        ("[systems.a]\nkind='command'\npattern='a'\nargv='a {query}'", "argv is not a list"),
        ("[systems.a]\nkind='command'\npattern='a'\nargv=['a']", "has no {query} in argv"),
        (f"{COMMAND}pattern='a'\nok_codes=[true]", "whole number"),
        (f"{COMMAND}pattern='a'\n[systems.a.identify]\nexpect='b'", "needs argv or url, one of"),
        (f"{COMMAND}pattern='a'\n[systems.a.identify]\nargv=['b']", "identify] has no expect"),
        (f"{COMMAND}pattern='a'\n[systems.a.identify]\nargv=['b']\nexpect=''", "7: expect "),
        (
            f"{COMMAND}pattern='a'\n[systems.a.identify]\nargv=['b']\nexpct='b'",
            "no setting 'expct' in [systems.a.identify]; did you mean 'expect'?",
        ),
        ("[defaults]\nratee=1", "no setting 'ratee' in [defaults]; did you mean 'rate'?"),
        (
            f"{COMMAND.replace('.a', '.arms')}patern='a'",
            "no setting 'patern' in [systems.arms]; did you mean 'pattern'?",
        ),
        (f"{DENSE}documents='d'\nbatch=0", "batch should be greater than or equal to 1"),
        (f"{DENSE}documents='d'\ncandidates=true", 'needs documents = "FILE" or candidates'),
        (DENSE, 'needs documents = "FILE" or candidates = true, one of them'),
        (TASK, "[systems.a] has no arms; add arms = …"),
        (f"{TASK}arms.x={{context='b'}}", "no search system 'b'"),
        (f"{TASK}arms.x={{}}\nprompt='do it'", "has no {query} in prompt"),
        (f"{TASK}arms.x={{}}\nfile='../x'", "systems.toml:7: file should match"),
        (f"{TASK.replace('.c=', '.arm=')}arms.x={{}}", "has a check called 'arm'"),
        (
            f"{TASK}arms.x={{context='b'}}\n[systems.b]\nkind='command'\nargv=['a','{{query}}']\n"
            "results='a'\nid='b'",
            "arm x: what b finds has no texts; add text",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(tmp_path, text, told):
    assert told in "\n".join(refusals(tmp_path, text))


def test_names_that_would_be_one_file_are_refused(tmp_path):
    text = "kind='command'\nargv=['a', '{query}']\npattern='a'\n"
    assert refusals(tmp_path, f"[systems.api]\n{text}[systems.API]\n{text}") == [
        "systems.toml:5: systems 'api' and 'API' differ in case alone; their files would be one;"
        " rename one of them"
    ]


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
