"""`judge-tui score`, through click and through real processes."""

import pytest

from tests.as_typed import judge_tui, printed_twice, refused
from tests.programs import run

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 2\nq3 0 d 1\n"
BM25 = "q1 Q0 a 1 3 bm25\nq1 Q0 b 2 2 bm25\nq2 Q0 x 1 2 bm25\nq2 Q0 c 2 1 bm25\n"
DENSE = "q1 Q0 b 1 3 dense\nq1 Q0 y 2 2 dense\nq2 Q0 c 1 2 dense\nq9 Q0 c 1 2 dense\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("qrels", QRELS), ("bm25.run", BM25), ("dense.run", DENSE)):
        (tmp_path / name).write_text(text)
    return tmp_path


SCORE = ("score", "qrels", "bm25.run")


def test_output_is_a_whole_file_or_none(files):
    before = sorted(path.name for path in files.iterdir())
    assert judge_tui(*SCORE, "-o", "scores.txt").stdout == ""
    assert (files / "scores.txt").read_text() == judge_tui(*SCORE, "-o", "-").stdout
    # A result that replaces another leaves nothing else behind; a refused one leaves the old one.
    judge_tui(*SCORE, "-f", "csv", "-o", "scores.txt", "--force")
    text = (files / "scores.txt").read_text()
    assert text.startswith("tag,")
    refused(*SCORE, "-m", "nope", "-o", "scores.txt", "--force")
    assert (files / "scores.txt").read_text() == text
    assert sorted(path.name for path in files.iterdir()) == [*before, "scores.txt"]


def test_output_through_a_link_keeps_the_link_and_to_a_device_keeps_the_device(files):
    (files / "real.txt").write_text("old")
    (files / "link.txt").symlink_to("real.txt")
    judge_tui(*SCORE, "-o", "link.txt", "--force")
    assert (files / "link.txt").is_symlink()
    assert (files / "real.txt").read_text().startswith("run ")
    done = run(*SCORE, "-o", "/dev/stdout")
    assert done.stdout.decode() == judge_tui(*SCORE).stdout


def test_the_same_input_gives_the_same_bytes(files):
    words = ("score", "qrels", "bm25.run", "dense.run", "-q")
    one, other = printed_twice(*words)
    assert one == other != ""
    assert str(files) not in one
