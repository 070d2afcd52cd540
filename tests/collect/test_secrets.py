"""Secrets go where they are meant to, and nowhere else."""

from __future__ import annotations

import base64
import json
import logging
import re
from urllib.parse import quote, quote_plus

import pytest

from judge_tui.collect.secrets import Secrets, find_names, redact_logs
from judge_tui.model import Query
from tests.collect.asking import failure, http, refusals, script

ONE = [Query("q", "what")]
VALUE = 'p@ss/w+rd "q" é%41'


def secrets(**values: str) -> Secrets:
    found = Secrets(values)
    for name in values:
        found.hide(name)
    return found


def test_they_are_filled_in_wherever_they_stand():
    its = secrets(KEY=VALUE, HOST="h.example")
    setting = {"a": ["x ${KEY}", 3], "b": {"c": "${HOST}"}}
    assert find_names(setting) == ["KEY", "HOST"]
    assert its.expand(setting) == {"a": [f"x {VALUE}", 3], "b": {"c": "h.example"}}
    assert its.expand_url("http://${HOST}/x?k=${KEY}") == (
        f"http://h.example/x?k={quote(VALUE, safe='')}"
    )
    assert its.expand("$KEY {KEY} ${1} $${}") == "$KEY {KEY} ${1} $${}"


@pytest.mark.parametrize(
    "spelled",
    [
        VALUE,
        quote(VALUE),
        quote(VALUE, safe=""),
        re.sub("%..", lambda code: code[0].lower(), quote(VALUE, safe="")),
        quote_plus(VALUE),
        json.dumps(VALUE)[1:-1],
        json.dumps(VALUE, ensure_ascii=False)[1:-1],
        base64.b64encode(VALUE.encode()).decode().rstrip("="),
        base64.urlsafe_b64encode(VALUE.encode()).decode().rstrip("="),
    ],
)
def test_in_every_spelling_the_name_stands_in_its_place(spelled):
    assert secrets(KEY=VALUE).redact(f"<{spelled}> {spelled}") == "<${KEY}> ${KEY}"


def test_of_two_the_longer_one_is_replaced():
    assert secrets(A="secret", B="secret-of-b").redact("secret-of-b secret") == "${B} ${A}"


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({}, "headers names KEY, which is not in the environment; export KEY=…"),
        ({"KEY": ""}, "headers names KEY, which is not in the environment; export KEY=…"),
        ({"KEY": "abc"}, "headers names KEY, which has fewer than 4 characters and cannot be"),
        ({"KEY": "abc\ndef"}, "headers names KEY, which has a line break in it"),
    ],
)
def test_what_cannot_be_one_is_refused_with_its_line(tmp_path, environment, told):
    text = (
        "[systems.a]\nkind='http'\nurl='http://h/{query}'\nresults='a'\nid='b'\n"
        "headers={A='${KEY}'}\n"
    )
    (said,) = refusals(tmp_path, text, environment=environment)
    assert said.startswith(f"systems.toml:6: {told}")


def test_in_logs_of_the_library_they_are_hidden(caplog):
    caplog.set_level(logging.INFO, "httpx")
    with redact_logs(secrets(KEY=VALUE)):
        logging.getLogger("httpx").info("GET %s", f"http://h/?k={quote(VALUE, safe='')}")
    assert caplog.messages == ["GET http://h/?k=${KEY}"]


def test_an_id_that_holds_one_fails_and_is_not_another_id(tmp_path):
    table = script('print(\'[{"id": "src/test/a.py"}]\')', env={"KEY": "${TOOL_KEY}"})
    environment = {"TOOL_KEY": "test"}
    assert (
        "the id of a result contains a secret; write a value that is not secret into the file:"
        " src/${TOOL_KEY}/a.py"
    ) in failure(tmp_path, table, queries=ONE, environment=environment)


def test_what_a_system_said_is_cut_after_they_are_out_of_it(server, tmp_path):
    secret = "0123456789" * 9
    server.replies["/x"] = (401, {}, f"no {secret}".encode())
    table = http(server, "/x?q={query}", headers={"K": "${KEY}"})
    told = failure(tmp_path, table, queries=ONE, environment={"KEY": secret})
    assert told.endswith("HTTP 401 Unauthorized: no ${KEY}; mend it, or leave it out with --only")
