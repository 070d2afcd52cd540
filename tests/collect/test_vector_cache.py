"""Vectors on disk: what was paid for is there, whatever happened to the file's end."""

from __future__ import annotations

import numpy as np
import pytest

from judge_tui.collect.vector_cache import VectorCache
from judge_tui.errors import InputError

AB = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32)
CD = np.array([[7, 8, 9], [10, 11, 12]], dtype=np.float32)


def file_in(folder):
    return next(path for path in folder.iterdir() if path.suffix == ".vectors")


def test_what_was_added_is_there_the_next_time(tmp_path):
    cache = VectorCache(tmp_path / "cache", "model")
    assert cache.missing(["a", "b", "a"]) == ["a", "b"]
    cache.add(["a", "b"], AB)
    cache.add(["c", "d"], CD)
    again = VectorCache(tmp_path / "cache", "model")
    assert again.missing(["d", "e", "a"]) == ["e"]
    assert again.rows(["d", "a", "a"]).tolist() == [[10, 11, 12], [1, 2, 3], [1, 2, 3]]
    assert VectorCache(tmp_path / "cache", "other").missing(["a"]) == ["a"]


@pytest.mark.parametrize("lost", [1, 43, 44, 45, 87, 100])
def test_a_file_cut_short_has_what_is_whole_and_takes_more(tmp_path, lost):
    VectorCache(tmp_path, "model").add(["a", "b"], AB)
    path = file_in(tmp_path)
    path.write_bytes(path.read_bytes()[:-lost])
    cache = VectorCache(tmp_path, "model")
    missing = cache.missing(["a", "b"])
    assert missing == (["b"] if lost <= 44 else ["a", "b"])
    cache.add(missing, AB[-len(missing) :])
    cache.add(["c"], CD[:1])
    again = VectorCache(tmp_path, "model")
    assert again.rows(["a", "b", "c"]).tolist() == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_was_damaged_is_missing_and_takes_its_place_anew(tmp_path, number):
    VectorCache(tmp_path, "model").add(["a", "b"], AB)
    path = file_in(tmp_path)
    five, damaged = (np.float32(one).tobytes() for one in (5, number))
    path.write_bytes(path.read_bytes().replace(five, damaged))
    cache = VectorCache(tmp_path, "model")
    assert cache.missing(["a", "b"]) == ["b"]
    cache.add(["b"], AB[1:])
    assert VectorCache(tmp_path, "model").rows(["a", "b"]).tolist() == AB.tolist()


def test_two_programs_may_add_to_one_file(tmp_path):
    first, second = VectorCache(tmp_path, "model"), VectorCache(tmp_path, "model")
    first.add(["a", "b"], AB)
    second.add(["c", "d"], CD)
    first.add(["e"], AB[:1])
    again = VectorCache(tmp_path, "model")
    assert again.rows(["a", "c", "e"]).tolist() == [[1, 2, 3], [7, 8, 9], [1, 2, 3]]


def test_vectors_of_another_length_are_another_model(tmp_path):
    cache = VectorCache(tmp_path, "model")
    cache.add(["a", "b"], AB)
    with pytest.raises(InputError, match="have 2 numbers, and had 3; it is another model"):
        cache.add(["c"], CD[:1, :2])


def test_other_files_are_no_caches(tmp_path):
    VectorCache(tmp_path, "model").add(["a", "b"], AB)
    path = file_in(tmp_path)
    path.write_bytes(b"a diary\nof mine")
    with pytest.raises(InputError, match="is no file of vectors; delete it, or give cache = DIR"):
        VectorCache(tmp_path, "model")
    assert path.read_bytes() == b"a diary\nof mine"
    with pytest.raises(InputError, match="cannot be used: File name too long; give cache = DIR"):
        VectorCache(tmp_path / ("x" * 300), "model")
