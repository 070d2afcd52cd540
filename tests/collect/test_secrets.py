"""Secrets are hidden however they are spelled, and nothing else is."""

from __future__ import annotations

import base64
import html
import json
import logging
import string
from urllib.parse import quote, quote_plus

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.collect import read_systems
from judge_tui.collect.logs import secrets_out_of_logs
from judge_tui.collect.reply import AskError
from judge_tui.collect.secrets import Secrets
from judge_tui.errors import JudgeTuiError
from judge_tui.model import Query
from tests.collect.asking import (
    OUT,
    QUERIES,
    collect,
    failure,
    http,
    one,
    refusals,
    script,
    systems_file,
)

SECRET: str = 'p@ss/w+rd "quoted" \\ %41 é & <x>\'~'  # noqa: S105


def hiding(value: str = SECRET, name: str = "KEY") -> Secrets:
    secrets = Secrets({name: value})
    assert secrets.filled(f"a ${{{name}}} b") == f"a {value} b"
    return secrets


SPELLINGS = {
    "as it is": str,
    "URL": quote,
    "URL, slashes too": lambda text: quote(text, safe=""),
    "URL, lower case": lambda text: quote(text, safe="").lower().replace("quoted", "quoted"),
    "form": quote_plus,
    "URL in a URL": lambda text: quote(quote(text, safe=""), safe=""),
    "httpx": lambda text: str(httpx.URL("http://h/", params={"q": text})).partition("=")[2],
    "JSON": json.dumps,
    "JSON in UTF-8": lambda text: json.dumps(text, ensure_ascii=False),
    "JSON in JSON": lambda text: json.dumps(json.dumps(text)),
    "JSON as PHP writes it": lambda text: json.dumps(text).replace("/", "\\/"),
    "Python": repr,
    "Python's bytes": lambda text: repr(text.encode()),
    "HTML": html.escape,
    "HTML, decimal": lambda text: "".join(
        c if c.isalnum() and c.isascii() else f"&#{ord(c)};" for c in text
    ),
    "HTML, hexadecimal": lambda text: "".join(
        c if c.isalnum() and c.isascii() else f"&#x{ord(c):X};" for c in text
    ),
    "bytes taken for Latin-1": lambda text: text.encode().decode("latin-1"),
    "hexadecimal": lambda text: text.encode().hex(),
    "CSV": lambda text: text.replace('"', '""'),
    "lower case": str.lower,
    "upper case": str.upper,
}

WHOLLY_CODED = {
    "URL": lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
    "URL in a URL": lambda text: "".join(f"%25{byte:02X}" for byte in text.encode()),
    "JSON": lambda text: "".join(f"\\u{ord(c):04x}" for c in text),
    "JSON in JSON": lambda text: "".join(f"\\\\u{ord(c):04X}" for c in text),
    "Python": lambda text: "".join(f"\\x{byte:02x}" for byte in text.encode()),
    "octal": lambda text: "".join(f"\\{byte:03o}" for byte in text.encode()),
    "HTML, decimal": lambda text: "".join(f"&#{ord(c)};" for c in text),
    "HTML, hexadecimal": lambda text: "".join(f"&#x{ord(c):x};" for c in text),
}


@pytest.mark.parametrize("spelling", WHOLLY_CODED)
@pytest.mark.parametrize("secret", ["sk-Ab9", 'k"%&\\ é~'])
def test_it_is_hidden_where_each_of_its_characters_is_a_number(spelling, secret):
    spelled = WHOLLY_CODED[spelling](secret)
    assert hiding(secret).hidden(f"before {spelled} after") == "before ${KEY} after"


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_is_hidden(spelling):
    spelled = SPELLINGS[spelling](SECRET)
    assert "w" in spelled.lower() or spelling == "hexadecimal"
    hidden = hiding().hidden(f"before {spelled} after")
    assert hidden.startswith("before ")
    assert hidden.endswith(" after")
    assert hidden.strip("\"'b").count("${KEY}") == 1
    for part in ("w+rd", "ss/w", "quoted", spelled):
        assert part not in hidden


@pytest.mark.parametrize("before", ["", "u", "us", "user:"])
@pytest.mark.parametrize("alphabet", [base64.b64encode, base64.urlsafe_b64encode])
def test_base64_is_hidden_wherever_it_begins(before, alphabet):
    whole = alphabet(f"{before}{SECRET} and more".encode()).decode()
    hidden = hiding().hidden(whole)
    assert "${KEY}" in hidden
    # At most the bits that it shares with its neighbours are left.
    bits = base64.b64encode(SECRET.encode()).decode()[4:-4]
    assert all(bits[at : at + 6] not in hidden for at in range(0, len(bits) - 6))


