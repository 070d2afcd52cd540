"""JSON as objects that know their lines: read at once or token by token, it is the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats.json_tree import Node, trees_in
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import open_source

TEXTS = st.sampled_from(["", "a", 'x"y', "{", "}", "[\\", "\n", "\\ud800", "\U0001f600", "\u2028"])
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.just(1e30), TEXTS),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(TEXTS, inner)),
    max_leaves=12,
)
FAULTS = ["", "{", "}", '"', "\\", ",", "\n", "NaN", "01", "\\ud800", '"a": 1, "a": 2', "\t"]


def found(file: Path, text: str) -> tuple[list[Any], list[str]]:
    """All that is read, with lines and sorts, and all that is said."""
    file.write_text(text, encoding="utf-8")
    said: list[InputError] = []
    trees: list[Any] = []
    with open_source(str(file)) as source:
        try:
            trees.extend(map(told, trees_in(source, Reporter("f", said.append))))
        except InputError as error:
            said.append(error)
    return trees, list(map(str, said))


def told(tree: Any) -> Any:
    if isinstance(tree, Node):
        return tree.line, [(name, told(value)) for name, value in tree.items()]
    return list(map(told, tree)) if isinstance(tree, list) else (type(tree).__name__, str(tree))


def check(file: Path, text: str) -> None:
    at_once = found(file, text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("judge_tui.formats.json_at_once.Objects.at", lambda *_: None)
        assert at_once == found(file, text)


@settings(max_examples=300)
@given(
    st.lists(VALUES),
    st.sampled_from([None, 0, 2]),
    st.booleans(),
    st.sampled_from(FAULTS),
    st.integers(0, 400),
)
def test_both_ways_see_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    values: list[Any],
    indent: int | None,
    ascii_only: bool,
    fault: str,
    place: int,
) -> None:
    text = json.dumps(values, indent=indent, ensure_ascii=ascii_only)
    at = place % len(text)
    file = tmp_path_factory.getbasetemp() / "tree.json"
    check(file, text[:at] + fault + text[at:])


@pytest.mark.parametrize("levels", [98, 99, 100, 101, 5000])
@pytest.mark.parametrize("bracket", ["[]", "{}"])
def test_no_deeper_than_a_hundred_levels(tmp_path: Path, levels: int, bracket: str) -> None:
    opening, closing = ("[", "]") if bracket == "[]" else ('{"a": ', "}")
    check(tmp_path / "deep", f'{{"x": {opening * levels}1{closing * levels}}}')
    check(tmp_path / "wide", f'[{{"x": [{", ".join(["{}"] * levels)}]}}]')
