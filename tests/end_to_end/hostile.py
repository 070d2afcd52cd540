"""Text that attacks the terminal, in every place that foreign text can be in.

Sources of the attacks: xterm's control sequences (ctlseqs), Trojan Source (CVE-2021-42574), and the
markup that Textual and Rich read.
"""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

PAYLOADS = {
    "clipboard": "\x1b]52;c;UFdORUQ=\x07",
    "clipboard-read": "\x1b]52;c;?\x1b\\",
    "title": "\x1b]0;HACKED\x1b\\\x1b]2;HACKED\x07\x1b[22;0t\x1b[21t",
    "clear": "\x1b[2J\x1b[3J\x1b[H\x1bc\x1b[31mRED",
    "queries": "\x1b[6n\x1b[c\x1b[>q\x1b[?1049$p\x1b[14t\x05",
    "modes": "\x1b[?1049l\x1b[?25l\x1b[?1000h\x1b[4h\x1b(0\x0f",
    "dcs": "\x1bPq#0;2;0;0;0\x1b\\\x1bP$qm\x1b\\\x1bP+q544e\x1b\\",
    "strings": "\x1b_apc\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\",
    "link": "\x1b]8;;http://evil/\x1b\\link\x1b]8;;\x1b\\",
    "notify": "\x1b]9;HACKED\x07\x1b]777;notify;a;b\x07\x1b]1337;File=:AAAA\x07",
    "c1": "\x9b31m\x9d2;HACKED\x9c\x90q\x9c\x84\x85\x8d",
    "bidi": "a\u202egpj.exe\u202c\u2066b\u2069\u061c",
    "zero": "a\u200bb\ufeffc\U000e0041\u2028\u2029\u00ad",
    "joiners": "x" + "\u200d" * 50 + "👩\u200d👩\u200d👧 " + "e\u0301\u0323" * 20,
    "markup": "[/] [/nope] [bold red]B[/] [@click=app.quit]quit[/] [link=http://evil]l[/link]",
    "control": "ab\x08\x08c\rd\x0e\x7f\te\x0b\x0c",
}
# White space at the end of an id is not a part of it.
EVERYTHING = " ".join(PAYLOADS.values()) + "."
# Names of judges are short, so that not every payload has room in one.
JUDGE = "ann\x1b]0;HACKED\x07\x1b[2J\x9b31m\u202eb[/][@click=app.quit]"
# What a hostile clipboard would type into a line: a terminal brackets it.
PASTED = "\x1b[200~a\x9b31m\u202eb\x07\x08[/]\u200b\x9d2;HACKED\x9c\x1b[201~"

# A sentence for each way of showing documents, with the payload where their syntax has a place.
SHAPES = {
    "text/plain": "{p}\n{e} read",
    "text/markdown": (
        "# {p}\n\n- [{p}](http://evil/{p} '{p}') *{p}* `{p}`\n\n```{p}\n{p}\n```\n\n"
        "| {p} | b |\n|---|---|\n| {p} | {e} |\n\n&#27;[2J &#155;31m &#8238;x <b>{p}</b> read\n"
    ),
    "text/html": (
        "<!doctype html><title>{p}</title><h1>{p}</h1><script>{p}</script><p title='{p}'>{e}"
        "<a href='javascript:{p}'>{p}</a> &#27;]0;HACKED&#7; &#x9b;31m &#8238;x &rlm;"
        "<pre>{p}</pre><table><tr><td>{p}<td>read</table>"
    ),
    "text/x-python": "def read():\n    '''{p}'''\n    return \"{p}\"  # {e}\n",
}

# What Textual 8 sends to xterm-256color: colours, cursor, modes it sets and asks for, and the shape
# of the mouse pointer.
_SEQUENCE = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b."
)
_ALLOWED = re.compile(
    rb"\x1b\[[0-9;]*m|\x1b\[\d+;\d+H|\x1b\[H|\x1b\[\d* q"
    rb"|\x1b\[\?(?:7|25|1000|1002|1003|1004|1006|1015|1016|1049|2004|2026|2048)[hl]"
    rb"|\x1b\[\?(?:2026|2048)\$p|\x1b\[[<>=]\d*(?:;\d+)?u|\x1b\]22;[a-z-]*(?:\x07|\x1b\\)"
)
_COPIED = re.compile(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07")
_UNSAFE = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]"
)