def test_a_secret_within_another_one_and_many_of_them():
    secrets = Secrets({"A": "abcdef", "B": "abcdefgh", "C": "xyz123"})
    secrets.filled("${A} ${B} ${C} ${A}")
    assert secrets.hidden("abcdefgh abcdef xyz123") == "${B} ${A} ${C}"


def test_white_space_at_its_ends_is_dropped_on_the_way():
    assert hiding("tok-en\n").hidden("Bearer tok-en, you said") == "Bearer ${KEY}, you said"


def test_only_what_was_asked_for_is_hidden():
    secrets = Secrets({"KEY": "abcdef", "OTHER": "ghijkl"})
    assert secrets.hidden("abcdef ghijkl") == "abcdef ghijkl"
    assert secrets.filled("$${KEY} costs $5 {KEY} ${not a name}") == (
        "${KEY} costs $5 {KEY} ${not a name}"
    )
    assert secrets.hidden("abcdef") == "abcdef"


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=4, max_size=20))
def test_any_secret_is_hidden_in_any_json_and_url(value):
    if len(value.strip()) < 4:
        return
    secrets = hiding(value)
    for spelled in (value, json.dumps(value), quote(value, safe=""), repr(value)):
        assert secrets.hidden(spelled).strip("\"' \n").count("${KEY}") >= 1


@given(st.text(string.ascii_letters + string.digits + " /._-", max_size=60))
def test_other_text_stays(text):
    assert hiding("S3CRET~").hidden(text) == text


def test_what_a_system_said_is_cut_after_the_secret_is_hidden():
    secrets = hiding()
    for before in range(60, 85):
        line = AskError("HTTP 500", "x" * before + SECRET + "y" * 50).line(secrets.hidden)
        assert "p@" not in line
    # Many of them, so that the cut would fall within the last one.
    line = AskError("HTTP 500", SECRET * 40_000).line(secrets.hidden)
    assert "p@ss" not in line


def test_a_colour_amid_a_secret_does_not_show_it():
    secrets = hiding()
    drawn = f"bad key {SECRET[:3]}\x1b[31m{SECRET[3:]}"
    assert AskError("exit code 1", drawn).line(secrets.hidden) == "exit code 1: bad key ${KEY}"
    assert AskError(drawn).line(secrets.hidden) == "bad key ${KEY}"


def test_each_line_of_a_secret_is_hidden_and_no_braces():
    secrets = hiding("{\n first-line/1\r\nsecond-line\n}")
    assert secrets.hidden("second-line, then first-line%2F1 {}") == "${KEY}, then ${KEY} {}"
    assert secrets.hidden("{\\n first-line/1\\r\\nsecond-line\\n}.") == "${KEY}."


def test_the_last_line_that_a_program_says_is_no_line_of_a_secret(tmp_path):
    table = script("import os\nsys.exit(os.environ['K'])", env={"K": "${K}"})
    said = failure(tmp_path, table, environment={"K": "first of two\nsecond of two"})
    assert "exit code 1: ${K};" in said


@pytest.mark.parametrize("key", ["ab#cd", "ab&q=x", "a+b c", "50%41", "{query}", "a?b/c"])
def test_in_the_query_of_a_url_one_is_percent_encoded(server, tmp_path, key):
    """Sent as it is, `#` cuts the query off that the system is asked, and `&` begins another."""
    path = "/search?key=${KEY}&q={query}&n={k}"
    found = one(tmp_path, http(server, path, text="text"), environment={"KEY": key})
    assert [len(reply.hits) for reply in found.replies] == [2, 1, 0]
    assert {tuple(asked[2]["key"]) for asked in server.asked} == {(key,)}
    written = "".join(path.read_text() for path in (tmp_path / OUT).iterdir())
    assert "${KEY}" in written
    assert quote(key, safe="") not in written.replace("{query}", "")


@pytest.mark.parametrize("key", ["ab#cd", "a b", "ab?cd"])
def test_before_the_query_of_a_url_one_that_would_end_the_path_is_refused(tmp_path, key):
    text = "[systems.a]\nkind = 'http'\nurl = 'http://h/${K}/x?q={query}'\npattern = 'a'\n"
    assert refusals(tmp_path, text, environment={"K": key}) == [
        "systems.toml:3: K of the environment has white space, # or ? in it, and stands before the"
        " ? of url; set K to what may stand in a path; behind the ? it is percent-encoded"
    ]
    text = text.replace("h/${K}/x", "${K}")
    (tmp_path / "systems.toml").write_text(text)
    assert read_systems(tmp_path / "systems.toml", environment={"K": "h:80/a/b"}).systems


