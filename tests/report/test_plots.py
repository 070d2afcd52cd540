"""Pictures are valid, plain SVG: whatever the numbers and the names in them."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.report import Column, Grid, Report, render
from judge_tui.report.layout import number
from judge_tui.report.plots import Bars, Histogram, Interval, Intervals, Picture, Series, draw
from judge_tui.report.plots.lettering import FONT_SIZE, cut_name, width_of
from judge_tui.visible import visible_line

SVG = "{http://www.w3.org/2000/svg}"

ELEMENTS = {"svg", "title", "g", "rect", "text", "line", "circle", "path"}
"""Nothing that runs, loads or refers to anything."""

numbers = st.none() | st.floats(allow_nan=True, allow_infinity=True)
names = st.text(max_size=200)
tones = st.sampled_from([None, "good", "bad"])
intervals = st.builds(
    Intervals,
    title=names,
    unit=names,
    rows=st.lists(
        st.builds(
            Interval, names, numbers, numbers, numbers, numbers, numbers, words=names, tone=tones
        ),
        max_size=8,
    ),
    mark=numbers,
    note=names,
)


@st.composite
def bars(draw_one: st.DrawFn) -> Bars:
    labels = draw_one(st.lists(names, max_size=5)) * draw_one(st.sampled_from([1, 1, 30, 300]))
    rows = st.lists(numbers, min_size=len(labels), max_size=len(labels))
    series = [Series(draw_one(names), draw_one(rows)) for _ in range(draw_one(st.integers(0, 5)))]
    return Bars(draw_one(names), draw_one(names), labels, series, note=draw_one(names))


@st.composite
def histograms(draw_one: st.DrawFn) -> Histogram:
    buckets = draw_one(st.lists(names, max_size=6))
    counts = st.lists(
        st.none() | st.integers(0, 10**6), min_size=len(buckets), max_size=len(buckets)
    )
    series = [Series(draw_one(names), draw_one(counts)) for _ in range(draw_one(st.integers(0, 5)))]
    return Histogram(draw_one(names), draw_one(names), buckets, series, axis=draw_one(names))


def read(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 - our own


def parsed(picture: Picture) -> ElementTree.Element:
    return read(draw(picture))


def titles(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}title")]


def check_plain(root: ElementTree.Element) -> None:
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in ELEMENTS
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "url(" not in value
            assert "nan" not in value.lower() or name == "font-family"
            assert not re.fullmatch(r"-?inf.*", value)


@given(intervals)
def test_intervals_are_plain_svg(picture: Intervals) -> None:
    check_plain(parsed(picture))
    assert draw(picture) == draw(picture)


@given(bars())
def test_bars_are_plain_svg(picture: Bars) -> None:
    check_plain(parsed(picture))


@given(histograms())
def test_histograms_are_plain_svg(picture: Histogram) -> None:
    check_plain(parsed(picture))


def test_the_frame_says_what_it_is_to_who_cannot_see_it() -> None:
    root = parsed(Intervals("the systems", "nDCG@10", [Interval("bm25", 0.5)]))
    assert root.attrib["role"] == "img"
    assert titles(root)[0] == "the systems"


def test_a_long_name_is_cut_and_told_whole() -> None:
    name = "a system " * 30 + "<end>"
    root = parsed(Intervals("", "", [Interval(name, 0.5, 0.4, 0.6, words="better")]))
    (row,) = [title for title in titles(root) if title.startswith("a system")]
    assert row == f"{name}: 0.500  better; interval 0.4 to 0.6"
    drawn_labels = [element.text or "" for element in root.iter(f"{SVG}text")]
    assert any(re.fullmatch("a system.*….*a system <end>", label) for label in drawn_labels)


@given(names, st.floats(0, 300))
def test_a_name_keeps_both_its_ends_where_it_is_cut(name: str, room: float) -> None:
    name = visible_line(name)
    kept = cut_name(name, room)
    if width_of(name) <= room:
        assert kept == name
    elif kept != name:  # by a hundredth
        head, _, tail = kept.partition("…")
        assert len(head) + len(tail) < len(name)
        assert name.startswith(head)
        assert name.endswith(tail)
        assert width_of(f"{head}{tail}") <= room


def test_names_that_differ_at_their_ends_are_told_apart() -> None:
    tags = [f"bm25-with-expansion-from-clicks-of-{year}-run-1" for year in (2024, 2025)]
    shown = [cut_name(tag, 190) for tag in tags]
    assert shown == ["bm25-wi…ks-of-2024-run-1", "bm25-wi…ks-of-2025-run-1"]


def test_a_mark_of_a_letter_that_is_cut_off_goes_with_it() -> None:
    shown = {cut_name("e\u0301" * 40, room) for room in range(10, 60)}
    assert all("…\u0301" not in one for one in shown)
    assert any("…e\u0301" in one for one in shown)


def test_a_line_may_cross_the_first_rows_alone() -> None:
    def height(marked: int | None) -> float:
        rows = [Interval("a", 0.2), Interval("b", 0.8)]
        root = parsed(Intervals("", "u", rows, mark=0.5, marked=marked))
        (of_mark,) = [one for one in root.iter(f"{SVG}g") if one[0].text == "u 0.5"]
        return float(of_mark[1].attrib["y2"]) - float(of_mark[1].attrib["y1"])

    assert height(1) * 2 == height(2) == height(None)


def test_what_is_undefined_says_why_and_has_no_mark() -> None:
    root = parsed(Intervals("", "", [Interval("bm25", math.nan, words="no query")]))
    assert not list(root.iter(f"{SVG}circle"))
    assert "no query" in [element.text for element in root.iter(f"{SVG}text")]


def test_good_and_bad_have_shapes_of_their_own() -> None:
    def shapes(tone: str | None) -> list[str]:
        rows = [Interval("a", 1.0, tone=tone), Interval("b", 2.0)]  # type: ignore[arg-type]
        root = parsed(Intervals("", "", rows))
        return [element.attrib["d"] for element in root.iter(f"{SVG}path")]

    (good,), (bad,) = shapes("good"), shapes("bad")
    assert good != bad
    assert shapes(None) == []


def rectangles(root: ElementTree.Element) -> list[dict[str, float]]:
    """Those inside of titled groups, which are marks."""
    return [
        {key: float(rect.attrib[key]) for key in ("x", "y", "width", "height")}
        for g in root.iter(f"{SVG}g")
        if g.find(f"{SVG}title") is not None
        for rect in g.findall(f"{SVG}rect")
    ]


def test_bars_are_as_long_as_their_values_on_both_sides_of_zero() -> None:
    long, short, left = rectangles(
        parsed(Bars("", "", ["a", "b", "c"], [Series("", [0.4, 0.1, -0.2])]))
    )
    assert long["width"] == pytest.approx(4 * short["width"], abs=0.03)
    assert left["width"] == pytest.approx(2 * short["width"], abs=0.03)
    assert long["x"] == short["x"]
    assert left["x"] + left["width"] == pytest.approx(short["x"], abs=0.02)


def test_many_bars_become_columns_of_the_same_values() -> None:
    values = [place / 100 - 0.5 for place in range(101)]
    root = parsed(Bars("", "", [f"q{place}" for place in range(101)], [Series("", values)]))
    columns = rectangles(root)
    assert len(columns) == 101
    assert columns[0]["height"] == pytest.approx(2 * columns[25]["height"], abs=0.03)
    assert "q0: -0.5" in titles(root)


def test_more_columns_than_can_be_told_apart_keep_the_extremes() -> None:
    values = [0.0] * 7000
    values[3456] = -1.0
    root = parsed(Bars("", "", [f"q{place}" for place in range(7000)], [Series("", values)]))
    assert len(rectangles(root)) <= 500
    assert "q3456: -1" in titles(root)


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
    assert heights == pytest.approx([3 * heights[1], heights[1], 2 * heights[1]], abs=0.03)


HOSTILE = "<script>alert(1)</script>&\x1b[31m\x00\u202e\"'"


def test_a_report_without_pictures_is_drawn_as_its_tables() -> None:
    grid = Grid("means", [Column("run", right=False), Column("nDCG@10", number)], [(HOSTILE, 0.5)])
    drawn = render(Report({}, (), (), [grid], ["a note"]), "svg")
    root = read(drawn)
    check_plain(root)
    shown = [element.text for element in root.iter(f"{SVG}text")]
    assert "0.5000" in shown
    assert "a note" in shown
    assert "<script>alert(1)</script>&␛[31m␀\ufffd\"'" in shown


def test_a_report_with_pictures_is_drawn_as_these() -> None:
    grid = Grid("means", [Column("run")], [("bm25",)])
    pictures = [Bars("deltas", "", ["q1"], [Series("", [1.0])]), Intervals("systems", "", [])]
    drawn = render(Report({}, (), (), [grid], [], pictures=pictures), "svg")
    root = read(drawn)
    assert titles(root)[0] == "deltas; systems"
    assert "means" not in drawn


def test_blocks_of_many_series_have_one_scale() -> None:
    series = [Series(f"s{number}", [number / 10]) for number in range(1, 7)]
    for labels in (["a"], ["a"] * 50):
        many = [Series(one.name, [*one.values] * len(labels)) for one in series]
        marks = rectangles(parsed(Bars("", "", labels, many)))
        lengths = [one["width" if len(labels) == 1 else "height"] for one in marks]
        assert lengths[-1] == pytest.approx(6 * lengths[0], abs=0.1)


@pytest.mark.parametrize("many", [2, 60])
def test_nothing_reaches_beyond_the_picture(many: int) -> None:
    """By the widths that letters are taken to have, which are those of a wide font."""
    long = "a long name " * 40
    labels = [long] * many
    pictures: list[Picture] = [
        Intervals(long, long, [Interval(long, 0.5, 0.1, 0.9, words=long)] * many, note=long),
        Bars(long, long, labels, [Series(long, [0.5] * many), Series(long, [-2.0] * many)]),
        Histogram(long, long, [long] * 12, [Series(long, [3] * 12)] * 2, axis=long, note=long),
    ]
    for picture in pictures:
        root = parsed(picture)
        width = float(root.attrib["width"]) - 32  # the margins
        for element in root.iter(f"{SVG}text"):
            x, shown = float(element.attrib["x"]), element.text or ""
            needed = width_of(shown, float(element.attrib.get("font-size", FONT_SIZE)))
            before = {"start": 0.0, "middle": 0.5, "end": 1.0}[
                element.attrib.get("text-anchor", "start")
            ]
            assert x - before * needed >= -1
            assert x + (1 - before) * needed <= width + 1