def refused(raw: bytes, *, copied: str | None = None) -> set[bytes]:
    """The escape sequences and controls in `raw` that nobody may send.

    `copied` is what may be given to the clipboard: nothing, unless the judge asked for it.
    """
    found = {
        one
        for one in _SEQUENCE.findall(raw)
        if not _ALLOWED.fullmatch(one) and not _is_copy(one, copied)
    }
    rest = _SEQUENCE.sub(b"", raw)
    found |= {bytes([byte]) for byte in rest if byte < 32 and byte not in b"\r\n"}
    found |= {char.encode() for char in _UNSAFE.findall(rest.decode("utf-8"))}
    return found


def _is_copy(sequence: bytes, copied: str | None) -> bool:
    match = _COPIED.fullmatch(sequence)
    return (
        copied is not None
        and match is not None
        and base64.b64decode(match.group(1)).decode("utf-8") == copied
    )


def write_files(folder: Path) -> list[str]:
    """q.jsonl, d.jsonl, r.run, a.qrels, gold.qrels and guidelines.md; the ids of the documents."""
    query = {
        "query_id": f"q{EVERYTHING}",
        "text": f"read {EVERYTHING}",
        "description": EVERYTHING,
        "narrative": EVERYTHING,
        "class": EVERYTHING,
        EVERYTHING: EVERYTHING,
    }
    (folder / "q.jsonl").write_text(json.dumps(query) + "\n")
    documents = list(_documents())
    encoded = _encoded(EVERYTHING)
    with (folder / "d.jsonl").open("w") as texts, (folder / "r.run").open("w") as run:
        for number, document in enumerate(documents):
            texts.write(json.dumps(document) + "\n")
            doc_id = _encoded(document["doc_id"])
            run.write(f"q{encoded} Q0 {doc_id} {number} {-number} tag{encoded}\n")
        # A document that no file holds.
        run.write(f"q{encoded} Q0 unknown{encoded} 99 -99 tag{encoded}\n")
    first = _encoded(documents[0]["doc_id"])
    for name in ("a.qrels", "gold.qrels"):
        (folder / name).write_text(f"q{encoded} 0 {first} 2\n")
    (folder / "guidelines.md").write_text(
        f"# {EVERYTHING}\n\n- `{EVERYTHING}`\n\n&#27;[2J &#8238;x [a](http://evil '{EVERYTHING}')\n"
    )
    return [*(document["doc_id"] for document in documents), f"unknown{EVERYTHING}"]


def _documents() -> list[dict[str, str]]:
    """Documents of each shape, every payload in one of them; long lines; one with no text."""
    kinds = list(SHAPES)
    documents = []
    for number in range(2 * len(kinds)):
        kind = kinds[number % len(kinds)]
        payload = " ".join(list(PAYLOADS.values())[number :: 2 * len(kinds)])
        documents.append(
            {
                "doc_id": f"d{number}{EVERYTHING}",
                "title": payload,
                "text": SHAPES[kind].format(p=payload, e=EVERYTHING),
                "url": payload,
                "kind": kind,
                EVERYTHING: payload,
            }
        )
    long = "".join(PAYLOADS.values()) * 30
    documents.append({"doc_id": "long", "title": long, "text": long, "kind": EVERYTHING})
    documents.append({"doc_id": "bare", "url": EVERYTHING, "text": "", EVERYTHING: EVERYTHING})
    return documents


def _encoded(text: str) -> str:
    """An id as run files write it: white space as percent escapes."""
    return "".join(f"%{ord(c):02X}" if c in "\t\r\n \x0b\x0c" else c for c in text)
