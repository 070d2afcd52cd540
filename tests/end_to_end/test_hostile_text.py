"""Hostile text in a real terminal: nothing comes out but what Textual itself sends.

The campaign holds escape sequences, C1, bidi controls, markup, NULs and tabs in every place that
foreign text can be in; the app is driven through all of its screens, and every table is printed.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.terminal import PROGRAM, Terminal

PAYLOADS = {
    "clipboard": "\x1b]52;c;UFdORUQ=\x07",
    "title": "\x1b]0;HACKED\x1b\\",
    "clear": "\x1b[2J\x1b[31mRED",
    "dcs": "\x1bPq#0;2;0;0;0\x1b\\",
    "link": "\x1b]8;;http://evil/\x1b\\link\x1b]8;;\x1b\\",
    "c1": "\x9b31m\x9d2;HACKED\x9c",
    "bidi": "a\u202egpj.exe\u202c\u2066b\u2069",
    "zero": "a\u200bb\ufeffc\U000e0041",
    "markup": "[/] [/nope] [bold red]B[/] [@click=app.quit]quit[/]",
    "control": "a\x00b\x08\x08c\rd\x0e\x7f\te",
}
EVERYTHING = " ".join(PAYLOADS.values())
# A NUL is refused in ids and in files that are not JSON: everything else can be anywhere.
NAME = EVERYTHING.replace("\x00", "")

# What Textual 8 sends to xterm-256color: colours, cursor, modes it sets and asks for, and the shape
# of the mouse pointer.
SEQUENCE = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b."
)
ALLOWED = re.compile(
    rb"\x1b\[[0-9;]*m|\x1b\[\d+;\d+H|\x1b\[H|\x1b\[\d* q"
    rb"|\x1b\[\?(?:7|25|1000|1002|1003|1004|1006|1015|1016|1049|2004|2026|2048)[hl]"
    rb"|\x1b\[\?(?:2026|2048)\$p|\x1b\[[<>=]\d*(?:;\d+)?u|\x1b\]22;[a-z-]*(?:\x07|\x1b\\)"
)


def refused(raw: bytes) -> set[bytes]:
    """The escape sequences and controls that are not on the list."""
    found = {one for one in SEQUENCE.findall(raw) if not ALLOWED.fullmatch(one)}
    rest = SEQUENCE.sub(b"", raw)
    found |= {bytes([byte]) for byte in rest if byte < 32 and byte not in b"\r\n"}
    text = rest.decode("utf-8")
    unsafe = "\x7f\u200b\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\U000e0041"
    found |= {char.encode() for char in text if char in unsafe or "\x80" <= char < "\xa0"}
    return found


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JUDGE_TUI_DB", str(tmp_path / "campaign.db"))
    monkeypatch.chdir(tmp_path)
    query = {
        "query_id": f"q{NAME}",
        "text": f"read {EVERYTHING}",
        "narrative": EVERYTHING,
        "class": EVERYTHING,
    }
    (tmp_path / "q.jsonl").write_text(json.dumps(query) + "\n")
    with (tmp_path / "d.jsonl").open("w") as documents, (tmp_path / "r.run").open("w") as run:
        encoded = "".join(f"%{ord(c):02X}" if c in "\t\r\n \x0b\x0c" else c for c in NAME)
        for number, (name, payload) in enumerate(PAYLOADS.items()):
            doc_id = f"{name}{encoded}"
            run.write(f"q{encoded} Q0 {doc_id} {number} {-number} tag{encoded}\n")
            fields = {
                "doc_id": f"{name}{NAME}",
                "title": payload,
                "text": f"{payload}\n{EVERYTHING} read",
                "url": payload,
                "kind": payload,
            }
            documents.write(json.dumps(fields) + "\n")
    (tmp_path / "guidelines.md").write_text(
        f"# {NAME}\n\n- `{NAME}`\n\n&#27;[2J &#8238;x [a](http://evil '{NAME}')\n"
    )
    return tmp_path


def command(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [PROGRAM, *arguments], capture_output=True, check=False, stdin=subprocess.DEVNULL
    )


def test_hostile_text_is_shown_and_never_obeyed(hostile: Path) -> None:
    # Names of judges are short, so that not every payload has room in one.
    name = "ann" + "\x1b]0;HACKED\x07\x1b[2J\x9b31m\u202eb[/][@click=app.quit]"
    steps = [
        command("init", "--name", name, "--guidelines", "guidelines.md", "--seed", "3"),
        command("load", "queries", "q.jsonl"),
        command("load", "run", "r.run"),
        command("load", "docs", "d.jsonl"),
        command("pool"),
    ]
    for step in steps:
        assert step.returncode == 0, step.stderr
    with Terminal([PROGRAM, "judge", "--judge", name], cwd=hostile, size=(120, 40)) as terminal:
        terminal.wait_for("0/10")
        terminal.settle()
        for keys in ("3", "s", "x", "f", "i", "\x1b", "?", "\x1b", "o", "\x1b", "c"):
            terminal.send(keys)
            terminal.settle()
        terminal.send("[/] note\r")
        terminal.wait_for("comment:")
        for _ in range(6):
            terminal.send("2")
            terminal.settle(0.1)
        terminal.send("uu")
        terminal.settle()
        terminal.resize(80, 24)
        terminal.settle()
        terminal.send("q")
        assert terminal.wait_end() == 0
        judged = terminal.raw
    assert refused(judged) == set()
    with Terminal([PROGRAM], cwd=hostile, size=(120, 40)) as terminal:
        terminal.wait_for("pairs in the pool")
        for keys in ("i", "\x1b", "?", "\x1b", "n"):
            terminal.send(keys)
            terminal.settle()
        terminal.send("q\r")
        terminal.settle()
        assert refused(terminal.raw) == set()
    steps += [
        command("status"),
        command("export", "qrels", "-o", "out.qrels", "--unresolved", "skip"),
        command("score", "out.qrels", "r.run", "-q"),
        command("score", "out.qrels", "r.run", "-q", "-f", "md"),
        command("compare", "out.qrels", "r.run", "r.run"),
        command("agreement"),
        command("load", "queries", "none\x1b]0;HACKED\x07"),
        command("check", "r.run", "q.jsonl", "d.jsonl", "out.qrels"),
    ]
    for step in steps:
        for stream in (step.stdout, step.stderr):
            assert refused(stream) == set(), step.args
            assert b"\x1b" not in stream, step.args
            assert b"Traceback" not in stream
