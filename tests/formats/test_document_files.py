"""Documents: what their formats leave open, and the files of a folder."""

from __future__ import annotations

import gzip
import os
from itertools import islice
from pathlib import Path

import pytest

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.rows import iter_documents
from judge_tui.model import Document

SGML = """\
<!-- two documents -->
<DOC>
<DOCNO> AP880212-0001 </DOCNO>
<HEAD>Reports &amp;
 Rumours</HEAD>
<DATELINE>BERLIN</DATELINE>
<TEXT>
   First <P>paragraph</P> &lt;here&gt;.
</TEXT>
<TEXT>Second.</TEXT>
</DOC>
<doc><docno>2</docno><url>http://x/</url><DOCHDR>HTTP/1.0 200</DOCHDR>
<title>T</title>body
</doc><DOC><DOCNO>3</DOCNO></DOC>
"""
REPORTS = Document("AP880212-0001", "Reports & Rumours", "First paragraph <here>.\n\nSecond.")
RECORDS = """\
{"doc_id": "a b", "title": "T", "text": "x\\ty", "url": "u", "kind": "k", "n": 1}
{"_id": "b", "text": "x", "metadata": {}}
{"id": 7, "title": null}
{"id": "c", "contents": "c"}
{"_id": "d", "text": "t", "body": "b"}
{"_id": "e", "text": "", "passage": "p"}
{"doc_id": "f", "document_title": "T", "document_body": "B"}
{"_index": "i", "_id": "g", "_source": {"title": "T", "content": "c"}}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file"


def documents(path: Path, **options: str) -> list[Document]:
    return [document for _, document in iter_documents(path, **options)]


def test_json_documents_as_several_collections_call_their_texts(file: Path) -> None:
    file.write_text(RECORDS)
    found = list(iter_documents(file))
    assert [line for line, _ in found] == [*range(1, 9)]
    assert found[0][1] == Document("a%20b", "T", "x\ty", "u", "k", {"n": 1})
    assert [(one.doc_id, one.title, one.text) for _, one in found[1:]] == [
        ("b", "", "x"),
        ("7", "", ""),
        ("c", "", "c"),
        ("d", "", "t"),
        ("e", "", "p"),
        ("f", "T", "B"),
        ("g", "T", "c"),
    ]


def test_sgml_documents(file: Path) -> None:
    file.write_text(SGML)
    assert list(iter_documents(file)) == [
        (2, REPORTS),
        (12, Document("2", "T", "body", "http://x/")),
        (14, Document("3")),
    ]


def test_documents_are_streamed(file: Path) -> None:
    # A fault at the end of the file is not met before the end is read.
    file.write_text('{"id": "d", "text": "x"}\n{"id": 1}\nbroken\n')
    found = iter_documents(file)
    assert [document.doc_id for _, document in islice(found, 2)] == ["d", "1"]
    with pytest.raises(InputError):
        next(found)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    for name, content in {
        "b.txt": b"\xef\xbb\xbfB\r\n",
        "a/z.md": "\u00e9".encode(),
        "a/sub dir/c.txt": b"",
        "a-b.txt": b"x",
        "image.png": b"\x89PNG\r\n\x1a\n\0\0",
        "packed.gz": gzip.compress(b"x"),
        "noise": bytes([1, 2, 200, 3]),
        ".git/config": b"[core]",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    return root


def test_a_folder_is_its_text_files_named_by_their_paths(folder: Path) -> None:
    skipped: list[tuple[str, str]] = []
    found = list(iter_documents(folder, skipped=lambda *why: skipped.append(why)))
    assert found == [
        (1, Document("a-b.txt", text="x")),
        (1, Document("a/sub%20dir/c.txt")),
        (1, Document("a/z.md", text="\u00e9")),
        (1, Document("b.txt", text="B\r\n")),
    ]
    assert skipped == [(name, "is binary") for name in ("image.png", "noise", "packed.gz")]
    assert documents(folder, format="folder") == [document for _, document in found]


def test_links_that_lead_out_of_the_folder_are_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to("../secret.txt")
    (folder / "up").symlink_to("..")
    (folder / "same.txt").symlink_to("b.txt")
    (folder / "gone.txt").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    skipped: dict[str, str] = {}
    found = {d.doc_id: d.text for _, d in iter_documents(folder, skipped=skipped.__setitem__)}
    assert found["same.txt"] == "B\r\n"
    assert "secret" not in found.values()
    assert skipped["link.txt"] == skipped["up"] == "leads out of the folder"
    assert skipped["gone.txt"] == "is not there"
    assert skipped["pipe"] == "is not a file"


def test_faults_of_a_folder_are_named(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path, name, words in (
        (tmp_path / "empty", None, "empty: the folder holds no text file; give the folder"),
        (folder, "jsonl", "this is a directory, not a file"),
        (folder / "none", "folder", "the folder cannot be read: No such file"),
    ):
        with pytest.raises(InputError, match=words):
            list(iter_documents(path, format=name))
    with pytest.raises(UsageError, match="'pdf' is not a format of a documents file; use "):
        documents(folder / "b.txt", format="pdf")
    (folder / "latin.txt").write_bytes("one\ntwo caf\u00e9\n".encode("latin-1"))
    problems: list[InputError] = []
    assert len(list(iter_documents(folder, problems=problems.append))) == 4
    (problem,) = problems
    words = f"{folder}/latin.txt:2: byte 8 of the line (0xE9) is not valid UTF-8; "
    assert str(problem).startswith(words)
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.txt")).write_text("x")
    with pytest.raises(InputError, match=r"docs: the file name 'caf\\udce9.txt' is not valid UTF"):
        documents(folder)