@pytest.mark.parametrize(
    ("kind", "setting", "what"),
    [
        ("http", "headers = { A = 'Bearer ${K}' }", "header 'A' cannot be sent"),
        ("embedding", "headers = { A = 'Bearer ${K}' }", "header 'A' cannot be sent"),
        ("http", "identify.headers = { A = '${K}' }", "header 'A' cannot be sent"),
        ("http", "identify.url = 'http://h/${K}'", "url is no URL"),
    ],
)
def test_one_of_several_lines_is_told_where_there_can_be_one_alone(tmp_path, kind, setting, what):
    text = f"[systems.a]\nkind = '{kind}'\nurl = 'http://h/{{query}}'\n{setting}\n"
    said = refusals(tmp_path, text, environment={"K": "of no use\n"})
    told = f"systems.toml:4: {what}: K of the environment has a line break in it; set K to one line"
    assert [one for one in said if "K" in one] == [told]


def test_it_stays_out_of_the_logs_of_what_is_below(caplog):
    caplog.set_level(logging.DEBUG)
    secrets = hiding()
    with secrets_out_of_logs(secrets):
        logging.getLogger("httpx").info("GET %s", SECRET)
        logging.getLogger("httpcore.http11").debug("headers %r", [SECRET.encode()])
        logging.getLogger("mine").info(SECRET)
    logging.getLogger("httpx").info("GET %s", SECRET)
    said = [record.getMessage() for record in caplog.records]
    assert said[0] == "GET ${KEY}"
    assert said[1].startswith("headers [b")
    assert "w+rd" not in said[1]
    assert said[2:] == [SECRET, f"GET {SECRET}"]


SYSTEM = '[systems.a]\nkind = "http"\nurl = "http://h?q={query}"\nresults = "a"\nid = "b"\n'


@pytest.mark.parametrize(
    "url", ["${AT}", "http://${AT}", "http://ann:${KEY}@${AT}", "http://${HOST}:${PORT}"]
)
def test_the_address_of_a_system_is_no_secret(url, server, tmp_path):
    """A system that names its documents by where they are says it back."""
    host, _, port = server.url.partition("://")[2].partition(":")
    at = server.url if url == "${AT}" else f"{host}:{port}"
    server.found = {
        "any": [{"id": f"{server.url}/a", "t": f"see {server.url}/b of s3cret"}],
    }
    table = http(server, text="t") | {
        "url": f"{url}/search?q={{query}}",
        "headers": {"Referer": url, "X-Key": "${KEY}"},
    }
    found = one(
        tmp_path,
        table,
        queries=[Query("q", "any")],
        environment={"AT": at, "HOST": host, "PORT": port, "KEY": "s3cret"},
    )
    (hit,) = found.replies[0].hits
    assert (hit.doc_id, hit.text) == (f"{server.url}/a", f"see {server.url}/b of ${{KEY}}")


@pytest.mark.parametrize(
    ("at", "hidden"),
    [
        ("http://ann:s3cr@h/x", "s3cr"),
        ("ann:s3cr@h/x", "s3cr"),
        ("http://aB3dE5fG7hJ9kL1mN@h/x", "aB3dE5fG7hJ9kL1mN"),
        ("http://h/T0/aB3dE5fG7hJ9kL1mN/x", "aB3dE5fG7hJ9kL1mN"),
    ],
)
def test_keys_in_an_address_are(at, hidden, tmp_path):
    url = f"{'' if '://' in at else 'http://'}${{AT}}/hits?q={{query}}"
    table = {"kind": "http", "url": url, "results": "@", "id": "id"}
    path = systems_file(tmp_path, {"it": table})
    secrets = read_systems(path, environment={"AT": at}).secrets
    assert secrets.hidden(f"{at} is at h") == f"{at.replace(hidden, '${AT}')} is at h"


def test_what_stands_in_the_path_behind_a_host_is_a_secret(tmp_path):
    table = {"kind": "http", "url": "http://h/${KEY}/x?q={query}", "results": "@", "id": "id"}
    path = systems_file(tmp_path, {"it": table})
    secrets = read_systems(path, environment={"KEY": "books"}).secrets
    assert secrets.hidden("no such path: /books/x") == "no such path: /${KEY}/x"


