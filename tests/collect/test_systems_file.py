"""What a systems file may say; whatever else it says is refused with its line, all at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from judge_tui.collect import read_systems
from judge_tui.collect.kinds import KINDS
from judge_tui.collect.pace import Patience
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
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "systems.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_systems_come_in_the_order_of_the_file_with_the_defaults(tmp_path):
    read = read_systems(written(tmp_path, WHOLE), environment={"SEARCH_KEY": "s3cret"})
    assert [(one.name, one.kind) for one in read.systems] == [
        ("api", "http"),
        ("tool", "command"),
        ("dense", "embedding"),
    ]
    assert {one.kind for one in read.systems} == set(KINDS)
    assert read.systems[0].patience == Patience(timeout=7, retries=4, rate=5)
    assert read.systems[1].patience == Patience(timeout=7, retries=2, rate=5)
    assert read.systems[0].settings["headers"] == {"Authorization": "Bearer ${SEARCH_KEY}"}
    assert read.systems[1].line == 13


def test_only_some_of_them_and_no_secrets_of_the_others(tmp_path):
    path = written(tmp_path, WHOLE)
    read = read_systems(path, only=["dense", "tool", "dense"], environment={})
    assert [one.name for one in read.systems] == ["dense", "tool"]
    with pytest.raises(UsageError, match="no system 'densse'; did you mean 'dense'"):
        read_systems(path, only=["densse"], environment={})


def test_everything_wrong_is_told_with_its_line_at_once(tmp_path):
    assert refusals(
        tmp_path,
        """\
[default]
timeout = 3
[systems.api]
kind = "http"
url = "localhost:8000/{query}"
result = "results"
id = "a["
timeout = 0
retries = 1.5
rate = "fast"
[systems.tool]
kind = "comand"
[systems.other]
argv = ["tool"]
[systems.cli]
kind = "command"
argv = ["tool", "search"]
pattern = '(a'
""",
    ) == [
        "systems.toml:1: no setting 'default' in the file; did you mean 'defaults'?",
        "systems.toml:3: [systems.api] has no results; add results = …",
        'systems.toml:5: url is not http://… or https://…; write it as "https://host/path"',
        "systems.toml:6: no setting 'result' in [systems.api]; did you mean 'results'?",
        "systems.toml:7: id: 'a[' is no JMESPath: Invalid jmespath expression: Incomplete"
        " expression; see jmespath.org for how to write it",
        "systems.toml:8: timeout is 0; write a number from 0.001 to 86400",
        "systems.toml:9: retries is not a whole number; write retries = a whole number",
        "systems.toml:10: rate is not a number; write rate = a number",
        "systems.toml:12: no kind of system 'comand'; did you mean 'command'?",
        "systems.toml:13: [systems.other] has no kind; add kind = …",
        "systems.toml:17: argv has no {query} in it; write {query} where it stands",
        "systems.toml:18: pattern is no regular expression: missing ), unterminated subpattern at"
        " position 0; mend it; quote it as '…'",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", 'systems.toml: no systems in it; write [systems.NAME] kind = "http" url = "…"'),
        ("[systems]", "systems.toml: no systems in it; write"),
        ("systems = 3", "systems.toml:1: systems is not a table"),
        ("[[systems]]\nkind = 'http'", "systems.toml:1: systems is not a table"),
        (
            "[systems]\nkind = 'http'",
            "systems.toml:2: kind is in no system; write [systems.NAME] above it",
        ),
        ("[systems.a]\nkind = 3", "systems.toml:2: kind is not a text in quotes"),
        ("[systems.a\n", "systems.toml:1: not TOML: Expected ']' at the end of a table"),
        ("a = " + "[" * 5000, "systems.toml:1: not TOML: "),
        ("a = " + "1" * 5000, "systems.toml:1: not TOML: "),
        ("[systems.'a b']\nkind = 'http'", "systems.toml:1: system 'a b' names files and a run"),
        ("[systems.'../a']\nkind = 'http'", "systems.toml:1: system '../a' names files"),
        ("[systems.'-a']\nkind = 'http'", "systems.toml:1: system '-a' names files"),
        (f"[systems.{'a' * 101}]\nkind = 'http'", "systems.toml:1: system 'aaa"),
        ("[systems.a]\nkind = 'http'\nurl = 'http://h:port/'", "systems.toml:3: url is no URL: "),
        ("[systems.a]\nkind='http'\nurl='http://h'", "is in neither url, params nor body"),
        (
            "[systems.a]\nkind='http'\nurl='http://h?q={query}'\nmethod='DELETE'",
            "method is 'DELETE'; write one of GET, POST, QUERY",
        ),
        (
            "[systems.a]\nkind='http'\nurl='http://h'\nmethod='GET'\nbody='{query}'",
            "a GET has no body",
        ),
        (
            "[systems.a]\nkind='http'\nurl='http://h?q={query}'\nheaders={'a b'=\"x\\ny\"}",
            "header 'a b' cannot be sent",
        ),
        (
            '[systems.a]\nkind="http"\nurl="http://h?q={query}"\nheaders={X="é"}',
            "header 'X' cannot be sent; a header is one line of ASCII",
        ),
        ("[systems.a]\nkind='http'\nheaders=['x']", "headers is not a table of texts"),
        ("[systems.a]\nkind='http'\nheaders={X=[1]}", "'X' of headers is not a text"),
        ("[systems.a]\nkind='http'\nbody=1979-05-27", "body holds a date or time"),
        ("[systems.a]\nkind='command'\nargv=[]", "argv is not a list of texts"),
        ("[systems.a]\nkind='command'\nargv='a {query}'", "argv is not a list of texts"),
        ("[systems.a]\nkind='command'\nargv=[\"a\\u0000\"]", "argv is not a list of texts"),
        ("[systems.a]\nkind='command'\nok_codes=[true]", "ok_codes is not a list of whole"),
        (
            "[systems.a]\nkind='command'\nheaders={a='b'}\nargv=['a','{query}']\n[systems.a."
            "identify]\nargv=['a']\nexpect='b'",
            "no setting 'headers' in [systems.a]",
        ),
        (
            "[systems.a]\nkind='command'\nargv=['a','{query}']\n[systems.a.identify]\nexpect='b'",
            "systems.toml:4: identify needs argv or url, one of them",
        ),
        (
            "[systems.a]\nkind='command'\nargv=['a','{query}']\n[systems.a.identify]\nargv=['b']",
            "systems.toml:4: [systems.a.identify] has no expect",
        ),
        ("[systems.a]\nkind='embedding'\nbatch=0", "batch is 0; write a number from 1 to 10,000"),
        ("[systems.a]\nkind='embedding'\nquery_prefix=true", "query_prefix is not a text"),
    ],
)
def test_what_cannot_be_used_is_refused(tmp_path, text, told):
    assert told in "\n".join(refusals(tmp_path, text))


_SEARCHED = {
    "http": {"kind": "http", "url": "http://h/{query}", "results": "a", "id": "b"},
    "pattern": {"kind": "http", "url": "http://h/{query}", "pattern": "a"},
    "embedding": {"kind": "embedding", "url": "http://h", "model": "m", "documents": "d"},
}


@pytest.mark.parametrize(
    ("of", "name"), [(of, name) for of, settings in _SEARCHED.items() for name in settings]
)
@pytest.mark.parametrize("value", ["", "  "])
def test_a_setting_that_is_wanted_and_empty_is_refused(tmp_path, of, name, value):
    """As a variable of a template is that nobody has set."""
    settings = {**_SEARCHED[of], name: value}
    text = "[systems.a]\n" + "".join(f'{key} = "{one}"\n' for key, one in settings.items())
    line = 2 + list(settings).index(name)
    assert f'systems.toml:{line}: {name} is empty; write {name} = "…"' in refusals(tmp_path, text)


def test_a_pattern_beside_what_it_stands_in_place_of_is_refused_with_their_lines(tmp_path):
    text = """\
