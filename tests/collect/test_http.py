"""Search APIs over HTTP, and what real ones do wrong."""

from __future__ import annotations

import gzip
import json
import socket

import pytest

from judge_tui.collect import Hit
from judge_tui.model import Query
from tests.collect.asking import asked, failure, http, one

FOUND = json.dumps({"results": [{"id": "a"}, {"id": "é"}]}, ensure_ascii=False)
FOUND_BYTES = FOUND.encode()
ONE = [Query("q", "what")]


def replying(server, status=200, body=FOUND_BYTES, **headers):
    """A system that gets this reply."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    server.replies["/reply"] = (status, named, body)
    return http(server, "/reply?q={query}")


def test_a_get_with_the_query_in_the_url(server, tmp_path):
    texts = {"score": "score", "title": "title", "text": "text"}
    found = one(tmp_path, http(server, **texts, headers={"X-Team": "search {k}"}), depth=7)
    assert found.replies[0].hits == (
        Hit("docs/csv.md", 2.5, "Reading CSV", "read a csv"),
        Hit("docs/json%20file.md", 1.5, "", "read a json file"),
    )
    assert [reply.query_id for reply in found.empty] == ["q3"]
    assert not found.failed
    method, path, params, headers, body = server.asked[-1]
    assert (method, path, body) == ("GET", "/search", b"")
    assert params == {"q": ["nothing at all"], "n": ["7"]}
    assert headers["X-Team"] == "search 7"
    assert headers["User-Agent"].startswith("judge_tui/")


def test_a_url_holds_any_query(server, tmp_path):
    query = "50% off & <more>? #1 a+b ü\t{k}"
    server.found[query] = [{"id": "a"}]
    table = http(server, "/search?v=1&q={query}&id={query_id}")
    assert one(tmp_path, table, queries=[Query("q 1", query)]).replies[0].hits == (Hit("a"),)
    assert server.asked[0][2] == {"v": ["1"], "q": [query], "id": ["q 1"]}


@pytest.mark.parametrize("as_text", [False, True])
def test_a_post_with_json(server, tmp_path, as_text):
    server.found['a "b"\n'] = [{"id": "a"}]
    body = {"query": "{query}", "top_k": "{k}", "f": [True, 1.5]}
    table = http(server, "/search", body=json.dumps(body) if as_text else body)
    assert one(tmp_path, table, queries=[Query("q", 'a "b"\n')]).replies[0].hits == (Hit("a"),)
    method, _path, _params, headers, sent = server.asked[0]
    assert method == "POST"
    assert headers["Content-Type"] == "application/json"
    assert json.loads(sent) == {"query": 'a "b"\n', "top_k": 50, "f": [True, 1.5]}


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (gzip.compress(FOUND_BYTES), {"Content_Encoding": "gzip"}),
        (FOUND.encode("latin-1"), {"Content_Type": "application/json; charset=iso-8859-1"}),
        (FOUND.encode("utf-16"), {"Content_Type": "application/json; charset=utf-16"}),
        (b"\xef\xbb\xbf" + FOUND.encode(), {}),
        (
            b"%x\r\n%s\r\n0\r\n\r\n" % (len(FOUND_BYTES), FOUND_BYTES),
            {"Transfer_Encoding": "chunked"},
        ),
    ],
    ids=["gzip", "Latin-1", "UTF-16", "with a mark", "chunked"],
)
def test_bodies_come_in_many_ways(server, tmp_path, body, headers):
    (reply,) = one(tmp_path, replying(server, body=body, **headers), queries=ONE).replies
    assert [hit.doc_id for hit in reply.hits] == ["a", "é"]


@pytest.mark.parametrize(
    ("status", "body", "headers", "told"),
    [
        (404, b"no\n such index", {}, "HTTP 404 Not Found: no such index"),
        (401, b"", {}, "HTTP 401 Unauthorized"),
        (
            302,
            b"",
            {"Location": "/n"},
            "HTTP 302 Found: it has moved; write the new address as url: /n",
        ),
        (204, b"", {}, "an empty answer"),
        (
            200,
            b"\xff\xfe{",
            {},
            "the answer is not text in the encoding that it names: 'utf-8' codec",
        ),
        (
            200,
            b"{}",
            {"Content_Type": "text/x; charset=klingon"},
            "the answer is not text in the",
        ),
        (200, b"not gzip", {"Content_Encoding": "gzip"}, "DecodingError: "),
        (200, b"<html>sign in</html>", {}, "the answer is not one JSON value; logs"),
    ],
)
def test_what_is_no_answer_is_not_asked_again(server, tmp_path, status, body, headers, told):
    said = failure(tmp_path, replying(server, status, body, **headers), queries=ONE)
    assert said.startswith(f"systems.toml:1: system it: does not answer query q: {told}")
    assert said.endswith("; mend it, or leave it out with --only")
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_may_pass_is_asked_again(server, tmp_path, status):
    server.found["what"] = [{"id": "a"}]
    table = http(server, f"/once/{status}/2/search?q={{query}}", retries=2)
    assert one(tmp_path, table, queries=ONE).replies[0].hits == (Hit("a"),)
    assert len(server.asked) == 3 + 1  # tried, and asked


@pytest.mark.parametrize(
    ("path", "told"),
    [("/500/x", "HTTP 500"), ("/429/x", "HTTP 429"), ("/hangup/x", "no whole ans")],
)
def test_what_does_not_pass_fails_after_so_many_tries(server, tmp_path, path, told):
    table = http(server, f"{path}?q={{query}}", retries=3, max_wait=0)
    assert f"does not answer query q: {told}" in failure(tmp_path, table, queries=ONE)
    assert len(server.asked) == 4


def test_nobody_there_is_told_without_passwords(tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    url = f"http://me:own@127.0.0.1:{port}/find?q={{query}}"
    table = {"kind": "http", "url": url, "results": "a", "id": "b", "max_wait": 0.01}
    told = failure(tmp_path, table, queries=ONE)
    assert f"no connection to http://127.0.0.1:{port}/find: All connection attempts failed" in told
    assert "own" not in told


@pytest.mark.parametrize("path", ["/slow/30/search?q={query}", "/drip/search?q={query}"])
def test_time_is_up_however_slowly_something_comes(server, tmp_path, path):
    told = failure(tmp_path, http(server, path, timeout=0.2), queries=ONE)
    assert "does not answer query q: no answer within 0.2 s" in told
    # What was too slow once is not asked for once more.
    assert len(server.asked) == 1


def test_a_huge_answer_is_not_taken(server, tmp_path):
    table = http(server, "/huge/search?q={query}", timeout=30)
    assert "the answer is larger than 64 MB" in failure(tmp_path, table, queries=ONE)


def test_proxies_of_the_environment_are_not_for_this_machine(server, tmp_path, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://user:passw0rd@127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    url = http(server)["url"].replace("127.0.0.1", "localhost")
    assert not one(tmp_path, {**http(server), "url": url}).failed
    (elsewhere := tmp_path / "elsewhere").mkdir()
    told = failure(elsewhere, {**http(server), "url": "http://h.invalid/{query}"}, queries=ONE)
    assert "no connection" in told
    assert "passw0rd" not in told


def test_a_proxy_that_cannot_be_used_is_told_without_its_password(server, tmp_path, monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "gopher://user:passw0rd@h")
    monkeypatch.setenv("all_proxy", "gopher://user:passw0rd@h")
    told = failure(tmp_path, http(server), queries=ONE)
    assert told.startswith("systems.toml:1: system it: the proxy or the certificates that the env")
    assert "passw0rd" not in told


def test_what_one_query_leaves_behind_does_not_come_with_the_next(server, tmp_path):
    one(tmp_path, replying(server, Set_Cookie="session=1; Path=/"))
    assert len(server.asked) == 4
    assert not any("Cookie" in headers for _m, _p, _q, headers, *_ in server.asked)


@pytest.mark.parametrize("query", ["é", "a\nb"])
def test_a_query_that_no_header_can_hold_fails_and_says_so(server, tmp_path, query):
    table = http(server, "/search?q={query_id}", headers={"X-Query": "{query}"})
    reply = asked(tmp_path, table, query)
    assert reply.failure.startswith("cannot be sent: ")
    assert reply.tries == 1


def test_so_many_at_once_and_no_more(server, tmp_path):
    queries = [Query(f"q{at}", f"text {at}") for at in range(12)]
    found = one(tmp_path, http(server, "/slow/0.03/search?q={query}"), queries=queries, jobs=4)
    assert server.most_at_work in (2, 3, 4)
    assert [reply.query_id for reply in found.replies] == [f"q{at}" for at in range(12)]