def test_what_is_public_is_no_secret(server, tmp_path):
    server.found = {"any": [{"id": "lib/a.py", "t": "lib of s3cret", "u": "/data/x/a"}]}
    table = http(server, "/search?q={query}&index=${INDEX}", text="t", doc_url="u") | {
        "headers": {"X-Dir": "${DIR}", "X-Key": "${KEY}"},
    }
    path = systems_file(tmp_path, {"it": table}, public=["INDEX", "DIR"])
    environment = {"INDEX": "lib", "DIR": "/data/x", "KEY": "s3cret"}

    def found(**other):
        systems = read_systems(path, environment={**environment, **other})
        return collect(systems, [Query("q", "any")], tmp_path / OUT).systems[0]

    (hit,) = found().replies[0].hits
    assert (hit.doc_id, hit.text, hit.url) == ("lib/a.py", "lib of ${KEY}", "/data/x/a")
    described = json.loads((tmp_path / OUT / "collect.json").read_text())["it"]
    assert described["public"] == {"DIR": "/data/x", "INDEX": "lib"}
    assert described["settings"]["headers"] == {"X-Dir": "${DIR}", "X-Key": "${KEY}"}
    # With another value it is another system, and so it is not with another key.
    assert found(KEY="another").kept == 1
    for name in ("INDEX", "DIR"):
        with pytest.raises(JudgeTuiError, match="holds answers to other settings"):
            found(**{name: "another"})


@pytest.mark.parametrize(
    "setting",
    [
        "params = { i = '${INDEX}' }",
        "method = 'POST'\nbody = { i = ['${INDEX}'] }",
        "url = 'http://h/${INDEX}?q={query}'",
    ],
)
def test_what_is_public_counts_wherever_it_stands(tmp_path, setting):
    url = "" if setting.startswith("url") else "url = 'http://h?q={query}'\n"
    (tmp_path / "systems.toml").write_text(
        f"public = ['INDEX']\n[systems.a]\nkind = 'http'\n{url}{setting}\n"
        "results = '@'\nid = 'id'\n"
    )
    prints = {
        read_systems(tmp_path / "systems.toml", environment={"INDEX": index})
        .systems[0]
        .fingerprint(5)
        for index in ("a", "b", "a")
    }
    assert len(prints) == 2


def test_a_password_in_a_public_url_is_a_secret(server, tmp_path):
    user = f"http://ann:s3cret@{server.url.partition('://')[2]}"
    server.found = {"any": [{"id": "a", "t": f"of {user} s3cret"}]}
    table = http(server, "/search?q={query}", text="t", params={"at": "${AT}", "t": "${HASH}"})
    table["url"] = "${AT}/search?q={query}"
    path = systems_file(tmp_path, {"it": table}, public=["AT", "HASH"])
    tag = "aB3dE5fG7hJ9kL1mN"
    for word in ("s3cret", "another"):
        environment = {"AT": user.replace("s3cret", word), "HASH": tag}
        systems = read_systems(path, environment=environment)
        (found,) = collect(systems, [Query("q", "any")], tmp_path / OUT).systems
    # Who asks may be another one.
    assert (found.kept, found.replies[0].hits[0].text) == (
        1,
        f"of {user} s3cret".replace("s3cret", "${AT}"),
    )
    described = json.loads((tmp_path / OUT / "collect.json").read_text())["it"]
    assert described["public"] == {"AT": user.replace("s3cret", "${AT}"), "HASH": tag}


@pytest.mark.parametrize(
    ("public", "told"),
    [
        ("['INDEXX']", "public names INDEXX, and ${INDEXX} stands nowhere in the file; did you me"),
        ("['OTHER']", "public names OTHER, and ${OTHER} stands nowhere in the file; take it out"),
        ("['${INDEX}']", "'${INDEX}' of public is no name"),
        ("[3]", "3 of public is no name"),
        ("'INDEX'", 'public is not a list of names: ["NAME"]'),
    ],
)
def test_what_is_public_is_named_as_it_is(tmp_path, public, told):
    text = f"public = {public}\n{SYSTEM}params = {{ a = '${{INDEX}}' }}"
    said = refusals(tmp_path, text, environment={"INDEX": "books"})
    assert [one.startswith(f"systems.toml:1: {told}") for one in said] == [True]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("kind = 'command'\ncwd = '${X}'\nargv = ['a', '{query}']\npattern = 'a'\n", "env"),
        (
            "kind = 'http'\nurl = 'http://h/{query}'\npattern = 'a'\n"
            "price = 1\ncurrency = '${X}'\n",
            "url, headers, params and body",
        ),
        (
            "kind = 'embedding'\nmodel = '${X}'\nurl = 'http://h/'\ndocuments = 'd'\n",
            "url and headers",
        ),
        (
            "kind = 'task'\nsystem = '${X}'\nurl = 'http://h/'\nmodel = 'm'\n"
            "arms = { plain = {} }\nchecks = { runs = ['true'] }\n",
            "url, headers and options",
        ),
    ],
)
def test_where_secrets_and_what_is_public_stand_is_what_the_kind_says(tmp_path, text, where):
    for top, called in (("public = ['X']", "${X}"), ("", "the secret ${X}")):
        (told,) = refusals(tmp_path, f"{top}\n[systems.a]\n{text}", environment={"X": "/abc"})
        assert f"may not hold {called}; secrets, and what is public, stand in {where}" in told
        assert told.endswith(where)


