"""Vectors on disk: what was paid for is there, whatever happened to the file's end."""

from __future__ import annotations

import numpy as np
import pytest

from judge_tui.collect.vectors import Vectors
from judge_tui.errors import InputError

AB = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32)
CD = np.array([[7, 8, 9], [10, 11, 12]], dtype=np.float32)


def test_what_was_added_is_there_the_next_time(tmp_path):
    kept = Vectors(tmp_path / "cache", "model")
    assert kept.missing(["a", "b", "a"]) == ["a", "b"]
    kept.add(["a", "b"], AB)
    kept.add(["c", "d"], CD)
    again = Vectors(tmp_path / "cache", "model")
    assert again.missing(["d", "e", "a"]) == ["e"]
    assert again.of(["d", "a", "a"]).tolist() == [[10, 11, 12], [1, 2, 3], [1, 2, 3]]
    assert Vectors(tmp_path / "cache", "other").missing(["a"]) == ["a"]


@pytest.mark.parametrize("lost", [1, 43, 44, 45, 87, 100])
def test_a_file_cut_short_has_what_is_whole_and_takes_more(tmp_path, lost):
    Vectors(tmp_path, "model").add(["a", "b"], AB)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-lost])
    kept = Vectors(tmp_path, "model")
    missing = kept.missing(["a", "b"])
    assert missing == (["b"] if lost <= 44 else ["a", "b"])
    kept.add(missing, AB[-len(missing) :])
    kept.add(["c"], CD[:1])
    again = Vectors(tmp_path, "model")
    assert again.of(["a", "b", "c"]).tolist() == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_was_damaged_is_missing_and_takes_its_place_anew(tmp_path, number):
    Vectors(tmp_path, "model").add(["a", "b"], AB)
    (path,) = tmp_path.iterdir()
    five, damaged = (np.float32(one).tobytes() for one in (5, number))
    path.write_bytes(path.read_bytes().replace(five, damaged))
    kept = Vectors(tmp_path, "model")
    assert kept.missing(["a", "b"]) == ["b"]
    kept.add(["b"], AB[1:])
    again = Vectors(tmp_path, "model")
    assert again.of(["a", "b"]).tolist() == [[1, 2, 3], [4, 5, 6]]


def test_two_programs_may_add_to_one_file(tmp_path):
    first, second = Vectors(tmp_path, "model"), Vectors(tmp_path, "model")
    first.add(["a", "b"], AB)
    second.add(["c", "d"], CD)
    first.add(["e"], AB[:1])
    assert first.missing(["a", "e"]) == []
    again = Vectors(tmp_path, "model")
    assert again.of(["a", "c", "e"]).tolist() == [[1, 2, 3], [7, 8, 9], [1, 2, 3]]


def test_one_that_looks_does_not_cut_what_another_writes(tmp_path):
    Vectors(tmp_path, "model").add(["a", "b"], AB)
    (path,) = tmp_path.iterdir()
    with path.open("ab") as stream:
        stream.write(b"half a record")
    Vectors(tmp_path, "model")
    assert path.read_bytes().endswith(b"half a record")


def test_vectors_of_another_length_are_another_model(tmp_path):
    kept = Vectors(tmp_path, "model")
    kept.add(["a", "b"], AB)
    for one in (kept, Vectors(tmp_path, "model")):
        with pytest.raises(InputError, match="have 2 numbers now, and 3 before; it is another mod"):
            one.add(["c"], CD[:1, :2])


def test_other_files_are_no_caches(tmp_path):
    Vectors(tmp_path, "model").add(["a", "b"], AB)
    (path,) = tmp_path.iterdir()
    path.write_bytes(b"a diary\nof mine")
    with pytest.raises(InputError, match="is no file of vectors; delete it, or give cache = DIR"):
        Vectors(tmp_path, "model")
    assert path.read_bytes() == b"a diary\nof mine"
    path.unlink()
    path.mkdir()
    with pytest.raises(InputError, match="cannot be read: Is a directory; give cache = DIR"):
        Vectors(tmp_path, "model")
    with pytest.raises(InputError, match="cannot be made"):
        Vectors(tmp_path / "a" / "b" / ("x" * 300), "model")


def test_what_tells_the_model_is_from_the_first_to_the_last_that_was_added(tmp_path):
    kept = Vectors(tmp_path, "model")
    assert (kept.tells_model, kept.samples(["t0"])) == (False, [])
    texts = [f"t{n}" for n in range(300)]
    kept.add(texts, np.arange(900, dtype=np.float32).reshape(300, 3) + 1)
    assert kept.samples(reversed(texts)) == ["t0", "t49", "t99", "t149", "t199", "t249", "t299"]
    # Of those that are asked for; the first one is known in any case.
    assert kept.samples(["t7", "none", "t5"]) == ["t0", "t5", "t7"]
    assert kept.samples(["none"]) == ["t0"]