[systems.a]
kind = "http"
results = "results"
url = "http://h/{query}"
pattern = 'id=(\\d+)'
id = "path"
txt = "snippet"
[systems.b]
kind = "command"
argv = ["b", "{query}"]
pattern = 'id=(\\d+)'
doc_url = "url"
"""
    told = refusals(tmp_path, text)
    assert told[0] == (
        "systems.toml:5: pattern stands in place of results (line 3), id (line 6);"
        " leave out pattern, or results, id"
    )
    assert told[1].startswith("systems.toml:7: no setting 'txt' in [systems.a]")
    assert told[2:] == [
        "systems.toml:11: pattern stands in place of doc_url (line 12);"
        " leave out pattern, or doc_url"
    ]


def test_an_identity_that_anything_has_is_refused(tmp_path):
    text = "[systems.a]\nkind='command'\nargv=['a','{query}']\npattern='a'\n"
    identify = "[systems.a.identify]\nargv=['true']\nexpect=''\n"
    assert refusals(tmp_path, text + identify) == [
        'systems.toml:7: expect is empty; write expect = "…"'
    ]


def test_what_nothing_is_filled_in_for_is_refused(tmp_path):
    blank = "braces of its own have a blank in them"
    nothing = "in it, which nothing is filled in for"
    assert refusals(
        tmp_path,
        """\