def test_what_is_public_stands_in_no_argument(tmp_path):
    text = (
        "public = ['DIR']\n[systems.a]\nkind = 'command'\nargv = ['a', '{query}', '${DIR}']\n"
        "env = { DIR = '${DIR}' }\nresults = '@'\nid = 'id'\n"
    )
    assert refusals(tmp_path, text, environment={"DIR": "/a"}) == [
        "systems.toml:4: argv may not hold ${DIR}; secrets, and what is public, stand in env"
    ]


def test_where_no_setting_takes_secrets_none_is_named(tmp_path):
    text = f"[defaults]\ncurrency = '${{X}}'\n{SYSTEM}"
    assert refusals(tmp_path, text, environment={"X": "euros"}) == [
        "systems.toml:2: currency may not hold the secret ${X}; write what it stands for"
    ]


def test_one_that_is_not_there_is_asked_for_once(tmp_path):
    text = SYSTEM + (
        'headers = { A = "${SOME_KEY}", B = "${SOME_KEY}" }\n'
        '[systems.a.identify]\nurl = "http://h/version"\nexpect = "1"\n'
    )
    for environment, why in (({}, "does not have it"), ({"SOME_KEY": ""}, "has it empty")):
        assert refusals(tmp_path, text, environment=environment) == [
            f"systems.toml:6: headers wants SOME_KEY from the environment, which {why};"
            " set it: export SOME_KEY=…"
        ]


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({}, "url wants AT from the environment, which does not have it; set it: export AT=…"),
        ({"AT": ""}, "url wants AT from the environment, which has it empty; set it: export AT=…"),
        (
            {"AT": "localhost:8000"},
            "url is not http://… or https://…; set AT to https://… and the host",
        ),
    ],
)
def test_an_address_that_is_none_is_told_by_its_name(tmp_path, environment, told):
    text = SYSTEM.replace("http://h", "${AT}/search")
    assert refusals(tmp_path, text, environment=environment) == [f"systems.toml:3: {told}"]


def test_one_too_short_to_be_hidden_is_refused(tmp_path):
    (told,) = refusals(tmp_path, SYSTEM + 'params = { key = "${K}" }', environment={"K": "  ab \n"})
    assert told.startswith("systems.toml:6: K has fewer than 4 characters, and cannot be told")
    assert told.endswith('if it is no secret: public = ["K"] at the top of the systems file')
    assert "ab" not in told.replace("cannot be", "")


@pytest.mark.parametrize("setting", ["results", "id", "method", "pattern", "timeout", "kind"])
def test_what_is_shown_or_written_may_hold_none(tmp_path, setting):
    text = SYSTEM.replace(f"{setting} = ", "old = ") + f'{setting} = "${{KEY}}"'
    told = "\n".join(refusals(tmp_path, text, environment={"KEY": "s3cret"}))
    assert "s3cret" not in told
    assert setting in told


def test_the_arguments_of_a_program_may_hold_none(tmp_path):
    text = '[systems.a]\nkind="command"\nargv=["a", "{query}", "--key=${KEY}"]\npattern="a"\n'
    assert refusals(tmp_path, text, environment={"KEY": "s3cret"}) == [
        "systems.toml:3: argv may not hold the secret ${KEY}; every user of the machine sees the"
        ' arguments of a program; give it as env = { KEY = "${KEY}" }'
    ]


def test_what_a_system_says_that_it_is_counts_by_what_was_really_said(tmp_path):
    table = script(
        "print('[]')",
        env={"DIR": "${DIR}"},
        identify={"argv": ["printenv", "DIR"], "expect": ".*"},
    )
    staging, live = {"DIR": "/data/staging"}, {"DIR": "/data/live"}
    first, *others = QUERIES
    assert one(tmp_path, table, queries=[first], environment=staging).identity == "${DIR}"
    assert "/data" not in (tmp_path / OUT / "it.answers.jsonl").read_text()
    assert one(tmp_path, table, queries=[first, *others[:1]], environment=staging).kept == 1
    told = r"said '\$\{DIR\}', and now it says '\$\{DIR\}' with another value for what is hidden"
    with pytest.raises(JudgeTuiError, match=told):
        one(tmp_path, table, environment=live)
