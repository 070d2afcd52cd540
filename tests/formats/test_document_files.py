"""Documents in their formats, and as files of a folder."""

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


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "given"


def documents(path: Path, **options: str) -> list[Document]:
    return [document for _, document in iter_documents(path, **options)]


def test_json_documents(file: Path) -> None:
    file.write_text(
        '{"doc_id": "a b", "title": "T", "text": "x\\ty", "url": "u", "kind": "k", "n": 1}\n'
        '{"_id": "b", "text": "x", "metadata": {}}\n'
        '{"id": 7, "title": null}\n'
    )
    assert list(iter_documents(file)) == [
        (1, Document("a%20b", "T", "x\ty", "u", "k", {"n": 1})),
        (2, Document("b", text="x")),
        (3, Document("7")),
    ]


def test_tab_separated_documents(file: Path) -> None:
    file.write_text("d1\tjust text\nd2\ta title\tand text\n")
    assert documents(file) == [
        Document("d1", text="just text"),
        Document("d2", "a title", "and text"),
    ]


def test_sgml_documents(file: Path) -> None:
    file.write_text(SGML)
    assert list(iter_documents(file)) == [
        (
            2,
            Document("AP880212-0001", "Reports & Rumours", "First paragraph <here>.\n\nSecond."),
        ),
        (12, Document("2", "T", "body", "http://x/")),
        (14, Document("3")),
    ]


def test_documents_are_streamed(tmp_path: Path) -> None:
    # A fault at the end of the file is not met before the end is read.
    file = tmp_path / "docs.jsonl"
    file.write_text('{"id": "d", "text": "x"}\n{"id": 1}\nbroken\n')
    found = iter_documents(file)
    assert [document.doc_id for _, document in islice(found, 2)] == ["d", "1"]
    with pytest.raises(InputError):
        next(found)


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        ('{"id": "a", "url": 1}\n', 1, "'url' is a number, not a string"),
        ('{"id": "a"}\n{"id": "b"}\n{"id": "a"}\n', 3, "document id 'a' is already on line 1"),
        ('{"id": "a"}\n{"id": " "}\n', 2, "the document has no id; give each document an id"),
        ('{"title": "a"}\n', 1, "no id: none of 'doc_id', '_id', 'id'; add 'doc_id'"),
        ("d1\ta\nd2\n", 2, "1 tab-separated field; a line has 2 or 3 (id<TAB>text or id<TAB>title"),
        ("d1\ta\nd2\ta\tb\tc\n", 2, "4 tab-separated fields; a line has 2 or 3"),
        ("d1\ta\nd1\tb\n", 2, "document id 'd1' is already on line 1"),
        ("<DOC><DOCNO>1</DOCNO></DOC>\n<DOC><DOCNO>2</DOCNO>\n", 2, "<DOC> without </DOC>; add"),
        ("<DOC>\n<DOCNO>1</DOCNO>\n<DOC><DOCNO>2</DOCNO></DOC>\n", 1, "<DOC> without </DOC>"),
        ("<DOC>\ntext\n</DOC>\n", 1, "the document has no id"),
        ("<DOC><DOCNO>1\n2</DOC>\n", 1, "the document's number '1 2' has white space in it"),
        ("<DOC><DOCNO>1</DOCNO></DOC>\nstray\n", 2, "text 'stray' outside <DOC>"),
        ("<DOC><DOCNO>1</DOCNO></DOC>\n<DOC><DOCNO>1</DOCNO></DOC>\n", 2, "already on line 1"),
        (
            "<html>\n<p>Text</p>\n</html>\n",
            1,
            "this is XML or HTML with the names 'html', 'p', not a documents file",
        ),
        ("", None, "the file is empty"),
    ],
)
def test_faults_are_named(file: Path, content: str, line: int | None, expected: str) -> None:
    file.write_text(content)
    with pytest.raises(InputError) as error:
        documents(file)
    place = f"{file}:{line}" if line else str(file)
    assert str(error.value).startswith(f"{place}: ")
    assert expected in str(error.value)
    assert error.value.mend


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
    assert skipped == [
        ("image.png", "is binary"),
        ("noise", "is binary"),
        ("packed.gz", "is binary"),
    ]
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
    (folder / "latin.txt").write_bytes("one\ntwo caf\u00e9\n".encode("latin-1"))
    with pytest.raises(InputError) as error:
        documents(folder)
    assert str(error.value).startswith(
        f"{folder}/latin.txt:2: byte 8 of the line (0xE9) is not valid UTF-8; "
    )
    problems: list[InputError] = []
    assert len(list(iter_documents(folder, problems=problems.append))) == 4
    assert len(problems) == 1
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="empty: the folder holds no text file; give the folder"):
        documents(tmp_path / "empty")
    with pytest.raises(InputError, match="this is a directory, not a file"):
        documents(folder, format="jsonl")
    with pytest.raises(InputError, match="the folder cannot be read: No such file"):
        documents(folder / "none", format="folder")
    with pytest.raises(UsageError, match="'pdf' is no format of a documents file; use "):
        iter_documents(folder, format="pdf")


def test_a_file_name_that_is_not_utf8_is_named(folder: Path) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.txt")).write_text("x")
    with pytest.raises(
        InputError, match=r"docs: the file name 'caf\\udce9.txt' is not valid UTF-8"
    ):
        documents(folder)
