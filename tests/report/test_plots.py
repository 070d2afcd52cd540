"""Charts are valid, plain SVG: whatever the numbers and the names in them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.report.plots import (
    Histogram,
    Interval,
    Intervals,
    Lines,
    Picture,
    Series,
    document,
    inline,
)
from judge_tui.report.table import width_of

ELEMENTS = {"svg", "title", "g", "rect", "text", "tspan", "line", "circle", "path"}
"""Nothing that runs, loads or refers to anything."""

numbers = st.none() | st.floats(allow_nan=True, allow_infinity=True)
names = st.text(max_size=200)
verdicts = names | st.sampled_from(["better", "worse"])
spans = st.none() | st.tuples(numbers, numbers)
intervals = st.builds(
    Intervals,
    title=names,
    unit=names,
    rows=st.lists(
        st.builds(
            Interval,
            names,
            numbers,
            spans,
            spans,
            words=verdicts,
        ),
        max_size=8,
    ),
    mark=numbers,
    note=names,
)


@st.composite
def histograms(draw_one: st.DrawFn) -> Histogram:
    buckets = draw_one(st.lists(names, max_size=6))
    counts = st.lists(
        st.none() | st.integers(0, 10**6), min_size=len(buckets), max_size=len(buckets)
    )
    series = [Series(draw_one(names), draw_one(counts)) for _ in range(draw_one(st.integers(0, 5)))]
    return Histogram(draw_one(names), draw_one(names), buckets, series, axis=draw_one(names))


@st.composite
def lines(draw_one: st.DrawFn) -> Lines:
    at = draw_one(st.lists(st.floats(0, 1), max_size=6))
    values = st.lists(numbers, min_size=len(at), max_size=len(at))
    series = [Series(draw_one(names), draw_one(values)) for _ in range(draw_one(st.integers(0, 9)))]
    return Lines(draw_one(names), draw_one(names), at, series, axis=draw_one(names))


def parsed(picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(inline(picture))  # noqa: S314 - our own


def titles(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter("title")]


@given(intervals | histograms() | lines())
def test_charts_are_plain_svg(picture: Picture) -> None:
    of_its_own = ElementTree.fromstring(document([picture, picture]))  # noqa: S314 - our own
    for element in [*parsed(picture).iter(), *of_its_own.iter()]:
        assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in ELEMENTS
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "url(" not in value
            assert "nan" not in value.lower() or name == "font-family"
            assert not re.fullmatch(r"-?inf.*", value)
    assert inline(picture) == inline(picture)


def test_a_long_name_is_cut_and_told_whole() -> None:
    name = "a system " * 30 + "<end>"
    root = parsed(Intervals("the systems", "", [Interval(name, 0.5, (0.4, 0.6), words="better")]))
    assert root.attrib["role"] == "img"
    assert titles(root) == ["the systems", f"{name}: 0.500 better; interval 0.400 to 0.600"]
    drawn = ["".join(element.itertext()) for element in root.iter("text")]
    assert any(re.fullmatch("a system a system.*… 0.500 better", label) for label in drawn)


def test_good_and_bad_have_shapes_of_their_own() -> None:
    def shapes(words: str) -> list[str]:
        rows = [Interval("a", 1.0, words=words), Interval("b", 2.0)]
        return [one.attrib["d"] for one in parsed(Intervals("", "", rows)).iter("path")]

    (good,), (bad,) = shapes("better"), shapes("worse")
    assert good != bad
    assert shapes("no difference shown") == []


def rectangles(root: ElementTree.Element) -> list[dict[str, float]]:
    """Those inside of titled groups, which are marks."""
    return [
        {key: float(rect.attrib[key].rstrip("%")) for key in ("x", "y", "width", "height")}
        for g in root.iter("g")
        if g.find("title") is not None
        for rect in g.findall("rect")
    ]


def test_a_histogram_tells_every_count_with_its_bucket_and_its_run() -> None:
    root = parsed(
        Histogram("", "queries", ["1", "none"], [Series("bm25", [3, 0]), Series("dense", [1, 2])])
    )
    assert [title for title in titles(root) if title] == [
        "bm25, 1: 3 queries",
        "bm25, none: 0 queries",
        "dense, 1: 1 queries",
        "dense, none: 2 queries",
    ]
    heights = [one["height"] for one in rectangles(root)]
    assert heights == pytest.approx([3 * heights[2], 0, heights[2], 2 * heights[2]], abs=0.03)


def test_lines_tell_every_value_and_keep_their_order_on_the_scale() -> None:
    root = parsed(
        Lines("", "tau", [0.1, 0.5, 1], [Series("mm", [0.5, 0.75, 1]), Series("rrf", [None, 0, 1])])
    )
    assert [title for title in titles(root) if title] == [
        "mm: 10 %: 0.500; 50 %: 0.750; 100 %: 1.000",
        "rrf: 10 %: ; 50 %: 0.000; 100 %: 1.000",
    ]
    first, second = (one for one in root.iter("g") if one.find("title") is not None)
    marks = [
        [(one.attrib["x"], float(one.attrib["y"])) for one in g.iter("svg")]
        for g in (first, second)
    ]
    (_, *mm), (_, *rrf) = marks  # the first mark of each stands beside its name
    assert [x for x, _ in mm[1:]] == [x for x, _ in rrf]
    assert rrf[1] == mm[2]
    # Where one lies on the other, both are seen.
    dashes = [{line.attrib["stroke-dasharray"] for line in g.iter("line")} for g in (first, second)]
    assert dashes == [{"10 0"}, {"5 5"}]
    assert {path.attrib["fill"] for g in (first, second) for path in g.iter("path")} == {"none"}
    assert rrf[0][1] - mm[0][1] == pytest.approx(mm[0][1] - mm[2][1], abs=0.02)


def test_names_leave_room_on_a_telephone() -> None:
    long = "a long name " * 40
    pictures: list[Picture] = [
        Intervals(long, long, [Interval(long, 0.5, (0.1, 0.9), words=long)] * 3),
        Histogram(long, long, [long] * 12, [Series(long, [3] * 12)] * 2, axis=long),
        Lines(long, long, [0.5, 1], [Series(long, [1, 2])], axis=long),
    ]
    for picture in pictures:
        for element in ElementTree.fromstring(inline(picture)).iter("text"):  # noqa: S314 - ours
            assert width_of("".join(element.itertext())) <= 58