[systems.api]
kind = "http"
url = "http://h/{query}?n={kk}"
params = { key = "${KEY}", n = "{K}" }
headers = { X = "{tenant}" }
body = { q = ["{qurey}"], graphql = "{ hits { id } }" }
results = "a"
id = "b"
[systems.tool]
kind = "command"
argv = ["awk", "{ print }", "{query}", "{Query_ID}"]
pattern = "a"
""",
        environment={"KEY": "{secret}"},
    ) == [
        f"systems.toml:3: url has {{kk}} {nothing}; did you mean {{k}}? {blank}: {{ kk }}",
        f"systems.toml:4: params has {{K}} {nothing}; did you mean {{k}}? {blank}: {{ K }}",
        f"systems.toml:5: headers has {{tenant}} {nothing}; known: {{query}}, {{query_id}}, {{k}};"
        f" {blank}: {{ tenant }}",
        f"systems.toml:6: body has {{qurey}} {nothing}; did you mean {{query}}? {blank}:"
        " { qurey }",
        f"systems.toml:11: argv has {{Query_ID}} {nothing}; did you mean {{query_id}}? {blank}:"
        " { Query_ID }",
    ]


def test_names_that_would_be_one_file_are_refused(tmp_path):
    command = 'kind = "command"\nargv = ["a", "{query}"]\npattern = "a"\n'
    assert refusals(tmp_path, f"[systems.api]\n{command}[systems.API]\n{command}") == [
        "systems.toml:5: systems 'api' and 'API' differ in case alone; their files would be one;"
        " rename one of them"
    ]


def test_in_an_inline_table_its_line_is_told(tmp_path):
    told = refusals(tmp_path, 'systems = { a = { kind = "http", url = 3 } }\n')
    assert told[0].startswith("systems.toml:1: ")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "[system.a]\nkind = 'http'",
            "1: no setting 'system' in the file; did you mean 'systems'?",
        ),
        ("\n[systems.a.identify]\nargv = ['x']", "2: [systems.a] has no kind; add kind = …"),
        (
            "[systems.a.identify]\nargv = ['x']\n[systems.a]\nurl = 'x'",
            "3: [systems.a] has no kind; add kind = …",
        ),
    ],
)
def test_a_table_without_a_line_of_its_own_begins_with_the_first_in_it(tmp_path, text, told):
    said = refusals(tmp_path, text)
    assert f"systems.toml:{told}" in said
    assert not any("no systems in it" in one for one in said)


def test_a_file_that_is_none(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.toml: No such file or directory"):
        read_systems(tmp_path / "nowhere.toml")
    with pytest.raises(InputError, match="Is a directory"):
        read_systems(tmp_path)
    (tmp_path / "systems.toml").write_bytes(b"\xff\xfe[")
    with pytest.raises(InputError, match="not UTF-8"):
        read_systems(tmp_path / "systems.toml")


def test_a_byte_order_mark_and_line_ends_of_windows_are_no_fault(tmp_path):
    path = tmp_path / "systems.toml"
    path.write_bytes(b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode())
    assert len(read_systems(path, environment={"SEARCH_KEY": "s3cret"}).systems) == 3


def test_answers_are_told_from_those_to_other_settings(tmp_path):
    def fingerprint(text: str, depth: int = 50) -> str:
        path = written(tmp_path, text)
        systems = read_systems(path, environment={"SEARCH_KEY": "s3cret"}).systems
        return systems[0].fingerprint(depth)

    whole = fingerprint(WHOLE)
    # How patiently it is asked changes no answer, nor does another secret.
    assert fingerprint(WHOLE.replace("retries = 4", "retries = 5")) == whole
    assert fingerprint(WHOLE.replace("path", "file")) != whole
    assert fingerprint(WHOLE, depth=10) != whole


TEXT = "results = '[*]'\nid = 'id'\nbody = 'q={query}'"


@pytest.mark.parametrize(
    ("found", "anew"),
    [
        ("pattern = '[^:]+'", True),
        ("results = '[*]'\nid = 'id'", False),
        ("results = '[*]'\nid = 'id'\nlines = true", True),
        (f"{TEXT}\nheaders.content-type = 'application/x-www-form-urlencoded'", True),
        (f"{TEXT}\nheaders.content-type = 'text/plain'", False),
    ],
)
def test_answers_are_told_from_those_that_were_once_read_otherwise(tmp_path, found, anew):
    kind = "kind = 'command'\nargv = ['a', '{query}']"
    if "body" in found:
        kind = "kind = 'http'\nurl = 'http://h'"
    text = f"[systems.a]\n{kind}\n{found}\n"
    (system,) = read_systems(written(tmp_path, text)).systems
    before = replace(system, searcher=replace(system.searcher, read_anew=()))
    assert (system.fingerprint(50) != before.fingerprint(50)) == anew


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        *(("{print}", ""), ("--top={n}", ""), ("{ print }", "")),
        *(("{qurey}", "query"), ("{K}", "k")),
    ],
)
def test_braces_of_a_programs_own_stay_in_its_arguments_and_are_noted(tmp_path, word, meant):
    path = tmp_path / "systems.toml"
    path.write_text(
        '[systems.a]\nkind = "command"\nresults = "@"\nid = "@"\n'
        f"argv = ['awk', '{word}', '{{query}}']\n"
    )
    if not meant:
        read = read_systems(path)
        assert [one.name for one in read.systems] == ["a"]
        name = word.strip("-top=")
        assert read.notes == (
            (
                f"argv of a: {name} stays as it is, {{query}}, {{query_id}}, {{k}} are filled in;"
                f" where that is meant, write {{ {name.strip('{}')} }}, of which nothing is said",
            )
            if name in ("{print}", "{n}")
            else ()
        )
        return
    with pytest.raises(InputError, match=f"did you mean {{{meant}}}") as raised:
        read_systems(path)
    assert raised.value.line == 5
