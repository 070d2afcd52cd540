"""`judge-tui evaluate` against a real server that fails, stalls, asks to be left alone, redirects,
sends what is broken, hangs up, and says back whatever it was sent."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from urllib.parse import quote

from tests.as_typed import judge_tui
from tests.collect.asking import http, systems_file
from tests.collect.fixtures import server

__all__ = ["server"]

SECRET = 'k/e+y "of" mine%'  # noqa: S105
SPELLINGS = (
    SECRET,
    quote(SECRET),
    quote(SECRET, safe=""),
    json.dumps(SECRET)[1:-1],
    b64encode(SECRET.encode()).decode().rstrip("="),
)
FAULTS = {
    "fine": "",
    "echo": "",
    "500": "HTTP 500 ",
    "429": "HTTP 429 Too Many Requests (it asks to be left alone for 60 s)",
    "drip": "no answer within 1.5 s",
    "moved": "HTTP 302 Found: it has moved; write the new address as url: ",
    "text": "the answer is not one JSON value",
    "hangup": "no whole answer: ",
    "denies": "HTTP 401 Unauthorized: no ${KEY}",
    "leaks": "the id of a result contains a secret",
}


def files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def test_each_fault_is_one_failed_query_and_no_secret_gets_out(tmp_path, server, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KEY", SECRET)
    server.retry_after = "60"
    server.replies = {
        "/fine": (200, {}, b'{"results": [{"id": "d1", "title": "T"}]}'),
        "/denies": (401, {}, f"no {SECRET}".encode()),
        "/leaks": (200, {}, json.dumps({"results": [{"id": f"a{SECRET}"}]}).encode()),
    }
    table = http(
        server,
        "/{query_id}?q={query}&k=${KEY}",
        headers={"Authorization": "Bearer ${KEY}"},
        method="POST",
        body={"query": "{query}", "key": "${KEY}"},
        text="text",
        title="title",
        timeout=1.5,
        retries=1,
        max_wait=0.5,
    )
    systems_file(tmp_path, {"api": table})
    Path("queries.tsv").write_text("".join(f"{name}\tfind {name}\n" for name in FAULTS))
    Path("grades.qrels").write_text("".join(f"{name} 0 d1 1\n" for name in FAULTS))
    words = ["evaluate", "systems.toml", "--queries", "queries.tsv", "--qrels", "grades.qrels"]
    result = judge_tui(*words, "-o", "out")
    written = json.loads(Path("out/results.json").read_text())
    assert written["systems"][0]["mean"]["RR@10"] == 1 / len(FAULTS)
    for query in written["queries"]:
        failed = query["systems"]["api"]["failed"] or ""
        why = FAULTS[query["query_id"]]
        assert failed.startswith(why), (query["query_id"], failed)
        assert bool(failed) == bool(why)
    assert "${KEY}" in files(tmp_path / "out")["documents.jsonl"]
    before = files(tmp_path / "out")
    text = "\n".join([result.output, *before.values()])
    assert not [spelling for spelling in SPELLINGS if spelling in text]
    # Nobody is asked again, and what was collected keeps its bytes: pages say that it was there.
    asked = len(server.asked)
    assert "10 of 10 answers were there already" in judge_tui(*words, "-o", "out").stderr
    after = files(tmp_path / "out")
    pages = {"report.html", "report.md", "results.json"}
    assert len(server.asked) == asked
    assert {name for name in after if after[name] != before[name]} <= pages
